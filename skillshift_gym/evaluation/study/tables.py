"""The tables of a study as Markdown, from the records of its runs; every number with its n and interval."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from ...registration import CONDITIONS
from .. import recount
from ..contrasts import compared
from ..metrics import Metric, average, average_calls, failure_rate, success_rate
from ..published import NOT_COMPARABLE, published_entries
from ..records import TaskRecord
from ..stats import bootstrap_mean, holm

Records = Sequence[TaskRecord]
VIEWS = {"base": ("src", "tgt"), "perceptual": ("src-perc", "tgt-perc"), "execution": ("src-exec", "tgt-exec")}
INTERVALS = "95 % intervals in brackets (SR: Wilson; the others: bootstrap over tasks)."


class Rows(NamedTuple):
    """The records of an arm.

    Attributes:
        name: Its label.
        records: Its measurements.
    """

    name: str
    records: Records

    def of(self, sites: Iterable[str], condition: str) -> list[TaskRecord]:
        """Returns the measurements of a condition on some sites."""
        return [r for r in self.records if r.site in set(sites) and r.condition == condition and r.status == "ok"]


def true_failures(records: Records) -> Metric:
    """Returns SFR by true status: the failure rate with semantic ids and state as judge."""
    judged = [
        r.model_copy(update={"skill_failures": r.skill_failures_true}) for r in records if r.skill_calls is not None
    ]
    return failure_rate(judged) if judged else Metric(None, 0, None, "the method has no executable skills")


METRICS: dict[str, tuple[Callable[[Records], Metric], int]] = {
    "SR, %": (success_rate, 1),
    "AS, actions a task": (lambda rs: average([float(r.steps) for r in rs]), 2),
    "ASC, skill calls a task": (average_calls, 2),
    "SFR, % of calls": (failure_rate, 1),
    "SFR_true, % of calls": (true_failures, 1),
}


def methods_table(arms: Sequence[Rows], sites: Sequence[str]) -> str:
    """Returns Table 1: each metric by arm, site and condition, and the calls by code of each arm."""
    lines: list[str] = []
    for title, (metric, digits) in METRICS.items():
        lines += [
            f"### {title}",
            "",
            "| arm | site | " + " | ".join(CONDITIONS) + " | mean of cells |",
            "|---" * 9 + "|",
        ]
        for arm in arms:
            for site in sites:
                cells = [metric(arm.of([site], c)) for c in CONDITIONS]
                lines.append(
                    f"| {arm.name} | {site} | " + " | ".join(_cell(m, digits) for m in [*cells, _macro(cells)]) + " |"
                )
        lines.append("")
    for arm in arms:
        by_code = recount.table(recount.codes(r for r in arm.records if r.status == "ok"))
        if by_code:
            lines += [f"### Calls by code: {arm.name} (observed / true)", "", *by_code, ""]
    return "\n".join(lines)


def kept_table(arms: Sequence[Rows], sites: Sequence[str]) -> str:
    """Returns how much of its source success each arm keeps in each condition, over all sites."""
    lines = ["| arm | " + " | ".join(list(CONDITIONS)[1:]) + " |", "|---" * 6 + "|"]
    for arm in arms:
        source = sum(r.success for r in arm.of(sites, "src"))
        kept = (sum(r.success for r in arm.of(sites, c)) for c in list(CONDITIONS)[1:])
        lines.append(
            f"| {arm.name} | "
            + " | ".join(f"{100 * k / source:.0f} % ({k}/{source})" if source else "null" for k in kept)
            + " |"
        )
    return "\n".join(lines)


def against(
    base: Rows, arms: Sequence[Rows], sites: Sequence[str], conditions: Sequence[str] = tuple(CONDITIONS)
) -> str:
    """Returns paired differences in SR to a base arm, site by site and condition by condition, Holm over the table."""
    found = []
    for arm in arms:
        for site in sites:
            for condition in conditions:
                result, _ = compared(base.of([site], condition), arm.of([site], condition))
                if result is not None:
                    found.append((arm.name, site, condition, result))
    adjusted = holm([result.p_value for *_, result in found])
    lines = [
        "| arm | site | condition | difference, points | only base / only arm | McNemar p (Holm) | n |",
        "|---" * 7 + "|",
    ]
    for (name, site, condition, r), p in zip(found, adjusted, strict=True):
        span = f"[{100 * r.interval.low:+.1f}, {100 * r.interval.high:+.1f}]"
        lines.append(
            f"| {name} | {site} | {condition} | {100 * r.difference:+.1f} {span} | {r.only_first} / {r.only_second} | "
            f"{r.p_value:.3f} ({p:.3f}) | {r.n} |"
        )
    return "\n".join(lines)


def library_table(base: Rows, arms: Sequence[Rows], sites: Sequence[str]) -> str:
    """Returns Table 3: over one frozen library, SR and cost of each arm, and its advantage over the prior."""
    lines = [
        "| arm | " + " | ".join(f"{c} SR %" for c in CONDITIONS) + " | AS | ASC | SFR % | SFR_true % | probes a step |",
        "|---" * 12 + "|",
    ]
    for arm in [base, *arms]:
        cells = [success_rate(arm.of(sites, c)) for c in CONDITIONS]
        every = [r for r in arm.records if r.status == "ok"]
        costs = [
            (average([float(r.steps) for r in every]), 2),
            (average_calls(every), 2),
            (failure_rate(every), 1),
            (true_failures(every), 1),
        ]
        steps = sum(r.steps for r in every)
        probes = f"{sum(r.agent.get('probes', 0) for r in every) / steps:.2f}" if steps else "null"
        lines.append(
            f"| {arm.name} | "
            + " | ".join([*(_cell(m, 1) for m in cells), *(_cell(m, d) for m, d in costs), probes])
            + " |"
        )
    return "\n".join(lines)


def advantage_table(base: Rows, arms: Sequence[Rows], sites: Sequence[str]) -> str:
    """Returns the cumulative failure advantage over a base arm by view: failures of the base minus those of the arm.

    Source: SkillShift-Bench, the cumulative failure advantage of MPCR over ASI, `A(K) = sum_k [fail_base(k) - fail_arm(k)]`
    over the tasks of a view (the sum's form is our reading of it).
    """
    lines = ["| arm | " + " | ".join(f"{v} ({' + '.join(c)})" for v, c in VIEWS.items()) + " |", "|---" * 4 + "|"]
    for arm in arms:
        cells = []
        for conditions in VIEWS.values():
            gains = advantages(base, arm, sites, conditions)
            span = bootstrap_mean(gains) if gains else None
            n = len(gains)
            cells.append(
                f"{sum(gains):+.0f} [{n * span.low:+.0f}, {n * span.high:+.0f}] of {n}" if span else "null (no pair)"
            )
        lines.append(f"| {arm.name} | " + " | ".join(cells) + " |")
    return "\n".join(lines)


def advantages(base: Rows, arm: Rows, sites: Sequence[str], conditions: Sequence[str]) -> list[float]:
    """Returns, task by task in a fixed order, 1 where only the base fails, -1 where only the arm does, else 0."""
    first, second = (
        {(r.condition, r.task): r.success for c in conditions for r in rows.of(sites, c)} for rows in (base, arm)
    )
    return [float(second[key]) - float(first[key]) for key in sorted(first.keys() & second.keys())]


def published_block() -> str:
    """Returns the published rows, apart from ours."""
    lines = [
        f"{NOT_COMPARABLE[0].upper()}{NOT_COMPARABLE[1:]}.",
        "",
        "| method | " + " | ".join(CONDITIONS) + " | overall |",
        "|---" * 8 + "|",
    ]
    for entry in published_entries():
        numbers = [entry.metrics.SR.conditions[c] for c in CONDITIONS]
        lines.append(
            f"| {entry.method} ({entry.backbone}) | "
            + " | ".join(map(str, [*numbers, entry.metrics.SR.overall]))
            + " |"
        )
    return "\n".join(lines)


def relearning_table(
    arms: Sequence[Rows], costs: Mapping[str, tuple[int, int]], sites: Sequence[str], conditions: Sequence[str]
) -> str:
    """Returns success on the target cells against what each arm cost to learn there, and when that pays.

    Args:
        arms: The arms, the frozen prior first.
        costs: Arm -> (episodes, actions) of learning on the target; nothing for arms that learned on the source.
        sites: Sites.
        conditions: Conditions run.

    The break-even is the number of tasks after which the tasks won repay the learning, when a task won is worth the
    actions that an average task takes (AS of the frozen prior): `learning actions / (gain a task * AS)`.
    """
    base = arms[0]
    price = average([float(r.steps) for r in base.records if r.status == "ok"]).value or 0.0
    lines = [
        "| arm | "
        + " | ".join(f"{c} SR %" for c in conditions)
        + " | learning: episodes, actions | tasks to break even |",
        "|---" * (3 + len(conditions)) + "|",
    ]
    for arm in arms:
        cells = [_cell(success_rate(arm.of(sites, c)), 1) for c in conditions]
        episodes, actions = costs.get(arm.name, (0, 0))
        gains = [g for c in conditions for g in advantages(base, arm, sites, [c])]
        gain = sum(gains) / len(gains) if gains else 0.0
        even = (
            "at once"
            if not actions and gain > 0
            else "never (no gain)"
            if gain <= 0
            else f"{actions / (gain * price):.0f}"
        )
        lines.append(
            f"| {arm.name} | " + " | ".join(cells) + f" | {episodes}, {actions} | {'' if arm is base else even} |"
        )
    return "\n".join(lines)


def _macro(cells: Sequence[Metric]) -> Metric:
    values = [m.value for m in cells if m.value is not None]
    return Metric(sum(values) / len(values), len(values)) if values else Metric(None, 0, None, "no cell is defined")


def _cell(metric: Metric, digits: int) -> str:
    if metric.value is None:
        return "null"
    span = f" [{metric.interval.low:.{digits}f}, {metric.interval.high:.{digits}f}]" if metric.interval else ""
    return f"{metric.value:.{digits}f}{span}"
