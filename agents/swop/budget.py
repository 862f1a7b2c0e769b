"""The variation budget estimated from data, and why such an estimate is too high.

The exact budget is `Nonstationary.variation`, from the generator. "SkillShift-Bench", section 4.1, speaks of a "measured
variation budget"; of real sites one has only data, and the obvious estimate counts sampling noise as variation.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from skillshift_gym.agents.swop.memory import History, Windows
from skillshift_gym.agents.swop.rollout import drawn, rollout, width
from skillshift_gym.errors import UsageError
from skillshift_gym.tabular.model import Floats, Ints, Nonstationary


def played(world: Nonstationary, policy: Floats, seed: int) -> History:
    """Returns the history of a learner that plays one policy all the time.

    Args:
        world: The world.
        policy: (H, S, A).
        seed: Seed of what is drawn.
    """
    horizon = world.shape[0]
    history = History(1, world.episodes, world.shape)
    draws = np.random.default_rng([4, seed]).random((world.episodes, 1, width(horizon) + 1))
    for k, row in enumerate(draws):
        start = drawn(world.start[None], row[:, -1])
        history.append(*rollout(policy[None], world.reward(k)[None], world.transition(k)[None], start, row))
    return history


class PlugIn(NamedTuple):
    """An estimate of the variation budget.

    Attributes:
        estimate: Sum over blocks of the largest differences between neighbouring blocks' averages.
        noise: The mean of the same sum over shuffled episodes, in which nothing drifts: what chance alone makes of it.
    """

    estimate: float
    noise: float


def plug_in(history: History, block: int, *, transitions: bool = True, shuffles: int = 4, seed: int = 0) -> PlugIn:
    """Returns the plug-in estimate of V_K from the first learner's history, with the noise that is in it.

    Averages e^ of neighbouring blocks are put into the definition of the budget: sum_b sum_h max_{s,a}
    (|r^_{b+1} - r^_b| + ||P^_{b+1} - P^_b||_1) over what both blocks saw. A maximum of noisy differences is positive even where
    nothing drifts, so that the estimate is biased upwards, the more the shorter the blocks; long blocks hide drift inside
    them. `estimate - noise` is a rough correction, no unbiased estimate.

    Args:
        history: Of at least two blocks.
        block: Episodes of a block, >= 1.
        transitions: Whether transitions count; False for local executability, where rewards alone drift.
        shuffles: Orders that `noise` is the mean of.
        seed: Seed of the shuffles.

    Raises:
        UsageError: Fewer than two blocks.
    """
    count = history.now // max(1, block)
    if block < 1 or count < 2:
        raise UsageError(f"block: expected at most half of the {history.now} episodes, got {block}")
    orders = [np.random.default_rng([5, seed, i]).permutation(history.now) for i in range(shuffles)]
    noise = [_summed(history, order, block, transitions) for order in orders]
    return PlugIn(_summed(history, np.arange(history.now), block, transitions), float(np.mean(noise)))


def _summed(history: History, order: Ints, block: int, transitions: bool) -> float:
    """Returns the sum of differences between neighbouring blocks of the episodes in an order."""
    count = len(order) // block
    blocks = History(count, block, history.shape)
    for name in ("codes", "rewards"):
        taken = getattr(history, name)[order[: count * block], 0].reshape(count, block, -1)
        setattr(blocks, name, taken.swapaxes(0, 1))
    blocks.now = block
    windows = Windows(blocks, np.arange(count))
    windows.move(np.zeros(count, dtype=np.int64))
    share = 1.0 / np.maximum(windows.sums.visits, 1.0)
    apart = np.abs(np.diff(windows.sums.gained * share, axis=0))
    if transitions:
        apart += np.abs(np.diff(windows.sums.moves * share[..., None], axis=0)).sum(axis=-1)
    seen = windows.sums.visits > 0
    return float(np.where(seen[1:] & seen[:-1], apart, 0.0).max(axis=(2, 3)).sum())
