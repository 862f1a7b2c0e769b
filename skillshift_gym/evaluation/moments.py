"""What a view shows of an episode: one moment after the other."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from ..actions import parse, takes_bid
from ..errors import MalformedAction
from ..wrappers.trajectory import Step, Trajectory
from .records import TaskRecord
from .shown import Document, Shelf

ENDS = {
    "success": "Success", "failure": "Failure", "budget": "Budget used up", "agent_error": "Agent error",
    "error": "No measurement",
}  # fmt: skip


class Moment(NamedTuple):
    """What is shown of one moment: the page, and the action taken on it.

    Attributes:
        document: Digest of the page, empty when its HTML was not recorded.
        url: Its address.
        title: Its title.
        left: Actions left, None when it is not known.
        blocker: Name of the dialog that covers it, empty without one.
        action: The action taken, empty at the end.
        target: Bid of the element it was aimed at.
        label: What that element is called.
        error: `code: message` when it failed.
        covered: Whether it failed because of the blocker.
    """

    document: str
    url: str
    title: str
    left: int | None
    blocker: str
    action: str
    target: str
    label: str
    error: str
    covered: bool


class Column(NamedTuple):
    """One episode.

    Attributes:
        condition: Condition name.
        end: How it ended, in words.
        good: Whether it was a success.
        reason: Why it was not.
        checks: Checks judged at the end: (kind, whether it held, reason).
        moments: Its moments.
        sheets: Digest of a page -> numbers of its style sheets.
        shelf: Its style sheets and pictures.
        documents: Digest -> page.
    """

    condition: str
    end: str
    good: bool
    reason: str
    checks: list[tuple[str, bool, str]]
    moments: list[Moment]
    shelf: Shelf
    documents: dict[str, Document]


def column_of(trajectory: Trajectory, record: TaskRecord | None, condition: str) -> Column:
    """Returns what is shown of an episode.

    Args:
        trajectory: The episode.
        record: What it came to, None when the run has no record of it.
        condition: Its condition.
    """
    shelf = Shelf(trajectory.start.site, trajectory.start.options["version"])
    targets = [_target(step) for step in trajectory.steps]
    wanted: dict[str, set[str]] = {}
    for moment, bid in enumerate([*targets, ""]):
        wanted.setdefault(trajectory.observed(moment).digests.get("html", ""), set()).add(bid)
    documents: dict[str, Document] = {}
    for moment in range(len(trajectory.steps) + 1):
        digest, text = trajectory.observed(moment).digests.get("html", ""), trajectory.value(moment, "html")
        if text is not None and digest not in documents:
            url = str(trajectory.value(moment, "url") or "")
            documents[digest] = shelf.document(text, url, frozenset(wanted[digest]))
    moments = [_moment(trajectory, m, bid, documents) for m, bid in enumerate([*targets, ""])]
    last = trajectory.observed(len(trajectory.steps)).info
    good = record.success if record else bool(last.get("success"))
    end = ENDS[record.end] if record else ("Success" if good else "Failure")
    checks = [(str(c.get("kind", "")), bool(c["ok"]), str(c.get("reason", ""))) for c in last.get("checks", [])]
    return Column(condition, end, good, record.reason if record else "", checks, moments, shelf, documents)


def _moment(trajectory: Trajectory, moment: int, target: str, documents: Mapping[str, Document]) -> Moment:
    seen = trajectory.observed(moment)
    step = trajectory.steps[moment] if moment < len(trajectory.steps) else None
    digest = seen.digests.get("html", "")
    shown = documents.get(digest)
    error = _error(trajectory, moment + 1) if step else ""
    return Moment(
        digest if shown else "",
        str(trajectory.value(moment, "url") or ""),
        str(trajectory.value(moment, "title") or ""),
        seen.info.get("budget_left"),
        str(seen.info.get("shifts", {}).get("execution", {}).get("blocker", "")),
        (step.action if isinstance(step.action, str) else json.dumps(step.action)) if step else "",
        target if shown and target in shown.labels else "",
        shown.labels.get(target, "") if shown else "",
        error,
        bool(step and step.info.get("blocked_by")),
    )


def _error(trajectory: Trajectory, moment: int) -> str:
    """Returns why the action before a moment failed: its message where it was recorded, else its code."""
    code = str(trajectory.observed(moment).info.get("error", ""))
    return str(trajectory.value(moment, "last_action_error") or code) if code else ""


def _target(step: Step) -> str:
    """Returns the bid an action was aimed at, empty without one."""
    try:
        call = parse(step.action) if isinstance(step.action, str) else None
    except MalformedAction:
        return ""
    return str(call.args[0]) if call is not None and call.args and takes_bid(call) else ""
