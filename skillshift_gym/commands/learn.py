"""`skillshift learn`: a method learns skills on a site and writes its bank."""

from __future__ import annotations

import argparse
import time
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..evaluation.loading import METHODS
from ..registration import CONDITIONS
from .arguments import Commands, add_command, bars, pair, sites

if TYPE_CHECKING:
    from ..agents.induction.lesson import Sampling
    from ..agents.llm.model import Account, ChatModel


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
    parser.add_argument(
        "--inducer",
        choices=("rules", "chat"),
        default="rules",
        help="what writes the skills: rules (default) or a chat model",
    )
    parser.add_argument(
        "--inducer-arg", type=pair, action="append", default=[], metavar="NAME=VALUE",
        help="setting of the chat model that writes: model, provider, base_url, record, replay, ...",
    )  # fmt: skip
    parser.add_argument("--seed", type=int, default=0, help="seed of everything drawn")
    parser.add_argument("--quiet", action="store_true", help="show no progress bar")
    parser.add_argument("--out", type=Path, required=True, help="folder of the banks, one file a site")


def _learn(arguments: argparse.Namespace) -> int:
    from ..agents.induction.lesson import Lesson
    from ..agents.induction.protocol import lessons
    from ..agents.induction.teaching import bank_file, teach_into

    inducer, sampling = _inducer(arguments)
    for site in arguments.site:
        started = time.perf_counter()
        lesson = Lesson(
            site, arguments.condition, arguments.protocol, tuple(lessons(site, arguments.protocol, arguments.per_family, arguments.seed)),
            arguments.seed, arguments.backbone, dict(arguments.backbone_arg),
            bars(f"{arguments.method} {site}", quiet=arguments.quiet), inducer, sampling,
        )  # fmt: skip
        learned = teach_into(arguments.method, lesson, arguments.out)
        path = bank_file(arguments.out, site)
        funnel = ", ".join(f"{stage} {number}" for stage, number in learned.funnel.items())
        spent = f"{learned.episodes} episodes, {learned.steps} steps, {time.perf_counter() - started:.1f} s"
        print(f"{path}: {len(learned.bank.skills)} skills ({spent}); {funnel}; hash {learned.bank.hash[:16]}")
        if inducer is not None and learned.account is not None:
            print(f"written by {inducer.name}: {_bill(learned.account)}")
    return 0


def _inducer(arguments: argparse.Namespace) -> tuple[ChatModel | None, Sampling]:
    """Returns the model that writes, None for the rules, and how it is asked."""
    from ..agents.induction.lesson import Sampling
    from ..agents.written.settings import inducer_of

    if arguments.inducer == "chat":
        return inducer_of(dict(arguments.inducer_arg))
    if arguments.inducer_arg:
        raise UsageError(
            f"--inducer-arg {arguments.inducer_arg[0][0]}: expected --inducer chat beside it, got --inducer rules"
        )
    return None, Sampling()


def _bill(account: Account) -> str:
    """Returns calls, tokens and cost in words; what is not known is said to be so, and why."""
    said = account.summary()
    tokens = (
        "unknown tokens"
        if said["prompt_tokens"] is None
        else f"{said['prompt_tokens']} tokens read, {said['completion_tokens']} written"
    )
    cost = f"cost unknown ({said['reason']})" if said["usd"] is None else f"{said['usd']:.4f} USD"
    return f"{said['calls']} calls, {tokens}, {cost}"
