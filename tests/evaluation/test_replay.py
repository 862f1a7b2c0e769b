"""Replays: no difference where nothing changed, the first one where something did."""

from __future__ import annotations

import json
import lzma

import gymnasium
import pytest

from skillshift_gym.cli import main
from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation.records import RunInfo
from skillshift_gym.evaluation.replay import replay, replay_file, replay_run
from skillshift_gym.evaluation.runner import run
from skillshift_gym.evaluation.trajectories import folder_of, path_of
from skillshift_gym.registration import CONDITIONS
from skillshift_gym.wrappers.record import RecordTrajectory
from skillshift_gym.wrappers.text import TextObservation
from skillshift_gym.wrappers.trajectory import encode, read

TASKS = ("wordpress.17", "wordpress.36")


@pytest.fixture(scope="module")
def recorded_run(tmp_path_factory):
    folder = tmp_path_factory.mktemp("recorded")
    info = RunInfo(agent="reference", sites=("wordpress",), conditions=tuple(CONDITIONS), tasks=TASKS)
    run(info, folder, workers=0, progress=False, record=True)
    return folder


def altered(path, number, change):
    """Returns the trajectory of a file with its n-th step changed by a function of the line."""
    lines = [json.loads(line) for line in lzma.decompress(path.read_bytes()).decode().splitlines()]
    change([line for line in lines if line["line"] == "step"][number])
    copy = path.with_name("altered.jsonl.xz")
    copy.write_bytes(encode([json.dumps(line) for line in lines]))
    try:
        return read(copy)
    finally:
        copy.unlink()


def test_all_conditions_replay_without_a_difference(recorded_run, capsys):
    results = list(replay_run(recorded_run, workers=0))
    assert [r.difference for r in results] == [""] * 12
    assert main(["replay", str(recorded_run), "--workers", "2", "--tasks", "wordpress.17"]) == 0
    steps = sum(r.steps for r in results if r.name.startswith("wordpress.17 "))
    assert capsys.readouterr().out == f"6 episodes, {steps} steps, 0 differences\n"


@pytest.mark.parametrize("inner", [lambda env: env, TextObservation])
def test_a_recorder_of_ones_own_replays(inner, tmp_path):
    env = RecordTrajectory(inner(gymnasium.make("SkillShift/WordPress-SrcPerc-v0", budget=6)), tmp_path)
    env.reset(seed=4)
    for action in ("goto('/about/')", "click('9999')", "\udc80 is no action", "new_tab()", "go_back()", "noop()"):
        env.step(action)
    env.close()
    assert replay_file(tmp_path / "000000.jsonl.xz")[1:] == (6, "")


def test_both_browsers_replay_and_see_the_same(tmp_path):
    digests = []
    for browser in ("dom", "chromium"):
        env = gymnasium.make("SkillShift/WordPress-SrcExec-v0", browser=browser, disable_env_checker=True)
        env = RecordTrajectory(env, tmp_path / browser)
        env.reset(seed=0, options={"task": "wordpress.17"})
        for action in ("click('20')", "goto('/about/')", "send_msg_to_user('x')"):
            env.step(action)
        env.close()
        path = tmp_path / browser / "000000.jsonl.xz"
        assert replay_file(path) == ("wordpress.17 src-exec", 3, "")
        digests.append([read(path).observed(m).digests for m in range(4)])
    assert digests[0] == digests[1]


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"reward": 0.5}, "reward: expected '0.5', got '0.0'"),
        ({"terminated": True}, "terminated: expected 'True', got 'False'"),
        ({"action": "noop()"}, "observation field 'html'"),
        ({"info": {"error": "stale"}}, "error: expected 'stale', got ''"),
        ({"info": {"revision": "0"}}, "info 'revision': expected '0', got '"),
        ({"digests": {"axtree": "0"}}, "observation field 'axtree' (only its digest was recorded)"),
        ({"digests": {"url": "0"}, "values": {"url": "/x"}}, "observation field 'url': expected '/x', got 'https:"),
    ],
)
def test_the_first_difference_is_named(recorded_run, change, said):
    def apply(line):
        for key, value in change.items():
            line[key] = {**line[key], **value} if isinstance(value, dict) else value

    path = path_of(folder_of(recorded_run), "wordpress.17", "src")
    result = replay(altered(path, 0, apply))
    assert result.steps == 0 and result.difference.startswith("step 1, ") and said in result.difference


def test_a_long_text_is_shown_where_it_parts(recorded_run):
    def change(line):
        line["action"] = "fill('372', 'w0rden')"

    result = replay(altered(path_of(folder_of(recorded_run), "wordpress.17", "src"), 0, change))
    assert "observation field 'html': expected" in result.difference and "at character" in result.difference
    assert "warden" in result.difference and "w0rden" in result.difference


def test_a_difference_makes_the_command_fail(recorded_run, tmp_path, capsys):
    info = RunInfo(agent="reference", sites=("wordpress",), conditions=("src",), tasks=TASKS)
    run(info, tmp_path, workers=0, progress=False, record=True)
    path = path_of(folder_of(tmp_path), "wordpress.17", "src")
    lines = lzma.decompress(path.read_bytes()).decode().replace("'warden'", "'wander'").splitlines()
    path.write_bytes(encode(lines))
    path_of(folder_of(tmp_path), "wordpress.36", "src").write_bytes(b"torn")
    for workers in "01":
        assert main(["replay", str(tmp_path), "--workers", workers]) == 1
        said = capsys.readouterr().out.splitlines()
        assert said[0].startswith("DIFFERENT wordpress.17 src, step 1, fill(")
        assert said[1].startswith("DIFFERENT wordpress.36.src, no replay: ") and "not a trajectory" in said[1]
        assert said[2] == "2 episodes, 0 steps, 2 differences"


def test_what_a_file_names_is_not_imported(recorded_run):
    trajectory = read(path_of(folder_of(recorded_run), "wordpress.17", "src-exec"))
    spec = trajectory.start.spec
    wrapper = {"name": "X", "entry_point": "os:system", "kwargs": {"command": "true"}}
    for other in (
        {**spec, "entry_point": "os:system"},
        {**spec, "additional_wrappers": [wrapper]},
        {**spec, "vector_entry_point": "os:system"},
    ):
        changed = trajectory._replace(start=trajectory.start.model_copy(update={"spec": other}))
        with pytest.raises(UsageError, match="not imported on a file's word"):
            replay(changed)
    without = trajectory._replace(start=trajectory.start.model_copy(update={"spec": None}))
    with pytest.raises(UsageError, match="had no JSON spec; call replay"):
        replay(without)
    env = gymnasium.make("SkillShift/WordPress-SrcExec-v0", disable_env_checker=True)
    assert replay(without, env).difference == ""
    env.close()


def test_an_action_that_no_file_can_hold(tmp_path):
    with RecordTrajectory(gymnasium.make("SkillShift/WordPress-Src-v0", disable_env_checker=True), tmp_path) as env:
        env.reset(seed=0)
        env.step(b"x")
    with pytest.raises(UsageError, match="cannot be replayed"):
        replay_file(tmp_path / "000000.jsonl.xz")
