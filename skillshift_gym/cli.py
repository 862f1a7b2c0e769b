"""The `skillshift` command."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from . import __version__
from .commands import (
    bank,
    calibrate,
    envs,
    export,
    leaderboard,
    learn,
    record,
    regret,
    replay,
    report,
    run,
    serve,
    tables,
    train,
    validate,
    verify,
    view,
)
from .commands.arguments import Command
from .errors import SkillShiftError

_COMMANDS = (
    envs,
    run,
    report,
    validate,
    calibrate,
    leaderboard,
    verify,
    replay,
    view,
    export,
    bank,
    record,
    learn,
    tables,
    train,
    regret,
    serve,
)


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit code: 0 done, 1 a check failed, 2 wrong usage, 130 interrupted."""
    arguments = _parser().parse_args(argv)
    command: Command = arguments.command
    try:
        return command(arguments)
    except (SkillShiftError, OSError) as error:
        print(f"skillshift: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("skillshift: interrupted; what was done is kept, the same command goes on", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="skillshift", description="Measure whether web-agent skills survive when the website changes."
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="command")
    for module in _COMMANDS:
        module.add(commands)
    return parser


if __name__ == "__main__":
    sys.exit(main())
