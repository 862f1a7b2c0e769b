"""One episode of an agent, judged: the only rollout loop of the evaluation."""

from __future__ import annotations

import signal
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from types import FrameType
from typing import Any, Protocol, cast

import gymnasium

from ..env import SkillShiftEnv
from ..errors import InfrastructureError, UsageError
from ..registration import env_id
from ..tasks.registry import task_of
from .recorder import CallRecorder
from .records import End, TaskRecord

WALL_CEILING = 600.0

# Short names of the agents that come with the package.
AGENTS = {"reference": "skillshift_gym.agents.reference:ReferenceAgent"}


class Agent(Protocol):
    """What the runner needs of an agent; see `skillshift_gym.agents.base`."""

    has_skills: bool

    def reset(self, task: Any, recorder: CallRecorder) -> None:
        """Starts an episode."""
        ...

    def act(self, observation: dict[str, Any]) -> str:
        """Returns the next action."""
        ...


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
    """One episode to run."""

    site: str
    condition: str
    task: str
    agent: str
    agent_kwargs: tuple[tuple[str, Any], ...]
    seed: int
    browser: str
    budget: str | int
    ceiling: float = WALL_CEILING


class EpisodeTimeout(InfrastructureError):
    """The episode hit the wall-clock ceiling: no measurement."""


class AgentFailure(Exception):
    """The agent raised; the episode is a failure of the agent."""


def load_agent(name: str, **kwargs: Any) -> Agent:
    """Returns a new agent.

    Args:
        name: A short name of `AGENTS`, or `module:Attribute`.
        **kwargs: Arguments of its constructor.

    Raises:
        UsageError: There is no such agent.
    """
    path = AGENTS.get(name, name)
    module, separator, attribute = path.partition(":")
    if not separator:
        raise UsageError(f"agent {name!r}: expected one of {', '.join(AGENTS)}, or module:Attribute")
    try:
        factory: Callable[..., Agent] = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise UsageError(f"agent {name!r} cannot be imported: {error}") from None
    return factory(**kwargs)


def run_job(job: Job) -> TaskRecord:
    """Returns the record of one episode; an infrastructure fault becomes a record with status `error`."""
    env = gymnasium.make(
        env_id(job.site, job.condition), browser=job.browser, budget=job.budget, disable_env_checker=True
    )
    try:
        with _ceiling(job.ceiling):
            return _episode(env, job)
    except InfrastructureError as error:
        return _record(cast(SkillShiftEnv, env.unwrapped), job, None, CallRecorder(), Counter(), "error", str(error))
    finally:
        env.close()


def _episode(env: gymnasium.Env[Any, Any], job: Job) -> TaskRecord:
    base = cast(SkillShiftEnv, env.unwrapped)
    observation, info = env.reset(seed=job.seed, options={"task": job.task})
    recorder = CallRecorder()
    errors: Counter[str] = Counter()
    spec = TaskSpec(
        info["uid"], job.site, job.condition, base.task.goal, base.site.origin + base.task.start, info["budget_left"]
    )
    try:
        agent = _guard(load_agent, job.agent, **dict(job.agent_kwargs))
        _guard(agent.reset, spec, recorder)
        over = False
        while not over:
            action = _guard(agent.act, observation)
            observation, _, terminated, truncated, info = env.step(action)
            errors.update([info["error"]] if info["error"] else [])
            over = terminated or truncated
    except AgentFailure as failure:
        return _record(base, job, info, recorder, errors, "agent_error", str(failure))
    end: End = "success" if info["success"] else ("budget" if truncated else "failure")
    reason = next((c["reason"] for c in info["checks"] if not c["ok"]), "")
    skilled = getattr(agent, "has_skills", True)
    return _record(base, job, info, recorder, errors, end, reason, skilled=skilled)


def _guard(function: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
    """Calls the agent; what it raises is its own failure, not the run's."""
    try:
        return function(*args, **kwargs)
    except (InfrastructureError, UsageError):
        raise
    except Exception as error:  # whatever a foreign agent raises costs this episode only
        raise AgentFailure(f"{type(error).__name__}: {error}") from error


def _record(
    env: SkillShiftEnv,
    job: Job,
    info: dict[str, Any] | None,
    recorder: CallRecorder,
    errors: Counter[str],
    end: End,
    reason: str,
    *,
    skilled: bool = True,
) -> TaskRecord:
    task = task_of(job.task)
    version = info["version"] if info else env.version
    return TaskRecord(
        uid=task.uid(version),
        site=job.site,
        condition=job.condition,
        success=end == "success",
        steps=info["steps"] if info else 0,
        skill_calls=len(recorder.calls) if skilled else None,
        skill_failures=recorder.failures if skilled else None,
        task=task.id,
        kind=task.kind,
        checks=task.check_kind,
        split=task.split,
        status="error" if end == "error" else "ok",
        end=end,
        reason=reason[:500],
        primitives=info["primitives"] if info else 0,
        errors=dict(sorted(errors.items())),
        message=info["message"] if info else None,
    )


@contextmanager
def _ceiling(seconds: float) -> Iterator[None]:
    """Raises `EpisodeTimeout` in the block when the wall-clock ceiling is hit (main thread of a POSIX process)."""
    if threading.current_thread() is not threading.main_thread() or not hasattr(signal, "setitimer"):
        yield
        return

    def expire(number: int, frame: FrameType | None) -> None:
        raise EpisodeTimeout(f"the episode hit the wall-clock ceiling of {seconds:g} s")

    previous = signal.signal(signal.SIGALRM, expire)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)
