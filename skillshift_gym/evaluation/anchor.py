"""The calibration anchor: what the deterministic lexical reference agent comes to, task by task.

It ships with the package (`data/anchor.json`) with its provenance and is made by `skillshift calibrate --update`.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from .. import __version__
from ..errors import UsageError
from ..files import write_atomically
from ..registration import CONDITIONS
from .provenance import environment_digest, reference_digest
from .records import RunInfo, TaskRecord
from .results import BrokenFile, Form, parse

ANCHOR = Path(__file__).parent / "data" / "anchor.json"
BACKBONE = "lexical"


class Outcome(NamedTuple):
    """What an episode came to."""

    success: bool
    steps: int

    def __str__(self) -> str:
        return f"{'success' if self.success else 'no success'} in {self.steps} step{'' if self.steps == 1 else 's'}"


class SiteAnchor(Form):
    """A site's part.

    Attributes:
        digest: Content hash of the site, its tasks and the shared environment.
        tasks: Task id -> [1 for success or 0, steps] for each condition, in the anchor's order.
    """

    digest: str
    tasks: dict[str, list[list[int]]]


class Anchor(Form):
    """The whole anchor with its provenance: what was run, by which code."""

    schema_version: Literal["1.0"] = "1.0"
    made_by: str = "skillshift calibrate --update"
    version: str
    agent: str
    agent_kwargs: dict[str, str]
    agent_digest: str
    seed: int
    browser: str
    budget: str | int
    conditions: list[str]
    sites: dict[str, SiteAnchor]

    def outcome(self, site: str, task: str, condition: str) -> Outcome | None:
        """Returns what the anchor says of an episode, None where it says nothing."""
        known = self.sites[site].tasks.get(task) if site in self.sites else None
        if known is None or condition not in self.conditions:
            return None
        success, steps = known[self.conditions.index(condition)]
        return Outcome(bool(success), steps)


def reference_run(
    sites: Sequence[str], conditions: Sequence[str], tasks: Sequence[str] = (), budget: str | int = "task"
) -> RunInfo:
    """Returns the run that an anchor is about."""
    return RunInfo(
        agent="reference",
        agent_kwargs={"backbone": BACKBONE},
        sites=tuple(sites),
        conditions=tuple(conditions),
        tasks=tuple(tasks),
        budget=budget,
        version=__version__,
    )


def anchor_of(info: RunInfo, records: Iterable[TaskRecord], kept: Anchor | None = None) -> Anchor:
    """Returns the anchor that a run makes; sites that it did not run are kept from another one of the same making."""
    tasks: dict[str, dict[str, dict[str, list[int]]]] = {site: {} for site in info.sites}
    for r in records:
        tasks[r.site].setdefault(r.task, {})[r.condition] = [int(r.success), r.steps]
    sites = dict(kept.sites) if kept and kept.version == __version__ else {}
    for site in info.sites:
        rows = {task: [tasks[site][task][c] for c in CONDITIONS] for task in sorted(tasks[site], key=_number)}
        sites[site] = SiteAnchor(digest=environment_digest(site), tasks=rows)
    return Anchor(
        version=__version__,
        agent=info.agent,
        agent_kwargs=info.agent_kwargs,
        agent_digest=reference_digest(),
        seed=info.seed,
        browser=info.browser,
        budget=info.budget,
        conditions=list(CONDITIONS),
        sites={site: sites[site] for site in sorted(sites)},
    )


def read_anchor(path: Path = ANCHOR) -> Anchor:
    """Returns an anchor.

    Raises:
        UsageError: There is none, or it is broken.
    """
    if not path.is_file():
        raise UsageError(f"no anchor at {path}; `skillshift calibrate --update` makes one")
    try:
        return parse(Anchor, path.read_text(encoding="utf-8"))
    except BrokenFile as error:
        raise UsageError(f"{path}: not an anchor: {error}") from None


def write_anchor(anchor: Anchor, path: Path = ANCHOR) -> None:
    """Writes an anchor, one task a line, so that a change of one shows as a change of one line."""
    data: dict[str, Any] = anchor.model_dump()
    sites = data.pop("sites")
    lines = [f'  "{name}": {json.dumps(value)},' for name, value in data.items()]
    blocks = []
    for site, part in sites.items():
        rows = ",\n".join(f'        "{task}": {json.dumps(row)}' for task, row in part["tasks"].items())
        blocks.append(
            f'    "{site}": {{\n      "digest": "{part["digest"]}",\n      "tasks": {{\n{rows}\n      }}\n    }}'
        )
    write_atomically(path, "\n".join(["{", *lines, '  "sites": {', ",\n".join(blocks), "  }", "}"]) + "\n")


def _number(task: str) -> int:
    return int(task.rpartition(".")[2])
