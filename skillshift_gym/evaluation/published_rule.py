"""The published calibration rule: a few tasks of each site, and success rate and steps within three sigma.

Source: the public harness's calibration page. The subset takes task floor(j * n / k); deviation = |observed - value| /
sigma; more than 3 deviates; only SR and AS gate. With k tasks it sees large falls only: `reach` says how large.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from math import sqrt
from statistics import mean, stdev
from typing import NamedTuple

from ..registration import CONDITIONS
from ..tasks import registry
from .anchor import Anchor, Outcome
from .calibration import DEVIATES, MATCH, UNJUDGED
from .published import TASKS
from .records import TaskRecord, by_cell

THRESHOLD = 3.0
# Site -> tasks of its subset.
SUBSETS = {"gitlab": 14, "magento": 10, "wordpress": 6}


class Gate(NamedTuple):
    """One metric of one cell under the rule.

    Attributes:
        site: Site name.
        condition: Condition name.
        metric: `SR` in percent, or `AS` in actions.
        n: Tasks of the subset.
        value: The anchor's number on the subset.
        observed: This installation's.
        sigma: Standard error of the anchor's number.
        reach: What the rule can see of a fall in SR; empty for AS.
    """

    site: str
    condition: str
    metric: str
    n: int
    value: float
    observed: float
    sigma: float
    reach: str = ""

    @property
    def deviation(self) -> float:
        """Distance in sigmas; infinite where sigma is 0 and the numbers differ."""
        distance = abs(self.observed - self.value)
        return distance / self.sigma if self.sigma else (float("inf") if distance else 0.0)

    @property
    def deviates(self) -> bool:
        """Whether the rule calls it a deviation."""
        return self.deviation > THRESHOLD


class Judgement(NamedTuple):
    """What the rule says of all cells, and why it cannot say more."""

    gates: list[Gate]
    unjudged: list[str]

    @property
    def code(self) -> int:
        """0 match, 1 deviates, 2 cannot be judged."""
        return DEVIATES if any(g.deviates for g in self.gates) else (UNJUDGED if self.unjudged else MATCH)


def subset(site: str) -> list[str]:
    """Returns the tasks of a site's subset: number floor(j * n / k) of its n bench tasks."""
    ids, k = registry.task_ids(site), SUBSETS[site]
    return [ids[j * len(ids) // k] for j in range(k)]


def too_few(site: str) -> list[str]:
    """Returns why the rule does not apply to a site."""
    if site not in SUBSETS:
        return [f"site {site}: the published rule names no subset for it"]
    n = len(registry.task_ids(site))
    return [] if n == TASKS[site] else [f"{site} has {n} bench tasks, the published rule is for {TASKS[site]}"]


def judge(anchor: Anchor, records: Sequence[TaskRecord]) -> Judgement:
    """Returns what the rule says of the records of the subsets."""
    gates: list[Gate] = []
    unjudged = []
    cells = by_cell(records)
    for site, condition in sorted(cells, key=lambda cell: (cell[0], list(CONDITIONS).index(cell[1]))):
        found = cells[site, condition]
        errors = [r for r in found if r.status == "error"]
        expected = [anchor.outcome(site, r.task, condition) for r in found]
        if errors:
            unjudged.append(f"{site} {condition}: n = {len(found) - len(errors)}/{len(found)}, {len(errors)} errors")
        elif None in expected or len(found) != SUBSETS[site]:
            unjudged.append(f"{site} {condition}: the anchor or the run lacks tasks of the subset")
        else:
            gates += _gates(site, condition, [e for e in expected if e is not None], found)
    return Judgement(gates, unjudged)


def sigma_of_rate(successes: int, n: int) -> float:
    """Returns the standard error of a rate, as a share; at 0 and n, where it would be 0, of (s + 1) / (n + 2)."""
    p = successes / n if 0 < successes < n else (successes + 1) / (n + 2)
    return sqrt(p * (1 - p) / n)


def reach(successes: int, n: int) -> int | None:
    """Returns the largest number of successes that counts as a fall from the given one; None if not even 0 does."""
    sigma = sigma_of_rate(successes, n)
    return next((o for o in range(successes - 1, -1, -1) if (successes - o) / n / sigma > THRESHOLD), None)


def blind(n: int) -> int:
    """Returns the largest number of successes out of n from which no fall at all can be seen."""
    return max(s for s in range(n + 1) if reach(s, n) is None)


def describe(judgement: Judgement) -> str:
    """Returns a judgement as a table, with what the rule can and cannot see."""
    lines = [
        "| site | condition | metric | n | anchor | observed | sigmas | verdict |",
        "|---|---|---|--:|--:|--:|--:|---|",
    ]
    for g in judgement.gates:
        verdict = "DEVIATES" if g.deviates else "match"
        numbers = f"{g.n} | {g.value:.2f} | {g.observed:.2f} | {g.deviation:.2f}"
        lines.append(f"| {g.site} | {g.condition} | {g.metric} | {numbers} | {verdict}{g.reach and f' ({g.reach})'} |")
    lines += ["", *(f"CANNOT JUDGE {text}" for text in judgement.unjudged)]
    for k in sorted({g.n for g in judgement.gates}):
        lines.append(f"With k = {k} the rule cannot detect a fall from {blind(k)}/{k} or lower, even to 0/{k}.")
    lines.append("`skillshift calibrate --exact` compares every episode of every task.")
    return "\n".join([*lines, ("match", "deviates", "cannot be judged")[judgement.code]])


def _gates(site: str, condition: str, expected: Sequence[Outcome], found: Sequence[TaskRecord]) -> Iterator[Gate]:
    n, wins = len(found), sum(e.success for e in expected)
    seen = reach(wins, n)
    said = "no fall can be seen" if seen is None else f"sees a fall to {seen}/{n} or lower"
    observed = 100 * sum(r.success for r in found) / n
    yield Gate(site, condition, "SR", n, 100 * wins / n, observed, 100 * sigma_of_rate(wins, n), f"{wins}/{n}: {said}")
    steps = [float(e.steps) for e in expected]
    yield Gate(site, condition, "AS", n, mean(steps), mean([float(r.steps) for r in found]), stdev(steps) / sqrt(n))
