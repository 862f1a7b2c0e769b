"""Resources: one table says how the members of a document and the columns of the shop belong together."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Literal, NamedTuple

from .api_errors import ApiError, invalid_type, invalid_value
from .api_kinds import KEEP, MONEY, TEXT, Kind

Json = dict[str, Any]
Place = Literal["member", "custom", "hidden"]


class Field(NamedTuple):
    """A member of a document.

    Attributes:
        name: Its name in the API.
        sql: Expression of its value.
        kind: Its kind.
        sets: Column that bodies set by it, empty for none.
        place: In the document itself, among its `custom_attributes`, or only for filters and further members.
        within: SQL around a condition on it.
    """

    name: str
    sql: str
    kind: Kind = TEXT
    sets: str = ""
    place: Place = "member"
    within: str = "{}"


def fields(kind: Kind, *specs: str, sets: bool = False, place: Place = "member") -> tuple[Field, ...]:
    """Returns fields of a kind.

    Args:
        kind: The kind.
        specs: `name`, or `name=expression`.
        sets: Whether bodies set them; the column has the name of the expression.
        place: Where they stand.
    """
    found = []
    for spec in specs:
        name, _, sql = spec.partition("=")
        found.append(Field(name, sql or name, kind, (sql or name) if sets else "", place))
    return tuple(found)


def amounts(*specs: str) -> tuple[Field, ...]:
    """Returns fields of money, each in the currency of the order and in the base currency, which is the same here."""
    return tuple(
        f for spec in specs for f in fields(MONEY, spec, f"base_{spec}" if "=" in spec else f"base_{spec}={spec}")
    )


def _nothing(db: sqlite3.Connection, row: Mapping[str, Any]) -> Json:
    return {}


class Resource(NamedTuple):
    """A kind of document.

    Attributes:
        source: What its rows are selected from.
        key: Expression of the key of a row.
        fields: Its members.
        missing: Key -> the error of one that does not exist.
        more: Database and row -> its further members.
        ignored: Further members of the contract that bodies may have and that the shop does not keep.
    """

    source: str
    key: str
    fields: tuple[Field, ...]
    missing: Callable[[object], ApiError]
    more: Callable[[sqlite3.Connection, Mapping[str, Any]], Json] = _nothing
    ignored: str = ""

    def field(self, name: str) -> Field:
        """Returns a field by name.

        Raises:
            ApiError: There is none.
        """
        found = next((f for f in self.fields if f.name == name), None)
        if found is None:
            raise ApiError("Invalid attribute name: %1", 400, [name])
        return found

    def select(
        self, db: sqlite3.Connection, where: str = "1", values: Iterable[Any] = (), tail: str = ""
    ) -> list[sqlite3.Row]:
        """Returns rows with a column for each field, in the order of their keys unless `tail` says otherwise."""
        columns = ", ".join(f'{f.sql if f.within == "{}" else "NULL"} AS "{f.name}"' for f in self.fields)
        query = f"SELECT {columns} FROM {self.source} WHERE {where} {tail or f'ORDER BY {self.key}'}"
        return db.execute(query, tuple(values)).fetchall()

    def row(self, db: sqlite3.Connection, key: object) -> sqlite3.Row:
        """Returns the row of a key.

        Raises:
            ApiError: There is none.
        """
        found = self.select(db, f"{self.key} = ?", (key,))
        if not found:
            raise self.missing(key)
        return found[0]

    def document(self, db: sqlite3.Connection, row: sqlite3.Row) -> Json:
        """Returns the document of a row; like Magento's, without members that are null."""
        found = {name: value for name, value in self._shown(row, "member") if value is not None}
        found |= self.more(db, dict(row))
        custom = [f for f in self.fields if f.place == "custom"]
        if custom:
            shown = [{"attribute_code": n, "value": v} for n, v in self._shown(row, "custom") if v not in (None, "")]
            found["custom_attributes"] = found.get("custom_attributes", []) + shown
        return found

    def get(self, db: sqlite3.Connection, key: object) -> Json:
        """Returns the document of a key."""
        return self.document(db, self.row(db, key))

    def documents(self, db: sqlite3.Connection, where: str, *values: Any) -> list[Json]:
        """Returns the documents of the rows that meet a condition."""
        return [self.document(db, row) for row in self.select(db, where, values)]

    def read(self, body: Mapping[str, Any]) -> Json:
        """Returns the columns that a body sets; members that are not kept are passed over, unknown ones refused."""
        values: Json = {}
        known = {*self.ignored.split(), "custom_attributes", "extension_attributes"}
        for name, value in body.items():
            field = next((f for f in self.fields if f.name == name and f.place != "custom"), None)
            if field is not None and field.sets:
                values |= _read(field, value)
            elif field is None and name not in known:
                raise ApiError('Property "%1" does not have accessor method in this class.', 400, [name])
        return values | self._read_custom(body.get("custom_attributes"))

    def _read_custom(self, attributes: Any) -> Json:
        """Returns the columns that a list of custom attributes sets; codes the shop does not know are passed over."""
        values: Json = {}
        for name, value in custom(attributes).items():
            field = next((f for f in self.fields if f.name == name and f.sets), None)
            values |= _read(field, value) if field is not None else {}
        return values

    def _shown(self, row: sqlite3.Row, place: Place) -> list[tuple[str, Any]]:
        """Returns name and value of the fields of a place."""
        return [
            (f.name, None if row[f.name] is None else f.kind.show(row[f.name])) for f in self.fields if f.place == place
        ]


def custom(attributes: Any) -> Json:
    """Returns code -> value of a list of custom attributes."""
    if attributes is None:
        return {}
    if not isinstance(attributes, list):
        raise invalid_type("custom_attributes", attributes, "array")
    for attribute in attributes:
        if not isinstance(attribute, dict) or not isinstance(attribute.get("attribute_code"), str):
            raise invalid_type("custom_attributes", attribute, "AttributeInterface")
    return {a["attribute_code"]: a.get("value") for a in attributes}


def sent(body: Mapping[str, Any], **kinds: Kind) -> Json:
    """Returns the members of an object that are of the given kinds; others are passed over."""
    found: Json = {}
    for name, kind in kinds.items():
        found |= _read(Field(name, "", kind, name), body[name]) if name in body else {}
    return found


def _read(field: Field, value: Any) -> Json:
    kind = field.kind
    if value is None:
        keep = kind.blank is KEEP or (kind.options is not None and kind.blank not in kind.options)
        return {} if keep else {field.sets: kind.blank}
    try:
        read = kind.read(value)
    except (ValueError, TypeError, ArithmeticError):
        raise invalid_type(field.name, value, kind.expected) from None
    if kind.options is not None and read not in kind.options:
        raise invalid_value(field.name, value)
    return {field.sets: read}
