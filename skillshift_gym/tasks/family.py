"""Families, instances and splits.

A family is a kind of goal with a template, checks and one oracle per version. Its instances are numbered: instance 0
is the benchmark (split `bench`), the others are `train` or `val` and never share the answer-bearing entity with
instance 0 of any family of the same kind.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from ..errors import TaskError
from .checks import Check
from .oracle import Step

DEFAULT_BUDGET = 10

Params = Mapping[str, Any]
Start = str | Mapping[str, str]


@dataclass(frozen=True)
class Task:
    """One instance of a family.

    Attributes:
        id: `wordpress.17` for instance 0, `wordpress.17#5` for others.
        site: Site name.
        kind: Kind of goal; families of one kind share their entities' splits.
        split: `bench`, `train` or `val`.
        goal: What the user asks for, in words.
        start: Path the episode starts at, or version -> path where the versions' addresses differ.
        checks: What makes it a success.
        budget: Agent actions allowed.
        params: The values the goal was made from.
    """

    id: str
    site: str
    kind: str
    split: str
    goal: str
    start: Start
    checks: tuple[Check, ...]
    budget: int
    params: Params = field(hash=False)

    def uid(self, version: str) -> str:
        """Returns the id in the published form, such as `skillshift.magento.17.v1`."""
        return f"skillshift.{self.id}.{version}"

    def start_path(self, version: str) -> str:
        """Returns the path the episode starts at in a version."""
        return self.start if isinstance(self.start, str) else self.start[version]

    @property
    def check_kind(self) -> str:
        """The kinds of its checks, such as `state+url`."""
        return "+".join(sorted({c.kind for c in self.checks}))


@dataclass(frozen=True)
class Instance:
    """Values of one instance: what its goal is about, and the entity that bears the answer."""

    split: str
    params: Params
    entity: object


@dataclass(frozen=True)
class Family:
    """A kind of goal.

    Attributes:
        id: Site and number, such as `wordpress.17`.
        kind: Kind of goal, as counted in the published task list.
        goals: Two or more phrasings with `{name}` slots for the parameters; instances alternate between them.
        instances: Instance 0 first.
        checks: Parameters -> the checks.
        oracle: Parameters and version -> the steps, the closing message included.
        start: Parameters -> the path the episode starts at, or version -> path.
        alter: Parameters -> parameters with one value of the goal altered, None where that is not possible; by default
            those of the next instance.
        budget: Agent actions allowed.
    """

    id: str
    kind: str
    goals: Sequence[str]
    instances: Sequence[Instance]
    checks: Callable[[Params], tuple[Check, ...]]
    oracle: Callable[[Params, str], list[Step]]
    start: Callable[[Params], Start] = lambda params: "/"
    alter: Callable[[Params], Params | None] | None = None
    budget: int = DEFAULT_BUDGET

    @property
    def site(self) -> str:
        """The site the family belongs to."""
        return self.id.partition(".")[0]

    def task(self, number: int = 0) -> Task:
        """Returns an instance as a task.

        Raises:
            TaskError: There is no instance of this number.
        """
        if not 0 <= number < len(self.instances):
            raise TaskError(f"{self.id} has instances 0 to {len(self.instances) - 1}, got {number}")
        instance = self.instances[number]
        return Task(
            id=self.id if number == 0 else f"{self.id}#{number}",
            site=self.site,
            kind=self.kind,
            split=instance.split,
            goal=self.goals[number % len(self.goals)].format(**instance.params),
            start=self.start(instance.params),
            checks=self.checks(instance.params),
            budget=self.budget,
            params=instance.params,
        )

    def altered(self, number: int) -> Params | None:
        """Returns parameters that ask for something else than an instance does, or None when there are none."""
        if self.alter is not None:
            return self.alter(self.instances[number].params)
        others = [*self.instances[number + 1 :], *self.instances[:number]]
        return others[0].params if others else None
