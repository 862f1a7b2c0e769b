"""Tabular worlds: their tables, how they move, and their Gymnasium environments."""

from __future__ import annotations

import pickle
from dataclasses import replace

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from hypothesis import given, settings
from hypothesis import strategies as st

import skillshift_gym  # noqa: F401  registers the ids
from skillshift_gym.errors import UsageError
from skillshift_gym.registration import TABULAR
from skillshift_gym.tabular.course import DRIFTS, course
from skillshift_gym.tabular.generators import FAILS, FALLBACK, FITS, local_executability, random_mdp
from skillshift_gym.tabular.model import Nonstationary

IDS = list(TABULAR)
GENERATORS = [local_executability, random_mdp]


def two_by_two():
    """Two states, two actions, two steps; three episodes, the last two of which are the second anchor."""
    rewards = np.array(
        [[[[0.1, 0.5], [0.3, 0.2]], [[0.0, 1.0], [0.4, 0.4]]], [[[0.3, 0.5], [0.3, 0.7]], [[0.0, 0.9], [0.4, 0.4]]]]
    )
    transitions = np.full((2, 2, 2, 2, 2), 0.5)
    transitions[1, 0, 1, 1] = (0.7, 0.3)
    transitions[1, 1, 0, 0] = (1.0, 0.0)
    return Nonstationary(
        rewards, transitions, np.array([0, 1, 1]), np.zeros(3), np.array([1.0, 0.0]), np.full((2, 2, 2), 0.5),
        ("a", "b"), ("x", "y"),
    )  # fmt: skip


def relabelled(world, states, actions):
    """The same world with its states and actions in another order."""
    return replace(
        world,
        rewards=world.rewards[:, :, states][..., actions],
        transitions=world.transitions[:, :, states][:, :, :, actions][..., states],
        start=world.start[states],
        prior=world.prior[:, states][..., actions],
    )


def test_the_budget_worked_by_hand():
    # Step 1: at (b, y) the reward moves by 0.5 and the distribution by 0.2 + 0.2. Step 2: at (a, x) by 0.5 + 0.5, more than 0.1.
    assert two_by_two().variation() == pytest.approx(0.9 + 1.0, abs=1e-12)


def test_half_the_way_is_half_the_budget():
    world = replace(two_by_two(), left=np.zeros(3, dtype=np.int64), mix=np.array([0.0, 0.25, 0.5]))
    assert world.variation() == pytest.approx(0.95, abs=1e-12)
    assert world.reward(2)[0, 0, 0] == pytest.approx(0.2)


@pytest.mark.parametrize("generator", GENERATORS)
@settings(max_examples=20, deadline=None)
@given(variation=st.floats(0, 20), seed=st.integers(0, 50))
def test_jumps_have_exactly_the_budget_asked_for(generator, variation, seed):
    assert generator(60, variation, seed=seed).variation() == pytest.approx(variation, abs=1e-8)


@pytest.mark.parametrize("generator", GENERATORS)
@pytest.mark.parametrize("drift", ["slow", "seasons"])
def test_slow_drift_has_nearly_the_budget_and_never_jumps(generator, drift):
    world = generator(2000, 9.0, drift=drift, seed=1)
    assert 8.9 < world.variation() <= 9.0 + 1e-9
    steps = [np.abs(world.reward(k) - world.reward(k - 1)).max() for k in range(1, 2000)]
    assert 0 < max(steps) < 0.02


@pytest.mark.parametrize("generator", GENERATORS)
def test_seasons_come_back(generator):
    world = generator(601, 12.0, drift="seasons")
    whole = 12.0 / (1.5 if generator is local_executability else 2.0)
    period = round(600 / whole) * 2
    assert world.reward(period) == pytest.approx(world.reward(0), abs=1e-3)
    assert np.abs(world.reward(period // 2) - world.reward(0)).max() > 0.2


@pytest.mark.parametrize("generator", GENERATORS)
def test_without_a_budget_nothing_moves(generator):
    world = generator(50, 0.0)
    assert world.variation() == 0 and not any(world.moves(k) for k in range(1, 50))


@pytest.mark.parametrize("generator", GENERATORS)
def test_relabelling_changes_no_budget(generator):
    world = generator(100, 7.0, seed=3)
    _, states, actions = world.shape
    random = np.random.default_rng(0)
    other = relabelled(world, random.permutation(states), random.permutation(actions))
    assert other.variation() == pytest.approx(world.variation(), abs=1e-12)


def test_one_skill_fits_at_a_time_and_one_primitive_always_half_works():
    world = local_executability(100, 4.5, situations=3, primitives=4, skills=2)
    fitting = []
    for k in (0, 99):
        executability = world.reward(k)
        skills = np.sort(executability[:, :, 4:], axis=-1)
        assert np.allclose(skills, [FAILS, FITS])
        assert np.allclose(executability[:, :, :4].max(axis=-1), FALLBACK)
        fitting.append(executability[:, :, 4:].argmax(axis=-1))
    assert (fitting[0] != fitting[1]).all()
    assert world.prior.sum(axis=-1) == pytest.approx(np.ones((2, 3)))
    assert world.prior[..., 4:].sum(axis=-1) == pytest.approx(np.full((2, 3), 0.6))


def test_worlds_follow_their_seed_alone():
    first, again, other = (random_mdp(30, 3.0, seed=seed) for seed in (1, 1, 2))
    assert np.array_equal(first.rewards, again.rewards) and np.array_equal(first.transitions, again.transitions)
    assert not np.array_equal(first.rewards, other.rewards)


@pytest.mark.parametrize("id_", IDS)
def test_gymnasiums_checker_passes(id_):
    check_env(gymnasium.make(id_, disable_env_checker=True).unwrapped)
    check_env(gymnasium.make(id_, drift="seasons", render_mode="ansi").unwrapped)


@pytest.mark.parametrize("id_", IDS)
def test_a_spec_rebuilds_the_environment(id_):
    env = gymnasium.make(id_, variation=9.0, drift="slow", world_seed=5)
    expected = walk(env)
    for spec in (
        env.spec,
        gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json()),
        pickle.loads(pickle.dumps(env.spec)),
    ):
        assert walk(gymnasium.make(spec)) == expected


def walk(env):
    found = []
    for episode in range(5):
        observation, info = env.reset(seed=3 if not episode else None)
        found.append((observation, info))
        for action in (0, 1):
            found.append(env.step(action))
    return found


@pytest.mark.parametrize("id_", IDS)
def test_vector_environments_work(id_):
    vector = gymnasium.make_vec(id_, 2, vectorization_mode="sync")
    observations, _ = vector.reset(seed=0)
    assert observations in vector.observation_space
    for _ in range(5):
        observations, *_ = vector.step(vector.action_space.sample())
        assert observations in vector.observation_space
    vector.close()


def test_resets_walk_along_the_stream():
    env = gymnasium.make(IDS[0], episodes=9)
    assert [env.reset(seed=0)[1]["episode"]] + [env.reset()[1]["episode"] for _ in range(10)] == [*range(9), 8, 8]
    assert env.reset(options={"episode": 4})[1]["episode"] == 4
    assert env.reset(seed=0)[1]["episode"] == 0
    for wrong in (9, -1):
        with pytest.raises(UsageError, match=r"in \[0, 8\], got"):
            env.reset(options={"episode": wrong})


def test_what_is_paid_has_the_mean_of_the_table():
    env = gymnasium.make(IDS[1], episodes=20, disable_env_checker=True).unwrapped
    table, moves = env.world.reward(15), env.world.transition(15)
    paid, landed, count = np.zeros((3, 4)), np.zeros((3, 4, 3)), np.zeros((3, 4))
    env.reset(seed=0)
    for number in range(6000):
        observation, _ = env.reset(options={"episode": 15})
        state, action = observation["state"], number % 4
        observation, reward, terminated, truncated, _ = env.step(action)
        assert (terminated, truncated) == (False, False)
        count[state, action] += 1
        paid[state, action] += reward
        landed[state, action, observation["state"]] += 1
    assert np.abs(paid / count - table[0]).max() < 0.1
    assert np.abs(landed / count[..., None] - moves[0]).max() < 0.1


def test_an_episode_ends_after_its_steps_and_says_so():
    env = gymnasium.make(IDS[0], horizon=3, render_mode="ansi")
    env.reset(seed=0)
    assert env.render().startswith("episode 0, step 0: page ")
    ends = [env.step(1)[2] for _ in range(3)]
    assert ends == [False, False, True] and "primitive 1: " in env.render()
    with pytest.raises(UsageError, match="reset"):
        env.unwrapped.step(0)
    env.reset()
    with pytest.raises(UsageError, match=r"in \[0, 5\), got 5"):
        env.unwrapped.step(5)


@pytest.mark.parametrize(
    ("change", "match"),
    [
        ({"prior": np.full((2, 2, 2), 0.4)}, "prior: expected distributions"),
        ({"prior": np.array([1.0, 0.0]) * np.ones((2, 2, 1))}, "> 0"),
        ({"prior": np.full((2, 2, 3), 0.5)}, r"prior: expected shape \(2, 2, 2\)"),
        ({"rewards": np.full((2, 2, 2, 2), 1.5)}, r"rewards: expected \[0, 1\]"),
        ({"left": np.array([0, 1, 2])}, "between 2 anchors"),
        ({"mix": np.array([0.0, 0.0, 0.5])}, "between 2 anchors"),
        ({"states": ("a",)}, "2 states and 2 actions"),
    ],
)
def test_wrong_tables_are_refused(change, match):
    with pytest.raises(UsageError, match=match):
        replace(two_by_two(), **change)


@pytest.mark.parametrize(
    ("call", "match"),
    [
        (lambda: course("tides", 10, 1.0, 1.0), f"expected one of {', '.join(DRIFTS)}, got 'tides'"),
        (lambda: course("jumps", 10, -1.0, 1.0), "variation >= 0"),
        (lambda: course("jumps", 10, float("nan"), 1.0), "variation >= 0"),
        (lambda: course("jumps", 10, 20.0, 1.0), "20 changes need more than 10 episodes"),
        (lambda: local_executability(10, 0.0, skills=1), "skills: expected at least 2, got 1"),
        (lambda: random_mdp(10, 1.0, actions=1), "actions: expected at least 2"),
        (lambda: random_mdp(10, 1.0, change=9.0), "change: expected at most"),
        (lambda: gymnasium.make(IDS[0], render_mode="human", disable_env_checker=True), "human"),
    ],
)
def test_wrong_arguments_are_told(call, match):
    with pytest.warns() if "human" in match else _nothing(), pytest.raises(UsageError, match=match):
        call()


class _nothing:
    def __enter__(self):
        return self

    def __exit__(self, *_):
        return False
