"""Runs an agent over cells in parallel processes; every episode is on disk as soon as it ends.

A run that was stopped, by Ctrl-C or by force, is continued by the same command.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
from collections.abc import Iterable
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path

from tqdm import tqdm

from ..errors import UsageError
from ..registration import CONDITIONS
from ..tasks import registry
from .episode import Job, run_job
from .records import (
    RUN,
    RunInfo,
    TaskRecord,
    append_record,
    drop_torn_line,
    read_records,
    read_run,
    write_atomically,
)

_ATTEMPTS = 2


def run(info: RunInfo, out: Path, *, workers: int | None = None, progress: bool = True) -> list[TaskRecord]:
    """Runs what is missing of a run and returns all its records.

    Args:
        info: What to run.
        out: Folder of the run; continued when it holds the same run.
        workers: Parallel processes; one per core by default. 0 runs in this process.
        progress: Whether to show a progress bar on standard error.

    Raises:
        UsageError: The folder holds another run, or the run has no task.
    """
    plan = jobs(info)
    _claim(info, out)
    drop_torn_line(out)
    for attempt in range(1, _ATTEMPTS + 1):
        missing = _missing(plan, read_records(out), attempt)
        with tqdm(
            total=len(missing), desc=f"{info.agent}", unit="episode", disable=not progress, file=sys.stderr
        ) as bar:
            for record in _records(missing, workers):
                append_record(out, record.model_copy(update={"attempts": attempt}))
                bar.update()
    return read_records(out)


def jobs(info: RunInfo) -> list[Job]:
    """Returns the episodes of a run, in order.

    Raises:
        UsageError: A condition does not exist, or no task is left.
    """
    unknown = [c for c in info.conditions if c not in CONDITIONS]
    if unknown:
        raise UsageError(f"no condition {unknown[0]!r}; expected some of {', '.join(CONDITIONS)}")
    plan = [
        Job(site, condition, task, info.agent, tuple(info.agent_kwargs.items()), info.seed, info.browser, info.budget)
        for site in info.sites
        for condition in info.conditions
        for task in _tasks(info, site)
    ]
    if not plan:
        raise UsageError("the run has no task: check --site, --split and --tasks")
    return plan


def _tasks(info: RunInfo, site: str) -> Iterable[str]:
    if info.tasks:
        return [registry.task_of(t).id for t in info.tasks if registry.task_of(t).site == site]
    return registry.task_ids(site, info.split)


def _claim(info: RunInfo, out: Path) -> None:
    """Writes the run's description, or makes sure that the folder holds the same run."""
    if (out / RUN).exists():
        present = read_run(out)
        if present != info:
            differ = [k for k in RunInfo.model_fields if getattr(present, k) != getattr(info, k)]
            raise UsageError(f"{out} holds another run (differs in {', '.join(differ)}); choose another --out")
    else:
        write_atomically(out / RUN, info.model_dump_json(indent=2) + "\n")


def _missing(plan: list[Job], records: list[TaskRecord], attempt: int) -> list[Job]:
    """Returns the jobs without a measurement; from the second attempt on, those that ended in an error."""
    settled = {(r.task, r.condition) for r in records if r.status == "ok" or r.attempts >= attempt}
    return [job for job in plan if (job.task, job.condition) not in settled]


def _records(plan: list[Job], workers: int | None) -> Iterable[TaskRecord]:
    count = min(len(plan), (os.cpu_count() or 1) if workers is None else workers)
    if count <= 0:
        yield from map(run_job, plan)
        return
    left = list(plan)
    while left:  # a worker that is killed takes the pool with it: go on with what is left
        before = len(left)
        with ProcessPoolExecutor(count, multiprocessing.get_context("spawn")) as pool:
            futures: dict[Future[TaskRecord], Job] = {pool.submit(run_job, job): job for job in left}
            try:
                for future in as_completed(futures):
                    record = future.result()
                    left.remove(futures[future])
                    yield record
            except BrokenProcessPool:
                pass
            except BaseException:
                pool.shutdown(wait=False, cancel_futures=True)
                raise
        if len(left) == before:
            raise UsageError(f"worker processes die before finishing an episode, the next being {left[0].task}")
