"""`skillshift tables`: the paper's two tables and its question of relearning, from scratch; a stopped one goes on."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

from .arguments import Commands, add_command, bars, sites

if TYPE_CHECKING:
    from ..evaluation.study.arms import BankPlan
    from ..evaluation.study.running import Study

PARTS = ("methods", "library", "relearning")


def add(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = add_command(
        commands, "tables", _tables, "learn, run and print the paper's tables; the same command goes on"
    )
    parser.add_argument("--site", type=sites, default=sites("all"), help="comma-separated sites; all by default")
    parser.add_argument("--only", choices=PARTS, action="append", default=[], help="one part; all by default")
    parser.add_argument("--workers", type=int, default=None, help="parallel processes; one per core by default")
    parser.add_argument(
        "--record",
        action="store_true",
        help="write every episode's trajectory and count skill calls again from them; exit code 1 when they differ",
    )
    parser.add_argument("--out", type=Path, required=True, help="folder of banks, runs and tables")


def _tables(arguments: argparse.Namespace) -> int:
    from ..agents.induction.teaching import read_accounts
    from ..evaluation.study.running import Study
    from ..files import write_atomically

    started = time.perf_counter()
    study = Study(arguments.out, arguments.site, _learn, read_accounts, arguments.workers, arguments.record)
    for part in arguments.only or PARTS:
        text = _PARTS[part](study)
        write_atomically(arguments.out / f"{part}.md", text)
        print(text)
    differ = study.recount() if arguments.record else {}
    for arm, found in differ.items():
        print(f"{arm}: {'; '.join(found) or 'the trajectories show the same skill calls'}", file=sys.stderr)
    print(f"{time.perf_counter() - started:.1f} s", file=sys.stderr)
    return 1 if any(differ.values()) else 0


def _learn(plan: BankPlan, site: str, folder: Path) -> None:
    """Learns a bank, unless the same lesson's is there; one of another lesson is an error."""
    from ..agents.induction.lesson import Lesson
    from ..agents.induction.protocol import lessons
    from ..agents.induction.teaching import learned_before, teach_into

    tasks = tuple(lessons(site, plan.protocol, plan.per_family))
    bar = bars(f"{plan.name} {site}")
    lesson = Lesson(site, plan.condition, plan.protocol, tasks, progress=bar)
    if not learned_before(plan.method, lesson, folder):
        teach_into(plan.method, lesson, folder)


def _methods(study: Study) -> str:
    from ..evaluation.study.arms import REFERENCE, methods
    from ..evaluation.study.tables import INTERVALS, against, kept_table, methods_table, published_block

    base = study.rows(REFERENCE)
    arms = [study.rows(arm) for protocol in ("heldout", "published") for arm in methods(protocol)]
    return _text(
        "Table 1: four methods and the executor without skills, in every cell that exists",
        f"Methods without a model: rule induction. Heldout: learned on train instances, every benchmark task is unseen. Published: learned on the "
        f"benchmark's own tasks under src, every task is seen (SkillWeaver and WALT explore and read no goal, so that they have one bank). {study.sizes()} {INTERVALS}",
        ("", methods_table([base, *arms], study.sites)),
        ("Share of source success kept", kept_table([base, *arms], study.sites)),
        ("With skills minus without, paired", against(base, arms, study.sites)),
        ("What was learned", study.accounts(methods("heldout") + methods("published"))),
        ("Published numbers", published_block()),
    )


def _library(study: Study) -> str:
    from ..evaluation.study.arms import PRIOR, reranking
    from ..evaluation.study.tables import INTERVALS, advantage_table, against, library_table

    base, *arms = (study.rows(arm) for arm in reranking())
    return _text(
        "Table 3: one frozen library, other ways of choosing",
        f"The library is ASI's (rule induction, heldout). `{PRIOR.name}` is the prior alone. {study.sizes()} {INTERVALS}",
        ("", library_table(base, arms, study.sites)),
        ("Cumulative failure advantage over the prior", advantage_table(base, arms, study.sites)),
        (
            "Paired differences to the prior",
            against(base, arms, study.sites),
        ),
    )


def _relearning(study: Study) -> str:
    from ..evaluation.study.arms import TARGETS, relearning
    from ..evaluation.study.tables import INTERVALS, against, relearning_table

    arms = relearning()
    rows = [study.rows(arm, TARGETS) for arm in arms]
    return _text(
        "Relearn or adapt, on the target cells",
        f"Learning cost is that of learning on the target; the source library is there already. {study.sizes()} {INTERVALS}",
        ("", relearning_table(rows, study.costs(arms), study.sites, TARGETS)),
        ("Paired differences to the frozen prior", against(rows[0], rows[1:], study.sites, TARGETS)),
        ("What was learned", study.accounts([a for a in arms if a.bank is not None])),
    )


def _text(title: str, about: str, *parts: tuple[str, str]) -> str:
    blocks = [f"## {heading}\n\n{text}" if heading else text for heading, text in parts]
    return "\n\n".join([f"# {title}", about, *blocks]) + "\n"


_PARTS: Mapping[str, Callable[[Study], str]] = {"methods": _methods, "library": _library, "relearning": _relearning}
