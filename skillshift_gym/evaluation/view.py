"""Recorded episodes as pages to look at: what the agent saw, did and met, two conditions side by side.

A page needs nothing but itself: pages of the site stand in sandboxed frames without scripts, links or addresses.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined

from ..errors import UsageError
from ..files import write_atomically
from ..wrappers.trajectory import read
from .moments import ENDS, Column, column_of
from .records import RunInfo, TaskRecord, read_records, read_run
from .trajectories import Recorded, recorded

FOLDER = "view"


def view_task(run: Path, task: str = "", conditions: Sequence[str] = (), out: Path | None = None) -> Path:
    """Writes the view of a task and returns its file.

    Args:
        run: Folder of a recorded run.
        task: Task id; by default the first one whose outcome differs between conditions.
        conditions: One or two conditions; by default the first one recorded and one of another outcome.
        out: The file; by default in the run's folder `view`.

    Raises:
        UsageError: The run was not recorded, or the episode was not.
    """
    episodes = recorded(run, [task] if task else [], conditions)
    task = task or _telling(run, episodes)
    out = out or run / FOLDER / f"{task}.html"
    write_atomically(out, _page(run, task, [e for e in episodes if e.task == task], conditions))
    return out


def view_all(run: Path, conditions: Sequence[str] = (), out: Path | None = None) -> Path:
    """Writes the view of every recorded task and a list of them, and returns the list's file.

    Args:
        run: Folder of a recorded run.
        conditions: One or two conditions, as in `view_task`.
        out: Folder of the files; the run's folder `view` by default.

    Raises:
        UsageError: The run was not recorded.
    """
    episodes = recorded(run, (), conditions)
    folder = out or run / FOLDER
    tasks = list(dict.fromkeys(e.task for e in episodes))
    for task in tasks:
        page = _page(run, task, [e for e in episodes if e.task == task], conditions, listed=True)
        write_atomically(folder / f"{task}.html", page)
    outcomes = _outcomes(run)
    columns = list(dict.fromkeys(e.condition for e in episodes))
    rows = [(task, {c: outcomes.get((task, c)) for c in columns}) for task in tasks]
    text = (
        _jinja()
        .get_template("view_index.html")
        .render(run=read_run(run), name=run.resolve().name, columns=columns, rows=rows, ends=ENDS)
    )
    write_atomically(folder / "index.html", text)
    return folder / "index.html"


def _page(run: Path, task: str, episodes: Sequence[Recorded], conditions: Sequence[str], listed: bool = False) -> str:
    """Returns the page of a task."""
    outcomes = _outcomes(run)
    chosen = _pair(episodes, conditions, outcomes)
    trajectories = [read(e.path) for e in chosen]
    columns = [
        column_of(t, outcomes.get((task, e.condition)), e.condition) for e, t in zip(chosen, trajectories, strict=True)
    ]
    info: RunInfo = read_run(run)
    return (
        _jinja()
        .get_template("view.html")
        .render(
            run=info,
            name=run.resolve().name,
            start=trajectories[0].start,
            columns=columns,
            last=max(len(c.moments) for c in columns) - 1,
            data=_data(columns),
            listed=listed,
        )
    )


def _jinja() -> Environment:
    return Environment(
        loader=PackageLoader("skillshift_gym.evaluation"), autoescape=True, undefined=StrictUndefined,
        trim_blocks=True, lstrip_blocks=True,
    )  # fmt: skip


def _outcomes(run: Path) -> dict[tuple[str, str], TaskRecord]:
    return {(r.task, r.condition): r for r in read_records(run)}


def _telling(run: Path, episodes: Sequence[Recorded]) -> str:
    """Returns the first task that ends in different ways, else the first."""
    outcomes, seen = _outcomes(run), dict[str, set[bool]]()
    for episode in episodes:
        record = outcomes.get((episode.task, episode.condition))
        seen.setdefault(episode.task, set()).update([record.success] if record else [])
    return next((task for task, ends in seen.items() if len(ends) > 1), episodes[0].task)


def _pair(
    episodes: Sequence[Recorded], conditions: Sequence[str], outcomes: dict[tuple[str, str], TaskRecord]
) -> list[Recorded]:
    """Returns the episodes to show: those asked for, in this order, or two that end in different ways."""
    if len(conditions) > 2:
        raise UsageError(f"--condition: expected one or two conditions side by side, got {', '.join(conditions)}")
    by_condition = {e.condition: e for e in episodes}
    if conditions:
        return [by_condition[c] for c in conditions if c in by_condition]
    first, *others = episodes

    def success(episode: Recorded) -> bool | None:
        record = outcomes.get((episode.task, episode.condition))
        return record.success if record else None

    return [first, *sorted(others, key=lambda e: success(e) == success(first))[:1]]


def _data(columns: Sequence[Column]) -> str:
    """Returns what the script needs, as JSON that may stand inside a script element."""
    data: list[dict[str, Any]] = [
        {
            "sheets": c.shelf.sheets,
            "pictures": c.shelf.pictures,
            "documents": {digest: [d.data, d.sheets] for digest, d in c.documents.items()},
            "moments": [
                {"document": m.document, "target": m.target, "failed": bool(m.error), "blocker": m.blocker}
                for m in c.moments
            ],
        }
        for c in columns
    ]
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c")
