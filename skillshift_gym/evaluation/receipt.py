"""The receipt of a results file: what it claims of its cells, and the commitment to its per-task records.

The published receipt's schema is not public; this one is ours (docs/decisions/0010).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field

from ..registration import CONDITIONS
from .published import WEBSITES
from .records import RECORDS, RunInfo
from .results import Count, Form, Metrics, Text, dump
from .totals import Grid, Totals

_HEX = Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")]
_SECRET = ("key", "token", "secret", "password")
HIDDEN = "(hidden)"


class CellSums(Form):
    """Sums over the measured tasks of a cell; calls and failures are None for a method without executable skills."""

    errors: Count
    successes: Count
    steps: Count
    skill_calls: Count | None
    skill_failures: Count | None


class RunClaim(Form):
    """What was run."""

    agent: Text
    agent_kwargs: dict[str, Any]
    sites: list[str]
    conditions: list[str]
    split: str
    seed: int
    browser: str
    budget: str | int


class Receipt(Form):
    """A receipt.

    Attributes:
        harness_version: Name and version of what ran the episodes.
        n_per_cell: Site -> condition -> measured tasks.
        sums_per_cell: Site -> condition -> sums, from which every metric follows.
        aggregate: The metrics of the results file, verbatim.
        env_digests: Site -> name of its environment.
        run: What was run.
        per_task_commitment: SHA-256 of the canonical form of the per-task records, 64 hexadecimal digits.
        seal: SHA-256 of the receipt without this field; tells damage, not forgery.
    """

    schema_version: Literal["1.0"] = "1.0"
    harness_version: Text
    n_per_cell: dict[str, dict[str, Count]]
    sums_per_cell: dict[str, dict[str, CellSums]]
    aggregate: Metrics
    env_digests: dict[str, Text]
    run: RunClaim
    per_task_commitment: _HEX
    seal: str = ""


def sealed(receipt: Receipt) -> Receipt:
    """Returns the receipt with its seal."""
    return receipt.model_copy(update={"seal": seal(receipt)})


def seal(receipt: Receipt) -> str:
    """Returns the seal that a receipt should have."""
    return hashlib.sha256(dump(receipt.model_copy(update={"seal": ""})).encode()).hexdigest()


def per_cell(grid: Grid) -> tuple[dict[str, dict[str, int]], dict[str, dict[str, CellSums]]]:
    """Returns `n_per_cell` and `sums_per_cell` of a run."""
    n: dict[str, dict[str, int]] = {}
    sums: dict[str, dict[str, CellSums]] = {}
    for (site, condition), t in grid.items():
        n.setdefault(site, {})[condition] = t.n
        sums.setdefault(site, {})[condition] = CellSums(
            errors=t.errors, successes=t.successes, steps=t.steps, skill_calls=t.calls, skill_failures=t.failures
        )
    return n, sums


def grid_of_receipt(receipt: Receipt) -> dict[tuple[str, str], Totals]:
    """Returns the sums of each cell that a receipt claims.

    Raises:
        ValueError: Its two tables name other cells than each other, or cells that do not exist.
    """
    cells = [
        [(site, c) for site in table for c in table[site]] for table in (receipt.n_per_cell, receipt.sums_per_cell)
    ]
    known = {(w, c) for w in WEBSITES for c in CONDITIONS}
    if set(cells[0]) != set(cells[1]):
        raise ValueError("n_per_cell and sums_per_cell name different cells")
    if not set(cells[0]) <= known:
        raise ValueError(f"unknown cells {sorted(set(cells[0]) - known)}")
    grid = {}
    for site, condition in [(w, c) for w in WEBSITES for c in CONDITIONS if (w, c) in set(cells[0])]:
        s = receipt.sums_per_cell[site][condition]
        n = receipt.n_per_cell[site][condition]
        grid[site, condition] = Totals(n, s.errors, s.successes, s.steps, s.skill_calls, s.skill_failures)
    return grid


def claim(info: RunInfo) -> RunClaim:
    """Returns what a receipt says of a run; arguments that look like secrets stay out."""
    kwargs = {k: HIDDEN if any(word in k.lower() for word in _SECRET) else v for k, v in info.agent_kwargs.items()}
    return RunClaim(
        agent=info.agent,
        agent_kwargs=kwargs,
        sites=list(info.sites),
        conditions=list(info.conditions),
        split=info.split,
        seed=info.seed,
        browser=info.browser,
        budget=info.budget,
    )


def commitment(folder: Path) -> str:
    """Returns the commitment to the records of a run: SHA-256 of their canonical form.

    The canonical form: of each (uid, condition) the last whole line of the file, sorted by uid and condition, each as
    compact JSON with sorted keys, one a line, UTF-8. All fields count, those that are ours included.
    """
    latest: dict[tuple[str, str], dict[str, Any]] = {}
    for line in (folder / RECORDS).read_bytes().split(b"\n")[:-1]:
        record = json.loads(line)
        latest[record["uid"], record["condition"]] = record
    return hashlib.sha256(canonical([latest[key] for key in sorted(latest)])).hexdigest()


def canonical(records: Sequence[dict[str, Any]]) -> bytes:
    """Returns records, in the order given, in canonical form."""
    lines = [json.dumps(r, sort_keys=True, separators=(",", ":"), ensure_ascii=False) for r in records]
    return "".join(f"{line}\n" for line in lines).encode("utf-8")
