"""Checks of a results file that need nothing but the file, and the sums of its receipt where there are any."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import fsum

from ..registration import CONDITIONS
from .metrics import FEW_CALLS
from .published import TASKS, WEBSITES
from .results import METRICS, Results, Slots
from .totals import FIGURES, Grid

TOLERANCE = 0.02  # of the identity of marginals; three numbers rounded to hundredths stay well inside


def coverage(results: Results) -> list[str]:
    """Returns which slots are missing, which nulls have no reason, and which reasons have no null."""
    metrics = {name: getattr(results.metrics, name) for name in METRICS}
    problems = [
        p for name, slots in metrics.items() for p in _keys(f"metrics.{name}", slots.websites, slots.conditions)
    ]
    problems += _keys("n", results.n.websites, results.n.conditions)
    nulls = {f"{name}.{slot}" for name, s in metrics.items() for slot, value in s.named().items() if value is None}
    nulls |= {"n.skill_calls"} if results.n.skill_calls is None else set()
    for null in sorted(nulls):
        if null not in results.reasons and null.partition(".")[0] not in results.reasons:
            problems.append(f"{null} is null without a reason")
    for name in sorted(results.reasons):
        if name not in nulls and f"{name}.overall" not in nulls:
            problems.append(f"reasons.{name}: no null of that name")
    return problems + (list(_nulls(results)) if not problems else [])


def denominators(results: Results, grid: Grid | None, allow_errors: bool) -> list[str]:
    """Returns which denominators are wrong, and which marginals do not have the mean of all cells."""
    n = results.n
    problems = [] if any(n.websites.values()) else ["no site was run: n = 0 for all of them"]
    for site, tasks in TASKS.items():
        found, errors = n.websites.get(site, 0), sum(t.errors for (w, _), t in (grid or {}).items() if w == site)
        if errors and allow_errors:
            continue
        if found not in (0, tasks):
            with_errors = f", {errors} errors: not official, --allow-errors accepts it" if errors else ""
            problems.append(f"n.websites.{site}: {found}/{tasks} tasks{with_errors}")
    exact = not any(t.errors for t in (grid or {}).values())
    for condition, found in n.conditions.items():
        if exact and found != sum(n.websites.values()):
            problems.append(f"n.conditions.{condition}: {found}, the sites have {sum(n.websites.values())} tasks")
    return problems + [p for name in METRICS for p in identity(name, getattr(results.metrics, name), grid)]


def ranges(results: Results) -> tuple[list[str], list[str]]:
    """Returns which numbers are impossible, and which are weak."""
    problems = []
    for name, slots in results.metrics.named().items():
        for slot, value in slots.items():
            if value is not None and not _possible(name, value):
                expected = {"AS": "more than 0", "ASC": "at least 0"}.get(name, "0 to 100")
                problems.append(f"{name}.{slot}: {value}, expected {expected}")
    calls = results.n.skill_calls
    weak = [f"SFR rests on {calls} calls, fewer than {FEW_CALLS}"] if calls and calls < FEW_CALLS else []
    return problems, weak


def _possible(name: str, value: float) -> bool:
    if name in ("SR", "SFR"):
        return 0 <= value <= 100
    return value > 0 if name == "AS" else value >= 0


def _keys(where: str, websites: Mapping[str, object], conditions: Mapping[str, object]) -> list[str]:
    problems = []
    for name, found, expected in (("websites", websites, WEBSITES), ("conditions", conditions, tuple(CONDITIONS))):
        problems += [f"{where}.{name}.{key} is missing" for key in expected if key not in found]
        problems += [f"{where}.{name}.{key} is unknown" for key in sorted(found) if key not in expected]
    return problems


def _nulls(results: Results) -> Iterator[str]:
    """Yields which numbers should be null and are not, and the other way round."""
    run = {site for site, n in results.n.websites.items() if n}
    calls = results.n.skill_calls
    for name, slots in results.metrics.named().items():
        undefined = (calls is None and name in ("ASC", "SFR")) or (not calls and name == "SFR")
        for slot, value in slots.items():
            absent = slot in WEBSITES and slot not in run
            if value is not None and absent:
                yield f"{name}.{slot}: {value} for a site with n = 0, expected null"
            elif value is not None and undefined:
                yield f"{name}.{slot}: {value} without a skill call (n.skill_calls {calls}), expected null, never 0"
            elif value is None and not absent and not undefined and (name != "SFR" or slot == "overall"):
                yield f"{name}.{slot} is null, but there are measurements"


def identity(name: str, slots: Slots, grid: Grid | None) -> Iterator[str]:
    """Yields where mean(sites) = mean(conditions) = overall does not hold; it need not when a cell is undefined."""
    if slots.overall is None or (grid and any(FIGURES[name](t) is None for t in grid.values())):
        return
    for kind, found in (("sites", slots.websites), ("conditions", slots.conditions)):
        values = [v for v in found.values() if v is not None]
        mean = fsum(values) / len(values) if values else float("nan")
        if not abs(mean - slots.overall) <= TOLERANCE + 1e-9:
            yield f"{name}: the mean of {kind} is {mean:.3f}, overall {slots.overall}; they may differ by {TOLERANCE}"
