"""Kinds of values: how the API writes what a column holds, and what filters and bodies mean by it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping
from datetime import date
from decimal import Decimal
from typing import Any, Final, NamedTuple

from .text import cents

_NUMBER = re.compile(r"\s*[-+]?\d{1,18}(\.\d{1,9})?")
_LARGEST = 2**31 - 1
_INTEGERS = 2**63  # what SQLite can hold
KEEP: Final = object()


class Kind(NamedTuple):
    """A kind of value.

    Attributes:
        expected: Magento's name of its type, for errors.
        show: Column -> JSON.
        stored: Text of a filter -> what the column is compared with.
        read: JSON of a body -> column; raises ValueError or TypeError.
        blank: Column for a null in a body; `KEEP` leaves the column as it is.
        like: SQL of the text that a pattern is held against, a slot for the expression.
        folded: Whether comparisons pass over upper and lower case.
        options: Columns that bodies may set, None for any.
    """

    expected: str
    show: Callable[[Any], Any]
    stored: Callable[[str], Any]
    read: Callable[[Any], Any]
    blank: Any = KEEP
    like: str = "{}"
    folded: bool = False
    options: Collection[Any] | None = None


def same(value: Any) -> Any:
    """Returns the value."""
    return value


def amount(value: int) -> float:
    """Returns cents as an amount; a whole one has no decimals."""
    return value / 100 if value % 100 else value // 100


def whole(value: Any) -> int:
    """Returns the integer that a body means."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeError
    number = int(value)
    if abs(number) > _LARGEST or (isinstance(value, float) and number != value):
        raise ValueError
    return number


def text(value: Any) -> str:
    """Returns the text that a body means."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        raise TypeError
    return str(value)


def numeric(value: str) -> float:
    """Returns the number a filter's text begins with, as databases read it; 0 for none."""
    match = _NUMBER.match(value)
    return _plain(Decimal(match[0])) if match else 0


def _plain(value: Decimal) -> float:
    return int(value) if value == value.to_integral_value() and abs(value) < _INTEGERS else float(value)


def _money(value: Any) -> int | None:
    written = text(value)
    found = cents(written)
    if found is None and written.strip():
        raise ValueError
    return found


def _cents(value: str) -> float:
    match = _NUMBER.match(value)
    return _plain(Decimal(match[0]) * 100) if match else 0


def _truth(value: Any) -> int:
    known = {"1": 1, "true": 1, "0": 0, "false": 0, "": 0}
    found = known.get(str(value).lower()) if isinstance(value, bool | int | str) else None
    if found is None:
        raise ValueError
    return found


def _moment(value: str) -> str:
    value = value.strip().replace(" ", "T")
    return f"{value}T00:00:00" if len(value) == 10 else value


def _day(value: Any) -> str:
    written = text(value).strip()[:10]
    return date.fromisoformat(written).isoformat() if written else ""


def _decimal(value: Any) -> str:
    return format(Decimal(_plain_text(value)), "f") if text(value).strip() else ""


def _plain_text(value: Any) -> str:
    match = _NUMBER.fullmatch(text(value))
    if not match:
        raise ValueError
    return match[0]


def _ids(value: Any) -> str:
    if not isinstance(value, list):
        raise TypeError
    return ",".join(str(whole(item)) for item in value)


def _lines(value: Any) -> str:
    return "\n".join(text(item) for item in (value if isinstance(value, list) else [value]))


def _weight(value: str) -> float | None:
    return _plain(Decimal(value)) if _NUMBER.fullmatch(value) else None


TEXT = Kind("string", same, same, text, "", folded=True)
INTEGER = Kind("int", same, numeric, whole)
MONEY = Kind("float", amount, _cents, _money, None, "printf('%.4f', {} / 100.0)")
FLAG = Kind("boolean", bool, lambda value: int(value.lower() in ("1", "true")), _truth)
TIME = Kind("string", lambda value: value.replace("T", " "), _moment, text, like="replace({}, 'T', ' ')")
DAY = Kind("string", same, same, _day, "")
DECIMAL = Kind("float", _weight, numeric, _decimal, "")
IDS = Kind("int[]", lambda value: [int(key) for key in value.split(",") if key], same, _ids)
LINES = Kind("string[]", lambda value: value.split("\n"), same, _lines, folded=True)


def choice(options: Collection[int]) -> Kind:
    """Returns the kind of integers that are some of the options."""
    return INTEGER._replace(options=options)


def coded(codes: Mapping[Any, Any], expected: str = "string") -> Kind:
    """Returns the kind of values that the API names by codes: column -> code."""
    columns = {str(code): column for column, code in codes.items()}

    def read(value: Any) -> Any:
        written = text(value)
        return columns.get(written, written)

    return Kind(
        expected, lambda v: codes.get(v, v), lambda v: columns.get(v, v), read, options=codes.keys(), folded=True
    )
