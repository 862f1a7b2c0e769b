"""The `skillshift` command."""

from __future__ import annotations

import argparse
import os
import sys
import time
from collections.abc import Callable, Sequence
from itertools import product
from pathlib import Path

from . import __version__
from .errors import SkillShiftError
from .registration import CONDITIONS, SITES, env_id


def main(argv: Sequence[str] | None = None) -> int:
    """Runs the command and returns its exit code: 0 done, 1 a check failed, 2 wrong usage, 130 interrupted."""
    arguments = _parser().parse_args(argv)
    command: Callable[[argparse.Namespace], int] = arguments.command
    try:
        return command(arguments)
    except (SkillShiftError, OSError) as error:
        print(f"skillshift: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        print("skillshift: interrupted; what was done is kept, the same command goes on", file=sys.stderr)
        return 130


def _envs(arguments: argparse.Namespace) -> int:
    from .tasks.registry import families

    print("| id | site | version | bench tasks |\n|---|---|---|---|")
    for site in SITES:
        for condition, preset in CONDITIONS.items():
            print(f"| {env_id(site, condition)} | {site} | {preset.version} | {len(families(site))} |")
    return 0


def _run(arguments: argparse.Namespace) -> int:
    from .evaluation.records import RunInfo
    from .evaluation.runner import run

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
    )
    started = time.perf_counter()
    records = run(info, arguments.out, workers=arguments.workers, progress=not arguments.quiet)
    errors = sum(record.status == "error" for record in records)
    missing = f", {errors} of them errors without a measurement" if errors else ""
    print(f"{len(records)} episodes in {arguments.out} ({time.perf_counter() - started:.1f} s){missing}")
    return 0


def _report(arguments: argparse.Namespace) -> int:
    from .evaluation.report import HTML, write_report

    print(write_report(arguments.run))
    print(f"written: {arguments.run / HTML}")
    return 0


def _verify(arguments: argparse.Namespace) -> int:
    from .evaluation.verify import table, verify

    findings = []
    for site, browser in product(arguments.site, arguments.browser):
        started = time.perf_counter()
        found = verify(site, arguments.condition, arguments.tasks, browser, arguments.workers)
        print(f"## {site}, browser {browser} ({time.perf_counter() - started:.1f} s)\n\n{table(found)}\n", flush=True)
        findings += found
    wrong = [f for f in findings if not f.ok]
    for finding in wrong:
        outcome = ("passed" if finding.success else "failed") if finding.played else "could not be played, stopped"
        print(
            f"WRONG {finding.task} {finding.condition}, {finding.run}: {outcome} after {finding.steps}; {finding.reason}"
        )
    return 1 if wrong else 0


def _serve(arguments: argparse.Namespace) -> int:
    from .sites.serve import serve

    serve(arguments.site[0], arguments.version, arguments.host, arguments.port)
    return 0


def _doctor(arguments: argparse.Namespace) -> int:
    from .doctor import examine

    return examine()


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="skillshift", description="Measure whether web-agent skills survive when the website changes."
    )
    parser.add_argument("--version", action="version", version=__version__)
    commands = parser.add_subparsers(required=True, metavar="command")

    def add(name: str, function: Callable[[argparse.Namespace], int], text: str) -> argparse.ArgumentParser:
        command = commands.add_parser(name, help=text, description=text)
        command.set_defaults(command=function)
        return command

    add("envs", _envs, "list the registered environments")
    _add_run(add("run", _run, "run an agent over cells; the same command continues a stopped run"))
    report = add("report", _report, "print a run's table and write its Markdown and HTML reports")
    report.add_argument("run", type=Path, help="folder of the run")
    check = add("verify", _verify, "prove every task solvable, and idle runs and near-misses rejected")
    _add_cells(check)
    check.add_argument("--tasks", type=_names, default=(), help="comma-separated task ids; all bench tasks by default")
    check.add_argument("--browser", type=_names, default=("dom",), help="comma-separated: dom (default), chromium")
    check.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="parallel processes; 0 for none")
    serving = add("serve", _serve, "show a site in your own browser")
    serving.add_argument("--site", type=_sites, default=("wordpress",), help=f"one of {', '.join(SITES)}")
    serving.add_argument("--version", default="v1", choices=("v1", "v2"), help="front end: v1 source, v2 target")
    serving.add_argument("--host", default="127.0.0.1", help="address to listen at")
    serving.add_argument("--port", type=int, default=8000, help="port to listen at; 0 picks a free one")
    add("doctor", _doctor, "say what this machine has, what is missing, and the command that fixes it")
    return parser


def _add_run(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--agent", required=True, help="reference, or module:Attribute")
    parser.add_argument(
        "--agent-arg", type=_pair, action="append", default=[], metavar="NAME=VALUE", help="argument of the agent"
    )
    _add_cells(parser)
    parser.add_argument("--split", default="bench", choices=("bench", "train", "val"), help="split of the tasks")
    parser.add_argument("--tasks", type=_names, default=(), help="comma-separated task ids in place of a whole split")
    parser.add_argument("--seed", type=int, default=0, help="seed of every episode")
    parser.add_argument("--browser", default="dom", help="dom (default) or chromium")
    parser.add_argument("--budget", type=_budget, default="task", help="'task' or a number of actions")
    parser.add_argument("--workers", type=int, default=None, help="parallel processes; one per core by default")
    parser.add_argument("--quiet", action="store_true", help="show no progress bar")
    parser.add_argument("--out", type=Path, required=True, help="folder of the run")


def _add_cells(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--site", type=_sites, default=tuple(SITES), help="comma-separated sites; all by default")
    parser.add_argument(
        "--condition", type=_conditions, default=tuple(CONDITIONS), help="comma-separated conditions; all by default"
    )


def _names(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for name in text.split(",") if name.strip()))


def _known(text: str, known: Sequence[str]) -> tuple[str, ...]:
    names = tuple(known) if text == "all" else _names(text)
    if not names:
        raise argparse.ArgumentTypeError(f"expected some of {', '.join(known)}, got {text!r}")
    for name in names:
        if name not in known:
            raise argparse.ArgumentTypeError(f"expected some of {', '.join(known)}, got {name!r}")
    return names


def _sites(text: str) -> tuple[str, ...]:
    return _known(text, tuple(SITES))


def _conditions(text: str) -> tuple[str, ...]:
    return _known(text, tuple(CONDITIONS))


def _budget(text: str) -> str | int:
    if text == "task":
        return text
    if text.isdecimal() and int(text) > 0:
        return int(text)
    raise argparse.ArgumentTypeError(f"expected 'task' or a positive number of actions, got {text!r}")


def _pair(text: str) -> tuple[str, str]:
    name, separator, value = text.partition("=")
    if not separator or not name:
        raise argparse.ArgumentTypeError(f"expected NAME=VALUE, got {text!r}")
    return name, value


if __name__ == "__main__":
    sys.exit(main())
