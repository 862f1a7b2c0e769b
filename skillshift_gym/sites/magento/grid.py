"""Grids: lists of entities with filters, sorting and paging, the heart of the admin. Both front ends show the same ones.

A filter is a text for a key of a column: `name` for texts (part of the value), `status` for options (the value itself),
`price[from]` and `price[to]` for numbers, amounts and dates.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from typing import Any, Literal, NamedTuple

from .text import cents, parse_day

Kind = Literal["text", "number", "price", "date", "options"]
LIMITS = (20, 30, 50, 100, 200)


class Column(NamedTuple):
    """A column of a grid.

    Attributes:
        key: Its name in filters, sort fields and the query's rows.
        v1: Its heading in version 1.9, empty where that version has no such column.
        v2: Its heading in version 2.4, likewise.
        kind: What it holds.
        sql: Expression that gives the value; the key by default.
        options: Value -> label, for `options`.
        where: Expression that filters look at, when it is not `sql`.
    """

    key: str
    v1: str
    v2: str
    kind: Kind = "text"
    sql: str = ""
    options: Mapping[Any, str] | Callable[[sqlite3.Connection], Mapping[Any, str]] = {}
    where: str = ""

    def title(self, version: str) -> str:
        """Returns the heading in a version, empty where the column is not shown."""
        return self.v1 if version == "v1" else self.v2

    def labels(self, db: sqlite3.Connection) -> Mapping[Any, str]:
        """Returns value -> label."""
        return self.options(db) if callable(self.options) else self.options

    @property
    def expression(self) -> str:
        """The expression that gives the value."""
        return self.sql or self.key


@dataclass(frozen=True)
class Grid:
    """A grid.

    Attributes:
        name: Its name in semantic ids, such as `orders`.
        source: SQL after FROM, joins included.
        key: Expression of the entity's id.
        columns: Its columns, in order; those of one version only have an empty heading in the other.
        sort: Key of the column sorted by at first.
        direction: `asc` or `desc`.
        keyword: Expressions that a keyword search looks at.
        condition: SQL that always holds, such as `type_id = 'simple'`.
        extra: Further values a row carries: name -> expression.
    """

    name: str
    source: str
    key: str
    columns: tuple[Column, ...]
    sort: str
    direction: str = "desc"
    keyword: tuple[str, ...] = ()
    condition: str = "1"
    extra: Mapping[str, str] = field(default_factory=dict)

    def column(self, key: str) -> Column | None:
        """Returns a column by key."""
        return next((c for c in self.columns if c.key == key), None)

    def shown(self, version: str) -> tuple[Column, ...]:
        """Returns the columns of a version."""
        return tuple(c for c in self.columns if c.title(version))


class Query(NamedTuple):
    """What is asked of a grid.

    Attributes:
        filters: Field -> text, such as `price[from]` -> `10`.
        sort: Key of a column, empty for the grid's own.
        direction: `asc` or `desc`, empty likewise.
        page: From 1; a page beyond the last shows the last.
        limit: Rows a page.
        keyword: Words to look for.
    """

    filters: Mapping[str, str] = {}
    sort: str = ""
    direction: str = ""
    page: int = 1
    limit: int = 20
    keyword: str = ""


class Result(NamedTuple):
    """What a grid shows.

    Attributes:
        rows: The rows of the page: `id` and a value for each column key.
        total: Rows in all.
        page: Page shown, from 1.
        pages: Number of pages, at least 1.
        query: What was asked.
    """

    rows: list[sqlite3.Row]
    total: int
    page: int
    pages: int
    query: Query


def fetch(db: sqlite3.Connection, grid: Grid, query: Query) -> Result:
    """Returns a page of a grid; filters that make no sense for their column are passed over."""
    where, values = conditions(grid, query)
    total = db.execute(f"SELECT COUNT(*) FROM {grid.source} WHERE {where}", values).fetchone()[0]
    pages = max(1, -(-total // query.limit))
    page = min(max(1, query.page), pages)
    rows = db.execute(
        f"{_select(grid)} WHERE {where} {_order(grid, query)} LIMIT ? OFFSET ?",
        (*values, query.limit, (page - 1) * query.limit),
    ).fetchall()
    return Result(rows, total, page, pages, query)


def fetch_all(db: sqlite3.Connection, grid: Grid, query: Query) -> list[sqlite3.Row]:
    """Returns all rows of a grid, for exports."""
    where, values = conditions(grid, query)
    return db.execute(f"{_select(grid)} WHERE {where} {_order(grid, query)}", values).fetchall()


def ids(db: sqlite3.Connection, grid: Grid, query: Query) -> list[int]:
    """Returns the entities of all pages, for mass actions."""
    return [row["id"] for row in fetch_all(db, grid, query)]


def conditions(grid: Grid, query: Query) -> tuple[str, list[Any]]:
    """Returns the WHERE clause of a query and its values."""
    parts, values = [grid.condition], []
    for name, text in query.filters.items():
        found = _condition(grid, name, text.strip())
        if found:
            parts.append(found[0])
            values += found[1]
    if query.keyword.strip() and grid.keyword:
        parts.append("(" + " OR ".join(f"instr(lower({e}), ?)" for e in grid.keyword) + ")")
        values += [query.keyword.strip().lower()] * len(grid.keyword)
    return " AND ".join(parts), values


def _condition(grid: Grid, name: str, text: str) -> tuple[str, list[Any]] | None:
    key, _, end = name.partition("[")
    column = grid.column(key)
    if column is None or not text:
        return None
    expression = column.where or column.expression
    if column.kind == "text" and not end:
        return f"instr(lower({expression}), ?)", [text.lower()]
    if column.kind == "options" and not end:
        return f"CAST({expression} AS TEXT) = ?", [text]
    if end not in ("from]", "to]"):
        return (f"{expression} = ?", [value]) if (value := _number(column.kind, text)) is not None else None
    return _range(column.kind, expression, end, text)


def _range(kind: Kind, expression: str, end: str, text: str) -> tuple[str, list[Any]] | None:
    if kind == "date":
        day = parse_day(text)
        if not day:
            return None
        following = (date.fromisoformat(day) + timedelta(days=1)).isoformat()
        return (f"{expression} >= ?", [day]) if end == "from]" else (f"{expression} < ?", [following])
    value = _number(kind, text)
    if value is None:
        return None
    return f"{expression} {'>=' if end == 'from]' else '<='} ?", [value]


def _number(kind: Kind, text: str) -> float | int | None:
    if kind == "price":
        return cents(text)
    try:
        return float(text.replace(",", ""))
    except ValueError:
        return None


def _select(grid: Grid) -> str:
    columns = [f"{grid.key} AS id", *(f"{c.expression} AS {c.key}" for c in grid.columns)]
    columns += [f"{sql} AS {name}" for name, sql in grid.extra.items()]
    return f"SELECT {', '.join(columns)} FROM {grid.source}"


def _order(grid: Grid, query: Query) -> str:
    column = grid.column(query.sort) or grid.column(grid.sort)
    assert column is not None
    own = query.direction if query.direction in ("asc", "desc") else grid.direction
    return f"ORDER BY {column.expression} {own}, {grid.key} {own}"
