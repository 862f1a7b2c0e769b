"""Invariants 1 and 4: same actions, same observations, byte for byte; snapshots branch."""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import subprocess
import sys

import gymnasium
import pytest

import skillshift_gym
from skillshift_gym.errors import SnapshotError
from skillshift_gym.keyed import keyed
from skillshift_gym.registration import CONDITIONS, SITES, env_id
from skillshift_gym.sites.cache import RESPONSES

IDS = [env_id(site, condition) for site in SITES for condition in CONDITIONS]
STEPS = 500
FEWER = 120  # in the cells with a shift, whose pages are never met again


def steps_of(id_):
    return FEWER if "Perc" in id_ or "Exec" in id_ else STEPS


def policy(page, key):
    """Returns an action on something of the page, a function of the key alone."""
    elements = page.interactive
    if not elements:
        return "goto('/')"
    element = elements[keyed("element", key) % len(elements)]
    kind = keyed("kind", key) % 12
    if kind == 0:
        return "go_back()"
    if kind == 1:
        return ("new_tab()", "tab_focus(0)", "goto('/page/3/')", "keyboard_press('Tab')", "scroll(0, 300)")[
            keyed("odd", key) % 5
        ]
    if element.role in ("textbox", "searchbox"):
        text = ("harbour", "a@example.org", "winter market", "")[keyed("text", key) % 4]
        return f"fill('{element.bid}', {text!r})" if kind < 9 else f"press('{element.bid}', 'Enter')"
    return f"click('{element.bid}')"


def walk(id_, seed, steps=STEPS):
    """Returns the hash of all observations and infos of a random walk."""
    digest = hashlib.sha256()
    env = gymnasium.make(id_, budget=10**6, disable_env_checker=True)
    result = env.reset(seed=seed)
    for number in range(steps):
        observation, info = result[0], result[-1]
        for name in sorted(observation):
            value = observation[name]
            digest.update(value.encode() if isinstance(value, str) else value.tobytes())
        digest.update(json.dumps(info, default=list).encode())
        result = env.step(policy(env.unwrapped.page, (seed, number)))
        if result[2] or result[3]:
            result = env.reset(seed=seed * 1000 + number)
    env.close()
    return digest.hexdigest()


@pytest.fixture
def cache():
    """Sets the size of the shared cache for a test."""
    size = RESPONSES.megabytes
    yield RESPONSES.resize
    RESPONSES.resize(size)


@pytest.mark.parametrize("id_", IDS)
def test_two_processes_see_the_same(id_):
    code = f"import sys; sys.path.insert(0, {str(__file__.rpartition('/')[0])!r}); import test_determinism as t; print(t.walk({id_!r}, 7, t.steps_of({id_!r})))"
    runs = [
        subprocess.Popen(
            [sys.executable, "-c", code], stdout=subprocess.PIPE, text=True, env={**os.environ, "PYTHONHASHSEED": seed}
        )
        for seed in ("1", "2")
    ]
    hashes = [run.communicate()[0] for run in runs]
    assert [run.returncode for run in runs] == [0, 0]
    assert len(hashes[0]) == 65 and hashes[0] == hashes[1]


@pytest.mark.parametrize("id_", IDS)
def test_the_cache_changes_nothing(id_, cache):
    hashes = []
    for size in (256, 0, 2):
        cache(size)
        hashes.append(walk(id_, 11, steps_of(id_) // 3))
    assert len(set(hashes)) == 1


def test_different_seeds_differ():
    assert walk(IDS[0], 1, 50) != walk(IDS[0], 2, 50)


def five_steps(env, key):
    results = []
    for number in range(5):
        observation, reward, terminated, truncated, info = env.step(policy(env.unwrapped.page, (key, number)))
        results.append((observation["html"], observation["tabs"], observation["last_action_error"], reward, info))
        if terminated or truncated:
            break
    return results


@pytest.mark.parametrize("id_", IDS)
@pytest.mark.parametrize("seed", range(4))
def test_snapshot_five_steps_restore_five_steps(id_, seed):
    env = gymnasium.make(id_, budget=100)
    env.reset(seed=seed)
    for number in range(12):
        env.step(policy(env.unwrapped.page, (seed, "before", number)))
    saved = pickle.loads(pickle.dumps(skillshift_gym.snapshot(env)))
    first = five_steps(env, seed)
    skillshift_gym.restore(env, saved)
    assert five_steps(env, seed) == first
    other = gymnasium.make(id_, budget=100)
    other.reset(seed=99)
    skillshift_gym.restore(other, saved)
    assert five_steps(other, seed) == first
    assert other.reset()[1]["seed"] == env.reset()[1]["seed"]
    env.close(), other.close()


def test_a_snapshot_holds_what_was_written(make):
    from skillshift_gym.tasks.oracle import resolve
    from skillshift_gym.tasks.registry import family_of

    env = make(terminate_on="answer")
    env.reset(options={"task": "wordpress.36"})
    empty = skillshift_gym.snapshot(env)
    family, _ = family_of("wordpress.36")
    for step in family.oracle(family.instances[0].params, "v1")[:-1]:
        env.step(resolve(step, env.unwrapped.page))
    written = skillshift_gym.snapshot(env)
    skillshift_gym.restore(env, empty)
    assert env.unwrapped.site.changes() == ()
    assert env.step("send_msg_to_user('done')")[1] == 0.0
    skillshift_gym.restore(env, written)
    assert len(env.unwrapped.site.changes()) == 1
    assert env.step("send_msg_to_user('done')")[1] == 1.0


def test_a_snapshot_fits_only_its_own_stack(make):
    env = make()
    env.reset(seed=0)
    saved = skillshift_gym.snapshot(env)
    with pytest.raises(SnapshotError, match="this stack is"):
        skillshift_gym.restore(gymnasium.wrappers.TimeLimit(env, 5), saved)
    with pytest.raises(SnapshotError, match="expected a SkillShiftEnv"):
        skillshift_gym.snapshot(gymnasium.make("CartPole-v1"))
