import json
import re
import sys

import gymnasium
import pytest

from skillshift_gym import __version__, cli
from skillshift_gym.evaluation import verify as verification
from skillshift_gym.evaluation.records import RECORDS, RUN

COMMANDS = (
    "envs", "run", "report", "validate", "leaderboard", "calibrate", "replay", "view", "export", "bank", "record", "learn", "tables", "train", "verify", "serve",
    "doctor", "regret",
)  # fmt: skip
RUN_FEW = ["run", "--agent", "reference", "--tasks", "wordpress.24,wordpress.25", "--workers", "0", "--quiet"]


@pytest.fixture
def skillshift(capsys, monkeypatch):
    """Runs the command and returns (exit code, standard output, standard error)."""
    monkeypatch.setattr(sys, "path", list(sys.path))

    def call(*arguments):
        try:
            code = cli.main([str(a) for a in arguments])
        except SystemExit as stop:
            code = stop.code
        return (code, *capsys.readouterr())

    return call


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(skillshift, command):
    code, out, err = skillshift(command, "--help")
    assert (code, err) == (0, "") and out.startswith(f"usage: skillshift {command}")
    assert len(out.splitlines()) > 4


def test_the_command_lists_its_commands_and_version(skillshift):
    code, out, _ = skillshift("--help")
    assert code == 0 and all(re.search(rf"\n    {command}\s", out) for command in COMMANDS)
    assert skillshift("--version") == (0, f"{__version__}\n", "")


def test_envs_lists_what_can_be_made(skillshift):
    code, out, err = skillshift("envs")
    rows = [[c.strip() for c in line.strip("|").split("|")] for line in out.splitlines()]
    assert (code, err, rows[0]) == (0, "", ["id", "site", "version", "bench tasks"])
    assert ["SkillShift/WordPress-Src-v0", "wordpress", "v1", "79"] in rows
    for row in rows[2:]:
        assert gymnasium.spec(row[0]).kwargs["site"] == row[1]


def test_run_and_report(skillshift, tmp_path):
    code, out, err = skillshift(*RUN_FEW, "--condition", "src,tgt", "--out", tmp_path)
    assert (code, err) == (0, "") and out.startswith(f"4 episodes in {tmp_path} (")
    assert len((tmp_path / RECORDS).read_text().splitlines()) == 4
    assert json.loads((tmp_path / RUN).read_text())["version"] == __version__
    code, out, err = skillshift("report", tmp_path)
    assert (code, err) == (0, "")
    assert "| wordpress | tgt | 2 | " in out and f"written: {tmp_path / 'report.html'}" in out
    assert (tmp_path / "report.md").is_file()


def test_run_options_reach_the_run(skillshift, tmp_path):
    code, *_ = skillshift(
        *RUN_FEW, "--condition", "tgt", "--budget", "1", "--seed", "7", "--agent-arg", "backbone=lexical", "--out", tmp_path
    )  # fmt: skip
    info = json.loads((tmp_path / RUN).read_text())
    assert code == 0
    assert (info["budget"], info["seed"], info["conditions"]) == (1, 7, ["tgt"])
    assert info["agent_kwargs"] == {"backbone": "lexical"}
    assert all(json.loads(line)["steps"] == 1 for line in (tmp_path / RECORDS).read_text().splitlines())


def test_progress_goes_to_standard_error(skillshift, tmp_path):
    arguments = [a for a in RUN_FEW if a != "--quiet"]
    _, out, err = skillshift(*arguments, "--condition", "src", "--out", tmp_path)
    assert "2/2" in err and out.startswith("2 episodes in ")
    _, _, err = skillshift(*arguments, "--condition", "src", "--out", tmp_path)
    assert err == ""  # nothing was left to do


def test_an_agent_of_the_current_folder_is_found(skillshift, tmp_path, monkeypatch):
    (tmp_path / "my_agent_here.py").write_text(
        "class Agent:\n"
        "    def reset(self, task, recorder): pass\n"
        "    def act(self, observation): return \"send_msg_to_user('hi')\"\n"
    )
    monkeypatch.chdir(tmp_path)
    arguments = [a if a != "reference" else "my_agent_here:Agent" for a in RUN_FEW]
    code, out, _ = skillshift(*arguments, "--condition", "src", "--out", "runs")
    assert code == 0 and out.startswith("2 episodes")


def test_errors_are_told(skillshift, tmp_path, monkeypatch):
    from skillshift_gym.env import SkillShiftEnv
    from skillshift_gym.errors import BrowserTimeout

    def step(self, action):
        raise BrowserTimeout("gone")

    monkeypatch.setattr(SkillShiftEnv, "step", step)
    code, out, _ = skillshift(*RUN_FEW, "--condition", "src", "--out", tmp_path)
    assert code == 0 and "2 of them errors without a measurement" in out


def test_verify_says_what_is_right(skillshift):
    code, out, err = skillshift("verify", "--tasks", "wordpress.24", "--condition", "src")
    assert (code, err) == (0, "") and "| src | 1/1 | 1/1 | 1/1 | 1/1 | 1/1 |" in out and "WRONG" not in out


def test_verify_says_what_is_wrong(skillshift, monkeypatch):
    right = verification.verify

    def wrong(*arguments):
        found = right(*arguments)
        return [found[0]._replace(success=False, reason="no such link"), *found[1:3], found[3]._replace(played=False)]

    monkeypatch.setattr(verification, "verify", wrong)
    code, out, _ = skillshift("verify", "--tasks", "wordpress.24", "--condition", "src")
    assert code == 1
    assert "WRONG wordpress.24 src, oracle: failed after 1; no such link" in out
    assert "WRONG wordpress.24 src, altered value: could not be played" in out


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ([], "required"),
        (["fly"], "invalid choice: 'fly'"),
        (["run", "--out", "x"], "--agent"),
        (["run", "--agent", "reference"], "--out"),
        (["run", "--agent", "reference", "--out", "x", "--site", "gitlub"], "got 'gitlub'"),
        (["run", "--agent", "reference", "--out", "x", "--site", ""], "expected some of"),
        (["run", "--agent", "reference", "--out", "x", "--condition", "src,source"], "got 'source'"),
        (["run", "--agent", "reference", "--out", "x", "--budget", "0"], "a positive number of actions"),
        (["run", "--agent", "reference", "--out", "x", "--budget", "long"], "got 'long'"),
        (["run", "--agent", "reference", "--out", "x", "--budget", "²"], "got '²'"),
        (["run", "--agent", "reference", "--out", "x", "--split", "test"], "invalid choice: 'test'"),
        (
            ["run", "--agent", "reference", "--out", "x", "--agent-arg", "backbone"],
            "expected NAME=VALUE, got 'backbone'",
        ),
        (["run", "--agent", "reference", "--out", "x", "--seed", "one"], "invalid int value"),
        (["report"], "run"),
        (["verify", "--condition", "dst"], "got 'dst'"),
        (["serve", "--version", "v3"], "invalid choice: 'v3'"),
    ],
)
def test_wrong_usage_exits_with_2_and_says_what_was_expected(skillshift, arguments, text):
    code, out, err = skillshift(*arguments)
    assert (code, out) == (2, "") and text in err and err.startswith("usage: skillshift")


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["report", "{tmp}/nothing"], "holds no run"),
        (["run", "--agent", "nobody", "--out", "{tmp}/x"], "expected one of reference, executor, awm"),
        (["run", "--agent", "reference", "--tasks", "wordpress.999", "--out", "{tmp}/x"], "no task 'wordpress.999'"),
        (["run", "--agent", "reference", "--agent-arg", "backbnoe=x", "--out", "{tmp}/x"], "backbnoe"),
        (["run", "--agent", "reference", "--browser", "lynx", "--out", "{tmp}/x"], "lynx"),
        (["run", "--agent", "reference", "--out", "{tmp}/file/x"], "file"),
        (["verify", "--tasks", "wordpress.999"], "no task 'wordpress.999'"),
        (["verify", "--browser", "lynx"], "lynx"),
    ],
)
def test_what_cannot_be_done_exits_with_2(skillshift, tmp_path, arguments, text):
    (tmp_path / "file").write_text("")
    code, out, err = skillshift(*[a.replace("{tmp}", str(tmp_path)) for a in arguments])
    assert (code, out) == (2, "") and err.startswith("skillshift: ") and text in err
    assert not (tmp_path / "x").exists()


def test_another_run_in_the_folder_exits_with_2(skillshift, tmp_path):
    assert skillshift(*RUN_FEW, "--condition", "src", "--out", tmp_path)[0] == 0
    code, _, err = skillshift(*RUN_FEW, "--condition", "tgt", "--out", tmp_path)
    assert code == 2 and "holds another run (differs in conditions)" in err


def test_an_interrupt_exits_with_130(skillshift, tmp_path, monkeypatch):
    def interrupted(*arguments, **options):
        raise KeyboardInterrupt

    monkeypatch.setattr("skillshift_gym.evaluation.runner.run", interrupted)
    code, _, err = skillshift(*RUN_FEW, "--out", tmp_path)
    assert code == 130 and "the same command goes on" in err
