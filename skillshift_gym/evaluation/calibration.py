"""Calibration: does this installation make the numbers that the package shipped with?

Every episode of the reference agent is deterministic, so the default compares them one by one: any difference deviates.
The published rule is in `published_rule`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from .. import __version__
from ..errors import UsageError
from ..registration import CONDITIONS
from ..tasks import registry
from .anchor import Anchor, Outcome, anchor_of, reference_run
from .provenance import environment_digest, reference_digest
from .records import RunInfo, TaskRecord
from .runner import run

MATCH, DEVIATES, UNJUDGED = 0, 1, 2


class Deviation(NamedTuple):
    """An episode that is not as in the anchor."""

    task: str
    condition: str
    expected: Outcome
    found: Outcome


class Calibration(NamedTuple):
    """What a calibration found.

    Attributes:
        compared: Episodes compared.
        planned: Episodes that should have been.
        deviations: Those that differ.
        unjudged: Why the rest, or all, cannot be judged.
        notes: What is worth knowing besides.
    """

    compared: int
    planned: int
    deviations: list[Deviation]
    unjudged: list[str]
    notes: list[str] = []

    @property
    def code(self) -> int:
        """0 match, 1 deviates, 2 cannot be judged; a deviation stays one whatever else is missing."""
        return DEVIATES if self.deviations else (UNJUDGED if self.unjudged else MATCH)


def obstacles(anchor: Anchor, info: RunInfo) -> list[str]:
    """Returns what makes an anchor and a run incomparable, before anything is run."""
    found = []
    if anchor.version != __version__:
        found.append(f"the anchor was made with version {anchor.version}, this is {__version__}")
    for name in ("agent", "agent_kwargs", "seed", "browser", "budget"):
        if getattr(anchor, name) != getattr(info, name):
            found.append(f"{name}: the anchor has {getattr(anchor, name)}, this run {getattr(info, name)}")
    found += [f"the anchor has no condition {c}" for c in info.conditions if c not in anchor.conditions]
    for site in info.sites:
        if site not in anchor.sites:
            found.append(f"the anchor has no site {site}")
        elif not info.tasks:
            found += _task_lists(site, set(anchor.sites[site].tasks), set(registry.task_ids(site)))
    return found


def measure(info: RunInfo, workers: int | None = None, *, progress: bool = False) -> list[TaskRecord]:
    """Returns the records of a run that leaves nothing on disk.

    Args:
        info: What to run.
        workers: Parallel processes; one per core by default, 0 for none.
        progress: Whether to show a progress bar on standard error.
    """
    with TemporaryDirectory() as folder:
        return run(info, Path(folder), workers=workers, progress=progress)


def compare(anchor: Anchor, records: Sequence[TaskRecord]) -> Calibration:
    """Returns what a run of the reference agent comes to beside the anchor, episode by episode."""
    deviations, unjudged = [], []
    for record in records:
        expected = anchor.outcome(record.site, record.task, record.condition)
        found = Outcome(record.success, record.steps)
        if record.status == "error":
            unjudged.append(f"{record.task} {record.condition}: no measurement: {record.reason}")
        elif expected is None:
            unjudged.append(f"{record.task} {record.condition}: the anchor has no such episode")
        elif expected != found:
            deviations.append(Deviation(record.task, record.condition, expected, found))
    compared = len(records) - len(unjudged)
    return Calibration(compared, len(records), deviations, unjudged, list(_changed(anchor, records)))


def calibrate(anchor: Anchor, info: RunInfo, workers: int | None = None, *, progress: bool = False) -> Calibration:
    """Runs the reference agent and returns how it compares with the anchor.

    Args:
        anchor: The anchor.
        info: What to run, from `reference_run`.
        workers: Parallel processes; one per core by default, 0 for none.
        progress: Whether to show a progress bar on standard error.
    """
    why = obstacles(anchor, info)
    return Calibration(0, 0, [], why) if why else compare(anchor, measure(info, workers, progress=progress))


def update(sites: Sequence[str], kept: Anchor | None, workers: int | None, *, progress: bool = False) -> Anchor:
    """Returns a new anchor for some sites, with the other sites of the one kept.

    Raises:
        UsageError: An episode has no measurement.
    """
    info = reference_run(sites, tuple(CONDITIONS))
    records = measure(info, workers, progress=progress)
    errors = [f"{r.task} {r.condition}: {r.reason}" for r in records if r.status == "error"]
    if errors:
        raise UsageError(f"no anchor from a run with errors: {'; '.join(errors[:5])}")
    return anchor_of(info, records, kept)


def describe(found: Calibration) -> str:
    """Returns a calibration in lines."""
    lines = [f"DEVIATES {d.task} {d.condition}: expected {d.expected}, found {d.found}" for d in found.deviations]
    lines += [f"CANNOT JUDGE {text}" for text in found.unjudged]
    lines += [f"note: {text}" for text in found.notes]
    verdict = ("match", "deviates", "cannot be judged")[found.code]
    same = found.compared - len(found.deviations)
    return "\n".join([*lines, f"{verdict}: {same} of {found.planned} episodes are as in the anchor"])


def _task_lists(site: str, anchored: set[str], present: set[str]) -> Iterator[str]:
    """Yields how the task lists of the anchor and of this installation differ."""
    if anchored - present:
        yield f"{site} has fewer tasks than the anchor: {', '.join(sorted(anchored - present)[:5])} missing"
    if present - anchored:
        yield f"{site} has tasks that the anchor has not: {', '.join(sorted(present - anchored)[:5])}"


def _changed(anchor: Anchor, records: Sequence[TaskRecord]) -> Iterator[str]:
    """Yields which code is not that of the anchor; results decide, not code."""
    for site in sorted({r.site for r in records} & set(anchor.sites)):
        if environment_digest(site) != anchor.sites[site].digest:
            yield f"{site}: code {environment_digest(site)}, the anchor's was {anchor.sites[site].digest}"
    if reference_digest() != anchor.agent_digest:
        yield f"reference agent: code {reference_digest()}, the anchor's was {anchor.agent_digest}"
