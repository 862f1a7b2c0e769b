"""One episode of an agent, judged: the only rollout loop of the evaluation."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

import gymnasium

from ..env import SkillShiftEnv
from ..errors import InfrastructureError, SkillShiftError, UsageError
from ..registration import CONDITIONS, env_id
from ..tasks.family import Task
from ..tasks.registry import task_of
from ..wrappers.record import RecordTrajectory
from . import banks, trajectories
from .ceiling import Expired, ceiling, expired
from .loading import load_agent
from .recorder import CallRecorder
from .records import End, TaskRecord

WALL_CEILING = 600.0


@dataclass(frozen=True)
class TaskSpec:
    """What an agent is told of its task.

    Attributes:
        uid: Task id in the published form.
        site: Site name.
        condition: Condition name.
        goal: What the user asks for.
        start_url: Address the episode starts at.
        max_steps: Actions allowed.
    """

    uid: str
    site: str
    condition: str
    goal: str
    start_url: str
    max_steps: int


@dataclass(frozen=True)
class Job:
    """One episode to run; its trajectory is written to the folder `record`, if one is named.

    The bank is frozen: a file with another hash than `bank_hash` is refused. `healing` is how its skills find targets.
    """

    site: str
    condition: str
    task: str
    agent: str
    agent_kwargs: tuple[tuple[str, Any], ...]
    seed: int
    browser: str
    budget: str | int
    ceiling: float = WALL_CEILING
    record: str = ""
    bank: str = ""
    bank_hash: str = ""
    healing: tuple[tuple[str, Any], ...] = ()


class AgentFailure(Exception):
    """The agent raised; the episode is a failure of the agent."""


def run_job(job: Job) -> TaskRecord:
    """Returns the record of one episode.

    What the agent does wrong is a failed episode. What goes wrong elsewhere (a fault of the machinery, the wall-clock
    ceiling) is no measurement: a record with status `error`.

    Raises:
        UsageError: An argument of the run is wrong.
        SkillShiftError: The site or task cannot be had.
    """
    env: gymnasium.Env[Any, Any] = gymnasium.make(
        env_id(job.site, job.condition), browser=job.browser, budget=job.budget, disable_env_checker=True,
        skills=banks.frozen(job.bank, job.bank_hash) if job.bank else None, healing=dict(job.healing),
    )  # fmt: skip
    if job.record:
        env = RecordTrajectory(env, job.record, name=trajectories.NAME)
    try:
        with ceiling(job.ceiling):
            return _episode(env, job, time.monotonic() + job.ceiling)
    except InfrastructureError as error:
        return lost(job, str(error))
    except SkillShiftError:
        raise
    except Exception as error:  # noqa: BLE001  one episode must not cost the run
        return lost(job, f"internal error: {type(error).__name__}: {_said(error)}")
    finally:
        env.close()


def lost(job: Job, reason: str) -> TaskRecord:
    """Returns the record of an episode that was not measured."""
    task = task_of(job.task)
    return TaskRecord(
        uid=task.uid(CONDITIONS[job.condition].version),
        site=job.site,
        condition=job.condition,
        success=False,
        steps=0,
        skill_calls=0,
        skill_failures=0,
        task=task.id,
        kind=task.kind,
        checks=task.check_kind,
        split=task.split,
        status="error",
        end="error",
        reason=_text(reason)[:500],
    )


def task_spec(env: gymnasium.Env[Any, Any], info: dict[str, Any]) -> TaskSpec:
    """Returns what an agent is told of the episode that `reset` has begun.

    Args:
        env: The stack around a `SkillShiftEnv`.
        info: What its `reset` returned.
    """
    base = cast(SkillShiftEnv, env.unwrapped)
    start = base.site.origin + base.task.start_path(info["version"])
    return TaskSpec(info["uid"], info["site"], info["condition"], base.task.goal, start, info["budget_left"])


def _episode(env: gymnasium.Env[Any, Any], job: Job, deadline: float) -> TaskRecord:
    base = cast(SkillShiftEnv, env.unwrapped)
    observation, info = env.reset(seed=job.seed, options={"task": job.task})
    recorder = CallRecorder()
    errors: Counter[str] = Counter()
    calls: list[dict[str, Any]] = []
    agent: Any = None
    skilled = True
    spec = task_spec(env, info)
    try:
        agent = _guard(load_agent, job.agent, usage=True, **banks.agent_arguments(job))
        banks.connect(agent, env, job)
        skilled = _guard(lambda: bool(getattr(agent, "has_skills", True)))
        _guard(lambda: agent.reset(spec, recorder))
        over = False
        while not over:
            action = _guard(lambda seen: _plain(agent.act(seen)), observation)
            if time.monotonic() > deadline:
                raise expired(job.ceiling)
            observation, _, terminated, truncated, info = env.step(action)
            errors.update([info["error"]] if info["error"] else [])
            calls += [info["skill"]] if info["skill"] else []
            over = terminated or truncated
    except AgentFailure as failure:
        end: End = "agent_error"
        reason = str(failure)
    else:
        end = "success" if info["success"] else ("budget" if truncated else "failure")
        reason = next((c["reason"] for c in info["checks"] if not c["ok"]), "")
    banks.check_hash(info["bank"], job)
    if job.record:
        trajectories.write_log(Path(job.record), job.task, job.condition, getattr(agent, "log", ()))
    fields = {**calls_of(recorder, info["skill_calls"], skilled), **banks.facts(agent, calls, job)}
    return _measured(job, base.task, info, fields, errors, end, reason)


def _measured(
    job: Job,
    task: Task,
    info: dict[str, Any],
    fields: dict[str, Any],
    errors: Counter[str],
    end: End,
    reason: str,
) -> TaskRecord:
    """Returns the record of an episode, from the `info` of its last step; `fields` are those about agent and skills."""
    return TaskRecord(
        uid=info["uid"],
        site=job.site,
        condition=job.condition,
        success=end == "success",
        steps=info["steps"],
        **fields,
        task=info["task"],
        kind=task.kind,
        checks=task.check_kind,
        split=info["split"],
        end=end,
        reason=_text(reason)[:500],
        primitives=info["primitives"],
        gotos=info["gotos"],
        shifts=info["shifts"],
        errors=dict(sorted(errors.items())),
        message=None if info["message"] is None else _text(info["message"]),
    )


def calls_of(recorder: CallRecorder, made: Sequence[Sequence[str]], skilled: bool) -> dict[str, Any]:
    """Returns the fields of a record about skill calls: those that the agent reports, and those the environment ran.

    Args:
        recorder: The agent's recorder.
        made: (name, observed code, true code) of each call that the environment ran.
        skilled: Whether the method has executable skills.
    """
    if not skilled and not made:
        return {"skill_calls": None, "skill_failures": None}
    observed, true = (Counter(call[place] for call in made) for place in (1, 2))
    return {
        "skill_calls": len(recorder.calls) + len(made),
        "skill_failures": recorder.failures + len(made) - observed["ok"],
        "skill_failures_true": recorder.failures + len(made) - true["ok"],
        "codes": dict(sorted(observed.items())),
        "codes_true": dict(sorted(true.items())),
    }


def _guard(function: Callable[..., Any], *args: Any, usage: bool = False, **kwargs: Any) -> Any:
    """Calls the agent; whatever it raises is its own failure, not the run's.

    An `InfrastructureError` (its model's service is down) is no measurement; a `UsageError` is one of the run where
    `usage` says so.
    """
    try:
        return function(*args, **kwargs)
    except (InfrastructureError, Expired, KeyboardInterrupt):
        raise
    except BaseException as error:  # SystemExit, a cancelled task, a panic of an extension: this episode only
        if usage and isinstance(error, UsageError):
            raise
        raise AgentFailure(f"{type(error).__name__}: {_said(error)}") from error


def _plain(action: object) -> object:
    """Returns an action as a plain string; anything else is left to the environment, which says what it expected."""
    if isinstance(action, str):
        return str.__str__(action)
    repr(action)
    return action


def _said(error: BaseException) -> str:
    try:
        return str(error)
    except Exception:  # noqa: BLE001  a foreign exception may do anything here
        return "(its text cannot be read)"


def _text(value: str) -> str:
    """Returns the text without lone surrogates, which no file can hold."""
    return value.encode("utf-8", "replace").decode()
