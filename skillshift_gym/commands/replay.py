"""`skillshift replay`: recorded episodes, step by step the same."""

from __future__ import annotations

import argparse
from pathlib import Path

from .arguments import Commands, add_command, conditions, names


def add(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = add_command(commands, "replay", _replay, "repeat recorded episodes and check that every step is the same")
    parser.add_argument("run", type=Path, help="folder of a run made with --record")
    parser.add_argument("--tasks", type=names, default=(), help="comma-separated task ids; all by default")
    parser.add_argument(
        "--condition", type=conditions, default=(), help="comma-separated conditions; all of the run by default"
    )
    parser.add_argument("--workers", type=int, default=None, help="parallel processes; one per core by default")


def _replay(arguments: argparse.Namespace) -> int:
    from ..evaluation.replay import replay_run

    found = list(replay_run(arguments.run, arguments.tasks, arguments.condition, arguments.workers))
    different = sorted((r for r in found if r.difference), key=lambda r: r.name)
    for result in different:
        print(f"DIFFERENT {result.name}, {result.difference}")
    steps = sum(r.steps for r in found)
    print(f"{len(found)} episodes, {steps} steps, {len(different)} difference{'' if len(different) == 1 else 's'}")
    return 1 if different else 0
