"""A hostile agent on the six ids of a site: `python benchmarks/fuzz.py [browser] [actions] [site]`.

Takes so many hostile actions in all (5,000 by default, on Chromium and WordPress by default), each answered by an observation inside
the space; an exception or a hang is a failure. Prints the counts.
"""

from __future__ import annotations

import sys
import time

import gymnasium

import skillshift_gym  # noqa: F401  registers the ids
from skillshift_gym.registration import CONDITIONS, env_id
from skillshift_gym.testing import fuzz

ACTIONS = 5_000


def main() -> None:
    """Runs all ids and prints what each came to."""
    browser = sys.argv[1] if len(sys.argv) > 1 else "chromium"
    actions = int(sys.argv[2]) if len(sys.argv) > 2 else ACTIONS
    site = sys.argv[3] if len(sys.argv) > 3 else "wordpress"
    share = -(-actions // len(CONDITIONS))
    for number, condition in enumerate(CONDITIONS):
        started = time.perf_counter()
        env = gymnasium.make(env_id(site, condition), browser=browser, disable_env_checker=True)
        found = fuzz(env, seed=number, actions=share)
        env.close()
        print(
            f"{site} {condition}, {browser}: {found.actions} actions in {found.episodes} episodes, {found.errors} typed errors, "
            f"{time.perf_counter() - started:.0f} s"
        )


if __name__ == "__main__":
    main()
