"""BrowserGym's side of `browsergym_cost.py`; runs in an environment of its own: URL and Chromium as arguments."""

from __future__ import annotations

import functools
import json
import statistics
import sys
import time
from collections.abc import Callable

from browsergym.core.env import BrowserEnv
from browsergym.core.task import OpenEndedTask
from playwright.sync_api import BrowserType

TIMES = 10


def main() -> None:
    """Prints the medians as one line of JSON."""
    url, chromium = sys.argv[1:]
    # Its chat window starts a browser of its own and takes no path.
    BrowserType.launch = functools.partialmethod(BrowserType.launch, executable_path=chromium)
    env = BrowserEnv(
        OpenEndedTask,
        task_kwargs={"start_url": url, "goal": "measure"},
        slow_mo=0,
        pre_observation_delay=0.0,
    )
    env.reset(seed=0)
    found = {"reset": _median(lambda n: env.reset(seed=0), 3)}
    observation, _ = env.reset(seed=0)
    nodes = observation["axtree_object"]["nodes"]
    field, heading = _bid(nodes, "searchbox"), _bid(nodes, "heading")
    found["fill"] = _median(lambda n: env.step(f"fill('{field}', 'text {n}')"))
    found["click"] = _median(lambda n: env.step(f"click('{heading}')"))
    state = {"nodes": nodes}

    def follow(_: int) -> None:
        link = _bid(state["nodes"], "link", "Open order")
        state["nodes"] = env.step(f"click('{link}')")[0]["axtree_object"]["nodes"]

    found["link"] = _median(follow)
    env.close()
    print(json.dumps(found))


def _bid(nodes: list[dict], role: str, name: str = "") -> str:
    return next(
        n["browsergym_id"]
        for n in nodes
        if n["role"]["value"] == role and n.get("browsergym_id") and n["name"]["value"].startswith(name)
    )


def _median(step: Callable[[int], object], times: int = TIMES) -> float:
    taken = []
    for number in range(times):
        started = time.perf_counter()
        step(number)
        taken.append(1000 * (time.perf_counter() - started))
    return statistics.median(taken)


if __name__ == "__main__":
    main()
