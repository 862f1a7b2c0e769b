"""Episodes of a batch of learners, drawn from tables and uniform numbers."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from skillshift_gym.tabular.model import Floats, Ints


class Rollout(NamedTuple):
    """One episode of each of B learners; all (B, H).

    Attributes:
        states: s_1 .. s_H.
        actions: a_1 .. a_H.
        rewards: 0 or 1.
        next_states: s_2 .. s_{H+1}.
    """

    states: Ints
    actions: Ints
    rewards: Floats
    next_states: Ints


def width(horizon: int) -> int:
    """Returns how many uniform numbers an episode of a learner needs."""
    return 3 * horizon


def rollout(policy: Floats, reward: Floats, transition: Floats, start: Ints, draws: Floats) -> Rollout:
    """Plays one episode of each learner.

    Args:
        policy: (B, H, S, A).
        reward: Mean rewards, (B, H, S, A).
        transition: (B, H, S, A, S).
        start: First states, (B,).
        draws: Uniform in [0, 1), (B, `width(H)`).
    """
    rows, state, steps = np.arange(len(start)), start, []
    for h in range(policy.shape[1]):
        choice, luck, way = draws[:, 3 * h : 3 * h + 3].T
        action = drawn(policy[rows, h, state], choice)
        paid = (luck < reward[rows, h, state, action]).astype(float)
        following = drawn(transition[rows, h, state, action], way)
        steps.append((state, action, paid, following))
        state = following
    states, actions, rewards, next_states = (np.stack(column, axis=1) for column in zip(*steps, strict=True))
    return Rollout(states, actions, rewards, next_states)


def drawn(chances: Floats, draws: Floats) -> Ints:
    """Returns an index from each distribution.

    Args:
        chances: (B, n).
        draws: Uniform in [0, 1), (B,).
    """
    beyond: Ints = (draws[:, None] >= chances.cumsum(axis=1)).sum(axis=1)
    return np.minimum(beyond, np.int64(chances.shape[1] - 1))
