"""The dynamic regret of learners in nonstationary worlds, exactly: values come from the tables, not from returns.

Regret of an episode: value of the best policy of that episode's model at the first state, minus that of the policy played.
Regularised (DR_beta) it counts beta KL(pi || prior) as a cost of both; plain (DR_0) it does not.
DR_0 <= DR_beta + K H beta log(1 / p_min) (our definition; "SkillShift-Bench", section 4.1, bounds a dynamic regret).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from skillshift_gym.agents.swop.exact import backward, worth
from skillshift_gym.agents.swop.memory import History, Sums
from skillshift_gym.agents.swop.planner import SCALE, log_term, plan
from skillshift_gym.agents.swop.rollout import drawn, rollout, width
from skillshift_gym.agents.swop.windows import Rule
from skillshift_gym.errors import UsageError
from skillshift_gym.tabular.model import Floats, Ints, Nonstationary

_CHUNK = 512  # episodes whose random numbers are drawn at once
POINTS = 64  # of a curve


class Group(NamedTuple):
    """Learners that share a rule.

    Attributes:
        names: Name of each arm; an arm is one learner a seed.
        rule: Makes the rule from the history and its learners, arm by arm and seed by seed.
        prior: Whether each arm has the world's prior; else it has the uniform one.
    """

    names: tuple[str, ...]
    rule: Callable[[History, Ints], Rule]
    prior: tuple[bool, ...]


class Regret(NamedTuple):
    """Cumulated regret.

    Attributes:
        plain: Arm -> DR_0(k) at the ends of up to 64 spans of episodes, (seeds, points).
        regularised: Arm -> DR_beta(k), likewise.
        episodes: k of the points.
    """

    plain: dict[str, Floats]
    regularised: dict[str, Floats]
    episodes: Ints


def regret(
    worlds: Sequence[Nonstationary], groups: Sequence[Group], beta: float, seeds: Sequence[int], scale: float = SCALE
) -> Regret:
    """Runs all arms on all worlds and returns their regret.

    Arms of a seed meet the same world and the same random numbers.

    Args:
        worlds: One world a seed, of equal K, H, S, A.
        groups: The arms.
        beta: Temperature of the regularised regret, whatever the learners' own.
        seeds: Seeds of what is drawn in the episodes.
        scale: c of the bonus.

    Raises:
        UsageError: The worlds differ in size.
    """
    batch = _Batch(worlds, groups, beta, seeds, scale)
    ends = np.unique(np.linspace(0, batch.episodes, POINTS + 1).round().astype(np.int64))[1:]
    total, curve = np.zeros((2, batch.size)), np.zeros((len(ends), 2, batch.size))
    for k in range(batch.episodes):
        total += batch.episode(k)
        if k + 1 in ends:
            curve[np.searchsorted(ends, k + 1)] = total
    names = [name for group in groups for name in group.names]
    shaped = curve.reshape(len(ends), 2, len(names), len(seeds)).transpose(1, 2, 3, 0)
    return Regret(dict(zip(names, shaped[0], strict=True)), dict(zip(names, shaped[1], strict=True)), ends)


class _Batch:
    """All learners, side by side: arm by arm, and seed by seed within an arm."""

    def __init__(
        self, worlds: Sequence[Nonstationary], groups: Sequence[Group], beta: float, seeds: Sequence[int], scale: float
    ) -> None:
        self.worlds = _Worlds(worlds, beta)
        self.shape, self.episodes, self._beta, self._scale = worlds[0].shape, worlds[0].episodes, beta, scale
        arms, count = sum(len(group.names) for group in groups), len(worlds)
        self.size = arms * count
        self._history = History(self.size, self.episodes, self.shape)
        self._log_term = log_term(self.shape, self.episodes)
        self._random = [np.random.default_rng([3, seed]) for seed in seeds]
        self._draws = np.zeros((0, 0, 0))
        self._which = np.tile(np.arange(count), arms)
        self._rows = np.arange(self.size)
        given = np.repeat([flag for group in groups for flag in group.prior], count)
        self._prior = self.worlds.prior[self._which]
        self._believed = np.where(given[:, None, None, None], self._prior, 1 / self.shape[2])
        self._rules: list[tuple[Rule, slice]] = []
        first = 0
        for group in groups:
            last = first + len(group.names) * count
            self._rules.append((group.rule(self._history, np.arange(first, last)), slice(first, last)))
            first = last

    def episode(self, k: int) -> Floats:
        """Plays episode k and returns plain and regularised regret of each learner, (2, B)."""
        if k % _CHUNK == 0:
            columns = width(self.shape[0]) + 2
            self._draws = np.stack([random.random((_CHUNK, columns)) for random in self._random], axis=1)
        draws = self._draws[k % _CHUNK][self._which]
        self.worlds.at(k)
        reward, transition = self.worlds.reward[self._which], self.worlds.transition[self._which]
        policy = self._policies(draws[:, -1])
        start = drawn(self.worlds.start[self._which], draws[:, -2])
        played = rollout(policy, reward, transition, start, draws)
        self._history.append(*played)
        for rule, rows in self._rules:
            rule.learn(played.rewards.sum(axis=1)[rows])
        found = worth(policy, reward, transition, self._prior)
        gained, price = found.reward[self._rows, start], found.price[self._rows, start]
        return self.worlds.best[:, self._which, start] - np.stack((gained, gained - self._beta * price))

    def _policies(self, draws: Floats) -> Floats:
        views = [rule.view(draws[rows]) for rule, rows in self._rules]
        sums = Sums(*(np.concatenate(tables) for tables in zip(*(view.sums for view in views), strict=True)))
        beta = np.concatenate([view.beta for view in views])
        explore = np.concatenate([view.explore for view in views])
        policy = plan(sums, self._believed, beta, self._scale, self._log_term).policy
        policy[explore] = self._believed[explore]
        return policy


class _Worlds:
    """The worlds of all seeds in one episode, and their optima.

    Attributes:
        reward: (n, H, S, A).
        transition: (n, H, S, A, S).
        best: Optimal values of the first step, plain and regularised, (2, n, S).
    """

    def __init__(self, worlds: Sequence[Nonstationary], beta: float) -> None:
        if len({(world.episodes, world.shape) for world in worlds}) != 1:
            raise UsageError("expected worlds of equal K, H, S and A, at least one")
        self._worlds, self._beta = worlds, beta
        self.prior = np.stack([world.prior for world in worlds])
        self.start = np.stack([world.start for world in worlds])
        self.reward = np.stack([world.reward(0) for world in worlds])
        self.transition = np.stack([world.transition(0) for world in worlds])
        self.best = self._optima()

    def at(self, k: int) -> None:
        """Goes to episode k; what did not change since k - 1 is left as it is."""
        moved = [i for i, world in enumerate(self._worlds) if k and world.moves(k)]
        for i in moved:
            self.reward[i], self.transition[i] = self._worlds[i].reward(k), self._worlds[i].transition(k)
        if moved:
            self.best = self._optima()

    def _optima(self) -> Floats:
        betas = (0.0, self._beta)
        values = [backward(self.reward, self.transition, self.prior, np.array(beta)).value[:, 0] for beta in betas]
        return np.stack(values)
