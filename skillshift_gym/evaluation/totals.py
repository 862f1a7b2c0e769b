"""Sums of cells, and the ten numbers of each metric that follow from them.

All four diagnostics are ratios of whole numbers, so these sums are all that a results file rests on: building one and
checking one go through the same functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from math import fsum
from typing import NamedTuple

from ..registration import CONDITIONS
from .metrics import FEW_CALLS
from .published import WEBSITES
from .records import TaskRecord, by_cell
from .results import METRICS, Counts, Metrics, Slots

NOT_RUN = "site not run (n = 0)"
NO_SKILLS = "the method has no executable skills"
NO_CALLS = "no skill was called"


class Totals(NamedTuple):
    """Sums over the measured tasks of a cell.

    Attributes:
        n: Measured tasks.
        errors: Tasks without a measurement.
        successes: Tasks solved.
        steps: Actions taken.
        calls: Skill calls; None for a method without executable skills.
        failures: Failed skill calls; None likewise.
    """

    n: int
    errors: int
    successes: int
    steps: int
    calls: int | None
    failures: int | None


Grid = Mapping[tuple[str, str], Totals]
Figure = Callable[[Totals], "float | None"]

# Metric -> its value in a cell.
FIGURES: dict[str, Figure] = {
    "SR": lambda t: 100 * t.successes / t.n if t.n else None,
    "AS": lambda t: t.steps / t.n if t.n else None,
    "ASC": lambda t: None if t.calls is None or not t.n else t.calls / t.n,
    "SFR": lambda t: 100 * (t.failures or 0) / t.calls if t.calls else None,
}


def totals(records: Sequence[TaskRecord]) -> Totals:
    """Returns the sums of one cell's records."""
    measured = [r for r in records if r.status == "ok"]
    skilled = all(r.skill_calls is not None for r in measured)
    return Totals(
        n=len(measured),
        errors=len(records) - len(measured),
        successes=sum(r.success for r in measured),
        steps=sum(r.steps for r in measured),
        calls=sum(r.skill_calls or 0 for r in measured) if skilled else None,
        failures=sum(r.skill_failures or 0 for r in measured) if skilled else None,
    )


def grid_of(records: Iterable[TaskRecord]) -> dict[tuple[str, str], Totals]:
    """Returns the sums of each (site, condition), in the order of the published form."""
    cells = by_cell(records)
    return {(w, c): totals(cells[w, c]) for w in WEBSITES for c in CONDITIONS if (w, c) in cells}


def aggregate(grid: Grid) -> Metrics:
    """Returns the ten numbers of each metric: unweighted means of the defined cells, two decimals.

    Source: the public harness's metric definitions. A slot without a defined cell is None.
    """
    return Metrics(**{name: _slots(grid, FIGURES[name]) for name in METRICS})


def counts(grid: Grid) -> Counts:
    """Returns the denominators of a results file."""
    calls = [t.calls for t in grid.values()]
    return Counts(
        websites={w: min((t.n for (site, _), t in grid.items() if site == w), default=0) for w in WEBSITES},
        conditions={c: sum(t.n for (_, condition), t in grid.items() if condition == c) for c in CONDITIONS},
        skill_calls=None if None in calls else sum(c or 0 for c in calls),
    )


def reasons(grid: Grid) -> dict[str, str]:
    """Returns why each null is one: metric or metric.slot -> reason."""
    found: dict[str, str] = {}
    calls = counts(grid).skill_calls
    undefined = NO_SKILLS if calls is None else NO_CALLS
    for name, slots in aggregate(grid).named().items():
        if slots["overall"] is None:
            found[name] = undefined
        for slot, value in slots.items():
            if slot in WEBSITES and slot not in {site for site, _ in grid}:
                found[f"{name}.{slot}"] = NOT_RUN
            elif value is None and name not in found:
                found[f"{name}.{slot}"] = undefined
    return {**found, **({"n.skill_calls": NO_SKILLS} if calls is None else {})}


def remarks(grid: Grid) -> list[str]:
    """Returns what stands beside the SFR: how many cells are defined, the pooled rate, and whether calls are few."""
    calls = counts(grid).skill_calls
    if not calls:
        return []
    defined = sum(FIGURES["SFR"](t) is not None for t in grid.values())
    failed = sum(t.failures or 0 for t in grid.values())
    few = [f"SFR rests on fewer than {FEW_CALLS} calls"] if calls < FEW_CALLS else []
    pooled = f"pooled SFR {100 * failed / calls:.2f} ({failed} of {calls} calls)"
    return [f"SFR is the mean of {defined} of {len(grid)} cells", pooled, *few]


def _slots(grid: Grid, figure: Figure) -> Slots:
    return Slots(
        websites={w: _mean([t for (site, _), t in grid.items() if site == w], figure) for w in WEBSITES},
        conditions={c: _mean([t for (_, condition), t in grid.items() if condition == c], figure) for c in CONDITIONS},
        overall=_mean(list(grid.values()), figure),
    )


def _mean(cells: Sequence[Totals], figure: Figure) -> float | None:
    values = [value for cell in cells if (value := figure(cell)) is not None]
    return round(fsum(values) / len(values), 2) if values else None  # fsum: the same in any order of the cells
