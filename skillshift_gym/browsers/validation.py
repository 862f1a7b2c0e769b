"""Native constraint validation, with the messages that Chromium shows."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from functools import lru_cache

from ..document import Document, Element
from .addresses import email_problem, emails_problem, is_url
from .derived import derived
from .live import Live
from .ranges import limits_of, localised, parse_value, step_base, step_of
from .structure import (
    DATE_TYPES,
    control_type,
    disabled,
    form_controls,
    in_datalist,
    input_type,
    is_drop_down,
    is_listed,
    option_value,
    options_by_select,
    radio_groups,
)
from .values import utf16_length

_NEVER_VALIDATED = frozenset({"hidden", "submit", "reset", "button", "image", "auto", "fieldset", "object", "output"})
_REQUIRABLE = frozenset({"text", "search", "tel", "url", "email", "password", "number", "textarea"}) | DATE_TYPES
_PATTERNED = frozenset({"text", "search", "tel", "url", "email", "password"})
_LENGTHS = _PATTERNED | {"textarea"}
_CONSTRAINED = DATE_TYPES | {"email", "url", "number"}
_CONSTRAINTS = frozenset({"required", "pattern", "minlength", "maxlength"})
_MISSING = {
    "checkbox": "Please check this box if you want to proceed.",
    "radio": "Please select one of these options.",
    "select": "Please select an item in the list.",
    "file": "Please select a file.",
}


def problem(live: Live, index: int) -> str:
    """Returns why a control's value is not valid, as the browser words it; empty when it is valid or not validated."""
    document, element = live.document, live.document[index]
    if not is_validated(document, element):
        return ""
    value = live.value(index)
    if not value and live.text(index):
        return "Please enter a number."
    return (
        _missing(live, element, value)
        or _mistyped(element, value)
        or _mismatched(element, value)
        or _wrong_length(live, element, value)
        or _out_of_range(element, value)
    )


def first_invalid(live: Live, form: int) -> tuple[int, str] | None:
    """Returns the first invalid control of a form and its message, None when all are valid."""
    for index in validated_controls(live.document).get(form, ()):
        message = problem(live, index)
        if message:
            return index, message
    return None


def is_validated(document: Document, element: Element) -> bool:
    """Returns whether constraint validation applies to a control at all."""
    if element.index in disabled(document) or element.index in in_datalist(document):
        return False
    if element.tag in ("input", "textarea") and "readonly" in element.attrs:
        return False
    return is_listed(element) and control_type(element) not in _NEVER_VALIDATED


@derived
def validated_controls(document: Document) -> dict[int, tuple[int, ...]]:
    """Returns form -> the controls whose values can be invalid."""
    return {
        form: tuple(
            i for i in controls if is_validated(document, document[i]) and _can_be_invalid(document, document[i])
        )
        for form, controls in form_controls(document).items()
    }


def _can_be_invalid(document: Document, element: Element) -> bool:
    if control_type(element) == "radio":
        return any("required" in document[i].attrs for i in radio_groups(document)[element.index])
    return control_type(element) in _CONSTRAINED or bool(_CONSTRAINTS & element.attrs.keys())


def _missing(live: Live, element: Element, value: str) -> str:
    kind = control_type(element)
    if kind == "radio":
        group = radio_groups(live.document)[element.index]
        required = any("required" in live.document[i].attrs for i in group)
        return _MISSING["radio"] if required and not any(live.control(i).checked for i in group) else ""
    if "required" not in element.attrs:
        return ""
    if kind == "checkbox":
        return "" if live.control(element.index).checked else _MISSING["checkbox"]
    if kind == "select":
        return _MISSING["select"] if _nothing_selected(live, element) else ""
    if kind == "file":
        return _MISSING["file"] if "multiple" not in element.attrs else "Please select one or more files."
    return "Please fill out this field." if kind in _REQUIRABLE and not value else ""


def _nothing_selected(live: Live, select: Element) -> bool:
    """Returns whether a required select shows nothing or its placeholder option."""
    selected = live.control(select.index).selected
    options = options_by_select(live.document)[select.index]
    if not is_drop_down(select) or not options:
        return not selected
    first = options[0]
    is_placeholder = not option_value(live.document, first) and live.document[first].parent == select.index
    return not [i for i in selected if not (is_placeholder and i == first)]


def _mistyped(element: Element, value: str) -> str:
    kind = control_type(element)
    if kind == "email" and value:
        return emails_problem(value) if "multiple" in element.attrs else email_problem(value)
    return "Please enter a URL." if kind == "url" and value and not is_url(value) else ""


def _mismatched(element: Element, value: str) -> str:
    pattern = element.attrs.get("pattern")
    if not pattern or not value or control_type(element) not in _PATTERNED:
        return ""
    compiled = _compiled(pattern)
    parts = value.split(",") if "multiple" in element.attrs and input_type(element) == "email" else [value]
    if compiled is None or all(compiled.fullmatch(part) for part in parts):
        return ""
    title = element.attrs.get("title", "")
    return "Please match the requested format." + (f" {title}" if title else "")


@lru_cache(maxsize=512)
def _compiled(pattern: str) -> re.Pattern[str] | None:
    """Returns a JavaScript pattern as a Python one; None, which matches anything, when it is not valid."""
    text = re.sub(r"\(\?<(?![=!])", "(?P<", pattern)
    text = re.sub(r"\\u\{([0-9A-Fa-f]+)\}", lambda m: "\\U" + m[1].rjust(8, "0")[-8:], text)
    text = text.replace(r"\/", "/")
    try:
        return re.compile(f"(?:{text})", re.ASCII)
    except (re.error, OverflowError, RecursionError):
        return None


def _wrong_length(live: Live, element: Element, value: str) -> str:
    """Returns the message about length; only a value that the user changed can be too long or too short."""
    if element.index not in live.edits or control_type(element) not in _LENGTHS or not value:
        return ""
    length = utf16_length(value)
    most, least = limit(element, "maxlength"), limit(element, "minlength")
    using = f"(you are currently using {length} character{'' if length == 1 else 's'})"
    if most is not None and length > most:
        return f"Please shorten this text to {most} characters or less {using}."
    if least is not None and length < least:
        return f"Please lengthen this text to {least} characters or more {using}."
    return ""


def limit(element: Element, name: str) -> int | None:
    """Returns a length limit of a text control, None without a valid one."""
    text = element.attrs.get(name, "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _out_of_range(element: Element, value: str) -> str:
    kind = control_type(element)
    number = parse_value(kind, value) if element.tag == "input" and value else None
    if number is None or kind == "range":
        return ""
    low, high = limits_of(element)
    is_date = kind in DATE_TYPES
    around_midnight = kind == "time" and low is not None and high is not None and high < low
    if low is not None and number < low and not (around_midnight and high is not None and number <= high):
        shown = localised(kind, low)
        return f"Value must be {shown} or later." if is_date else f"Value must be greater than or equal to {shown}."
    if high is not None and number > high and not around_midnight:
        shown = localised(kind, high)
        return f"Value must be {shown} or earlier." if is_date else f"Value must be less than or equal to {shown}."
    return _off_step(element, kind, number)


def _off_step(element: Element, kind: str, number: Fraction) -> str:
    step, base = step_of(element), step_base(element)
    low, high = limits_of(element)
    if step is None or (number - base) % step == 0:
        return ""
    below = base + math.floor((number - base) / step) * step
    nearest = [n for n in (below, below + step) if (low is None or n >= low) and (high is None or n <= high)]
    shown = [localised(kind, n) for n in nearest]
    if len(shown) == 2:
        return f"Please enter a valid value. The two nearest valid values are {shown[0]} and {shown[1]}."
    return (
        f"Please enter a valid value. The nearest valid value is {shown[0]}."
        if shown
        else "Please enter a valid value."
    )
