"""SkillWeaver: programs learned by exploring a site out of curiosity, verified by clean runs; by rules or by a chat model.

Source: "SkillWeaver: Web Agents can Self-Improve by Discovering and Honing Skills" and its public code. No goal of a task is
read in learning: tasks are start pages. The stock phrases of `induction.wordings` were written with `train` goals in view.

| step | paper says | code does | we do: rule | we do: model (`written.skillweaver`) |
|---|---|---|---|---|
| curriculum | explore or test | test with probability 0.5, else explore; 160 iterations a site | the same, by keyed draws | the same; 20 iterations |
| propose | an LLM proposes tasks and rates them | usefulness and number of actions | what the pages seen so far offer (`induction.survey`), rated by usefulness and by how seldom the like was tried | the model, from a start page: up to five tasks with usefulness and number of actions; the most useful new one |
| attempt | at most 10 steps | an LLM with a browser | done once, written down (`induction.demonstrating`); optional fields do not count | the lesson's executor, with that task as its goal, at most 10 steps |
| success | an LLM judges | from screenshots | by effect: address, heading, texts (`procedures.missed`) | the model, from task, what was done, and the text of the last page |
| synthesise | a function with typed parameters | an LLM; no raw locators, relative start, no ids | role and name only; optional fields inside `if given`; static check; no handling of dialogs; from an address that lasts, by links (`induction.ways`) | the model; read as a tree and never run: calls on the page by role and name, an `if` only around what need not be given; the same static check |
| test | an untested one with invented arguments | softmax over (interactions - version) | the same; values seen on the pages first | arguments that the model invents |
| verified | a clean run | no exception, no recovery | the same, and effective; unverified ones are kept, not shown | the same: no error, no recovery, something new said and nothing refused |
| edit | on failure | at most 10 tries | at most 10: a blamed input becomes required, a place among equals is dropped; a new version counts anew | the model, from the failure and the page, at most 10; a new version counts anew |
| retrieve | an LLM, or nearest five by embedding | signature and docstring in the prompt | the best five by how much of the goal a call covers (`induction.purposes`) | the same |
| heal | an LLM picks from the accessibility tree, 5 tries | same element, exactly one match | `fuzzy`, then `similo` on role and name; nothing is written back in evaluation | the same |
| after an error | the function is disabled for the episode | the same | the same | the same |
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Any, ClassVar

from skillshift_gym.agents.induction.affordances import Route
from skillshift_gym.agents.induction.binding import sent
from skillshift_gym.agents.induction.demonstrating import Demonstrator
from skillshift_gym.agents.induction.doing import Undone
from skillshift_gym.agents.induction.exploring import Call, Explorer, start_pages
from skillshift_gym.agents.induction.lesson import Learned, Lesson
from skillshift_gym.agents.induction.procedures import Procedure, generated, missed
from skillshift_gym.agents.induction.purposes import Purposeful
from skillshift_gym.agents.induction.survey import Proposal, Survey
from skillshift_gym.agents.skillweaver_programs import MAX_EDITS, Function, Unfit, checked, drawn, edited
from skillshift_gym.keyed import unit
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.events import Why
from skillshift_gym.skills.naming import slug
from skillshift_gym.skills.skill import Skill

HEALING: Mapping[str, Any] = {
    "order": ("role+name",),
    "healers": ("fuzzy", "similo"),
    "same_element": True,
    "write_back": False,
}
ITERATIONS = 160
TESTING = 0.5  # probability of a test when something is untested
STARTS = 5
LOOKS = 3
GATE = "clean runs"
_USEFUL = {"query": 3.0, "route": 3.0, "create": 3.0, "deed": 2.5, "lookup": 2.5, "edit": 2.0, "visit": 1.0}
_NOVEL = 2.0


class SkillWeaver(Purposeful):
    """Calls verified functions: the best five for a goal are shown, one that failed is left alone afterwards."""

    healing: ClassVar[Mapping[str, Any]] = HEALING
    top: ClassVar[int | None] = 5
    disables: ClassVar[bool] = True

    def exposed(self) -> Sequence[Skill]:
        """Returns the verified functions."""
        return [s for s in super().exposed() if s.fields.get("test_count", 0) > 0]


def learn(lesson: Lesson) -> Learned:
    """Returns the functions of a site."""
    if lesson.inducer is not None:
        from skillshift_gym.agents.written import skillweaver as written  # which is built on this module

        return written.learn(lesson)
    with Explorer(lesson, HEALING) as explorer:
        return Curiosity(lesson, explorer).learned()


class Curiosity:
    """Explores and tests in turn."""

    iterations = ITERATIONS

    def __init__(self, lesson: Lesson, explorer: Explorer) -> None:
        self._lesson, self._explorer, self._survey = lesson, explorer, Survey()
        self._functions: dict[str, Function] = {}
        self._done: set[object] = set()
        self._tried: Counter[tuple[str, str]] = Counter()
        self._funnel: Counter[str] = Counter()
        self._reasons: Counter[str] = Counter()
        self._task = ""

    def learned(self) -> Learned:
        """Returns what comes of the lesson."""
        for task in list(start_pages(self._lesson, self._explorer).values())[:STARTS]:
            self._task = self._task or task
            self._survey.look(self._explorer.begin(task))
        for name in self._lesson.progress([f"iteration {i}" for i in range(self.iterations)]):
            self._iterate(int(name.rpartition(" ")[2]))
        bank = self._bank()
        stages = ("explored", "attempted", "succeeded", "synthesised", "tests", "clean", "verified")
        funnel = {stage: self._funnel[stage] for stage in stages}
        reasons = dict(sorted(self._reasons.items()))
        return Learned(bank, funnel, reasons, self._explorer.episodes, self._explorer.steps)

    def _iterate(self, number: int) -> None:
        untested = [f for f in self._functions.values() if not f.tests and f.runs < MAX_EDITS]
        if untested and unit("curriculum", self._lesson.seed, number) < TESTING:
            logits = [f.runs - f.version for f in untested]
            weights = [math.exp(x - max(logits)) for x in logits]
            self._test(untested[drawn(weights, "test", self._lesson.seed, number)], number)
        else:
            self._explore(number)

    def _explore(self, number: int) -> None:
        self._funnel["explored"] += 1
        self._survey.settle()
        open_ones = [p for p in self._survey.proposals.values() if p.key not in self._done]
        if not open_ones:
            self._reasons["nothing new to propose"] += 1
            return
        proposal = max(open_ones, key=lambda p: (self._rating(p), -open_ones.index(p)))
        self._done.add(proposal.key)
        self._tried[proposal.kind, proposal.about] += 1
        self._funnel["attempted"] += 1
        try:
            self._attempt(proposal, number)
        except (Undone, Unfit) as error:
            self._reasons[f"{'attempt' if isinstance(error, Undone) else 'synthesis'}: {error}"] += 1

    def _rating(self, proposal: Proposal) -> float:
        return _USEFUL[proposal.kind] + _NOVEL / (1 + self._tried[proposal.kind, proposal.about])

    def _attempt(self, proposal: Proposal, number: int) -> None:
        demonstrator = Demonstrator(self._explorer, self._task, self._lesson.seed)
        start = self._explorer.begin(self._task)
        evidence = self._explorer.evidence
        procedure = self._done_by_hand(proposal, demonstrator)
        after = self._explorer.page
        if proposal.kind in ("visit", "query", "route"):
            self._survey.look(after)
            self._look_around(proposal)
        elif proposal.kind == "lookup":
            self._survey.entities(proposal, demonstrator, lambda: self._explorer.page)
        if why := missed(procedure, Call("ok", "", 0, 0, start, after), procedure.sample):
            raise Undone(f"not successful: {why}")
        self._funnel["succeeded"] += 1
        checked(procedure)
        name = slug(procedure.name, self._functions)
        function = self._functions[name] = Function(name, procedure, number)
        function.evidence[evidence] = None
        function.events.append({"iteration": number, "event": "synthesised"})
        self._funnel["synthesised"] += 1

    def _done_by_hand(self, proposal: Proposal, demonstrator: Demonstrator) -> Procedure:
        """Returns what was done; a page of a kind is reached by a link or a search where there is one."""
        route = next((r for r in self._survey.routes() if proposal.key == ("route", r.address)), None)
        for way in self._ways(route, demonstrator) if route is not None else ():
            try:
                return way()
            except Undone:
                continue
        return proposal.make(demonstrator)

    def _ways(self, route: Route, demonstrator: Demonstrator) -> Iterator[Callable[[], Procedure]]:
        """Yields ways to a page of a kind that a user has: a link in a list of them, or a search for one of many."""
        for start in self._survey.pages:
            yield partial(demonstrator.followed, start, route)
        for start, form in self._survey.searches if not route.parameter.choices else ():
            yield partial(demonstrator.found, start, form, route)

    def _look_around(self, proposal: Proposal) -> None:
        """Looks at some more pages of a kind: what can be done on one may not be on another."""
        route = next((r for r in self._survey.routes() if proposal.key == ("route", r.address)), None)
        for _, path in route.examples[-LOOKS:] if route is not None else ():
            if self._explorer.do("goto", path):
                self._survey.look(self._explorer.page)

    def _test(self, function: Function, number: int) -> None:
        self._funnel["tests"] += 1
        procedure = function.procedure
        given = self._invented(function)
        self._explorer.begin(self._task)
        function.evidence[self._explorer.evidence] = None
        call = self._explorer.call(function.skill(), sent(procedure.inputs, given, values=False))
        function.runs += 1
        why = missed(procedure, call, given) or ("a recovery" if call.heals else "")
        function.events.append({"iteration": number, "event": f"test: {why or 'clean run'}"})
        if not why:
            function.tests += 1
            self._funnel["clean"] += 1
            return
        self._reasons[f"test: {why[:60]}"] += 1
        other = self._edited(function, call, given, why) if len(function.edits) < MAX_EDITS else procedure
        if other is not procedure:
            function.edit(other, f"iteration {number}: {why[:80]}")

    def _edited(self, function: Function, call: Call, given: Mapping[str, Any], why: str) -> Procedure:
        """Returns another version after a run that failed, the same one when nothing suggests one."""
        return edited(function.procedure, call, given)

    def _invented(self, function: Function) -> dict[str, Any]:
        """Returns arguments: those of the attempt at first, then others, and all that are required."""
        procedure = function.procedure
        chosen = [i for i in procedure.inputs if i.required or i.name in procedure.sample]
        first = procedure.sample if not function.runs else {}
        return {i.name: first.get(i.name) or generated(i, self._lesson.seed, function.runs) for i in chosen}

    def _bank(self) -> Bank:
        """Returns the bank: every version with its reason; those with a clean run are shown to agents."""
        bank = Bank()
        knowledge = self._survey.knowledge(self._explorer.ways)
        for function in self._functions.values():
            final = function.skill(knowledge)
            if bank.duplicate_of(final):
                self._reasons["another function does the same"] += 1
                continue
            versions = [*function.edits, (final, "")]
            bank.add(versions[0][0], Why(f"synthesised in iteration {function.born}", final.evidence))
            for (_, reason), (skill, _) in pairwise(versions):
                bank.update(skill, Why(f"edited: {reason}", final.evidence))
            if function.tests:
                why = Why(
                    f"{function.tests} clean runs of {function.runs}", final.evidence, GATE, float(function.tests), 1.0
                )
                bank.promote(function.name, why)
                self._funnel["verified"] += 1
        return bank
