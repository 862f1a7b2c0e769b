"""A small chat model as the backbone of agents: records it, and prints what it comes to beside the lexical backbone.

    python benchmarks/chat_small_model.py --gguf qwen2.5-coder-1.5b-instruct-q4_k_m.gguf --record FILE
    python benchmarks/chat_small_model.py --replay FILE

The tasks are every k-th benchmark task of each site, ten of each. The arms are the reference agent, ASI with its shipped
bank, and MPCR over it; equal requests are asked once. A recording that was stopped goes on by the same command.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from skillshift_gym.agents.llm.local import LocalServer
from skillshift_gym.agents.llm.openai_chat import OpenAIChat
from skillshift_gym.agents.llm.recording import Recorded, read_recording
from skillshift_gym.evaluation.records import RunInfo, TaskRecord
from skillshift_gym.evaluation.runner import run
from skillshift_gym.evaluation.stats import wilson
from skillshift_gym.registration import SITES
from skillshift_gym.tasks import registry

MODEL = "qwen2.5-coder-1.5b"
TIMEOUT = 600  # seconds a call may take on a busy machine
CEILING = 7200.0  # seconds an episode may take
TOP = "16"  # candidates shown


class Arm(NamedTuple):
    """An agent with its settings and its bank."""

    agent: str
    settings: Mapping[str, str] = {}
    bank: str = ""


ARMS = {
    "reference": Arm("reference"),
    "asi": Arm("asi", bank="asi"),
    "mpcr": Arm("mpcr", {"proposer": "asi"}, "asi"),
}


def main(arguments: Sequence[str] | None = None) -> None:
    """Prints the table."""
    given = _parser().parse_args(arguments)
    with ExitStack() as stack:
        chat = {"backbone": "chat", **_said(given), **(_recording(given, stack) if given.record else {})}
        if given.replay:
            chat["replay"] = str(given.replay)
        for name in given.arm:
            arm = ARMS[name]
            for backbone, settings in ((f"{name}, chat", chat), (f"{name}, lexical", {})):
                records = episodes(arm, settings, given.site, given.per_site, given.condition)
                print("\n".join(rows(backbone, records, given.site)), flush=True)
    print("\n".join(totals(given.replay or given.record)))


def chosen(site: str, count: int) -> list[str]:
    """Returns every k-th benchmark task of a site, so many of them."""
    found = registry.task_ids(site, "bench")
    return list(found[:: max(1, len(found) // count)][:count])


def episodes(
    arm: Arm, settings: Mapping[str, str], sites: Sequence[str], count: int, condition: str
) -> list[TaskRecord]:
    """Returns the records of an arm on the chosen tasks, run in this process.

    Args:
        arm: The arm.
        settings: Settings of its backbone.
        sites: Sites.
        count: Tasks of each site.
        condition: Condition.
    """
    info = RunInfo(
        agent=arm.agent,
        agent_kwargs={**arm.settings, **settings},
        sites=tuple(sites),
        conditions=(condition,),
        tasks=tuple(task for site in sites for task in chosen(site, count)),
        bank=arm.bank,
        protocol="heldout" if arm.bank else "",
    )
    with TemporaryDirectory() as folder:
        return run(info, Path(folder), workers=0, ceiling=CEILING, progress=False)


def rows(name: str, records: Sequence[TaskRecord], sites: Sequence[str]) -> list[str]:
    """Returns a line for each site: successes, n, interval, steps; episodes without a measurement apart."""
    lines = []
    for site in sites:
        own = [r for r in records if r.site == site and r.status == "ok"]
        lost = [r for r in records if r.site == site and r.status == "error"]
        won = sum(r.success for r in own)
        interval = wilson(won, len(own))
        shown = f"[{100 * interval.low:.0f}, {100 * interval.high:.0f}] %" if interval else "none"
        steps = f"{sum(r.steps for r in own) / len(own):.1f}" if own else "none"
        errors = f", {len(lost)} errors: {lost[0].reason}" if lost else ""
        lines.append(f"{name}: {site}: success {won}/{len(own)}, Wilson 95 % {shown}, mean steps {steps}{errors}")
    return lines


def totals(path: Path) -> list[str]:
    """Returns lines about a recording: what it says of the model, requests, tokens, size."""
    header, entries = read_recording(path)
    first = sum(_chosen(e["reply"]["text"]) == _offered(e["request"])[0] for e in entries)
    prompt, written, cached = (sum(e["reply"]["usage"][i] or 0 for e in entries) for i in range(3))
    tokens = f"{prompt} tokens read ({cached} from the prompt cache), {written} written"
    return [
        f"{path}: {', '.join(f'{k}={v}' for k, v in header.items())}",
        f"{len(entries)} different requests, {tokens}; {path.stat().st_size / 1000:.0f} kB",
        f"the first candidate shown was chosen in {first} of {len(entries)}",
    ]


def _chosen(text: str) -> str:
    """Returns the choice of a reply, empty for one that is none."""
    try:
        return str(json.loads(text)["choice"])
    except (ValueError, KeyError, TypeError):
        return ""


def _offered(request: Mapping[str, Any]) -> list[str]:
    found: list[str] = request["schema"]["properties"]["choice"]["enum"]
    return found


def _said(given: argparse.Namespace) -> dict[str, str]:
    """Returns the settings of the backbone that decide what is asked: those given, or those of the recording."""
    if given.replay:
        header, _ = read_recording(given.replay)
        return dict(header["settings"])
    return {"top": TOP, **dict(pair.split("=", 1) for pair in given.backbone_arg)}


def _recording(given: argparse.Namespace, stack: ExitStack) -> dict[str, str]:
    """Starts the server, writes the recording's header, and returns the settings that ask the one for the other."""
    server = stack.enter_context(LocalServer(given.gguf, threads=given.threads))
    tasks = [task for site in given.site for task in chosen(site, given.per_site)]
    about = {"arms": list(ARMS), "settings": _said(given), "condition": given.condition, "tasks": tasks}
    Recorded(OpenAIChat(MODEL, server.base_url), given.record, "record", {**server.header(), **about})
    return {"model": MODEL, "base_url": server.base_url, "timeout": str(TIMEOUT), "record": str(given.record)}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    files = parser.add_mutually_exclusive_group(required=True)
    files.add_argument("--record", type=Path, help="file to write, with the model's replies")
    files.add_argument("--replay", type=Path, help="file to take the replies from")
    parser.add_argument("--gguf", default="", help="the model's file; by default what SKILLSHIFT_GGUF names")
    parser.add_argument("--threads", type=int, default=0, help="of the server; one per core by default")
    parser.add_argument("--arm", nargs="+", default=list(ARMS), choices=list(ARMS), help="agents")
    parser.add_argument(
        "--backbone-arg", action="append", default=[], metavar="NAME=VALUE", help="setting of the backbone"
    )
    parser.add_argument("--site", nargs="+", default=list(SITES), help="sites")
    parser.add_argument("--condition", default="src", help="condition")
    parser.add_argument("--per-site", type=int, default=10, help="tasks of each site")
    return parser


if __name__ == "__main__":
    main()
