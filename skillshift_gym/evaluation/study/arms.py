"""What a study runs: arms by name, each an agent with its bank."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

TARGETS = ("tgt", "tgt-perc", "tgt-exec")


class BankPlan(NamedTuple):
    """A bank to be learned.

    Attributes:
        method: The method.
        condition: Where it learns.
        protocol: `heldout` or `published`.
        per_family: Most tasks of a family.
    """

    method: str
    condition: str = "src"
    protocol: str = "heldout"
    per_family: int = 4

    @property
    def name(self) -> str:
        """Name of its folder."""
        return f"{self.method}-{self.condition}-{self.protocol}-{self.per_family}"


class Arm(NamedTuple):
    """One row of a table.

    Attributes:
        name: Its label and the name of its run's folder.
        agent: Short name of the agent.
        settings: Arguments of the agent.
        bank: The bank it has, None without one.
        healers: Healers beyond what the method has.
    """

    name: str
    agent: str
    settings: Mapping[str, Any] = {}
    bank: BankPlan | None = None
    healers: tuple[str, ...] = ()


METHODS = ("awm", "asi", "skillweaver", "walt")
FROM_TASKS = (
    "awm",
    "asi",
)  # the others explore a site and read no goal: what they learn is the same under both protocols
REFERENCE = Arm("no skills", "executor")


def methods(protocol: str) -> list[Arm]:
    """Returns the methods under a protocol: all four under `heldout`, those that learn from tasks under `published`."""
    chosen = METHODS if protocol == "heldout" else FROM_TASKS
    return [Arm(f"{m}, {protocol}", m, bank=BankPlan(m, protocol=protocol)) for m in chosen]


FROZEN = BankPlan("asi")
PRIOR = Arm("asi, heldout", "asi", bank=FROZEN)
RERANKED = ["full", "no-mask", "no-prior", "no-evidence", "no-window", "primitives-only"]


def reranking() -> list[Arm]:
    """Returns the arms over one frozen library: the prior, MPCR's, and what a user would try first."""
    arms = [Arm(f"mpcr {arm}", "mpcr", {"proposer": "asi", "arm": arm}, FROZEN) for arm in RERANKED]
    baselines = [
        Arm("similo repair", "asi", bank=FROZEN, healers=("similo",)),
        Arm("dismiss first", "asi", {"dismiss": "first"}, FROZEN),
        Arm("retry twice", "retry", {"proposer": "asi", "times": 2}, FROZEN),
    ]
    return [PRIOR, *arms, *baselines]


def relearning(sizes: Sequence[int] = (1, 4)) -> list[Arm]:
    """Returns the arms of relearning against adapting, to be run on the target cells: frozen first."""
    banks = [BankPlan("asi", "tgt", per_family=n) for n in sizes]
    return [
        PRIOR,
        Arm("mpcr full", "mpcr", {"proposer": "asi", "arm": "full"}, FROZEN),
        *(Arm(f"relearned, {b.per_family} a family", "asi", bank=b) for b in banks),
        Arm(
            f"relearned, {banks[-1].per_family} a family + mpcr", "mpcr", {"proposer": "asi", "arm": "full"}, banks[-1]
        ),
    ]
