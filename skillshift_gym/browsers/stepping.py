"""Stepping of number and range inputs by the arrow keys."""

from __future__ import annotations

import math
from fractions import Fraction

from ..document import Element
from .live import Live
from .structure import input_type
from .validation import step_base, step_of
from .values import format_value, parse_number, range_limits

STEPPED_TYPES = frozenset({"range"})


def step_value(live: Live, index: int, direction: int) -> None:
    """Moves the value of a number or range input by one step, on the grid of its steps and within its limits."""
    element = live.document[index]
    if "readonly" in element.attrs:
        return
    kind, step = input_type(element), step_of(element) or Fraction(1)
    low, high = _limits(element)
    if low is not None and high is not None and low > high:
        return
    base, value = step_base(element), parse_number(live.value(index)) or Fraction(0)
    exact = (value - base) / step
    places = math.floor(exact) + 1 if direction > 0 else math.ceil(exact) - 1
    stepped = base + places * step
    if low is not None and stepped < low:
        stepped = base + math.ceil((low - base) / step) * step
    if high is not None and stepped > high:
        stepped = base + math.floor((high - base) / step) * step
    if (stepped - value) * direction > 0:
        live.set_value(index, format_value(kind, stepped))


def _limits(element: Element) -> tuple[Fraction | None, Fraction | None]:
    if input_type(element) == "range":
        return range_limits(element)
    return parse_number(element.attrs.get("min", "")), parse_number(element.attrs.get("max", ""))
