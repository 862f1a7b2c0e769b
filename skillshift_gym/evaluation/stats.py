"""Intervals and paired tests, as pure functions of counts and samples.

Every function states what it returns without data: `None`, never 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import comb, sqrt
from statistics import NormalDist
from typing import NamedTuple

import numpy as np

CONFIDENCE = 0.95
_RESAMPLES = 2_000
_BOOTSTRAP_SEED = 20_250_701


class Interval(NamedTuple):
    """A two-sided interval."""

    low: float
    high: float


def wilson(successes: int, n: int, confidence: float = CONFIDENCE) -> Interval | None:
    """Returns Wilson's score interval of a proportion, or None for n = 0.

    Source: Wilson, "Probable Inference, the Law of Succession, and Statistical Inference" (1927).
    """
    if n == 0:
        return None
    z = NormalDist().inv_cdf(0.5 + confidence / 2)
    p = successes / n
    centre = p + z * z / (2 * n)
    half = z * sqrt(p * (1 - p) / n + z * z / (4 * n * n))
    scale = 1 + z * z / n
    low = 0.0 if successes == 0 else max(0.0, (centre - half) / scale)  # exact at the ends, where rounding would not be
    return Interval(low, 1.0 if successes == n else min(1.0, (centre + half) / scale))


def bootstrap_mean(values: Sequence[float], confidence: float = CONFIDENCE) -> Interval | None:
    """Returns the percentile bootstrap interval of a mean (2,000 resamples, fixed seed), or None without values."""
    if not values:
        return None
    sample = np.asarray(values, dtype=float)
    rng = np.random.default_rng(_BOOTSTRAP_SEED)
    means = sample[rng.integers(0, len(sample), size=(_RESAMPLES, len(sample)))].mean(axis=1)
    tail = 100 * (1 - confidence) / 2
    low, high = np.percentile(means, [tail, 100 - tail])
    return Interval(float(low), float(high))


def bootstrap_ratio(pairs: Sequence[tuple[float, float]], confidence: float = CONFIDENCE) -> Interval | None:
    """Returns the percentile bootstrap interval of sum(a) / sum(b) over (a, b) pairs, resampling pairs.

    None when no pair has a positive b. Resamples whose b sum to 0 are left out.
    """
    if not any(b for _, b in pairs):
        return None
    sample = np.asarray(pairs, dtype=float)
    rng = np.random.default_rng(_BOOTSTRAP_SEED)
    sums = sample[rng.integers(0, len(sample), size=(_RESAMPLES, len(sample)))].sum(axis=1)
    ratios = sums[sums[:, 1] > 0, 0] / sums[sums[:, 1] > 0, 1]
    tail = 100 * (1 - confidence) / 2
    low, high = np.percentile(ratios, [tail, 100 - tail])
    return Interval(float(low), float(high))


class Paired(NamedTuple):
    """A paired comparison of two arms on the same tasks.

    Attributes:
        n: Tasks in both arms.
        difference: Mean of second minus first.
        interval: Bootstrap interval of the difference.
        only_first: Tasks only the first arm solved.
        only_second: Tasks only the second arm solved.
        p_value: Exact two-sided McNemar test; 1.0 when no pair is discordant.
    """

    n: int
    difference: float
    interval: Interval
    only_first: int
    only_second: int
    p_value: float


def paired(first: Sequence[bool], second: Sequence[bool]) -> Paired | None:
    """Returns the paired comparison of two arms' successes, task by task, or None without tasks."""
    differences = [float(b) - float(a) for a, b in zip(first, second, strict=True)]
    interval = bootstrap_mean(differences)
    if interval is None:
        return None
    losses = sum(a and not b for a, b in zip(first, second, strict=True))
    gains = sum(b and not a for a, b in zip(first, second, strict=True))
    mean = sum(differences) / len(differences)
    return Paired(len(differences), mean, interval, losses, gains, mcnemar(losses, gains))


def mcnemar(only_first: int, only_second: int) -> float:
    """Returns the p-value of the exact two-sided McNemar test from the discordant counts.

    Source: McNemar, "Note on the sampling error of the difference between correlated proportions or percentages"
    (1947), with the exact binomial distribution.
    """
    n = only_first + only_second
    tail = sum(comb(n, k) for k in range(min(only_first, only_second) + 1))
    return float(min(1.0, 2 * tail / 2**n))


def holm(p_values: Sequence[float]) -> list[float]:
    """Returns the p-values adjusted for being several, in the order given; each in [0, 1], never below the given one.

    Source: Holm, "A Simple Sequentially Rejective Multiple Test Procedure" (1979).
    """
    adjusted = [0.0] * len(p_values)
    largest = 0.0
    for rank, index in enumerate(sorted(range(len(p_values)), key=lambda i: p_values[i])):
        largest = max(largest, min(1.0, (len(p_values) - rank) * p_values[index]))
        adjusted[index] = largest
    return adjusted
