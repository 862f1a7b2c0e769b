"""`skillshift train`: a backbone trained on the train instances of the source version."""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from .arguments import Commands, add_command, sites


def add(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = add_command(commands, "train", _train, "train a backbone by imitation of oracles, and write its weights")
    parser.add_argument("--backbone", choices=("ranker",), required=True, help="what to train")
    parser.add_argument("--site", type=sites, default="all", help="comma-separated sites; all by default")
    parser.add_argument("--seed", type=int, default=0, help="seed of everything drawn")
    parser.add_argument("--per-family", type=int, default=8, help="most train instances of a family")
    parser.add_argument("--quiet", action="store_true", help="show no progress bar")
    parser.add_argument("--out", type=Path, required=True, help="weight file to write")


def _train(arguments: argparse.Namespace) -> int:
    from tqdm import tqdm

    from ..agents.backbones.ranker import dump
    from ..agents.backbones.training import train
    from ..files import write_atomically

    started = time.perf_counter()
    trained = train(
        arguments.site,
        seed=arguments.seed,
        per_family=arguments.per_family,
        progress=lambda tasks: tqdm(tasks, desc="oracles", unit="task", disable=arguments.quiet, file=sys.stderr),
    )
    write_atomically(arguments.out, dump(*trained))
    facts = trained.provenance
    rates = ", ".join(f"{100 * facts['accuracy'][s]:.1f} % of {facts[s]['steps']} {s} steps" for s in ("train", "val"))
    print(f"{arguments.out}: the oracle's choice on {rates} ({time.perf_counter() - started:.1f} s)")
    return 0
