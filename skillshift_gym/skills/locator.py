"""Locators as skills store them: what recorders write down of an element, every text a template."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

from ..errors import UsageError
from .templates import check_template, fill, slots

MAX_TEXT = 2_000
_BARE = re.compile(r"[A-Za-z][\w-]*", re.ASCII)
_ESCAPES = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\t": "\\t", "\r": "\\r"}
# Attribute -> key, where they differ.
_KEYS = {"classes": "class"}
_BARE_KEYS = ("role", "tag")


@dataclass(frozen=True)
class Locator:
    """Where an element was when it was recorded.

    Attributes:
        test_id: Its test id.
        id: Its id.
        name: Its field name.
        role: Its accessible role.
        label: Its accessible name.
        nth: Its place among the elements of equal role and name, from 0; -1 when it must be the only one.
        css: A CSS selector.
        xpath: An XPath.
        tag: Its tag, which only healing compares, as the next three.
        classes: Its classes.
        href: Where it leads.
        near: Text beside it.
        sid: Its semantic id: for judging only, never for resolving.
    """

    test_id: str = ""
    id: str = ""
    name: str = ""
    role: str = ""
    label: str = ""
    nth: int = -1
    css: str = ""
    xpath: str = ""
    tag: str = ""
    classes: str = ""
    href: str = ""
    near: str = ""
    sid: str = ""

    def __post_init__(self) -> None:
        for key, value in self.to_json().items():
            wrong = _wrong_number(value) if key == "nth" else _wrong_text(value)
            if wrong:
                raise UsageError(f"locator, {key}: {wrong}")
        if not (self.test_id or self.id or self.name or self.role or self.css or self.xpath):
            raise UsageError("locator: expected one of test_id, id, name, role, css, xpath, got none of them")

    def __str__(self) -> str:
        parts = (f"{key}={_written(key, value)}" for key, value in self.to_json().items())
        return "{" + " ".join(parts) + "}"

    def to_json(self) -> dict[str, Any]:
        """Returns the fields that say something, by key."""
        return {key: value for key, attribute in KEYS.items() if (value := getattr(self, attribute)) not in ("", -1)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Locator:
        """Returns a locator from its fields.

        Raises:
            UsageError: A field is unknown or wrong.
        """
        unknown = [key for key in data if key not in KEYS]
        if unknown:
            raise UsageError(f"locator: no field {unknown[0]!r}; expected some of {', '.join(KEYS)}")
        return cls(**{KEYS[key]: value for key, value in data.items()})

    @cached_property
    def slots(self) -> tuple[str, ...]:
        """Names that its texts ask for, those of `sid` left out."""
        return tuple(
            dict.fromkeys(s for key, text in self.to_json().items() if key not in ("nth", "sid") for s in slots(text))
        )

    def filled(self, values: Mapping[str, Any]) -> Locator:
        """Returns the locator with its slots filled in; the texts are then plain, no templates."""
        texts = {KEYS[k]: fill(v, values) for k, v in self.to_json().items() if k not in ("nth", "sid")}
        return _plain(replace(self), texts)


KEYS = {_KEYS.get(f.name, f.name): f.name for f in fields(Locator)}


def quoted(text: str) -> str:
    """Returns a text as it is written in a program."""
    return '"' + "".join(_ESCAPES.get(c, c) for c in text) + '"'


def _plain(copy: Locator, texts: Mapping[str, str]) -> Locator:
    """Sets plain texts, which need not be templates."""
    for attribute, text in texts.items():
        object.__setattr__(copy, attribute, text)
    return copy


def _written(key: str, value: Any) -> str:
    if key == "nth":
        return str(value)
    return value if key in _BARE_KEYS and _BARE.fullmatch(value) else quoted(value)


def _wrong_text(value: Any) -> str:
    if not isinstance(value, str):
        return f"expected a text, got {type(value).__name__}"
    return (
        check_template(value) if len(value) <= MAX_TEXT else f"expected at most {MAX_TEXT} characters, got {len(value)}"
    )


def _wrong_number(value: Any) -> str:
    right = isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10_000
    return "" if right else f"expected a place from 0, got {value!r}"
