"""`skillshift view`: recorded episodes as pages to look at."""

from __future__ import annotations

import argparse
from pathlib import Path

from .arguments import Commands, add_command, conditions


def add(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = add_command(
        commands, "view", _view, "write a recorded task as an HTML page, two conditions side by side, step by step"
    )
    parser.add_argument("run", type=Path, help="folder of a run made with --record")
    parser.add_argument("--task", default="", help="task id; by default one that ends differently between conditions")
    parser.add_argument(
        "--condition", type=conditions, default=(), help="one or two conditions; by default two of different outcome"
    )
    parser.add_argument("--all", action="store_true", help="every recorded task, and a list of them")
    parser.add_argument(
        "--out", type=Path, default=None, help="the file, or the folder with --all; RUN/view by default"
    )


def _view(arguments: argparse.Namespace) -> int:
    from ..evaluation.view import view_all, view_task

    if arguments.all:
        path = view_all(arguments.run, arguments.condition, arguments.out)
    else:
        path = view_task(arguments.run, arguments.task, arguments.condition, arguments.out)
    print(f"written: {path}")
    return 0
