"""Which episodes a method may learn from: the two protocols, which are never mixed."""

from __future__ import annotations

from collections.abc import Iterable

from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation.banks import PROTOCOLS
from skillshift_gym.keyed import shuffled
from skillshift_gym.tasks import registry


def split_of(protocol: str) -> str:
    """Returns the split that a protocol learns on.

    Raises:
        UsageError: There is no such protocol.
    """
    if protocol not in PROTOCOLS:
        raise UsageError(f"protocol: expected one of {', '.join(PROTOCOLS)}, got {protocol!r}")
    return PROTOCOLS[protocol]


def lessons(site: str, protocol: str, per_family: int, seed: int = 0) -> list[str]:
    """Returns the ids of the tasks that a method learns on, family by family.

    Args:
        site: Site name.
        protocol: `heldout` (instances of `train`) or `published` (the benchmark's own).
        per_family: Greatest number of instances of a family; a family of the benchmark has one.
        seed: Seed of the draw.
    """
    by_family: dict[str, list[str]] = {}
    for task in registry.task_ids(site, split_of(protocol)):
        by_family.setdefault(task.partition("#")[0], []).append(task)
    chosen = (shuffled(tasks, "lessons", seed, family)[:per_family] for family, tasks in by_family.items())
    return [task for tasks in chosen for task in tasks]


def check_lessons(tasks: Iterable[str], protocol: str) -> None:
    """Makes sure that all tasks are of the protocol's split.

    Raises:
        UsageError: One is not: learning would see what it is evaluated on.
    """
    allowed = split_of(protocol)
    for task in tasks:
        split = registry.task_of(task).split
        if split != allowed:
            raise UsageError(
                f"{task} is of the split {split!r}; the protocol {protocol!r} learns on {allowed!r} only; learn on other tasks"
            )
