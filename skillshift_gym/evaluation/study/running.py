"""Running a study: banks are learned and arms run once; what is there already is not made again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ... import __version__
from ...registration import CONDITIONS
from ...tasks import registry
from .. import banks
from ..records import RunInfo
from ..recount import differences
from ..runner import run
from .arms import Arm, BankPlan
from .tables import Rows

# Learns a bank on a site into a folder, unless it is there.
Learn = Callable[[BankPlan, str, Path], None]
# Site -> what is written about its bank.
Accounts = Callable[[Path], Mapping[str, Mapping[str, Any]]]


class Study:
    """Banks and runs in a folder.

    Args:
        out: The folder.
        sites: Sites.
        learn: Learns a bank.
        accounts: Reads what is written about the banks of a folder.
        workers: Parallel processes; one per core by default.
        record: Whether every episode's trajectory is written, so that skill calls can be counted again.
    """

    def __init__(
        self,
        out: Path,
        sites: Sequence[str],
        learn: Learn,
        accounts: Accounts,
        workers: int | None = None,
        record: bool = False,
    ) -> None:
        self.sites = tuple(sites)
        self._out, self._learn, self._accounts, self._workers = out, learn, accounts, workers
        self._record = record
        self._folders: dict[Path, str] = {}  # of runs -> arm

    def rows(self, arm: Arm, conditions: Sequence[str] = tuple(CONDITIONS)) -> Rows:
        """Returns the measurements of an arm in some conditions; what is missing is learned and run first."""
        info = self.info(arm)
        chosen = [c for c in CONDITIONS if c in conditions]
        whole = len(chosen) == len(CONDITIONS) or (self._out / "runs" / _slug(arm.name)).is_dir()
        folder = self._out / "runs" / (_slug(arm.name) + ("" if whole else "-" + "-".join(chosen)))
        wanted = tuple(CONDITIONS) if whole else tuple(chosen)
        records = run(
            info.model_copy(update={"conditions": wanted}), folder, workers=self._workers, record=self._record
        )
        self._folders[folder] = arm.name
        return Rows(arm.name, [r for r in records if r.condition in chosen])

    def recount(self) -> dict[str, list[str]]:
        """Returns arm -> where its records and its trajectories count skill calls differently, of all arms asked for so far.

        Raises:
            UsageError: An arm's run was not recorded.
        """
        return {name: differences(folder) for folder, name in self._folders.items()}

    def info(self, arm: Arm) -> RunInfo:
        """Returns what to run for an arm, its bank learned."""
        plan = arm.bank
        info = RunInfo(
            agent=arm.agent, agent_kwargs=dict(arm.settings), sites=self.sites, conditions=tuple(CONDITIONS), version=__version__,
            bank=str(self.bank(plan)) if plan else "", protocol=plan.protocol if plan else "",
        )  # fmt: skip
        if not arm.healers:
            return info
        return info.model_copy(update={"healing": {**banks.healing_of(info), "healers": list(arm.healers)}})

    def bank(self, plan: BankPlan) -> Path:
        """Returns the folder of a bank, learned on every site."""
        folder = self._out / "banks" / plan.name
        for site in self.sites:
            self._learn(plan, site, folder)
        return folder

    def costs(self, arms: Iterable[Arm]) -> dict[str, tuple[int, int]]:
        """Returns arm -> (episodes, actions) that learning its bank on a target took; none for banks of the source."""
        found = {}
        for arm in arms:
            if arm.bank is not None and arm.bank.condition != "src":
                said = [self._accounts(self.bank(arm.bank))[site] for site in self.sites]
                found[arm.name] = sum(s["episodes"] for s in said), sum(s["steps"] for s in said)
        return found

    def accounts(self, arms: Iterable[Arm]) -> str:
        """Returns the funnel of every bank as Markdown: from episodes to what is shown, and what the backbone did with it."""
        lines = ["| bank | site | episodes, actions | funnel | rejected | skills | hash |", "|---" * 7 + "|"]
        for plan in dict.fromkeys(arm.bank for arm in arms if arm.bank is not None):
            for site in self.sites:
                said = self._accounts(self.bank(plan))[site]
                funnel, rejected = (_counts(said[key]) for key in ("funnel", "rejected"))
                lines.append(
                    f"| {plan.name} | {site} | {said['episodes']}, {said['steps']} | {funnel} | {rejected} | {said['skills']} | `{said['hash'][:12]}` |"
                )
        return "\n".join(lines)

    def sizes(self) -> str:
        """Returns the number of benchmark tasks of each site, in words."""
        return (
            "n = " + ", ".join(f"{len(registry.task_ids(site, 'bench'))} ({site})" for site in self.sites) + " a cell."
        )


def _slug(name: str) -> str:
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def _counts(numbers: Mapping[str, int]) -> str:
    return ", ".join(f"{name} {number}" for name, number in numbers.items()) or "none"
