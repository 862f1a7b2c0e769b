"""The four diagnostics SR, AS, ASC and SFR, as pure functions of records.

Source: "SkillShift-Bench: Benchmarking Skill Learning under Environment Evolution for Web Agents", the four
diagnostics, in the exact form of the public harness. A number carries its denominator and interval; an undefined one
is None with a reason, never 0.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from .records import TaskRecord
from .stats import Interval, bootstrap_mean, bootstrap_ratio, wilson

FEW_CALLS = 30


class Metric(NamedTuple):
    """One number of one cell.

    Attributes:
        value: The number, or None when it is undefined.
        n: Its denominator: tasks, or skill calls for SFR.
        interval: 95% interval in the same unit, None when the number is.
        reason: Why it is None, or a warning.
    """

    value: float | None
    n: int
    interval: Interval | None = None
    reason: str = ""


class Cell(NamedTuple):
    """The diagnostics of a cell (or of any set of records).

    Attributes:
        n: Measured tasks.
        planned: Tasks the cell should have.
        errors: Tasks without a measurement.
        sr: Success rate in percent.
        steps: Average steps over all measured tasks (AS).
        calls: Average skill calls (ASC).
        failures: Skill failure rate in percent (SFR).
        primitives: Average browser primitives executed (AP).
    """

    n: int
    planned: int
    errors: int
    sr: Metric
    steps: Metric
    calls: Metric
    failures: Metric
    primitives: Metric


def measure(records: Sequence[TaskRecord], planned: int | None = None) -> Cell:
    """Returns the diagnostics of a set of records.

    Args:
        records: Records of one cell; those with status `error` are counted apart.
        planned: Number of tasks the cell should have; the number of records by default.
    """
    measured = [r for r in records if r.status == "ok"]
    return Cell(
        n=len(measured),
        planned=len(records) if planned is None else planned,
        errors=len(records) - len(measured),
        sr=success_rate(measured),
        steps=average([float(r.steps) for r in measured]),
        calls=average_calls(measured),
        failures=failure_rate(measured),
        primitives=average([float(r.primitives) for r in measured]),
    )


def success_rate(records: Sequence[TaskRecord]) -> Metric:
    """Returns SR = 100 * sum(success) / n, with Wilson's interval."""
    n = len(records)
    if n == 0:
        return _nothing()
    wins = sum(r.success for r in records)
    return Metric(100 * wins / n, n, _percent(wilson(wins, n)))


def average(values: Sequence[float]) -> Metric:
    """Returns a mean with its bootstrap interval."""
    if not values:
        return _nothing()
    return Metric(sum(values) / len(values), len(values), bootstrap_mean(values))


def average_calls(records: Sequence[TaskRecord]) -> Metric:
    """Returns ASC = sum(calls) / n; None for a method without executable skills."""
    if not records:
        return _nothing()
    calls = [r.skill_calls for r in records]
    if any(c is None for c in calls):
        return Metric(None, len(records), None, "the method has no executable skills")
    return average([float(c or 0) for c in calls])


def failure_rate(records: Sequence[TaskRecord]) -> Metric:
    """Returns SFR = 100 * sum(failures) / sum(calls), the interval by resampling tasks; None without calls."""
    if not records:
        return _nothing()
    if any(r.skill_calls is None for r in records):
        return Metric(None, 0, None, "the method has no executable skills")
    pairs = [(float(r.skill_failures or 0), float(r.skill_calls or 0)) for r in records]
    calls = int(sum(b for _, b in pairs))
    if calls == 0:
        return Metric(None, 0, None, "no skill was called")
    warning = f"fewer than {FEW_CALLS} calls" if calls < FEW_CALLS else ""
    value = 100 * sum(a for a, _ in pairs) / calls
    return Metric(value, calls, _percent(bootstrap_ratio(pairs)), warning)


def macro(cells: Sequence[Metric]) -> Metric:
    """Returns the unweighted mean of cells that are defined; n counts them."""
    values = [c.value for c in cells if c.value is not None]
    if not values:
        return Metric(None, 0, None, "no cell is defined")
    missing = len(cells) - len(values)
    return Metric(sum(values) / len(values), len(values), None, f"{missing} cells undefined" if missing else "")


def _nothing() -> Metric:
    return Metric(None, 0, None, "no task was measured")


def _percent(interval: Interval | None) -> Interval | None:
    return Interval(100 * interval.low, 100 * interval.high) if interval else None
