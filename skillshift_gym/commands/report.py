"""`skillshift report`: a run's table, two runs compared, and the files of a submission."""

from __future__ import annotations

import argparse
from datetime import date
from pathlib import Path

from .arguments import Commands, add_command

_TEXTS = {
    "name": "name of the entry",
    "method": "name of the method; the agent's by default",
    "model": "name of the model; the agent's `model` or `backbone` argument by default",
    "contact": "who answers questions",
    "description": "what the method does",
    "paper-url": "its paper",
    "code-url": "its code",
}


def add(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = add_command(
        commands,
        "report",
        _report,
        "a run's table and reports; two runs compared; --receipt: the files of a submission",
    )
    parser.add_argument(
        "run", type=Path, nargs="+", help="folder of the run; two folders compare the second with the first"
    )
    parser.add_argument("--receipt", action="store_true", help="write the results file and its receipt as well")
    parser.add_argument(
        "--recount", action="store_true", help="count skill calls again from the recorded trajectories; exit code 1 when they differ"
    )  # fmt: skip
    group = parser.add_argument_group("with --receipt")
    for option, text in _TEXTS.items():
        group.add_argument(f"--{option}", default="", help=text)
    group.add_argument("--date", default=None, help="day of the submission, such as 2026-01-31; today by default")
    group.add_argument("--temperature", type=float, default=None, help="sampling temperature of the model")
    group.add_argument("--vision", action="store_true", help="the model saw pictures")
    group.add_argument("--out", type=Path, default=None, help="folder of the two files; that of the run by default")
    group.add_argument(
        "--allow-errors", action="store_true", help="accept tasks without a measurement, and say how many"
    )


def _report(arguments: argparse.Namespace) -> int:
    from ..errors import UsageError
    from ..evaluation.report import HTML, write_report

    if len(arguments.run) > 2 or (arguments.receipt and len(arguments.run) > 1):
        raise UsageError(f"expected one run, or two to compare without --receipt; got {len(arguments.run)}")
    if len(arguments.run) == 2:
        return _compare(*arguments.run)
    run = arguments.run[0]
    print(write_report(run))
    print(f"written: {run / HTML}")
    code = _recount(run) if arguments.recount else 0
    return _receipt(arguments, run) or code if arguments.receipt else code


def _recount(run: Path) -> int:
    from ..evaluation.recount import differences

    found = differences(run)
    print("\n".join(found) or "recount: the trajectories show the same skill calls, code by code, cell by cell")
    return 1 if found else 0


def _compare(first: Path, second: Path) -> int:
    from ..evaluation.comparison import compare, markdown

    print(markdown(compare(first, second)), end="")
    return 0


def _receipt(arguments: argparse.Namespace, run: Path) -> int:
    from ..evaluation.submission import Entry, write_submission

    texts = {name: getattr(arguments, name) for name in (option.replace("-", "_") for option in _TEXTS)}
    entry = Entry(
        date=arguments.date or date.today().isoformat(),
        temperature=arguments.temperature,
        vision=arguments.vision,
        **texts,
    )
    for path in write_submission(run, entry, arguments.out, allow_errors=arguments.allow_errors):
        print(f"written: {path}")
    return 0
