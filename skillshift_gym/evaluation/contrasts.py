"""Paired comparisons: what each shift costs within a run, task by task."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .records import RunInfo, TaskRecord
from .runner import planned_tasks
from .stats import Paired, holm, paired

CONTRASTS = "Paired differences in SR, in points"
# Each shift against the condition that differs from it by that shift alone.
SHIFTS = (
    ("src", "src-perc"),
    ("src", "src-exec"),
    ("src", "tgt"),
    ("tgt", "tgt-perc"),
    ("tgt", "tgt-exec"),
)


class Contrast(NamedTuple):
    """A paired comparison of two conditions of a site.

    Attributes:
        site: Site name.
        first: Condition without the change.
        second: Condition with it.
        result: The comparison, over the tasks measured in both.
        dropped: Planned tasks without a measurement in one of them or in both.
        holm: McNemar's p-value, adjusted for all contrasts shown together.
    """

    site: str
    first: str
    second: str
    result: Paired
    dropped: int
    holm: float = 1.0


def contrasts(info: RunInfo, cells: Mapping[tuple[str, str], Sequence[TaskRecord]]) -> list[Contrast]:
    """Returns the contrasts of `SHIFTS` that a run has both arms of, by site."""
    found = []
    for site in info.sites:
        for first, second in SHIFTS:
            if first in info.conditions and second in info.conditions:
                result, both = compared(cells[site, first], cells[site, second])
                if result is not None:
                    dropped = len(planned_tasks(info, site)) - both
                    found.append(Contrast(site, first, second, result, dropped))
    adjusted = holm([c.result.p_value for c in found])
    return [c._replace(holm=p) for c, p in zip(found, adjusted, strict=True)]


def compared(first: Sequence[TaskRecord], second: Sequence[TaskRecord]) -> tuple[Paired | None, int]:
    """Returns the paired comparison of the tasks measured in both arms (None without any), and their number."""
    a, b = ({r.task: r.success for r in records if r.status == "ok"} for records in (first, second))
    both = sorted(a.keys() & b.keys())
    return paired([a[t] for t in both], [b[t] for t in both]), len(both)


def describe(contrast: Contrast) -> str:
    """Returns a contrast in words."""
    r = contrast.result
    dropped = f", {left_out(contrast.dropped)}" if contrast.dropped else ""
    return (
        f"{contrast.site}, {contrast.second} minus {contrast.first}: {difference(r)} {interval(r)}, n = {r.n}{dropped}; "
        f"solved only in {contrast.first} {r.only_first}, only in {contrast.second} {r.only_second}; "
        f"exact McNemar p = {r.p_value:.3f} (Holm {contrast.holm:.3f})"
    )


def figures(contrast: Contrast) -> list[tuple[str, str]]:
    """Returns the cells of a contrast's row: (number, what stands below it)."""
    r = contrast.result
    return [
        (str(r.n), ""),
        (difference(r), interval(r)),
        (str(r.only_first), ""),
        (str(r.only_second), ""),
        (f"{r.p_value:.3f}", ""),
        (f"{contrast.holm:.3f}", ""),
        (str(contrast.dropped), ""),
    ]


def difference(result: Paired) -> str:
    """Returns a difference in points."""
    return f"{100 * result.difference:+.1f}"


def interval(result: Paired) -> str:
    """Returns the interval of a difference, in points."""
    return f"[{100 * result.interval.low:+.1f}, {100 * result.interval.high:+.1f}]"


def left_out(tasks: int) -> str:
    """Returns how many tasks a comparison had to do without."""
    return f"{tasks} task{'' if tasks == 1 else 's'} not measured in both and left out"
