"""Answers that the tables of a page suggest: counts, cells of a row, columns, sums, what occurs most, counts by month."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from .goal_values import Values, values_of
from .reading import Reading, phrase, words
from .spans import days_in, months_of, span_of
from .tables import Table, amount, kinds_of, tables_of
from .vocabulary import UI_WORDS, share, stem, stems

_FOUND = re.compile(r"\b(\d[\d,]*) (?:records?|results?|items?|entries|rows?)(?: were)? found\b|\bfound (\d[\d,]*)\b")
_PHONE = re.compile(r"(?<![\w-])\+?\d{3}(?:[- ]\d{3,4}){2}(?![\w-])")
_MOST_COLUMNS = 8
_NAME, _DATE, _MONEY = stems("name customer"), stems("date when day"), stems("total dollars amount price")
_SUPERLATIVES = UI_WORDS["most"] | UI_WORDS["newest"] | UI_WORDS["oldest"]
_LONG = 6  # words of a cell that nobody would answer with


class Answer(NamedTuple):
    """An answer.

    Attributes:
        slot: What it is: `count`, `first`, `last` or `matched` (cells of such a row), `list`, `sum`, `most`, `months`,
            `shown` (a text of a certain form).
        value: The answer.
        column: Names of the columns that it is drawn from.
        kind: What these hold.
    """

    slot: str
    value: str
    column: str = ""
    kind: str = ""


@lru_cache(maxsize=256)
def table_answers(goal: str, reading: Reading) -> Sequence[Answer]:
    """Returns the answers, without repetition."""
    found = [Answer("count", m[1] or m[2]) for n in reading.nodes if (m := _FOUND.search(n.name))]
    found += [Answer("shown", m.group()) for n in reading.nodes if not n.bid and (m := _PHONE.search(n.name))][:2]
    table = asked_table(goal, reading)
    if table is not None and table.rows:
        found += _of_table(goal, values_of(goal), table)
    return list(dict.fromkeys(found))


@lru_cache(maxsize=1024)
def asked_table(goal: str, reading: Reading) -> Table | None:
    """Returns the table whose label and header the goal speaks of most; of equal ones the longest."""
    given = stems(goal)

    def worth(table: Table) -> tuple[float, int]:
        named = share(stems(table.label), given) + share(stems(" ".join(table.header)), given)
        return (round(named, 1), len(table.rows))

    return max((t for t in tables_of(reading) if t.rows), key=worth, default=None)


@lru_cache(maxsize=4096)
def matches(goal: str, row: tuple[str, ...]) -> float:
    """Returns how much of a row the goal names: 1 for a cell that it quotes or a code, less for capitalised words."""
    values = values_of(goal)
    cells = {phrase(c) for c in row}
    if any(phrase(v) in cells for v in (*values.quoted[:1], *values.codes, *values.slugs)):
        return 1.0
    return 0.6 * any(phrase(v) in cells for v in values.proper if len(words(v)) > 1)


@lru_cache(maxsize=1024)
def facts_asked(goal: str) -> frozenset[str]:
    """Returns the stems of what a goal asks for: what stands before a superlative, and in sentences that say `tell me`."""
    parts = re.split(r"(?<=[.?!;:]) ", goal)
    told = [p for p in parts if not UI_WORDS["tell"].isdisjoint(words(p)[:3])]
    first = words(parts[0])
    top = next((i for i, w in enumerate(first) if w in _SUPERLATIVES), len(first))
    return stems(" ".join((" ".join(first[:top]), *told)))


@lru_cache(maxsize=4096)
def column_named(goal: str, column: str, kind: str) -> float:
    """Returns how well a column fits what the goal asks for, by its name and by what it holds."""
    asked, own = facts_asked(goal), stems(column)
    held = (
        (kind == "date" and asked & _DATE)
        or (kind == "money" and asked & _MONEY)
        or (kind == "text" and "#" in column and "numb" in asked)
        or (_NAME & own and asked & _NAME)
    )
    return 1.0 if held else 0.9 * share(own, asked)


@lru_cache(maxsize=1024)
def pairs_asked(goal: str) -> bool:
    """Tells whether a goal asks for two facts: `and` stands between words for them."""
    return (
        re.search(r"\b(?:name|number|address|who|customer|it|which)\b[^.?!]* and \b", goal, re.IGNORECASE) is not None
    )


def rows_asked(goal: str) -> int | None:
    """Returns how many rows a goal asks about, None without a number or where the number measures something."""
    return None if stem("quantity") in stems(goal) else values_of(goal).many


def _of_table(goal: str, values: Values, table: Table) -> Iterator[Answer]:
    kinds = kinds_of(table)
    columns = [i for i, kind in enumerate(kinds) if kind and _worth(table, i)][:_MOST_COLUMNS]
    yield from _cells(goal, table, columns)
    rows = min(rows_asked(goal) or len(table.rows), len(table.rows))
    for i in columns:
        cells = [c for c in table.column(i)[:rows] if c]
        if kinds[i] in ("money", "number"):
            yield _sum(cells, table.header[i], kinds[i])
        elif kinds[i] in ("text", "email"):
            if len(words(cells[0] if cells else "")) <= _LONG and rows <= 2 * _MOST_COLUMNS:
                yield Answer("list", "; ".join(dict.fromkeys(cells)), table.header[i], kinds[i])
            yield from _most(values, table.column(i), table.header[i])
        elif kinds[i] == "date" and (span := span_of(goal)):
            counts = Counter((d.year, d.month) for c in table.column(i) for d in days_in(c)[:1])
            said = ", ".join(f"{m + 1:02d}:{counts[y, m + 1]}" for y, m in months_of(span))
            yield Answer("months", said, table.header[i], "date")


def _cells(goal: str, table: Table, columns: Sequence[int]) -> Iterator[Answer]:
    """Yields cells, and pairs of cells of different columns, of the first, the last and the matching row."""
    best = max(table.rows, key=lambda row: matches(goal, row))
    kinds = kinds_of(table)
    ends = _ends(table, kinds)
    rows = {"matched": best} if matches(goal, best) == 1.0 else {"first": ends[0], "last": ends[1]}
    for slot, row in rows.items():
        own = [i for i in columns if i < len(row) and row[i] and len(words(row[i])) <= 2 * _LONG]
        own = [i for i in own if kinds[i] != "text" or phrase(row[i]) not in phrase(goal)]  # the goal says it itself
        yield from (Answer(slot, _short(row[i], kinds[i]), table.header[i], kinds[i]) for i in own)
        named = [
            i
            for i in own
            if column_named(goal, table.header[i], kinds[i]) or kinds[i] == "money" or _NAME & stems(table.header[i])
        ]
        for a, i in enumerate(named):
            for j in named[a + 1 :]:
                column, kind = f"{table.header[i]}; {table.header[j]}", f"{kinds[i]}; {kinds[j]}"
                yield Answer(slot, f"{row[i]}, {_short(row[j], kinds[j])}", column, kind)


def _ends(table: Table, kinds: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Returns the first and the last row; where the oldest comes first, the other way round."""
    first, last = table.rows[0], table.rows[-1]
    dated = next((i for i, kind in enumerate(kinds) if kind == "date" and i < min(len(first), len(last))), None)
    if dated is None:
        return first, last
    days = days_in(first[dated])[:1], days_in(last[dated])[:1]
    return (last, first) if days[0] < days[1] else (first, last)


def _short(cell: str, kind: str) -> str:
    """Returns a cell as an answer says it: a day without the time."""
    if kind != "date":
        return cell
    return re.sub(r",? \d{1,2}:\d{2}.*$", "", cell)


def _worth(table: Table, number: int) -> bool:
    """Tells whether a column says something of its rows: not controls, nor the same as a column before."""
    name = phrase(table.header[number]).strip()
    cells = table.column(number)
    twin = any(table.column(i) == cells for i in range(number))
    return not twin and name not in ("select", "action", "actions", "")


def _sum(cells: Sequence[str], header: str, kind: str) -> Answer:
    total = sum(map(amount, cells))
    return Answer("sum", f"${total:,.2f}" if kind == "money" else f"{total:g}", header, kind)


def _most(values: Values, cells: Sequence[str], header: str) -> Iterator[Answer]:
    """Yields what occurs most, or second or third most where the goal says so."""
    counts = Counter(c for c in cells if c)
    place = values.place or 0
    ranked = counts.most_common()
    told = len(ranked) > 1 or len(cells) == 1  # one value in all rows tells nothing
    if told and 0 <= place < min(len(ranked), _MOST_COLUMNS):
        yield Answer("most", ranked[place][0], header, "text")
        yield Answer("most", f"{ranked[place][0]}, {ranked[place][1]}", header, "text; number")


def asked_slots(goal: str) -> frozenset[str]:
    """Returns which slots of answers a goal asks for, by its words."""
    given = frozenset(words(goal))
    text = phrase(goal)
    first = frozenset(words(goal)[:1])
    asks = "?" in goal or given & UI_WORDS["tell"] or UI_WORDS["ask"] & first
    asks = asks or given & {"many"} or (UI_WORDS["search"] & first and stems(goal) & stems("name email date"))
    if not asks and not (given & UI_WORDS["sum"] and rows_asked(goal)):
        return frozenset()
    if "month" in given and given & {"each", "every", "by", "per"}:
        return frozenset(["months"])
    if given & UI_WORDS["sum"] and rows_asked(goal):
        return frozenset(["sum"])
    if given & UI_WORDS["newest"] and rows_asked(goal) is None:
        return frozenset(["first"])
    if given & UI_WORDS["oldest"]:
        return frozenset(["last"])
    if given & UI_WORDS["count"] or (" number of " in text and not given & UI_WORDS["newest"]):
        return frozenset(["count"])
    if given & UI_WORDS["most"] and not rows_asked(goal):
        return frozenset(["most"])
    return frozenset(["list"]) if given & UI_WORDS["list"] else frozenset(["matched", "first"])
