"""Builds the families of a kind: who gets which entity as benchmark, and what is left for train and val."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ..errors import TaskError
from ..keyed import shuffled
from .checks import Check
from .family import DEFAULT_BUDGET, Family, Instance, Params, Start
from .oracle import Step
from .splits import val_entities

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
        start: Parameters -> start path, or version -> path.
        alter: Parameters -> parameters with one value altered; the next instance's by default.
        bench: Entities the benchmark instance is drawn from; the whole pool when empty.
        budget: Agent actions allowed.
    """

    goals: tuple[str, ...]
    pool: Sequence[Any]
    params: Callable[[Any], Params]
    checks: Callable[[Params], tuple[Check, ...]]
    oracle: Callable[[Params, str], list[Step]]
    start: Callable[[Params], Start] = lambda params: "/"
    alter: Callable[[Params], Params | None] | None = None
    bench: Sequence[Any] = ()
    budget: int = DEFAULT_BUDGET


Marks = Callable[[Any], tuple[object, ...]]


def build(site: str, first: int, kind: str, variants: Sequence[Variant], marks: Marks) -> list[Family]:
    """Returns the families of a kind.

    Benchmark entities are chosen first, one for each family and all different; no instance of any family of the kind
    shares a mark with one of them. What is left is split by a hash of the first mark, for all families of the kind alike.

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
    pools = [{marks(e): e for e in variant.pool} for variant in variants]
    candidates = [{marks(e): e for e in variant.bench} or pool for variant, pool in zip(variants, pools, strict=True)]
    shared = Counter(m for pool in pools for m in pool)
    taken: set[object] = set()
    benchmark = []
    for number, own in enumerate(candidates):
        # What few families can be about is left to them.
        order = sorted(shuffled(list(own), kind, number), key=lambda m: shared[m])
        free = next((m for m in order if not taken & set(m)), None)
        if free is None:
            raise TaskError(f"{site}, {kind}: no entity is left for family {first + number}")
        taken |= set(free)
        benchmark.append(Instance("bench", variants[number].params(own[free]), free[0]))
    val = val_entities(kind, (m[0] for pool in pools for m in pool if not taken & set(m)))
    return [
        _family(
            f"{site}.{first + number}", kind, variant, bench, {m: e for m, e in pool.items() if not taken & set(m)}, val
        )
        for number, (variant, bench, pool) in enumerate(zip(variants, benchmark, pools, strict=True))
    ]


def _family(
    family_id: str, kind: str, variant: Variant, bench: Instance, pool: Mapping[Any, Any], val: frozenset[object]
) -> Family:
    order = shuffled(list(pool), kind, family_id)
    chosen = [("train", m) for m in order if m[0] not in val][:MAX_TRAIN]
    chosen += [("val", m) for m in order if m[0] in val][:MAX_VAL]
    return Family(
        id=family_id,
        kind=kind,
        goals=variant.goals,
        instances=(bench, *(Instance(split, variant.params(pool[m]), m[0]) for split, m in chosen)),
        checks=variant.checks,
        oracle=variant.oracle,
        start=variant.start,
        alter=variant.alter,
        budget=variant.budget,
    )
