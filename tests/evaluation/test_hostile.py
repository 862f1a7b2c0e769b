"""Agents of others: in the published style, and hostile ones, which cost their own episodes only."""

import sys
from pathlib import Path

import pytest

from skillshift_gym.evaluation import runner
from skillshift_gym.evaluation.metrics import measure
from skillshift_gym.evaluation.records import RunInfo
from skillshift_gym.evaluation.runner import run

TASKS = ("wordpress.8", "wordpress.24", "wordpress.25", "wordpress.26")
BAD = "wordpress.25"

HOSTILE = '''
import builtins, os, random, signal, sys, threading, warnings
import numpy as np

class Base:
    """Does well: it clicks the first link of the page, then reads the next one, and says what it saw."""
    on = ".25."
    def reset(self, task, recorder):
        self.task, self.recorder, self.seen, self.bad = task, recorder, [], self.on in task.uid
        if self.bad: self.attack_reset()
    def act(self, observation):
        if self.bad: return self.attack(observation)
        self.seen.append(observation)
        with self.recorder.skill_call("look") as call:
            if len(self.seen) == 2: call.fail()
        if len(self.seen) < 3: return f"scroll(0, {100 * len(self.seen)})"
        return f"send_msg_to_user('{len(observation['axtree'])} {observation['url']}')"
    def attack_reset(self): pass
    def attack(self, observation): return "noop()"

class Clean(Base):
    on = "nowhere"

class RaisesInConstructor(Base):
    count = 0
    def __init__(self):
        RaisesInConstructor.count += 1
        if RaisesInConstructor.count == 3: raise RuntimeError("no constructor")

class ExitsInReset(Base):
    def attack_reset(self): sys.exit("no more")

class RaisesBaseException(Base):
    def attack(self, observation): raise BaseException("bare")

class RecursesForever(Base):
    def attack(self, observation): return self.attack(observation)

class EditsTask(Base):
    def attack_reset(self):
        for name, value in {"uid": "skillshift.wordpress.99.v9", "site": "x", "condition": "tgt", "max_steps": 10**9}.items():
            object.__setattr__(self.task, name, value)
        self.task.__dict__["goal"] = None

class KeepsAndEditsObservations(Base):
    def attack(self, observation):
        self.seen.append(observation)
        for kept in self.seen:
            for value in kept.values():
                if isinstance(value, np.ndarray): value.fill(7)
            kept.clear()
            kept["goal"] = "mine"
        return "noop()"

class NestsAndSwallows(Base):
    def attack(self, observation):
        with self.recorder.skill_call("outer"):
            try:
                with self.recorder.skill_call("inner"): pass
            except Exception: pass
        return "noop()"

class LeavesACallOpen(Base):
    def attack(self, observation):
        if not self.seen: self.recorder.skill_call("open").__enter__()
        self.seen.append(1)
        return "noop()"

class FailsStrangely(Base):
    def attack(self, observation):
        with self.recorder.skill_call(None) as call: call.fail(0)
        return "noop()"

class ReturnsAction(Base):
    garbage = None
    def attack(self, observation): return self.garbage

class ReturnsDict(ReturnsAction): garbage = {"action": "click"}
class ReturnsList(ReturnsAction): garbage = ["noop()"]
class ReturnsClass(ReturnsAction): garbage = Base
class ReturnsManyLines(ReturnsAction): garbage = "noop()\\n" * 1000
class ReturnsEmpty(ReturnsAction): garbage = ""
class ReturnsHuge(ReturnsAction): garbage = "send_msg_to_user('" + "x" * 5_000_000

class Reseeds(Base):
    def attack(self, observation):
        random.seed(0); np.random.seed(0)
        return "noop()"

class Prints(Base):
    def attack(self, observation):
        print("\\x1b[2J" + "y" * 10_000); print("z" * 10_000, file=sys.stderr)
        return "noop()"

class ChangesFolder(Base):
    def attack(self, observation):
        os.chdir("/")
        return "noop()"

class LeavesAThread(Base):
    def attack(self, observation):
        threading.Thread(target=threading.Event().wait, daemon=True).start()
        return "noop()"

class Loops(Base):
    def attack(self, observation):
        while True: pass

class LoopsDeaf(Base):
    """Turns the alarm of the ceiling off and never comes back."""
    def attack(self, observation):
        signal.signal(signal.SIGALRM, signal.SIG_IGN); signal.signal(signal.SIGTERM, signal.SIG_IGN)
        while True: pass

class Killed(Base):
    def attack(self, observation): os.kill(os.getpid(), signal.SIGKILL)
'''


@pytest.fixture
def agents(tmp_path, monkeypatch):
    """Makes two modules of agents importable, here and in worker processes."""
    folder = tmp_path / "agents"
    folder.mkdir()
    (folder / "hostile_ones.py").write_text(HOSTILE)
    monkeypatch.syspath_prepend(folder)
    monkeypatch.syspath_prepend(Path(__file__).parent)
    for name in ("hostile_ones", "published_agents"):
        monkeypatch.delitem(sys.modules, name, raising=False)


@pytest.fixture
def clean(agents, tmp_path):
    """The records of a run in which nothing goes wrong, by task."""
    return {r.task: r for r in go("hostile_ones:Clean", tmp_path / "clean")}


def go(agent, out, workers=0, tasks=TASKS, conditions=("src",), **kwargs):
    info = RunInfo(agent=agent, sites=("wordpress",), conditions=conditions, tasks=tasks)
    return run(info, out, workers=workers, progress=False, **kwargs)


def bad_one(records, clean):
    """Returns the record of the attacked episode, after the others were found to be those of a clean run."""
    assert [r.task for r in records] == sorted(clean)
    assert {r.task: r for r in records if r.task != BAD} == {t: r for t, r in clean.items() if t != BAD}
    return next(r for r in records if r.task == BAD)


def test_a_clean_run_is_worth_comparing_with(clean):
    assert all((r.steps, r.skill_calls, r.skill_failures) == (3, 3, 1) for r in clean.values())
    assert len({r.message for r in clean.values()}) == 1 and all(r.message for r in clean.values())


RAISING = {
    "RaisesInConstructor": "RuntimeError: no constructor",
    "ExitsInReset": "SystemExit: no more",
    "RaisesBaseException": "BaseException: bare",
    "RecursesForever": "RecursionError",
}


@pytest.mark.parametrize("agent", RAISING)
def test_what_an_agent_raises_is_its_own_failure(tmp_path, clean, agent):
    bad = bad_one(go(f"hostile_ones:{agent}", tmp_path / "run"), clean)
    assert (bad.status, bad.end, bad.success, bad.attempts) == ("ok", "agent_error", False, 1)
    assert bad.reason.startswith(RAISING[agent])


@pytest.mark.parametrize(
    ("agent", "calls"),
    [
        ("EditsTask", (0, 0)),
        ("KeepsAndEditsObservations", (0, 0)),
        ("NestsAndSwallows", (10, 0)),
        ("LeavesACallOpen", (1, 0)),
        ("FailsStrangely", (10, 10)),
        ("Reseeds", (0, 0)),
        ("Prints", (0, 0)),
        ("LeavesAThread", (0, 0)),
    ],
)
def test_what_an_agent_edits_is_its_own(tmp_path, clean, agent, calls):
    bad = bad_one(go(f"hostile_ones:{agent}", tmp_path / "run"), clean)
    assert (bad.status, bad.end, bad.steps, bad.errors) == ("ok", "budget", 10, {})
    assert (bad.uid, bad.site, bad.condition) == ("skillshift.wordpress.25.v1", "wordpress", "src")
    assert (bad.skill_calls, bad.skill_failures) == calls


@pytest.mark.parametrize(
    "agent", ["ReturnsDict", "ReturnsList", "ReturnsClass", "ReturnsManyLines", "ReturnsEmpty", "ReturnsHuge"]
)
def test_garbage_is_a_malformed_action(tmp_path, clean, agent):
    bad = bad_one(go(f"hostile_ones:{agent}", tmp_path / "run"), clean)
    assert (bad.status, bad.end, bad.steps, bad.errors) == ("ok", "budget", 10, {"malformed": 10})


def test_a_loop_ends_at_the_ceiling(tmp_path, clean):
    bad = bad_one(go("hostile_ones:Loops", tmp_path / "run", ceiling=1.0), clean)
    assert (bad.status, bad.attempts) == ("error", 2) and "wall-clock ceiling of 1 s" in bad.reason


@pytest.mark.parametrize(
    ("agent", "reason"), [("LoopsDeaf", "did not stop at the wall-clock ceiling and was killed"), ("Killed", "exit code -9")]
)  # fmt: skip
def test_a_worker_that_is_lost_costs_one_episode(tmp_path, clean, monkeypatch, agent, reason):
    monkeypatch.setattr(runner, "_GRACE", 1.0)
    monkeypatch.setattr(runner, "_ATTEMPTS", 1)
    bad = bad_one(go(f"hostile_ones:{agent}", tmp_path / "run", workers=1, ceiling=8.0), clean)
    assert bad.status == "error" and reason in bad.reason


def test_a_worker_in_another_folder_writes_nowhere_else(tmp_path, clean, monkeypatch):
    monkeypatch.chdir(tmp_path)
    bad = bad_one(go("hostile_ones:ChangesFolder", Path("relative"), workers=1), clean)
    assert bad.end == "budget" and (tmp_path / "relative" / "per_task.jsonl").is_file()


def test_an_agent_in_the_published_style(tmp_path, agents):
    tasks = ("wordpress.24", "wordpress.28", "wordpress.36")
    records = go("published_agents:CategoryOpener", tmp_path / "run", tasks=tasks)
    assert [(r.task, r.success, r.steps, r.skill_calls, r.skill_failures) for r in records] == [
        ("wordpress.24", True, 1, 1, 0),
        ("wordpress.28", True, 1, 1, 0),
        ("wordpress.36", False, 1, 0, 0),
    ]
    assert records[2].message == "I only open categories."
    cell = measure(records)
    assert (cell.sr.n, cell.calls.value, cell.failures.value, cell.failures.n) == (3, 2 / 3, 0.0, 2)


def test_a_careless_agent_in_the_published_style(tmp_path, agents):
    (record,) = go("published_agents:CarelessPlanner", tmp_path / "run", tasks=("wordpress.24",), conditions=("tgt",))
    assert (record.status, record.end, record.steps, record.success) == ("ok", "failure", 3, False)
    assert (record.skill_calls, record.skill_failures) == (3, 1)  # search (nested: one call), read (escaped), finish
    assert record.message == "skillshift.wordpress.24.v2 after 3 of 10"
