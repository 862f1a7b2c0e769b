"""Exact solvers of a known model: the regularised optimum and the value of a policy. Leading axes are free.

Regularised value (our definition): V^pi_beta(s) = E_pi[sum_h r_h - beta KL(pi_h(.|s_h) || prior_h(.|s_h))].
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from skillshift_gym.agents.swop.soft import choose, divergence
from skillshift_gym.tabular.model import Floats


class Plan(NamedTuple):
    """A policy and what backward induction gave for it.

    Attributes:
        policy: (..., H, S, A).
        q: Values of actions, (..., H, S, A), in [0, H - h] at step h = 0, 1, ...
        value: Values of states, (..., H, S).
    """

    policy: Floats
    q: Floats
    value: Floats


def backward(gain: Floats, transition: Floats, prior: Floats, beta: Floats, *, clip: bool = False) -> Plan:
    """Returns the plan that is optimal for a table of gains, by backward induction with the regularised maximum.

    q_h = gain_h + P_h value_{h+1}, value_{H+1} = 0.

    Args:
        gain: Reward (optimistic or not) of each step, (..., H, S, A).
        transition: (..., H, S, A, S); rows may sum to less than 1.
        prior: (..., H, S, A), all > 0.
        beta: Temperature >= 0, broadcast to (...).
        clip: Whether q is held in [0, H - h], as the optimistic planner needs.
    """
    horizon, states = gain.shape[-3:-1]
    q, policy = np.empty(gain.shape), np.empty(gain.shape)
    value = np.zeros((*gain.shape[:-3], horizon + 1, states))
    beta = np.asarray(beta, dtype=float)[..., None]
    for h in reversed(range(horizon)):
        ahead = np.einsum("...sat,...t->...sa", transition[..., h, :, :, :], value[..., h + 1, :])
        q_h = gain[..., h, :, :] + ahead
        q[..., h, :, :] = np.clip(q_h, 0.0, horizon - h) if clip else q_h
        policy[..., h, :, :], value[..., h, :] = choose(q[..., h, :, :], prior[..., h, :, :], beta)
    return Plan(policy, q, value[..., :horizon, :])


class Worth(NamedTuple):
    """What a policy is worth.

    Attributes:
        reward: Expected sum of rewards from the first step, (..., S), in [0, H].
        price: Expected sum of KL(pi_h || prior_h), (..., S), in nats; V_beta = reward - beta price.
    """

    reward: Floats
    price: Floats


def worth(policy: Floats, reward: Floats, transition: Floats, prior: Floats) -> Worth:
    """Returns the exact value of a policy in a known model.

    Args:
        policy: (..., H, S, A).
        reward: Mean rewards, (..., H, S, A).
        transition: (..., H, S, A, S).
        prior: (..., H, S, A), all > 0.
    """
    gain = np.stack((np.einsum("...a,...a->...", policy, reward), divergence(policy, prior)), axis=-1)
    moves = np.einsum("...a,...at->...t", policy, transition)
    total = np.zeros((*gain.shape[:-3], *gain.shape[-2:]))
    for h in reversed(range(gain.shape[-3])):
        total = gain[..., h, :, :] + moves[..., h, :, :] @ total
    return Worth(total[..., 0], total[..., 1])
