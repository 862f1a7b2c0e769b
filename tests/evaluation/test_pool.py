"""The pool of worker processes, on jobs that need nothing of the package."""

import os
import signal
import subprocess
import sys
import time

import pytest

from skillshift_gym.evaluation.pool import run_all

JOBS = """
import os, signal, threading, time

class Stubborn(Exception):
    def __init__(self, a, b): super().__init__("stubborn")

def work(job):
    if job == "die": os._exit(7)
    if job == "kill": os.kill(os.getpid(), signal.SIGKILL)
    if job == "raise": raise ValueError("wrong")
    if job == "stubborn": raise Stubborn(1, 2)
    if job == "sleep": time.sleep(60)
    if job == "hang":
        while True:
            try: time.sleep(60)
            except BaseException: pass
    if job == "signals": return ("signals", signal.pthread_sigmask(signal.SIG_BLOCK, ()))
    return (job, os.getpid())
"""


@pytest.fixture
def work(tmp_path, monkeypatch):
    """A function that worker processes can import."""
    (tmp_path / "pool_jobs.py").write_text(JOBS)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "pool_jobs", raising=False)
    import pool_jobs

    return pool_jobs.work


def go(work, jobs, workers=2, limit=60.0):
    return list(run_all(work, jobs, workers=workers, limit=lambda job: limit, lost=lambda job, why: (job, why)))


def test_every_job_is_done_once_by_the_number_of_workers_asked_for(work):
    results = go(work, range(40))
    assert sorted(job for job, _ in results) == list(range(40))
    assert 1 <= len({pid for _, pid in results}) <= 2
    assert os.getpid() not in {pid for _, pid in results}


def test_without_jobs_no_process_is_started(work):
    assert go(work, []) == []


def test_a_job_that_kills_its_worker_is_lost_and_no_other(work):
    results = dict(go(work, [1, "die", 2, "kill", 3]))
    assert results["die"] == "the worker process died (exit code 7)"
    assert results["kill"] == "the worker process died (exit code -9)"
    assert {1, 2, 3} <= set(results) and len(results) == 5


def test_a_job_that_hangs_is_killed_at_its_limit(work):
    started = time.monotonic()
    results = dict(go(work, ["hang", 1, 2], workers=1, limit=0.5))
    assert "did not stop at the wall-clock ceiling" in results["hang"]
    assert set(results) == {"hang", 1, 2} and time.monotonic() - started < 20


@pytest.mark.parametrize(
    ("job", "error", "text"), [("raise", ValueError, "wrong"), ("stubborn", RuntimeError, "Stubborn: st")]
)
def test_what_a_job_raises_is_raised_here(work, job, error, text):
    with pytest.raises(error, match=text):
        go(work, [job, "sleep"])


def test_leaving_early_ends_the_workers(work):
    results = run_all(work, [1, "hang"], workers=2, limit=lambda job: 60.0, lost=lambda job, why: (job, why))
    _, pid = next(results)
    started = time.monotonic()
    results.close()
    assert time.monotonic() - started < 15
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


def test_workers_do_not_see_ctrl_c_and_this_process_still_does(work):
    ((_, blocked),) = go(work, ["signals"])
    assert signal.SIGINT in blocked
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, ())


def test_a_script_that_does_not_guard_its_code_is_told_so(tmp_path):
    script = tmp_path / "script.py"
    script.write_text(
        "from skillshift_gym.evaluation.pool import run_all\n"
        "print(list(run_all(len, ['abc'], workers=1, limit=lambda job: 9, lost=lambda job, why: why)))\n"
    )
    result = subprocess.run([sys.executable, script], capture_output=True, text=True, timeout=60, check=False)
    assert (result.returncode, result.stdout) == (1, "")
    assert "needs `if __name__ == '__main__':`" in result.stderr.splitlines()[-1]
