"""What a step costs: `python benchmarks/step_cost.py`.

Prints milliseconds of cold, warm and typing steps and of a reset on pages of about 200 and 2,000 elements with the
full observation, beside the floor of parsing the same page with lxml in the same run; three rates; and memory.
"""

from __future__ import annotations

import gc
import os
import statistics
import sys
import time
from collections.abc import Callable, Iterable
from multiprocessing import get_context
from pathlib import Path
from typing import Any, cast

import gymnasium
import numpy as np
from lxml import etree

import skillshift_gym  # noqa: F401  registers the ids
from skillshift_gym.env import SkillShiftEnv
from skillshift_gym.registration import ENTRY_POINT
from skillshift_gym.sites.cache import RESPONSES
from skillshift_gym.sites.protocol import Request
from skillshift_gym.sites.registry import register_site
from skillshift_gym.tasks import registry
from skillshift_gym.tasks.oracle import resolve
from skillshift_gym.wrappers.candidates import CandidateActions

BUDGETS = {200: {"cold": 2.0, "warm": 0.2}, 2000: {"cold": 15.0, "warm": 0.5}}
RESET_BUDGET = 1.0
WORDPRESS = "SkillShift/WordPress-Src-v0"


def main() -> None:
    """Prints all figures."""
    sys.path.insert(0, str(Path(__file__).parent))
    register_site("plain", "plain_site")
    registry.register_tasks("plain", "plain_site")
    gymnasium.register(id="Plain-v0", entry_point=ENTRY_POINT, kwargs={"site": "plain", "budget": 10**9})
    print(f"Python {sys.version.split()[0]}, {os.cpu_count()} cores; median milliseconds\n")
    print("| page | lxml parse + walk | cold step | budget | warm step | budget | typing step |")
    print("|---|---|---|---|---|---|---|")
    for size in BUDGETS:
        _page_row(size)
    _reset_row()
    _rates()
    _memory()


def _page_row(size: int) -> None:
    env = gymnasium.make("Plain-v0", disable_env_checker=True)
    base = cast(SkillShiftEnv, env.unwrapped)
    env.reset(seed=0)
    text = base.site.request(Request("GET", f"{base.site.origin}/{size}/1/")).body.decode()
    floor = median(lambda: [e.tag for e in etree.HTML(text).iter()], 100)
    RESPONSES.resize(RESPONSES.megabytes)
    cold = _steps(env, [f"goto('/{size}/{page}/')" for page in range(1, 101)])
    warm = _steps(env, [f"goto('/{size}/{page}/')" for page in range(1, 101)])
    field = next(e.bid for e in base.page.interactive if e.role == "searchbox")
    typing = _steps(env, [f"fill('{field}', 'text {n}')" for n in range(100)])
    elements = len(base.page)
    budget = BUDGETS[size]
    print(
        f"| {elements} elements | {floor:.2f} | {cold:.2f} ({cold / floor:.1f}x) | {budget['cold']} "
        f"| {warm:.3f} ({warm / floor:.2f}x) | {budget['warm']} | {typing:.2f} |"
    )
    env.close()


def _reset_row() -> None:
    env = gymnasium.make(WORDPRESS, disable_env_checker=True)
    env.reset(seed=0)
    same = median(lambda: env.reset(seed=0), 200)
    drawn = median(iter_call(env.reset, ({"seed": s} for s in range(10**9))), 200)
    print(f"\nreset, WordPress: same task {same:.3f} ms, tasks drawn by seed {drawn:.3f} ms (budget {RESET_BUDGET})")
    env.close()


def _rates() -> None:
    print("\nrates, WordPress source, full observation, one process:")
    env = gymnasium.make(WORDPRESS, disable_env_checker=True)
    RESPONSES.resize(RESPONSES.megabytes)
    print(f"- first pass over distinct tasks (cold): {_oracle_rate(env):,.0f} steps/s")
    print(f"- oracle replay (warm): {_oracle_rate(env):,.0f} steps/s")
    RESPONSES.resize(RESPONSES.megabytes)
    first, second = random_rate(0, 4_000), random_rate(1, 4_000)
    print(f"- random clicks and fills on the page: {first:,.0f} steps/s, second 4,000 steps {second:,.0f} steps/s")
    first, second = view_rate(0, 2_000), view_rate(1, 2_000)
    print(f"- RL view, random candidates: {first:,.0f} steps/s, second 2,000 steps {second:,.0f} steps/s")
    cores = os.cpu_count() or 1
    with get_context("spawn").Pool(cores) as pool:
        rates = pool.starmap(random_rate, [(seed, 4_000) for seed in range(cores)])
    print(f"- the same in {cores} processes: {sum(rates):,.0f} steps/s")
    env.close()


def random_rate(seed: int, steps: int) -> float:
    """Returns steps a second of a policy that clicks and fills what is on the page, chosen by a simple generator."""
    env = gymnasium.make(WORDPRESS, disable_env_checker=True)
    base = cast(SkillShiftEnv, env.unwrapped)
    env.reset(seed=seed)
    state = seed + 1
    started = time.perf_counter()
    for number in range(steps):
        state = (state * 6364136223846793005 + 1442695040888963407) % 2**64
        elements = base.page.interactive
        element = elements[(state >> 33) % len(elements)]
        text = element.role in ("textbox", "searchbox")
        action = f"fill('{element.bid}', 'word {state % 50}')" if text else f"click('{element.bid}')"
        _, _, terminated, truncated, _ = env.step(action)
        if terminated or truncated:
            env.reset(seed=seed * steps + number)
    rate = steps / (time.perf_counter() - started)
    env.close()
    return rate


def view_rate(seed: int, steps: int) -> float:
    """Returns steps a second of a random policy in the RL view, over the benchmark's tasks."""
    env = CandidateActions(gymnasium.make(WORDPRESS, observation=CandidateActions.FIELDS, disable_env_checker=True))
    env.reset(seed=seed)
    random = np.random.default_rng(seed)
    started = time.perf_counter()
    for number in range(steps):
        _, _, terminated, truncated, _ = env.step(random.choice(np.flatnonzero(env.action_masks())))
        if terminated or truncated:
            env.reset(seed=seed * steps + number)
    rate = steps / (time.perf_counter() - started)
    env.close()
    return rate


def _oracle_rate(env: gymnasium.Env[Any, Any]) -> float:
    base = cast(SkillShiftEnv, env.unwrapped)
    steps, started = 0, time.perf_counter()
    for task in registry.task_ids("wordpress"):
        family, number = registry.family_of(task)
        env.reset(seed=0, options={"task": task})
        for step in family.oracle(family.instances[number].params, "v1"):
            _, _, terminated, truncated, _ = env.step(resolve(step, base.page))
            steps += 1
            if terminated or truncated:
                break
    return steps / (time.perf_counter() - started)


def _memory() -> None:
    envs = [gymnasium.make(WORDPRESS, disable_env_checker=True) for _ in range(2)]
    for env in envs:
        env.reset(seed=0)
    gc.collect()
    before = resident()
    for seed in range(20):
        env = gymnasium.make(WORDPRESS, disable_env_checker=True)
        env.reset(seed=seed)
        envs.append(env)
    gc.collect()
    print(f"\nmemory: {(resident() - before) / 20:.2f} MB for each added environment; process {resident():.0f} MB")


def resident() -> float:
    """Returns the resident memory of this process in MB."""
    import resource

    status = Path("/proc/self/status")
    if status.exists():
        line = next(x for x in status.read_text().splitlines() if x.startswith("VmRSS"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 2**20


def _steps(env: gymnasium.Env[Any, Any], actions: Iterable[str]) -> float:
    return median(iter_call(env.step, ((a,) for a in actions)), 100)


def iter_call(function: Callable[..., Any], arguments: Iterable[Any]) -> Callable[[], Any]:
    """Returns a function that calls another one with the next arguments."""
    iterator = iter(arguments)

    def call() -> Any:
        values = next(iterator)
        return function(**values) if isinstance(values, dict) else function(*values)

    return call


def median(function: Callable[[], Any], times: int) -> float:
    """Returns the median time of a call in milliseconds."""
    taken = []
    for _ in range(times):
        started = time.perf_counter()
        function()
        taken.append(time.perf_counter() - started)
    return 1_000 * statistics.median(taken)


if __name__ == "__main__":
    main()
