"""The arguments of a call, checked against the skill's parameters before anything is done."""

from __future__ import annotations

import datetime
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from .skill import Parameter

MAX_TEXT = 2_000
MAX_ITEMS = 100


class BadArguments(Exception):
    """The arguments do not fit; the text says which, what was expected and what was given."""


def bind(parameters: Sequence[Parameter], args: Sequence[Any], kwargs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """Returns the values of all parameters; None for one that need not be given and has no default.

    Raises:
        BadArguments: One is missing, unknown, given twice or of another type.
    """
    names = [p.name for p in parameters]
    if len(args) > len(names):
        raise BadArguments(f"expected at most {len(names)} arguments ({', '.join(names) or 'none'}), got {len(args)}")
    given = dict(zip(names, args, strict=False))
    for key, value in kwargs:
        if key not in names or key in given:
            problem = "given twice" if key in given else "unknown"
            raise BadArguments(f"argument {key!r} is {problem}; expected {', '.join(names) or 'none'}")
        given[key] = value
    return {p.name: _value(p, given) for p in parameters}


def _value(parameter: Parameter, given: dict[str, Any]) -> Any:
    if parameter.name not in given:
        if parameter.required:
            raise BadArguments(f"argument {parameter.name!r} is missing; expected {_expected(parameter)}")
        return parameter.default
    value = given[parameter.name]
    if value is None and not parameter.required:
        return None
    converted = _CONVERT[parameter.type](value)
    if converted is None or (parameter.type == "choice" and converted not in parameter.choices):
        raise BadArguments(f"argument {parameter.name!r}: expected {_expected(parameter)}, got {str(value)[:80]!r}")
    return converted


def _expected(parameter: Parameter) -> str:
    if parameter.type == "choice":
        return "one of " + ", ".join(map(repr, parameter.choices))
    return {"text": "a text", "number": "a number", "boolean": "True or False", "date": "a day such as 2024-05-31"}.get(
        parameter.type, "a list of texts"
    )


def _text(value: Any) -> str | None:
    if isinstance(value, bool) or not isinstance(value, str | int | float):
        return None
    text = str(value)
    return text if len(text) <= MAX_TEXT else None


def _number(value: Any) -> int | float | None:
    if isinstance(value, bool):
        return None
    if isinstance(value, int | float):
        return value if abs(value) < 1e15 else None
    try:
        number = float(value) if isinstance(value, str) and len(value) < 40 else float("inf")
    except ValueError:
        return None
    return None if not abs(number) < 1e15 else int(number) if number.is_integer() and "." not in value else number


def _boolean(value: Any) -> bool | None:
    return (
        value
        if isinstance(value, bool)
        else {"true": True, "false": False}.get(value.lower())
        if isinstance(value, str)
        else None
    )


def _date(value: Any) -> str | None:
    try:
        return datetime.date.fromisoformat(value).isoformat() if isinstance(value, str) else None
    except ValueError:
        return None


def _list(value: Any) -> tuple[str, ...] | None:
    items = [_text(v) for v in value] if isinstance(value, list | tuple) and len(value) <= MAX_ITEMS else [None]
    return None if None in items else tuple(str(i) for i in items)


_CONVERT: dict[str, Callable[[Any], Any]] = {
    "text": _text,
    "choice": _text,
    "number": _number,
    "boolean": _boolean,
    "date": _date,
    "list": _list,
}
