"""Texts with slots: `Order # {number}`, where `{{` and `}}` are braces."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

NAME = re.compile(r"[a-z][a-z0-9_]{0,63}", re.ASCII)
_PIECE = re.compile(r"\{\{|\}\}|\{([a-z][a-z0-9_]{0,63})\}|[{}]", re.ASCII)


def check_template(text: str) -> str:
    """Returns what is wrong with a template, empty when nothing is."""
    for match in _PIECE.finditer(text):
        if match.group() in "{}":
            return f"expected {{name}}, or two braces for one, got a lone {match.group()!r}"
    return ""


@lru_cache(maxsize=4096)
def slots(text: str) -> tuple[str, ...]:
    """Returns the names of a template's slots, in order of appearance."""
    return tuple(dict.fromkeys(m[1] for m in _PIECE.finditer(text) if m[1]))


def literal(text: str) -> str:
    """Returns the template of a plain text."""
    return text.replace("{", "{{").replace("}", "}}")


def plain(text: str) -> str:
    """Returns a template without slots as plain text; slots stay as they are written."""
    return _PIECE.sub(lambda m: m.group() if m[1] else m.group()[0], text)


def fill(text: str, values: Mapping[str, Any]) -> str:
    """Returns a template filled in.

    Raises:
        KeyError: A value is missing.
    """
    return _PIECE.sub(lambda m: shown(values[m[1]]) if m[1] else m.group()[0], text)


def shown(value: Any) -> str:
    """Returns a value as text: lists with commas, booleans as `true` and `false`, nothing as an empty text."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, list | tuple):
        return ", ".join(map(shown, value))
    return "" if value is None else str(value)
