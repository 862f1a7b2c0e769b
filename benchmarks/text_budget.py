"""What a budget of tokens keeps of the pages that the reference agent sees: elements to act on, and the main text.

Run: `python benchmarks/text_budget.py` (about half a minute).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from statistics import mean, median
from typing import Any

import gymnasium

import skillshift_gym  # noqa: F401  registers the ids
from skillshift_gym.agents.reference import ReferenceAgent
from skillshift_gym.evaluation.episode import task_spec
from skillshift_gym.evaluation.recorder import CallRecorder
from skillshift_gym.tasks.registry import task_ids
from skillshift_gym.wrappers.pruning import Pruned, costs, count_tokens, cut, prune

BUDGETS = (1_000, 2_000, 3_000, 4_000, 6_000)
HEADER = 80  # tokens of an ordinary header
EVERY = 4  # one task in four
_CONTROL = re.compile(r" *\[\d+\] (?:link|button|textbox|searchbox|combobox|checkbox|radio)\b")


def main() -> None:
    for front in ("Src", "Tgt"):
        trees = [prune(page) for page in sorted(pages(f"SkillShift/WordPress-{front}-v0"))]
        sizes = [costs(tree, count_tokens).tokens[-1] for tree in trees]
        print(f"\nWordPress-{front}: {len(trees)} pages, median {median(sizes):.0f} tokens, largest {max(sizes)}\n")
        print("| tokens | elements to act on kept | pages with all of them | main text kept |\n|---|---|---|---|")
        for budget in BUDGETS:
            controls, texts = zip(*(shares(tree, budget - HEADER) for tree in trees), strict=True)
            whole = sum(share == 1 for share in controls)
            print(f"| {budget} | {mean(controls):.0%} | {whole}/{len(trees)} | {mean(texts):.0%} |")


def pages(id_: str) -> set[str]:
    """Returns the accessibility trees of the pages the reference agent sees."""
    env: gymnasium.Env[Any, Any] = gymnasium.make(id_, disable_env_checker=True)
    agent, found = ReferenceAgent(), set()
    for task in task_ids("wordpress", "bench")[::EVERY]:
        observation, info = env.reset(seed=0, options={"task": task})
        agent.reset(task_spec(env, info), CallRecorder())
        over = False
        while not over:
            found.add(observation["axtree"])
            observation, _, terminated, truncated, _ = env.step(agent.act(observation))
            over = terminated or truncated
    env.close()
    return found


def shares(tree: Pruned, budget: int) -> tuple[float, float]:
    """Returns the shares kept of the elements to act on, and of the main content's text nodes."""
    kept = set(tree.order[: cut(tree, costs(tree, count_tokens), budget, 10**9)[1]])
    controls = [i for i, line in enumerate(tree.lines) if _CONTROL.match(line)]
    texts = list(main_texts(tree))
    return (
        sum(i in kept for i in controls) / max(1, len(controls)),
        sum(i in kept for i in texts) / len(texts) if texts else 1.0,
    )


def main_texts(tree: Pruned) -> Iterator[int]:
    """Yields the positions of the text nodes inside the main landmark."""
    depth = -1
    for i, line in enumerate(tree.lines):
        indent = len(line) - len(line.lstrip(" "))
        if depth >= 0 and indent <= depth:
            depth = -1
        if re.match(r" *\[\d+\] main\b", line):
            depth = indent
        elif depth >= 0 and line.lstrip(" ").startswith("StaticText"):
            yield i


if __name__ == "__main__":
    main()
