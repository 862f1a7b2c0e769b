"""Random walks in both browsers, compared page for page: `python benchmarks/parity_walks.py [walks]`.

Every walk takes the same random actions in the DOM browser and in Chromium, in one of the six conditions; after each
action the observations, the infos (the state's revision included) and the rendered elements must be equal. Prints the
counts and every difference; exits with 1 when there is one.
"""

from __future__ import annotations

import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from typing import Any, NamedTuple, cast

import gymnasium

import skillshift_gym  # noqa: F401  registers the ids
from skillshift_gym.env import SkillShiftEnv
from skillshift_gym.keyed import keyed
from skillshift_gym.page import Page
from skillshift_gym.registration import CONDITIONS, env_id

WALKS = 200
STEPS = 12
_TEXTS = ("harbour", "a@example.org", "winter market", "")
_KEYS = ("Tab", "Enter", "Escape", "ArrowDown", "Shift+Tab")
_BROWSER = (
    "go_back()",
    "go_forward()",
    "new_tab()",
    "tab_focus(0)",
    "goto('/page/3/')",
    "scroll(0, 200)",
    "tab_close()",
)


class Walk(NamedTuple):
    """What a walk came to: steps taken and the first difference, empty when there is none."""

    number: int
    condition: str
    steps: int
    difference: str


def main() -> int:
    """Runs the walks and returns the exit code."""
    walks = int(sys.argv[1]) if len(sys.argv) > 1 else WALKS
    started = time.perf_counter()
    with ProcessPoolExecutor(os.cpu_count(), get_context("spawn")) as pool:
        done = list(pool.map(walk, range(walks), chunksize=10))
    wrong = [w for w in done if w.difference]
    steps = sum(w.steps for w in done)
    print(f"{walks} walks, {steps} steps, {len(wrong)} with a difference ({time.perf_counter() - started:.0f} s)")
    for found in wrong:
        print(f"walk {found.number}, {found.condition}, step {found.steps}: {found.difference}")
    return 1 if wrong else 0


def walk(number: int) -> Walk:
    """Returns what a walk came to."""
    condition = tuple(CONDITIONS)[number % len(CONDITIONS)]
    pair = [
        gymnasium.make(env_id("wordpress", condition), browser=b, budget=10**6, disable_env_checker=True)
        for b in ("dom", "chromium")
    ]
    try:
        results = [env.reset(seed=number) for env in pair]
        difference = compare(pair, results)
        steps = 0
        while not difference and steps < STEPS:
            steps += 1
            action = policy(cast(SkillShiftEnv, pair[0].unwrapped), (number, steps))
            outcomes = [env.step(action) for env in pair]
            difference = compare(pair, outcomes)
            difference = f"{action}: {difference}" if difference else ""
            if outcomes[0][2] or outcomes[0][3]:
                break
        return Walk(number, condition, steps, difference)
    finally:
        for env in pair:
            env.close()


def policy(env: SkillShiftEnv, key: tuple[int, int]) -> str:
    """Returns an action on something of the page, a function of the key alone."""
    clearing = env.clearing()
    if clearing and keyed("clear", key) % 3:
        return clearing
    kind = keyed("kind", key) % 10
    elements = env.page.interactive
    if kind == 0 or not elements:
        return _BROWSER[keyed("browser", key) % len(_BROWSER)]
    element = elements[keyed("element", key) % len(elements)]
    if kind == 1:
        return f"press('{element.bid}', '{_KEYS[keyed('key', key) % len(_KEYS)]}')"
    if element.role in ("textbox", "searchbox"):
        text = _TEXTS[keyed("text", key) % len(_TEXTS)]
        return f"press('{element.bid}', 'Enter')" if kind == 2 else f"fill('{element.bid}', {text!r})"
    return f"click('{element.bid}')"


def compare(pair: list[gymnasium.Env[Any, Any]], results: list[tuple[Any, ...]]) -> str:
    """Returns the first difference between two results, empty when there is none."""
    first, second = results
    for field in first[0]:
        one, other = first[0][field], second[0][field]
        if not (one == other if isinstance(one, str) else (one == other).all()):
            return f"{field}: {_excerpt(str(one), str(other))}"
    for key in first[-1]:
        if first[-1][key] != second[-1][key]:
            return f"info {key}: {first[-1][key]!r} / {second[-1][key]!r}"
    pages: list[Page] = [cast(SkillShiftEnv, env.unwrapped).page for env in pair]
    return "" if pages[0].outline.rendered == pages[1].outline.rendered else "rendered elements differ"


def _excerpt(one: str, other: str) -> str:
    """Returns where two texts part."""
    place = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    start = max(0, place - 60)
    return f"{one[start : place + 60]!r} / {other[start : place + 60]!r}"


if __name__ == "__main__":
    sys.exit(main())
