"""Skill calls by code and condition: from the records, and counted again from the recorded trajectories."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from ..skills.outcome import CODES
from ..wrappers.trajectory import read
from . import trajectories
from .records import TaskRecord, read_records

STATUSES = ("observed", "true")


class Codes(NamedTuple):
    """Calls by code, by both statuses.

    Attributes:
        observed: (site, condition) -> code that the method sees -> calls.
        true: The same by semantic ids and state.
    """

    observed: Mapping[tuple[str, str], Mapping[str, int]]
    true: Mapping[tuple[str, str], Mapping[str, int]]


def codes(records: Iterable[TaskRecord]) -> Codes:
    """Returns the calls by code that records hold; conditions without a call have none."""
    observed: dict[tuple[str, str], Counter[str]] = {}
    true: dict[tuple[str, str], Counter[str]] = {}
    for record in records:
        cell = record.site, record.condition
        observed.setdefault(cell, Counter()).update(record.codes)
        true.setdefault(cell, Counter()).update(record.codes_true)
    return Codes(observed, true)


def recounted(run: Path) -> Codes:
    """Returns the calls by code that the trajectories of a run show, step by step; nothing is taken from its records.

    Only episodes recorded to their end count, as only those are measurements.

    Raises:
        UsageError: The run was not recorded.
    """
    observed: dict[tuple[str, str], Counter[str]] = {}
    true: dict[tuple[str, str], Counter[str]] = {}
    for episode in trajectories.recorded(run):
        trajectory = read(episode.path)
        cell = trajectory.start.site, trajectory.start.condition
        calls = [s.info["skill"] for s in trajectory.steps if s.info["skill"]] if trajectory.over else []
        observed.setdefault(cell, Counter()).update(c["observed"] for c in calls)
        true.setdefault(cell, Counter()).update(c["true"] for c in calls)
    return Codes(observed, true)


def differences(run: Path) -> list[str]:
    """Returns where the records of a recorded run and its trajectories count differently, in words; nothing when equal."""
    measured = [r for r in read_records(run) if r.status == "ok" and r.end != "agent_error"]
    said, shown = codes(measured), recounted(run)
    found = []
    for status in STATUSES:
        one, other = getattr(said, status), getattr(shown, status)
        for cell in sorted({*one, *other}):
            for code in CODES:
                a, b = one.get(cell, {}).get(code, 0), other.get(cell, {}).get(code, 0)
                if a != b:
                    found.append(f"{' '.join(cell)}, {code} ({status}): {a} in the records, {b} in the trajectories")
    return found


def table(counted: Codes, cells: Sequence[tuple[str, str]] | None = None) -> list[str]:
    """Returns code x cell as lines of Markdown, observed / true; a column for each cell that has a call."""
    shown = [c for c in (cells or list(counted.observed)) if sum(counted.observed.get(c, {}).values())]
    if not shown:
        return []
    lines = ["| code | " + " | ".join(" ".join(c) for c in shown) + " |", "|---" * (len(shown) + 1) + "|"]
    for code in CODES:
        both = [(counted.observed[c].get(code, 0), counted.true[c].get(code, 0)) for c in shown]
        if any(a or b for a, b in both):
            lines.append(f"| {code} | " + " | ".join(f"{a} / {b}" for a, b in both) + " |")
    sums = [(sum(counted.observed[c].values()), sum(counted.true[c].values())) for c in shown]
    return [*lines, "| calls | " + " | ".join(f"{a} / {b}" for a, b in sums) + " |"]


def kinds(records: Iterable[TaskRecord]) -> list[str]:
    """Returns SFR and SFR_true by kind of mark and cell as lines of Markdown; a call counts for each kind that it used."""
    counts: dict[tuple[str, str], Counter[tuple[str, int]]] = {}
    for record in records:
        for kind, numbers in record.kinds.items():
            cell = counts.setdefault((record.site, record.condition), Counter())
            cell.update({(kind, place): number for place, number in enumerate(numbers)})
    names = sorted({kind for cell in counts.values() for kind, _ in cell})
    if not names:
        return []
    lines = ["| kind of mark | " + " | ".join(" ".join(c) for c in counts) + " |", "|---" * (len(counts) + 1) + "|"]
    for name in names:
        lines.append(f"| {name} | " + " | ".join(_rates(cell, name) for cell in counts.values()) + " |")
    return lines


def _rates(cell: Counter[tuple[str, int]], kind: str) -> str:
    calls, failed, wrong = (cell[kind, place] for place in range(3))
    return f"{100 * failed / calls:.1f} / {100 * wrong / calls:.1f} (n = {calls})" if calls else "null (no calls)"
