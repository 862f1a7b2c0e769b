"""The regularised maximum and the exact solvers."""

from __future__ import annotations

from math import exp, log

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillshift_gym.agents.swop.exact import backward, worth
from skillshift_gym.agents.swop.soft import choose, divergence
from skillshift_gym.tabular.generators import random_mdp

BETAS = st.floats(0.01, 5.0)


def case(seed, actions=4):
    random = np.random.default_rng(seed)
    return random.uniform(-3, 3, actions), random.dirichlet(np.ones(actions)) * 0.96 + 0.04 / actions


@given(seed=st.integers(0, 10**6), beta=BETAS)
def test_the_soft_value_lies_between_mean_and_maximum(seed, beta):
    q, prior = case(seed)
    value = choose(q, prior, np.array(beta)).value
    assert prior @ q - 1e-9 <= value <= q.max() + 1e-9


@given(seed=st.integers(0, 10**6), beta=BETAS)
def test_the_policy_attains_the_value_and_no_other_policy_more(seed, beta):
    q, prior = case(seed)
    policy, value = choose(q, prior, np.array(beta))
    assert policy.sum() == pytest.approx(1.0)
    assert policy @ q - beta * divergence(policy, prior) == pytest.approx(value, abs=1e-9)
    others = np.random.default_rng(seed).dirichlet(np.ones(4), size=50)
    assert (others @ q - beta * divergence(others, prior) <= value + 1e-9).all()


@given(seed=st.integers(0, 10**6), beta=st.floats(0.0, 5.0), shift=st.floats(-5, 5))
def test_the_value_is_monotone_and_moves_no_further_than_q(seed, beta, shift):
    q, prior = case(seed)
    moved = q + np.random.default_rng(seed).uniform(0, abs(shift), 4)
    first, second = (choose(x, prior, np.array(beta)).value for x in (q, moved))
    assert first - 1e-9 <= second <= first + abs(shift) + 1e-9
    assert choose(q + shift, prior, np.array(beta)).value == pytest.approx(first + shift, abs=1e-9)


@given(seed=st.integers(0, 10**6), low=BETAS, high=BETAS)
def test_the_value_falls_as_the_temperature_rises(seed, low, high):
    q, prior = case(seed)
    low, high = sorted((low, high))
    assert choose(q, prior, np.array(low)).value >= choose(q, prior, np.array(high)).value - 1e-9


@given(seed=st.integers(0, 10**6), beta=st.floats(0.0, 5.0), order=st.permutations(range(4)))
def test_relabelling_actions_changes_nothing(seed, beta, order):
    q, prior = case(seed)
    plain, other = choose(q, prior, np.array(beta)), choose(q[order], prior[order], np.array(beta))
    assert other.value == pytest.approx(plain.value, abs=1e-12)
    assert other.policy == pytest.approx(plain.policy[order], abs=1e-12)


def test_cold_is_greedy_and_hot_is_the_prior():
    q, prior = np.array([0.2, 0.9, 0.5]), np.array([0.5, 0.2, 0.3])
    assert choose(q, prior, np.array(1e-3)).policy == pytest.approx([0, 1, 0])
    assert choose(q, prior, np.array(1e6)).policy == pytest.approx(prior, abs=1e-5)
    assert choose(q, prior, np.array(1e-4)).value == pytest.approx(choose(q, prior, np.array(0.0)).value, abs=1e-3)


def test_greedy_ties_go_to_the_larger_prior_then_to_the_smaller_id():
    q = np.array([1.0, 1.0, 1.0, 0.0])
    assert choose(q, np.array([0.1, 0.3, 0.2, 0.4]), np.array(0.0)).policy.tolist() == [0, 1, 0, 0]
    assert choose(q, np.full(4, 0.25), np.array(0.0)).policy.tolist() == [1, 0, 0, 0]


def test_temperatures_may_differ_in_a_batch():
    q, prior = np.array([[1.0, 0.0]] * 2), np.array([0.5, 0.5])
    both = choose(q, prior, np.array([0.0, 0.5]))
    assert both.policy[0].tolist() == [1, 0] and both.value[0] == 1.0
    assert both.value[1] == pytest.approx(0.5 * log((exp(2) + 1) / 2), abs=1e-12)


# Two states, two actions, two steps, worked by hand.
REWARD = np.array([[[0.2, 0.8], [0.5, 0.1]], [[1.0, 0.0], [0.3, 0.6]]])
TO_FIRST = np.array([[[0.9, 0.2], [0.5, 0.6]], [[0.5, 0.5], [0.5, 0.5]]])
MOVES = np.stack((TO_FIRST, 1 - TO_FIRST), axis=-1)
PRIOR = np.array([[[0.5, 0.5], [0.8, 0.2]]] * 2)
BETA = 0.5


def test_the_regularised_optimum_worked_by_hand():
    v2 = [0.5 * log(0.5 * exp(2.0) + 0.5), 0.5 * log(0.8 * exp(0.6) + 0.2 * exp(1.2))]
    q1 = [[0.2 + 0.9 * v2[0] + 0.1 * v2[1], 0.8 + 0.2 * v2[0] + 0.8 * v2[1]],
          [0.5 + 0.5 * v2[0] + 0.5 * v2[1], 0.1 + 0.6 * v2[0] + 0.4 * v2[1]]]  # fmt: skip
    v1 = [0.5 * log(0.5 * exp(2 * q1[0][0]) + 0.5 * exp(2 * q1[0][1])),
          0.5 * log(0.8 * exp(2 * q1[1][0]) + 0.2 * exp(2 * q1[1][1]))]  # fmt: skip
    assert v2[0] == pytest.approx(0.7168904, abs=1e-7)
    plan = backward(REWARD, MOVES, PRIOR, np.array(BETA))
    assert plan.value == pytest.approx(np.array([v1, v2]), abs=1e-12)
    assert plan.q[0] == pytest.approx(np.array(q1), abs=1e-12)
    assert plan.policy[1, 0, 0] == pytest.approx(exp(2) / (exp(2) + 1), abs=1e-12)
    assert plan.policy[0, 1, 1] == pytest.approx(0.2 * exp(2 * (q1[1][1] - v1[1])), abs=1e-12)


def test_the_plain_optimum_worked_by_hand():
    plan = backward(REWARD, MOVES, PRIOR, np.array(0.0))
    assert plan.value == pytest.approx(
        np.array([[max(0.2 + 0.96, 0.8 + 0.68), max(0.5 + 0.8, 0.1 + 0.84)], [1.0, 0.6]]), abs=1e-12
    )
    assert plan.policy[0].argmax(axis=-1).tolist() == [1, 0]


def test_the_value_of_a_policy_worked_by_hand():
    policy = np.array([[[0.25, 0.75], [1.0, 0.0]], [[0.5, 0.5], [0.2, 0.8]]])
    second = [0.5, 0.2 * 0.3 + 0.8 * 0.6]
    price2 = [0.0, 0.2 * log(0.2 / 0.8) + 0.8 * log(0.8 / 0.2)]
    first = 0.25 * (0.2 + 0.9 * second[0] + 0.1 * second[1]) + 0.75 * (0.8 + 0.2 * second[0] + 0.8 * second[1])
    there = 0.25 * 0.9 + 0.75 * 0.2
    price1 = 0.25 * log(0.5) + 0.75 * log(1.5) + there * price2[0] + (1 - there) * price2[1]
    found = worth(policy, REWARD, MOVES, PRIOR)
    assert found.reward[0] == pytest.approx(first, abs=1e-12)
    assert found.price[0] == pytest.approx(price1, abs=1e-12)
    assert found.price[1] == pytest.approx(log(1 / 0.8) + 0.5 * price2[1], abs=1e-12)


@given(seed=st.integers(0, 300), beta=st.floats(0.0, 2.0))
def test_the_optimum_is_worth_its_value_and_beats_the_prior(seed, beta):
    world = random_mdp(1, 0.0, seed=seed)
    plan = backward(world.reward(0), world.transition(0), world.prior, np.array(beta))
    found = worth(plan.policy, world.reward(0), world.transition(0), world.prior)
    assert found.reward - beta * found.price == pytest.approx(plan.value[0], abs=1e-9)
    assert (worth(world.prior, world.reward(0), world.transition(0), world.prior).reward <= plan.value[0] + 1e-9).all()


def test_divergence_of_what_is_never_played_is_nothing():
    assert divergence(np.array([1.0, 0.0]), np.array([0.25, 0.75])) == pytest.approx(log(4))
    assert divergence(np.array([0.25, 0.75]), np.array([0.25, 0.75])) == 0
