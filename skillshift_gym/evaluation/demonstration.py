"""A person shows how something is done on an embedded site, and that becomes a skill of a bank.

The person works in a Chromium window. What they did goes through the same recorder as an oracle's trajectory, so the program
is the one that an agent's equal deeds would give.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, NamedTuple, cast

import gymnasium

from ..actions import primitive
from ..document import PageFilter
from ..env import SkillShiftEnv
from ..errors import SkillError, UsageError
from ..registration import condition_of, env_id
from ..sites.protocol import Site
from ..skills.bank import Bank
from ..skills.checker import check
from ..skills.events import Why
from ..skills.naming import slug
from ..skills.program import parse
from ..skills.recorder import Recording, Step, kept, record
from ..skills.skill import Evidence, Skill
from ..tasks import registry
from .capture_launch import Look, opened
from .capture_window import Captured
from .survival import Row, called_once

INTERRUPTED, ENTERED = "interrupted", "Enter was pressed"


@dataclass(frozen=True)
class Request:
    """What a person wants to record.

    Attributes:
        site: Site name.
        condition: Condition to record in; none with blockers, which are no part of a skill.
        task: Id of the task that is shown, empty for none.
        goal: What is shown, in words; the task's goal when there is a task.
        start: Path to begin at; the task's start, or `/`, when empty.
        name: Name of the skill, empty to make one.
        look: How the window is shown.
        renames: Name of a parameter -> the name it gets.
        literals: Names of parameters that stay as they were typed.
        parameters: Value -> name of the parameter that it becomes.

    Raises:
        UsageError: Something does not exist or does not fit.
    """

    site: str
    condition: str = "src"
    task: str = ""
    goal: str = ""
    start: str = ""
    name: str = ""
    look: Look = field(default_factory=Look)
    renames: Mapping[str, str] = field(default_factory=dict)
    literals: tuple[str, ...] = ()
    parameters: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        if condition_of(self.condition).shift == "ExecutionShift":
            raise UsageError(
                f"condition {self.condition!r}: a blocker is no part of a skill; expected one without `exec`"
            )
        if self.task and self.goal:
            raise UsageError("expected a task or a goal, got both; a task has its own goal")
        if self.start and not self.start.startswith("/"):
            raise UsageError(f"start: expected a path such as /admin/, got {self.start!r}")
        for name in filter(None, (self.name, *self.renames.values(), *self.parameters.values())):
            if slug(name) != name:
                raise UsageError(
                    f"name: expected a-z, 0-9 and _, and no reserved word, got {name!r}; try {slug(name)!r}"
                )


class Scene(NamedTuple):
    """Where a recording begins.

    Attributes:
        site: The site, at the start of an episode.
        filters: Page filters of the condition.
        start: Path to begin at.
        goal: What is shown, in words.
        kind: Kind of the task.
        facts: What the task is about.
        evidence: Where it is recorded.
    """

    site: Site
    filters: tuple[PageFilter, ...]
    start: str
    goal: str
    kind: str
    facts: Mapping[str, Any]
    evidence: Evidence


def scene_of(request: Request) -> Scene:
    """Returns where a recording begins.

    Raises:
        TaskError: There is no such task of the site.
    """
    env = _env(request)
    base = cast(SkillShiftEnv, env.unwrapped)
    env.reset(seed=0, options={"task": _task(request.site, request.task)})
    task = base.task
    evidence = Evidence(
        task=request.task, site=request.site, condition=request.condition, split=cast(Any, task.split if request.task else "unknown"),
        episode="shown by a person",
    )  # fmt: skip
    filters = tuple(f for shift in base.shifts for f in shift.filters())
    if not request.task:
        return Scene(base.site, filters, request.start or "/", request.goal, "", {}, evidence)
    start = request.start or task.start_path(base.version)
    return Scene(base.site, filters, start, task.goal, task.kind, task.params, evidence)


async def watched(request: Request, scene: Scene, told: Callable[[str], None]) -> Captured:
    """Shows the window until the person ends it, and returns what was captured.

    It ends when the window closes, when Chromium dies, at Ctrl-C, or at Enter in the terminal; what was typed before Enter
    is the answer to the goal.
    """
    async with opened(scene.site, scene.start, scene.filters, look=request.look, told=told) as window:
        with _ended_by_person(window.stop):
            told(
                "ready: close the window or press Enter here to end it (a text before Enter is the answer to the goal)"
            )
            return await window.captured()


@contextlib.contextmanager
def _ended_by_person(stop: Callable[..., None]) -> Iterator[None]:
    loop, typed = asyncio.get_running_loop(), bytearray()

    def on_input() -> None:
        data = os.read(handle, 4096)
        typed.extend(data)
        if b"\n" in typed:
            stop(ENTERED, typed.partition(b"\n")[0].decode("utf-8", "replace").strip())
        if not data or b"\n" in typed:
            loop.remove_reader(handle)

    signals, handle = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP), -1
    try:
        with contextlib.suppress(OSError, ValueError, NotImplementedError):  # no terminal
            loop.add_reader(sys.stdin.fileno(), on_input)
            handle = sys.stdin.fileno()
        with contextlib.suppress(RuntimeError, ValueError, NotImplementedError):  # not the main thread
            for number in signals:
                loop.add_signal_handler(number, stop, INTERRUPTED)
        yield
    finally:
        if handle >= 0:
            loop.remove_reader(handle)
        for number in signals:
            loop.remove_signal_handler(number)


def made(captured: Captured, request: Request, scene: Scene, taken: Mapping[str, Skill]) -> tuple[Recording, list[str]]:
    """Returns the skill of what was captured, and what could not be done as asked.

    Args:
        captured: What was captured.
        request: What the person wants.
        scene: Where it began.
        taken: Names that are taken.

    Raises:
        SkillError: Nothing was captured that a skill could repeat.
    """
    steps = list(captured.steps)
    name = request.name or slug(scene.kind or scene.goal or f"shown on {request.site}", taken)
    own_start = not request.task or request.start
    if own_start and kept(steps):
        steps.insert(0, Step(steps[0].page, primitive("goto", scene.start)))

    def recorded(overrules: Mapping[str, str]) -> Recording:
        return record(
            steps, name, scene.goal or f"shown by a person on {request.site}", goal=scene.goal, facts=scene.facts, last=captured.last,
            evidence=(scene.evidence,), site=request.site, version=condition_of(request.condition).version, overrules=overrules,
        )  # fmt: skip

    first = recorded({})
    if not first.skill.callable:
        raise SkillError(f"nothing was recorded ({captured.reason}); click, type or choose something before the end")
    overrules, problems = _overrules(request, parse(first.skill.program).examples)
    done = recorded(overrules) if overrules else first
    program = parse(done.skill.program)
    problems += [
        f"{value!r} does not occur" for value, own in request.parameters.items() if own not in program.examples
    ]
    answered = any(step.primitive.name == "send_msg_to_user" for step in steps)
    if answered and "say" not in {getattr(s, "verb", "") for s in program.statements}:
        problems.append("the last page does not show the answer, so the skill does not say it")
    problems += [f.message for f in check(program, done.skill.parameters) if f.rule == "too_many_primitives"]
    return done, problems


def _overrules(request: Request, examples: Mapping[str, str]) -> tuple[dict[str, str], list[str]]:
    """Returns value -> name of its parameter, empty for none, and what cannot be done."""
    wanted = {**request.renames, **dict.fromkeys(request.literals, "")}
    found = dict(request.parameters)
    problems = []
    for old, new in wanted.items():
        if old not in examples:
            problems.append(f"there is no parameter {old!r}; there are {', '.join(examples) or 'none'}")
        elif new in examples and new not in wanted:
            problems.append(f"there is a parameter {new!r} already, so {old!r} keeps its name")
        else:
            found[examples[old]] = new
    return found, problems


def stored(recording: Recording, bank: Bank, reason: str) -> Skill:
    """Puts a skill into a bank: a new one, or the next version of the one of its name."""
    skill, why = recording.skill, Why(reason, evidence=recording.skill.evidence)
    return bank.update(skill, why) if skill.name in bank.all else bank.add(skill, why)


def bank_at(path: Path) -> Bank:
    """Returns the bank of a file, an empty one when there is none yet.

    Raises:
        BankError: The file is no bank.
    """
    return Bank.load(path, read_only=False) if path.exists() else Bank()


def checked(skill: Skill, request: Request) -> Row:
    """Returns what a call of a skill comes to in a fresh environment, with the arguments of the recording."""
    bank = Bank()
    bank.add(skill, "to be checked")
    env = _env(request, skills=bank)
    evidence = skill.evidence[0].model_dump() | {"task": _task(request.site, request.task)}
    try:
        return called_once(env, skill.revised(evidence=[evidence]))
    finally:
        env.close()


def _env(request: Request, **kwargs: Any) -> gymnasium.Env[Any, Any]:
    return gymnasium.make(env_id(request.site, request.condition), disable_env_checker=True, **kwargs)


def _task(site: str, task: str) -> str:
    """Returns the task whose episode is used: without one of its own, the first, whose site is the same."""
    return task or registry.task_ids(site)[0]
