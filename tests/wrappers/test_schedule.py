"""Streams of conditions: what each episode is played in, and the budget of the change."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise

import gymnasium
import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillshift_gym.errors import UsageError
from skillshift_gym.registration import CONDITIONS, env_id
from skillshift_gym.snapshot import restore, snapshot
from skillshift_gym.wrappers.schedule import ShiftSchedule
from skillshift_gym.wrappers.streams import KINDS, condition_at, variation

ALL = list(CONDITIONS)


def site(**settings):
    return ShiftSchedule(gymnasium.make("SkillShift/WordPress-Src-v0", disable_env_checker=True), **settings)


def test_a_jump_stays_in_the_last_condition_and_a_season_comes_back():
    names = ["src", "tgt", "tgt-exec"]
    assert [condition_at(k, "jump", names, 2) for k in range(8)] == ["src"] * 2 + ["tgt"] * 2 + ["tgt-exec"] * 4
    assert [condition_at(k, "season", names, 1) for k in range(5)] == ["src", "tgt", "tgt-exec", "src", "tgt"]


def test_a_drift_moves_over_within_its_period():
    drawn = [condition_at(k, "drift", ["src", "tgt"], 400) for k in range(800)]
    quarters = [Counter(drawn[i : i + 100])["tgt"] for i in range(0, 800, 100)]
    assert quarters == sorted(quarters[:4]) + [100] * 4
    assert quarters[0] < 35 < quarters[1] + 20


@given(st.sampled_from(KINDS), st.integers(1, 50), st.integers(0, 5), st.integers(0, 300))
def test_the_condition_of_an_episode_needs_no_other_episode(kind, period, seed, episode):
    found = condition_at(episode, kind, ALL, period, seed)
    assert found in ALL
    assert found == condition_at(episode, kind, ALL, period, seed)


def test_the_budget_is_the_largest_change_of_any_action_summed_over_episodes():
    executable = {"src": {"a": 1.0, "b": 1.0}, "tgt": {"a": 0.25, "b": 0.5}, "tgt-exec": {"a": 0.25, "b": 0.0}}
    assert variation(executable, ["src", "src", "tgt", "tgt-exec"]) == pytest.approx(0.75 + 0.5)
    assert variation(executable, ["src"]) == 0


@given(st.lists(st.sampled_from(["x", "y"]), max_size=20), st.floats(0, 1), st.floats(0, 1))
def test_the_budget_counts_changes_only(stream, one, other):
    changes = sum(a != b for a, b in pairwise(stream))
    assert variation({"x": {"a": one}, "y": {"a": other}}, stream) == pytest.approx(changes * abs(one - other))


@pytest.mark.parametrize("condition", ALL)
def test_an_episode_of_a_condition_is_the_one_of_its_registered_environment(condition):
    scheduled, cell = (
        site(conditions=[condition]),
        gymnasium.make(env_id("wordpress", condition), disable_env_checker=True),
    )
    options = {"task": "wordpress.8"}
    one, said = scheduled.reset(seed=3, options=options)
    other, told = cell.reset(seed=3, options=options)
    assert one["html"] == other["html"]
    assert said.pop("episode") == 0
    assert said == told
    for action in ("click('30')", "noop()", "go_back()"):
        one, *_, said = scheduled.step(action)
        other, *_, told = cell.step(action)
        assert one["axtree"] == other["axtree"]
        assert {**told, "episode": 0} == said
    scheduled.close()
    cell.close()


def test_conditions_follow_one_another_and_leave_nothing_behind():
    env = site(conditions=["src-exec", "src", "tgt-perc", "src"], period=1)
    seen = [env.reset(seed=0, options={"task": "wordpress.0"}) for _ in range(4)]
    assert [info["condition"] for _, info in seen] == ["src-exec", "src", "tgt-perc", "src"]
    assert [sorted(info["shifts"]) for _, info in seen] == [["execution"], [], ["perceptual"], []]
    assert [info["version"] for _, info in seen] == ["v1", "v1", "v2", "v1"]
    assert seen[1][0]["html"] == seen[3][0]["html"]
    _, info = env.reset(seed=0, options={"task": "wordpress.0", "episode": 0})
    assert (info["episode"], info["condition"]) == (0, "src-exec")
    env.close()


def test_a_stack_is_rebuilt_from_its_spec_and_restored_from_a_snapshot():
    env = site(kind="season", conditions=["src", "tgt-exec"], period=2, seed=5)
    again = gymnasium.make(env.spec)
    env.reset(seed=0, options={"task": "wordpress.0", "episode": 2})
    _, info = again.reset(seed=0, options={"task": "wordpress.0", "episode": 2})
    assert info["condition"] == "tgt-exec"
    saved = snapshot(env)
    first = env.step("noop()")[0]["html"]
    restore(env, saved)
    assert env.step("noop()")[0]["html"] == first
    env.close()
    again.close()


@pytest.mark.parametrize(
    ("settings", "text"),
    [({"kind": "walk"}, "kind"), ({"conditions": []}, "got none"), ({"conditions": ["now"]}, "no condition"), ({"period": 0}, "period")],
)  # fmt: skip
def test_wrong_arguments_are_refused(settings, text):
    with pytest.raises(UsageError, match=text):
        site(**settings)


def test_a_stack_with_a_shift_of_its_own_is_refused():
    with pytest.raises(UsageError, match="without shifts"):
        ShiftSchedule(gymnasium.make("SkillShift/WordPress-SrcExec-v0", disable_env_checker=True))
