"""Splits: which instances are benchmark, which are for training and which for tuning."""

from __future__ import annotations

from ..keyed import unit

SPLITS = ("bench", "train", "val")
VAL_SHARE = 0.25


def split_of(kind: str, entity: object) -> str:
    """Returns the split, `train` or `val`, of an entity that no bench task of its kind uses."""
    return "val" if unit("split", kind, entity) < VAL_SHARE else "train"
