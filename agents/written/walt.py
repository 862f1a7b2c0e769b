"""WALT by a chat model: it lists functions, builds tools of demonstrations, invents inputs and revises; what is accepted is as before.

Source: "WALT: Web Agents that Learn Tools" and its public code. The model sees pages and what was done on them, and no goal
of a task. What is ours: it lists from the pages of a walk over links and forms, the lesson's executor demonstrates with the
description as its goal, and a tool has the five kinds of steps that demonstrations are made of.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from skillshift_gym.agents.induction.affordances import family, leaves
from skillshift_gym.agents.induction.demonstrating import Demonstrator
from skillshift_gym.agents.induction.doing import Undone
from skillshift_gym.agents.induction.episodes import steps_of
from skillshift_gym.agents.induction.exploring import Call, Explorer
from skillshift_gym.agents.induction.lesson import Learned, Lesson
from skillshift_gym.agents.induction.procedures import Procedure, missed, same_answer
from skillshift_gym.agents.induction.site_forms import heading_of
from skillshift_gym.agents.induction.survey import Proposal
from skillshift_gym.agents.walt import HEALING, School
from skillshift_gym.agents.walt_tools import ROUNDS, Tested, stored
from skillshift_gym.agents.written.attempts import attempted
from skillshift_gym.agents.written.prompts import BUILD, FOUND, LIST, REVISE, TOOL
from skillshift_gym.agents.written.showing import bare, page_text, recorded
from skillshift_gym.agents.written.tools import addressed, shown_steps, tool_of
from skillshift_gym.agents.written.writer import Rejected, Writer, line_of
from skillshift_gym.skills.naming import slug
from skillshift_gym.skills.program import Act, Text
from skillshift_gym.skills.recorder import kept
from skillshift_gym.skills.skill import Skill
from skillshift_gym.skills.templates import literal

PAGES = 8  # kinds of pages that the model lists functions of; ours
CANDIDATES = 24  # functions that are demonstrated; ours, the published lists have 10 to 30 a site
STEPS = 30  # of a demonstration (paper)


def learn(lesson: Lesson, pages: int = PAGES, candidates: int = CANDIDATES) -> Learned:
    """Returns the tools that the lesson's inducer writes.

    Args:
        lesson: The lesson.
        pages: Kinds of pages that the model lists functions of.
        candidates: Functions that are demonstrated.
    """
    with Explorer(lesson, HEALING) as explorer:
        return Writing(lesson, explorer, pages, candidates).learned()


class Writing(School):
    """Lists, demonstrates, builds and tests, as the model says."""

    def __init__(self, lesson: Lesson, explorer: Explorer, pages: int, candidates: int) -> None:
        super().__init__(lesson, explorer)
        self._writer = Writer(lesson, "walt")
        self._pages, self._most = pages, candidates

    def learned(self) -> Learned:
        """Returns what comes of the lesson."""
        return super().learned()._replace(account=self._writer.account)

    def _candidates(self) -> Iterator[Proposal]:
        """Yields the functions that the model lists, page by page; those that would end the session are left out."""
        kinds = {family(route.partition("?")[0]): route for route in reversed(self._survey.pages)}
        routes = [r for r in self._survey.pages if r in kinds.values()][: self._pages]
        listed: dict[str, str] = {}
        task = self._explorer.task
        for route in routes:
            for name, about in self._listed(task, route, listed):
                if leaves(f"{name} {about}"):
                    self._reasons["would end the session"] += 1
                elif name not in listed and len(listed) < self._most:
                    listed[name] = about
                    yield Proposal("written", about, ("written", name), partial(self._demonstrated, name, about, route))

    def _listed(self, task: str, route: str, listed: Mapping[str, str]) -> list[tuple[str, str]]:
        """Returns names and descriptions of the functions that the model sees on a page."""
        self._explorer.begin(task)
        self._explorer.do("goto", route)
        known = "\n".join(f"{name}: {about}" for name, about in listed.items())
        said = [f"Known functions:\n{known}" if known else "", page_text(self._explorer.page)]
        try:
            found = self._writer.ask(LIST, said, FOUND)["functions"]
        except Rejected as rejected:
            self._reasons[f"not listed: {rejected}"] += 1
            return []
        return [(slug(f["name"]), line_of(f["description"])) for f in found if line_of(f["description"])]

    def _demonstrated(self, name: str, about: str, route: str, demonstrator: Demonstrator) -> Procedure:
        """Returns what the executor did with a description as its goal."""
        task = self._explorer.task
        way = self._explorer.way_to(task, route)
        self._explorer.begin(task)
        if way is None or not self._explorer.do("goto", way.address):
            raise Undone("no address of the page lasts")
        episode = attempted(self._explorer, self._lesson.executor(), about, STEPS)
        steps = kept(steps_of(episode))
        if not steps:
            raise Undone("nothing was done")
        start = Act("goto", None, (Text(literal(way.address)),))
        acts = (start, *(recorded(step, stored) for step in steps))
        return Procedure(
            "written", name, (about,), (), acts, "", {}, self._explorer.route, heading_of(self._explorer.page)
        )

    def _tested(self, procedure: Procedure, name: str, task: str) -> Tested:
        """Returns the tool that the model builds of a demonstration, after at most five rounds of test and revision."""
        made = [f"Function: {procedure.description}", f"Trajectory:\n{shown_steps(bare(procedure.acts))}"]
        log: list[str] = []
        called, skill, reason = 0, None, ""
        page = page_text(self._explorer.page)
        for number in range(ROUNDS):
            try:
                reply = self._writer.ask(REVISE if log else BUILD, [*made, *log, page], TOOL)
            except Rejected as rejected:
                return Tested(skill, 0, called, number, str(rejected))
            try:
                skill, given = tool_of(reply, name, procedure.acts, self._evidence(task))
            except Rejected as rejected:
                reason = str(rejected)
                log.append(f"Test {number + 1}: no tool: {reason}")
                continue
            call = self._called(skill, given, task)
            called += call.code == "ok"
            reason = missed(procedure, call, given)
            if not reason:
                return self._shorter(Tested(skill, 1, called, number + 1, "", call.after, given), task)
            log.append(
                f"Test {number + 1}:\n{shown_steps(skill)}\nArguments: {given}\nWhat went wrong: {reason} {call.detail}".rstrip()
            )
            page = page_text(call.after)
        return Tested(skill, 0, called, ROUNDS, reason)

    def _evidence(self, task: str) -> Sequence[Any]:
        self._explorer.begin(task)
        return (self._explorer.evidence,)

    def _called(self, skill: Skill, given: Mapping[str, Any], task: str) -> Call:
        self._explorer.begin(task)
        return self._explorer.call(skill, given)

    def _shorter(self, tested: Tested, task: str) -> Tested:
        """Returns the tool by the address of the page that it came to, when that gives the same page."""
        assert tested.skill is not None and tested.page is not None, "a tool that passed its test ended on a page"
        direct = addressed(tested.skill, tested.page, tested.given)
        if direct is None:
            return tested
        call = self._called(direct, tested.given, task)
        same = call.code == "ok" and same_answer(tested.page, call.after)
        return tested._replace(skill=direct, page=call.after, by_address=True) if same else tested
