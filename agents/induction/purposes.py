"""When a skill is called that was learned without tasks: what it is for is in the site's words, a goal in the user's.

A skill suits a goal when the goal names what it is about, or gives a value for what an input is called, and gives all that a
call needs. How well it suits is what share of the goal's words and values the call covers. The rules and numbers here were set
by hand while looking at `val` tasks, one of each family.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skillshift_gym import actions
from skillshift_gym.actions import SkillCall
from skillshift_gym.agents.base import Observation
from skillshift_gym.agents.executor import Executor, Proposal
from skillshift_gym.agents.induction.binding import SLUG, Input, arguments, clean, inputs_of, sent
from skillshift_gym.candidates import SKILL, Candidate
from skillshift_gym.context import Context
from skillshift_gym.evaluation.episode import TaskSpec
from skillshift_gym.evaluation.recorder import CallRecorder
from skillshift_gym.forms import makes_new, outside
from skillshift_gym.goal_values import QUOTED, values_of
from skillshift_gym.reading import Reading, words
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.goal_templates import BETWEEN
from skillshift_gym.skills.program import parse
from skillshift_gym.skills.proposing import readiness
from skillshift_gym.skills.skill import Skill
from skillshift_gym.skills.templates import slots
from skillshift_gym.spans import span_of
from skillshift_gym.vocabulary import UI_WORDS, stems

PREFERENCE = 10.0
_NAMED = 0.6  # share of the words of a wording that a goal must say
_SURE = 0.75  # the same for what writes without a choice that the goal names; and share of the goal's values that it is given
_PARTIAL = 0.8  # as in goal_templates: words in common never count as much as the very sentence
_VERBS = stems(
    " ".join(sorted(UI_WORDS["open"] | UI_WORDS["manage"] | UI_WORDS["create"] | UI_WORDS["run"] | UI_WORDS["count"]))
    + " find look take change set use leave up was published"
) - stems("details")
_MANY = 4  # inputs of a call that is told in full
_HERE = frozenset(["this", "here"])


class Suit(NamedTuple):
    """How a skill suits a goal.

    Attributes:
        skill: The skill.
        given: Arguments of a call.
        said: Whether the goal says what the skill is for, word for word.
        named: Share of the words of its best wording that the goal says.
        cover: Share of the goal's words that skill and call cover.
        bound: Share of the goal's values that the call has; 1 for a goal without values.
        used: The values.
    """

    skill: Skill
    given: Mapping[str, Any]
    said: bool
    named: float
    cover: float
    bound: float
    used: frozenset[str]

    @property
    def worth(self) -> float:
        """How well it suits, in [0, 1]: by values, words, inputs given, and whether it does the whole or opens the way."""
        given = min(1.0, len(self.given) / _MANY)
        return 0.4 * self.bound + 0.3 * self.named + 0.1 * self.cover + 0.1 * given + 0.1 * (not _asks(self.skill))


def suit(skill: Skill, goal: str, *, values: bool = False) -> Suit | None:
    """Returns how a skill suits a goal, None when it does not.

    Args:
        skill: The skill.
        goal: The goal.
        values: Whether choices are called by the value that is sent, not by their label.
    """
    inputs = inputs_of(skill)
    found = arguments(skill, inputs, goal)
    if found is None:
        return None
    said = clean(skill.description, goal) is not None and all(i.format in ("", SLUG) for i in inputs)
    wanted, about = _content(goal), [n for n in _nouns(skill) if n]
    share, nouns = max(
        ((len(n & wanted) / len(n), n) for n in about), key=lambda x: (x[0], len(x[1])), default=(0.0, frozenset())
    )
    labels = frozenset().union(*(stems(i.label) for i in inputs if i.name in found))
    used, bound = _values(found, goal)
    cover = len((nouns | labels) & wanted) / len(wanted) if wanted else 0.0
    one = Suit(skill, sent(inputs, found, values=values), said, share, cover, bound, used)
    fits = (
        said
        or share >= _NAMED
        or (not about and _searches(goal))
        or (_asks(skill) and _told(inputs, found, goal, labels & wanted, bound))
    )
    return one if fits and _fits(one, inputs, found, goal) else None


def _searches(goal: str) -> bool:
    return not UI_WORDS["search"].isdisjoint(words(goal))


def _told(inputs: Sequence[Input], found: Mapping[str, Any], goal: str, labels: frozenset[str], bound: float) -> bool:
    """Tells whether the values of a goal say what it is about: all have an input that the goal names, or one that lists them."""
    if not found or bound < 1.0:
        return False
    listed = [found[i.name] for i in inputs if i.choices and i.required and i.name in found]
    return bool(labels) or (not values_of(goal).quoted and any(v in values_of(goal).proper for v in listed))


def _fits(one: Suit, inputs: Sequence[Input], found: Mapping[str, Any], goal: str) -> bool:
    """Tells whether a goal wants the kind of thing done that a skill does."""
    first, new = one.skill.name.partition("_")[0], makes_new(goal)
    if not inputs:
        return one.named == 1.0 and not _has_values(goal) and _HERE.isdisjoint(words(goal))
    if first == "create":
        return new and one.named >= _NAMED and one.bound >= _SURE
    if not _asks(one.skill):
        chosen = any(i.choices and i.name in found for i in inputs if not i.key)
        changed = chosen or any(i.name in found for i in inputs if not i.key)
        sure = _NAMED if chosen else _SURE
        return not new and one.bound >= _SURE and (one.named >= sure if changed else one.named == 1.0)
    asked = first == "open" and any(i.key for i in inputs) and not UI_WORDS["ask"].isdisjoint(words(goal)[:4])
    placed = first == "open" and values_of(goal).place is not None
    return bool(found) and (not new or first == "show") and not asked and not placed


def _has_values(goal: str) -> bool:
    given = values_of(goal)
    one = (
        given.quoted
        or given.codes
        or given.amounts
        or given.proper
        or given.number is not None
        or given.place is not None
    )
    return bool(one) or span_of(goal) is not None


def _asks(skill: Skill) -> bool:
    return skill.name.partition("_")[0] in ("open", "show", "filter", "search")


def _nouns(skill: Skill) -> list[frozenset[str]]:
    """Returns, for each wording, the stems of what it is about."""
    plain = []
    for wording in skill.description.split(BETWEEN):
        for slot in slots(wording):
            wording = wording.replace(f"{{{slot}}}", " ")
        plain.append(stems(wording) - _VERBS)
    return plain


def _content(goal: str) -> frozenset[str]:
    """Returns the stems of a goal's words but for what is quoted and what only says how it is asked."""
    return frozenset(s for s in outside(QUOTED.sub(" ", goal)) if not s.isdigit()) - _VERBS


def _values(found: Mapping[str, Any], goal: str) -> tuple[frozenset[str], float]:
    """Returns the values of a call, and the share of the goal's values that are among them; a stretch of days is one."""
    own = frozenset(str(v) for value in found.values() for v in (value if isinstance(value, tuple) else (value,)))
    given = values_of(goal)
    wanted = {*given.quoted, *given.codes, *given.amounts, given.email, given.person} - {""}
    dated = span_of(goal) is not None
    total = len(wanted) + dated
    held = sum(w in own for w in wanted) + (dated and any("/" in v for v in own))
    return own, held / total if total else 1.0


class Purposeful(Executor):
    """An executor that prefers a skill whose purpose a goal words otherwise.

    Args:
        bank: As of `Executor`.
        backbone: As of `Executor`.
        dismiss: As of `Executor`.
        **settings: Arguments of the backbone.
    """

    top: ClassVar[int | None] = None  # skills that are retrieved, all by default
    values: ClassVar[bool] = False  # whether choices are called by the value that is sent
    disables: ClassVar[bool] = False  # whether a skill that failed is left alone for the rest of the episode

    def __init__(
        self,
        bank: str | Path | Bank | None = None,
        backbone: str = "lexical",
        dismiss: str = "after_refusal",
        **settings: Any,
    ) -> None:
        super().__init__(bank, backbone, dismiss, **settings)
        self._programs = {s.name: parse(s.program) for s in self.bank.skills.values() if s.callable}

    def reset(self, task: TaskSpec, recorder: CallRecorder) -> None:
        """Starts an episode."""
        super().reset(task, recorder)
        found = [s for skill in self.exposed() if (s := suit(skill, task.goal, values=self.values)) is not None]
        self._suits = sorted(found, key=lambda s: (-s.said, -s.worth, s.skill.name))[: self.top]
        self.counts["suiting"] = len(found)
        self._calling = ""
        self._failed: set[str] = set()
        self._spent: set[str] = set()
        self._called = False

    def heard(self, observation: Observation) -> None:
        """Remembers how a call went: what it was given is done with, or the skill has failed."""
        if not self._calling:
            return
        if observation.get("last_action_error"):
            self._failed.add(self._calling)
            self.counts["failed_skills"] += 1
        else:
            self._called = True
            self._spent |= next((s.used for s in self._suits if s.skill.name == self._calling), frozenset())
        self._calling = ""

    def calls(self, goal: str, reading: Reading) -> list[Candidate]:
        """Returns calls of the skills that suit the goal and still have something to do."""
        return [self._candidate(s, reading) for s in self._suits if self._is_due(s)]

    def score(self, found: list[Candidate], context: Context) -> NDArray[np.float32]:
        """Returns the backbone's scores, with a constant preference for calls by how well they suit the goal."""
        worth = {s.skill.name: s.worth for s in self._suits}
        preferred = [PREFERENCE * worth.get(c.slot, 0.0) if c.primitive == SKILL else 0.0 for c in found]
        return np.asarray(super().score(found, context) + np.array(preferred, dtype=np.float32), dtype=np.float32)

    def take(self, proposal: Proposal) -> str:
        """Remembers which skill is called."""
        self._calling = proposal.candidate.slot if proposal.candidate.primitive == SKILL else ""
        return super().take(proposal)

    def _is_due(self, one: Suit) -> bool:
        if one.skill.name in self._failed:
            return not self.disables
        return not self._called or bool(one.used - self._spent)

    def _candidate(self, one: Suit, reading: Reading) -> Candidate:
        action = actions.format_action(SkillCall(one.skill.name, (), tuple(one.given.items())))
        fit = 1.0 if one.said else _PARTIAL * one.worth
        ready = readiness(self._programs[one.skill.name], one.given, reading)
        return Candidate(action, SKILL, name=one.skill.description, slot=one.skill.name, fit=fit, ready=ready)
