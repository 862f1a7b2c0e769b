"""Tables of a page: headers, rows and what their columns hold."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from .reading import Reading, words
from .spans import days_in

_MONEY = re.compile(r"-?\$\d[\d,]*(?:\.\d+)?$")
_WHOLE = re.compile(r"(?:0|[1-9]\d{0,5})(?:\.0+)?$")  # a number that starts with zero is a code
_MAIL = re.compile(r"\S+@\S+$")
_ENTRY_ROLES = ("textbox", "searchbox", "combobox", "listbox")
_CELL_ROLES = ("cell", "gridcell", "rowheader")


class Table(NamedTuple):
    """A table.

    Attributes:
        label: Heading over it.
        header: Names of its columns.
        rows: Texts of the cells, row by row; rows of fields left out.
        positions: Position of each row's node.
    """

    label: str
    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    positions: tuple[int, ...]

    def column(self, number: int) -> list[str]:
        """Returns the cells of a column."""
        return [row[number] for row in self.rows if number < len(row)]


@lru_cache(maxsize=256)
def tables_of(reading: Reading) -> Sequence[Table]:
    """Returns the tables of a page that have a header, in order."""
    return [
        t for i, node in enumerate(reading.nodes) if node.role in ("table", "grid") and (t := _table(reading, i)).header
    ]


@lru_cache(maxsize=256)
def main_table(reading: Reading) -> Table | None:
    """Returns the table with the most rows, None without one."""
    return max(tables_of(reading), key=lambda t: len(t.rows), default=None)


@lru_cache(maxsize=1024)
def kinds_of(table: Table) -> tuple[str, ...]:
    """Returns what each column holds: `date`, `money`, `number`, `email`, `text`, or nothing where it is empty."""
    return tuple(_kind([c for c in table.column(i) if c]) for i in range(len(table.header)))


@lru_cache(maxsize=16_384)
def shape(text: str) -> str:
    """Returns a text with its digits and letters made alike: codes of one kind look the same."""
    return re.sub(r"[A-Za-z]+", "a", re.sub(r"\d", "9", text))


@lru_cache(maxsize=1024)
def shapes_of(table: Table) -> tuple[frozenset[str], ...]:
    """Returns the shapes of each column's cells."""
    return tuple(frozenset(map(shape, table.column(i))) for i in range(len(table.header)))


def amount(text: str) -> float:
    """Returns the number that a cell holds, without signs of currency and thousands."""
    return float(re.sub(r"[^\d.-]", "", text) or 0)


def _kind(cells: Sequence[str]) -> str:
    if not cells:
        return ""
    looks = Counter(map(_look, cells))
    return looks.most_common(1)[0][0]


@lru_cache(maxsize=16_384)
def _look(cell: str) -> str:
    if _MONEY.match(cell):
        return "money"
    if _WHOLE.match(cell):
        return "number"
    if _MAIL.match(cell):
        return "email"
    return "date" if len(words(cell)) <= 7 and days_in(cell) else "text"


def _table(reading: Reading, position: int) -> Table:
    nodes = reading.nodes
    header: tuple[str, ...] = ()
    rows: list[tuple[str, ...]] = []
    positions: list[int] = []
    end = reading.end(position)
    starts = [i for i in range(position + 1, end) if nodes[i].role == "row"]
    for start, stop in zip(starts, [*starts[1:], end], strict=True):
        inside = nodes[start + 1 : stop]
        depth = nodes[start].depth + 1
        heads = tuple(n.name for n in inside if n.depth == depth and n.role == "columnheader")
        cells = tuple(n.name for n in inside if n.depth == depth and n.role in _CELL_ROLES)
        if heads and not cells and not header:
            header = heads
        elif cells and not any(n.role in _ENTRY_ROLES for n in inside):
            rows.append(cells)
            positions.append(start)
    whole = [
        i for i, row in enumerate(rows) if len(row) >= len(header) - 1 > 0
    ]  # a row of one cell says that nothing was found
    return Table(reading.label_of(position), header, tuple(rows[i] for i in whole), tuple(positions[i] for i in whole))
