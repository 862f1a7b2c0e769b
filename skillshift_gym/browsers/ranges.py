"""Limits and steps of numeric and date inputs."""

from __future__ import annotations

import math
from fractions import Fraction

from ..document import Element
from .numeric import format_number, parse_number
from .structure import control_type, input_type
from .temporal import DAY, format_moment, localised_moment, parse_moment

# Step of one unit, and the default number of units, in the numbers of `parse_value`.
_STEPS = {"date": (DAY, 1), "week": (7 * DAY, 1), "time": (1000, 60), "datetime-local": (1000, 60)}
_WEEK_BASE = Fraction(-3 * DAY)
NUMERIC_TYPES = frozenset({"number", "range"})

Limits = tuple[Fraction | None, Fraction | None]


def parse_value(kind: str, text: str) -> Fraction | None:
    """Returns the number that an input of this type stands for, None when the text is not valid for it."""
    if kind in NUMERIC_TYPES:
        return parse_number(text)
    number = parse_moment(kind, text)
    return None if number is None else Fraction(number)


def format_value(kind: str, number: Fraction) -> str:
    """Returns the canonical text of a number for an input of this type; the inverse of `parse_value`."""
    return format_number(number) if kind in NUMERIC_TYPES else format_moment(kind, math.floor(number))


def localised(kind: str, number: Fraction) -> str:
    """Returns a number or date as an English browser prints it in its messages."""
    return format_number(number) if kind in NUMERIC_TYPES else localised_moment(kind, math.floor(number))


def limits_of(element: Element) -> Limits:
    """Returns the minimum and maximum of a number or date input."""
    kind = control_type(element)
    return parse_value(kind, element.attrs.get("min", "")), parse_value(kind, element.attrs.get("max", ""))


def step_of(element: Element) -> Fraction | None:
    """Returns the allowed step of an input, None for any."""
    kind = input_type(element)
    unit, default = _STEPS.get(kind, (1, 1))
    written = element.attrs.get("step", "")
    if written.lower() == "any":
        return None
    step = parse_number(written)
    if step is None or step <= 0:
        step = Fraction(default)
    return step if kind in NUMERIC_TYPES else max(Fraction(round(step)), Fraction(1)) * unit


def step_base(element: Element) -> Fraction:
    """Returns the value that allowed steps are counted from."""
    kind = input_type(element)
    for written in (element.attrs.get("min", ""), element.attrs.get("value", "")):
        base = parse_value(kind, written)
        if base is not None:
            return base
    return _WEEK_BASE if kind == "week" else Fraction(0)


def nearest_in_range(element: Element, number: Fraction | None) -> Fraction:
    """Returns the value a `range` input keeps instead of a number; None stands for what is no number."""
    low, high = range_limits(element)
    number = low + (high - low) / 2 if number is None else number
    number = max(low, min(number, high))
    step, base = step_of(element), step_base(element)
    if step is None or high < low:
        return number
    steps = math.floor((number - base) / step + Fraction(1, 2))
    if base + steps * step > high and base + (steps - 1) * step >= low:
        steps -= 1
    return base + steps * step


def range_limits(element: Element) -> tuple[Fraction, Fraction]:
    """Returns the minimum and maximum of a `range` input."""
    low, high = (parse_number(element.attrs.get(name, "")) for name in ("min", "max"))
    return Fraction(0) if low is None else low, Fraction(100) if high is None else high


def stepped(element: Element, value: Fraction, direction: int) -> Fraction:
    """Returns the value one step up (1) or down (-1), on the grid of steps and within the limits."""
    step, base = step_of(element) or Fraction(1), step_base(element)
    low, high = limits_of(element)
    exact = (value - base) / step
    number = base + (math.floor(exact) + 1 if direction > 0 else math.ceil(exact) - 1) * step
    if low is not None and number < low:
        number = base + math.ceil((low - base) / step) * step
    if high is not None and number > high:
        number = base + math.floor((high - base) / step) * step
    return number if (number - value) * direction > 0 else value
