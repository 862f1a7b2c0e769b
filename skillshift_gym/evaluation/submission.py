"""Turns a finished run into a results file and its receipt."""

from __future__ import annotations

import shlex
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from .. import __version__
from ..errors import UsageError
from ..files import write_atomically
from ..registration import CONDITIONS
from .metrics import measure
from .provenance import environment_name, harness_version
from .published import TASKS
from .receipt import Receipt, RunClaim, claim, commitment, per_cell, sealed
from .records import RunInfo, TaskRecord, by_cell, read_records, read_run
from .results import Method, Model, Provenance, Results, Submission, dump, file_name, receipt_path
from .runner import planned_tasks
from .totals import Grid, aggregate, counts, grid_of, reasons, remarks

LEVEL = "sites, tasks and texts of this package: not comparable in level with the published results"


class Entry(NamedTuple):
    """What the submitter says; empty fields follow from the run.

    Attributes:
        date: Day of the submission, ISO.
        name: Name of the entry.
        method: Name of the method.
        model: Name of the model.
        contact: Who answers questions.
        description: What the method does.
        paper_url: Its paper.
        code_url: Its code.
        temperature: Sampling temperature of the model, if it samples.
        vision: Whether it saw pictures.
    """

    date: str
    name: str = ""
    method: str = ""
    model: str = ""
    contact: str = ""
    description: str = ""
    paper_url: str = ""
    code_url: str = ""
    temperature: float | None = None
    vision: bool = False


def write_submission(
    folder: Path, entry: Entry, out: Path | None = None, *, allow_errors: bool = False
) -> tuple[Path, Path]:
    """Writes the results file and the receipt of a run and returns their paths.

    Args:
        folder: Folder of the run.
        entry: What the submitter says.
        out: Folder of the files; that of the run by default.
        allow_errors: Whether tasks without a measurement are accepted; the files then say how many.

    Raises:
        UsageError: The run is not of the official form; the text says all that is missing.
    """
    results, receipt = build_submission(folder, entry, allow_errors=allow_errors)
    path = (out or folder) / file_name(results.submission)
    write_atomically(receipt_path(path), dump(receipt))  # first: no results file is ever without its receipt
    write_atomically(path, dump(results))
    return path, receipt_path(path)


def build_submission(folder: Path, entry: Entry, *, allow_errors: bool = False) -> tuple[Results, Receipt]:
    """Returns the results and the receipt of a run.

    Raises:
        UsageError: The run is not of the official form, or the entry is wrong.
    """
    info, records = read_run(folder), read_records(folder)
    problems = shortcomings(info, records, allow_errors=allow_errors)
    if problems:
        raise UsageError(f"{folder} is not of the official form: " + "; ".join(problems))
    grid = grid_of(records)
    metrics = aggregate(grid)
    n, sums = per_cell(grid)
    receipt = Receipt(
        harness_version=harness_version(),
        n_per_cell=n,
        sums_per_cell=sums,
        aggregate=metrics,
        env_digests={site: environment_name(site, info.content.get(site, "")) for site in n},
        run=claim(info),
        per_task_commitment=commitment(folder),
    )
    results = Results(
        submission=_submission(entry, info),
        harness_version=harness_version(),
        metrics=metrics,
        n=counts(grid),
        reasons=reasons(grid),
        notes="; ".join(_notes(info, grid)),
    )
    return results, sealed(receipt)


def shortcomings(info: RunInfo, records: Sequence[TaskRecord], *, allow_errors: bool = False) -> list[str]:
    """Returns what keeps a run out of the official form."""
    found = []
    if info.version != __version__:
        found.append(f"made with version {info.version or 'unknown'}, this is {__version__}: run it again")
    if info.split != "bench":
        found.append(f"split {info.split}, expected bench")
    if info.tasks:
        found.append(f"{len(info.tasks)} named tasks, expected whole task lists: run without --tasks")
    missing = [c for c in CONDITIONS if c not in info.conditions]
    if missing:
        found.append(f"conditions {', '.join(missing)} were not run, expected all six: --condition all")
    cells = by_cell(records)
    for site in info.sites:
        if site not in TASKS:
            found.append(f"site {site} is not one of {', '.join(TASKS)}")
        elif not found:
            planned = planned_tasks(info, site)
            if len(planned) != TASKS[site]:
                found.append(f"{site} has {len(planned)} bench tasks, expected {TASKS[site]}")
            for condition in CONDITIONS:
                found += _gaps(f"{site} {condition}", cells.get((site, condition), []), planned, allow_errors)
    return found


def _gaps(where: str, records: Sequence[TaskRecord], planned: Sequence[str], allow_errors: bool) -> Iterator[str]:
    """Yields what is missing of a cell, or should not be in it."""
    cell = measure(records, len(planned))
    n = f"{where}: n = {cell.n}/{cell.planned}"
    strange = sorted({r.task for r in records} - set(planned))
    if strange:
        yield f"{where}: records of tasks that are not of the run: {', '.join(strange[:3])}"
    elif {r.task for r in records} != set(planned) or len(records) != len(planned):
        yield f"{n}, the run is not finished: `skillshift run` with the same arguments goes on"
    elif cell.errors and not (allow_errors and cell.n):
        yield f"{n}, {cell.errors} without a measurement: find the fault and run again, or --allow-errors"


def _submission(entry: Entry, info: RunInfo) -> Submission:
    method = entry.method or info.agent.rpartition(":")[2]
    model = entry.model or next(
        (str(info.agent_kwargs[k]) for k in ("model", "backbone") if k in info.agent_kwargs), ""
    )
    model = model or ("lexical" if info.agent == "reference" else "none")
    try:
        return Submission(
            name=entry.name or f"{method} ({model})",
            date=entry.date,
            contact=entry.contact or "not given",
            method=Method(
                name=method, description=entry.description, paper_url=entry.paper_url, code_url=entry.code_url
            ),
            model=Model(id=model, temperature=entry.temperature, vision=entry.vision),
            provenance=Provenance(
                label="self-reported", source="per-task records of a run", code_released=bool(entry.code_url)
            ),
            repro_command=repro_command(claim(info)),
        )
    except ValueError as error:
        raise UsageError(f"the submission's fields: {error}") from None


def repro_command(run: RunClaim) -> str:
    """Returns the command that makes a run again."""
    arguments = ["skillshift", "run", "--agent", run.agent]
    for name, value in run.agent_kwargs.items():
        arguments += ["--agent-arg", f"{name}={value}"]
    arguments += ["--site", ",".join(run.sites), "--condition", ",".join(run.conditions), "--seed", str(run.seed)]
    arguments += ["--browser", run.browser, "--budget", str(run.budget), "--out", "runs/again"]
    return shlex.join(arguments)


def _notes(info: RunInfo, grid: Grid) -> list[str]:
    errors = [f"{site} {c}: n = {t.n}/{t.n + t.errors}, {t.errors} errors" for (site, c), t in grid.items() if t.errors]
    budget = [f"budget {info.budget} actions instead of the tasks' own"] if info.budget != "task" else []
    return [LEVEL, *remarks(grid), *budget, *errors]
