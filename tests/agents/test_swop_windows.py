"""Rules that choose windows."""

from __future__ import annotations

import numpy as np

from skillshift_gym.agents.swop.memory import History
from skillshift_gym.agents.swop.planner import temperature
from skillshift_gym.agents.swop.windows import SCALES, Bandit, ChangePoint, Sliding, window_grid

SEEDS = 4
LEARNERS = np.arange(SEEDS)
NOTHING = np.zeros((SEEDS, 1), dtype=np.int64)


def played(rule, history, rewards, returns=None, view=None):
    """Plays one-step episodes of one state and action; `rewards` are (episodes, SEEDS)."""
    random = np.random.default_rng(0)
    for reward in rewards:
        seen = rule.view(random.random(SEEDS))
        if view is not None:
            view(seen)
        history.append(NOTHING, NOTHING, reward[:, None], NOTHING)
        rule.learn(reward if returns is None else returns(rule))


def test_sliding_windows_and_restarts_see_what_they_should():
    history, seen = History(SEEDS, 20, (1, 1, 1)), []
    size, period = np.array([3, 20, 20, 4]), np.array([20, 20, 6, 6])
    rule = Sliding(history, LEARNERS, size, period, np.full(SEEDS, 0.1))
    played(rule, history, np.zeros((20, SEEDS)), view=lambda v: seen.append(v.sums.visits[:, 0, 0, 0].copy()))
    k = np.arange(20)
    assert np.array_equal(np.array(seen).T, [np.minimum(k, 3), k, k % 6, np.minimum(k % 6, 4)])


def test_the_grid_is_geometric_and_comes_near_every_window():
    for episodes in (16, 100, 1000, 16000):
        grid = window_grid(episodes)
        assert grid[0] == episodes and 8 <= grid[-1] <= 32
        windows = np.arange(grid[-1], episodes + 1)
        ratios = np.maximum(grid[:, None] / windows, windows / grid[:, None])
        assert ratios.min(axis=0).max() <= 2.1
    assert window_grid(1).tolist() == [1]


def test_the_bandit_finds_the_window_that_pays():
    history = History(SEEDS, 4000, (1, 1, 1))
    rule, chosen = Bandit(history, LEARNERS), []
    best = 2

    def pays(bandit):
        return np.where(bandit.chosen == best, 0.9, 0.3)

    played(rule, history, np.zeros((4000, SEEDS)), pays, lambda v: chosen.append(rule.chosen.copy()))
    share = np.array(chosen) == best
    assert share[:500].mean() < 0.5
    assert share[-1000:].mean() > 0.6
    assert (share[-1000:].mean(axis=0) > 0.4).all()


def test_the_bandit_plans_with_the_window_drawn_and_its_temperature():
    history = History(SEEDS, 200, (1, 1, 1))
    rule = Bandit(history, LEARNERS)

    def check(view):
        windows = rule.grid[rule.chosen]
        assert np.array_equal(view.sums.visits[:, 0, 0, 0], np.minimum(history.now, windows))
        assert np.array_equal(view.beta, temperature(windows)) and not view.explore.any()

    played(rule, history, np.zeros((200, SEEDS)), view=check)


def test_a_change_is_found_soon_and_its_past_is_dropped():
    history = History(SEEDS, 1200, (1, 1, 1))
    rule = ChangePoint(history, LEARNERS)
    random = np.random.default_rng(1)
    mean = np.where(np.arange(1200) < 600, 0.9, 0.15)[:, None]
    rewards = (random.random((1200, SEEDS)) < mean).astype(float)
    played(rule, history, rewards[:600])
    assert rule.alarms.tolist() == [0] * SEEDS and (rule.low == 0).all()
    played(rule, history, rewards[600:700])
    assert (rule.alarms >= 1).all() and (rule.low >= 600 - SCALES[1]).all()
    played(rule, history, rewards[700:])
    assert (rule.low < 750).all() and (rule.alarms <= 3).all()


def test_the_change_detector_plays_the_prior_now_and_then():
    history, explored = History(SEEDS, 1000, (1, 1, 1)), []
    rule = ChangePoint(history, LEARNERS)
    played(rule, history, np.ones((1000, SEEDS)), view=lambda v: explored.append(v.explore.copy()))
    assert 0.05 < np.mean(explored) < 0.15  # K^{-1/3} = 0.1


def test_moved_transitions_are_a_change_too():
    history = History(SEEDS, 1000, (1, 2, 1))
    rule = ChangePoint(history, LEARNERS)
    for k in range(1000):
        rule.view(np.ones(SEEDS) * 0.5)
        history.append(NOTHING, NOTHING, np.zeros((SEEDS, 1)), NOTHING + (k >= 500))
        rule.learn(np.zeros(SEEDS))
    assert (rule.alarms >= 1).all() and (rule.low >= 500 - SCALES[1]).all()
