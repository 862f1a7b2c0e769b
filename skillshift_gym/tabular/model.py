"""A finite-horizon MDP that changes between episodes, as one value that environment and planner experiments share.

Shapes use K episodes, H steps, S states, A actions, J anchors. The model of episode k (0-based) lies on the straight
line between two anchors, `(1 - mix_k) anchor[left_k] + mix_k anchor[left_k + 1]`: jumps, slow drift and seasons are
different courses of `left` and `mix`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]

_SUM = 1e-9  # how far the sum of a distribution may be from 1


@dataclass(frozen=True, eq=False)
class Nonstationary:
    """A nonstationary finite-horizon MDP with its reference prior.

    A reward of mean r is paid as 1 with probability r, else 0; this is what "the action did what it names" is.

    Attributes:
        rewards: Mean rewards of the anchors, (J, H, S, A), in [0, 1].
        transitions: Distributions of the next state, (J, H, S, A, S).
        left: Anchor on the left of each episode's model, (K,), in [0, J).
        mix: How far each model is towards the next anchor, (K,), in [0, 1]; 0 where there is none.
        start: Distribution of the first state, (S,).
        prior: Reference policy (the fixed skill library plus the base executor), (H, S, A), all > 0.
        states: Names of the states.
        actions: Names of the actions.
    """

    rewards: Floats
    transitions: Floats
    left: Ints
    mix: Floats
    start: Floats
    prior: Floats
    states: tuple[str, ...]
    actions: tuple[str, ...]

    def __post_init__(self) -> None:
        anchors, horizon, states, actions = self.rewards.shape
        _expect("transitions", self.transitions, (anchors, horizon, states, actions, states))
        _expect("prior", self.prior, (horizon, states, actions))
        _expect("start", self.start, (states,))
        _expect("mix", self.mix, self.left.shape)
        if (len(self.states), len(self.actions)) != (states, actions):
            raise UsageError(f"names: expected {states} states and {actions} actions, got {self.states, self.actions}")
        for name in ("transitions", "prior", "start"):
            _expect_distributions(name, getattr(self, name))
        if self.prior.min() <= 0:
            raise UsageError("prior: expected all probabilities > 0, else the divergence from it is not bounded")
        if self.rewards.min() < 0 or self.rewards.max() > 1:
            raise UsageError(f"rewards: expected [0, 1], got [{self.rewards.min()}, {self.rewards.max()}]")
        right = self.left + (self.mix > 0)
        if self.left.min() < 0 or right.max() >= anchors or self.mix.min() < 0 or self.mix.max() > 1:
            raise UsageError(f"left, mix: expected a place between {anchors} anchors for each episode")

    @property
    def episodes(self) -> int:
        """Number of episodes, K."""
        return len(self.left)

    @property
    def shape(self) -> tuple[int, int, int]:
        """(H, S, A)."""
        _, horizon, states, actions = self.rewards.shape
        return horizon, states, actions

    def reward(self, k: int) -> Floats:
        """Returns the mean rewards of episode k, (H, S, A)."""
        return self._between(self.rewards, k)

    def transition(self, k: int) -> Floats:
        """Returns the transition probabilities of episode k, (H, S, A, S)."""
        return self._between(self.transitions, k)

    def variation(self) -> float:
        """Returns the exact variation budget V_K of the generator.

        V_K = sum_{k<K} sum_h max_{s,a} (|r_{k+1,h}(s,a) - r_{k,h}(s,a)| + ||P_{k+1,h}(.|s,a) - P_{k,h}(.|s,a)||_1), the
        episodic form (our definition) of the budgets in "Reinforcement Learning for Non-Stationary Markov Decision
        Processes: The Blessing of (More) Optimism", section 2. A table that is the same at each step of the episode
        counts H times.
        """
        return sum(distance(self._model(k - 1), self._model(k)) for k in range(1, self.episodes) if self.moves(k))

    def moves(self, k: int) -> bool:
        """Whether episode k >= 1 has another place between the anchors than the one before it."""
        return bool(self.left[k] != self.left[k - 1] or self.mix[k] != self.mix[k - 1])

    def _model(self, k: int) -> tuple[Floats, Floats]:
        return self.reward(k), self.transition(k)

    def _between(self, anchors: Floats, k: int) -> Floats:
        left, mix = int(self.left[k]), float(self.mix[k])
        between: Floats = (1 - mix) * anchors[left]
        if mix > 0:  # else there may be no next anchor
            between += mix * anchors[left + 1]
        return between


def distance(first: tuple[Floats, Floats], second: tuple[Floats, Floats]) -> float:
    """Returns one step's share of the variation budget.

    Args:
        first: Mean rewards (H, S, A) and transitions (H, S, A, S) of a model.
        second: Those of another one.
    """
    apart = np.abs(second[0] - first[0]) + np.abs(second[1] - first[1]).sum(axis=-1)
    return float(apart.max(axis=(1, 2)).sum())


def _expect(name: str, value: NDArray[Any], shape: tuple[int, ...]) -> None:
    if value.shape != shape:
        raise UsageError(f"{name}: expected shape {shape}, got {value.shape}")


def _expect_distributions(name: str, value: Floats) -> None:
    if value.min() < 0 or np.abs(value.sum(axis=-1) - 1).max() > _SUM:
        raise UsageError(f"{name}: expected distributions along the last axis")
