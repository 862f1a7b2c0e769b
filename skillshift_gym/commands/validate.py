"""`skillshift validate`: the five checks of a results file."""

from __future__ import annotations

import argparse
from pathlib import Path

from .arguments import Commands, add_command


def add(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = add_command(
        commands, "validate", validate, "check a results file against its receipt, and its run's records"
    )
    parser.add_argument("file", type=Path, help="the results file; its receipt lies beside it")
    parser.add_argument(
        "--records", type=Path, default=None, metavar="RUN", help="folder of the run: computes everything again"
    )
    parser.add_argument("--allow-errors", action="store_true", help="accept tasks without a measurement")


def validate(arguments: argparse.Namespace) -> int:
    """Prints the checks and returns 0 for a valid file, 1 for another."""
    from ..evaluation.validation import describe
    from ..evaluation.validation import validate as check

    verdict = check(arguments.file, arguments.records, allow_errors=arguments.allow_errors)
    print(describe(verdict))
    return 0 if verdict.valid else 1
