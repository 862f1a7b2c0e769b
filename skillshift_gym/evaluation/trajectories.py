"""The trajectories of a run: one file an episode, in its folder `trajectories`."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from ..errors import UsageError
from ..files import write_atomically
from ..registration import CONDITIONS
from ..wrappers.trajectory import SUFFIX
from .records import RUN, read_run

FOLDER = "trajectories"
NAME = "{task}.{condition}"
LOG_SUFFIX = ".agent.jsonl"


class Recorded(NamedTuple):
    """An episode with a trajectory.

    Attributes:
        task: Task id.
        condition: Condition name.
        path: Its file.
    """

    task: str
    condition: str
    path: Path


def folder_of(run: Path) -> Path:
    """Returns the folder of a run's trajectories."""
    return run / FOLDER


def path_of(folder: Path | str, task: str, condition: str) -> Path:
    """Returns the file of an episode's trajectory in a folder of trajectories."""
    return Path(folder) / (NAME.format(task=task, condition=condition) + SUFFIX)


def write_log(folder: Path, task: str, condition: str, rows: Sequence[Mapping[str, Any]]) -> None:
    """Writes what an agent says of its own steps, such as candidates, evidence and scores, beside its trajectory."""
    if rows:
        text = "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows)
        write_atomically(folder / (NAME.format(task=task, condition=condition) + LOG_SUFFIX), text)


def recorded(run: Path, tasks: Sequence[str] = (), conditions: Sequence[str] = ()) -> list[Recorded]:
    """Returns the recorded episodes of a run, by site, number of the task and condition.

    Args:
        run: Folder of the run.
        tasks: Task ids; all when empty.
        conditions: Condition names; all when empty.

    Raises:
        UsageError: The folder holds no run, the run was not recorded, or a named task or condition was not.
    """
    read_run(run)
    found = [_recorded(path) for path in folder_of(run).glob("*" + SUFFIX) if not path.name.startswith(".")]
    if not found:
        raise UsageError(
            f"{run} holds no trajectories; record them with the command that made the run and --record, "
            f"such as `skillshift run --agent ... --out {run} --record` (see {run / RUN})"
        )
    for name, given, present in (
        ("task", tasks, {r.task for r in found}),
        ("condition", conditions, _conditions(found)),
    ):
        missing = [value for value in given if value not in present]
        if missing:
            raise UsageError(f"{run} holds no trajectory of {name} {missing[0]!r}; it has {', '.join(_few(present))}")
    chosen = [r for r in found if (not tasks or r.task in tasks) and (not conditions or r.condition in conditions)]
    return sorted(chosen, key=_order)


def natural(task: str) -> tuple[str, int, int]:
    """Returns the place of a task among others: by site, family and instance."""
    family, _, instance = task.partition("#")
    site, _, number = family.rpartition(".")
    return site, int(number), int(instance or 0)


def _recorded(path: Path) -> Recorded:
    task, _, condition = path.name.removesuffix(SUFFIX).rpartition(".")
    return Recorded(task, condition, path)


def _order(episode: Recorded) -> tuple[tuple[str, int, int], int]:
    return natural(episode.task), list(CONDITIONS).index(episode.condition)


def _conditions(found: Sequence[Recorded]) -> set[str]:
    return {r.condition for r in found}


def _few(names: set[str], limit: int = 8) -> list[str]:
    some = sorted(names)[:limit]
    return [*some, "..."] if len(names) > limit else some
