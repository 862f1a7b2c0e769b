"""Reports to be shown."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

from ...sites.magento.report_tables import REPORTS
from ...sites.magento.reports import ReportQuery, run
from ...sites.magento.text import day, slashed
from ..build import Variant
from ..family import Params
from ..oracle import Step
from .data import TODAY, Case, Span, db, runs
from .steps import DONE, ReportShown, choose, enter, menu, on, push

RELATIVE = "reports over a relative period"
BETWEEN = "reports between two dates"


def relative_variants() -> list[Variant]:
    """Returns the five families that open a report over a period relative to today."""
    reports = ("sales", "tax", "refunded", "sales", "tax")
    words = {
        "sales": ("Show me the orders report for {words}. Today is {today}.", "Today is {today}. Create an orders report over {words}."),
        "tax": ("Show me the tax report for {words}. Today is {today}.", "Today is {today}. Create a tax report over {words}."),
        "refunded": ("Show me the refunds report for {words}. Today is {today}.", "Today is {today}. Create a refunds report over {words}."),
    }  # fmt: skip
    return [
        _report_variant(
            words[name],
            [Case((f"{name} {s.words}",), _report_params(name, s)) for s in _relative() if _has_rows(name, s)],
            place,
        )
        for place, name in enumerate(reports)
    ]


def between_variants() -> list[Variant]:
    """Returns the five families that open a report between two dates."""
    named = {
        "sales": "orders report", "shipping": "shipping report", "viewed": "report of the most viewed products", "coupons": "coupons report",
        "bestsellers": "bestsellers report",
    }  # fmt: skip
    found_variants = []
    for place, (name, title) in enumerate(named.items()):
        goals = (
            f"Create the {title} from {{first}} to {{last}}.",
            f"Show me the {title} between {{first}} and {{last}}.",
        )
        spans = [
            Span(s.start, (date.fromisoformat(s.end) - timedelta(days=k)).isoformat(), s.words)
            for k, s in enumerate(runs(1, 4))
        ]
        cases = [
            Case((f"{name} {s.start} {s.end}",), _report_params(name, s))
            for s in spans
            if s.start < s.end and _has_rows(name, s)
        ]
        found_variants.append(_report_variant(goals, cases, place))
    return found_variants


def _report_variant(goals: tuple[str, str], cases: list[Case], place: int) -> Variant:
    own = [c for i, c in enumerate(cases) if i % 2 == place % 2] if place >= 3 else cases
    return Variant(
        goals, own or cases, lambda c: c.params, lambda p: (on(f"reports.{p['report']}"), ReportShown(p["report"], p["start"], p["end"])),
        _report_oracle,
    )  # fmt: skip


def _report_params(name: str, span: Span) -> dict[str, Any]:
    return {
        "report": name, "start": span.start, "end": span.end, "words": span.words, "today": day(TODAY.isoformat()),
        "first": day(span.start), "last": day(span.end),
    }  # fmt: skip


def _report_oracle(p: Params, version: str) -> list[Step]:
    return [*opened(version, p["report"], p["start"], p["end"]), DONE]


def opened(version: str, name: str, start: str, end: str, period: str = "") -> list[Step]:
    """Returns the steps that show a report between two days, by the period with a label if one is given."""
    chosen = [choose("report.field{period}", period)] if period else []
    return [
        *menu(version, f"reports.{name}"), *chosen, enter("report.field{from}", slashed(start)), enter("report.field{to}", slashed(end)),
        push(f"report.show{{{name}}}"),
    ]  # fmt: skip


def _has_rows(name: str, span: Span) -> bool:
    return bool(run(db(), REPORTS[name], ReportQuery("day", span.start, span.end)).rows)


def _relative() -> list[Span]:
    """Returns stretches that end today or with the last whole period, and their names."""
    month, year = TODAY.replace(day=1), TODAY.replace(month=1, day=1)
    quarter = _quarter(TODAY)
    before = {"last month": month, "last year": year, "the previous quarter": quarter}
    starts = {
        "last month": (month - timedelta(days=1)).replace(day=1), "last year": year.replace(year=year.year - 1),
        "the previous quarter": _quarter(quarter - timedelta(days=1)),
    }  # fmt: skip
    since = {"this month so far": month, "this quarter so far": quarter, "this year so far": year}
    spans = [Span(starts[w].isoformat(), (end - timedelta(days=1)).isoformat(), w) for w, end in before.items()]
    spans += [Span(first.isoformat(), TODAY.isoformat(), w) for w, first in since.items()]
    for count in (7, 14, 30, 45, 60, 90, 120, 180):
        first = TODAY - timedelta(days=count - 1)
        spans.append(Span(first.isoformat(), TODAY.isoformat(), f"the last {count} days, today included"))
    return spans


def _quarter(day_in_it: date) -> date:
    """Returns the first day of the quarter that a day is in."""
    return day_in_it.replace(month=3 * ((day_in_it.month - 1) // 3) + 1, day=1)
