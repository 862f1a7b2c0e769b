"""Exponents: how fast a positive quantity grows, as the slope of a line on log-log axes with an interval."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..errors import UsageError
from .stats import CONFIDENCE, Interval

_RESAMPLES = 2_000
_BOOTSTRAP_SEED = 20_250_702


class Exponent(NamedTuple):
    """A fitted exponent.

    Attributes:
        value: Least-squares slope of log mean y over log x.
        interval: Percentile bootstrap interval, seeds resampled as wholes.
        points: Number of x.
        seeds: Number of seeds.
    """

    value: float
    interval: Interval
    points: int
    seeds: int

    def __str__(self) -> str:
        """Returns the exponent with its interval."""
        return f"{self.value:.2f} [{self.interval.low:.2f}, {self.interval.high:.2f}]"


def exponent(x: Sequence[float], y: Sequence[Sequence[float]], confidence: float = CONFIDENCE) -> Exponent:
    """Returns the exponent of y in x.

    The interval tells how much the seeds vary; whether a power law holds over the range is for the eye to judge.

    Args:
        x: Positive values, at least two different ones.
        y: The seeds' values at each x, (points, seeds), with positive means; column i is seed i everywhere.
        confidence: Of the interval.

    Raises:
        UsageError: Too few points, or a mean that is not positive.
    """
    table = np.asarray(y, dtype=float)
    if table.ndim != 2 or len(table) != len(x) or len(set(x)) < 2:
        raise UsageError(f"expected (points, seeds) for two points or more, got {table.shape} for {len(x)} points")
    if min(x) <= 0 or table.mean(axis=1).min() <= 0:
        raise UsageError("expected positive x and positive means of y; an exponent is defined on log-log axes only")
    logs, seeds = np.log(np.asarray(x, dtype=float)), table.shape[1]
    drawn = np.random.default_rng(_BOOTSTRAP_SEED).integers(0, seeds, size=(_RESAMPLES, seeds))
    slopes = _slopes(logs, table[:, drawn].mean(axis=-1))
    tail = 100 * (1 - confidence) / 2
    low, high = np.nanpercentile(slopes, [tail, 100 - tail])
    value = float(_slopes(logs, table.mean(axis=1)[:, None])[0])
    return Exponent(value, Interval(float(low), float(high)), len(logs), seeds)


def _slopes(logs: NDArray[np.float64], means: NDArray[np.float64]) -> NDArray[np.float64]:
    """Returns the slope of each column, (n,); NaN where a resampled mean is not positive."""
    centred = logs - logs.mean()
    heights = np.log(np.where(means > 0, means, np.nan))
    slopes: NDArray[np.float64] = centred @ heights / (centred @ centred)
    return slopes
