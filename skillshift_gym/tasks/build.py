"""Builds the families of a kind: who gets which entity as benchmark, and what is left for train and val."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import TaskError
from ..keyed import shuffled
from .checks import Check
from .family import DEFAULT_BUDGET, Family, Instance, Params
from .oracle import Step
from .splits import split_of

MAX_TRAIN = 40
MAX_VAL = 12


@dataclass(frozen=True)
class Variant:
    """One family to be: its phrasings, the entities it can be about, and what it means to solve it.

    Attributes:
        goals: Phrasings with `{name}` slots.
        pool: Entities the family can be about, in a fixed order; an entity bears the answer.
        params: Entity -> parameters of the goal, the checks and the oracle.
        checks: Parameters -> checks.
        oracle: Parameters and version -> steps.
        start: Parameters -> start path.
        alter: Parameters -> parameters with one value altered; the next instance's by default.
        bench: Entities the benchmark instance is drawn from; the whole pool when empty.
        budget: Agent actions allowed.
    """

    goals: tuple[str, ...]
    pool: Sequence[Any]
    params: Callable[[Any], Params]
    checks: Callable[[Params], tuple[Check, ...]]
    oracle: Callable[[Params, str], list[Step]]
    start: Callable[[Params], str] = lambda params: "/"
    alter: Callable[[Params], Params | None] | None = None
    bench: Sequence[Any] = ()
    budget: int = DEFAULT_BUDGET


Marks = Callable[[Any], tuple[object, ...]]


def build(site: str, first: int, kind: str, variants: Sequence[Variant], marks: Marks) -> list[Family]:
    """Returns the families of a kind.

    Benchmark entities are chosen first, one for each family and all different; no instance of any family of the kind
    shares a mark with one of them. What is left is split by a hash of the first mark, so that all families of a kind
    agree.

    Args:
        site: Site name.
        first: Number of the first family.
        kind: Name of the kind.
        variants: The families to be.
        marks: Entity -> what it must not share with a benchmark entity: what bears the answer first, then, where the
            goal gives more away, that too.

    Raises:
        TaskError: A family is left without a benchmark entity.
    """
    taken: set[object] = set()
    benchmark = []
    for number, variant in enumerate(variants):
        by_marks = {marks(e): e for e in variant.bench or variant.pool}
        free = next((m for m in shuffled(list(by_marks), kind, number) if not taken & set(m)), None)
        if free is None:
            raise TaskError(f"{site}, {kind}: no entity is left for family {first + number}")
        taken |= set(free)
        benchmark.append(by_marks[free])
    return [
        _family(f"{site}.{first + number}", kind, variant, entity, taken, marks)
        for number, (variant, entity) in enumerate(zip(variants, benchmark, strict=True))
    ]


def _family(family_id: str, kind: str, variant: Variant, bench: Any, taken: set[object], marks: Marks) -> Family:
    by_marks = {marks(e): e for e in variant.pool}
    order = shuffled([m for m in by_marks if not taken & set(m)], kind, family_id)
    train = [m for m in order if split_of(kind, m[0]) == "train"][:MAX_TRAIN]
    val = [m for m in order if split_of(kind, m[0]) == "val"][:MAX_VAL]
    rest = [Instance("train", variant.params(by_marks[m]), m[0]) for m in train]
    rest += [Instance("val", variant.params(by_marks[m]), m[0]) for m in val]
    return Family(
        id=family_id,
        kind=kind,
        goals=variant.goals,
        instances=(Instance("bench", variant.params(bench), marks(bench)[0]), *rest),
        checks=variant.checks,
        oracle=variant.oracle,
        start=variant.start,
        alter=variant.alter,
        budget=variant.budget,
    )
