"""Which families a site has, and how a task is found by id or drawn by seed."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import cache
from importlib import import_module

from ..errors import TaskError
from ..keyed import keyed
from .family import Family, Task
from .splits import SPLITS

# Site -> module with `families()`, listed in the order the sites were added.
MODULES = {"wordpress": "skillshift_gym.tasks.wordpress", "magento": "skillshift_gym.tasks.magento"}


def register_tasks(site: str, module: str) -> None:
    """Adds the tasks of a site: a module with `families()`."""
    MODULES[site] = module
    for cached in (families, task_ids, _by_id, _task):
        cached.cache_clear()


@cache
def families(site: str) -> tuple[Family, ...]:
    """Returns the families of a site, by number.

    Raises:
        TaskError: The site has no tasks.
    """
    if site not in MODULES:
        raise TaskError(f"no tasks for site {site!r}; expected one of {', '.join(MODULES)}")
    make: Callable[[], Sequence[Family]] = import_module(MODULES[site]).families
    return tuple(make())


def family_of(task_id: str) -> tuple[Family, int]:
    """Returns the family and instance number of a task id.

    Raises:
        TaskError: There is no such family or instance.
    """
    match = re.fullmatch(
        r"(?:skillshift\.)?((\w+)\.\d+)(?:#(\d{1,6}))?", task_id if isinstance(task_id, str) else "", re.ASCII
    )
    family = _by_id(match.group(2)).get(match.group(1)) if match else None
    if match is None or family is None:
        raise TaskError(f"no task {task_id!r}; expected an id such as 'wordpress.3' or 'wordpress.3#5'")
    return family, int(match.group(3) or 0)


def task_of(task_id: str) -> Task:
    """Returns the task of an id."""
    family, number = family_of(task_id)
    return _task(family.id, number)


@cache
def task_ids(site: str, split: str = "bench") -> tuple[str, ...]:
    """Returns the ids of a split, by family and instance.

    Raises:
        TaskError: There is no such split.
    """
    if split not in SPLITS:
        raise TaskError(f"no split {split!r}; expected one of {', '.join(SPLITS)}")
    return tuple(
        family.id + (f"#{number}" if number else "")
        for family in families(site)
        for number, instance in enumerate(family.instances)
        if instance.split == split
    )


def draw(site: str, split: str, seed: int) -> Task:
    """Returns the task that a seed draws from a split."""
    ids = task_ids(site, split)
    return task_of(ids[keyed("draw", site, split, seed) % len(ids)])


def choose(site: str, task_id: str | None, split: str | None, seed: int, default: str) -> Task:
    """Returns the named task of a site, or the one that the seed draws from a split.

    Args:
        site: Site name.
        task_id: The task, None to draw one.
        split: The split to draw from, or that the named task must belong to; None for any.
        seed: Seed of the draw.
        default: The split to draw from when none is named.

    Raises:
        TaskError: There is no such task or split, or the task belongs to another site or split.
    """
    if task_id is None:
        return draw(site, split or default, seed)
    task = task_of(task_id)
    if split is not None and task.split != split:
        raise TaskError(f"task {task_id!r} is of split {task.split}, not {split!r}")
    if task.site != site:
        raise TaskError(f"task {task_id!r} belongs to {task.site}, this environment is {site}")
    return task


@cache
def _oracle_length(task_id: str, version: str) -> int:
    family, number = family_of(task_id)
    return len(family.oracle(family.instances[number].params, version))


def oracle_length(task: Task, version: str) -> int:
    """Returns the number of actions of a task's oracle, the closing message included."""
    return _oracle_length(task.id, version)


@cache
def _by_id(site: str) -> dict[str, Family]:
    return {family.id: family for family in families(site)} if site in MODULES else {}


@cache
def _task(family: str, number: int) -> Task:
    return family_of(family)[0].task(number)
