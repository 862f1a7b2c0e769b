"""Verification: every task is solvable, and nothing but the intended solution passes.

For each bench task and version: the oracle succeeds within its budget; idling fails; and each near-miss fails: the
deciding step dropped, one value of the goal altered, one extra business write made before the deciding step.
"""

from __future__ import annotations

import multiprocessing
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor
from importlib import import_module
from typing import Any, NamedTuple, cast

import gymnasium

from ..env import SkillShiftEnv
from ..errors import TaskError
from ..registration import env_id
from ..sites.protocol import Request
from ..tasks import registry
from ..tasks.oracle import Step, resolve

_CHUNK = 10
RUNS = ("oracle", "idle", "dropped step", "altered value", "extra write")


class Finding(NamedTuple):
    """One run of a task.

    Attributes:
        task: Task id.
        condition: Condition name.
        run: One of `RUNS`.
        expected: Whether the run should succeed.
        success: Whether it did.
        steps: Actions taken.
        reason: Why it failed, or what went wrong.
        played: Whether the plan could be carried out to its end; a near-miss that could not proves nothing.
    """

    task: str
    condition: str
    run: str
    expected: bool
    success: bool
    steps: int
    reason: str
    played: bool

    @property
    def ok(self) -> bool:
        """Whether the run was played and ended as it should."""
        return self.played and self.expected == self.success


class Chunk(NamedTuple):
    """Some tasks of one condition, for one process."""

    site: str
    condition: str
    browser: str
    tasks: tuple[str, ...]


def verify(
    site: str, conditions: Sequence[str], tasks: Iterable[str] = (), browser: str = "dom", workers: int = 0
) -> list[Finding]:
    """Returns the findings of all runs, by condition and task.

    Args:
        site: Site name.
        conditions: Conditions to run in.
        tasks: Task ids; all bench tasks of the site when empty.
        browser: Browser name.
        workers: Parallel processes; 0 runs in this one.
    """
    chosen = tuple(tasks) or registry.task_ids(site)
    chunks = [
        Chunk(site, condition, browser, chosen[start : start + _CHUNK])
        for condition in conditions
        for start in range(0, len(chosen), _CHUNK)
    ]
    if not workers:
        return [finding for chunk in chunks for finding in verify_chunk(chunk)]
    with ProcessPoolExecutor(workers, multiprocessing.get_context("spawn")) as pool:
        return [finding for found in pool.map(verify_chunk, chunks) for finding in found]


def verify_chunk(chunk: Chunk) -> list[Finding]:
    """Returns the findings of some tasks in one condition."""
    env = gymnasium.make(env_id(chunk.site, chunk.condition), browser=chunk.browser, disable_env_checker=True)
    try:
        return [finding for task in chunk.tasks for finding in verify_task(env, chunk.condition, task)]
    finally:
        env.close()


def verify_task(env: gymnasium.Env[Any, Any], condition: str, task_id: str) -> list[Finding]:
    """Returns the findings of one task in one condition."""
    base = cast(SkillShiftEnv, env.unwrapped)
    family, number = registry.family_of(task_id)
    params = family.instances[number].params
    steps = family.oracle(params, base.version)
    answers = any(c.kind == "answer" for c in registry.task_of(task_id).checks)
    findings = []

    def play(run: str, plan: Sequence[Step], *, expected: bool = False, vandal: int | None = None) -> None:
        findings.append(Finding(task_id, condition, run, expected, *_play(env, task_id, plan, vandal)))

    play("oracle", steps, expected=True)
    play("idle", [])
    deciding = len(steps) - (1 if answers else 2)
    play("dropped step", [s for i, s in enumerate(steps) if i != deciding])
    altered = family.altered(number)
    if altered is not None:
        play("altered value", family.oracle(altered, base.version))
    play("extra write", steps, vandal=deciding)
    return findings


def play_oracle(env: gymnasium.Env[Any, Any], task_id: str) -> tuple[bool, int]:
    """Returns whether a task's oracle succeeds in an environment, and after how many actions.

    Args:
        env: The stack around a `SkillShiftEnv`.
        task_id: The task.
    """
    family, number = registry.family_of(task_id)
    plan = family.oracle(family.instances[number].params, cast(SkillShiftEnv, env.unwrapped).version)
    success, steps, _, _ = _play(env, task_id, plan, None)
    return success, steps


def table(findings: Sequence[Finding]) -> str:
    """Returns the counts of the findings as a Markdown table: runs that ended as they should, of all."""
    conditions = list(dict.fromkeys(f.condition for f in findings))
    lines = ["| condition | " + " | ".join(_TITLES[r] for r in RUNS) + " |", "|---" * (len(RUNS) + 1) + "|"]
    counts = Counter((f.condition, f.run, f.ok) for f in findings)
    for condition in conditions:
        cells = [
            f"{counts[condition, run, True]}/{counts[condition, run, True] + counts[condition, run, False]}"
            for run in RUNS
        ]
        lines.append(f"| {condition} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


_TITLES = {
    "oracle": "oracle solves",
    "idle": "idle run rejected",
    "dropped step": "dropped step rejected",
    "altered value": "altered value rejected",
    "extra write": "extra write rejected",
}


def _play(
    env: gymnasium.Env[Any, Any], task_id: str, plan: Sequence[Step], vandal: int | None
) -> tuple[bool, int, str, bool]:
    """Returns success, actions taken, the reason of failure, and whether the plan was played to the episode's end.

    Args:
        env: The environment.
        task_id: The task.
        plan: The steps.
        vandal: Number of the step that an extra write precedes, if any.
    """
    base = cast(SkillShiftEnv, env.unwrapped)
    env.reset(seed=0, options={"task": task_id})
    idle = [Step("noop")] * base.task.budget  # after its plan, a run waits until its budget is used up
    for number, step in enumerate([*plan, *idle]):
        if number == vandal:
            _extra_write(base)
        try:
            for action in actions_of(base, step):
                _, _, terminated, truncated, info = env.step(action)
                if terminated or truncated:
                    reason = next((c["reason"] for c in info["checks"] if not c["ok"]), "")
                    return info["success"], info["steps"], reason, True
                if info["error"]:
                    return False, info["steps"], f"{action}: {info['error']}", False
        except TaskError as error:
            return False, number, str(error), False
    raise AssertionError("an episode outlived its budget")


def actions_of(env: SkillShiftEnv, step: Step) -> Iterator[str]:
    """Yields the actions of a step: first those that clear what blocks its target."""
    while step.role and (clearing := env.clearing()):
        yield clearing
    yield resolve(step, env.page)


def _extra_write(env: SkillShiftEnv) -> None:
    """Writes something to the site that no task asks for, through the site's own form."""
    request: Request = import_module(registry.MODULES[env.task.site]).extra_write(env.task, env.site)
    before = env.site.revision
    env.site.request(request)
    if env.site.revision == before:
        raise TaskError(f"the extra write of {env.task.site} changed nothing: {request.url}")
