"""Retrying: what failed is done again, a few times, and then something else."""

from __future__ import annotations

import gymnasium
import pytest

from skillshift_gym.agents.retry import Retry
from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation.episode import task_spec
from skillshift_gym.evaluation.recorder import CallRecorder
from skillshift_gym.skills.bank import Bank


@pytest.fixture
def begun():
    env = gymnasium.make("SkillShift/WordPress-Src-v0", disable_env_checker=True)
    observation, info = env.reset(seed=0, options={"task": "wordpress.0"})
    agent = Retry(Bank(), proposer="executor", times=2)
    agent.reset(task_spec(env, info), CallRecorder())
    yield agent, observation
    env.close()


def test_a_failed_action_is_repeated_as_often_as_told(begun):
    agent, observation = begun
    failed = {**observation, "last_action_error": "missing: gone"}
    first = agent.act(observation)
    assert [agent.act(failed), agent.act(failed)] == [first, first]
    assert agent.act(failed) != first
    assert agent.counts["retries"] == 2


def test_what_went_well_is_not_repeated(begun):
    agent, observation = begun
    first = agent.act(observation)
    assert agent.act(observation) != first
    assert agent.counts["retries"] == 0


@pytest.mark.parametrize("times", [0, "x", -1])
def test_times_is_a_number_from_1(times):
    with pytest.raises(UsageError, match="times: expected a number from 1"):
        Retry(Bank(), proposer="executor", times=times)
