"""Choices drawn by keyed hash: the same key gives the same choice, in any process and any order of calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from ..keyed import keyed

T = TypeVar("T")


def number(key: str, bound: int) -> int:
    """Returns a number from 0 to `bound` - 1."""
    return keyed(key) % bound


def choice(key: str, options: Sequence[T]) -> T:
    """Returns one of the options."""
    return options[number(key, len(options))]


def sample(key: str, options: Sequence[T], count: int) -> list[T]:
    """Returns `count` different options in drawn order; all of them when there are fewer."""
    left = list(options)
    return [draw(f"{key}:{i}", left) for i in range(min(count, len(left)))]


def draw(key: str, options: list[T]) -> T:
    """Takes one of the options out of the list and returns it."""
    return options.pop(number(key, len(options)))
