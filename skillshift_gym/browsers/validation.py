"""Native constraint validation, with the messages that Chromium shows."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from functools import lru_cache
from urllib.parse import urlsplit

from ..document import Document, Element
from .derived import derived
from .live import Live
from .structure import (
    DATE_TYPES,
    LISTED,
    control_type,
    disabled,
    form_controls,
    in_datalist,
    input_type,
    is_drop_down,
    option_value,
    options_by_select,
    radio_groups,
)
from .values import DAY, format_value, parse_number, parse_value, utf16_length

_NEVER_VALIDATED = frozenset({"hidden", "reset", "button", "image", "auto", "fieldset", "object", "output"})
_REQUIRABLE = frozenset({"text", "search", "tel", "url", "email", "password", "number", "textarea"}) | DATE_TYPES
_PATTERNED = frozenset({"text", "search", "tel", "url", "email", "password"})
_LENGTHS = _PATTERNED | {"textarea"}
_LOCAL = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]+")
_DOMAIN = re.compile(
    r"[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?(?:\.[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?)*"
)
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:")
_MISSING = {
    "checkbox": "Please check this box if you want to proceed.",
    "radio": "Please select one of these options.",
    "select": "Please select an item in the list.",
    "file": "Please select a file.",
}
# Step of one unit, and the default number of units, in the numbers of `parse_value`.
_STEPS = {"date": (DAY, 1), "week": (7 * DAY, 1), "time": (1000, 60), "datetime-local": (1000, 60)}
_WEEK_BASE = Fraction(-3 * DAY)


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
    return element.tag in LISTED and control_type(element) not in _NEVER_VALIDATED and "readonly" not in element.attrs


@derived
def validated_controls(document: Document) -> dict[int, tuple[int, ...]]:
    """Returns form -> the controls whose values can be invalid."""
    return {
        form: tuple(i for i in controls if is_validated(document, document[i]) and document[i].tag != "button")
        for form, controls in form_controls(document).items()
    }


def step_of(element: Element) -> Fraction | None:
    """Returns the allowed step of a numeric or date input, None for any."""
    kind = input_type(element)
    unit, default = _STEPS.get(kind, (1, 1))
    written = element.attrs.get("step", "")
    if written.lower() == "any":
        return None
    step = parse_number(written)
    if step is None or step <= 0:
        step = Fraction(default)
    return step * unit if kind in ("number", "range") else max(Fraction(round(step)), Fraction(1)) * unit


def step_base(element: Element) -> Fraction:
    """Returns the value that allowed steps are counted from."""
    kind = input_type(element)
    for written in (element.attrs.get("min", ""), element.attrs.get("value", "")):
        base = parse_value(kind, written)
        if base is not None:
            return base
    return _WEEK_BASE if kind == "week" else Fraction(0)


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
    if kind == "email" and "multiple" in element.attrs and value:
        return next((m for part in value.split(",") if (m := _email_problem(part.strip(" \t\n\r\f")))), "")
    if kind == "email" and value:
        return _email_problem(value)
    return "Please enter a URL." if kind == "url" and value and not _is_url(value) else ""


def _email_problem(address: str) -> str:
    local, at, domain = address.partition("@")
    if not address:
        return "Please enter a comma separated list of email addresses."
    if not at:
        return f"Please include an '@' in the email address. '{address}' is missing an '@'."
    if not local:
        return f"Please enter a part followed by '@'. '{address}' is incomplete."
    if not domain:
        return f"Please enter a part following '@'. '{address}' is incomplete."
    if not _LOCAL.fullmatch(local):
        wrong = next(c for c in local if not _LOCAL.fullmatch(c))
        return f"A part followed by '@' should not contain the symbol '{wrong}'."
    if _DOMAIN.fullmatch(domain):
        return ""
    wrong = next((c for c in domain if not (c.isascii() and (c.isalnum() or c in "-."))), "")
    if wrong:
        return f"A part following '@' should not contain the symbol '{wrong}'."
    if domain.startswith(".") or domain.endswith(".") or ".." in domain:
        return f"'.' is used at a wrong position in '{domain}'."
    return "Please enter an email address."


def _is_url(value: str) -> bool:
    if not _SCHEME.match(value):
        return False
    try:
        parts = urlsplit(value)
    except ValueError:
        return False
    return parts.scheme not in ("http", "https", "ftp", "ws", "wss") or bool(parts.netloc or parts.path.strip("/"))


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
    low, high = parse_value(kind, element.attrs.get("min", "")), parse_value(kind, element.attrs.get("max", ""))
    is_date = kind in DATE_TYPES
    if low is not None and number < low and not (kind == "time" and high is not None and high < low and number <= high):
        shown = localised(kind, low)
        return f"Value must be {shown} or later." if is_date else f"Value must be greater than or equal to {shown}."
    if high is not None and number > high and not (kind == "time" and low is not None and high < low):
        shown = localised(kind, high)
        return f"Value must be {shown} or earlier." if is_date else f"Value must be less than or equal to {shown}."
    return _off_step(element, kind, number, low, high)


def _off_step(element: Element, kind: str, number: Fraction, low: Fraction | None, high: Fraction | None) -> str:
    step, base = step_of(element), step_base(element)
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


def localised(kind: str, number: Fraction) -> str:
    """Returns a number or date as the messages of an English browser print it."""
    return format_value(kind, number)
