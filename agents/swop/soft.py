"""The backup of SWOP: a maximum that pays for leaving the prior. Leading axes are free; the last one is the action.

"SkillShift-Bench", section 4.1, names the ingredient ("KL regularization toward the prior"); the closed form is the
known solution of the regularised maximum, and the notation is ours.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from skillshift_gym.tabular.model import Floats

_COLD = 1e-12  # temperatures up to here count as 0: the two values differ by less than that, and 1 / beta stays finite


class Choice(NamedTuple):
    """The regularised maximum of values.

    Attributes:
        policy: Its probabilities, (..., A).
        value: max_pi <pi, q> - beta KL(pi || prior), (...).
    """

    policy: Floats
    value: Floats


def choose(q: Floats, prior: Floats, beta: Floats) -> Choice:
    """Returns the policy that maximises <pi, q> - beta KL(pi || prior), and its value.

    beta > 0: pi(a) = prior(a) exp(q(a) / beta) / Z and value = beta log sum_a prior(a) exp(q(a) / beta).
    beta = 0: the largest q; ties go to the larger prior, then to the smaller action id. The value lies between
    <prior, q> and max q, grows as beta falls, and moves by at most max |dq| when q does.

    Args:
        q: Values, (..., A).
        prior: Reference policy, broadcast to q, all > 0.
        beta: Temperature >= 0, in the unit of q; broadcast to the leading axes.
    """
    beta = np.broadcast_to(beta, q.shape[:-1])
    warm = beta > _COLD
    if warm.all():
        return _soft(q, prior, beta)
    greedy = _greedy(q, np.broadcast_to(prior, q.shape))
    if not warm.any():
        return greedy
    soft = _soft(q, prior, np.where(warm, beta, 1.0))
    return Choice(np.where(warm[..., None], soft.policy, greedy.policy), np.where(warm, soft.value, greedy.value))


def divergence(policy: Floats, prior: Floats) -> Floats:
    """Returns KL(policy || prior) along the last axis, in nats; 0 log 0 is 0."""
    positive = np.where(policy > 0, policy, 1.0)
    kl: Floats = np.einsum("...a,...a->...", policy, np.log(positive) - np.log(prior))
    return np.maximum(0.0, kl)


def _soft(q: Floats, prior: Floats, beta: Floats) -> Choice:
    scores = np.log(prior) + q / beta[..., None]
    top = _largest(scores)
    weights = np.exp(scores - top[..., None])
    total = np.einsum("...a->...", weights)
    return Choice(weights / total[..., None], beta * (top + np.log(total)))


def _greedy(q: Floats, prior: Floats) -> Choice:
    value = _largest(q)
    best = np.argmax(np.where(q == value[..., None], prior, 0.0), axis=-1)
    return Choice((best[..., None] == np.arange(q.shape[-1])).astype(float), value)


def _largest(table: Floats) -> Floats:
    """Returns the maximum over the last axis; NumPy's own is slow where that axis is short, and this runs every episode."""
    found = table[..., 0]
    for action in range(1, table.shape[-1]):
        found = np.maximum(found, table[..., action])
    return found
