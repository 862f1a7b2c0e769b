"""Stepping of number and range inputs by keys."""

from __future__ import annotations

from fractions import Fraction

from .live import Live
from .numeric import format_number, parse_number
from .ranges import nearest_in_range, range_limits, step_of, stepped

_STEPS = {"ArrowUp": 1, "ArrowRight": 1, "ArrowDown": -1, "ArrowLeft": -1}
_LEAPS = {"PageUp": 1, "PageDown": -1}


def step_number(live: Live, index: int, key: str) -> None:
    """Moves a number by one step of its grid, up or down."""
    element = live.document[index]
    value = parse_number(live.value(index)) or Fraction(0)
    number = stepped(element, value, _STEPS[key])
    if number != value and "readonly" not in element.attrs:
        live.set_value(index, format_number(number))


def move_range(live: Live, index: int, key: str) -> bool:
    """Moves a slider as a key does: by a step, by a tenth of its length, or to an end.

    Returns:
        Whether the key means something to a slider.
    """
    element = live.document[index]
    low, high = range_limits(element)
    if key in ("Home", "End"):
        number = low if key == "Home" else high
    elif key in _STEPS or key in _LEAPS:
        step = step_of(element) or (high - low) / 100
        leap = max((high - low) / 10, step)
        number = (
            (parse_number(live.value(index)) or Fraction(0)) + _STEPS.get(key, 0) * step + _LEAPS.get(key, 0) * leap
        )
    else:
        return False
    live.set_value(index, format_number(nearest_in_range(element, number)))
    return True
