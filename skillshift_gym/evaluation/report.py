"""Reports of a run: a Markdown table and a self-contained HTML page, both derived from the per-task records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from ..files import write_atomically
from ..tasks.registry import task_of
from . import recount, traces
from .contrasts import CONTRASTS, Contrast, contrasts, describe, figures
from .metrics import Cell, Metric, macro, measure
from .records import RunInfo, TaskRecord, by_cell, read_records, read_run
from .rendering import page
from .runner import planned_tasks

__all__ = [
    "HTML",
    "LEGEND",
    "MARKDOWN",
    "Report",
    "build_report",
    "count",
    "describe",
    "html",
    "markdown",
    "notes",
    "write_report",
]

MARKDOWN = "report.md"
HTML = "report.html"
LEGEND = (
    "SR and SFR in percent; 95% intervals in brackets (SR: Wilson; the others: bootstrap over tasks). "
    "AS, ASC and AP are means over all measured tasks (n); SFR is out of the skill calls it names. "
    "The macro mean gives every defined cell the same weight."
)
_COLUMNS = (
    ("SR %", "sr", 1),
    ("AS", "steps", 2),
    ("ASC", "calls", 2),
    ("SFR %", "failures", 1),
    ("AP", "primitives", 2),
)


class Row(NamedTuple):
    """One cell of the run."""

    site: str
    condition: str
    cell: Cell


class Failures(NamedTuple):
    """Typed action failures of a cell, and the actions they are out of."""

    cell: str
    actions: int
    counts: Counter[str]


class Report(NamedTuple):
    """Everything a report shows.

    Attributes:
        info: What was run.
        rows: The cells.
        overall: Column title -> macro mean of the cells, each with the same weight; empty for a single cell.
        contrasts: Paired comparisons.
        kinds: Kind of goal -> (cell, success rate) for each cell.
        failures: Typed action failures of each cell.
        records: All records.
    """

    info: RunInfo
    rows: list[Row]
    overall: dict[str, Metric]
    contrasts: list[Contrast]
    kinds: list[tuple[str, list[tuple[str, Metric]]]]
    failures: list[Failures]
    records: list[TaskRecord]


def build_report(folder: Path) -> Report:
    """Returns the report of a run.

    Raises:
        UsageError: The folder holds no run.
    """
    info, records = read_run(folder), read_records(folder)
    cells = {key: by_cell(records).get(key, []) for key in [(s, c) for s in info.sites for c in info.conditions]}
    rows = [
        Row(site, condition, measure(found, len(planned_tasks(info, site))))
        for (site, condition), found in cells.items()
    ]
    return Report(info, rows, _overall(rows), contrasts(info, cells), _kinds(info, records), _failures(cells), records)


def write_report(folder: Path) -> str:
    """Writes the Markdown and HTML reports of a run and returns the Markdown text."""
    report = build_report(folder)
    text = markdown(report)
    write_atomically(folder / MARKDOWN, text)
    write_atomically(folder / HTML, html(report))
    return text


def markdown(report: Report) -> str:
    """Returns the report as Markdown."""
    info = report.info
    lines = [
        f"# {info.agent}, split {info.split}, seed {info.seed}, browser {info.browser}",
        "",
        "| site | condition | n | " + " | ".join(title for title, _, _ in _COLUMNS) + " |",
        "|---" * (3 + len(_COLUMNS)) + "|",
        *(_line(row) for row in report.rows),
        *([_overall_line(report)] if report.overall else []),
        "",
        LEGEND,
        *[f"- {note}" for note in notes(report)],
    ]
    if report.contrasts:
        lines += ["", f"{CONTRASTS}:", ""]
        lines += [f"- {describe(c)}" for c in report.contrasts]
    lines += ["", "| kind | " + " | ".join(f"{r.site} {r.condition}" for r in report.rows) + " |"]
    lines.append("|---" * (1 + len(report.rows)) + "|")
    for kind, metrics in report.kinds:
        lines.append(f"| {kind} | " + " | ".join(f"{_number(m, 0)} (n = {m.n})" for _, m in metrics) + " |")
    lines += ["", "Typed action failures:", ""]
    lines += [f"- {failures(f)}" for f in report.failures]
    measured = [r for r in report.records if r.status == "ok"]
    if by_code := recount.table(recount.codes(measured)):
        lines += ["", "Skill calls by code, observed / true:", "", *by_code]
        lines += ["", "SFR / SFR_true in percent by kind of mark that found a target:", "", *recount.kinds(measured)]
    return "\n".join(lines) + "\n"


def html(report: Report) -> str:
    """Returns the report as one HTML page that needs nothing else."""
    return page(
        "report.html",
        report=report._replace(records=sorted(report.records, key=_natural)),
        columns=_COLUMNS,
        legend=LEGEND,
        notes=notes(report),
        contrasts_title=CONTRASTS,
        contrasts=[(c, figures(c)) for c in report.contrasts],
        failures=[failures(f) for f in report.failures],
        steps_top=_top(report),
        number=_number,
        interval=_interval,
        denominator=_denominator,
        count=count,
        cut=_cut,
    )


def notes(report: Report) -> list[str]:
    """Returns why numbers are missing or weak, and what else happened."""
    found: dict[str, list[str]] = {}
    for row in report.rows:
        for title, field, _ in _COLUMNS:
            metric: Metric = getattr(row.cell, field)
            if metric.reason:
                found.setdefault(f"{title.split()[0]}: {metric.reason}", []).append(f"{row.site} {row.condition}")
    cells = by_cell(report.records)
    missing = [f"{note} ({', '.join(where)})" for note, where in found.items()]
    return [*missing, *traces.typed_addresses(cells), *traces.blockers(cells), *traces.skill_calls(cells)]


def count(cell: Cell) -> str:
    """Returns the denominator of a cell: `n = 77/79, 2 errors` when it is not complete."""
    errors = f", {_plural(cell.errors, 'error')}" if cell.errors else ""
    return str(cell.n) if cell.n == cell.planned and not errors else f"{cell.n}/{cell.planned}{errors}"


def failures(found: Failures) -> str:
    """Returns the typed action failures of a cell in words."""
    counts = ", ".join(f"{code} {times}" for code, times in sorted(found.counts.items())) or "none"
    return f"{found.cell}: {counts} (of {_plural(found.actions, 'action')})"


def _overall(rows: Sequence[Row]) -> dict[str, Metric]:
    if len(rows) < 2:
        return {}
    return {title: macro([getattr(row.cell, field) for row in rows]) for title, field, _ in _COLUMNS}


def _kinds(info: RunInfo, records: Sequence[TaskRecord]) -> list[tuple[str, list[tuple[str, Metric]]]]:
    table = []
    for kind in dict.fromkeys(r.kind for r in records):
        metrics = []
        for site in info.sites:
            for condition in info.conditions:
                chosen = [r for r in records if (r.kind, r.site, r.condition) == (kind, site, condition)]
                metrics.append((f"{site} {condition}", measure(chosen).sr))
        table.append((kind, metrics))
    return table


def _failures(cells: dict[tuple[str, str], list[TaskRecord]]) -> list[Failures]:
    found = []
    for (site, condition), records in cells.items():
        counts: Counter[str] = Counter()
        for record in records:
            counts.update(record.errors)
        found.append(Failures(f"{site} {condition}", sum(r.steps for r in records), counts))
    return found


def _line(row: Row) -> str:
    cells = []
    for title, field, digits in _COLUMNS:
        metric = getattr(row.cell, field)
        cells.append(f"{_number(metric, digits)}{_interval(metric, digits)}{_denominator(title, metric)}")
    return f"| {row.site} | {row.condition} | {count(row.cell)} | " + " | ".join(cells) + " |"


def _overall_line(report: Report) -> str:
    cells = [
        f"{_number(report.overall[title], d)} ({_plural(report.overall[title].n, 'cell')})" for title, _, d in _COLUMNS
    ]
    return "| macro mean | | | " + " | ".join(cells) + " |"


def _number(metric: Metric, digits: int) -> str:
    return "null" if metric.value is None else f"{metric.value:.{digits}f}"


def _interval(metric: Metric, digits: int) -> str:
    return f" [{metric.interval.low:.{digits}f}, {metric.interval.high:.{digits}f}]" if metric.interval else ""


def _denominator(title: str, metric: Metric) -> str:
    """Returns the denominator of a number that is not out of the cell's tasks."""
    return f" of {_plural(metric.n, 'call')}" if title.startswith("SFR") and metric.value is not None else ""


def _plural(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _top(report: Report) -> int:
    """Returns the end of the axis of AS: the largest budget of the run's tasks."""
    if isinstance(report.info.budget, int):
        return report.info.budget
    return max(task_of(t).budget for site in report.info.sites for t in planned_tasks(report.info, site))


def _natural(record: TaskRecord) -> tuple[str, int, int, str]:
    """Returns the place of a record among others: by site, family, instance and condition."""
    family, _, instance = record.task.rpartition(".")[2].partition("#")
    return record.site, int(family), int(instance or 0), record.condition


def _cut(text: str, length: int = 140) -> str:
    """Returns a text on one line, cut at a word where it is long."""
    words = " ".join(text.split())
    if len(words) <= length:
        return words
    kept = words[: length - 1]
    return kept[: kept.rfind(" ") if " " in kept[length // 2 :] else len(kept)].rstrip() + "…"
