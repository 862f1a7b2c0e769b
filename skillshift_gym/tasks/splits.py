"""Keyed hashes: how instances are drawn and entities are split, with no running random number generator."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

SPLITS = ("bench", "train", "val")
VAL_SHARE = 0.25

T = TypeVar("T")


def keyed(*key: object) -> int:
    """Returns a 64-bit hash of a key, the same in every process and version of Python."""
    text = "\x1f".join(map(str, key))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def unit(*key: object) -> float:
    """Returns a number in [0, 1) that is a function of the key."""
    return keyed(*key) / 2**64


def shuffled(items: Sequence[T], *key: object) -> list[T]:
    """Returns the items in an order that depends on the key and on each item alone."""
    return sorted(items, key=lambda item: (keyed(*key, item), repr(item)))


def split_of(kind: str, entity: object) -> str:
    """Returns the split, `train` or `val`, of an entity that no bench task of its kind uses."""
    return "val" if unit("split", kind, entity) < VAL_SHARE else "train"
