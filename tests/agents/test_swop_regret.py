"""The regret meter: exact, never negative, and the numbers that the theory asks for."""

from __future__ import annotations

from dataclasses import replace
from math import log

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillshift_gym.agents.swop.arms import (
    BANDIT,
    CHANGE,
    GREEDY,
    NO_PRIOR,
    NO_WINDOW,
    SWOP,
    TEXTS,
    fixed_arms,
    groups,
)
from skillshift_gym.agents.swop.budget import played, plug_in
from skillshift_gym.agents.swop.exact import backward
from skillshift_gym.agents.swop.memory import History
from skillshift_gym.agents.swop.regret import regret
from skillshift_gym.agents.swop.rollout import rollout, width
from skillshift_gym.errors import UsageError
from skillshift_gym.tabular.generators import local_executability, random_mdp
from skillshift_gym.tabular.model import Nonstationary


def run(worlds, variation, *, scale=0.04, adaptive=False, only=(SWOP, NO_WINDOW), beta=None):
    arms = {name: arm for name, arm in fixed_arms(worlds[0].episodes, variation, beta).items() if name in only}
    made = groups(arms, len(worlds), adaptive=adaptive)
    return regret(worlds, made, arms[SWOP].beta, range(len(worlds)), scale)


def toy(episodes, jumps):
    """S = H = 1, A = 5, prior 0.6 on arm 0; the arm that pays 0.8 instead of 0.2 moves on at each jump, a variation of 0.6."""
    rewards = np.full((jumps + 1, 1, 1, 5), 0.2)
    for anchor in range(jumps + 1):
        rewards[anchor, 0, 0, anchor % 5] = 0.8
    return Nonstationary(
        rewards, np.ones((jumps + 1, 1, 1, 5, 1)), np.arange(episodes) * (jumps + 1) // episodes, np.zeros(episodes),
        np.ones(1), np.array([[[0.6, 0.1, 0.1, 0.1, 0.1]]]), ("s",), tuple("abcde"),
    )  # fmt: skip


@pytest.mark.parametrize(("jumps", "expected"), [(0, 1.07), (5, 1.95), (20, 1.79)])
def test_the_toy_gives_the_known_ratios(jumps, expected):
    """Regret / (K^{2/3} (V + 1)^{1/3}) at K = 1,000, as an independent computation of the same definition found it.

    That computation did not hand down its constant c of the bonus; 0.35 is the one that gives its numbers.
    """
    worlds = [toy(1000, jumps)] * 12
    variation = worlds[0].variation()
    assert variation == pytest.approx(0.6 * jumps)
    found = run(worlds, variation, scale=0.35)
    ratio = found.plain[SWOP][:, -1].mean() / (1000 ** (2 / 3) * (variation + 1) ** (1 / 3))
    assert ratio == pytest.approx(expected, rel=0.08)


@given(seed=st.integers(0, 1000), beta=st.sampled_from([0.05, 0.3]), variation=st.sampled_from([0.0, 4.0]))
@settings(deadline=None, max_examples=8)
def test_regret_is_never_negative_and_the_plain_one_is_bounded_by_the_other(seed, beta, variation):
    worlds = [random_mdp(60, variation, seed=seed + i) for i in range(2)]
    found = run(worlds, variation, adaptive=True, only=tuple(TEXTS), beta=beta)
    assert set(found.plain) == set(TEXTS)
    for arm in TEXTS:
        for curves in (found.plain, found.regularised):
            assert np.diff(curves[arm], axis=1, prepend=0.0).min() >= -1e-9
        limit = found.regularised[arm][:, -1] + 60 * 2 * beta * log(4)
        assert (found.plain[arm][:, -1] <= limit + 1e-9).all()


def test_regret_is_what_the_returns_lack_on_average():
    """Plays the prior and compares the exact regret with a count of rewards."""
    worlds = [local_executability(800, 0.0, seed=3)] * 6
    arms = fixed_arms(800, 0.0, 1e6)  # so hot that the policy is the prior
    found = regret(worlds, groups({SWOP: arms[SWOP]}, 6, adaptive=False), 0.1, range(6))
    world, prior = worlds[0], worlds[0].prior[None]
    best = backward(world.reward(0), world.transition(0), world.prior, np.array(0.0)).value[0].mean()
    draws = np.random.default_rng(0).random((4000, width(2)))
    start = np.arange(4000) % 2
    tables = (np.repeat(t[None], 4000, axis=0) for t in (world.prior, world.reward(0), world.transition(0)))
    lacking = best - rollout(*tables, start, draws).rewards.sum(axis=1).mean()
    assert prior.min() > 0
    assert found.plain[SWOP][:, -1].mean() / 800 == pytest.approx(lacking, abs=0.05)


def test_a_seed_does_not_depend_on_its_company():
    worlds = [local_executability(90, 3.0, seed=seed) for seed in range(3)]
    together = run(worlds, 3.0, adaptive=True, only=tuple(TEXTS))
    arms = fixed_arms(90, 3.0)
    alone = regret(worlds[1:2], groups({SWOP: arms[SWOP]}, 1), arms[SWOP].beta, [1])
    for arm in (SWOP, BANDIT, CHANGE):
        assert alone.plain[arm][0] == pytest.approx(together.plain[arm][1], abs=1e-9)
    again = run(worlds, 3.0, adaptive=True, only=tuple(TEXTS))
    assert all(np.array_equal(again.plain[arm], together.plain[arm]) for arm in TEXTS)


def test_relabelling_a_world_changes_the_regret_by_chance_only():
    worlds = [local_executability(500, 3.0, seed=seed) for seed in range(8)]
    order = np.array([4, 2, 0, 1, 3])
    other = [
        replace(w, rewards=w.rewards[..., order], transitions=w.transitions[:, :, :, order], prior=w.prior[..., order])
        for w in worlds
    ]
    first, second = (run(w, 3.0).plain[SWOP][:, -1] for w in (worlds, other))
    assert first.mean() == pytest.approx(second.mean(), rel=0.1)


def test_the_window_pays_under_drift_and_costs_without():
    for variation, sign in ((12.0, 1), (0.0, -1)):
        worlds = [local_executability(2000, variation, seed=seed) for seed in range(4)]
        found = run(worlds, variation)
        worse = found.plain[NO_WINDOW][:, -1] - found.plain[SWOP][:, -1]
        assert (sign * worse > 0).all()


def test_the_prior_pays_where_leaving_it_costs():
    worlds = [local_executability(1500, 6.0, seed=seed) for seed in range(6)]
    found = run(worlds, 6.0, only=(SWOP, NO_PRIOR, GREEDY), beta=0.5)
    for arm in (NO_PRIOR, GREEDY):
        assert (found.regularised[arm][:, -1] > 1.3 * found.regularised[SWOP][:, -1]).all()


def test_windows_that_know_no_budget_are_within_twice_the_oracles():
    worlds = [local_executability(2000, 12.0, seed=seed) for seed in range(4)]
    found = run(worlds, 12.0, adaptive=True)
    for arm in (BANDIT, CHANGE):
        assert found.plain[arm][:, -1].mean() < 2 * found.plain[SWOP][:, -1].mean()


def test_worlds_of_different_sizes_are_refused():
    with pytest.raises(UsageError, match="equal K, H, S and A"):
        run([local_executability(50, 0.0), local_executability(60, 0.0)], 0.0)


def test_the_plug_in_budget_is_too_high_where_nothing_drifts():
    history = played(world := local_executability(2000, 0.0), world.prior, 0)
    short, long = (plug_in(history, block, transitions=False) for block in (20, 200))
    assert world.variation() == 0 and short.estimate > 100 and short.estimate > 5 * long.estimate > 0
    assert short.estimate == pytest.approx(short.noise, rel=0.1)
    assert plug_in(history, 20).estimate > short.estimate


def test_the_plug_in_budget_sees_drift_above_its_noise():
    history = played(world := local_executability(2000, 3.0), world.prior, 0)
    found = plug_in(history, 333, transitions=False)
    assert found.estimate > found.noise + 1.0
    with pytest.raises(UsageError, match="at most half of the 2000 episodes, got 1001"):
        plug_in(history, 1001)
    with pytest.raises(UsageError, match="of the 0 episodes"):
        plug_in(History(1, 5, (1, 1, 1)), 1)
