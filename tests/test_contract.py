"""Invariant 3: the registered ids keep Gymnasium's contract."""

from __future__ import annotations

import multiprocessing
import os
import pickle
import subprocess
import sys
import warnings
from pathlib import Path

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

import skillshift_gym
from skillshift_gym.env import SkillShiftEnv
from skillshift_gym.errors import UsageError
from skillshift_gym.registration import CONDITIONS, SITES, env_id, make_cell

IDS = [env_id(site, condition) for site in SITES for condition in CONDITIONS]
STARTS = ["fork", "spawn", "forkserver"]


@pytest.mark.parametrize("id_", IDS)
def test_gymnasiums_checker_passes(id_):
    env = gymnasium.make(id_, disable_env_checker=True)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*is different from the unwrapped version.*")
        check_env(env, skip_render_check=True)
    check_env(env.unwrapped, skip_render_check=True)
    env.close()


@pytest.mark.parametrize("id_", IDS)
def test_the_passive_checker_finds_nothing(id_):
    env = gymnasium.make(id_)
    env.reset(seed=0)
    env.step("noop()")
    env.close()


@pytest.mark.parametrize("id_", IDS)
def test_a_spec_rebuilds_the_environment(id_):
    env = gymnasium.make(id_, budget=4, observation=["url", "axtree"], disable_env_checker=True)
    expected = run(env, 3)
    for spec in (
        env.spec,
        gymnasium.envs.registration.EnvSpec.from_json(env.spec.to_json()),
        pickle.loads(pickle.dumps(env.spec)),
    ):
        again = gymnasium.make(spec)
        assert run(again, 3) == expected
        assert again.unwrapped.spec.kwargs["budget"] == 4
        again.close()
    env.close()


def run(env, seed):
    observations = [env.reset(seed=seed)[0]]
    observations += [env.step(action)[0] for action in ("noop()", "goto('/about/')", "go_back()")]
    return [o["url"] + o["axtree"] for o in observations]


@pytest.mark.parametrize("id_", IDS)
def test_samples_of_the_spaces_are_members(id_):
    env = gymnasium.make(id_, disable_env_checker=True)
    env.observation_space.seed(0), env.action_space.seed(0)
    assert env.observation_space.sample() in env.observation_space
    env.reset(seed=0)
    for _ in range(10):
        observation, _, terminated, truncated, _ = env.step(env.action_space.sample())
        assert observation in env.observation_space
        if terminated or truncated:
            env.reset()
    env.close()


def test_arrays_of_an_observation_are_its_own():
    env = gymnasium.make(IDS[0], disable_env_checker=True)
    first, _ = env.reset(seed=0)
    first["step"][:] = 77
    assert env.step("noop()")[0]["step"].tolist() == [1]
    env.close()


@pytest.mark.parametrize("context", [s for s in STARTS if s in multiprocessing.get_all_start_methods()])
def test_eight_environments_in_processes_keep_their_state_apart(context):
    vector = gymnasium.make_vec(IDS[0], 8, vectorization_mode="async", vector_kwargs={"context": context})
    try:
        observations, infos = vector.reset(seed=3)
        assert observations in vector.observation_space
        assert len(set(observations["goal"])) > 3
        # Environment 0 comments on the page it is on; the others only look.
        vector.step(tuple(["goto('/?p=10')"] * 8))
        actions = [f"goto('/page/{n + 2}/')" for n in range(8)]
        observations, rewards, _, _, infos = vector.step(tuple(actions))
        assert observations["url"] == tuple(f"https://wordpress.example/page/{n + 2}/" for n in range(8))
        assert rewards.shape == (8,) and observations["step"].shape == (8, 1)
        assert len(set(infos["revision"])) == 1
    finally:
        vector.close()


def test_a_write_in_one_environment_is_not_seen_in_another(make):
    from skillshift_gym.tasks.oracle import resolve
    from skillshift_gym.tasks.registry import family_of

    writer, reader = make(), make()
    family, _ = family_of("wordpress.36")
    params = family.instances[0].params
    for env in (writer, reader):
        env.reset(options={"task": "wordpress.36"})
    for step in family.oracle(params, "v1")[:-1]:
        _, _, terminated, _, info = writer.step(resolve(step, writer.unwrapped.page))
    assert terminated and info["success"]
    reader.step(f"goto('{params['path']}')")
    assert params["text"] not in reader.unwrapped.page.axtree
    assert reader.unwrapped.site.changes() == ()


def test_the_fast_vector_environment_needs_no_shared_memory():
    vector = skillshift_gym.make_vec(IDS[0], 2)
    try:
        observations, _ = vector.reset(seed=0)
        assert len(observations["axtree"]) == 2
    finally:
        vector.close()


def test_sync_vector_environment():
    vector = gymnasium.make_vec(IDS[0], 2, vectorization_mode="sync")
    observations, _ = vector.reset(seed=0)
    assert observations in vector.observation_space
    vector.step(("noop()", "noop()"))
    vector.close()


def test_ids_work_from_any_folder(tmp_path):
    code = (
        "import gymnasium, skillshift_gym\n"
        f"for id in {IDS}:\n"
        "    env = gymnasium.make(id); env.reset(seed=0); print(env.step('noop()')[4]['task'])"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert len(done.stdout.split()) == len(IDS)


def test_a_misspelt_id_suggests_the_nearest():
    with pytest.raises(gymnasium.error.UnregisteredEnv, match="WordPress-Src"):
        gymnasium.make("SkillShift/WordPres-Src-v0")


def test_cells_are_made_by_name():
    env = make_cell("wordpress", "tgt", budget=2)
    assert isinstance(env.unwrapped, SkillShiftEnv) and env.unwrapped.version == "v2"
    env.close()
    with pytest.raises(UsageError, match="expected one of src, src-perc"):
        make_cell("wordpress", "sideways")
    with pytest.raises(UsageError, match="no site 'shop'"):
        make_cell("shop", "src")


def test_importing_the_package_brings_no_browser_and_no_framework_of_others():
    code = (
        "import sys, skillshift_gym; print([m for m in ('playwright', 'torch', 'pandas', 'bs4') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, cwd=Path.home())
    assert done.stdout.strip() == "[]"


def test_counters_are_arrays_of_one_number():
    env = gymnasium.make(IDS[0], disable_env_checker=True)
    observation, _ = env.reset(seed=0)
    assert observation["step"].dtype == np.int64 and observation["step"].shape == (1,)
    env.close()


def test_no_socket_is_opened(make, monkeypatch):
    import socket

    def refuse(*args, **kwargs):
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    env = make()
    env.reset(seed=0)
    env.step("goto('/about/')")
    assert os.getpid()
