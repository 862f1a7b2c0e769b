"""The five checks of a results file: schema, coverage, denominators and identity, ranges, receipt.

What they prove: the file has the published form and agrees with its receipt, digit by digit. Somebody who changes both in
a way that fits can only be caught with the per-task records, and somebody who forges those too only by running again.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

from ..errors import UsageError
from .form_checks import coverage, denominators, ranges
from .provenance import environment_name
from .published import TASKS
from .receipt import Receipt, grid_of_receipt
from .receipt_checks import against_receipt, against_records
from .results import NAME, BrokenFile, Results, file_name, parse, receipt_path
from .totals import Grid

CHECKS = ("schema", "coverage", "denominators and identity", "ranges", "receipt")


class Check(NamedTuple):
    """What one check found.

    Attributes:
        name: One of `CHECKS`.
        problems: Why it failed; empty when it passed.
        remarks: What is weak but not wrong.
    """

    name: str
    problems: list[str]
    remarks: list[str] = []


class Verdict(NamedTuple):
    """What all checks found.

    Attributes:
        path: The results file.
        checks: The five checks.
        results: The file, None when it cannot be read.
        receipt: Its receipt, None when there is none.
        missing: Sites that were not run.
        errors: Tasks without a measurement.
    """

    path: Path
    checks: list[Check]
    results: Results | None = None
    receipt: Receipt | None = None
    missing: tuple[str, ...] = ()
    errors: int = 0

    @property
    def valid(self) -> bool:
        """Whether every check passed."""
        return not any(check.problems for check in self.checks)

    @property
    def label(self) -> str:
        """`valid`, `valid, partial`, `valid, with errors`, both, or `invalid`."""
        if not self.valid:
            return "invalid"
        return ", ".join(["valid", *(["partial"] if self.missing else []), *(["with errors"] if self.errors else [])])


def validate(path: Path, records: Path | None = None, *, allow_errors: bool = False) -> Verdict:
    """Returns the verdict on a results file; its receipt lies beside it.

    Args:
        path: The results file.
        records: Folder of the run it was made from; everything is then computed again.
        allow_errors: Whether tasks without a measurement are accepted.

    Raises:
        UsageError: There is no such file, or the folder holds no run.
    """
    if not path.is_file():
        raise UsageError(f"{path}: no such file; make one with `skillshift report RUN --receipt`")
    try:
        results = parse(Results, _text(path))
    except BrokenFile as error:
        rest = [Check(name, ["not checked: the schema does not hold"]) for name in CHECKS[1:]]
        return Verdict(path, [Check("schema", [str(error)]), *rest])
    receipt, grid, broken = _receipt(path)
    missing = tuple(site for site, n in results.n.websites.items() if n == 0)
    errors = sum(t.errors for t in grid.values()) if grid else 0
    checks = [
        Check("schema", _name(path, results)),
        Check("coverage", coverage(results)),
        Check("denominators and identity", denominators(results, grid, allow_errors)),
        Check("ranges", *ranges(results)),
        Check("receipt", [*broken, *_vouched(results, receipt, grid, records)], _unvouched(results, receipt, records)),
    ]
    return Verdict(path, checks, results, receipt, missing, errors)


def describe(verdict: Verdict) -> str:
    """Returns a verdict in lines: each check with its reasons, then the result."""
    lines = []
    for check in verdict.checks:
        lines.append(f"{'FAIL' if check.problems else 'pass'}  {check.name}")
        lines += [f"      {text}" for text in check.problems]
        lines += [f"      note: {text}" for text in check.remarks]
    if verdict.valid and verdict.missing:
        lines.append(f"sites not run: {', '.join(verdict.missing)}; the leaderboard takes complete files only")
    return "\n".join([*lines, f"{verdict.path.name}: {verdict.label}"])


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except UnicodeDecodeError as error:
        raise BrokenFile(f"not UTF-8: {error}") from None


def _name(path: Path, results: Results) -> list[str]:
    expected = file_name(results.submission)
    if not NAME.fullmatch(path.name):
        return [f"file name {path.name}: expected YYYY-MM-DD--<method>--<model>.json, here {expected}"]
    return [] if path.name == expected else [f"file name {path.name}: its date, method and model make {expected}"]


def _receipt(path: Path) -> tuple[Receipt | None, Grid | None, list[str]]:
    """Returns the receipt of a results file, the sums it claims, and what is wrong with it."""
    beside = receipt_path(path)
    if not beside.is_file():
        return None, None, []
    try:
        receipt = parse(Receipt, _text(beside))
    except BrokenFile as error:
        return None, None, [f"{beside.name}: {error}"]
    try:
        return receipt, grid_of_receipt(receipt), []
    except ValueError as error:
        return receipt, None, [f"{beside.name}: {error}"]


def _vouched(results: Results, receipt: Receipt | None, grid: Grid | None, records: Path | None) -> list[str]:
    label = results.submission.provenance.label
    if receipt is None:
        return [f"no receipt: a {label} entry needs one beside it"] if label == "self-reported" or records else []
    problems = against_receipt(results, receipt, grid) if grid is not None else []
    return problems + (against_records(results, receipt, records) if records else [])


def _unvouched(results: Results, receipt: Receipt | None, records: Path | None) -> list[str]:
    if receipt is None:
        label = results.submission.provenance.label
        return [] if label == "self-reported" else [f"no receipt, and none is needed: {label}"]
    other = [f"{s}: made by other code than is installed here" for s in TASKS if _other_code(receipt, s)]
    seen = [] if records else ["the per-task records were not seen: --records RUN computes everything again"]
    return seen + other


def _other_code(receipt: Receipt, site: str) -> bool:
    return site in receipt.env_digests and receipt.env_digests[site] != environment_name(site)
