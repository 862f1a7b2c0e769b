"""WALT: tools reverse-engineered from a site's forms and addresses; by rules or by a chat model.

Source: "WALT: Web Agents that Learn Tools" and its public code. No goal of a task is read in learning: tasks are
start pages. The stock phrases of `induction.wordings` were written with `train` goals in view.

| step | paper says | code does | we do: rule | we do: model (`written.walt`) |
|---|---|---|---|---|
| discover | an agent lists functions in 30 steps | an LLM; a keyword filter for what would break the login | 30 steps of a walk over links and forms, from each kind of start page (at most 5) | the same walk; the model lists functions from a page of each kind (at most 8 pages, 24 functions); the same keyword filter |
| demonstrate | an agent performs each, 30 steps | an LLM with a browser | each form, list and kind of address is done once (`induction.demonstrating`), values seen on the page first | the lesson's executor, with the description as its goal, at most 30 steps |
| build | steps with typed inputs | css, xpath, tag; choices as enum | the same; lists that take several entries at once cannot be said by a step, and are left out | the model; five kinds of steps, css and xpath |
| test | the tool is called with generated inputs | a long output counts as success | it must have been called and been effective (`procedures.missed`) | the same: something new said and nothing refused |
| inputs | extracted value, domain default, type default | by an LLM | by label and format, in this order | the model |
| revise | up to 5 rounds with the failure | an LLM edits the tool | the field that is complained about becomes required, one that takes no empty value is dropped, else the next value | the model, from a log of the failures and the page, at most 5 rounds |
| optimise | address operations preferred | checks kinds of steps that the schema lacks | the address if it gives the same page as the steps, and if it lasts (below) | the model is told to; and the address of the last page, with the inputs in it, if it gives the same page and lasts |
| select | all tools in the prompt, "prefer tools" | the same | a constant preference by how much of the goal a call covers (`induction.purposes`) | the same |
| find | css, attribute, tag and class, text, xpath | forced clicks | css, then xpath, forced: a blocker swallows a click unseen | the same |
| fallback | an agent of at most 5 steps | off by default | the same: `healing.fallback` | the same |

An address with a part that looks made anew each session is never stored: such a page is reached from an address that lasts, by
the links and forms of the site (`induction.ways`). Where a call would then be too long, inputs that need not be given are left out.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from skillshift_gym.agents.induction.affordances import family
from skillshift_gym.agents.induction.demonstrating import Demonstrator
from skillshift_gym.agents.induction.doing import Undone
from skillshift_gym.agents.induction.exploring import Explorer, start_pages
from skillshift_gym.agents.induction.lesson import Learned, Lesson
from skillshift_gym.agents.induction.procedures import Procedure
from skillshift_gym.agents.induction.purposes import Purposeful
from skillshift_gym.agents.induction.survey import Proposal, Survey
from skillshift_gym.agents.walt_discovery import Discovery
from skillshift_gym.agents.walt_tools import Tested, Workshop
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.events import Why
from skillshift_gym.skills.naming import slug

HEALING: Mapping[str, Any] = {"order": ("css", "xpath"), "same_element": False, "write_back": False, "forced": True}
STARTS = 5
GATE = "called and effective"


class WALT(Purposeful):
    """Calls tools; all of the site are shown, each with typed inputs."""

    healing: ClassVar[Mapping[str, Any]] = HEALING
    values: ClassVar[bool] = True


def learn(lesson: Lesson) -> Learned:
    """Returns the tools of a site."""
    if lesson.inducer is not None:
        from skillshift_gym.agents.written import walt as written  # which is built on this module

        return written.learn(lesson)
    with Explorer(lesson, HEALING) as explorer:
        return School(lesson, explorer).learned()


class School:
    """Discovers, demonstrates, builds and tests."""

    def __init__(self, lesson: Lesson, explorer: Explorer) -> None:
        self._lesson, self._explorer = lesson, explorer
        self._survey = Survey()
        self._bank = Bank()
        self._funnel: Counter[str] = Counter()
        self._reasons: Counter[str] = Counter()
        self._workshop = Workshop(explorer, lesson.seed)

    def learned(self) -> Learned:
        """Returns what comes of the lesson."""
        starts = list(start_pages(self._lesson, self._explorer).items())
        kinds = {family(route): task for route, task in reversed(starts)}
        tasks = sorted(kinds.values(), key=[t for _, t in starts].index)[:STARTS]
        walk = Discovery(self._explorer, self._survey)
        for task in self._lesson.progress(tasks):
            walk.walk(task)
        self._funnel["pages visited"] = len(walk.visited)
        self._reasons.update(self._survey.refused)
        for proposal in self._candidates():
            self._funnel["candidates"] += 1
            self._consider(proposal, tasks[0])
        stages = ("pages visited", "candidates", "demonstrated", "built", "called", "accepted", "by address")
        funnel = {stage: self._funnel[stage] for stage in stages}
        return Learned(
            self._bank, funnel, dict(sorted(self._reasons.items())), self._explorer.episodes, self._explorer.steps
        )

    def _candidates(self) -> Iterator[Proposal]:
        """Yields proposals, and those that come up while others are demonstrated."""
        done: set[object] = set()
        while True:
            self._survey.settle()
            waiting = [p for p in self._survey.proposals.values() if p.key not in done]
            if not waiting:
                return
            for proposal in waiting:
                done.add(proposal.key)
                yield proposal

    def _consider(self, proposal: Proposal, task: str) -> None:
        demonstrator = Demonstrator(self._explorer, task, self._lesson.seed)
        try:
            procedure = proposal.make(demonstrator)
        except Undone as undone:
            self._reasons[f"not demonstrated: {undone}"] += 1
            return
        self._funnel["demonstrated"] += 1
        if proposal.kind == "query":
            self._survey.look(self._explorer.page)
        elif proposal.kind == "lookup":
            self._survey.entities(proposal, demonstrator, lambda: self._explorer.page)
        self._build(procedure, task)

    def _build(self, procedure: Procedure, task: str) -> None:
        name = slug(procedure.name, list(self._bank.all))
        tested = self._tested(procedure, name, task)
        self._funnel["built"] += tested.skill is not None
        self._funnel["called"] += tested.called > 0
        if tested.skill is None:
            self._reasons[f"not built: {tested.reason}"] += 1
            return
        self._keep(tested)

    def _tested(self, procedure: Procedure, name: str, task: str) -> Tested:
        """Builds and tests the tool of a procedure."""
        return self._workshop.best(procedure, name, task)

    def _keep(self, tested: Tested) -> None:
        skill = tested.skill
        assert skill is not None
        other = self._bank.duplicate_of(skill)
        if other is not None:
            self._reasons["another tool does the same"] += 1
            return
        self._bank.add(skill, Why("built from a demonstration", skill.evidence))
        if tested.passed:
            said = f"round {tested.rounds}: called and effective" + (", by address" if tested.by_address else "")
            self._bank.promote(skill.name, Why(said, skill.evidence, GATE, float(tested.passed), 1.0))
            self._funnel["accepted"] += 1
            self._funnel["by address"] += tested.by_address
        else:
            self._reasons[f"not effective: {tested.reason}"] += 1
