"""Per-task records and run descriptions: the files from which everything else derives."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from ..errors import UsageError

RECORDS = "per_task.jsonl"
RUN = "run.json"

End = Literal["success", "failure", "budget", "agent_error", "error"]


class TaskRecord(BaseModel):
    """What one episode came to. The first seven fields are those of the published form.

    Attributes:
        uid: Task id in the published form.
        site: Site name.
        condition: Condition name.
        success: Whether all checks held.
        steps: Actions taken.
        skill_calls: Skill calls; None when the method has no executable skills.
        skill_failures: Failed skill calls; None likewise.
        task: Task id.
        kind: Kind of goal.
        checks: Kinds of the checks, such as `state+url`.
        split: Split of the task.
        status: `ok` for a measurement, `error` for the absence of one (infrastructure fault, timeout).
        end: How the episode ended.
        reason: Why it was not a success: the first check that failed, or the error.
        primitives: Browser primitives executed.
        gotos: Addresses typed; a solution made of them needs nothing that a shift could break.
        shifts: Shift -> what it did in the episode, such as blockers shown, dismissed and evaded.
        errors: Typed action failures -> how often.
        message: The answer sent, if any.
        attempts: How often the episode was run until it was a measurement.
        skill_failures_true: Calls that failed by semantic ids and state; None as `skill_failures`, and for older records.
        codes: Code of the calls of the environment's skills, as observed -> how often.
        codes_true: The same by semantic ids and state.
        kinds: Kind of mark -> [calls that used it, those that failed as observed, those that failed by true status].
        seen: Whether the bank learned on this very task; None without a bank.
        agent: What the agent counted of itself, such as skills exposed, proposed and chosen, or tokens.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    uid: str
    site: str
    condition: str
    success: bool
    steps: int
    skill_calls: int | None
    skill_failures: int | None
    task: str
    kind: str
    checks: str
    split: str
    status: Literal["ok", "error"] = "ok"
    end: End = "failure"
    reason: str = ""
    primitives: int = 0
    gotos: int = 0
    shifts: dict[str, dict[str, int | str]] = {}
    errors: dict[str, int] = {}
    message: str | None = None
    attempts: int = 1
    skill_failures_true: int | None = None
    codes: dict[str, int] = {}
    codes_true: dict[str, int] = {}
    kinds: dict[str, tuple[int, int, int]] = {}
    seen: bool | None = None
    agent: dict[str, int | float] = {}


class RunInfo(BaseModel):
    """What was run; two runs with equal infos have equal records.

    Attributes:
        agent: `reference` or `module:Attribute`.
        agent_kwargs: Arguments of the agent's constructor.
        sites: Sites run.
        conditions: Conditions run.
        split: Split of the tasks.
        tasks: Task ids when only some of the split were run, else empty.
        seed: Seed of every episode.
        browser: Browser name.
        budget: `task` or a number of actions.
        version: Version of this package.
        content: Site -> content hash of the code, templates and texts that its episodes run through; `run` fills it in.
        code: Content hash of the package's agents when one of them runs; `run` fills it in.
        bank: File or folder of the bank that the agent has, empty without one.
        protocol: Protocol that the bank was learned under; `heldout` unless told otherwise.
        banks: Site -> hash of its bank; `run` fills it in. A frozen bank has the same hash in every episode.
        healing: How skills find their targets; `run` fills in what the agent's method does.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    agent: str
    agent_kwargs: dict[str, Any] = {}
    sites: tuple[str, ...]
    conditions: tuple[str, ...]
    split: str = "bench"
    tasks: tuple[str, ...] = ()
    seed: int = 0
    browser: str = "dom"
    budget: str | int = "task"
    version: str = ""
    content: dict[str, str] = {}
    code: str = ""
    bank: str = ""
    protocol: str = ""
    banks: dict[str, str] = {}
    healing: dict[str, Any] = {}


def read_run(folder: Path) -> RunInfo:
    """Returns the description of a run.

    Raises:
        UsageError: The folder holds no run, or its description is broken.
    """
    path = folder / RUN
    if not path.is_file():
        raise UsageError(f"{folder} holds no run: expected {RUN} in it; make one with `skillshift run --out {folder}`")
    try:
        return RunInfo.model_validate_json(path.read_text(encoding="utf-8"))
    except ValidationError as error:
        raise UsageError(f"{path}: not a run description: {error}") from None


def read_records(folder: Path) -> list[TaskRecord]:
    """Returns the records of a run, the last one of each episode, sorted by uid and condition.

    A line cut short by a killed run is the last of its file and is left out.

    Raises:
        UsageError: A line in the middle is broken.
    """
    path = folder / RECORDS
    if not path.is_file():
        return []
    lines = path.read_bytes().split(b"\n")
    latest: dict[tuple[str, str], TaskRecord] = {}
    for number, line in enumerate(lines[:-1], 1):
        try:
            record = TaskRecord.model_validate_json(line)
        except ValidationError as error:
            raise UsageError(f"{path}, line {number}: not a task record: {error}") from None
        latest[record.uid, record.condition] = record
    return [latest[key] for key in sorted(latest)]


def drop_torn_line(folder: Path) -> None:
    """Removes what a killed run left of a last line, so that appending goes on cleanly."""
    path = folder / RECORDS
    if path.is_file():
        data = path.read_bytes()
        whole = data[: data.rfind(b"\n") + 1]
        if len(whole) < len(data):
            with path.open("r+b") as file:
                file.truncate(len(whole))


def append_record(folder: Path, record: TaskRecord) -> None:
    """Adds a record to a run, on disk before the call returns."""
    with (folder / RECORDS).open("a", encoding="utf-8") as file:
        file.write(json.dumps(record.model_dump(), ensure_ascii=False) + "\n")
        file.flush()
        os.fsync(file.fileno())


def by_cell(records: Iterable[TaskRecord]) -> dict[tuple[str, str], list[TaskRecord]]:
    """Returns the records of each (site, condition), in the order of first appearance."""
    cells: dict[tuple[str, str], list[TaskRecord]] = {}
    for record in records:
        cells.setdefault((record.site, record.condition), []).append(record)
    return cells
