"""Runs: the same records however they are made, and agents that only harm themselves."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation import runner
from skillshift_gym.evaluation.metrics import measure
from skillshift_gym.evaluation.records import RECORDS, RUN, RunInfo, append_record, read_records
from skillshift_gym.evaluation.runner import jobs, run

TASKS = ("wordpress.8", "wordpress.24", "wordpress.25")
SKILLSHIFT = [sys.executable, "-m", "skillshift_gym.cli"]

AGENTS = '''
import asyncio, os, signal, sys, time
from pathlib import Path
from skillshift_gym.errors import BrowserTimeout, UsageError

class Quiet:
    """Says a word and is done; `where` names the method it misbehaves in, on the task `on`."""
    def __init__(self, on="", folder=""):
        self.on, self.folder = on, folder
    def reset(self, task, recorder):
        self.task, self.recorder = task, recorder
        self.bad = self.on in task.uid
        self.begin()
    def begin(self):
        pass
    def act(self, observation):
        return self.misbehave(observation) if self.bad else "send_msg_to_user('x')"
    def misbehave(self, observation):
        raise NotImplementedError

class Skilled(Quiet):
    def act(self, observation):
        with self.recorder.skill_call("look") as call:
            if "24" in self.task.uid:
                call.fail("nothing there")
        return "send_msg_to_user('x')"

class NoSkills(Quiet):
    has_skills = False

class RaisesInConstructor:
    def __init__(self):
        raise RuntimeError("no constructor")

class RaisesInReset(Quiet):
    def begin(self):
        if self.bad: raise RuntimeError("no reset")

class RaisesInAct(Quiet):
    def misbehave(self, observation): raise RuntimeError("no act")

class RaisesUsage(Quiet):
    def misbehave(self, observation): raise UsageError("not the run's")

class Exits(Quiet):
    def misbehave(self, observation): sys.exit(3)

class Cancelled(Quiet):
    def misbehave(self, observation): raise asyncio.CancelledError

class Unprintable(Quiet):
    def misbehave(self, observation):
        class Mute(Exception):
            def __str__(self): raise ValueError("mute")
        raise Mute

class Nests(Quiet):
    def misbehave(self, observation):
        with self.recorder.skill_call("outer"), self.recorder.skill_call("inner"):
            return "noop()"

class Forges(Quiet):
    def misbehave(self, observation): self.recorder.calls = None

class NoMethods:
    pass

class Garbage(Quiet):
    def misbehave(self, observation): return self.garbage
    def begin(self): self.garbage = None

class None_(Garbage): pass
class Number(Garbage):
    def begin(self): self.garbage = 7
class Bytes(Garbage):
    def begin(self): self.garbage = b"click('1')"
class Prose(Garbage):
    def begin(self): self.garbage = "I would click on the link, I think."
class Code(Garbage):
    def begin(self): self.garbage = "__import__('os')._exit(1)"
class Huge(Garbage):
    def begin(self): self.garbage = "click('" + "9" * 3_000_000 + "')"
class Deep(Garbage):
    def begin(self): self.garbage = "click(" + "(" * 5_000 + ")" * 5_000 + ")"
class Surrogate(Garbage):
    def begin(self): self.garbage = "send_msg_to_user('\\\\ud800')"
class Raw(Garbage):
    def begin(self): self.garbage = "\\udc80\\x00"
class Subclass(Garbage):
    def begin(self):
        class Text(str):
            def encode(self, *a): raise RuntimeError("no encoding")
            def __len__(self): return 10**9
        self.garbage = Text("send_msg_to_user('y')")
class Unrepresentable(Garbage):
    def begin(self):
        class Thing:
            def __repr__(self): raise RuntimeError("no repr")
        self.garbage = Thing()

class NeverStops(Quiet):
    def misbehave(self, observation): return "noop()"

class Edits(Quiet):
    def misbehave(self, observation):
        for key in list(observation):
            if hasattr(observation[key], "fill"): observation[key].fill(99)
            else: observation[key] = None
        observation.clear()
        return "noop()"

class Slow(Quiet):
    def misbehave(self, observation): time.sleep(60)

class SlowAndDeaf(Quiet):
    def misbehave(self, observation):
        end = time.monotonic() + 60
        while time.monotonic() < end:
            try: time.sleep(60)
            except Exception: pass
        return "noop()"

class Dies(Quiet):
    def misbehave(self, observation): os._exit(5)

class Infrastructure(Quiet):
    def misbehave(self, observation): raise BrowserTimeout("the browser did not answer")

class Once(Quiet):
    def misbehave(self, observation):
        marker = Path(self.folder) / "tried"
        if marker.exists(): return "send_msg_to_user('x')"
        marker.write_text("")
        raise BrowserTimeout("the browser did not answer")

class Patient(Quiet):
    def act(self, observation):
        time.sleep(0.05)
        return "send_msg_to_user('x')"
'''


@pytest.fixture
def agents(tmp_path, monkeypatch):
    """Returns the folder of a module of agents that can be imported, here and in worker processes."""
    folder = tmp_path / "agents"
    folder.mkdir()
    (folder / "hostile_agents.py").write_text(AGENTS)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.delitem(sys.modules, "hostile_agents", raising=False)
    return folder


def info_of(agent="reference", **fields):
    if agent != "reference":
        agent = f"hostile_agents:{agent}"
    return RunInfo(**{"agent": agent, "sites": ("wordpress",), "conditions": ("src",), "tasks": TASKS, **fields})


def go(info, out, workers=0, **kwargs):
    return run(info, out, workers=workers, progress=False, **kwargs)


def others_are_measured(records, bad):
    return all(r.status == "ok" and r.steps == 1 and r.message == "x" for r in records if bad not in r.task)


def test_a_run_in_this_process_and_in_two_others_is_the_same(tmp_path):
    info = info_of(conditions=("src", "tgt"))
    here, there = go(info, tmp_path / "here"), go(info, tmp_path / "there", workers=2)
    assert here == there and len(here) == 6
    assert [(r.uid, r.condition) for r in here] == sorted((r.uid, r.condition) for r in here)
    assert {(r.condition, r.uid[-2:]) for r in here} == {("src", "v1"), ("tgt", "v2")}
    assert all(r.status == "ok" and r.attempts == 1 for r in here)


def test_a_finished_run_is_not_run_again(tmp_path, monkeypatch):
    info = info_of(tasks=TASKS[:1])
    first = go(info, tmp_path)
    monkeypatch.setattr(runner, "run_job", None)
    assert go(info, tmp_path) == first
    assert len((tmp_path / RECORDS).read_text().splitlines()) == 1


def test_what_is_missing_is_run(tmp_path):
    whole = go(info_of(), tmp_path / "whole")
    out = tmp_path / "part"
    go(info_of(), out)
    lines = (out / RECORDS).read_text().splitlines(keepends=True)
    (out / RECORDS).write_text(lines[0] + lines[1][:50])
    assert go(info_of(), out) == whole
    assert len((out / RECORDS).read_text().splitlines()) == 3


@pytest.mark.parametrize("field", [{"seed": 1}, {"budget": 3}, {"tasks": ()}, {"conditions": ("tgt",)}])
def test_another_run_in_the_folder_is_refused(tmp_path, field):
    go(info_of(tasks=TASKS[:1]), tmp_path)
    before = (tmp_path / RECORDS).read_bytes()
    with pytest.raises(UsageError, match=f"another run .differs in {next(iter(field))}"):
        go(info_of(**{"tasks": TASKS[:1], **field}), tmp_path)
    assert (tmp_path / RECORDS).read_bytes() == before


def test_records_of_an_unknown_run_are_refused(tmp_path, record):
    append_record(tmp_path, record(1))
    with pytest.raises(UsageError, match="an unknown run"):
        go(info_of(), tmp_path)


@pytest.mark.parametrize(
    ("fields", "text"),
    [
        ({"agent": "nobody"}, "nobody"),
        ({"agent": "hostile_agents:Nobody"}, "cannot be imported"),
        ({"agent": "no_such_module:Agent"}, "cannot be imported"),
        ({"agent": "hostile_agents:AGENTS"}, "cannot be"),
        ({"agent_kwargs": {"backbnoe": "lexical"}}, "backbnoe"),
        ({"conditions": ("source",)}, "no condition 'source'"),
        ({"conditions": ()}, "no task"),
        ({"browser": "lynx"}, "lynx"),
        ({"budget": 0}, "budget"),
    ],
)
def test_wrong_arguments_stop_a_run_before_it_claims_its_folder(tmp_path, agents, fields, text):
    info = RunInfo(**{**info_of().model_dump(), **fields})
    with pytest.raises(UsageError, match=text):
        go(info, tmp_path / "out", workers=2)
    assert not (tmp_path / "out").exists()


def test_a_folder_without_records_gives_way(tmp_path):
    (tmp_path / RUN).write_text(info_of(seed=9).model_dump_json())
    assert len(go(info_of(tasks=TASKS[:1]), tmp_path)) == 1


def test_an_argument_of_the_agent_that_only_it_can_judge_stops_the_run(tmp_path):
    with pytest.raises(UsageError, match="no backbone 'typo'"):
        go(info_of(agent_kwargs={"backbone": "typo"}), tmp_path)


def test_tasks_and_cells_named_twice_are_run_once():
    info = info_of(tasks=("wordpress.8", "skillshift.wordpress.8", "wordpress.8#0"), conditions=("src", "src"))
    assert len(jobs(info)) == 1


def test_a_split_is_run_whole():
    assert len(jobs(info_of(tasks=(), conditions=("src", "tgt")))) == 158
    assert {j.task.partition("#")[1] for j in jobs(info_of(tasks=(), split="val"))} == {"#"}


RAISING = {
    "RaisesInReset": "RuntimeError: no reset",
    "RaisesInAct": "RuntimeError: no act",
    "RaisesUsage": "UsageError: not the run's",
    "Exits": "SystemExit: 3",
    "Cancelled": "CancelledError",
    "Unprintable": "Mute",
    "Nests": "NestedSkillCall",
    "Forges": "AttributeError",
    "Unrepresentable": "RuntimeError: no repr",
}


@pytest.mark.parametrize("agent", RAISING)
def test_an_agent_that_raises_fails_its_own_episode(tmp_path, agents, agent):
    records = go(info_of(agent, agent_kwargs={"on": ".24."}), tmp_path)
    bad = next(r for r in records if r.task == "wordpress.24")
    assert (bad.status, bad.end, bad.success, bad.attempts) == ("ok", "agent_error", False, 1)
    assert RAISING[agent] in bad.reason
    assert others_are_measured(records, ".24") and len(records) == 3
    assert (bad.skill_calls, bad.skill_failures) == ((1, 1) if agent == "Nests" else (0, 0))


@pytest.mark.parametrize(("agent", "text"), [("RaisesInConstructor", "no constructor"), ("NoMethods", "no attribute")])
def test_an_agent_that_never_works_fails_every_episode(tmp_path, agents, agent, text):
    records = go(info_of(agent), tmp_path)
    assert [r.end for r in records] == ["agent_error"] * 3
    assert all(text in r.reason for r in records) and measure(records).sr.value == 0.0


@pytest.mark.parametrize("agent", ["None_", "Number", "Bytes", "Prose", "Code", "Huge", "Deep", "Raw"])
def test_garbage_is_a_malformed_action_until_the_budget_is_used_up(tmp_path, agents, agent):
    records = go(info_of(agent, agent_kwargs={"on": ".24."}), tmp_path)
    bad = next(r for r in records if r.task == "wordpress.24")
    assert (bad.status, bad.end, bad.steps, bad.errors) == ("ok", "budget", 10, {"malformed": 10})
    assert others_are_measured(records, ".24")


def test_messages_that_no_file_can_hold(tmp_path, agents):
    records = go(info_of("Surrogate", agent_kwargs={"on": ".8."}), tmp_path)
    bad = next(r for r in records if r.task == "wordpress.8")
    assert (bad.status, bad.end) == ("ok", "failure") and bad.message in ("?", "\ufffd")
    assert read_records(tmp_path) == records


def test_an_action_that_only_looks_like_a_string(tmp_path, agents):
    records = go(info_of("Subclass", agent_kwargs={"on": ".8."}), tmp_path)
    assert next(r for r in records if r.task == "wordpress.8").message == "y"


@pytest.mark.parametrize("agent", ["NeverStops", "Edits"])
def test_an_agent_that_never_stops_or_edits_what_it_sees(tmp_path, agents, agent):
    records = go(info_of(agent, agent_kwargs={"on": ".24."}), tmp_path)
    bad = next(r for r in records if r.task == "wordpress.24")
    assert (bad.end, bad.steps) == ("budget", 10)
    assert others_are_measured(records, ".24")
    assert go(info_of(), tmp_path / "after") == go(info_of(), tmp_path / "again")


def test_skill_calls_are_written_down(tmp_path, agents):
    records = go(info_of("Skilled"), tmp_path)
    assert {r.task: (r.skill_calls, r.skill_failures) for r in records} == {
        "wordpress.8": (1, 0),
        "wordpress.24": (1, 1),
        "wordpress.25": (1, 0),
    }


def test_a_method_without_skills_has_no_calls_even_where_it_raises(tmp_path, agents):
    records = go(info_of("NoSkills", agent_kwargs={"on": ".24."}), tmp_path)
    assert [(r.skill_calls, r.skill_failures) for r in records] == [(None, None)] * 3
    assert next(r for r in records if r.task == "wordpress.24").end == "agent_error"


def test_an_infrastructure_fault_is_no_measurement(tmp_path, agents):
    records = go(info_of("Infrastructure", agent_kwargs={"on": ".24."}), tmp_path)
    bad = next(r for r in records if r.task == "wordpress.24")
    assert (bad.status, bad.end, bad.attempts) == ("error", "error", 2)
    assert bad.reason == "the browser did not answer"
    cell = measure(records)
    assert (cell.n, cell.planned, cell.errors, cell.sr.n) == (2, 3, 1, 2)
    assert go(info_of("Infrastructure", agent_kwargs={"on": ".24."}), tmp_path) == records  # retried once, not again
    assert len((tmp_path / RECORDS).read_text().splitlines()) == 4


def test_a_fault_that_passes_is_measured_at_the_second_attempt(tmp_path, agents):
    records = go(info_of("Once", agent_kwargs={"on": ".24.", "folder": str(agents)}), tmp_path)
    assert {(r.task, r.status, r.attempts) for r in records} == {
        ("wordpress.8", "ok", 1),
        ("wordpress.24", "ok", 2),
        ("wordpress.25", "ok", 1),
    }


def test_a_fault_inside_the_environment_costs_one_episode(tmp_path, agents, monkeypatch):
    from skillshift_gym.env import SkillShiftEnv

    step = SkillShiftEnv.step

    def broken(self, action):
        if self.task.id == "wordpress.24":
            raise ZeroDivisionError("a bug of ours")
        return step(self, action)

    monkeypatch.setattr(SkillShiftEnv, "step", broken)
    records = go(info_of("Skilled"), tmp_path)
    assert {r.task: r.reason for r in records if r.status == "error"} == {
        "wordpress.24": "internal error: ZeroDivisionError: a bug of ours"
    }


@pytest.mark.parametrize("agent", ["Slow", "SlowAndDeaf"])
def test_the_wall_clock_ceiling_is_an_error(tmp_path, agents, agent):
    started = time.monotonic()
    go(info_of(tasks=TASKS[:1]), tmp_path / "before")  # the first episode of a process also builds the site
    records = go(info_of(agent, agent_kwargs={"on": ".24."}), tmp_path / "slow", ceiling=0.5)
    assert time.monotonic() - started < 20
    bad = next(r for r in records if r.task == "wordpress.24")
    assert (bad.status, bad.attempts) == ("error", 2)
    assert bad.reason == "the episode hit the wall-clock ceiling of 0.5 s"
    assert others_are_measured(records, ".24")
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


def test_an_agent_that_kills_its_process_costs_its_own_episode(tmp_path, agents, monkeypatch):
    monkeypatch.setattr(runner, "_ATTEMPTS", 1)
    records = go(info_of("Dies", agent_kwargs={"on": ".24."}), tmp_path, workers=1)
    bad = next(r for r in records if r.task == "wordpress.24")
    assert (bad.status, bad.attempts) == ("error", 1)
    assert bad.reason == "the worker process died (exit code 5)"
    assert others_are_measured(records, ".24") and len(records) == 3


EPISODES = 32


def start(out, agents, workers=2):
    """Starts a run of 32 short episodes in a process group of its own."""
    command = [
        *SKILLSHIFT, "run", "--agent", "hostile_agents:Patient", "--site", "wordpress", "--condition", "src,tgt",
        "--tasks", ",".join(f"wordpress.{n}" for n in range(24, 40)), "--workers", str(workers), "--quiet",
        "--out", str(out),
    ]  # fmt: skip
    environment = {**os.environ, "PYTHONPATH": str(agents)}
    return subprocess.Popen(
        command, cwd=agents, env=environment, start_new_session=True, stderr=subprocess.PIPE, text=True,
        stdout=subprocess.DEVNULL,
    )  # fmt: skip


def wait_for_lines(out, number, process):
    end = time.monotonic() + 30
    while time.monotonic() < end and process.poll() is None:
        path = Path(out) / RECORDS
        if path.exists() and len(path.read_bytes().splitlines()) >= number:
            return
        time.sleep(0.01)
    raise AssertionError(f"no {number} lines: exit code {process.poll()}")


def group_is_gone(group):
    end = time.monotonic() + 10
    while time.monotonic() < end:
        try:
            os.killpg(group, 0)
        except ProcessLookupError:
            return True
        time.sleep(0.02)
    return False


def test_a_killed_run_goes_on_as_if_nothing_had_happened(tmp_path, agents):
    out = tmp_path / "killed"
    process = start(out, agents)
    wait_for_lines(out, 5, process)
    os.killpg(process.pid, signal.SIGKILL)
    process.communicate()
    done = len((out / RECORDS).read_bytes().split(b"\n")) - 1
    assert 5 <= done < EPISODES and group_is_gone(process.pid)
    with (out / RECORDS).open("ab") as file:
        file.write(b'{"uid": "skillshift.word')  # at worst the kill also tore a line

    again = start(out, agents, workers=1)
    _, errors = again.communicate(timeout=60)
    assert (again.returncode, errors) == (0, "")
    lines = (out / RECORDS).read_text().splitlines()
    assert len(lines) == EPISODES
    whole = go(RunInfo.model_validate_json((out / RUN).read_text()), tmp_path / "whole")
    assert read_records(out) == whole


def test_ctrl_c_keeps_what_was_done_and_leaves_no_process(tmp_path, agents):
    out = tmp_path / "stopped"
    process = start(out, agents)
    wait_for_lines(out, 3, process)
    os.killpg(process.pid, signal.SIGINT)  # to all of them, as a terminal does
    _, errors = process.communicate(timeout=20)
    assert process.returncode == 130
    assert errors == "skillshift: interrupted; what was done is kept, the same command goes on\n"
    assert group_is_gone(process.pid)
    assert 3 <= len(read_records(out)) < EPISODES
    assert (out / RECORDS).read_bytes().endswith(b"\n")


def test_workers_end_when_the_parent_is_killed(tmp_path, agents):
    process = start(tmp_path / "orphaned", agents, workers=1)
    wait_for_lines(tmp_path / "orphaned", 3, process)
    process.kill()  # the parent alone
    process.communicate()
    assert group_is_gone(process.pid)
