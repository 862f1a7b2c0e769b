"""Kills, stops and crashes Chromium while eight environments run: `python benchmarks/chromium_chaos.py [hits]`.

Eight processes run episodes of the reference agent in Chromium. At moments drawn by a keyed hash a browser process among
theirs gets SIGKILL, SIGSTOP or SIGSEGV. Every episode must end as a result or as an error record, nothing may hang, and
no process may be left. Prints the counts; exits with 1 when that does not hold.
"""

from __future__ import annotations

import os
import signal
import sys
import threading
import time
from collections import Counter
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path

from skillshift_gym.evaluation.episode import Job, run_job
from skillshift_gym.evaluation.records import TaskRecord
from skillshift_gym.keyed import keyed, unit
from skillshift_gym.tasks.registry import task_ids

HITS = 50
ENVIRONMENTS = 8
SIGNALS = (signal.SIGKILL, signal.SIGSTOP, signal.SIGSEGV)
_LIMIT = 900.0


def main() -> int:
    """Runs the episodes under fire and returns the exit code."""
    hits = int(sys.argv[1]) if len(sys.argv) > 1 else HITS
    jobs = [
        Job("wordpress", condition, task, "reference", (), 0, "chromium", "task", 60.0)
        for condition in ("src", "tgt-exec")
        for task in task_ids("wordpress")
    ]
    done = Counter[str]()
    over = threading.Event()
    fired: Counter[str] = Counter()
    seen: set[int] = set()
    gunner = threading.Thread(target=_fire, args=(hits, over, fired, seen), daemon=True)
    started = time.perf_counter()
    with ProcessPoolExecutor(ENVIRONMENTS, get_context("spawn")) as pool:
        gunner.start()
        episodes = 0
        while (sum(fired.values()) < hits or episodes == 0) and time.perf_counter() - started < _LIMIT:
            for record in pool.map(run_job, jobs[:80], timeout=_LIMIT):
                done[_outcome(record)] += 1
                episodes += 1
        over.set()
    gunner.join()
    time.sleep(1.0)  # the operating system reaps the last ones
    left = [pid for pid in seen if Path(f"/proc/{pid}").exists()]
    print(f"{episodes} episodes, {dict(sorted(done.items()))}, signals {dict(sorted(fired.items()))}")
    print(f"{time.perf_counter() - started:.0f} s; browser processes left: {len(left)}")
    return 1 if left or sum(fired.values()) < hits else 0


def _outcome(record: TaskRecord) -> str:
    return "error" if record.status == "error" else ("success" if record.success else "failure")


def _fire(hits: int, over: threading.Event, fired: Counter[str], seen: set[int]) -> None:
    """Hits browser processes one after another until there were enough or the run is over; notes all it saw."""
    number = 0
    while sum(fired.values()) < hits and not over.wait(0.2 + 1.6 * unit("pause", number)):
        number += 1
        targets = _browsers()
        seen.update(targets)
        if not targets:
            continue
        chosen = SIGNALS[keyed("signal", number) % len(SIGNALS)]
        try:
            os.kill(targets[keyed("target", number) % len(targets)], chosen)
        except ProcessLookupError:
            continue
        fired[chosen.name] += 1


def _browsers() -> list[int]:
    """Returns the browser processes below this one, those of any depth included."""
    parents: dict[int, int] = {}
    names: dict[int, str] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                name, rest = (entry / "stat").read_text().partition("(")[2].rsplit(")", 1)
            except (OSError, ValueError):
                continue
            state, parent = rest.split()[:2]
            if state != "Z":
                parents[int(entry.name)], names[int(entry.name)] = int(parent), name
    return sorted(pid for pid in parents if _is_browser(names[pid]) and _is_ours(pid, parents))


def _is_browser(name: str) -> bool:
    return "chrom" in name or "headless" in name


def _is_ours(pid: int, parents: dict[int, int]) -> bool:
    while pid in parents and pid != os.getpid():
        pid = parents[pid]
    return pid == os.getpid()


if __name__ == "__main__":
    sys.exit(main())
