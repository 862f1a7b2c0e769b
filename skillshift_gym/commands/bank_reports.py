"""What `skillshift bank lint` and `doctor` print and write."""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ..skills.cases import Case


def add_reports(parser: argparse.ArgumentParser) -> None:
    """Adds `--junit` and `--sarif`."""
    parser.add_argument("--junit", type=Path, default=None, metavar="FILE", help="write the findings as JUnit XML")
    parser.add_argument("--sarif", type=Path, default=None, metavar="FILE", help="write the findings as SARIF 2.1.0")


def write_reports(arguments: argparse.Namespace, cases: Sequence[Case], title: str, rules: Mapping[str, str]) -> None:
    """Writes the reports that were asked for."""
    from ..files import write_atomically
    from ..skills.cases import junit, sarif

    if arguments.junit:
        write_atomically(arguments.junit, junit(cases, title))
    if arguments.sarif:
        write_atomically(arguments.sarif, sarif(cases, arguments.bank.as_posix(), rules))


def described_cases(cases: Sequence[Case], good: str) -> str:
    """Returns the findings in lines, then how many there are.

    Args:
        cases: The findings.
        good: What those that are fine are called in the count.
    """
    from ..skills.values import shown

    lines = [
        shown(f"{c.level:<8} {c.group:<10} {c.name:<40} {c.rule}: {c.message}", 400) for c in cases if c.level != "ok"
    ]
    failed, fine = sum(c.failed for c in cases), sum(c.level == "ok" for c in cases)
    return "\n".join([*lines, f"{failed} findings, {fine} {good}"])
