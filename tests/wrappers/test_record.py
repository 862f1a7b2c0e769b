"""Recording changes nothing, and what it writes is whole, deterministic and complete."""

from __future__ import annotations

import json
import lzma
import pickle
import re
import warnings

import gymnasium
import numpy as np
import pytest
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils.env_checker import check_env

from skillshift_gym import restore, snapshot
from skillshift_gym.errors import UsageError
from skillshift_gym.wrappers.record import RecordTrajectory
from skillshift_gym.wrappers.text import TextObservation
from skillshift_gym.wrappers.trajectory import read

IDS = ["SkillShift/WordPress-Src-v0", "SkillShift/WordPress-TgtExec-v0"]
WALK = ("goto('/about/')", "click('9999')", "go_back()", "noop()")


def make(id_=IDS[0], **kwargs):
    return gymnasium.make(id_, disable_env_checker=True, **kwargs)


def play(env, actions=WALK, **reset):
    found = [env.reset(**{"seed": 0, **reset})]
    for action in actions:
        found.append(env.step(action))
        if found[-1][2] or found[-1][3]:
            break
    return found


def files(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("id_", IDS)
def test_what_the_environment_returns_is_untouched(id_, tmp_path):
    plain, recorded = make(id_), RecordTrajectory(make(id_), tmp_path)
    for expected, got in zip(play(plain), play(recorded), strict=True):
        assert all(np.array_equal(expected[0][k], got[0][k]) for k in expected[0])
        assert expected[1:] == got[1:]
    plain.close(), recorded.close()


def test_a_file_holds_the_whole_episode(tmp_path):
    env = RecordTrajectory(make(budget=4), tmp_path)
    played = play(env, options={"task": "wordpress.17"})
    assert files(tmp_path) == ["000000.jsonl.xz"], "written when the episode ends"
    found = read(tmp_path / "000000.jsonl.xz")
    assert found.over and [s.action for s in found.steps] == list(WALK)
    start = found.start
    assert (start.task, start.uid, start.condition) == ("wordpress.17", "skillshift.wordpress.17.v1", "src")
    assert (start.seed, start.options, start.format) == (0, {"task": "wordpress.17", "version": "v1"}, 1)
    assert start.env == IDS[0] and start.spec["kwargs"]["budget"] == 4 and start.goal.startswith("Search the blog")
    assert "axtree" not in start.fields and "html" in start.fields
    for moment, result in enumerate(played):
        observation, info = result[0], result[-1]
        assert all(found.value(moment, f) == np.asarray(observation[f]).tolist() for f in start.fields)
        assert set(found.observed(moment).digests) == set(observation)
        assert found.value(moment, "axtree") is None
        assert found.observed(moment).info["revision"] == info["revision"]
    assert found.steps[1].info["error"] == "missing" and found.steps[-1].truncated
    assert found.steps[-1].info["checks"]
    env.close()


def test_a_blocked_action_says_by_what(tmp_path):
    with RecordTrajectory(make(IDS[1]), tmp_path) as env:
        play(env, ["click('20')"], options={"task": "wordpress.17"})
    step = read(tmp_path / "000000.jsonl.xz").steps[0]
    assert step.info["error"] == "covered"
    assert step.info["blocked_by"] == step.info["shifts"]["execution"]["blocker"] != ""


def test_equal_episodes_are_equal_files(tmp_path):
    for folder in ("a", "b"):
        with RecordTrajectory(make(), tmp_path / folder) as env:
            play(env)
    first, second = ((tmp_path / f / "000000.jsonl.xz").read_bytes() for f in "ab")
    assert first == second
    assert len(first) < 40_000
    lines = lzma.decompress(first).decode().splitlines()
    assert [json.loads(line)["line"] for line in lines[:2]] == ["text", "start"]
    texts = [json.loads(line)["digest"] for line in lines if json.loads(line)["line"] == "text"]
    assert len(texts) == len(set(texts)), "a page that is seen again is not stored again"


def test_unfinished_episodes_are_written_when_they_are_left(tmp_path):
    env = RecordTrajectory(make(), tmp_path)
    env.reset(seed=0)
    assert not tmp_path.exists() or files(tmp_path) == []
    env.reset(seed=1)
    assert files(tmp_path) == [], "an episode without a step is none"
    env.step("noop()")
    env.reset(seed=2)
    assert files(tmp_path) == ["000000.jsonl.xz"] and not read(tmp_path / "000000.jsonl.xz").over
    env.step("noop()")
    env.close()
    env.close()
    assert files(tmp_path) == ["000000.jsonl.xz", "000001.jsonl.xz"]


def test_recording_goes_on_where_it_stopped_and_folders_are_shared(tmp_path):
    for seed in range(2):
        with RecordTrajectory(make(), tmp_path) as env:
            play(env, seed=seed)
    one, two = (RecordTrajectory(make(), tmp_path) for _ in range(2))
    play(one, seed=2), play(two, seed=3)
    one.close(), two.close()
    assert [read(tmp_path / name).start.seed for name in files(tmp_path)] == [0, 1, 2, 3]


def test_a_name_without_a_number_replaces(tmp_path):
    env = RecordTrajectory(make(), tmp_path, name="{task}.{condition}")
    name = "wordpress.17.src.jsonl.xz"
    play(env, options={"task": "wordpress.17"})
    env.reset(seed=1, options={"task": "wordpress.17"})
    assert files(tmp_path) == [], "no old episode stands for one that is not finished"
    env.close()
    assert files(tmp_path) == [name] and read(tmp_path / name).steps == () and read(tmp_path / name).start.seed == 1


def test_branches_of_a_search_are_episodes_of_their_own(tmp_path):
    env = RecordTrajectory(make(IDS[1]), tmp_path)
    env.reset(seed=0)
    env.step("noop()")
    saved = snapshot(env)
    env.step("send_msg_to_user('a')")
    restore(env, saved)
    env.step("goto('/about/')")
    env.step("send_msg_to_user('b')")
    other = RecordTrajectory(make(IDS[1]), tmp_path)
    restore(other, saved)
    other.step("send_msg_to_user('c')")
    actions = [[s.action for s in read(tmp_path / name).steps] for name in files(tmp_path)]
    assert actions == [
        ["noop()", "send_msg_to_user('a')"],
        ["noop()", "goto('/about/')", "send_msg_to_user('b')"],
        ["noop()", "send_msg_to_user('c')"],
    ]
    assert all(read(tmp_path / name).value(0, "html") for name in files(tmp_path))
    env.close(), other.close()


def test_any_action_can_be_recorded(tmp_path):
    odd = ["I would click.", "\ud800", 7, None, b"x", ["a"], "click('" + "9" * 20_000 + "')"]
    with RecordTrajectory(make(), tmp_path) as env:
        play(env, odd)
    found = [step.action for step in read(tmp_path / "000000.jsonl.xz").steps]
    assert found == [*odd[:4], {"not a string": "b'x'"}, {"not a string": "['a']"}, odd[6]]


def test_fields_are_chosen(tmp_path):
    with RecordTrajectory(make(), tmp_path, fields=["axtree", "step"]) as env:
        axtree = play(env)[1][0]["axtree"]
    found = read(tmp_path / "000000.jsonl.xz")
    assert found.start.fields == ("axtree", "step")
    assert found.value(1, "axtree") == axtree and found.value(1, "step") == [1] and found.value(1, "html") is None


def test_a_text_observation_is_the_field_text(tmp_path):
    with RecordTrajectory(TextObservation(make()), tmp_path) as env:
        expected = play(env)
    found = read(tmp_path / "000000.jsonl.xz")
    assert [found.value(m, "text") for m in range(len(expected))] == [result[0] for result in expected]


@pytest.mark.parametrize("id_", IDS)
def test_gymnasiums_checker_passes(id_, tmp_path):
    env = RecordTrajectory(make(id_), tmp_path)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*is different from the unwrapped version.*")
        check_env(env, skip_render_check=True)
    env.close()


@pytest.mark.parametrize("id_", IDS)
def test_a_spec_rebuilds_it(id_, tmp_path):
    env = RecordTrajectory(make(id_), tmp_path, fields=("url",))
    for number, spec in enumerate(
        (env.spec, EnvSpec.from_json(env.spec.to_json()), pickle.loads(pickle.dumps(env.spec)))
    ):
        again = gymnasium.make(spec)
        assert again.spec.additional_wrappers[-1] == env.spec.additional_wrappers[-1]
        play(again)
        again.close()
        assert len(files(tmp_path)) == number + 1
    first, *others = (read(tmp_path / name) for name in files(tmp_path))
    assert all(other == first for other in others)
    env.close()


@pytest.mark.parametrize("mode", ["sync", "async"])
def test_vector_environments_record_every_one(mode, tmp_path):
    def wrap(env):
        return RecordTrajectory(env, tmp_path)

    env = gymnasium.make_vec(IDS[0], 3, vectorization_mode=mode, wrappers=[wrap])
    env.reset(seed=5)
    env.step(("send_msg_to_user('x')",) * 3)
    env.close()
    assert sorted(read(tmp_path / name).start.seed for name in files(tmp_path)) == [5, 6, 7]


@pytest.mark.parametrize("name", ["", "a/{number}", "{who}", "{number", ".{task}", "{0}", ".."])
def test_wrong_names(name, tmp_path):
    with pytest.raises(UsageError, match=re.escape("name: expected a file name")):
        RecordTrajectory(make(), tmp_path, name=name)


def test_a_field_that_does_not_exist(tmp_path):
    env = RecordTrajectory(make(observation=["goal", "url"]), tmp_path, fields=["html"])
    with pytest.raises(UsageError, match="fields: expected some of goal, url, got 'html'"):
        env.reset()
    env.close()


def test_files_that_are_no_trajectories(tmp_path):
    path = tmp_path / "x.jsonl.xz"
    with pytest.raises(UsageError, match="no such trajectory"):
        read(path)
    for data, message in (
        (b"text", "not a trajectory"),
        (lzma.compress(b""), "expected a line `start`, found none"),
        (lzma.compress(b"{}\n"), "expected lines of trajectory format 1"),
        (lzma.compress(b'{"line": "start", "format": 2}\n'), "format 1"),
        (lzma.compress(b"[1]\n"), "format 1"),
    ):
        path.write_bytes(data)
        with pytest.raises(UsageError, match=message):
            read(path)
