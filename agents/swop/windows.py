"""How far back to look: fixed windows, restarts, a bandit over windows, and windows that end at a change.

A rule stands for n learners of a batch. Before each episode it says over which episodes each learner's beliefs are summed
and at which temperature it plans; after it, it is told the return. Only the bandit and the change detector need no budget;
"SkillShift-Bench" leaves open how to set the window without one.
"""

from __future__ import annotations

from math import ceil, log, sqrt
from typing import NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from skillshift_gym.agents.swop.memory import History, Sums, Windows
from skillshift_gym.agents.swop.planner import temperature
from skillshift_gym.tabular.model import Floats, Ints

Bools: TypeAlias = NDArray[np.bool_]

# Ours.
GRID_FACTOR = 4  # of neighbouring windows of the grid: the best of them is within a factor 2 of any window
SMALLEST = 16
BLOCK = 8  # episodes that one draw of the bandit lasts
SCALES = (16, 64, 256, 1024)  # lengths of the recent past that the change detector compares with what was before
EVERY = 4  # episodes from test to test


class View(NamedTuple):
    """What n learners plan with.

    Attributes:
        sums: Sums over their windows.
        beta: Temperatures, (n,), >= 0.
        explore: Whether the prior is played instead of the plan, (n,).
    """

    sums: Sums
    beta: Floats
    explore: Bools


class Rule(Protocol):
    """A way to choose windows."""

    def view(self, draws: Floats) -> View:
        """Returns what the learners plan with in the coming episode; `draws` are uniform in [0, 1), (n,)."""

    def learn(self, returns: Floats) -> None:
        """Takes the returns of the episode, (n,), in [0, H], after the history took the episode itself."""


class Sliding:
    """Windows of fixed sizes, and restarts: each learner sees the last `size` episodes of its period."""

    def __init__(self, history: History, learners: Ints, size: Ints, period: Ints, beta: Floats) -> None:
        """Starts without evidence.

        Args:
            history: Of the batch.
            learners: The n learners.
            size: Windows W, (n,); K for none.
            period: Episodes from restart to restart, (n,); K for none.
            beta: Temperatures, (n,).
        """
        self._history, self._windows = history, Windows(history, learners)
        self._size, self._period, self._beta = size, period, beta
        self._never = np.zeros(len(learners), dtype=bool)

    def view(self, draws: Floats) -> View:
        """Returns the sums over the last episodes of the period."""
        now = self._history.now
        self._windows.move(np.maximum(now - self._size, now // self._period * self._period).clip(0))
        return View(self._windows.sums, self._beta, self._never)

    def learn(self, returns: Floats) -> None:
        """Learns nothing."""


def window_grid(episodes: int) -> Ints:
    """Returns the windows of the bandit: K, K / 4, K / 16, ... down to about 16."""
    count = max(1, 1 + round(log(max(1, episodes / SMALLEST), GRID_FACTOR)))
    return np.array([max(1, ceil(episodes / GRID_FACTOR**i)) for i in range(count)], dtype=np.int64)


class Bandit:
    """EXP3 over a geometric grid of windows.

    Bandit-over-RL of "Reinforcement Learning for Non-Stationary Markov Decision Processes: The Blessing of (More) Optimism"
    (section on unknown budgets), with two changes of ours: evidence is kept from block to block instead of thrown away, so
    that blocks can be short; and an arm is a window with its own temperature W^{-1/2}. The published guarantee, an extra
    term of order K^{3/4}, is for blocks that start anew. EXP3 is the loss form of "Regret Analysis of Stochastic and
    Nonstochastic Multi-armed Bandit Problems", section 3.1: p_i ~ exp(-eta sum of loss_i / p_i), eta = sqrt(2 ln n / (n T)).

    Attributes:
        grid: The windows, (m,).
        chosen: Index of each learner's present window, (n,).
    """

    def __init__(self, history: History, learners: Ints) -> None:
        """Starts with all windows alike.

        Args:
            history: Of the batch.
            learners: The n learners.
        """
        episodes, _, self._horizon = history.codes.shape
        self.grid = window_grid(episodes)
        arms, blocks = len(self.grid), ceil(episodes / BLOCK)
        self._history, self._rows = history, np.arange(len(learners))
        self._windows = Windows(history, np.repeat(learners, arms))
        self._rate = sqrt(2 * log(max(2, arms)) / (arms * blocks))
        self._losses = np.zeros((len(learners), arms))
        self._block = np.zeros(len(learners))
        self._sizes = np.tile(self.grid, len(learners))
        self._never = np.zeros(len(learners), dtype=bool)
        self.chosen = np.zeros(len(learners), dtype=np.int64)
        self._chances = self._probabilities()

    def view(self, draws: Floats) -> View:
        """Returns the sums over the windows drawn; a new draw comes with each block."""
        now = self._history.now
        self._windows.move(np.maximum(0, now - self._sizes))
        if now % BLOCK == 0:
            self._chances = self._probabilities()
            beyond = draws[:, None] >= self._chances.cumsum(axis=1)
            self.chosen = np.minimum(beyond.sum(axis=1), len(self.grid) - 1)
        sums = self._windows.sums.of(self._rows * len(self.grid) + self.chosen)
        return View(sums, temperature(self.grid[self.chosen]), self._never)

    def learn(self, returns: Floats) -> None:
        """Adds the loss of the block to the window that was played, weighed by its probability."""
        self._block += 1 - returns / self._horizon
        if self._history.now % BLOCK == 0:
            self._losses[self._rows, self.chosen] += self._block / BLOCK / self._chances[self._rows, self.chosen]
            self._block[:] = 0

    def _probabilities(self) -> Floats:
        weights = np.exp(-self._rate * (self._losses - self._losses.min(axis=1, keepdims=True)))
        chances: Floats = weights / weights.sum(axis=1, keepdims=True)
        return chances


class ChangePoint:
    """A window that grows until the recent past differs from what was before it, and then keeps the recent past only.

    Our definition, after the family of "On Upper-Confidence Bound Policies for Switching Bandit Problems": every few
    episodes the last m episodes are compared with the earlier ones of the window, for several m; a difference of mean
    rewards or of transitions beyond what chance explains (Hoeffding; Weissman et al. for distributions) ends the window.
    The prior itself is played in a share K^{-1/3} of the episodes, so that a skill that is no longer tried and works again
    is noticed. The temperature is W^{-1/2} for the present length W.

    Attributes:
        low: First episode of each window, (n,).
        alarms: Changes found, (n,).
    """

    def __init__(self, history: History, learners: Ints) -> None:
        """Starts with empty windows.

        Args:
            history: Of the batch.
            learners: The n learners.
        """
        episodes, (horizon, states, actions) = len(history.codes), history.shape
        self._history, self._windows = history, Windows(history, learners)
        self._scales = [m for m in SCALES if 2 * m < episodes]
        self._recent = Windows(history, np.tile(learners, len(self._scales)))
        self._lengths = np.repeat(np.array(self._scales, dtype=np.int64), len(learners))
        self._log = log(horizon * states * actions * episodes)
        self._explore = episodes ** (-1 / 3)
        self.low, self.alarms = np.zeros((2, len(learners)), dtype=np.int64)

    def view(self, draws: Floats) -> View:
        """Returns the sums since the last change."""
        self._windows.move(self.low)
        return View(self._windows.sums, temperature(self._history.now - self.low), draws < self._explore)

    def learn(self, returns: Floats) -> None:
        """Looks for a change."""
        now, count = self._history.now, len(self.low)
        self._recent.move(np.maximum(0, now - self._lengths))
        if now % EVERY:
            return
        self._windows.move(self.low)
        low = self.low
        for place, scale in enumerate(self._scales):
            recent = self._recent.sums.of(slice(place * count, (place + 1) * count))
            moved = (now - low >= 2 * scale) & self._differ(recent)
            low = np.where(moved, now - scale, low)
            self.alarms += moved
        self.low = low

    def _differ(self, recent: Sums) -> Bools:
        """Returns whether the recent sums differ from the rest of the window, (n,)."""
        earlier = Sums(*(a - b for a, b in zip(self._windows.sums, recent, strict=True)))
        share = [1.0 / np.maximum(s.visits, 1.0) for s in (recent, earlier)]
        noise = np.where((recent.visits > 0) & (earlier.visits > 0), share[0] + share[1], np.inf)
        rewards = np.abs(recent.gained * share[0] - earlier.gained * share[1])
        moves = np.abs(recent.moves * share[0][..., None] - earlier.moves * share[1][..., None]).sum(axis=-1)
        states = recent.moves.shape[-1]
        found = (rewards > np.sqrt(self._log * noise / 2)) | (
            moves > np.sqrt(2 * (states * log(2) + self._log) * noise)
        )
        different: Bools = found.any(axis=(1, 2, 3))
        return different
