"""Reports: sums over a period, and lists that need no dates. Both front ends show the same ones.

Sales figures go by the day an order was placed. Canceled orders count in no sum but `Canceled`.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any, Literal, NamedTuple

from .text import day, money

Unit = Literal["period", "text", "count", "money"]
PERIODS = {"day": "Day", "month": "Month", "year": "Year"}
_PERIOD_SQL = {"day": "substr({0}, 1, 10)", "month": "substr({0}, 1, 7)", "year": "substr({0}, 1, 4)"}


class Field(NamedTuple):
    """A column of a report: heading, unit, and the SQL that gives it."""

    title: str
    unit: Unit
    sql: str


@dataclass(frozen=True)
class Report:
    """A report.

    Attributes:
        name: Its name in semantic ids and addresses, such as `sales`.
        title: Its title in version 1.9.
        title_v2: Its title in version 2.4.
        source: SQL after FROM.
        date: Expression of the day it goes by, empty for a report without dates.
        fields: Its columns.
        group: Further expressions it is grouped by.
        order: SQL after ORDER BY, the period left out.
        status: Expression of the order status, empty where there is none to choose.
        totals: Whether a row of totals ends it.
        condition: SQL that always holds.
        top: Rows a period, 0 for all.
    """

    name: str
    title: str
    title_v2: str
    source: str
    date: str
    fields: tuple[Field, ...]
    group: tuple[str, ...] = ()
    order: str = "1"
    status: str = ""
    totals: bool = False
    condition: str = "1"
    top: int = 0

    def heading(self, version: str) -> str:
        """Returns its title in a version."""
        return self.title if version == "v1" else self.title_v2


class ReportQuery(NamedTuple):
    """What is asked of a report: period, first and last day (ISO), order statuses (none for any), empty rows shown."""

    period: str = "day"
    start: str = ""
    end: str = ""
    statuses: tuple[str, ...] = ()
    empty_rows: bool = False


class Table(NamedTuple):
    """What a report shows, as text: headings, rows, the row of totals or nothing, and the values behind the rows."""

    headings: tuple[str, ...]
    rows: list[tuple[str, ...]]
    totals: tuple[str, ...]
    values: list[tuple[Any, ...]]


def run(db: sqlite3.Connection, report: Report, query: ReportQuery = ReportQuery()) -> Table:  # noqa: B008  immutable
    """Returns what a report shows; one with dates shows nothing until both are given."""
    dated = bool(report.date)
    headings = (*(("Interval",) if dated else ()), *(field.title for field in report.fields))
    if dated and not (query.start and query.end):
        return Table(headings, [], (), [])
    values = _values(db, report, query)
    rows = [tuple(_text(unit, value) for unit, value in zip(_units(report), row, strict=True)) for row in values]
    return Table(headings, rows, _totals(report, values), values)


def _values(db: sqlite3.Connection, report: Report, query: ReportQuery) -> list[tuple[Any, ...]]:
    where, given = report.condition, []
    if report.date:
        where += f" AND substr({report.date}, 1, 10) BETWEEN ? AND ?"
        given += [query.start, query.end]
    if report.status and query.statuses:
        where += f" AND {report.status} IN ({', '.join('?' * len(query.statuses))})"
        given += list(query.statuses)
    period = _PERIOD_SQL.get(query.period, _PERIOD_SQL["day"]).format(report.date) if report.date else ""
    groups = [*([period] if period else []), *report.group]
    columns = ", ".join([*([period] if period else []), *(field.sql for field in report.fields)])
    grouped = f"GROUP BY {', '.join(groups)}" if groups else ""
    order = ", ".join([*([period] if period else []), report.order])
    rows = [
        tuple(row)
        for row in db.execute(f"SELECT {columns} FROM {report.source} WHERE {where} {grouped} ORDER BY {order}", given)
    ]
    if report.top:
        rows = _top(rows, report.top)
    return list(_filled(report, query, rows)) if report.date and query.empty_rows else rows


def _top(rows: list[tuple[Any, ...]], count: int) -> list[tuple[Any, ...]]:
    seen: dict[Any, int] = {}
    kept = []
    for row in rows:
        seen[row[0]] = seen.get(row[0], 0) + 1
        if seen[row[0]] <= count:
            kept.append(row)
    return kept


def _filled(report: Report, query: ReportQuery, rows: list[tuple[Any, ...]]) -> Iterator[tuple[Any, ...]]:
    """Yields the rows, and one of zeros for each interval that has none."""
    empty = tuple("" if field.unit == "text" else 0 for field in report.fields)
    for interval in intervals(query):
        found = [row for row in rows if row[0] == interval]
        yield from found or [(interval, *empty)]


def intervals(query: ReportQuery) -> list[str]:
    """Returns the intervals between two days, such as `2024-03`."""
    first, last = date.fromisoformat(query.start), date.fromisoformat(query.end)
    size = {"month": 7, "year": 4}.get(query.period, 10)
    days = ((first + timedelta(days=n)).isoformat()[:size] for n in range((last - first).days + 1))
    return list(dict.fromkeys(days))


def _units(report: Report) -> tuple[Unit, ...]:
    return (*(("period",) if report.date else ()), *(field.unit for field in report.fields))


def _totals(report: Report, values: list[tuple[Any, ...]]) -> tuple[str, ...]:
    if not report.totals or not values:
        return ()
    columns = zip(_units(report), zip(*values, strict=True), strict=True)
    texts = [_text(unit, sum(column)) if unit in ("count", "money") else "" for unit, column in columns]
    return ("Total", *texts[1:])


def _text(unit: Unit, value: Any) -> str:
    return _WRITTEN[unit](value)


def _period(value: str) -> str:
    if len(value) == 4:
        return value
    return f"{int(value[5:7])}/{value[:4]}" if len(value) == 7 else day(value)


_WRITTEN: dict[Unit, Callable[[Any], str]] = {
    "period": _period,
    "text": str,
    "count": lambda value: str(value or 0),
    "money": lambda value: money(value or 0),
}
