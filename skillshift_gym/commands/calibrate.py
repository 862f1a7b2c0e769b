"""`skillshift calibrate`: whether this installation makes the numbers the package shipped with."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from .arguments import Commands, add_cells, add_command, budget, names

if TYPE_CHECKING:
    from ..evaluation.anchor import Anchor


def add(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = add_command(
        commands,
        "calibrate",
        _calibrate,
        "run the reference agent and compare: exit 0 match, 1 deviates, 2 cannot judge",
    )
    mode = parser.add_mutually_exclusive_group()
    mode.add_argument("--exact", action="store_true", help="success and steps of every task (default)")
    mode.add_argument(
        "--published", action="store_true", help="the published rule: a few tasks, three sigma; says what it cannot see"
    )
    mode.add_argument("--update", action="store_true", help="for maintainers: write a new anchor")
    add_cells(parser)
    parser.add_argument("--tasks", type=names, default=(), help="comma-separated task ids, with --exact")
    parser.add_argument(
        "--budget",
        type=budget,
        default="task",
        help="'task' or a number of actions; another than the anchor's cannot be judged",
    )
    parser.add_argument("--anchor", type=Path, default=None, help="another anchor than the package's")
    parser.add_argument(
        "--workers", type=int, default=None, help="parallel processes; one per core by default, 0 for none"
    )
    parser.add_argument("--quiet", action="store_true", help="show no progress bar")


def _calibrate(arguments: argparse.Namespace) -> int:
    from ..errors import UsageError
    from ..evaluation.anchor import ANCHOR, read_anchor

    if arguments.tasks and (arguments.update or arguments.published):
        raise UsageError("--tasks goes with --exact only")
    path = arguments.anchor or ANCHOR
    if arguments.update:
        return _update(arguments, path)
    anchor = read_anchor(path)
    return _published(arguments, anchor) if arguments.published else _exact(arguments, anchor)


def _exact(arguments: argparse.Namespace, anchor: Anchor) -> int:
    from ..evaluation.anchor import reference_run
    from ..evaluation.calibration import calibrate, describe
    from ..tasks.registry import task_of

    named = {task_of(task).site for task in arguments.tasks}
    sites = [site for site in arguments.site if not named or site in named]
    info = reference_run(sites, arguments.condition, arguments.tasks, arguments.budget)
    found = calibrate(anchor, info, arguments.workers, progress=not arguments.quiet)
    print(describe(found))
    return found.code


def _published(arguments: argparse.Namespace, anchor: Anchor) -> int:
    from ..evaluation.anchor import reference_run
    from ..evaluation.calibration import measure, obstacles
    from ..evaluation.published_rule import Judgement, describe, judge, subset, too_few

    why = [text for site in arguments.site for text in too_few(site)]
    tasks = [] if why else [task for site in arguments.site for task in subset(site)]
    info = reference_run(arguments.site, arguments.condition, tasks, arguments.budget)
    why += obstacles(anchor, info)
    found = Judgement([], why) if why else judge(anchor, measure(info, arguments.workers, progress=not arguments.quiet))
    print(describe(found))
    return found.code


def _update(arguments: argparse.Namespace, path: Path) -> int:
    from ..errors import UsageError
    from ..evaluation.anchor import read_anchor, write_anchor
    from ..evaluation.calibration import update
    from ..registration import CONDITIONS

    if arguments.budget != "task" or arguments.condition != tuple(CONDITIONS):
        raise UsageError(
            "an anchor has all six conditions and the tasks' own budgets: --update without --condition, --budget"
        )
    kept = read_anchor(path) if path.is_file() else None
    write_anchor(update(arguments.site, kept, arguments.workers, progress=not arguments.quiet), path)
    print(f"written: {path}")
    return 0
