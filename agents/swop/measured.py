"""The variation budget of a stream of a web environment, measured: from calls of skills, and from what a stream itself showed.

"SkillShift-Bench", section 4.1, speaks of a "measured variation budget" and gives no procedure; this one is ours. The
generator of a stream is ours as well, so that the stream of conditions is exact; what is estimated is executability in each
condition, from a few calls of each skill. A maximum over noisy differences is biased upwards.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from skillshift_gym.agents.swop.agent import SHAPE, add_step
from skillshift_gym.agents.swop.budget import PlugIn, plug_in
from skillshift_gym.agents.swop.memory import History
from skillshift_gym.evaluation.executability import Table, shares
from skillshift_gym.evaluation.stats import Interval
from skillshift_gym.wrappers.streams import variation

RESAMPLES = 200


class Measured(NamedTuple):
    """A measured budget.

    Attributes:
        value: V_K, with shares of calls in place of probabilities.
        bias: How much a bootstrap of the calls raises it on average: about how much the value is too high. It sees
            noise only where calls of one skill differ, so it is a lower estimate.
        interval: 95 % percentile bootstrap interval.
        chance: The same sum where outcomes are shuffled over conditions, so that nothing drifts: all of it is noise.
        mean: The sum with the mean over skills in place of the maximum: how much an average skill changes.
        calls: Calls behind it.
        skills: Skills behind it.
    """

    value: float
    bias: float
    interval: Interval
    chance: float
    mean: float
    calls: int
    skills: int


def measured(table: Table, stream: Sequence[str], resamples: int = RESAMPLES, seed: int = 0) -> Measured:
    """Returns the budget of a stream.

    Args:
        table: Condition -> skill -> outcomes of its calls; the same skills in each condition.
        stream: The conditions, episode by episode, all of them in the table.
        resamples: Bootstrap resamples, and shuffles.
        seed: Seed of both.
    """
    random = np.random.default_rng([6, seed])
    value = variation(shares(table), stream)
    drawn = [variation(shares(_resampled(table, random)), stream) for _ in range(resamples)]
    mixed = [variation(shares(_shuffled(table, random)), stream) for _ in range(resamples)]
    low, high = (float(x) for x in np.percentile(drawn, [2.5, 97.5]))
    calls = sum(len(outcomes) for own in table.values() for outcomes in own.values())
    skills = len(next(iter(table.values())))
    noise = float(np.mean(drawn)) - value, float(np.mean(mixed))
    return Measured(value, noise[0], Interval(low, high), noise[1], _mean(table, stream), calls, skills)


def from_stream(lines: Sequence[Mapping[str, Any]], blocks: int) -> PlugIn:
    """Returns the plug-in estimate of the budget from the steps of a played stream, with the noise that is in it.

    What counts here are classes of actions in classes of situations, as SWOP sees them, not skills.

    Args:
        lines: Lines of an arm that notes its steps.
        blocks: How many blocks of equal numbers of steps are compared.
    """
    steps = [step for line in lines for step in line["evidence"]]
    history = History(1, len(steps), SHAPE)
    for state, action, reward in steps:
        add_step(history, state, action, reward)
    return plug_in(history, len(steps) // blocks, transitions=False)


def _resampled(table: Table, random: np.random.Generator) -> Table:
    return {c: {name: random.choice(calls, len(calls)).tolist() for name, calls in own.items()}
            for c, own in table.items()}  # fmt: skip


def _shuffled(table: Table, random: np.random.Generator) -> Table:
    """Returns the table with each skill's outcomes dealt out anew to the conditions, as many to each."""
    found: dict[str, dict[str, Sequence[int]]] = {condition: {} for condition in table}
    for name in next(iter(table.values())):
        dealt = random.permutation([x for own in table.values() for x in own[name]]).tolist()
        for condition, own in table.items():
            found[condition][name], dealt = dealt[: len(own[name])], dealt[len(own[name]) :]
    return found


def _mean(table: Table, stream: Sequence[str]) -> float:
    rates = {c: np.array(list(own.values())) for c, own in shares(table).items()}
    return float(sum(np.abs(rates[b] - rates[a]).mean() for a, b in pairwise(stream) if a != b))
