"""`skillshift run`: an agent over cells."""

from __future__ import annotations

import argparse
import os
import sys
import time
from pathlib import Path

from .. import __version__
from .arguments import Commands, add_cells, add_command, budget, names, pair


def add(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = add_command(commands, "run", _run, "run an agent over cells; the same command continues a stopped run")
    parser.add_argument(
        "--agent", required=True, help="reference, awm, asi, skillweaver, walt, mpcr, or module:Attribute"
    )
    parser.add_argument(
        "--agent-arg", type=pair, action="append", default=[], metavar="NAME=VALUE", help="argument of the agent"
    )
    add_cells(parser)
    parser.add_argument("--split", default="bench", choices=("bench", "train", "val"), help="split of the tasks")
    parser.add_argument("--tasks", type=names, default=(), help="comma-separated task ids in place of a whole split")
    parser.add_argument("--seed", type=int, default=0, help="seed of every episode")
    parser.add_argument("--browser", default="dom", help="dom (default) or chromium")
    parser.add_argument("--budget", type=budget, default="task", help="'task' or a number of actions")
    parser.add_argument(
        "--bank", default="", help="bank of skills: a file, a folder with one file a site, or a method whose banks ship"
    )
    parser.add_argument(
        "--protocol", default="", choices=("heldout", "published"), help="how the bank was learned; heldout by default"
    )
    parser.add_argument("--workers", type=int, default=None, help="parallel processes; one per core by default")
    parser.add_argument(
        "--record", action="store_true", help="write every episode's trajectory, for replay, view and export"
    )
    parser.add_argument(
        "--retry-errors",
        action="store_true",
        help="try episodes again that stayed errors after all attempts, as when a service is back",
    )
    parser.add_argument("--quiet", action="store_true", help="show no progress bar")
    parser.add_argument("--out", type=Path, required=True, help="folder of the run")


def _run(arguments: argparse.Namespace) -> int:
    from ..evaluation.records import RunInfo
    from ..evaluation.runner import run

    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())  # as `python -m` does, so that --agent finds a module of this folder
    info = RunInfo(
        agent=arguments.agent,
        agent_kwargs=dict(arguments.agent_arg),
        sites=arguments.site,
        conditions=arguments.condition,
        split=arguments.split,
        tasks=arguments.tasks,
        seed=arguments.seed,
        browser=arguments.browser,
        budget=arguments.budget,
        version=__version__,
        bank=arguments.bank,
        protocol=arguments.protocol,
    )
    started = time.perf_counter()
    records = run(
        info, arguments.out, workers=arguments.workers, progress=not arguments.quiet, record=arguments.record,
        retry_errors=arguments.retry_errors,
    )  # fmt: skip
    errors = sum(record.status == "error" for record in records)
    missing = f", {errors} of them errors without a measurement (again: --retry-errors)" if errors else ""
    print(f"{len(records)} episodes in {arguments.out} ({time.perf_counter() - started:.1f} s){missing}")
    return 0
