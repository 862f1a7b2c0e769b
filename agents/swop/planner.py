"""SWOP's planner: window averages, a bonus for what was seen little, and the backup that pays for leaving the prior.

"SkillShift-Bench", section 4.1, says in words what the method does: an executor "anchored to a reference prior (the fixed
skill library plus base executor) while updating its beliefs from a sliding window of recent evidence, with optimism for
uncertainty and KL regularization toward the prior", with dynamic regret O~(K^{2/3} (V_K + 1)^{1/3}). The equations here are
our definition of it. Ours are also the constants:

- `SCALE`, the c of the bonus. Optimism is proven for `PROOF_SCALE` = 1, with which a value says something only after more
  than H^2 S L visits of a step, state and action; windows of the theory's size do not hold so many up to K = 16,000, and the
  planner plays the prior. The default is far smaller and gives a part of the optimism up (a test measures both).
- `temperature`: beta = ((V_K + 1) / K)^{1/3}, which is W^{-1/2} for the window W* of the theory. Written in W it needs no
  budget, and every window rule uses it in this form.
- `DELTA`, the probability with which the bound may fail.

The bound is vacuous, that is linear in K, for V_K of the order of K and above; at V_K = 0 its rate K^{2/3} is not minimax (a
stationary world allows sqrt(K)). The prefactor H^2 S sqrt(A) of K / sqrt(W) is our derivation, not the paper's.
"""

from __future__ import annotations

from math import ceil, log
from typing import NamedTuple

import numpy as np

from skillshift_gym.agents.swop.exact import Plan, backward
from skillshift_gym.agents.swop.memory import History, Shape, Sums, Windows
from skillshift_gym.errors import UsageError
from skillshift_gym.tabular.model import Floats, Ints

PROOF_SCALE = 1.0
SCALE = 0.04
DELTA = 0.05


class Beliefs(NamedTuple):
    """What a window says.

    Attributes:
        reward: Mean rewards r^_h(s, a), (N, H, S, A); 0 where nothing was seen.
        transition: P^_h(s' | s, a), (N, H, S, A, S); all 0 where nothing was seen, where the bonus alone fills the value.
        bonus: b_h(s, a) = min(H, c H sqrt(S L / max(1, N_h(s, a)))), H where nothing was seen, (N, H, S, A).
    """

    reward: Floats
    transition: Floats
    bonus: Floats


def beliefs(sums: Sums, scale: float, log_term: float) -> Beliefs:
    """Returns averages and bonus of some windows.

    Args:
        sums: Sums over N windows.
        scale: c of the bonus, > 0.
        log_term: L of the bonus.
    """
    _, horizon, states, _ = sums.visits.shape
    share = 1.0 / np.maximum(sums.visits, 1.0)
    bonus = np.minimum(horizon, scale * horizon * np.sqrt(states * log_term * share))
    bonus[sums.visits == 0] = horizon
    return Beliefs(sums.gained * share, sums.moves * share[..., None], bonus)


def plan(sums: Sums, prior: Floats, beta: Floats, scale: float, log_term: float) -> Plan:
    """Returns SWOP's plans: Q_h = clip(r^_h + b_h + P^_h V_{h+1}, 0, H - h + 1), then the regularised maximum.

    Args:
        sums: Sums over N windows.
        prior: Reference policies, (N, H, S, A), all > 0.
        beta: Temperatures, (N,), >= 0; 0 is the greedy limit.
        scale: c of the bonus, > 0.
        log_term: L of the bonus.
    """
    seen = beliefs(sums, scale, log_term)
    return backward(seen.reward + seen.bonus, seen.transition, prior, beta, clip=True)


def log_term(shape: Shape, episodes: int, delta: float = DELTA) -> float:
    """Returns L = log(2 S A H K / delta).

    Args:
        shape: (H, S, A).
        episodes: K.
        delta: In (0, 1).
    """
    horizon, states, actions = shape
    return log(2 * states * actions * horizon * episodes / delta)


def oracle_window(episodes: int, variation: float) -> int:
    """Returns W* = clip(ceil((K / (V_K + 1))^{2/3}), 1, K), which balances K / sqrt(W) against W V_K.

    Args:
        episodes: K.
        variation: V_K >= 0.
    """
    tuned = float((episodes / (variation + 1)) ** (2 / 3))
    return min(episodes, max(1, ceil(tuned - 1e-9)))  # a cube root is not exact


def temperature(window: Ints | Floats) -> Floats:
    """Returns beta = W^{-1/2}; for W = W* it is ((V_K + 1) / K)^{1/3} but for rounding, the rate of regret an episode."""
    return np.maximum(window, 1.0) ** -0.5


class Planner:
    """SWOP for one learner, an episode at a time.

    ```
    planner = Planner(prior, episodes=1000, window=100)
    policy = planner.policy()                     # (H, S, A), for the coming episode
    planner.observe(states, actions, rewards, next_states)
    ```
    """

    def __init__(
        self,
        prior: Floats,
        *,
        episodes: int,
        window: int | None,
        beta: float | None = None,
        scale: float = SCALE,
        delta: float = DELTA,
    ) -> None:
        """Starts without evidence, which makes the first policy the prior's (beta > 0) or its likeliest action (0).

        Args:
            prior: Reference policy pi0_h(a|s), (H, S, A), all > 0.
            episodes: K, the most episodes there will be.
            window: W >= 1, the episodes that count; None for all.
            beta: Temperature >= 0; W^{-1/2} by default.
            scale: c of the bonus, > 0.
            delta: In (0, 1).

        Raises:
            UsageError: An argument is out of its range.
        """
        if prior.ndim != 3 or prior.min() <= 0:
            raise UsageError(f"prior: expected (H, S, A) with all probabilities > 0, got shape {prior.shape}")
        if (window is not None and window < 1) or episodes < 1:
            raise UsageError(f"expected a window and episodes >= 1, got {window} and {episodes}")
        if (beta is not None and beta < 0) or scale <= 0 or not 0 < delta < 1:
            raise UsageError(f"expected beta >= 0, scale > 0 and 0 < delta < 1, got {beta}, {scale} and {delta}")
        horizon, states, actions = prior.shape
        self._window = episodes if window is None else window
        self._beta = temperature(np.array([self._window])) if beta is None else np.array([beta])
        self._prior, self._scale = prior[None], scale
        self._log_term = log_term((horizon, states, actions), episodes, delta)
        self._history = History(1, episodes, (horizon, states, actions))
        self._windows = Windows(self._history, np.array([0]))

    def plan(self) -> Plan:
        """Returns policy, optimistic values Q and V for the coming episode: (H, S, A), (H, S, A), (H, S)."""
        self._windows.move(np.array([max(0, self._history.now - self._window)]))
        found = plan(self._windows.sums, self._prior, self._beta, self._scale, self._log_term)
        return Plan(*(table[0] for table in found))

    def policy(self) -> Floats:
        """Returns pi_h(a|s) for the coming episode, (H, S, A)."""
        return self.plan().policy

    def observe(self, states: Ints, actions: Ints, rewards: Floats, next_states: Ints) -> None:
        """Adds an episode; each argument is (T,) with T <= H, rewards in [0, 1].

        Raises:
            UsageError: More episodes or steps than there is room for.
        """
        self._history.append(states[None], actions[None], rewards[None], next_states[None])
