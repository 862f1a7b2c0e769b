"""Streams of conditions: which condition each episode of a changing site is played in, and how much that changes.

A stream is a function of its arguments: the condition of episode k needs no episode before it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import fsum

from skillshift_gym.errors import UsageError
from skillshift_gym.keyed import unit
from skillshift_gym.registration import CONDITIONS, condition_of

KINDS = ("jump", "drift", "season")


def condition_at(episode: int, kind: str, conditions: Sequence[str], period: int, seed: int = 0) -> str:
    """Returns the condition of an episode.

    Args:
        episode: Number of the episode, from 0.
        kind: `jump` (each condition for a period, one after the other, the last one for ever), `drift` (the same, but
            within a period the next condition comes more and more often), or `season` (the conditions take turns, over
            and over, one period each).
        conditions: The conditions, in order.
        period: Episodes of a period.
        seed: Seed of the draws of `drift`.

    Raises:
        UsageError: An argument is wrong.
    """
    _check(kind, conditions, period)
    block, place = divmod(episode, period)
    if kind == "season":
        return conditions[block % len(conditions)]
    last = len(conditions) - 1
    later = kind == "drift" and unit("drift", seed, episode) < place / period
    return conditions[min(block + later, last)]


def variation(executable: Mapping[str, Mapping[str, float]], stream: Sequence[str]) -> float:
    """Returns the variation budget of a stream, `V_K = sum_k max_a |e_{k+1}(a) - e_k(a)|`.

    Source: SkillShift-Bench, nonstationary local executability (the form of Cheung, Simchi-Levi and Zhu, 2020, with
    rewards that say whether an action does what it names).

    Args:
        executable: Condition -> action -> probability that it does what it names there, in [0, 1]; the same actions
            everywhere.
        stream: The conditions, episode by episode.

    Returns:
        The budget, in [0, K - 1] for K episodes.
    """
    step = {(a, b): max((abs(executable[a][x] - executable[b][x]) for x in executable[a]), default=0.0)
            for a in set(stream) for b in set(stream)}  # fmt: skip
    return fsum(step[pair] for pair in pairwise(stream))


def _check(kind: str, conditions: Sequence[str], period: int) -> None:
    if kind not in KINDS:
        raise UsageError(f"kind: expected one of {', '.join(KINDS)}, got {kind!r}")
    if not conditions:
        raise UsageError(f"conditions: expected some of {', '.join(CONDITIONS)}, got none")
    for name in conditions:
        condition_of(name)
    if isinstance(period, bool) or not isinstance(period, int) or period < 1:
        raise UsageError(f"period: expected a number of episodes from 1, got {period!r}")
