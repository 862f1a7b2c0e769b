"""ASI by a chat model: it writes functions and the trajectory that calls them; filter, replay tests and decisions are ASI's.

Source: "Inducing Programmatic Skills for Agentic Tasks", section 2, and its published code. What is ours: a function is
tested by itself, after the steps that were done before its first call in the rewritten trajectory; its purpose is the goal of
the episode with its parameters in place of the values that the call gives; an episode that an accepted function was tested on
is not written about again, as its trajectory would hold that call had it been played afterwards.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar

from skillshift_gym.agents.asi_induction import LEAST, MOST, Induction
from skillshift_gym.agents.executor import Executor
from skillshift_gym.agents.induction.chunks import Chunk, Trace
from skillshift_gym.agents.induction.episodes import Episode
from skillshift_gym.agents.induction.families import Solved
from skillshift_gym.agents.induction.lesson import Learned, Lesson
from skillshift_gym.agents.written.functions import NOT_CALLED, Function, Use, functions_of, judged, uses_of
from skillshift_gym.agents.written.prompts import ASI, FUNCTIONS
from skillshift_gym.agents.written.showing import bare, code_of, recorded, trajectory, without_sid
from skillshift_gym.agents.written.writer import Rejected, Writer
from skillshift_gym.skills.program import Act, Program, parse
from skillshift_gym.skills.recorder import Step, kept
from skillshift_gym.skills.rewriting import mapped
from skillshift_gym.skills.shown import document
from skillshift_gym.skills.skill import Parameter, Skill
from skillshift_gym.skills.templates import slots

WRITTEN = 3  # functions of a reply that are looked at: as many as the rule tests of a family
KNOWN = 40  # functions that the model is told of, the latest; ours, the published code tells of all
SERVED = "an accepted function does it already"


class Writing(Induction):
    """One run over a lesson with an inducer.

    Args:
        lesson: The lesson.
        agent: The agent that acts in the tests.
    """

    origin: ClassVar[str] = "written about"

    def __init__(self, lesson: Lesson, agent: Callable[..., Executor]) -> None:
        super().__init__(lesson, agent)
        self._writer = Writer(lesson, "asi")
        self._written: dict[str, Function] = {}  # chunk's key -> function
        self._docs: dict[str, str] = {}

    def learned(self) -> Learned:
        """Returns what comes of the lesson."""
        return super().learned()._replace(account=self._writer.account)

    def purposed(self, skill: Skill, templates: Sequence[str], later: bool) -> Skill:
        """Returns a function with the goals that it serves, the model's docstring after them."""
        found = super().purposed(skill, templates, later)
        doc = f"{found.fields['doc']}\n\n{self._docs.get(skill.name, '')}".rstrip()
        return found.revised(fields={**found.fields, "doc": doc})

    def _count(self, episodes: Sequence[Episode], traced: Sequence[Sequence[Trace]], worth: Mapping[str, int]) -> None:
        super()._count(episodes, traced, worth)
        del self.funnel["chunks"]
        self.funnel["asked"] = 0
        for stage in ("candidates", "tested", "accepted"):  # come after it
            self.funnel[stage] = self.funnel.pop(stage)

    def _family(self, group: Sequence[Trace], worth: Mapping[str, int]) -> None:
        """Has the model write about each episode of a family, until an accepted function was tested on it."""
        for trace in group:
            if trace.solved.episode.task in self._served():
                self.reasons[SERVED] += 1
                continue
            self.funnel["asked"] += 1
            try:
                self._write(trace, group)
            except Rejected as rejected:
                self.reasons[str(rejected)] += 1

    def _served(self) -> set[str]:
        return {e.task for skill in self.bank.skills.values() for e in skill.evidence}

    def _write(self, trace: Trace, group: Sequence[Trace]) -> None:
        steps = kept(trace.solved.steps)
        done = bare(map(recorded, steps))
        reply = self._writer.ask(ASI, self._said(trace.solved, steps, done), FUNCTIONS)
        functions = {f.name: f for f in self._known()}
        new = list(functions_of(reply["code"], self.bank.all, LEAST, MOST))[:WRITTEN]
        functions |= {f.name: f for f in new if isinstance(f, Function)}
        uses = uses_of(reply["trajectory"], functions, done)
        for written in new:
            self._consider(written, None if isinstance(written, Rejected) else uses.get(written.name), trace, group)
        names = {f.name for f in new if isinstance(f, Function)}
        for name in [n for n, use in uses.items() if isinstance(use, Use) and n not in names]:
            self._consider(functions[name], uses[name], trace, group)

    def _said(self, solved: Solved, steps: Sequence[Step], done: Sequence[Act]) -> tuple[str, ...]:
        known = document(list(self.bank.skills.values())[-KNOWN:])
        answer = solved.episode.answer
        lines = [trajectory(steps, code_of(done, "asi")), *([f"send_msg_to_user({answer!r})"] if answer else [])]
        return (f"Known functions:\n{known}" if known else "", f"Goal: {solved.episode.goal}", "\n".join(lines))

    def _known(self) -> list[Function]:
        """Returns the accepted functions."""
        found = []
        for skill in self.bank.skills.values():
            acts = tuple(s for s in parse(skill.program).statements if isinstance(s, Act))
            found.append(Function(skill.name, "", tuple(p.name for p in skill.parameters), acts))
        return found

    def _consider(
        self, function: Function | Rejected, use: Use | Rejected | None, trace: Trace, group: Sequence[Trace]
    ) -> None:
        """Tests one function that was written, or a known one that was called."""
        self.funnel["candidates"] += 1
        if isinstance(function, Rejected):
            self.reasons[str(function)] += 1
        elif not isinstance(use, Use):
            self.reasons[NOT_CALLED if use is None else str(use)] += 1
        else:
            self._try(function, use, trace, group)

    def _try(self, function: Function, use: Use, trace: Trace, group: Sequence[Trace]) -> None:
        end = use.start + len(function.acts)
        known, acts = function.name in self.bank.skills, function.acts
        if not known:
            steps = [recorded(step) for step in kept(trace.solved.steps)]
            acts = judged(acts, use.given, steps[use.start : end])
        laid = [_laid(t, trace, acts, use) for t in (trace, *(t for t in group if t is not trace))]
        key = _key(acts)
        if not known:
            if key in self._keys or self.bank.duplicate_of(self._new(function, acts, laid[0])):
                self.reasons["another function does the same"] += 1
                return
            self._written[key], self._docs[function.name] = function, function.doc
        self._candidate(Chunk(laid[0], use.start, end, key), laid)

    def _drafted(self, chunk: Chunk, known: Skill | None, templates: Sequence[str]) -> Skill:
        """Returns the function as the model wrote it, with the goals that it would serve."""
        if known is not None:
            return super()._drafted(chunk, known, templates)
        return self.purposed(self._new(self._written[chunk.key], chunk.acts, chunk.trace), templates, chunk.start > 0)

    def _new(self, function: Function, acts: Sequence[Act], trace: Trace) -> Skill:
        chunk = Chunk(trace, len(trace.acts) - len(acts), len(trace.acts), "")
        return Skill(
            name=function.name,
            kind="function",
            parameters=tuple(Parameter(name=name) for name in function.parameters),
            program=str(chunk.program),
            evidence=(trace.solved.episode.evidence,),
            status="testing",
        )


def _key(acts: Sequence[Act]) -> str:
    """Returns what `chunks_of` calls these acts."""
    return "\n".join(str(mapped(Program((act,)), without_sid)) for act in acts)


def _laid(trace: Trace, own: Trace, acts: Sequence[Act], use: Use) -> Trace:
    """Returns an episode of a family with a function's acts in place of the steps that it stands for.

    Slots of the goal bear the names of the parameters that have their values in the function's own episode. An episode that
    went another way until then has no such steps, and is left to the agent.
    """
    names = {
        slot: name for name, value in use.given.items() for slot, held in own.solved.values.items() if held == value
    }
    solved = _renamed(trace.solved, names, set(use.given))
    end = use.start + len(acts)
    alike = [(a.verb, _role(a)) for a in trace.acts[:end]] == [(a.verb, _role(a)) for a in own.acts[:end]]
    laid = (*trace.acts[: use.start], *acts) if alike else ()
    return Trace(solved, laid, trace.actions, dict(use.given))


def _role(act: Act) -> str:
    return act.target.locator.role if act.target is not None and act.target.locator is not None else ""


def _renamed(solved: Solved, names: Mapping[str, str], parameters: set[str]) -> Solved:
    """Returns an episode whose goal has other names of slots; a slot that is no parameter bears none of their names."""
    new = {slot: names.get(slot, f"{slot}_" if slot in parameters else slot) for slot in solved.values}
    template = solved.template
    for slot in slots(template):
        template = template.replace(f"{{{slot}}}", f"\x00{new.get(slot, slot)}\x00")
    pieces = template.split("\x00")
    text = "".join(f"{{{piece}}}" if n % 2 else piece for n, piece in enumerate(pieces))
    return solved._replace(template=text, values={new[slot]: value for slot, value in solved.values.items()})
