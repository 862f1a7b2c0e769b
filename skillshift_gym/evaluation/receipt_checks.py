"""Checks of a results file against its receipt, and of both against the per-task records."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..registration import CONDITIONS
from .published import TASKS
from .receipt import Receipt, claim, commitment, grid_of_receipt, seal
from .records import read_records, read_run
from .results import Results
from .submission import shortcomings
from .totals import Grid, aggregate, counts, grid_of

_ABSENT = "nothing"


def against_receipt(results: Results, receipt: Receipt, grid: Grid) -> list[str]:
    """Returns where a results file and its receipt, or the receipt and itself, do not agree."""
    return [
        *(
            []
            if receipt.seal == seal(receipt)
            else ["receipt.seal does not fit the receipt: something in it was changed"]
        ),
        *_differ("harness_version", results.harness_version, receipt.harness_version, "the receipt"),
        *_differ("metrics", results.metrics.model_dump(), receipt.aggregate.model_dump(), "the receipt's aggregate"),
        *_differ("aggregate", receipt.aggregate.model_dump(), aggregate(grid).model_dump(), "its sums_per_cell"),
        *_differ("n", results.n.model_dump(), counts(grid).model_dump(), "the receipt's cells"),
        *_cells(receipt, grid),
    ]


def against_records(results: Results, receipt: Receipt, folder: Path) -> list[str]:
    """Returns where a results file and its receipt do not agree with the records of the run.

    Raises:
        UsageError: The folder holds no run, or a record cannot be read.
    """
    info, records = read_run(folder), read_records(folder)
    problems = [f"records: {text}" for text in shortcomings(info, records, allow_errors=True)]
    problems += _differ("run", receipt.run.model_dump(), claim(info).model_dump(), "the run's description")
    if not records:
        return problems
    found = commitment(folder)
    if receipt.per_task_commitment != found:
        problems.append(f"per_task_commitment: {receipt.per_task_commitment}, the records make {found}")
    grid = grid_of(records)
    problems += _differ("metrics", results.metrics.model_dump(), aggregate(grid).model_dump(), "the records")
    problems += _differ("n", results.n.model_dump(), counts(grid).model_dump(), "the records")
    return problems + _differ("sums_per_cell", _table(grid_of_receipt(receipt)), _table(grid), "the records")


def _cells(receipt: Receipt, grid: Grid) -> Iterator[str]:
    """Yields which cells of a receipt cannot be."""
    if {w for w, _ in grid} != set(receipt.run.sites):
        yield f"run.sites: {', '.join(receipt.run.sites)}, the cells are of {', '.join(sorted({w for w, _ in grid}))}"
    for site in sorted({w for w, _ in grid}):
        missing = [c for c in CONDITIONS if (site, c) not in grid]
        if missing:
            yield f"n_per_cell.{site}: no {', '.join(missing)}"
        if site not in receipt.env_digests:
            yield f"env_digests.{site} is missing"
    for (site, condition), t in grid.items():
        where = f"{site} {condition}"
        if t.n + t.errors != TASKS[site]:
            yield f"{where}: {t.n} tasks and {t.errors} errors, expected {TASKS[site]} in all"
        if t.n == 0 or not t.successes <= t.n:
            yield f"{where}: {t.successes} successes of {t.n}"
        if (t.calls is None) != (t.failures is None) or (t.failures or 0) > (t.calls or 0):
            yield f"{where}: {t.failures} failed calls of {t.calls}"


def _differ(where: str, found: Any, expected: Any, source: str) -> list[str]:
    """Returns where two values of the same shape differ, leaf by leaf."""
    if isinstance(found, dict) and isinstance(expected, dict):
        keys = [*found, *(k for k in expected if k not in found)]
        return [
            p for k in keys for p in _differ(f"{where}.{k}", found.get(k, _ABSENT), expected.get(k, _ABSENT), source)
        ]
    return [] if found == expected else [f"{where}: {found}, expected {expected} from {source}"]


def _table(grid: Grid) -> dict[str, dict[str, Any]]:
    return {f"{site} {condition}": t._asdict() for (site, condition), t in grid.items()}
