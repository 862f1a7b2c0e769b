"""What streams of web episodes came to: cumulative failure advantage over the prior, success by condition, the budget."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from statistics import fmean
from typing import NamedTuple

from skillshift_gym.agents.swop.budget import PlugIn
from skillshift_gym.agents.swop.findings import rate, table
from skillshift_gym.agents.swop.measured import Measured
from skillshift_gym.agents.swop.situations import ACTIONS
from skillshift_gym.agents.swop.web_arms import ARMS, PRIOR
from skillshift_gym.agents.swop.web_stream import Line as Episode
from skillshift_gym.agents.swop.web_stream import Stream
from skillshift_gym.evaluation.charts import Line, linear
from skillshift_gym.evaluation.stats import Interval, bootstrap_mean, mcnemar, wilson

POINTS = 24  # of a curve
CHARTED = ("mpcr", "swop", "swop-draws", "swop-no-window", "swop-adaptive")


class Played(NamedTuple):
    """A stream that was played.

    Attributes:
        stream: The stream.
        arms: Arm -> its episodes, in order; the same tasks in each, the prior among them.
        budget: Measured V_K.
        seen: Plug-in estimate of the budget from the steps of the prior.
        window: W*.
    """

    stream: Stream
    arms: Mapping[str, Sequence[Episode]]
    budget: Measured
    seen: PlugIn
    window: int


class Advantage(NamedTuple):
    """Failures of the prior minus failures of an arm, over the first episodes.

    Attributes:
        value: The difference; above 0 the arm fails less.
        interval: 95 % bootstrap interval over tasks: all episodes of a task are drawn together.
        only_prior: Episodes that only the prior solved.
        only_arm: Episodes that only the arm solved.
    """

    value: int
    interval: Interval
    only_prior: int
    only_arm: int

    def __str__(self) -> str:
        """Returns the advantage with its interval."""
        return f"{self.value:+d} [{self.interval.low:+.0f}, {self.interval.high:+.0f}]"


def advantage(prior: Sequence[Episode], arm: Sequence[Episode]) -> Advantage:
    """Returns the cumulative failure advantage A(k) of an arm over the prior, for as many episodes as are given.

    Args:
        prior: Episodes of the prior, at least one.
        arm: Those of the arm: the same tasks in the same order.
    """
    pairs = [(bool(a["success"]), bool(b["success"])) for a, b in zip(prior, arm, strict=True)]
    sums = dict.fromkeys((line["task"] for line in prior), 0)
    for line, (first, second) in zip(prior, pairs, strict=True):
        sums[line["task"]] += second - first
    mean = bootstrap_mean(list(sums.values()))
    assert mean is not None
    low, high = (len(sums) * end for end in mean)
    lost, won = sum(a > b for a, b in pairs), sum(b > a for a, b in pairs)
    return Advantage(won - lost, Interval(low, high), lost, won)


def markdown(all_played: Sequence[Played]) -> str:
    """Returns all tables."""
    parts = [f"## Arms\n\n{table(('arm', 'what it is'), ((name, arm.text) for name, arm in ARMS.items()))}"]
    parts.append(f"## Advantages\n\n{_advantages(all_played)}")
    parts.append(f"## Budgets\n\n{_budgets(all_played)}")
    for played in all_played:
        parts.append(f"## {_title(played)}\n\n{_arms(played)}\n{_conditions(played)}\n{_classes(played)}")
    return "\n".join(parts)


def chart(played: Played) -> str:
    """Returns A(k) of the arms with bands as an SVG document."""
    count = played.stream.episodes
    ends = sorted({round(count * i / POINTS) for i in range(1, POINTS + 1)} - {0})
    lines = []
    for name in CHARTED:
        if name in played.arms:
            found = [advantage(played.arms[PRIOR][:k], played.arms[name][:k]) for k in ends]
            low, high = [[0.0, *(a.interval[i] for a in found)] for i in (0, 1)]
            lines.append(Line(name, [0, *ends], [0, *(a.value for a in found)], low=low, high=high))
    return linear(lines, f"episode, {_title(played)}", "failures of the prior minus the arm's")


def _title(played: Played) -> str:
    stream = played.stream
    return f"{stream.site}, {stream.kind}, K = {stream.episodes}"


def _advantages(all_played: Sequence[Played]) -> str:
    """Returns A(K) of every arm in every stream."""
    rows = []
    for name in dict.fromkeys(name for played in all_played for name in played.arms if name != PRIOR):
        own = ((played.arms[PRIOR], played.arms.get(name)) for played in all_played)
        rows.append((name, *("not played" if lines is None else str(advantage(prior, lines)) for prior, lines in own)))
    return table(("A(K) over the prior", *map(_title, all_played)), rows)


def _budgets(all_played: Sequence[Played]) -> str:
    head = ("stream", "changes", "V_K, measured", "bias", "by chance", "mean over skills", "from the stream (noise)", "W*",
            "K^(2/3) (V_K + 1)^(1/3)")  # fmt: skip
    rows = []
    for played in all_played:
        found, conditions = played.budget, [line["condition"] for line in played.arms[PRIOR]]
        changes = sum(a != b for a, b in pairwise(conditions))
        value = f"{found.value:.2f} [{found.interval.low:.2f}, {found.interval.high:.2f}]"
        bound = rate(played.stream.episodes, found.value)
        rows.append((_title(played), changes, value, f"{found.bias:+.2f}", f"{found.chance:.2f}", f"{found.mean:.2f}",
                     f"{played.seen.estimate:.2f} ({played.seen.noise:.2f})", played.window, f"{bound:.0f}"))  # fmt: skip
    behind = {f"{p.stream.site}: {p.budget.calls} calls of {p.budget.skills} skills" for p in all_played}
    return f"{table(head, rows)}\nBehind V_K are {'; '.join(sorted(behind))}.\n"


def _arms(played: Played) -> str:
    head = ("arm", "solved", "A(K) over the prior", "only prior / only arm", "McNemar p", "steps", "failed actions",
            "skill calls", "of them failed", "left the first choice")  # fmt: skip
    rows = []
    for name, lines in played.arms.items():
        solved = sum(line["success"] for line in lines)
        interval = wilson(solved, len(lines))
        assert interval is not None
        text = f"{solved}/{len(lines)} ({100 * interval.low:.0f} to {100 * interval.high:.0f} %)"
        won = advantage(played.arms[PRIOR], lines)
        compared: tuple[object, ...] = ("", "", "")
        if name != PRIOR:
            p_value = mcnemar(won.only_prior, won.only_arm)
            compared = (won, f"{won.only_prior} / {won.only_arm}", f"{p_value:.2g}")
        total = {key: sum(line.get(key, 0) for line in lines) for key in _SUMMED}
        left = total["left_prior"] + total["reranked"] + total["dismissals"]
        rows.append((name, text, *compared, *(total[key] for key in _SUMMED[:4]), left))
    return table(head, rows)


_SUMMED = ("steps", "errors", "calls", "failed_calls", "left_prior", "reranked", "dismissals")


def _conditions(played: Played) -> str:
    names = list(dict.fromkeys(line["condition"] for line in played.arms[PRIOR]))
    counts = Counter(line["condition"] for line in played.arms[PRIOR])
    rows = []
    for arm, lines in played.arms.items():
        solved = Counter(line["condition"] for line in lines if line["success"])
        rows.append((arm, *(solved[name] for name in names)))
    return f"Solved, by condition:\n\n{table(('arm', *(f'{n} (n = {counts[n]})' for n in names)), rows)}"


def _classes(played: Played) -> str:
    """Returns what the classes of actions came to in the hands of the prior, by condition."""
    outcomes: dict[tuple[int, str], list[int]] = {}
    for line in played.arms[PRIOR]:
        for _, action, reward in line["evidence"]:
            outcomes.setdefault((action, line["condition"]), []).append(reward)
    names = list(dict.fromkeys(line["condition"] for line in played.arms[PRIOR]))
    rows = []
    for action, text in enumerate(ACTIONS):
        cells = [outcomes.get((action, name), []) for name in names]
        if any(cells):
            rows.append((text, *(f"{fmean(c):.2f} ({len(c)})" if c else "none" for c in cells)))
    return f"The prior's actions that did what they name, by condition (steps):\n\n{table(('class', *names), rows)}"
