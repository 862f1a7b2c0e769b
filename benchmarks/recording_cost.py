"""What recording costs: steps a second of random actions in the DOM browser, and the size of the files.

Run: `python benchmarks/recording_cost.py` (about half a minute). Rows are measured in turns, and the best turn counts.
"""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

import gymnasium

import skillshift_gym  # noqa: F401  registers the ids
from skillshift_gym.wrappers.record import RecordTrajectory

STEPS, TURNS = 400, 5
ROWS: dict[str, list[str] | None] = {
    "not recorded": None,
    "actions and digests": [],
    "and HTML (default)": ["goal", "url", "title", "last_action", "last_action_error", "html"],
    "and HTML, tree, elements": [
        "goal",
        "url",
        "title",
        "last_action",
        "last_action_error",
        "html",
        "axtree",
        "elements",
    ],
}


def main() -> None:
    best = dict.fromkeys(ROWS, 0.0)
    size: dict[str, tuple[int, int]] = {}
    for _ in range(TURNS):
        for row, fields in ROWS.items():
            with tempfile.TemporaryDirectory() as folder:
                best[row] = max(best[row], rate(fields, folder))
                files = list(Path(folder).iterdir())
                size[row] = (len(files), sum(f.stat().st_size for f in files))
    print("| recorded | steps/s | ms/step more | kB/episode |\n|---|---|---|---|")
    base = best["not recorded"]
    for row, steps in best.items():
        episodes, written = size[row]
        each = f"{written / episodes / 1000:.1f}" if episodes else "0"
        print(f"| {row} | {steps:.0f} | {1000 / steps - 1000 / base:.2f} | {each} |")


def rate(fields: list[str] | None, folder: str) -> float:
    """Returns steps a second, the ends of episodes (where files are written) included."""
    env: gymnasium.Env[Any, Any] = gymnasium.make("SkillShift/WordPress-Src-v0", disable_env_checker=True)
    if fields is not None:
        env = RecordTrajectory(env, folder, fields=fields)
    env.action_space.seed(0)
    env.reset(seed=0)
    started = time.perf_counter()
    for number in range(STEPS):
        _, _, terminated, truncated, _ = env.step(env.action_space.sample())
        if terminated or truncated:
            env.reset(seed=number)
    spent = time.perf_counter() - started
    env.close()
    return STEPS / spent


if __name__ == "__main__":
    main()
