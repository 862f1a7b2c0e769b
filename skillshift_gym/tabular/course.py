"""How a world moves from anchor to anchor over the episodes: by jumps, by slow drift or by seasons."""

from __future__ import annotations

from math import ceil
from typing import NamedTuple

import numpy as np

from ..errors import UsageError
from .model import Floats, Ints

DRIFTS = ("jumps", "slow", "seasons")
_TINY = 1e-9  # a budget of 3 changes is not 3.0000000001 of them


class Course(NamedTuple):
    """The place of each episode on the way from anchor to anchor.

    Attributes:
        left: Anchor on the left, (K,).
        mix: How far towards the next one, (K,), in [0, 1).
    """

    left: Ints
    mix: Floats


def changes(variation: float, change: float) -> int:
    """Returns how many changes of a size make up a variation budget, the last one being smaller.

    Args:
        variation: Budget >= 0.
        change: Size of one full change, > 0.
    """
    return ceil(variation / change - _TINY)


def course(drift: str, episodes: int, variation: float, change: float) -> Course:
    """Returns a course whose variation is the budget, when neighbouring anchors are one change apart.

    `jumps`: changes at equal distances in time, nothing between them. `slow`: the same way at constant speed. `seasons`:
    to and fro between anchors 0 and 1, as a cosine. With jumps the budget is exact; the others cut the corner where they
    turn between two episodes, so their exact budget (`Nonstationary.variation`) is a little below.

    Args:
        drift: One of `DRIFTS`.
        episodes: K > number of changes.
        variation: Budget >= 0.
        change: Distance between neighbouring anchors, > 0.

    Raises:
        UsageError: No such drift, a number out of its range, or more changes than episodes between them.
    """
    if drift not in DRIFTS:
        raise UsageError(f"drift: expected one of {', '.join(DRIFTS)}, got {drift!r}")
    if not (0 <= variation < np.inf and 0 < change < np.inf):
        raise UsageError(f"expected a variation >= 0 and a change > 0, got {variation} and {change}")
    count = changes(variation, change)
    if episodes <= count:
        raise UsageError(f"variation {variation}: {count} changes need more than {episodes} episodes; ask for less")
    whole = variation / change
    time = np.arange(episodes) / max(1, episodes - 1)
    if drift == "jumps":
        place = np.minimum(np.arange(episodes) * (count + 1) // episodes, whole)
    elif drift == "slow":
        place = whole * time
    else:
        place = (1 - np.cos(np.pi * whole * time)) / 2
    left = np.minimum(np.floor(place), 0 if drift == "seasons" else count).astype(np.int64)
    return Course(left, place - left)
