"""Editing text fields: typing, deleting and moving the caret, as the user's keystrokes do."""

from __future__ import annotations

import re

from ..document import Element
from .live import Caret, Live
from .numeric import parse_number
from .structure import input_type
from .validation import limit
from .values import sanitise, utf16_length

_LINE_BREAK = re.compile(r"\r\n|\r|\n")
_NOT_NUMERIC = re.compile(r"[^0-9eE+.-]")


def insert(live: Live, index: int, text: str) -> None:
    """Replaces the selection of a text field; what exceeds `maxlength` is left out, as it is for a user."""
    element, value, caret = live.document[index], live.text(index), live.caret(index)
    before, after = value[: caret.start], value[caret.end :]
    text = _fitting(element, _typable(element, text), utf16_length(before) + utf16_length(after))
    place = caret.start + len(text)
    _store(live, index, before + text + after, place)


def delete(live: Live, index: int, *, forward: bool) -> None:
    """Deletes the selection, or one character before or behind the caret."""
    value, caret = live.text(index), live.caret(index)
    start, end = caret
    if start == end:
        start, end = (start, min(end + 1, len(value))) if forward else (max(start - 1, 0), end)
    if start != end:
        _store(live, index, value[:start] + value[end:], start)


def replace(live: Live, index: int, text: str) -> None:
    """Selects everything and types a text over it, or deletes it when the text is empty."""
    select_all(live, index)
    insert(live, index, text)


def select_all(live: Live, index: int) -> None:
    """Selects the text of a field."""
    live.carets[index] = Caret(0, len(live.text(index)))


def move_caret(live: Live, index: int, key: str, *, extend: bool) -> None:
    """Moves the caret by one of the keys ArrowLeft, ArrowRight, Home and End (of the whole text)."""
    caret, length = live.caret(index), len(live.text(index))
    collapsed = caret.start == caret.end or extend
    start, end = caret
    if key in ("ArrowLeft", "Home"):
        place = 0 if key == "Home" else start - collapsed
        start, end = max(place, 0), end if extend else max(place, 0)
    else:
        place = length if key == "End" else end + collapsed
        start, end = start if extend else min(place, length), min(place, length)
    live.carets[index] = Caret(start, end)


def _store(live: Live, index: int, text: str, place: int) -> None:
    live.set_value(index, _value(live.document[index], text), text)
    live.carets[index] = Caret(place, place)


def _value(element: Element, text: str) -> str:
    """Returns the value of a field that shows a text."""
    kind = input_type(element) if element.tag == "input" else ""
    if kind == "number":
        return number_shown(text)
    return sanitise(element, text) if kind == "email" else text


def _typable(element: Element, text: str) -> str:
    """Returns what a field accepts of a typed text."""
    if element.tag == "textarea":
        return _LINE_BREAK.sub("\n", text)
    text = _LINE_BREAK.sub(" ", text.rstrip("\r\n"))
    return _NOT_NUMERIC.sub("", text) if input_type(element) == "number" else text


def _fitting(element: Element, text: str, used: int) -> str:
    most = limit(element, "maxlength") if input_type(element) != "number" or element.tag == "textarea" else None
    if most is None or used + utf16_length(text) <= most:
        return text
    kept = text[: max(most - used, 0)]
    while utf16_length(kept) + used > most:
        kept = kept[:-1]
    return kept


def number_shown(text: str) -> str:
    """Returns the value of a number field that shows a text, empty when that is no number."""
    text = text.removeprefix("+").removesuffix(".")
    return text if parse_number(text) is not None else ""
