"""`skillshift verify`: every task solvable, and idle runs and near-misses rejected."""

from __future__ import annotations

import argparse
import json
import os
import time
from itertools import product
from typing import Any

from .arguments import Commands, add_cells, add_command, names, pair


def add(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = add_command(
        commands, "verify", _verify, "prove every task solvable, and idle runs and near-misses rejected"
    )
    add_cells(parser)
    parser.add_argument("--tasks", type=names, default=(), help="comma-separated task ids; all bench tasks by default")
    parser.add_argument("--browser", type=names, default=("dom",), help="comma-separated: dom (default), chromium")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="parallel processes; 0 for none")
    parser.add_argument(
        "--preset", type=_setting, action="append", default=[], metavar="NAME=VALUE",
        help="argument of the conditions' shift in place of the registered one, such as schedule=periodic(2); prints the "
        "budgets that the tasks then need",
    )  # fmt: skip


def _setting(text: str) -> tuple[str, Any]:
    """Returns a name and a value: JSON where it is JSON, else the text itself."""
    name, value = pair(text)
    try:
        return name, json.loads(value)
    except json.JSONDecodeError:
        return name, value


def _chosen(arguments: argparse.Namespace) -> list[tuple[str, tuple[str, ...]]]:
    """Returns the sites and their chosen tasks; with tasks chosen, a site without any is left out."""
    from ..tasks.registry import task_of

    if not arguments.tasks:
        return [(site, ()) for site in arguments.site]
    by_site = {site: tuple(t for t in arguments.tasks if task_of(t).site == site) for site in arguments.site}
    return [(site, tasks) for site, tasks in by_site.items() if tasks]


def _needs(arguments: argparse.Namespace) -> int:
    from ..evaluation.presets import needs, needs_table

    preset = dict(arguments.preset)
    for (site, tasks), condition, browser in product(_chosen(arguments), arguments.condition, arguments.browser):
        found = needs(site, condition, preset, tasks, browser)
        print(f"## {site}, browser {browser}\n\n{needs_table(condition, found)}\n", flush=True)
    return 0


def _verify(arguments: argparse.Namespace) -> int:
    if arguments.preset:
        return _needs(arguments)
    from ..evaluation.verify import table, verify

    findings = []
    for (site, tasks), browser in product(_chosen(arguments), arguments.browser):
        started = time.perf_counter()
        found = verify(site, arguments.condition, tasks, browser, arguments.workers)
        print(f"## {site}, browser {browser} ({time.perf_counter() - started:.1f} s)\n\n{table(found)}\n", flush=True)
        findings += found
    wrong = [f for f in findings if not f.ok]
    for finding in wrong:
        outcome = ("passed" if finding.success else "failed") if finding.played else "could not be played, stopped"
        print(
            f"WRONG {finding.task} {finding.condition}, {finding.run}: {outcome} after {finding.steps}; {finding.reason}"
        )
    return 1 if wrong else 0
