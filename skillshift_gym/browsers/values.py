"""Values of inputs: the sanitisation that the HTML standard defines per type."""

from __future__ import annotations

import re

from ..document import Element
from .numeric import format_number, parse_number
from .ranges import nearest_in_range, parse_value
from .structure import DATE_TYPES, input_type
from .temporal import normalised_datetime

_COLOR = re.compile(r"#[0-9a-fA-F]{6}")
SPACE = " \t\n\r\f"
_NO_NEWLINES = str.maketrans("", "", "\r\n")


def sanitise(element: Element, text: str) -> str:
    """Returns what an `input` makes of a value: the value sanitisation algorithm of its type."""
    kind = input_type(element)
    if kind in ("text", "search", "tel", "password"):
        return text.translate(_NO_NEWLINES)
    if kind in ("url", "email"):
        return _address(element, text.translate(_NO_NEWLINES).strip(SPACE))
    if kind == "range":
        return format_number(nearest_in_range(element, parse_number(text)))
    if kind == "color":
        return text.lower() if _COLOR.fullmatch(text) else "#000000"
    if kind == "datetime-local":
        return normalised_datetime(text)
    if kind == "number" or kind in DATE_TYPES:
        return text if parse_value(kind, text) is not None else ""
    return "" if kind == "file" else text


def utf16_length(text: str) -> int:
    """Returns the length of a text as the DOM counts it."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _address(element: Element, text: str) -> str:
    if "multiple" in element.attrs and input_type(element) == "email":
        return ",".join(part.strip(SPACE) for part in text.split(","))
    return text
