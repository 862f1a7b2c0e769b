"""Forms: which fields an entity has, and what they are called in both versions.

A version draws the fields of a section in its own way; the names, labels and ids follow the products. `parse` turns what
a browser sent into the columns that `operations` take.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from typing import Any, Literal, NamedTuple

from werkzeug.datastructures import MultiDict

from .operations.refused import Refused
from .text import cents, parse_day, plain, slashed

Kind = Literal["text", "area", "money", "number", "date", "select", "multi", "switch", "hidden"]
Options = Mapping[Any, str] | Callable[[sqlite3.Connection], Mapping[Any, str]]

YES_NO = {1: "Yes", 0: "No"}


class Input(NamedTuple):
    """A field of a form.

    Attributes:
        key: Column it sets.
        section: Section (a tab in 1.9, a fold in 2.4) it stands in.
        v1: Label, HTML name and HTML id in version 1.9, parted by bars; empty where that version has no such field.
        v2: Label, HTML name and HTML id in version 2.4, likewise.
        kind: What it holds.
        options: Value -> label, for `select`, `multi` and `switch`.
        required: Whether it may not be empty.
        numeric: Whether the values of its options are numbers.
    """

    key: str
    section: str
    v1: str
    v2: str
    kind: Kind = "text"
    options: Options = {}
    required: bool = False
    numeric: bool = True

    def part(self, version: str, index: int) -> str:
        """Returns label (0), name (1) or id (2) in a version; the id is the name where none is given."""
        parts = [p.strip() for p in (self.v1 if version == "v1" else self.v2).split("|")]
        return parts[min(index, len(parts) - 1)]

    def shown(self, version: str) -> bool:
        """Tells whether a version has the field."""
        return bool(self.v1 if version == "v1" else self.v2)

    def choices(self, db: sqlite3.Connection) -> Mapping[Any, str]:
        """Returns value -> label."""
        return self.options(db) if callable(self.options) else self.options


class Form(NamedTuple):
    """A form.

    Attributes:
        entity: Its name in semantic ids.
        sections: Section -> its titles in versions 1.9 and 2.4.
        inputs: Its fields, in order.
        save: Caption of the button that saves, in versions 1.9 and 2.4.
        saved: What the administrator reads afterwards, in versions 1.9 and 2.4.
        deleted: What they read after deleting.
    """

    entity: str
    sections: Mapping[str, tuple[str, str]]
    inputs: tuple[Input, ...]
    save: tuple[str, str]
    saved: tuple[str, str]
    deleted: str = ""

    def input(self, key: str) -> Input:
        """Returns a field by the column it sets."""
        return next(i for i in self.inputs if i.key == key)


class Shown(NamedTuple):
    """A field as a version shows it: everything a template needs."""

    key: str
    label: str
    name: str
    id: str
    kind: Kind
    value: Any
    options: Mapping[Any, str]
    required: bool


def shown(db: sqlite3.Connection, form: Form, version: str, row: Mapping[str, Any]) -> dict[str, list[Shown]]:
    """Returns the fields of each section of a form, filled from a row."""
    found: dict[str, list[Shown]] = {section: [] for section in form.sections}
    for field in form.inputs:
        if field.shown(version):
            label, name, html_id = (field.part(version, i) for i in range(3))
            value = _written(field.kind, row[field.key])
            found[field.section].append(
                Shown(field.key, label, name, html_id, field.kind, value, field.choices(db), field.required)
            )
    return {section: fields for section, fields in found.items() if fields}


def parse(form: Form, version: str, sent: MultiDict[str, str], *, whole: bool = True) -> dict[str, Any]:
    """Returns the columns that a sent form sets.

    Args:
        form: The form.
        version: The version it was sent from.
        sent: Its fields.
        whole: Whether boxes that were not sent are off; else they are left out.

    Raises:
        Refused: A required field is empty, or a value makes no sense.
    """
    found: dict[str, Any] = {}
    for field in form.inputs:
        name = field.part(version, 1)
        if not field.shown(version) or (name not in sent and not (whole and field.kind in ("multi", "switch"))):
            continue
        found[field.key] = _read(field, field.part(version, 0), sent.getlist(name))
    return found


def _read(field: Input, label: str, values: list[str]) -> Any:
    text = (values[-1] if values else "").strip()
    if field.required and not any(v.strip() for v in values) and field.kind != "switch":
        raise Refused(f'"{label}" is a required value.')
    if field.kind == "multi":
        return ",".join(dict.fromkeys(v for v in values if v))
    if field.kind in ("select", "switch", "hidden"):
        return _chosen(field, label, text)
    return _typed(field, label, text)


def _chosen(field: Input, label: str, text: str) -> Any:
    if not field.numeric:
        return text
    if field.kind == "switch" and not text:
        return min(field.options) if not callable(field.options) and 0 in field.options else 2
    if not text.lstrip("-").isdecimal():
        raise Refused(f'Please choose a value for "{label}".')
    return int(text)


def _typed(field: Input, label: str, text: str) -> Any:
    if field.kind == "money":
        value = cents(text) if text else None
        if text and value is None:
            raise Refused(f'Please enter a valid number in "{label}".')
        return value
    if field.kind == "number":
        try:
            return int(float(text.replace(",", "") or 0))
        except (ValueError, OverflowError):
            raise Refused(f'Please enter a valid number in "{label}".') from None
    if field.kind == "date":
        day = parse_day(text)
        if day is None:
            raise Refused(f'Please enter a valid date in "{label}".')
        return day
    return text


def _written(kind: Kind, value: Any) -> Any:
    if kind == "money":
        return plain(value)
    if kind == "date":
        return slashed(value or "")
    if kind == "multi":
        return [v for v in str(value or "").split(",") if v]
    return "" if value is None else value
