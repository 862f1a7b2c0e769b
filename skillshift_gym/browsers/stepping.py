"""Stepping of number and range inputs by the arrow keys."""

from __future__ import annotations

from fractions import Fraction

from .live import Live
from .numeric import parse_number
from .ranges import format_value, stepped
from .structure import input_type


def step_value(live: Live, index: int, direction: int) -> None:
    """Moves the value of a number or range input by one step up (1) or down (-1)."""
    element = live.document[index]
    value = parse_number(live.value(index)) or Fraction(0)
    number = stepped(element, value, direction)
    if number != value and "readonly" not in element.attrs:
        live.set_value(index, format_value(input_type(element), number))
