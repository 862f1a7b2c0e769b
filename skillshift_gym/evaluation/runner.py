"""Runs an agent over cells in parallel processes; every episode is on disk as soon as it ends.

A run that was stopped, by Ctrl-C or by force, is continued by the same command.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Mapping
from pathlib import Path

from tqdm import tqdm

from ..errors import UsageError
from ..files import write_atomically
from ..registration import CONDITIONS, make_cell
from ..tasks import registry
from . import banks, pool, trajectories
from .episode import WALL_CEILING, Job, lost, run_job
from .loading import AGENTS, check_agent
from .provenance import agents_digest, environment_digest
from .records import (
    RECORDS,
    RUN,
    RunInfo,
    TaskRecord,
    append_record,
    drop_torn_line,
    read_records,
    read_run,
)

_ATTEMPTS = 2
_GRACE = 30.0  # seconds beyond the ceiling after which a worker that does not stop is killed


def run(
    info: RunInfo,
    out: Path,
    *,
    workers: int | None = None,
    ceiling: float = WALL_CEILING,
    progress: bool = True,
    record: bool = False,
    retry_errors: bool = False,
) -> list[TaskRecord]:
    """Runs what is missing of a run and returns all its records.

    Args:
        info: What to run.
        out: Folder of the run; continued when it holds the same run.
        workers: Parallel processes; one per core by default. 0 runs in this process.
        ceiling: Wall-clock ceiling of an episode in seconds; beyond it there is no measurement.
        progress: Whether to show a progress bar on standard error.
        record: Whether to write the trajectory of every episode; an episode that has none yet is run again. It is no
            part of what was run: records are the same with and without.
        retry_errors: Whether episodes that stayed without a measurement in an earlier call, after all attempts, are tried
            again, as when a service is back.

    Raises:
        UsageError: The folder holds another run, the run has no task, or an argument is wrong.
    """
    content = {site: environment_digest(site) for site in info.sites}
    code = agents_digest() if info.agent in AGENTS else ""
    filled = {"content": content, "code": code, **banks.of_run(info)}
    info = RunInfo.model_validate_json(info.model_copy(update=filled).model_dump_json())  # as it is read
    plan = jobs(info, ceiling, trajectories.folder_of(out) if record else None)
    own = banks.file_of(info.bank, info.sites[0]) if info.bank else ""
    check_agent(info.agent, **banks.with_bank(info.agent, info.agent_kwargs, own))
    banks.check_reachable(info)
    make_cell(plan[0].site, plan[0].condition, browser=info.browser, budget=info.budget).close()
    _claim(info, out)
    drop_torn_line(out)
    spent = {_key(r): r.attempts for r in read_records(out) if r.status == "error"} if retry_errors else {}
    for attempt in range(1, _ATTEMPTS + 1):
        missing = _missing(plan, read_records(out), attempt, spent)
        if not missing:
            continue
        with tqdm(
            total=len(missing), desc=f"{info.agent}", unit="episode", disable=not progress, file=sys.stderr
        ) as bar:
            for done in _records(missing, workers):
                append_record(out, done.model_copy(update={"attempts": spent.get(_key(done), 0) + attempt}))
                bar.update()
    banks.check_frozen(info)
    return read_records(out)


def jobs(info: RunInfo, ceiling: float = WALL_CEILING, record: Path | None = None) -> list[Job]:
    """Returns the episodes of a run, in order, each once; `record` is the folder of their trajectories.

    Raises:
        UsageError: A condition does not exist, or no task is left.
    """
    unknown = [c for c in info.conditions if c not in CONDITIONS]
    if unknown:
        raise UsageError(f"no condition {unknown[0]!r}; expected some of {', '.join(CONDITIONS)}")
    kwargs = tuple(info.agent_kwargs.items())
    folder = str(record) if record else ""
    plan = [
        Job(
            site, condition, task, info.agent, kwargs, info.seed, info.browser, info.budget, ceiling, folder,
            banks.file_of(info.bank, site) if info.bank else "", info.banks.get(site, ""), tuple(info.healing.items()),
        )
        for site in dict.fromkeys(info.sites)
        for condition in dict.fromkeys(info.conditions)
        for task in planned_tasks(info, site)
    ]  # fmt: skip
    if not plan:
        raise UsageError("the run has no task: check --site, --split and --tasks")
    return plan


def planned_tasks(info: RunInfo, site: str) -> list[str]:
    """Returns the ids of the tasks a run has on a site."""
    if not info.tasks:
        return list(registry.task_ids(site, info.split))
    return list(dict.fromkeys(t.id for t in map(registry.task_of, info.tasks) if t.site == site))


def _claim(info: RunInfo, out: Path) -> None:
    """Writes the run's description, or makes sure that the folder holds the same run; one without records gives way."""
    if (out / RUN).exists() and (out / RECORDS).exists():
        present = read_run(out)
        if present != info:
            differ = [k for k in RunInfo.model_fields if getattr(present, k) != getattr(info, k)]
            raise UsageError(f"{out} holds another run (differs in {', '.join(differ)}); choose another --out")
    elif (out / RECORDS).exists():
        raise UsageError(f"{out} holds records of an unknown run: it has {RECORDS} but no {RUN}; choose another --out")
    else:
        write_atomically(out / RUN, info.model_dump_json(indent=2) + "\n")


def _key(one: Job | TaskRecord) -> tuple[str, str]:
    return one.task, one.condition


def _missing(
    plan: list[Job], records: list[TaskRecord], attempt: int, spent: Mapping[tuple[str, str], int]
) -> list[Job]:
    """Returns the jobs without a measurement or its trajectory; from the second attempt on, those that hit an error.

    Attempts that were spent before do not count.
    """
    settled = {_key(r) for r in records if r.status == "ok" or r.attempts - spent.get(_key(r), 0) >= attempt}
    measured = {_key(r) for r in records if r.status == "ok"} if attempt == 1 else set()
    return [
        job
        for job in plan
        if _key(job) not in settled or (job.record and _key(job) in measured and not _is_recorded(job))
    ]


def _is_recorded(job: Job) -> bool:
    return trajectories.path_of(job.record, job.task, job.condition).exists()


def _records(plan: list[Job], workers: int | None) -> Iterable[TaskRecord]:
    count = (os.cpu_count() or 1) if workers is None else workers
    if count <= 0:
        return map(run_job, plan)
    return pool.run_all(run_job, plan, workers=count, limit=lambda job: job.ceiling + _GRACE, lost=lost)
