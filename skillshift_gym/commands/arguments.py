"""Arguments that several subcommands share, and their types."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from ..registration import CONDITIONS, SITES

Command = Callable[[argparse.Namespace], int]
Commands = Any  # what `add_subparsers` returns; argparse names it privately


def add_command(commands: Commands, name: str, function: Command, text: str) -> argparse.ArgumentParser:
    """Returns the parser of a new subcommand.

    Args:
        commands: What `add_subparsers` returned.
        name: Name of the subcommand.
        function: Does the work and returns the exit code.
        text: One line that says what it does.
    """
    parser: argparse.ArgumentParser = commands.add_parser(name, help=text, description=text)
    parser.set_defaults(command=function)
    return parser


def add_cells(parser: argparse.ArgumentParser) -> None:
    """Adds `--site` and `--condition`."""
    parser.add_argument("--site", type=sites, default=tuple(SITES), help="comma-separated sites; all by default")
    parser.add_argument(
        "--condition", type=conditions, default=tuple(CONDITIONS), help="comma-separated conditions; all by default"
    )


def bars(name: str, *, quiet: bool = False) -> Callable[[Sequence[str]], Iterable[str]]:
    """Returns what shows progress over tasks, on standard error."""
    from tqdm import tqdm

    return lambda tasks: tqdm(tasks, desc=name, unit="task", disable=quiet, file=sys.stderr)


def names(text: str) -> tuple[str, ...]:
    """Returns comma-separated names, each once."""
    return tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def sites(text: str) -> tuple[str, ...]:
    """Returns site names; `all` stands for every site."""
    return _known(text, tuple(SITES))


def conditions(text: str) -> tuple[str, ...]:
    """Returns condition names; `all` stands for every condition."""
    return _known(text, tuple(CONDITIONS))


def budget(text: str) -> str | int:
    """Returns `task` or a positive number of actions."""
    if text == "task":
        return text
    if text.isdecimal() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"expected 'task' or a positive number of actions, got {text!r}")


def pair(text: str) -> tuple[str, str]:
    """Returns the two sides of `NAME=VALUE`."""
    name, separator, value = text.partition("=")
    if not separator or not name:
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE, got {text!r}")
    return name, value


def _known(text: str, known: Sequence[str]) -> tuple[str, ...]:
    chosen = tuple(known) if text == "all" else names(text)
    if not chosen:
        raise argparse.ArgumentTypeError(f"expected some of {', '.join(known)}, got {text!r}")
    for name in chosen:
        if name not in known:
            raise argparse.ArgumentTypeError(f"expected some of {', '.join(known)}, got {name!r}")
    return chosen
