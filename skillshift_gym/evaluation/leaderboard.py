"""A table of results files, the best success rate first; published rows stand in a block of their own.

Only complete, valid files enter. The key is SR, never SFR: a method that hardly calls its skills fails few calls.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

from ..registration import CONDITIONS
from .metrics import FEW_CALLS
from .published import NOT_COMPARABLE, PLANNED, WEBSITES, published_entries
from .rendering import page
from .results import METRICS, NAME, Counts, Metrics
from .validation import Verdict, validate

FEW = "†"
COLUMNS = ("SR", *CONDITIONS, *WEBSITES, "AS", "ASC", "SFR", "calls")
LEGEND = (
    "SR and SFR in percent. SR: the mean of 18 cells, then condition and site marginals, each cell with the same "
    f"weight. AS: actions a task, ASC: skill calls a task, over all tasks. SFR is out of the calls it names; {FEW} "
    f"marks fewer than {FEW_CALLS}. The order is that of SR."
)


class Row(NamedTuple):
    """One line of the table.

    Attributes:
        method: Name of the method.
        model: Name of the model.
        date: Day of the submission; empty for published rows.
        environment: What the episodes ran on.
        n: Episodes measured.
        figures: A number, in words, for each of `COLUMNS`.
        key: What the order follows: SR overall.
        marks: What the reader should know, such as another budget.
    """

    method: str
    model: str
    date: str
    environment: str
    n: str
    figures: list[str]
    key: float
    marks: str = ""


class Leaderboard(NamedTuple):
    """The table.

    Attributes:
        rows: Files that were accepted.
        published: Published rows.
        refused: (file name, reason) of the others.
    """

    rows: list[Row]
    published: list[Row]
    refused: list[tuple[str, str]]


def find(paths: Iterable[Path]) -> list[Path]:
    """Returns the results files among paths and below folders, sorted, each once; receipts are none."""
    found: dict[Path, None] = {}
    for path in paths:
        inside = sorted(path.rglob("*.json")) if path.is_dir() else [path]
        named = [p for p in inside if NAME.fullmatch(p.name) and not p.name.endswith(".receipt.json")]
        found.update(dict.fromkeys(named if path.is_dir() else inside))
    return list(found)


def build(paths: Iterable[Path], *, allow_errors: bool = False) -> Leaderboard:
    """Returns the table of results files.

    Args:
        paths: Results files, and folders that hold some.
        allow_errors: Whether files with tasks without a measurement are accepted.

    Raises:
        UsageError: A file does not exist.
    """
    verdicts = [validate(path, allow_errors=allow_errors) for path in find(paths)]
    rows = [_row(v) for v in verdicts if not refusal(v)]
    refused = [(v.path.name, refusal(v)) for v in verdicts if refusal(v)]
    published = [
        Row(e.method, e.backbone, "", "published images", f"{PLANNED} a model", _figures(e.metrics, None),
            e.metrics.SR.overall or 0.0)
        for e in published_entries()
    ]  # fmt: skip
    return Leaderboard(sorted(rows, key=lambda r: (-r.key, r.method, r.model, r.date)), published, refused)


def refusal(verdict: Verdict) -> str:
    """Returns why a file does not enter; empty if it does."""
    failed = [f"{check.name}: {check.problems[0]}" for check in verdict.checks if check.problems]
    if failed:
        return f"invalid, {failed[0]}"
    if verdict.missing:
        return f"partial: {', '.join(verdict.missing)} not run (n = 0)"
    return ""


def markdown(board: Leaderboard) -> str:
    """Returns the table as Markdown."""
    head = ["method", "model", "date", "environment", "n", *COLUMNS]
    lines = ["# Leaderboard", "", *_table(head, board.rows)] if board.rows else ["# Leaderboard", "", "No entry."]
    lines += ["", LEGEND]
    lines += [f"- {_cell(r.method)}: {_cell(r.marks)}" for r in board.rows if r.marks]
    lines += ["", "## Published: not comparable in level", "", f"{NOT_COMPARABLE.capitalize()}.", ""]
    lines += _table(head, board.published)
    if board.refused:
        lines += ["", "## Refused", "", *(f"- {_cell(name)}: {_cell(why)}" for name, why in board.refused)]
    return "\n".join(lines) + "\n"


def html(board: Leaderboard) -> str:
    """Returns the table as one HTML page that needs nothing else."""
    return page(
        "leaderboard.html", board=board, columns=COLUMNS, legend=LEGEND, not_comparable=NOT_COMPARABLE.capitalize()
    )


def _row(verdict: Verdict) -> Row:
    results, receipt = verdict.results, verdict.receipt
    assert results is not None  # a valid file was read
    submission, metrics, n = results.submission, results.metrics, results.n
    names = sorted({name.rpartition(" ")[0] for name in receipt.env_digests.values()} if receipt else {"not stated"})
    budget = receipt.run.budget if receipt else "task"
    marks = [f"budget {budget} actions: AS is not comparable"] if budget != "task" else []
    marks += [f"{verdict.errors} tasks without a measurement"] if verdict.errors else []
    measured = sum(n.conditions.values())
    episodes = str(measured) if measured == PLANNED else f"{measured}/{PLANNED}"
    figures, key = _figures(metrics, n), metrics.SR.overall or 0.0
    who = submission.method.name, submission.model.id, submission.date
    return Row(*who, ", ".join(names), episodes, figures, key, "; ".join(marks))


def _figures(metrics: Metrics, n: Counts | None) -> list[str]:
    """Returns a number, in words, for each of `COLUMNS`; `n` is None for published rows, whose calls are unknown."""
    sr = metrics.SR
    numbers = [sr.overall, *(sr.conditions[c] for c in CONDITIONS), *(sr.websites[w] for w in WEBSITES)]
    numbers += [getattr(metrics, name).overall for name in METRICS[1:]]
    words = ["null" if value is None else f"{value:.2f}" for value in numbers]
    if n is None:
        return [*words, "not published"]
    few = words[-1] != "null" and (n.skill_calls or 0) < FEW_CALLS
    return [*words[:-1], words[-1] + (FEW if few else ""), "null" if n.skill_calls is None else str(n.skill_calls)]


def _table(head: Sequence[str], rows: Sequence[Row]) -> list[str]:
    lines = ["| " + " | ".join(head) + " |", "|---" * 4 + "|--:" * (len(head) - 4) + "|"]
    for row in rows:
        words = [_cell(text) for text in (row.method, row.model, row.date, row.environment)]
        lines.append("| " + " | ".join([*words, row.n, *row.figures]) + " |")
    return lines


def _cell(text: str) -> str:
    """Returns a text that stays inside its cell of a Markdown table."""
    plain = " ".join(text.split())
    for mark in "\\|<>[]*_`":
        plain = plain.replace(mark, f"\\{mark}")
    return plain
