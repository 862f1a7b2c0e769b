"""SkillWeaver by a chat model: it proposes, judges, writes, invents arguments and edits; what counts as verified is as before.

Source: "SkillWeaver: Web Agents can Self-Improve by Discovering and Honing Skills" and its public code. The model sees pages
and what was done on them, and no goal of a task. What is ours: a function is a line of calls on the page (an `if` only
around what need not be given), targets are found by role and name, and the number of iterations.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from skillshift_gym.agents.induction.episodes import steps_of
from skillshift_gym.agents.induction.exploring import Call, Explorer, start_pages
from skillshift_gym.agents.induction.lesson import Learned, Lesson
from skillshift_gym.agents.induction.procedures import Procedure
from skillshift_gym.agents.induction.site_forms import heading_of
from skillshift_gym.agents.skillweaver import HEALING, STARTS, Curiosity
from skillshift_gym.agents.skillweaver_programs import MAX_STEPS, Function, Unfit, checked
from skillshift_gym.agents.written.attempts import attempted
from skillshift_gym.agents.written.functions import acts_of, judged, refuse, skills_of
from skillshift_gym.agents.written.programs import Made, given_of, inputs_of, source_of
from skillshift_gym.agents.written.prompts import (
    ARGUMENTS,
    EDIT,
    INVENT,
    JUDGE,
    PROGRAM,
    PROPOSE,
    TASKS,
    VERDICT,
    WRITE,
)
from skillshift_gym.agents.written.showing import bare, code_of, page_text, recorded
from skillshift_gym.agents.written.writer import Rejected, Writer, line_of
from skillshift_gym.keyed import keyed
from skillshift_gym.skills.program import Act, Text
from skillshift_gym.skills.recorder import kept
from skillshift_gym.skills.skill import Skill
from skillshift_gym.skills.templates import literal

ITERATIONS = 20  # the paper has 160 a site; each takes up to four requests
TOLD = 40  # tasks and functions that the model is told of, the latest; ours
UNSUCCESSFUL = "attempt: not successful"


def learn(lesson: Lesson, iterations: int = ITERATIONS) -> Learned:
    """Returns the functions that the lesson's inducer writes.

    Args:
        lesson: The lesson.
        iterations: Explorations and tests together.
    """
    with Explorer(lesson, HEALING) as explorer:
        return Writing(lesson, explorer, iterations).learned()


class Writing(Curiosity):
    """Explores and tests in turn, as the model says."""

    def __init__(self, lesson: Lesson, explorer: Explorer, iterations: int) -> None:
        super().__init__(lesson, explorer)
        self.iterations = iterations
        self._writer = Writer(lesson, "skillweaver")
        self._starts: list[str] = []
        self._tasks: list[str] = []  # what was attempted, in words
        self._recorded: dict[str, list[Act]] = {}  # function -> what was done in its attempt

    def learned(self) -> Learned:
        """Returns what comes of the lesson."""
        self._starts = list(start_pages(self._lesson, self._explorer).values())[:STARTS]
        return super().learned()._replace(account=self._writer.account)

    def _explore(self, number: int) -> None:
        self._funnel["explored"] += 1
        try:
            self._try(number)
        except (Rejected, Unfit) as error:
            self._reasons[f"synthesis: {error}" if isinstance(error, Unfit) else str(error)] += 1

    def _try(self, number: int) -> None:
        task = self._starts[keyed("start", self._lesson.seed, number) % len(self._starts)]
        goal = self._proposed(task)
        self._tasks.append(goal)
        self._funnel["attempted"] += 1
        done, said = self._attempted(task, goal)
        if not self._writer.ask(JUDGE, [*said, page_text(self._explorer.page)], VERDICT)["success"]:
            raise Rejected(UNSUCCESSFUL)
        self._funnel["succeeded"] += 1
        procedure = self._read(self._writer.ask(WRITE, [self._known(), *said], PROGRAM), done, ())
        function = self._functions[procedure.name] = Function(procedure.name, procedure, number)
        self._recorded[procedure.name] = done
        function.evidence[self._explorer.evidence] = None
        function.events.append({"iteration": number, "event": "synthesised"})
        self._funnel["synthesised"] += 1

    def _attempted(self, task: str, goal: str) -> tuple[list[Act], list[str]]:
        """Returns what the executor did towards a task of the model's, and the same as it is told."""
        start = self._opened(task)
        episode = attempted(self._explorer, self._lesson.executor(), goal, MAX_STEPS)
        self._survey.look(episode.last)
        done = [recorded(step) for step in kept(steps_of(episode))]
        lines = code_of([start, *bare(done)], "skillweaver")
        answer = [f"Answer: {episode.answer}"] if episode.answer else []
        return done, [f"Task: {goal}", "\n".join(["Trajectory:", *lines]), *answer]

    def _proposed(self, task: str) -> str:
        """Returns the best of the tasks that the model thinks of: the most useful one, of those the shortest."""
        page = self._explorer.begin(task)
        tried = "\n".join(self._tasks[-TOLD:])
        said = [self._known(), f"Tasks that were tried:\n{tried}" if tried else "", page_text(page)]
        found = [t for t in self._writer.ask(PROPOSE, said, TASKS)["tasks"] if line_of(t["task"])]
        fresh = [t for t in found if line_of(t["task"]) not in self._tasks]
        if not fresh:
            raise Rejected("nothing new to propose")
        return line_of(max(fresh, key=lambda t: (t["usefulness"], -t["actions"]))["task"])

    def _known(self) -> str:
        lines = [f"{f.name}: {f.procedure.description}" for f in self._functions.values()]
        return "\n".join(["Known functions:", *lines[-TOLD:]]) if lines else ""

    def _opened(self, task: str) -> Act:
        """Begins at a start page by an address that lasts, and returns the act that opens it."""
        way = self._explorer.way_to(task, self._route_of(task))
        self._explorer.begin(task)
        if way is None or not self._explorer.do("goto", way.address):
            raise Rejected("attempt: no address of the start page lasts")
        return Act("goto", None, (Text(literal(way.address)),))

    def _route_of(self, task: str) -> str:
        self._explorer.begin(task)
        return self._explorer.route

    def _read(self, reply: Mapping[str, Any], done: Sequence[Act], own: Sequence[str]) -> Procedure:
        """Returns the procedure of a function that the model wrote.

        Args:
            reply: The reply: code, and the arguments of the attempt.
            done: What was done in the attempt, as it was recorded.
            own: Names that are free for it although they are taken.
        """
        found = list(skills_of("skillweaver", reply["code"]))
        refuse({"synthesis: not one function": len(found) != 1})
        if isinstance(found[0], Rejected):
            raise Rejected(f"synthesis: {found[0]}")
        skill = found[0]
        acts = acts_of(skill, {p.name for p in skill.parameters if not p.required})
        given = given_of(skill, reply["arguments"])
        refuse({"the name is taken": skill.name in self._functions and skill.name not in own})
        procedure = self._procedure(skill, judged(acts, given, done), given)
        checked(procedure)
        return procedure

    def _procedure(self, skill: Skill, acts: tuple[Act, ...], given: Mapping[str, str]) -> Procedure:
        page = self._explorer.page
        made = Made(skill.name, skill.description, inputs_of(skill))
        return made.procedure(acts, given, self._explorer.route, heading_of(page))

    def _test(self, function: Function, number: int) -> None:
        before = function.runs
        try:
            super()._test(function, number)
        except (Rejected, Unfit) as error:
            function.runs = before + 1
            self._reasons[f"test: {error}"] += 1

    def _invented(self, function: Function) -> dict[str, Any]:
        """Returns arguments that the model thinks of, for the page that a call begins on."""
        page = self._explorer.begin(self._task)
        skill = function.skill()
        reply = self._writer.ask(INVENT, [source_of(skill), page_text(page)], ARGUMENTS)
        return dict(given_of(skill, reply["arguments"]))

    def _edited(self, function: Function, call: Call, given: Mapping[str, Any], why: str) -> Procedure:
        """Returns the version that the model writes after a run that failed."""
        failed = f"Arguments: {dict(given)}\nWhat went wrong: {why}" + (f": {call.detail}" if call.detail else "")
        said = [source_of(function.skill()), failed, page_text(call.after)]
        reply = self._writer.ask(EDIT, said, PROGRAM)
        return self._read(reply, self._recorded[function.name], (function.name,))
