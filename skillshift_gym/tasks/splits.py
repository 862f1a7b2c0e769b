"""Splits: which instances are benchmark, which are for training and which for tuning."""

from __future__ import annotations

from collections.abc import Iterable

from ..keyed import shuffled

SPLITS = ("bench", "train", "val")
VAL_SHARE = 0.2
VAL_LEAST = 5


def val_entities(kind: str, entities: Iterable[object]) -> frozenset[object]:
    """Returns which of a kind's entities are `val`: the first fifth by a hash of each, but at least five.

    Of fewer than twenty entities it is a quarter. The others are `train`, for all families of the kind.
    """
    order = shuffled(sorted(set(entities), key=repr), "split", kind)
    count = max(VAL_LEAST, round(VAL_SHARE * len(order))) if len(order) >= 4 * VAL_LEAST else len(order) // 4
    return frozenset(order[:count])
