"""Stretches of days that a goal speaks of: `in May 2024`, `between Dec 1, 2023 and Feb 13, 2024`, `the last 14 days`.

Only calendar words are known; what is relative counts from the day that the goal, or else the page, says it is today.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import date, timedelta
from functools import lru_cache

from .months import MONTHS

_SHORT = {m[:3].lower(): i for i, m in enumerate(MONTHS, 1)}
_NAME = r"(?P<{0}>(?:" + "|".join(f"{m[:3]}(?:{m[3:]})?" for m in MONTHS) + r"))\.?"
_DAY = re.compile(_NAME.format("m") + r" (?P<d>\d{1,2}),? (?P<y>\d{4})|(?P<iso>\d{4}-\d{2}-\d{2})")
_MONTH = re.compile(_NAME.format("m") + r"(?: (?P<y>\d{4}))?\b", re.IGNORECASE)
_QUARTER = re.compile(r"\b(first|second|third|fourth|1st|2nd|3rd|4th|Q[1-4]) quarter of (\d{4})")
_YEAR = re.compile(r"\bin (\d{4})\b")
_LAST = re.compile(r"\b(?:last|past) (\d{1,3}) days\b")
_TODAY = re.compile(r"\b[Tt]oday(?: is|:)? ")
_PLACES = ("first", "second", "third", "fourth")


@lru_cache(maxsize=1024)
def span_of(goal: str, today: date | None = None) -> tuple[date, date] | None:
    """Returns the first and the last day of the stretch that a goal speaks of, None without one.

    Args:
        goal: The goal.
        today: The day that the page says it is; the goal's own word goes first.
    """
    said = ((m.start(), _DAY.match(goal, m.end())) for m in _TODAY.finditer(goal))
    start, here = next(((s, d) for s, d in said if d), (0, None))
    rest = goal if here is None else goal[:start] + goal[here.end() :]
    days = days_in(rest)
    if days:
        return min(days), max(days)
    now = _day(here) if here else today
    relative = _relative(rest.lower(), now) if now else None
    return relative or _calendar(rest)


def days_in(text: str) -> list[date]:
    """Returns the days written in a text, month by name or ISO, in order."""
    return [day for match in _DAY.finditer(text) if (day := _day(match)) is not None]


def slashed(day: date) -> str:
    """Returns a day as forms of the United States take it, such as `3/1/2023`."""
    return f"{day.month}/{day.day}/{day.year}"


def months_of(span: tuple[date, date]) -> Sequence[tuple[int, int]]:
    """Returns year and month of every month that a stretch touches, in order."""
    first, last = (d.year * 12 + d.month - 1 for d in span)
    return [divmod(n, 12) for n in range(first, last + 1)]


def _day(match: re.Match[str] | None) -> date | None:
    if match is None:
        return None
    try:
        if match["iso"]:
            return date.fromisoformat(match["iso"])
        return date(int(match["y"]), _SHORT[match["m"][:3].lower()], int(match["d"]))
    except ValueError:
        return None


def _calendar(text: str) -> tuple[date, date] | None:
    """Returns a quarter, months by name (a year may follow the last only), or a year."""
    quarter = _QUARTER.search(text)
    if quarter:
        place = _PLACES.index(quarter[1]) if quarter[1] in _PLACES else int(re.sub(r"\D", "", quarter[1])) - 1
        start = date(int(quarter[2]), 3 * place + 1, 1)
        return start, _end(date(start.year, start.month + 2, 1))
    named = [(m["y"], _SHORT[m["m"][:3].lower()]) for m in _MONTH.finditer(text) if m["m"][0].isupper()]
    years = [y for y, _ in named if y]
    if years:
        ends = [date(int(y or years[0]), month, 1) for y, month in named]
        return min(ends), _end(max(ends))
    year = _YEAR.search(text)
    return (date(int(year[1]), 1, 1), date(int(year[1]), 12, 31)) if year else None


def _relative(text: str, today: date) -> tuple[date, date] | None:
    """Returns a stretch that ends today, or the last whole month, quarter or year."""
    last = _LAST.search(text)
    if last:
        return today - timedelta(days=int(last[1]) - 1), today
    month, year = today.replace(day=1), today.replace(month=1, day=1)
    quarter = today.replace(month=3 * ((today.month - 1) // 3) + 1, day=1)
    for unit, start in (("month", month), ("quarter", quarter), ("year", year)):
        if f"this {unit}" in text:
            return start, today
        if f"last {unit}" in text or f"previous {unit}" in text:
            before = start - timedelta(days=1)
            length = {"month": 1, "quarter": 3, "year": 12}[unit]
            return date(before.year, before.month - length + 1, 1), before
    return None


def _end(month: date) -> date:
    return (month.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
