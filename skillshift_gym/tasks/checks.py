"""Checks: what makes an episode a success.

A task has a tuple of checks; all must hold. Unless a task has a state check, the business state must be unchanged:
collateral damage fails a task and is reported.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, ClassVar, NamedTuple
from urllib.parse import parse_qsl, quote, unquote_to_bytes, urlencode, urlsplit

from ..page import Page
from ..sites.protocol import Change
from . import answers


class Outcome(NamedTuple):
    """What an episode left behind.

    Attributes:
        message: The answer sent to the user, None when none was sent.
        infeasible: The reason reported, None when the task was not reported infeasible.
        page: The last page shown.
        changes: Business rows that differ from the start.
    """

    message: str | None
    infeasible: str | None
    page: Page
    changes: tuple[Change, ...]


class Verdict(NamedTuple):
    """Whether a check holds, and why not."""

    ok: bool
    reason: str = ""


class Check:
    """One condition of success.

    Attributes:
        kind: `answer`, `url`, `state` or `page`.
    """

    kind: ClassVar[str]

    def judge(self, outcome: Outcome) -> Verdict:
        """Returns whether the condition holds."""
        raise AssertionError("abstract")


@dataclass(frozen=True)
class AnswerCheck(Check):
    """The message satisfies a matcher.

    Attributes:
        matcher: Name of a function of `answers`.
        expected: Its expected value.
        options: Its further keyword arguments.
    """

    kind: ClassVar[str] = "answer"
    matcher: str
    expected: Any
    options: tuple[tuple[str, Any], ...] = ()

    def judge(self, outcome: Outcome) -> Verdict:
        """Returns whether the message matches."""
        if outcome.message is None:
            return Verdict(False, "no answer was sent")
        if MATCHERS[self.matcher](outcome.message, self.expected, **dict(self.options)):
            return Verdict(True)
        return Verdict(False, f"expected {self.matcher} {self.expected!r}, got {outcome.message[:200]!r}")


@dataclass(frozen=True)
class UrlCheck(Check):
    """The last page has a given address: path and query, in canonical form; host and fragment do not count.

    Attributes:
        url: The expected address.
        ignore: Query fields that do not count.
        fragment: Whether the address must lead to a place in the page; which one does not count, since its id may have
            changed with the page.
        also: Further addresses that count, such as that of the same page in the other version.
        query: Whether the query counts.
        forget: Pattern of what does not count in a path, such as a session's key.
    """

    kind: ClassVar[str] = "url"
    url: str
    ignore: tuple[str, ...] = ()
    fragment: bool = False
    also: tuple[str, ...] = ()
    query: bool = True
    forget: str = ""

    def judge(self, outcome: Outcome) -> Verdict:
        """Returns whether the addresses agree."""
        got, *expected = (self._canonical(u) for u in (outcome.page.url, self.url, *self.also))
        if got in expected and self.fragment and not urlsplit(outcome.page.url).fragment:
            return Verdict(False, f"expected a place in {got}, got the page itself")
        return Verdict(got in expected, "" if got in expected else f"expected {' or '.join(expected)}, got {got}")

    def _canonical(self, url: str) -> str:
        found = canonical_url(url if self.query else urlsplit(url)._replace(query="").geturl(), self.ignore)
        return re.sub(self.forget, "", found) if self.forget else found


@dataclass(frozen=True)
class StateCheck(Check):
    """The business diff is exactly the expected one.

    Attributes:
        expected: One (table, operation, business columns) for each row; columns left out may hold anything, `key` is the
            row's own key.
    """

    kind: ClassVar[str] = "state"
    expected: tuple[tuple[str, str, Mapping[str, Any]], ...]

    def judge(self, outcome: Outcome) -> Verdict:
        """Returns whether every expected row is there and no other."""
        holders = _assign(self.expected, outcome.changes)
        for number, (table, operation, columns) in enumerate(self.expected):
            if number not in holders.values():
                return Verdict(False, f"expected {operation} in {table} with {dict(columns)!r}; it did not happen")
        return _no_more([c for place, c in enumerate(outcome.changes) if place not in holders])


@dataclass(frozen=True)
class UnchangedCheck(Check):
    """No business row has changed."""

    kind: ClassVar[str] = "unchanged"

    def judge(self, outcome: Outcome) -> Verdict:
        """Returns whether the diff is empty."""
        return _no_more(list(outcome.changes))


@dataclass(frozen=True)
class PageCheck(Check):
    """The last page shows something, read through semantic ids.

    Attributes:
        text: What must hold, in words, for reports.
        holds: The test.
    """

    kind: ClassVar[str] = "page"
    text: str
    holds: Callable[[Page], bool]

    def judge(self, outcome: Outcome) -> Verdict:
        """Returns whether the page passes the test."""
        ok = self.holds(outcome.page)
        return Verdict(ok, "" if ok else f"the page does not show: {self.text}")


MATCHERS: dict[str, Callable[..., bool]] = {
    "exact": answers.is_exact,
    "includes": answers.includes,
    "number": answers.has_number,
    "date": lambda answer, expected, without=(): answers.has_date(
        answers.leave_out(answer, without), date.fromisoformat(expected)
    ),
    "list": answers.lists_exactly,
    "yes_no": answers.says_yes_or_no,
}


def judge(checks: tuple[Check, ...], outcome: Outcome) -> tuple[bool, list[dict[str, Any]]]:
    """Returns whether all checks hold (a task reported infeasible fails), and a record of each."""
    if outcome.infeasible is not None:
        return False, [{"kind": "answer", "ok": False, "reason": "the task was reported infeasible"}]
    records = [{"kind": c.kind, **c.judge(outcome)._asdict()} for c in with_unchanged(checks)]
    return all(r["ok"] for r in records), records


def with_unchanged(checks: tuple[Check, ...]) -> tuple[Check, ...]:
    """Returns the checks, with the empty diff demanded where no state check says otherwise."""
    return checks if any(c.kind == "state" for c in checks) else (*checks, UnchangedCheck())


def canonical_url(url: str, ignore: tuple[str, ...] = ()) -> str:
    """Returns path and sorted query of an address, percent-encoding normalised, without a trailing slash.

    A field without a value counts (`?s=` is another page than the same address without it); host and fragment do not.
    An address that no site serves (`about:blank`, a browser's error page) stays as it is.
    """
    parts = urlsplit(url)
    if parts.scheme not in ("", "http", "https"):
        return url
    path = "/".join(quote(unquote_to_bytes(part), safe="!$&'()*+,;=:@") for part in parts.path.split("/"))
    fields = sorted(
        (k, " ".join(v.split())) for k, v in parse_qsl(parts.query, keep_blank_values=True) if k not in ignore
    )
    return (path.rstrip("/") or "/") + (f"?{urlencode(fields)}" if fields else "")


def _assign(expected: tuple[tuple[str, str, Mapping[str, Any]], ...], changes: tuple[Change, ...]) -> dict[int, int]:
    """Returns a greatest matching, place of a change -> number of the expected row it fits."""
    holders: dict[int, int] = {}

    def find(number: int, seen: set[int]) -> bool:
        for place, change in enumerate(changes):
            if place in seen or not _fits(change, *expected[number]):
                continue
            seen.add(place)
            if place not in holders or find(holders[place], seen):
                holders[place] = number
                return True
        return False

    for number in range(len(expected)):
        find(number, set())
    return holders


def _fits(change: Change, table: str, operation: str, columns: Mapping[str, Any]) -> bool:
    if (change.table, change.operation) != (table, operation):
        return False
    row = {**(change.before if operation == "delete" else change.after), "key": change.key}
    if operation == "update" and set(row) - set(columns) - {"key"}:
        return False
    return all(key in row and row[key] == value for key, value in columns.items())


def _no_more(changes: list[Change]) -> Verdict:
    if not changes:
        return Verdict(True)
    first = changes[0]
    return Verdict(False, f"unexpected {first.operation} in {first.table} #{first.key} ({len(changes)} in all)")
