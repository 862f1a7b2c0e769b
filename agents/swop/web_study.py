"""The experiment on web streams: measures the budget, plays what is missing, and gathers what was played."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from skillshift_gym import __version__
from skillshift_gym.agents.swop.measured import Measured, from_stream, measured
from skillshift_gym.agents.swop.web_arms import ARMS, PRIOR
from skillshift_gym.agents.swop.web_findings import Played
from skillshift_gym.agents.swop.web_stream import Job, Stream, bank_of_site, jobs_of, read_arm, run_arm
from skillshift_gym.errors import InfrastructureError, UsageError
from skillshift_gym.evaluation.banks import file_of
from skillshift_gym.evaluation.executability import executability, outcomes
from skillshift_gym.evaluation.pool import run_all
from skillshift_gym.evaluation.provenance import environment_digest
from skillshift_gym.evaluation.survival import Row
from skillshift_gym.files import parse_json, write_atomically
from skillshift_gym.registration import CONDITIONS
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.shipped import recorded_bank
from skillshift_gym.wrappers.streams import KINDS, condition_at

LEAST = 2 * len(CONDITIONS)
Bar = Callable[[Iterable[Any], int], Iterable[Any]]


@dataclass(frozen=True)
class Study:
    """What to play.

    Attributes:
        sites: Sites.
        episodes: K of each stream, at least 12.
        out: Folder of all files.
        kinds: Kinds of streams.
        arms: Arms beside the prior.
        seeds: Streams of each site and kind.
        bank: File of the bank, or a folder with one for each site; empty for the recorded bank.
        proposer: The executor that all arms choose from.
        calls: Most calls of a skill in a condition behind V_K.

    Raises:
        UsageError: A number is too small.
    """

    sites: tuple[str, ...]
    episodes: int
    out: Path
    kinds: tuple[str, ...] = KINDS
    arms: tuple[str, ...] = tuple(ARMS)
    seeds: int = 1
    bank: str = ""
    proposer: str = "executor"
    calls: int = 6

    def __post_init__(self) -> None:
        if self.episodes < LEAST or self.calls < 1 or self.seeds < 1:
            got = f"{self.episodes}, {self.calls} and {self.seeds}"
            raise UsageError(f"expected at least {LEAST} episodes, and calls and seeds from 1, got {got}")

    def bank_of(self, site: str) -> Bank:
        """Returns the skills that the executor has on a site."""
        return bank_of_site(Bank.load(file_of(self.bank, site)) if self.bank else recorded_bank(), site)

    def streams(self, site: str) -> list[Stream]:
        """Returns the streams of a site: six periods, or twelve where the conditions come back."""
        return [
            Stream(site, kind, self.episodes, self.episodes // (LEAST if kind == "season" else len(CONDITIONS)),
                   tuple(CONDITIONS), seed=seed)
            for kind in self.kinds
            for seed in range(self.seeds)
        ]  # fmt: skip


def study(chosen: Study, workers: int | None, bar: Bar) -> list[Played]:
    """Measures the budgets, plays what is missing, and returns all streams.

    Args:
        chosen: What to play.
        workers: Parallel processes; one a core for None, none for 0.
        bar: Shows arms as they are done; takes them and how many there will be.

    Raises:
        UsageError: An argument is wrong, or a file is of another run.
        InfrastructureError: A worker process died.
    """
    planned: list[tuple[list[Job], Measured]] = []
    for site in chosen.sites:
        bank = chosen.bank_of(site)
        table = outcomes(calls_of(bank, site, chosen))
        for stream in chosen.streams(site):
            names = [condition_at(k, stream.kind, stream.conditions, stream.period, stream.seed)
                     for k in range(stream.episodes)]  # fmt: skip
            budget = measured(table, names)
            arms = (PRIOR, *chosen.arms)
            planned.append((jobs_of(stream, arms, budget.value, bank, chosen.proposer, chosen.out), budget))
    _play([job for jobs, _ in planned for job in jobs], workers, bar)
    return [_played(jobs, budget) for jobs, budget in planned]


def calls_of(bank: Bank, site: str, chosen: Study) -> Sequence[Row]:
    """Returns the calls behind a site's executability: those of its file, or made now and written to it.

    Raises:
        UsageError: The file is of another bank, code or number of calls.
    """
    path = chosen.out / f"executability-{site}.json"
    made = {"bank": bank.hash, "calls": chosen.calls, "version": __version__, "content": environment_digest(site)}
    if not path.is_file():
        made_now = executability(bank, tuple(CONDITIONS), chosen.calls)
        write_atomically(path, json.dumps({"made_with": made, "rows": made_now}) + "\n")
    found = parse_json(path.read_text(encoding="utf-8"))
    if found["made_with"] != made:
        raise UsageError(f"{path}: expected calls made with {made}, got {found['made_with']}; choose another folder")
    rows: Sequence[Row] = found["rows"]
    return rows


def _play(jobs: Sequence[Job], workers: int | None, bar: Bar) -> None:
    todo = [job for job in jobs if len(read_arm(job)) < job.stream.episodes]
    count = os.cpu_count() or 1 if workers is None else workers
    running = (
        run_all(run_arm, todo, workers=count, limit=lambda _: math.inf, lost=_lost) if count else map(run_arm, todo)
    )
    for _ in bar(running, len(todo)):
        pass


def _lost(job: Job, why: str) -> Job:
    raise InfrastructureError(f"{job.file}: {why}; the same command goes on")


def _played(jobs: Sequence[Job], budget: Measured) -> Played:
    stream, arms = jobs[0].stream, {job.arm: read_arm(job) for job in jobs}
    seen = from_stream(arms[PRIOR], stream.episodes // stream.period)
    return Played(stream, arms, budget, seen, jobs[0].window)
