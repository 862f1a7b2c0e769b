"""`skillshift export`: recorded episodes in the form of other tools."""

from __future__ import annotations

import argparse
from pathlib import Path

from .arguments import Commands, add_cells, add_command, names


def add(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = add_command(commands, "export", _export, "write recorded episodes as a Minari dataset")
    parser.add_argument("run", type=Path, help="folder of a run made with --record")
    parser.add_argument(
        "--minari",
        required=True,
        metavar="NAME",
        help="dataset id, such as skillshift/{site}-{condition}/reference-v0; with {site} and {condition}, one a cell",
    )
    parser.add_argument("--tasks", type=names, default=(), help="comma-separated task ids; all by default")
    add_cells(parser)


def _export(arguments: argparse.Namespace) -> int:
    from ..evaluation.minari_export import export_run

    for name, episodes, steps in export_run(
        arguments.run, arguments.minari, arguments.site, arguments.condition, arguments.tasks
    ):
        print(f"{name}: {episodes} episodes, {steps} steps")
    return 0
