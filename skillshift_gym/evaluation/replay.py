"""Replays trajectories: the recorded actions in a fresh environment must give the recorded steps."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import gymnasium
from gymnasium.envs.registration import EnvSpec, WrapperSpec

from ..errors import InfrastructureError, UsageError
from ..registration import ENTRY_POINT
from ..wrappers.tape import Tape
from ..wrappers.trajectory import SUFFIX, Observed, Step, Trajectory, parse, read
from . import pool
from .trajectories import recorded

_LIMIT = 600.0  # seconds an episode may take
_OWN_WRAPPERS = "skillshift_gym.wrappers."
_RECORDER = "skillshift_gym.wrappers.record:RecordTrajectory"
_EXCERPT = 60


class Replayed(NamedTuple):
    """What the replay of one episode came to.

    Attributes:
        name: Name of the episode: its file's, or its task and condition.
        steps: Steps that were the same.
        difference: The first difference, empty without one.
    """

    name: str
    steps: int
    difference: str


def replay_run(
    run: Path, tasks: Sequence[str] = (), conditions: Sequence[str] = (), workers: int | None = None
) -> Iterator[Replayed]:
    """Yields the replay of every recorded episode of a run, in the order they are done.

    Args:
        run: Folder of the run.
        tasks: Task ids; all when empty.
        conditions: Condition names; all when empty.
        workers: Parallel processes; one per core by default. 0 replays in this process.

    Raises:
        UsageError: The run was not recorded.
    """
    paths = [episode.path for episode in recorded(run, tasks, conditions)]
    count = (os.cpu_count() or 1) if workers is None else workers
    if count <= 0:
        yield from map(_attempt, paths)
    else:
        yield from pool.run_all(_attempt, paths, workers=count, limit=lambda _: _LIMIT, lost=_lost)


def replay_file(path: Path) -> Replayed:
    """Returns the replay of the episode in a file.

    Raises:
        UsageError: It holds none, or one that cannot be replayed.
    """
    return replay(read(path))


def replay(trajectory: Trajectory, env: gymnasium.Env[Any, Any] | None = None) -> Replayed:
    """Returns the replay of an episode.

    Args:
        trajectory: The episode.
        env: The environment to replay it in; by default one is made from the recorded spec.

    Raises:
        UsageError: The trajectory has no spec, or one of other environments or wrappers than this package's.
    """
    start = trajectory.start
    name = f"{start.task} {start.condition}"
    own = env if env is not None else make(trajectory)
    try:
        for moment, (expected, got, texts) in enumerate(_pairs(trajectory, own)):
            if difference := _difference(expected, got, trajectory, texts):
                where = f"step {moment}, {_action(expected)}" if isinstance(expected, Step) else "the start"
                return Replayed(name, max(0, moment - 1), f"{where}: {difference}")
    except InfrastructureError as error:
        return Replayed(name, 0, f"no replay: {error}")
    finally:
        if env is None:
            own.close()
    return Replayed(name, len(trajectory.steps), "")


def make(trajectory: Trajectory) -> gymnasium.Env[Any, Any]:
    """Returns the environment an episode was recorded in, without its recorder.

    Raises:
        UsageError: As `spec_of` does.
    """
    env: gymnasium.Env[Any, Any] = gymnasium.make(spec_of(trajectory))
    return env


def spec_of(trajectory: Trajectory) -> EnvSpec:
    """Returns the spec of the environment an episode was recorded in, without its recorder.

    A file's spec names what is to be imported, so only this package's environment and wrappers are made.

    Raises:
        UsageError: There is no spec, or it names something else.
    """
    spec = trajectory.start.spec
    name = f"{trajectory.start.task} {trajectory.start.condition}"
    if spec is None:
        raise UsageError(f"{name}: its environment had no JSON spec; call replay(trajectory, env=...) with one like it")
    wrappers = [w for w in spec.get("additional_wrappers", []) if w.get("entry_point") != _RECORDER]
    foreign = [w["entry_point"] for w in wrappers if not str(w["entry_point"]).startswith(_OWN_WRAPPERS)]
    foreign += [spec.get("entry_point")] if spec.get("entry_point") != ENTRY_POINT else []
    if foreign or spec.get("vector_entry_point"):
        raise UsageError(
            f"{name}: recorded with {foreign[:1] or spec}, which is not of this package and is not imported on a file's "
            "word; call replay(trajectory, env=...) with an environment of your own"
        )
    return EnvSpec(**{**spec, "additional_wrappers": tuple(WrapperSpec(**w) for w in wrappers)})


def _pairs(trajectory: Trajectory, env: gymnasium.Env[Any, Any]) -> Iterable[tuple[Observed, Observed, Any]]:
    """Yields what was seen then, what is seen now, and the texts of now."""
    start = trajectory.start
    tape, head = Tape(start.fields), json.dumps(start.model_dump())
    observation, info = env.reset(seed=start.seed, options=start.options)
    about = {name: getattr(start, name) for name in ("package", "env", "spec", "goal")}
    tape.start(observation, info, **about)
    now = parse(tape.lines())
    yield start, now.start, now
    for step in trajectory.steps:
        if isinstance(step.action, dict):
            raise UsageError(f"{start.task} {start.condition}: the action {_action(step)} cannot be replayed")
        observation, reward, terminated, truncated, info = env.step(step.action)
        tape.clear()
        tape.step(step.action, observation, reward, (terminated, truncated), info)
        now = parse([head, *tape.lines()])
        yield step, now.steps[0], now


def _difference(expected: Observed, got: Observed, then: Trajectory, now: Trajectory) -> str:
    """Returns the first difference in words: of the outcome, then of the observation, then of the info."""
    if isinstance(expected, Step) and isinstance(got, Step):
        for name in ("reward", "terminated", "truncated"):
            if getattr(expected, name) != getattr(got, name):
                return _said(name, getattr(expected, name), getattr(got, name))
    for key in ("error", "blocked_by"):
        if expected.info.get(key) != got.info.get(key):
            return _said(key, expected.info.get(key), got.info.get(key))
    # What was recorded in full says most; the last action is known.
    hidden = {field: field not in then.start.fields or field == "last_action" for field in expected.digests}
    for field in sorted({**expected.digests, **got.digests}, key=lambda name: hidden.get(name, True)):
        if expected.digests.get(field) != got.digests.get(field):
            return _field(field, expected, got, then, now)
    for key in dict.fromkeys([*expected.info, *got.info]):
        if expected.info.get(key) != got.info.get(key):
            return _said(f"info {key!r}", expected.info.get(key), got.info.get(key))
    return ""


def _field(field: str, expected: Observed, got: Observed, then: Trajectory, now: Trajectory) -> str:
    if field not in then.start.fields:
        return f"observation field {field!r} (only its digest was recorded)"
    pair = [
        seen.values.get(field, texts.get(seen.digests.get(field, "")))
        for seen, texts in ((expected, then.texts), (got, now.texts))
    ]
    return _said(f"observation field {field!r}", *pair)


def _said(what: str, expected: Any, got: Any) -> str:
    """Returns two values in words; of long texts, where they part."""
    first, second = str(expected), str(got)
    at = next((i for i, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), min(len(first), len(second)))
    begin = max(0, at - _EXCERPT // 2) if max(len(first), len(second)) > _EXCERPT else 0
    place = f" at character {at}" if begin else ""
    return f"{what}: expected {first[begin : begin + _EXCERPT]!r}, got {second[begin : begin + _EXCERPT]!r}{place}"


def _action(step: Step) -> str:
    text = step.action if isinstance(step.action, str) else repr(step.action)
    return text if len(text) <= _EXCERPT else text[:_EXCERPT] + "…"


def _attempt(path: Path) -> Replayed:
    """Returns the replay of a file; one that cannot be replayed costs that episode only."""
    try:
        return replay_file(path)
    except UsageError as error:
        return _lost(path, str(error))


def _lost(path: Path, why: str) -> Replayed:
    return Replayed(path.name.removesuffix(SUFFIX), 0, f"no replay: {why}")
