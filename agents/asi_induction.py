"""ASI's way from solved episodes to functions: candidates, filter, replay tests, decisions."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from skillshift_gym.agents.executor import Executor
from skillshift_gym.agents.induction.chunks import Chunk, Trace, chunks_of, recurrence, trace_of
from skillshift_gym.agents.induction.episodes import Episode
from skillshift_gym.agents.induction.families import Solved, families
from skillshift_gym.agents.induction.functions import (
    function_of,
    has_precondition,
    labels_of,
    literals_of,
    narrowed,
    purposed,
    seen,
)
from skillshift_gym.agents.induction.lesson import Learned, Lesson
from skillshift_gym.agents.induction.replays import Replay, Replays, case_of, refusal
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.checker import check
from skillshift_gym.skills.events import Why
from skillshift_gym.skills.goal_templates import BETWEEN, arguments
from skillshift_gym.skills.program import parse
from skillshift_gym.skills.skill import Evidence, Skill

LEAST_STEPS = 3  # of an episode that is looked at (published code)
LEAST, MOST = 2, 5  # calls in a body (published code: more than one)
TRIES = 3  # chunks of a family that are tested
OTHERS = 2  # instances of the family beside the own one that a chunk is tested on
GATE = "replay"


class Induction:
    """One run of ASI over a lesson.

    Args:
        lesson: The lesson.
        agent: The agent that acts in the tests.

    Attributes:
        origin: How the log says where a candidate comes from.
    """

    origin: ClassVar[str] = "cut out of"

    def __init__(self, lesson: Lesson, agent: Callable[..., Executor]) -> None:
        self._lesson = lesson
        self._replays = Replays(lesson, agent)
        self.bank = Bank()
        self._keys: dict[str, str] = {}  # chunk's key -> name of its function
        self.funnel: Counter[str] = Counter()
        self.reasons: Counter[str] = Counter()

    def learned(self) -> Learned:
        """Returns what comes of the lesson."""
        episodes = list(self._lesson.episodes())
        traced = [self._traces(group) for group in families(episodes)]
        worth = recurrence((t for group in traced for t in group), LEAST, MOST)
        self._count(episodes, traced, worth)
        for group in traced:
            self._family(group, worth)
        self.funnel["tests"] = self._replays.played
        self.funnel["functions"] = len(self.bank.skills)
        steps = sum(len(e.moves) for e in episodes) + self._replays.steps
        return Learned(self.bank, dict(self.funnel), dict(self.reasons), len(episodes) + self._replays.played, steps)

    def _traces(self, group: Sequence[Solved]) -> list[Trace]:
        long_enough = [s for s in group if len(s.steps) >= LEAST_STEPS]
        self.reasons["fewer than three steps"] += len(group) - len(long_enough)
        return [trace_of(s, seen) for s in long_enough]

    def _count(self, episodes: Sequence[Episode], traced: Sequence[Sequence[Trace]], worth: Mapping[str, int]) -> None:
        self.funnel["episodes"] = len(episodes)
        self.funnel["solved"] = sum(e.success for e in episodes)
        self.funnel["long enough"] = sum(map(len, traced))
        self.funnel["chunks"] = len(worth)
        self.funnel.update(dict.fromkeys(("candidates", "tested", "accepted"), 0))

    def _family(self, group: Sequence[Trace], worth: Mapping[str, int]) -> None:
        """Tries the chunks of a family's episodes, each kind once; what lies in an accepted one is left alone."""
        tried: set[str] = set()
        kept: set[str] = set()
        tested = 0
        for trace in group:
            covered = [c for c in chunks_of(trace, LEAST, MOST) if c.key in kept]
            for chunk in self._ordered(trace, worth):
                if chunk.key in tried or any(chunk.overlaps(c) for c in covered):
                    continue
                tried.add(chunk.key)
                if tested == TRIES:
                    return
                self.funnel["candidates"] += 1
                passed = self._candidate(chunk, group)
                tested += passed is not None
                if passed:
                    kept.add(chunk.key)
                    covered.append(chunk)

    def _ordered(self, trace: Trace, worth: Mapping[str, int]) -> list[Chunk]:
        """Returns the chunks of a trace, the whole first, then those that would save most steps over all episodes."""
        found = list(chunks_of(trace, LEAST, MOST))
        return sorted(found, key=lambda c: (len(c) < len(trace.acts), -worth[c.key] * (len(c) - 1)))

    def _candidate(self, chunk: Chunk, group: Sequence[Trace]) -> bool | None:
        """Tests a chunk and decides: whether it is accepted, None when it is not even tested."""
        known = self.bank.get(self._keys.get(chunk.key, ""))
        others = _others(chunk, group)
        skill = self._drafted(chunk, known, [t.solved.template for t in (chunk.trace, *others)])
        if reason := _filtered(skill, chunk):
            self.reasons[reason] += 1
            return None
        before = len(self.bank.events)
        reason = f"{self.origin} {chunk.trace.solved.episode.task}, to be tested"
        (self.bank.add if known is None else self.bank.update)(skill, Why(reason, skill.evidence))
        self.funnel["tested"] += 1
        fitting = [t for t in (chunk.trace, *others) if arguments(skill, t.solved.episode.goal) is not None]
        replays = [self._replays.play(self.bank, skill, case_of(skill, chunk.key, t, LEAST, MOST)) for t in fitting]
        score = sum(r.solved for r in replays) / len(replays)
        why = Why(
            f"all {len(replays)} tests solved, and a call did something",
            tuple(r.evidence for r in replays),
            GATE,
            score,
            1.0,
        )
        if reason := refusal(replays):
            self.reasons[reason] += 1
            self.bank.rollback(before, why._replace(reason=f"{skill.name}: reverted: {reason}"))
            return False
        self._keep(skill, known, chunk, replays, why)
        return True

    def _drafted(self, chunk: Chunk, known: Skill | None, templates: Sequence[str]) -> Skill:
        """Returns the function of a chunk with the goals that it would serve: a new one, or the known one with more goals."""
        if known is None:
            return function_of(chunk, templates, self.bank.all)
        later = chunk.start > 0 or has_precondition(known)
        return self.purposed(known, [*known.description.split(BETWEEN), *templates], later)

    def purposed(self, skill: Skill, templates: Sequence[str], later: bool) -> Skill:
        """Returns a function with the goals that it serves, said in its docstring."""
        return purposed(skill, templates, later)

    def _keep(self, skill: Skill, known: Skill | None, chunk: Chunk, replays: Sequence[Replay], why: Why) -> None:
        """Puts a function into the bank with the goals of the tests, which are all that it is known to serve."""
        used = [p.name for p in skill.parameters]
        own = chunk.trace.solved
        tested = [r.case.trace.solved for r in replays]
        proven = any(
            s.episode.task != own.episode.task for s in tested
        )  # other values of the slots that it does not use
        goals = [s.template if proven else narrowed(s.template, s.values, used) for s in tested]
        before = known.description.split(BETWEEN) if known is not None else []
        final = self.purposed(skill, [*before, *goals], has_precondition(skill))
        count = int(skill.fields.get("tests", 0)) + len(replays)
        content = {"fields": {**final.fields, "tests": count}, "evidence": _merged(skill.evidence, why.evidence)}
        self.bank.update(final.revised(**content), why)
        if known is None:
            self._keys[chunk.key] = skill.name
            self.bank.promote(skill.name, why)
        self.funnel["accepted"] += 1


def _others(chunk: Chunk, group: Sequence[Trace]) -> list[Trace]:
    """Returns the episodes of the family that a chunk is also tested on: those worded otherwise first."""
    own = chunk.trace.solved
    rest = [t for t in group if t is not chunk.trace]
    seen_templates = {own.template}
    fresh = []
    for trace in rest:
        if trace.solved.template not in seen_templates:
            seen_templates.add(trace.solved.template)
            fresh.append(trace)
    return [*fresh, *(t for t in rest if t not in fresh)][:OTHERS]


def _filtered(skill: Skill, chunk: Chunk) -> str:
    """Returns why a function is not even tested, empty when it is."""
    if arguments(skill, chunk.trace.solved.episode.goal) != chunk.examples:
        return "the goal does not give the arguments"
    solved = chunk.trace.solved
    if any(value.lower() in solved.episode.goal.lower() for value in literals_of(chunk.acts)):
        return "a value of the goal is spelled out"
    if not {v.lower() for v in solved.values.values()}.isdisjoint(label.lower() for label in labels_of(chunk.acts)):
        return "a target is named after a value of the goal, and has no slot"
    findings = check(parse(skill.program), skill.parameters)
    return f"checker: {findings[0].rule}" if findings else ""


def _merged(one: Sequence[Evidence], other: Sequence[Evidence]) -> tuple[Evidence, ...]:
    return tuple({e.episode: e for e in (*one, *other)}.values())
