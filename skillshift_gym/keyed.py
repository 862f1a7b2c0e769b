"""Keyed hashes: numbers and choices that are a function of a key, with no running random number generator.

The same key gives the same number in every process, in any order of calls.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")


def keyed(*key: object) -> int:
    """Returns a 64-bit number."""
    text = "\x1f".join(map(str, key))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


def unit(*key: object) -> float:
    """Returns a number in [0, 1)."""
    return keyed(*key) / 2**64


def shuffled(items: Sequence[T], *key: object) -> list[T]:
    """Returns the items in an order that depends on the key and on each item alone."""
    return sorted(items, key=lambda item: (keyed(*key, item), repr(item)))
