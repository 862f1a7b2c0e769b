"""What a sweep found: exponents, comparisons and whether they agree with the theory, as Markdown and charts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from math import log
from statistics import fmean
from typing import NamedTuple

from skillshift_gym.agents.swop.arms import BANDIT, CHANGE, GREEDY, LONGER, NO_PRIOR, NO_WINDOW, SHORTER, SWOP, TEXTS
from skillshift_gym.agents.swop.sweep import V_WORLD, WORLDS, Job, Result
from skillshift_gym.evaluation.charts import Line, log_log
from skillshift_gym.evaluation.exponents import Exponent, exponent
from skillshift_gym.evaluation.stats import bootstrap_mean, bootstrap_ratio

FITTED_FROM = 4.0  # the exponent in V + 1 is fitted over V >= 4
JUDGED_AT = 16_000  # episodes
LINEAR = 0.9  # exponent from which an arm counts as growing linearly

Values = Callable[[Result, str], Sequence[float]]


def plain(result: Result, arm: str) -> Sequence[float]:
    """Returns the final DR_0 of each seed."""
    return result.plain[arm]


def regularised(result: Result, arm: str) -> Sequence[float]:
    """Returns the final DR_beta of each seed."""
    return result.regularised[arm]


def rate(episodes: int, variation: float) -> float:
    """Returns K^{2/3} (V + 1)^{1/3}, the bound of "SkillShift-Bench", section 4.1, without its constant."""
    return float(episodes ** (2 / 3) * (variation + 1) ** (1 / 3))


def over_episodes(results: Iterable[Result], world: str, *, fixed: bool = False) -> list[Result]:
    """Returns the runs in which K is swept, by K."""
    found = [r for r in results if _swept(r.job, world, fixed)]
    return sorted(found, key=lambda r: r.job.episodes)


def over_variation(results: Iterable[Result]) -> list[Result]:
    """Returns the runs of the largest K in which V is swept, by V."""
    own = [r for r in results if r.job.world == V_WORLD and r.job.beta is None]
    most = max((r.job.episodes for r in own), default=0)
    return sorted((r for r in own if r.job.episodes == most), key=lambda r: r.job.variation)


def in_episodes(runs: Sequence[Result], arm: str, values: Values = plain) -> Exponent:
    """Returns the exponent of regret in K."""
    return exponent([r.job.episodes for r in runs], [values(r, arm) for r in runs])


def in_variation(runs: Sequence[Result], arm: str, values: Values = plain) -> Exponent:
    """Returns the exponent of regret in V + 1, over V >= 4."""
    fitted = [r for r in runs if r.job.variation >= FITTED_FROM]
    return exponent([r.job.variation + 1 for r in fitted], [values(r, arm) for r in fitted])


class Criterion(NamedTuple):
    """A prediction of the theory and what was measured.

    Attributes:
        text: The prediction.
        found: The measurement.
        met: Whether they agree.
    """

    text: str
    found: str
    met: bool


def criteria(results: Sequence[Result]) -> list[Criterion]:
    """Returns the predictions that a sweep can judge, none below K = 16,000, where they are about growth to come."""
    found: list[Criterion] = []
    if max(r.job.episodes for r in results) < JUDGED_AT:
        return found
    for world in WORLDS:
        runs = over_episodes(results, world)
        if len(runs) > 1:
            found += _growth(world, runs)
    runs = over_variation(results)
    if sum(r.job.variation >= FITTED_FROM for r in runs) > 1:
        found += _variation(runs)
    found += [_adaptive(arm, runs) for arm in (BANDIT, CHANGE) if runs]
    found += _parts(results, runs)
    return found


def _growth(world: str, runs: Sequence[Result]) -> list[Criterion]:
    without, own = in_episodes(runs, NO_WINDOW), in_episodes(runs, SWOP)
    if without.value < LINEAR:
        return [Criterion(f"{world}: no window is linear in K (exponent >= {LINEAR})", str(without), False)]
    low, high = own.interval
    text = f"{world}: no window is linear in K, SWOP's exponent lies in (0.3, 0.75]"
    return [Criterion(text, f"{without} and {own}", low > 0.3 and high <= 0.75)]


def _variation(runs: Sequence[Result]) -> list[Criterion]:
    fitted = [r for r in runs if r.job.variation >= FITTED_FROM]
    own, ratios = in_variation(runs, SWOP), [_ratio(r, SWOP) for r in fitted]
    spread, (low, high) = max(ratios) / min(ratios), own.interval
    return [
        Criterion("exponent in V + 1 over V >= 4 lies in [0.15, 0.6]", str(own), low >= 0.15 and high <= 0.6),
        Criterion("regret / (K^(2/3) (V + 1)^(1/3)) stays within a factor 2 over V >= 4", f"{spread:.2f}", spread <= 2),
    ]


def _adaptive(arm: str, runs: Sequence[Result]) -> Criterion:
    ratios = [(*_relative(run, arm), run.job.variation) for run in runs]
    text, high, variation = max(ratios, key=lambda ratio: ratio[1])
    where = f"every V at K = {runs[0].job.episodes:,}"
    found = f"largest ratio {text}, at V = {variation:g}"
    return Criterion(
        f"{arm} knows no budget and is within twice the oracle window's regret ({where})", found, high <= 2
    )


def _parts(results: Sequence[Result], runs: Sequence[Result]) -> list[Criterion]:
    found = []
    for run in runs:
        worse, text = _worse(run, NO_WINDOW, plain)
        if run.job.variation >= FITTED_FROM:
            found.append(Criterion(f"no window costs more ({_where(run)})", text, worse))
    fixed = over_episodes(results, V_WORLD, fixed=True)
    for arm in (NO_PRIOR, GREEDY) if fixed else ():
        worse, text = _worse(fixed[-1], arm, regularised)
        found.append(Criterion(f"{arm} costs more where the prior counts (DR_beta, {_where(fixed[-1])})", text, worse))
    return found


def markdown(results: Sequence[Result]) -> str:
    """Returns all tables."""
    parts = [f"{max(r.job.seeds for r in results)} seeds an arm; intervals are 95 % bootstrap intervals over seeds.\n"]
    for world in WORLDS:
        runs = over_episodes(results, world)
        if len(runs) > 1:
            parts.append(_episodes_table(f"{world}: growth with K at V = {runs[0].job.variation:g}", runs))
    fixed = over_episodes(results, V_WORLD, fixed=True)
    if len(fixed) > 1:
        title = (
            f"{V_WORLD}: growth with K at the fixed temperature {fixed[0].job.beta:g}, V = {fixed[0].job.variation:g}"
        )
        parts.append(_episodes_table(title, fixed))
    runs = over_variation(results)
    if len(runs) > 1:
        parts.append(_variation_table(runs))
    rows = [(c.text, c.found, "yes" if c.met else "NO") for c in criteria(results)]
    judged = table(("prediction", "measured", "agree"), rows) if rows else f"Not judged below K = {JUDGED_AT:,}.\n"
    parts.append(f"## Theory and measurement\n\n{judged}")
    return "\n".join(parts)


def _episodes_table(title: str, runs: Sequence[Result]) -> str:
    head = ["arm", *(f"K = {r.job.episodes:,}" for r in runs), "exponent of DR_0", "exponent of DR_beta"]
    rows = []
    for arm in runs[0].plain:
        cells = [f"{fmean(r.plain[arm]):.0f} / {fmean(r.regularised[arm]):.0f}" for r in runs]
        rows.append([arm, *cells, str(in_episodes(runs, arm)), str(in_episodes(runs, arm, regularised))])
    return f"## {title}\n\nMean DR_0 / DR_beta.\n\n" + table(head, rows)


def _variation_table(runs: Sequence[Result]) -> str:
    arms = list(runs[0].plain)
    rows = []
    for previous, run in zip([None, *runs[:-1]], runs, strict=True):
        local = "" if previous is None else f"{_local(previous, run):.2f}"
        cells = [f"{fmean(run.plain[arm]):.0f}" for arm in arms]
        exact = fmean(run.variation)
        rows.append([f"{run.job.variation:g} ({exact:.2f})", run.window, *cells, f"{_ratio(run, SWOP):.2f}", local])
    head = ["V (exact)", "W*", *arms, "SWOP / rate", "local exponent"]
    text = f"## {V_WORLD}: growth with V at K = {runs[0].job.episodes:,}\n\nMean DR_0.\n\n" + table(head, rows)
    if sum(r.job.variation >= FITTED_FROM for r in runs) > 1:
        fits = in_variation(runs, SWOP), in_variation(runs, SWOP, regularised)
        text += f"\nExponent in V + 1 over V >= 4: DR_0 {fits[0]}, DR_beta {fits[1]}.\n"
    return text


def table(head: Sequence[object], rows: Iterable[Sequence[object]]) -> str:
    """Returns a Markdown table."""
    lines = [head, ["---"] * len(head), *rows]
    return "".join(f"| {' | '.join(map(str, line))} |\n" for line in lines)


def charts(results: Sequence[Result]) -> dict[str, str]:
    """Returns file name -> chart."""
    found = {}
    for world in WORLDS:
        runs = over_episodes(results, world)
        if len(runs) > 1:
            x = [float(r.job.episodes) for r in runs]
            found[f"regret-K-{world}.svg"] = _chart(runs, x, "episodes K", _guide(runs, x))
    runs = [r for r in over_variation(results) if r.job.variation > 0]
    if len(runs) > 1:
        x = [r.job.variation + 1 for r in runs]
        found["regret-V.svg"] = _chart(runs, x, f"V + 1, at K = {runs[0].job.episodes:,}", _guide(runs, x))
    for run in over_variation(results):
        if run.job.variation == WORLDS[V_WORLD][2]:
            arms = [*_charted(run), SHORTER, LONGER]
            lines = [Line(arm, run.episodes, run.curves[arm]) for arm in arms]
            found["regret-curve.svg"] = log_log(lines, f"episode, {_where(run)}", "regret so far (DR_0)")
    return found


def _chart(runs: Sequence[Result], x: Sequence[float], title: str, guide: Line) -> str:
    lines = [Line(arm, x, [fmean(r.plain[arm]) for r in runs]) for arm in _charted(runs[0])]
    return log_log([*lines, guide], title, "DR_0")


def _charted(run: Result) -> list[str]:
    """Returns the arms of every chart, in one order so that each keeps its colour."""
    return [arm for arm in run.plain if arm not in (SHORTER, LONGER)]


def _guide(runs: Sequence[Result], x: Sequence[float]) -> Line:
    scale = _ratio(runs[-1], SWOP) / 2
    return Line("the rate", x, [scale * rate(r.job.episodes, r.job.variation) for r in runs], dashed=True)


def _ratio(run: Result, arm: str) -> float:
    return fmean(run.plain[arm]) / rate(run.job.episodes, run.job.variation)


def _local(first: Result, second: Result) -> float:
    grown = log(fmean(second.plain[SWOP]) / fmean(first.plain[SWOP]))
    return grown / log((second.job.variation + 1) / (first.job.variation + 1))


def _relative(run: Result, arm: str) -> tuple[str, float]:
    """Returns an arm's regret over SWOP's with its interval, and the interval's upper end."""
    interval = bootstrap_ratio(list(zip(run.plain[arm], run.plain[SWOP], strict=True)))
    assert interval is not None
    ratio = fmean(run.plain[arm]) / fmean(run.plain[SWOP])
    return f"{ratio:.2f} [{interval.low:.2f}, {interval.high:.2f}]", interval.high


def _worse(run: Result, arm: str, values: Values) -> tuple[bool, str]:
    """Returns whether an arm's regret is above SWOP's, seed by seed, and by how much."""
    own = values(run, SWOP)
    differences = [b - a for a, b in zip(own, values(run, arm), strict=True)]
    interval = bootstrap_mean(differences)
    assert interval is not None
    text = f"{fmean(differences):+.0f} [{interval.low:+.0f}, {interval.high:+.0f}] on {fmean(own):.0f}"
    return interval.low > 0, text


def _where(run: Result) -> str:
    fixed = "" if run.job.beta is None else f", beta = {run.job.beta:g}"
    return f"V = {run.job.variation:g}, K = {run.job.episodes:,}{fixed}"


def _swept(job: Job, world: str, fixed: bool) -> bool:
    return job.world == world and job.variation == WORLDS[world][2] and (job.beta is not None) == fixed


def legend() -> str:
    """Returns what the arms are."""
    return table(("arm", "what it is"), TEXTS.items())
