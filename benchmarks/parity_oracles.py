"""Every oracle in both browsers, compared page for page: `python benchmarks/parity_oracles.py [site] [condition,...]`.

Each bench task's oracle is played in the DOM browser and in Chromium at once; after each action the observations, the
infos (the state's revision included) and the rendered elements must be equal. Prints the counts and every difference;
exits with 1 when there is one.
"""

from __future__ import annotations

import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from itertools import product
from multiprocessing import get_context
from typing import NamedTuple, cast

import gymnasium
from parity_walks import compare

from skillshift_gym.env import SkillShiftEnv
from skillshift_gym.evaluation.verify import actions_of
from skillshift_gym.registration import CONDITIONS, env_id
from skillshift_gym.tasks import registry


class Played(NamedTuple):
    """What an oracle came to: steps taken and the first difference, empty when there is none."""

    task: str
    condition: str
    steps: int
    difference: str


def main() -> int:
    """Plays the oracles and returns the exit code."""
    site = sys.argv[1] if len(sys.argv) > 1 else "wordpress"
    conditions = sys.argv[2].split(",") if len(sys.argv) > 2 else list(CONDITIONS)
    started = time.perf_counter()
    jobs = list(product(conditions, registry.task_ids(site)))
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        done = list(pool.map(play, *zip(*jobs, strict=True), chunksize=10))
    wrong = [p for p in done if p.difference]
    steps = sum(p.steps for p in done)
    print(f"{len(done)} oracles, {steps} steps, {len(wrong)} with a difference ({time.perf_counter() - started:.0f} s)")
    for found in wrong:
        print(f"{found.task} {found.condition}, step {found.steps}: {found.difference}")
    return 1 if wrong else 0


def play(condition: str, task: str) -> Played:
    """Returns what a task's oracle came to in a condition."""
    family, number = registry.family_of(task)
    pair = [
        gymnasium.make(env_id(family.site, condition), browser=b, disable_env_checker=True) for b in ("dom", "chromium")
    ]
    try:
        first = cast(SkillShiftEnv, pair[0].unwrapped)
        difference = compare(pair, [env.reset(seed=0, options={"task": task}) for env in pair])
        steps = 0
        for step in family.oracle(family.instances[number].params, first.version):
            for action in actions_of(first, step):
                steps += 1
                results = [env.step(action) for env in pair]
                difference = difference or compare(pair, results)
                if difference or results[0][2] or results[0][3]:
                    return Played(task, condition, steps, difference)
        return Played(task, condition, steps, difference)
    finally:
        for env in pair:
            env.close()


if __name__ == "__main__":
    sys.exit(main())
