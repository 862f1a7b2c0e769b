"""`skillshift report`: a run's table."""

from __future__ import annotations

import argparse
from pathlib import Path

from .arguments import Commands, add_command


def add(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = add_command(commands, "report", _report, "print a run's table and write its Markdown and HTML reports")
    parser.add_argument("run", type=Path, help="folder of the run")


def _report(arguments: argparse.Namespace) -> int:
    from ..evaluation.report import HTML, write_report

    print(write_report(arguments.run))
    print(f"written: {arguments.run / HTML}")
    return 0
