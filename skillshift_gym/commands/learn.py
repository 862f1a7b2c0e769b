"""`skillshift learn`: a method learns skills on a site and writes its bank."""

from __future__ import annotations

import argparse
import time
from pathlib import Path

from ..evaluation.loading import METHODS
from ..registration import CONDITIONS
from .arguments import Commands, add_command, bars, pair, sites


def add(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = add_command(commands, "learn", _learn, "let a method learn skills on a site, and write its bank")
    parser.add_argument("--method", choices=METHODS, required=True, help="the method")
    parser.add_argument("--site", type=sites, default=sites("all"), help="comma-separated sites; all by default")
    parser.add_argument("--condition", choices=tuple(CONDITIONS), default="src", help="where it learns; src by default")
    parser.add_argument(
        "--protocol", choices=("heldout", "published"), default="heldout",
        help="heldout: on train instances (default); published: on the benchmark's own tasks",
    )  # fmt: skip
    parser.add_argument("--per-family", type=int, default=4, help="most tasks of a family; 4 by default")
    parser.add_argument("--backbone", default="lexical", help="what plays the episodes: lexical, ranker or chat")
    parser.add_argument(
        "--backbone-arg", type=pair, action="append", default=[], metavar="NAME=VALUE", help="argument of the backbone"
    )
    parser.add_argument("--seed", type=int, default=0, help="seed of everything drawn")
    parser.add_argument("--quiet", action="store_true", help="show no progress bar")
    parser.add_argument("--out", type=Path, required=True, help="folder of the banks, one file a site")


def _learn(arguments: argparse.Namespace) -> int:
    from ..agents.induction.lesson import Lesson
    from ..agents.induction.protocol import lessons
    from ..agents.induction.teaching import bank_file, teach_into

    for site in arguments.site:
        started = time.perf_counter()
        lesson = Lesson(
            site, arguments.condition, arguments.protocol, tuple(lessons(site, arguments.protocol, arguments.per_family, arguments.seed)),
            arguments.seed, arguments.backbone, dict(arguments.backbone_arg),
            bars(f"{arguments.method} {site}", quiet=arguments.quiet),
        )  # fmt: skip
        learned = teach_into(arguments.method, lesson, arguments.out)
        path = bank_file(arguments.out, site)
        funnel = ", ".join(f"{stage} {number}" for stage, number in learned.funnel.items())
        spent = f"{learned.episodes} episodes, {learned.steps} steps, {time.perf_counter() - started:.1f} s"
        print(f"{path}: {len(learned.bank.skills)} skills ({spent}); {funnel}; hash {learned.bank.hash[:16]}")
    return 0
