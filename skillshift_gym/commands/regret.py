"""`skillshift regret`: how SWOP's regret grows with the episodes and with the variation of the world; `--web` for sites."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from . import regret_web
from .arguments import Commands, add_command, names

REPORT = "regret.md"


def add(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = add_command(
        commands, "regret", _regret, "measure the regret of SWOP on tabular worlds and fit how it grows with K and V"
    )
    parser.add_argument("--world", type=names, default=None, help="comma-separated worlds; all by default")
    parser.add_argument("--episodes", type=numbers, default=None, help="values of K; 1000 to 16000 by default")
    parser.add_argument("--variation", type=numbers, default=None, help="values of V; 0 to 64 by default")
    parser.add_argument("--seeds", type=int, default=None, help="number of seeds; 20 by default")
    parser.add_argument(
        "--workers", type=int, default=None, help="parallel processes; one a core by default, 0 for none"
    )
    parser.add_argument("--quiet", action="store_true", help="show no progress bar")
    parser.add_argument(
        "--out", type=Path, required=True, help="folder of results, tables and charts; what it has is not run again"
    )
    regret_web.add_arguments(parser)


def numbers(text: str) -> tuple[float, ...]:
    """Returns comma-separated numbers >= 0, each once, in order."""
    try:
        found = sorted({float(number) for number in names(text)})
    except ValueError:
        raise argparse.ArgumentTypeError(f"expected comma-separated numbers, got {text!r}") from None
    if not found or not 0 <= found[0] <= found[-1] < float("inf"):
        raise argparse.ArgumentTypeError(f"expected numbers >= 0, got {text!r}")
    return tuple(found)


def _regret(arguments: argparse.Namespace) -> int:
    from ..agents.swop import findings, sweep
    from ..errors import UsageError
    from ..files import write_atomically

    if arguments.web:
        return regret_web.run(arguments, _bar(arguments.quiet))
    started = time.perf_counter()
    seeds = sweep.SEEDS if arguments.seeds is None else arguments.seeds
    episodes = [int(k) for k in arguments.episodes or sweep.EPISODES]
    if seeds < 2 or min(episodes) < 16:
        raise UsageError(f"expected at least 2 seeds and 16 episodes, got {seeds} and {min(episodes)}")
    jobs = sweep.jobs(arguments.world or tuple(sweep.WORLDS), episodes, arguments.variation or sweep.VARIATIONS, seeds)
    results = sweep.sweep(jobs, arguments.out, arguments.workers, _bar(arguments.quiet))
    report = findings.markdown(results)
    write_atomically(arguments.out / REPORT, f"{findings.legend()}\n{report}")
    for name, chart in findings.charts(results).items():
        write_atomically(arguments.out / name, chart)
    print(report)
    print(f"written: {arguments.out / REPORT} and its charts ({time.perf_counter() - started:.0f} s)")
    return 0 if all(criterion.met for criterion in findings.criteria(results)) else 1


def _bar(quiet: bool) -> Callable[[Iterable[Any], int], Iterable[Any]]:
    """Returns what shows results as they come."""
    from tqdm import tqdm

    def shown(results: Iterable[Any], total: int) -> Iterable[Any]:
        return tqdm(results, total=total, desc="runs", unit="run", disable=quiet or not total, file=sys.stderr)

    return shown
