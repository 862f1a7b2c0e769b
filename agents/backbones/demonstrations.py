"""Demonstrations for the ranker: what the oracles do, in the RL view, and where a skill does it better."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from skillshift_gym.agents.backbones.ranker import Floats
from skillshift_gym.candidates import SKILL
from skillshift_gym.env import SkillShiftEnv
from skillshift_gym.features import FEATURES
from skillshift_gym.snapshot import restore, snapshot
from skillshift_gym.tasks import registry
from skillshift_gym.tasks.oracle import resolve
from skillshift_gym.wrappers.candidates import CandidateActions


def demonstrate(env: CandidateActions, task: str) -> Iterator[tuple[dict[str, NDArray[Any]], int]]:
    """Yields observations of the RL view and the index of what the oracle does; ends early at what no candidate does.

    Where a call of a skill solves the task at once, that is what should be done. The oracle knows the site; where it unfolds a part whose name says nothing, the parts before it are unfolded first.

    Args:
        env: The RL view of the task's site.
        task: Task id, not of the benchmark.
    """
    base = cast(SkillShiftEnv, env.unwrapped)
    observation, info = env.reset(seed=0, options={"task": task})
    family, number = registry.family_of(task)
    steps = list(family.oracle(family.instances[number].params, base.version))
    over = False
    while not over and steps:
        clearing = base.clearing() if steps[0].role else ""
        action = clearing or resolve(steps[0], base.page)
        if not clearing and (solving := _solving_call(env)) is not None:
            yield observation, solving
            return
        if action not in info["candidates"]:
            return
        index = info["candidates"].index(action)
        taken = index if clearing else _unknowing(observation["candidates"], index)
        if taken == index and not clearing:
            steps.pop(0)
        yield observation, taken
        observation, _, terminated, truncated, info = env.step(taken)
        over = terminated or truncated


def _solving_call(env: CandidateActions) -> int | None:
    """Returns the index of the first skill call that solves the task from here, None without one; nothing is changed."""
    calls = [i for i, candidate in enumerate(env.shown) if candidate.primitive == SKILL]
    before = snapshot(env) if calls else None
    for index in calls:
        assert before is not None
        _, _, _, _, info = env.step(index)
        restore(env, before)
        if info["success"]:
            return index
    return None


def _unknowing(features: Floats, index: int) -> int:
    """Returns what one does who does not know the site as the oracle does: unfolds parts that say nothing in order."""
    names = list(FEATURES)
    topic, tried = (features[:, names.index(name)] for name in ("topic_part", "tried"))
    for name in ("unfold_menu", "unfold_part"):
        unfolds = features[:, names.index(name)]
        if unfolds[index] and not topic[index]:
            return int(np.argmax(np.where(tried, 0.0, unfolds)))
    return index
