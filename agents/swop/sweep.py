"""The sweep over K and V: jobs, their results as files, and what runs them in parallel and goes on where it stopped."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from skillshift_gym import __version__
from skillshift_gym.agents.swop.arms import GREEDY, NO_PRIOR, SWOP, fixed_arms, groups
from skillshift_gym.agents.swop.planner import DELTA, SCALE
from skillshift_gym.agents.swop.regret import regret
from skillshift_gym.errors import InfrastructureError, UsageError
from skillshift_gym.evaluation.pool import run_all
from skillshift_gym.files import parse_json, write_atomically
from skillshift_gym.tabular.generators import local_executability, random_mdp
from skillshift_gym.tabular.model import Nonstationary

# World -> its generator, further arguments, and the budget at which K is swept. The random MDPs are small: the learning term
# of the bound grows with S sqrt(A), and with the generator's default sizes these K are too few for the rate to show.
WORLDS: dict[str, tuple[Callable[..., Nonstationary], dict[str, Any], float]] = {
    "jumps": (local_executability, {"drift": "jumps"}, 12.0),
    "seasons": (local_executability, {"drift": "seasons"}, 24.0),
    "random": (random_mdp, {"states": 2, "actions": 3, "change": 1.6}, 24.0),
}
EPISODES = (1000, 2000, 4000, 8000, 16000)
VARIATIONS = (0.0, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0)
SEEDS = 20
V_WORLD = "jumps"  # where V is swept, and where the prior is judged at a fixed temperature
FIXED_BETA = 0.5


@dataclass(frozen=True)
class Job:
    """One run: all arms on one kind of world.

    Attributes:
        world: Key of `WORLDS`.
        episodes: K.
        variation: V_K asked for.
        seeds: Number of seeds; seed i draws world i and what happens in it.
        beta: Fixed temperature of all arms and of the regret, for the judgement of the prior; None for W^{-1/2}.
    """

    world: str
    episodes: int
    variation: float
    seeds: int
    beta: float | None = None

    @property
    def file(self) -> str:
        """Name of its result file."""
        fixed = "" if self.beta is None else f"-beta{self.beta:g}"
        return f"{self.world}-K{self.episodes}-V{self.variation:g}{fixed}.json"


@dataclass(frozen=True)
class Result:
    """What a run found.

    Attributes:
        job: The run.
        window: W*.
        variation: Exact V_K of each seed's world.
        episodes: k of the points of the curves.
        plain: Arm -> final DR_0 of each seed.
        regularised: Arm -> final DR_beta of each seed.
        curves: Arm -> mean DR_0(k).
        made_with: Version and constants; results made with others are refused.
    """

    job: Job
    window: int
    variation: list[float]
    episodes: list[int]
    plain: dict[str, list[float]]
    regularised: dict[str, list[float]]
    curves: dict[str, list[float]]
    made_with: str


def made_with(job: Job) -> str:
    """Returns the version and the constants that decide a job's result."""
    arguments = json.dumps(WORLDS[job.world][1], sort_keys=True)
    return f"{__version__}, c {SCALE}, delta {DELTA}, {arguments}"


def jobs(worlds: Sequence[str], episodes: Sequence[int], variations: Sequence[float], seeds: int) -> list[Job]:
    """Returns the runs of a sweep, the longest first.

    K is swept at each world's own budget; V is swept at the largest K where the arms of the theory are compared (`jumps`).

    Args:
        worlds: Some of `WORLDS`.
        episodes: Values of K.
        variations: Values of V.
        seeds: Number of seeds.

    Raises:
        UsageError: No such world.
    """
    unknown = [world for world in worlds if world not in WORLDS]
    if unknown:
        raise UsageError(f"no world {unknown[0]!r}; expected some of {', '.join(WORLDS)}")
    found = [Job(world, k, WORLDS[world][2], seeds) for world in worlds for k in episodes]
    if V_WORLD in worlds:
        found += [Job(V_WORLD, max(episodes), v, seeds) for v in variations]
        found += [Job(V_WORLD, k, WORLDS[V_WORLD][2], seeds, FIXED_BETA) for k in episodes]
    return sorted(dict.fromkeys(found), key=lambda job: -job.episodes)


def run_job(job: Job) -> Result:
    """Runs all arms of a job."""
    generator, arguments, _ = WORLDS[job.world]
    worlds = [generator(job.episodes, job.variation, seed=seed, **arguments) for seed in range(job.seeds)]
    settings = fixed_arms(job.episodes, job.variation, job.beta)
    if job.beta is not None:
        settings = {name: settings[name] for name in (SWOP, NO_PRIOR, GREEDY)}
    arms = groups(settings, job.seeds, adaptive=job.beta is None)
    found = regret(worlds, arms, settings[SWOP].beta, range(job.seeds), SCALE)
    return Result(
        job=job,
        window=settings[SWOP].window,
        variation=[world.variation() for world in worlds],
        episodes=found.episodes.tolist(),
        plain={name: curve[:, -1].tolist() for name, curve in found.plain.items()},
        regularised={name: curve[:, -1].tolist() for name, curve in found.regularised.items()},
        curves={name: curve.mean(axis=0).tolist() for name, curve in found.plain.items()},
        made_with=made_with(job),
    )


def sweep(
    chosen: Sequence[Job], out: Path, workers: int | None, progress: Callable[[Iterable[Result], int], Iterable[Result]]
) -> list[Result]:
    """Runs the jobs that have no result in a folder yet, and returns all results in the order of the jobs.

    Args:
        chosen: The jobs.
        out: Folder of the result files.
        workers: Parallel processes; one a core for None, none for 0.
        progress: Shows results as they come; takes them and how many there will be.

    Raises:
        UsageError: The folder has results of another sweep.
        InfrastructureError: A worker process died.
    """
    todo = [job for job in chosen if _read(out, job) is None]
    for result in progress(_run(todo, workers), len(todo)):
        write_atomically(out / result.job.file, json.dumps(asdict(result)) + "\n")
    return [found for job in chosen if (found := _read(out, job)) is not None]


def _run(todo: Sequence[Job], workers: int | None) -> Iterator[Result]:
    count = os.cpu_count() or 1 if workers is None else workers
    if not count or len(todo) < 2:
        return map(run_job, todo)
    return run_all(run_job, todo, workers=count, limit=lambda _: math.inf, lost=_lost)


def _lost(job: Job, why: str) -> Result:
    raise InfrastructureError(f"{job.file}: {why}; the same command goes on")


def _read(out: Path, job: Job) -> Result | None:
    path = out / job.file
    if not path.is_file():
        return None
    try:
        fields = parse_json(path.read_text(encoding="utf-8"))
        found = Result(**{**fields, "job": Job(**fields["job"])})
    except (ValueError, TypeError, KeyError) as error:
        raise UsageError(
            f"{path}: expected the result of a run, got {error}; remove it or choose another folder"
        ) from None
    if (found.job, found.made_with) != (job, made_with(job)):
        raise UsageError(
            f"{path}: expected {job} ({made_with(job)}), got {found.job} ({found.made_with}); choose another folder"
        )
    return found
