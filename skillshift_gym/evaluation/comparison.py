"""Two runs beside each other: paired differences per cell, the second minus the first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ..errors import UsageError
from ..registration import CONDITIONS
from .contrasts import compared, difference, interval
from .records import RunInfo, TaskRecord, by_cell, read_records, read_run
from .runner import planned_tasks
from .stats import Interval, Paired, bootstrap_mean, holm

# Two runs that differ in one of these have no pairs.
SAME = ("split", "tasks", "seed", "budget")
NOTED = ("version", "browser")
LEGEND = (
    "SR in percent and difference in points, over the tasks measured in both runs (n). 95% intervals in brackets "
    "(bootstrap over tasks); exact McNemar test; Holm over the cells of this table. Steps: paired difference in AS."
)


class CellComparison(NamedTuple):
    """One cell in both runs.

    Attributes:
        site: Site name.
        condition: Condition name.
        first: Tasks that the first run solved, of those measured in both.
        second: Tasks that the second run solved, likewise.
        result: The paired comparison of successes.
        steps: Mean difference in steps.
        steps_interval: Its bootstrap interval.
        dropped: Planned tasks without a measurement in one of the runs or in both.
        holm: McNemar's p-value, adjusted for all cells shown.
    """

    site: str
    condition: str
    first: int
    second: int
    result: Paired
    steps: float
    steps_interval: Interval
    dropped: int
    holm: float = 1.0


class Comparison(NamedTuple):
    """Two runs compared.

    Attributes:
        first: The first run, in words.
        second: The second.
        cells: Their common cells.
        notes: What is weak.
    """

    first: str
    second: str
    cells: list[CellComparison]
    notes: list[str]


def compare(first: Path, second: Path) -> Comparison:
    """Returns the comparison of two runs.

    Raises:
        UsageError: A folder holds no run, or the runs have no pairs: another split, tasks, seed or budget, or no cell
            in common.
    """
    infos = read_run(first), read_run(second)
    differ = [f"{name} ({getattr(infos[0], name)} and {getattr(infos[1], name)})" for name in _differing(infos, SAME)]
    if differ:
        raise UsageError(f"{first} and {second} cannot be compared task by task: they differ in {', '.join(differ)}")
    records = by_cell(read_records(first)), by_cell(read_records(second))
    common = [(s, c) for s in infos[0].sites for c in CONDITIONS if all((s, c) in found for found in records)]
    cells = [cell for s, c in common if (cell := _cell(infos[0], s, c, *(found[s, c] for found in records)))]
    if not cells:
        raise UsageError(f"{first} and {second} have no cell in common with a task measured in both")
    adjusted = holm([cell.result.p_value for cell in cells])
    cells = [cell._replace(holm=p) for cell, p in zip(cells, adjusted, strict=True)]
    notes = [
        f"{name}: {getattr(infos[0], name)} and {getattr(infos[1], name)}, so not only the agent differs"
        for name in _differing(infos, NOTED)
    ]
    a, b = (f"{folder}: {i.agent} {_arguments(i)}".strip() for folder, i in zip((first, second), infos, strict=True))
    return Comparison(a, b, cells, [*notes, *_left_out(records, common)])


def markdown(comparison: Comparison) -> str:
    """Returns a comparison as Markdown."""
    columns = [
        "site",
        "condition",
        "n",
        "SR a",
        "SR b",
        "b minus a",
        "only a",
        "only b",
        "McNemar p",
        "Holm p",
        "steps",
    ]
    lines = [
        f"a = {comparison.first}",
        "",
        f"b = {comparison.second}",
        "",
        "| " + " | ".join(columns) + " |",
        "|---|---" + "|--:" * 9 + "|",
    ]
    for cell in comparison.cells:
        lines.append("| " + " | ".join(_row(cell)) + " |")
    return "\n".join([*lines, "", LEGEND, *(f"- {note}" for note in comparison.notes)]) + "\n"


def _row(cell: CellComparison) -> list[str]:
    r = cell.result
    n = f"{r.n}/{r.n + cell.dropped}, {cell.dropped} dropped" if cell.dropped else str(r.n)
    steps = f"{cell.steps:+.2f} [{cell.steps_interval.low:+.2f}, {cell.steps_interval.high:+.2f}]"
    rates = [f"{100 * solved / r.n:.1f}" for solved in (cell.first, cell.second)]
    tests = [str(r.only_first), str(r.only_second), f"{r.p_value:.3f}", f"{cell.holm:.3f}"]
    return [cell.site, cell.condition, n, *rates, f"{difference(r)} {interval(r)}", *tests, steps]


def _cell(
    info: RunInfo, site: str, condition: str, first: Sequence[TaskRecord], second: Sequence[TaskRecord]
) -> CellComparison | None:
    result, both = compared(first, second)
    a, b = ({r.task: r for r in records if r.status == "ok"} for records in (first, second))
    common = sorted(a.keys() & b.keys())
    steps = [float(b[t].steps - a[t].steps) for t in common]
    spread = bootstrap_mean(steps)
    if result is None or spread is None:
        return None
    solved = sum(a[t].success for t in common), sum(b[t].success for t in common)
    dropped = len(planned_tasks(info, site)) - both
    return CellComparison(site, condition, *solved, result, sum(steps) / both, spread, dropped)


def _differing(infos: tuple[RunInfo, RunInfo], fields: Sequence[str]) -> list[str]:
    return [name for name in fields if getattr(infos[0], name) != getattr(infos[1], name)]


def _arguments(info: RunInfo) -> str:
    return " ".join(f"{name}={value}" for name, value in sorted(info.agent_kwargs.items()))


def _left_out(
    records: tuple[Mapping[tuple[str, str], object], Mapping[tuple[str, str], object]],
    common: Sequence[tuple[str, str]],
) -> list[str]:
    only = [f"{s} {c}" for found in records for s, c in found if (s, c) not in common]
    return [f"cells of one run alone, left out: {', '.join(dict.fromkeys(only))}"] if only else []
