"""`skillshift verify`: every task solvable, and idle runs and near-misses rejected."""

from __future__ import annotations

import argparse
import os
import time
from itertools import product

from .arguments import Commands, add_cells, add_command, names


def add(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = add_command(
        commands, "verify", _verify, "prove every task solvable, and idle runs and near-misses rejected"
    )
    add_cells(parser)
    parser.add_argument("--tasks", type=names, default=(), help="comma-separated task ids; all bench tasks by default")
    parser.add_argument("--browser", type=names, default=("dom",), help="comma-separated: dom (default), chromium")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="parallel processes; 0 for none")


def _verify(arguments: argparse.Namespace) -> int:
    from ..evaluation.verify import table, verify

    findings = []
    for site, browser in product(arguments.site, arguments.browser):
        started = time.perf_counter()
        found = verify(site, arguments.condition, arguments.tasks, browser, arguments.workers)
        print(f"## {site}, browser {browser} ({time.perf_counter() - started:.1f} s)\n\n{table(found)}\n", flush=True)
        findings += found
    wrong = [f for f in findings if not f.ok]
    for finding in wrong:
        outcome = ("passed" if finding.success else "failed") if finding.played else "could not be played, stopped"
        print(
            f"WRONG {finding.task} {finding.condition}, {finding.run}: {outcome} after {finding.steps}; {finding.reason}"
        )
    return 1 if wrong else 0
