"""Windows, bonus and plan."""

from __future__ import annotations

from math import exp, log, sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillshift_gym.agents.swop.exact import backward
from skillshift_gym.agents.swop.memory import History, Windows
from skillshift_gym.agents.swop.planner import (
    PROOF_SCALE,
    SCALE,
    Planner,
    log_term,
    oracle_window,
    plan,
    temperature,
)
from skillshift_gym.agents.swop.rollout import rollout, width
from skillshift_gym.errors import UsageError
from skillshift_gym.tabular.generators import random_mdp

UNIFORM = np.full((2, 2, 2), 0.5)
# (states, actions, rewards, next states) of three episodes of two steps.
EPISODES = [([0, 1], [0, 1], [1, 0], [1, 0]), ([0, 0], [0, 0], [0, 1], [0, 1]), ([0, 1], [1, 1], [1, 1], [1, 1])]


def told(prior, episodes, **arguments):
    planner = Planner(prior, **{"episodes": 10, "window": None, **arguments})
    for episode in episodes:
        planner.observe(*(np.array(column) for column in episode))
    return planner


def test_the_plan_worked_by_hand():
    prior, beta, scale = np.array([[[0.5, 0.5], [0.8, 0.2]]] * 2), 0.5, 0.1
    found = told(prior, EPISODES, beta=beta, scale=scale).plan()
    unit = scale * 2 * sqrt(2 * log(2 * 2 * 2 * 2 * 10 / 0.05))  # c H sqrt(S L)
    # Last step: (0, 0) seen once, reward 1: clipped at 1; (1, 1) twice, mean 1/2; the rest never: 1, the most there is to get.
    q2 = [[1.0, 1.0], [1.0, min(1.0, 0.5 + unit / sqrt(2))]]
    v2 = [1.0, 0.5 * log(0.8 * exp(2) + 0.2 * exp(2 * q2[1][1]))]
    # First step: (0, 0) twice, mean 1/2, once to each state; (0, 1) once, reward 1, to state 1; state 1 never.
    q1 = [min(2.0, 0.5 + unit / sqrt(2) + (v2[0] + v2[1]) / 2), min(2.0, 1 + unit + v2[1])]
    assert found.q[1] == pytest.approx(np.array(q2), abs=1e-12)
    assert found.q[0] == pytest.approx(np.array([q1, [2.0, 2.0]]), abs=1e-12)
    v1 = 0.5 * log(0.5 * exp(2 * q1[0]) + 0.5 * exp(2 * q1[1]))
    assert found.value == pytest.approx(np.array([[v1, 2.0], v2]), abs=1e-12)
    assert found.policy[0, 0] == pytest.approx([0.5 * exp(2 * (q - v1)) for q in q1], abs=1e-12)


def test_bonus_stays_within_the_horizon_and_unclipped_values_are_exact():
    found = told(UNIFORM, [([0, 0], [0, 0], [0, 0], [0, 0])] * 9, beta=0.0, scale=0.01).plan()
    bonus = 0.01 * 2 * sqrt(2 * log(2 * 8 * 10 / 0.05) / 9)
    assert found.q[1, 0] == pytest.approx([bonus, 1.0], abs=1e-12)
    assert found.q[0, 0] == pytest.approx([bonus + 1.0, 2.0], abs=1e-12)
    assert found.policy[:, 0].tolist() == [[0, 1], [0, 1]]


def test_without_evidence_the_policy_is_the_prior():
    prior = np.array([[[0.3, 0.7], [0.9, 0.1]]] * 2)
    assert Planner(prior, episodes=5, window=3).policy() == pytest.approx(prior, abs=1e-12)
    assert Planner(prior, episodes=5, window=3, beta=0.0).policy()[0].tolist() == [[0, 1], [1, 0]]


def test_a_window_forgets():
    windowed, fresh = told(UNIFORM, EPISODES, window=1), told(UNIFORM, EPISODES[2:], window=1)
    everything = told(UNIFORM, EPISODES, window=None, beta=1.0)
    assert np.array_equal(windowed.plan().q, fresh.plan().q)
    assert not np.array_equal(windowed.plan().q, everything.plan().q)


def test_shorter_episodes_count_what_they_have():
    full = told(UNIFORM, [([0, 1], [0, 1], [1, 0], [1, 0])])
    short = told(UNIFORM, [([0], [0], [1], [1])])
    assert short.plan().q[0, 0, 0] <= 2.0 and short.plan().q[1] == pytest.approx(np.ones((2, 2)))
    assert full.plan().q[1, 1, 1] <= 1.0
    assert told(UNIFORM, [([], [], [], [])]).policy() == pytest.approx(UNIFORM)


@given(
    lows=st.lists(st.lists(st.integers(0, 30), min_size=3, max_size=3), min_size=1, max_size=25),
    seed=st.integers(0, 99),
)
@settings(deadline=None)
def test_moved_windows_count_what_a_recount_counts(lows, seed):
    random = np.random.default_rng(seed)
    history = History(2, len(lows), (2, 3, 2))
    windows = Windows(history, np.array([0, 1, 1]))
    for low in lows:
        states, actions, following = (random.integers(0, n, (2, random.integers(0, 3))) for n in (3, 2, 3))
        length = min(column.shape[1] for column in (states, actions, following))
        history.append(states[:, :length], actions[:, :length], random.random((2, length)), following[:, :length])
        windows.move(np.minimum(low, history.now))
    afresh = Windows(history, np.array([0, 1, 1]))
    afresh.move(np.zeros(3, dtype=np.int64))
    afresh.move(windows.low)
    for moved, counted in zip(windows.sums, afresh.sums, strict=True):
        assert moved == pytest.approx(counted, abs=1e-9)
    for row, learner in enumerate((0, 1, 1)):
        codes = history.codes[windows.low[row] : history.now, learner]
        assert windows.sums.visits[row].sum() == (codes >= 0).sum()
        assert np.array_equal(windows.sums.moves[row].sum(axis=-1), windows.sums.visits[row])


@given(seed=st.integers(0, 99), states=st.permutations(range(3)), actions=st.permutations(range(4)))
@settings(deadline=None, max_examples=30)
def test_relabelling_states_and_actions_changes_no_plan(seed, states, actions):
    random = np.random.default_rng(seed)
    prior = random.dirichlet(np.ones(4), size=(2, 3)) * 0.9 + 0.025
    to_states, to_actions = np.argsort(states), np.argsort(actions)
    first, second = (Planner(p, episodes=20, window=15, beta=0.2) for p in (prior, prior[:, states][..., actions]))
    for _ in range(20):
        s, a, r, t = (random.integers(0, n, 2) for n in (3, 4, 2, 3))
        first.observe(s, a, r, t)
        second.observe(to_states[s], to_actions[a], r, to_states[t])
    assert second.plan().q == pytest.approx(first.plan().q[:, states][..., actions], abs=1e-12)
    assert second.policy() == pytest.approx(first.policy()[:, states][..., actions], abs=1e-12)


def optimism(scale, episodes=300, runs=6):
    """Shares of episodes whose optimistic values are nowhere, or not at the first step, below the true optimum."""
    everywhere, first = [], []
    for seed in range(runs):
        world = random_mdp(episodes, 0.0, seed=seed)
        reward, transition, prior = world.reward(0)[None], world.transition(0)[None], world.prior[None]
        best = backward(reward, transition, prior, np.array([0.2]))
        history = History(1, episodes, world.shape)
        windows = Windows(history, np.array([0]))
        for draws in np.random.default_rng(seed).random((episodes, 1, width(2))):
            windows.move(np.array([max(0, history.now - 150)]))
            found = plan(windows.sums, prior, np.array([0.2]), scale, log_term(world.shape, episodes))
            everywhere.append((found.q >= best.q - 1e-9).all())
            first.append((found.value[:, 0] >= best.value[:, 0] - 1e-9).all())
            history.append(*rollout(found.policy, reward, transition, np.array([0]), draws))
    return np.mean(everywhere), np.mean(first)


def test_optimism_holds_with_the_stated_frequency():
    assert optimism(PROOF_SCALE) == (1.0, 1.0)  # stated: 1 - delta = 0.95 of the runs
    everywhere, first = optimism(SCALE)  # our small constant gives some of it up
    assert 0.05 < everywhere < 0.95 and first > everywhere


def test_the_window_of_the_theory():
    assert [oracle_window(k, v) for k, v in ((1000, 0), (1000, 7), (8000, 0), (10, 10**6), (1, 0))] == [
        100,
        25,
        400,
        1,
        1,
    ]
    assert temperature(np.array(oracle_window(8000, 7.0))) == pytest.approx((8 / 8000) ** (1 / 3), abs=1e-9)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"prior": np.array([[[1.0, 0.0]]])}, "> 0"),
        ({"prior": np.array([0.5, 0.5])}, r"\(H, S, A\)"),
        ({"window": 0}, "window and episodes >= 1, got 0"),
        ({"episodes": 0}, "window and episodes >= 1"),
        ({"beta": -1.0}, "beta >= 0"),
        ({"scale": 0.0}, "scale > 0"),
        ({"delta": 1.0}, "delta < 1"),
    ],
)
def test_wrong_arguments_are_refused(change, match):
    with pytest.raises(UsageError, match=match):
        Planner(**{"prior": UNIFORM, "episodes": 5, "window": 2, **change})


def test_more_than_there_is_room_for_is_refused():
    planner = Planner(UNIFORM, episodes=1, window=1)
    with pytest.raises(UsageError, match="1 episodes of 2 steps, got 1 of 3"):
        planner.observe(*(np.zeros(3, dtype=int) for _ in range(4)))
    planner.observe(*(np.zeros(2, dtype=int) for _ in range(4)))
    with pytest.raises(UsageError, match="got 2 of 2"):
        planner.observe(*(np.zeros(2, dtype=int) for _ in range(4)))
