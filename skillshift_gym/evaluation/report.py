"""Reports of a run: a Markdown table and a self-contained HTML page, both derived from the per-task records."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from jinja2 import Environment, PackageLoader, StrictUndefined

from ..tasks import registry
from .metrics import Cell, Metric, measure
from .records import RunInfo, TaskRecord, by_cell, read_records, read_run, write_atomically
from .stats import Paired, paired

MARKDOWN = "report.md"
HTML = "report.html"
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


class Contrast(NamedTuple):
    """A paired comparison of a site's conditions with its first one."""

    site: str
    first: str
    second: str
    result: Paired
    dropped: int


class Report(NamedTuple):
    """Everything a report shows."""

    info: RunInfo
    rows: list[Row]
    contrasts: list[Contrast]
    kinds: list[tuple[str, list[tuple[str, Metric]]]]
    errors: list[tuple[str, Counter[str]]]
    records: list[TaskRecord]


def build_report(folder: Path) -> Report:
    """Returns the report of a run.

    Raises:
        UsageError: The folder holds no run.
    """
    info, records = read_run(folder), read_records(folder)
    cells = {key: by_cell(records).get(key, []) for key in [(s, c) for s in info.sites for c in info.conditions]}
    rows = [Row(site, condition, measure(found, _planned(info, site))) for (site, condition), found in cells.items()]
    return Report(info, rows, _contrasts(info, cells), _kinds(info, records), _errors(cells), records)


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
        "",
        "SR and SFR in percent; 95% intervals in brackets (SR: Wilson; the others: bootstrap over tasks); "
        "AS, ASC, AP are means over all measured tasks.",
        *[f"- {note}" for note in notes(report)],
    ]
    if report.contrasts:
        lines += ["", "Paired differences in SR, in points:", ""]
        lines += [f"- {describe(c)}" for c in report.contrasts]
    lines += ["", "| kind | " + " | ".join(f"{r.site} {r.condition}" for r in report.rows) + " |"]
    lines.append("|---" * (1 + len(report.rows)) + "|")
    for kind, metrics in report.kinds:
        lines.append(f"| {kind} | " + " | ".join(f"{_number(m, 0)} (n = {m.n})" for _, m in metrics) + " |")
    lines += ["", "Typed action failures:", ""]
    lines += [
        f"- {cell}: " + (", ".join(f"{k} {v}" for k, v in sorted(c.items())) or "none") for cell, c in report.errors
    ]
    return "\n".join(lines) + "\n"


def html(report: Report) -> str:
    """Returns the report as one HTML page that needs nothing else."""
    jinja = Environment(
        loader=PackageLoader("skillshift_gym.evaluation"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip
    template = jinja.get_template("report.html")
    return template.render(
        report=report,
        columns=_COLUMNS,
        notes=notes(report),
        contrasts=[describe(c) for c in report.contrasts],
        number=_number,
        interval=_interval,
        count=count,
    )


def notes(report: Report) -> list[str]:
    """Returns why numbers are missing or weak."""
    found = {}
    for row in report.rows:
        for title, field, _ in _COLUMNS:
            metric: Metric = getattr(row.cell, field)
            if metric.reason:
                found.setdefault(f"{title.split()[0]}: {metric.reason}", []).append(f"{row.site} {row.condition}")
    return [f"{note} ({', '.join(cells)})" for note, cells in found.items()]


def count(cell: Cell) -> str:
    """Returns the denominator of a cell: `n = 77/79, 2 errors` when it is not complete."""
    errors = f", {cell.errors} errors" if cell.errors else ""
    return str(cell.n) if cell.n == cell.planned and not errors else f"{cell.n}/{cell.planned}{errors}"


def describe(contrast: Contrast) -> str:
    """Returns a paired comparison in words."""
    r = contrast.result
    dropped = f", {contrast.dropped} tasks dropped for errors" if contrast.dropped else ""
    return (
        f"{contrast.site}, {contrast.second} minus {contrast.first}: {100 * r.difference:+.1f} "
        f"[{100 * r.interval.low:+.1f}, {100 * r.interval.high:+.1f}], n = {r.n}{dropped}; solved only in "
        f"{contrast.first} {r.only_first}, only in {contrast.second} {r.only_second}; exact McNemar p = {r.p_value:.3f}"
    )


def _planned(info: RunInfo, site: str) -> int:
    if info.tasks:
        return sum(registry.task_of(t).site == site for t in info.tasks)
    return len(registry.task_ids(site, info.split))


def _contrasts(info: RunInfo, cells: dict[tuple[str, str], list[TaskRecord]]) -> list[Contrast]:
    found = []
    for site in info.sites:
        for condition in info.conditions[1:]:
            first, second = (_successes(cells[site, c]) for c in (info.conditions[0], condition))
            both = sorted(set(first) & set(second))
            result = paired([first[t] for t in both], [second[t] for t in both])
            if result is not None:
                dropped = len(set(first) | set(second)) - len(both)
                found.append(Contrast(site, info.conditions[0], condition, result, dropped))
    return found


def _successes(records: Sequence[TaskRecord]) -> dict[str, bool]:
    return {r.task: r.success for r in records if r.status == "ok"}


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


def _errors(cells: dict[tuple[str, str], list[TaskRecord]]) -> list[tuple[str, Counter[str]]]:
    found = []
    for (site, condition), records in cells.items():
        total: Counter[str] = Counter()
        for record in records:
            total.update(record.errors)
        found.append((f"{site} {condition}", total))
    return found


def _line(row: Row) -> str:
    cells = [
        f"{_number(getattr(row.cell, field), digits)}{_interval(getattr(row.cell, field), digits)}"
        for _, field, digits in _COLUMNS
    ]
    return f"| {row.site} | {row.condition} | {count(row.cell)} | " + " | ".join(cells) + " |"


def _number(metric: Metric, digits: int) -> str:
    return "null" if metric.value is None else f"{metric.value:.{digits}f}"


def _interval(metric: Metric, digits: int) -> str:
    return f" [{metric.interval.low:.{digits}f}, {metric.interval.high:.{digits}f}]" if metric.interval else ""
