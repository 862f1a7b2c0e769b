"""`skillshift leaderboard`: a table of results files."""

from __future__ import annotations

import argparse
from pathlib import Path

from .arguments import Commands, add_command
from .validate import validate


def add(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = add_command(
        commands, "leaderboard", _leaderboard, "a table of results files; exit 1 when one is refused, with the reason"
    )
    parser.add_argument(
        "files",
        type=Path,
        nargs="+",
        help="results files, or folders of them; `check FILE` is `skillshift validate FILE`",
    )
    parser.add_argument("--html", type=Path, default=None, help="write the table as an HTML page as well")
    parser.add_argument(
        "--allow-errors", action="store_true", help="accept tasks without a measurement, and say how many"
    )


def _leaderboard(arguments: argparse.Namespace) -> int:
    from ..evaluation.leaderboard import build, html, markdown
    from ..files import write_atomically

    if arguments.files[0] == Path("check"):
        return _check(arguments)
    board = build(arguments.files, allow_errors=arguments.allow_errors)
    print(markdown(board), end="")
    if arguments.html:
        write_atomically(arguments.html, html(board))
        print(f"\nwritten: {arguments.html}")
    return 1 if board.refused else 0


def _check(arguments: argparse.Namespace) -> int:
    """The published name of `validate`, for any number of files."""
    options = {"records": None, "allow_errors": arguments.allow_errors}
    return max((validate(argparse.Namespace(file=file, **options)) for file in arguments.files[1:]), default=2)
