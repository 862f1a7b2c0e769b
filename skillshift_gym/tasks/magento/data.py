"""The shop's content as tasks read it: from the seeded database, not from its pages."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from typing import Any

from ...months import MONTHS
from ...sites.magento import seed
from ...sites.magento.schema import EPOCH

TODAY = EPOCH.date()


@dataclass(frozen=True)
class Case:
    """What an instance is about.

    Attributes:
        marks: What it must not share with a benchmark instance: what bears the answer first.
        params: Values of the goal, the checks and the oracle.
    """

    marks: tuple[object, ...]
    params: Mapping[str, Any] = field(compare=False)


@dataclass(frozen=True)
class Span:
    """A stretch of days, the last one included, and how a goal speaks of it.

    Attributes:
        start: ISO day.
        end: ISO day.
        words: Such as `in March 2024`; empty for all time.
    """

    start: str
    end: str
    words: str

    def holds(self, moment: str) -> bool:
        """Tells whether a moment falls into it."""
        return self.start <= moment[:10] <= self.end

    @property
    def is_all(self) -> bool:
        """Whether it stands for all time."""
        return not self.words


EVER = Span("2000-01-01", "2099-12-31", "")


def db() -> sqlite3.Connection:
    """Returns a read-only connection to the seeded shop."""
    return seed.image().connection


@cache
def rows(sql: str) -> tuple[dict[str, Any], ...]:
    """Returns the rows of a query on the seeded shop."""
    return tuple(dict(row) for row in db().execute(sql))


def orders() -> tuple[dict[str, Any], ...]:
    """Returns all orders, newest first, with the name they are billed to."""
    return rows(
        "SELECT o.*, b.firstname || ' ' || b.lastname AS billing_name FROM sales_order o JOIN sales_order_address b "
        "ON b.parent_id = o.entity_id AND b.address_type = 'billing' ORDER BY o.created_at DESC, o.entity_id DESC"
    )


@cache
def months() -> tuple[Span, ...]:
    """Returns the months of the shop's sales, oldest first; the present one is left out."""
    found = []
    first = date(2023, 1, 1)
    while first < TODAY.replace(day=1):
        following = (first + timedelta(days=32)).replace(day=1)
        last = following - timedelta(days=1)
        found.append(Span(first.isoformat(), last.isoformat(), f"in {MONTHS[first.month - 1]} {first.year}"))
        first = following
    return tuple(found)


@cache
def quarters() -> tuple[Span, ...]:
    """Returns the quarters of the shop's sales that are over, oldest first."""
    names = ("first", "second", "third", "fourth")
    whole = [months()[i : i + 3] for i in range(0, len(months()) - 2, 3)]
    return tuple(
        Span(three[0].start, three[2].end, f"in the {names[i % 4]} quarter of {three[0].start[:4]}")
        for i, three in enumerate(whole)
    )


@cache
def years() -> tuple[Span, ...]:
    """Returns 2023, and 2024 up to the end of May."""
    return (Span("2023-01-01", "2023-12-31", "in 2023"), Span("2024-01-01", "2024-05-31", "from January to May 2024"))


@cache
def runs(least: int, most: int) -> tuple[Span, ...]:
    """Returns stretches of several whole months, by first month and length."""
    found = []
    for i in range(len(months())):
        for length in range(least, most + 1):
            if i + length <= len(months()):
                first, last = months()[i], months()[i + length - 1]
                words = first.words if length == 1 else f"from {first.words[3:]} to {last.words[3:]}"
                found.append(Span(first.start, last.end, words))
    return tuple(found)
