"""What episodes did besides succeeding: addresses typed, and what the shifts did to them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from .records import TaskRecord

_COUNTS = ("shown", "dismissed", "refused", "evaded", "skipped")

Cells = Mapping[tuple[str, str], Sequence[TaskRecord]]


def typed_addresses(cells: Cells) -> list[str]:
    """Returns, for each cell where any was, how many solved tasks were solved with an address typed (`goto`)."""
    lines = []
    for (site, condition), records in cells.items():
        solved = [r for r in records if r.success]
        typed = sum(r.gotos > 0 for r in solved)
        if typed:
            lines.append(f"{site} {condition}: {typed} of {len(solved)} solved tasks with a typed address")
    return lines


def blockers(cells: Cells) -> list[str]:
    """Returns, for each cell with an execution shift, what its blockers did."""
    lines = []
    for (site, condition), records in cells.items():
        total: Counter[str] = Counter()
        for record in records:
            log = record.shifts.get("execution", {})
            total.update({name: int(log[name]) for name in _COUNTS if name in log})
        if total:
            counts = ", ".join(f"{name} {total[name]}" for name in _COUNTS)
            lines.append(f"{site} {condition}: blockers in {len(records)} episodes: {counts}")
    return lines


def skill_calls(cells: Cells) -> list[str]:
    """Returns, for each cell whose environment ran skills, SFR by true status and the calls by code."""
    lines = []
    for (site, condition), records in cells.items():
        observed, true = Counter[str](), Counter[str]()
        for record in records:
            observed.update(record.codes)
            true.update(record.codes_true)
        judged = [r for r in records if r.skill_failures_true is not None]
        if observed:
            calls, failed = sum(r.skill_calls or 0 for r in judged), sum(r.skill_failures_true or 0 for r in judged)
            lines.append(
                f"{site} {condition}: SFR_true {100 * failed / calls:.1f} % ({failed} of {calls} calls); calls by code, observed: "
                f"{_counts(observed)}; true: {_counts(true)}"
            )
    return lines


def _counts(codes: Mapping[str, int]) -> str:
    return ", ".join(f"{code} {times}" for code, times in sorted(codes.items()))
