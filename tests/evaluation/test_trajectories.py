"""Runs that record: the same records, one trajectory an episode, through resuming and failures."""

from __future__ import annotations

import json
import re

import pytest

from skillshift_gym.cli import main
from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation import runner
from skillshift_gym.evaluation.episode import run_job
from skillshift_gym.evaluation.records import RECORDS, RunInfo, read_records
from skillshift_gym.evaluation.runner import run
from skillshift_gym.evaluation.trajectories import folder_of, natural, path_of, recorded
from skillshift_gym.wrappers.trajectory import read

INFO = RunInfo(
    agent="reference", sites=("wordpress",), conditions=("src", "src-exec"), tasks=("wordpress.17", "wordpress.3")
)
NAMES = ["wordpress.17.src", "wordpress.17.src-exec", "wordpress.3.src", "wordpress.3.src-exec"]

AGENTS = """
class Raises:
    def reset(self, task, recorder):
        self.left = 2
    def act(self, observation):
        self.left -= 1
        if self.left < 0:
            raise RuntimeError("no more")
        return "noop()"

class Deaf(Raises):
    def reset(self, task, recorder):
        raise RuntimeError("no start")
"""


@pytest.fixture
def agents(tmp_path, monkeypatch):
    (tmp_path / "recording_agents.py").write_text(AGENTS)
    monkeypatch.syspath_prepend(tmp_path)


def names(folder):
    return sorted(p.name.removesuffix(".jsonl.xz") for p in folder_of(folder).iterdir())


@pytest.mark.parametrize("workers", [0, 2])
def test_every_episode_has_a_trajectory_and_records_stay_the_same(workers, tmp_path):
    plain = run(INFO, tmp_path / "plain", workers=0, progress=False)
    assert run(INFO, tmp_path / "x", workers=workers, progress=False, record=True) == plain
    assert names(tmp_path / "x") == NAMES and not folder_of(tmp_path / "plain").exists()
    for record in plain:
        found = read(path_of(folder_of(tmp_path / "x"), record.task, record.condition))
        assert found.over and found.start.uid == record.uid
        assert len(found.steps) == record.steps and found.steps[-1].reward == record.success


def test_a_run_that_was_not_recorded_is_recorded_by_the_same_command(tmp_path):
    before = run(INFO, tmp_path, workers=0, progress=False)
    assert run(INFO, tmp_path, workers=0, progress=False, record=True) == before
    assert names(tmp_path) == NAMES
    lines = (tmp_path / RECORDS).read_text().count("\n")
    run(INFO, tmp_path, workers=0, progress=False, record=True)
    assert (tmp_path / RECORDS).read_text().count("\n") == lines, "nothing was left to do"


def test_an_interrupted_run_goes_on(tmp_path, monkeypatch):
    done = []

    def interrupted(job):
        if len(done) == 2:
            raise KeyboardInterrupt
        done.append(job.task)
        return run_job(job)

    monkeypatch.setattr(runner, "run_job", interrupted)
    with pytest.raises(KeyboardInterrupt):
        run(INFO, tmp_path, workers=0, progress=False, record=True)
    assert len(names(tmp_path)) == 2
    old = {p.name: p.read_bytes() for p in folder_of(tmp_path).iterdir()}
    monkeypatch.undo()
    assert len(run(INFO, tmp_path, workers=0, progress=False, record=True)) == 4
    assert names(tmp_path) == NAMES
    assert all((folder_of(tmp_path) / name).read_bytes() == data for name, data in old.items())


def test_a_lost_trajectory_is_made_again_in_place(tmp_path):
    run(INFO, tmp_path, workers=0, progress=False, record=True)
    path = path_of(folder_of(tmp_path), "wordpress.17", "src")
    data = path.read_bytes()
    path.unlink()
    assert len(run(INFO, tmp_path, workers=0, progress=False, record=True)) == 4
    assert path.read_bytes() == data


@pytest.mark.parametrize(("agent", "steps"), [("Raises", 2), ("Deaf", 0)])
def test_an_agent_that_raises_leaves_the_steps_it_took(agents, agent, steps, tmp_path):
    info = INFO.model_copy(update={"agent": f"recording_agents:{agent}", "conditions": ("src",)})
    run(info, tmp_path / "x", workers=0, progress=False, record=True)
    assert {r.end for r in read_records(tmp_path / "x")} == {"agent_error"}
    found = read(recorded(tmp_path / "x", ["wordpress.17"])[0].path)
    assert len(found.steps) == steps and not found.over and found.value(0, "html")


def test_recorded_episodes_are_listed_in_order(tmp_path):
    run(INFO, tmp_path, workers=0, progress=False, record=True)
    assert [(e.task, e.condition) for e in recorded(tmp_path)] == [
        ("wordpress.3", "src"), ("wordpress.3", "src-exec"), ("wordpress.17", "src"), ("wordpress.17", "src-exec"),
    ]  # fmt: skip
    assert [e.task for e in recorded(tmp_path, ["wordpress.17"], ["src"])] == ["wordpress.17"]
    with pytest.raises(UsageError, match=r"no trajectory of task 'wordpress.1'; it has wordpress.17, wordpress.3"):
        recorded(tmp_path, ["wordpress.1"])
    with pytest.raises(UsageError, match="no trajectory of condition 'tgt'; it has src, src-exec"):
        recorded(tmp_path, (), ["tgt"])
    assert natural("wordpress.17#5") == ("wordpress", 17, 5)


def test_a_run_without_trajectories_says_how_to_record(tmp_path, capsys):
    with pytest.raises(UsageError, match="holds no run"):
        recorded(tmp_path)
    run(INFO, tmp_path, workers=0, progress=False)
    for command in (["replay"], ["view"], ["export", "--minari", "x-v0"]):
        assert main([command[0], str(tmp_path), *command[1:]]) == 2
        said = capsys.readouterr().err
        assert re.search(r"holds no trajectories; record them with .*skillshift run .* --record", said)


def test_the_command_records(tmp_path):
    arguments = ["run", "--agent", "reference", "--condition", "src", "--tasks", "wordpress.3", "--out", str(tmp_path)]
    assert main([*arguments, "--workers", "0", "--quiet", "--record"]) == 0
    assert names(tmp_path) == ["wordpress.3.src"]
    assert "record" not in json.loads((tmp_path / "run.json").read_text())
