"""The learning curve of the policy-gradient example: `python benchmarks/policy_gradient_curve.py`.

Runs the example's three seeds and writes `docs/results/policy_gradient.svg` and the table in `policy_gradient.md`.
"""

from __future__ import annotations

import importlib
import os
import sys
import time
from collections.abc import Sequence
from multiprocessing import get_context
from pathlib import Path

import numpy as np

from skillshift_gym.files import write_atomically

ROOT = Path(__file__).parents[1]
RESULTS = ROOT / "docs" / "results"
SEEDS = (0, 1, 2)
WINDOW = 160  # episodes a point is the mean of
WIDTH, HEIGHT, LEFT, BOTTOM = 640, 320, 56, 44
COLOURS = ("#1b6ca8", "#c2571a", "#3d8b40")


def main() -> None:
    """Writes the curve and the page."""
    started = time.perf_counter()
    with get_context("spawn").Pool(2) as pool:
        results = pool.map(one, SEEDS, chunksize=1)
    taken = time.perf_counter() - started
    lines = [line for line, _ in results]
    print("\n".join(lines), f"\n{taken:.0f} s, {os.cpu_count()} cores")
    write_atomically(RESULTS / "policy_gradient.svg", drawing([rewards for _, rewards in results]))
    write_atomically(RESULTS / "policy_gradient.md", PAGE.format(lines="\n".join(f"- {line}" for line in lines)))


def one(seed: int) -> tuple[str, list[float]]:
    """Returns what the example's `compare` returns for a seed."""
    sys.path.insert(0, str(ROOT / "examples"))
    line, rewards = importlib.import_module("policy_gradient").compare(seed)
    return line, rewards


def drawing(curves: Sequence[Sequence[float]]) -> str:
    """Returns the curves as SVG: success over training episodes, a moving mean for each seed."""
    episodes = max(map(len, curves))
    parts = [_line(f"M{LEFT} {_y(0)}H{WIDTH - 16}M{LEFT} {_y(0)}V{_y(0.6)}", "#444", 1)]
    for share in (0.0, 0.2, 0.4, 0.6):
        parts.append(_text(LEFT - 8, _y(share) + 4, f"{100 * share:.0f} %", "end"))
        parts.append(_line(f"M{LEFT} {_y(share)}H{WIDTH - 16}", "#ddd", 1))
    for number in range(0, episodes + 1, 200):
        parts.append(_text(_x(number, episodes), _y(0) + 18, str(number), "middle"))
    for seed, (rewards, colour) in enumerate(zip(curves, COLOURS, strict=True)):
        means = np.convolve(rewards, np.ones(WINDOW) / WINDOW, mode="valid")[::8]
        points = [f"{_x(WINDOW + 8 * i, episodes):.1f} {_y(m):.1f}" for i, m in enumerate(means)]
        parts.append(_line("M" + "L".join(points), colour, 2))
        parts.append(_text(LEFT + 20, 30 + 18 * seed, f"seed {seed}", "start", colour))
    parts.append(_text(WIDTH / 2, HEIGHT - 6, f"training episodes (success of the last {WINDOW})", "middle"))
    style = "font-family='sans-serif' font-size='12'"
    return (
        f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {WIDTH} {HEIGHT}' {style}>\n"
        + "\n".join(parts)
        + "\n</svg>\n"
    )


def _x(episode: float, episodes: int) -> float:
    return LEFT + (WIDTH - 16 - LEFT) * episode / episodes


def _y(share: float) -> float:
    return HEIGHT - BOTTOM - (HEIGHT - BOTTOM - 16) * share / 0.6


def _line(path: str, colour: str, width: int) -> str:
    return f"<path d='{path}' fill='none' stroke='{colour}' stroke-width='{width}'/>"


def _text(x: float, y: float, text: str, anchor: str, colour: str = "#222") -> str:
    return f"<text x='{x:.0f}' y='{y:.0f}' text-anchor='{anchor}' fill='{colour}'>{text}</text>"


PAGE = """# A policy gradient learns on the RL view

`examples/policy_gradient.py`: REINFORCE in NumPy, a linear softmax over the features of at most 64 candidates, zero
weights at the start, 1,000 episodes on `train` tasks of the WordPress source version. It sees rewards and nothing of the
oracles. Evaluated once on every second `val` task; masked random chooses evenly among the same candidates.

{lines}

Differences are paired by task, with 95 % bootstrap intervals.

![Success of the last 160 training episodes, three seeds](policy_gradient.svg)

Made by `python benchmarks/policy_gradient_curve.py`; the example prints the same lines.
"""


if __name__ == "__main__":
    main()
