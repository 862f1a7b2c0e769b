"""`skillshift regret --web`: SWOP, MPCR and the prior on streams of web episodes whose conditions change."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterable
from typing import Any

from .arguments import names, sites

REPORT = "stream.md"
EPISODES = 360


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Adds the arguments that belong to `--web`."""
    from ..registration import SITES

    web = parser.add_argument_group("with --web", "--episodes is one K, 360 by default; --seeds is 1 by default")
    web.add_argument("--web", action="store_true", help="play streams of web episodes in place of tabular worlds")
    web.add_argument("--site", type=sites, default=tuple(SITES), help="comma-separated sites; all by default")
    web.add_argument("--kind", type=names, default=None, help="kinds of streams: jump, drift, season; all by default")
    web.add_argument("--arms", type=names, default=None, help="comma-separated arms beside the prior; all by default")
    web.add_argument(
        "--bank", default="", help="bank of the executor, or a folder of them; the recorded one by default"
    )
    web.add_argument("--proposer", default="executor", help="agent whose proposals all arms choose from, such as asi")
    web.add_argument(
        "--calls", type=int, default=6, help="most calls of a skill in a condition behind V_K; 6 by default"
    )


def run(arguments: argparse.Namespace, bar: Callable[[Iterable[Any], int], Iterable[Any]]) -> int:
    """Plays the streams that are missing, and writes tables and charts.

    Raises:
        UsageError: An argument is wrong, or the folder holds other streams.
    """
    from ..agents.swop import web_findings
    from ..agents.swop.web_study import Study, study
    from ..errors import UsageError
    from ..files import write_atomically

    started = time.perf_counter()
    episodes = [int(k) for k in arguments.episodes or (EPISODES,)]
    if len(episodes) > 1 or arguments.world or arguments.variation:
        raise UsageError("--web: expected one number of --episodes, and neither --world nor --variation")
    given = {"kinds": arguments.kind, "arms": arguments.arms, "seeds": arguments.seeds}
    chosen = Study(
        arguments.site, episodes[0], arguments.out, bank=arguments.bank, proposer=arguments.proposer,
        calls=arguments.calls, **{name: value for name, value in given.items() if value is not None},
    )  # fmt: skip
    results = study(chosen, arguments.workers, bar)
    report = web_findings.markdown(results)
    write_atomically(arguments.out / REPORT, report)
    for played in results:
        write_atomically(arguments.out / f"{played.stream.name}.svg", web_findings.chart(played))
    print(report)
    print(f"written: {arguments.out / REPORT} and its charts ({time.perf_counter() - started:.0f} s)")
    return 0
