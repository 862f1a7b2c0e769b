"""What a cached page takes in memory for each byte of its body: `python benchmarks/cache_size.py`.

Opens every post of the blog once with the full observation and compares the growth of the process with the bodies in
the cache. `skillshift_gym.sites.cache.FOOTPRINT` is this figure, rounded up.
"""

from __future__ import annotations

import gc
from multiprocessing import get_context

import gymnasium
from step_cost import resident

import skillshift_gym  # noqa: F401  registers the ids
from skillshift_gym.sites.cache import RESPONSES
from skillshift_gym.sites.protocol import FOOTPRINT
from skillshift_gym.tasks.wordpress.data import posts

PAGES = 200


def main() -> None:
    """Prints the figure for both front ends, each in a process of its own."""
    for id_ in ("SkillShift/WordPress-Src-v0", "SkillShift/WordPress-Tgt-v0"):
        process = get_context("spawn").Process(target=measure, args=(id_,))
        process.start()
        process.join()


def measure(id_: str) -> None:
    """Prints the figure for one environment."""
    env = gymnasium.make(id_, budget=10**6, disable_env_checker=True)
    env.reset(seed=0)
    RESPONSES.resize(100_000)
    gc.collect()
    before = resident()
    for post in posts()[:PAGES]:
        env.step(f"goto('{post.path}')")
    gc.collect()
    grown, bodies = (resident() - before) * 2**20, RESPONSES.size
    print(
        f"{id_}: {grown / PAGES / 1000:.0f} kB a page, {grown / bodies:.1f} times its body of "
        f"{bodies / PAGES / 1000:.0f} kB (assumed: {FOOTPRINT})"
    )
    env.close()


if __name__ == "__main__":
    main()
