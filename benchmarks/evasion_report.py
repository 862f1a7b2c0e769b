"""What blockers do to episodes: `python benchmarks/evasion_report.py`.

Runs the oracle, which clears each blocker at once, and the reference agent over the bench tasks in the execution cells.
Blockers shown are dismissed, evaded (left behind by an address, the history or another tab), or still there at the end.

Options: `--every N` takes every Nth task.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, cast

import gymnasium

import skillshift_gym  # noqa: F401  registers the ids
from skillshift_gym.agents.reference import ReferenceAgent
from skillshift_gym.env import SkillShiftEnv
from skillshift_gym.evaluation.episode import TaskSpec
from skillshift_gym.evaluation.recorder import CallRecorder
from skillshift_gym.registration import env_id
from skillshift_gym.tasks import registry
from skillshift_gym.tasks.oracle import resolve

SITE = "wordpress"
CELLS = ("src-exec", "tgt-exec")
COUNTED = ("shown", "dismissed", "refused", "evaded", "skipped")
Env = gymnasium.Env[Any, Any]
Policy = Callable[[Env, dict[str, Any], dict[str, Any]], Callable[[dict[str, Any]], str]]


def main() -> None:
    """Prints a row for each cell and policy, then the typed errors."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--every", type=int, default=1, help="take every Nth task")
    tasks = registry.task_ids(SITE)[:: parser.parse_args().every]
    titles = ("episodes", "solved", *COUNTED, "left at the end", "tasks with no room", "tasks with a blocker skipped")
    print("| cell | policy | " + " | ".join(titles) + " | typed errors |")
    print("|---" * (len(titles) + 3) + "|")
    for cell in CELLS:
        for name, policy in {"oracle": oracle, "reference": reference}.items():
            counts, errors = run(cell, tasks, policy)
            typed = ", ".join(f"{code} {n}" for code, n in sorted(errors.items())) or "none"
            print(f"| {cell} | {name} | " + " | ".join(str(counts[t]) for t in titles) + f" | {typed} |")


def run(cell: str, tasks: Sequence[str], policy: Policy) -> tuple[Counter[str], Counter[str]]:
    """Returns the counts over the tasks of a cell, and the typed errors."""
    env = gymnasium.make(env_id(SITE, cell), disable_env_checker=True)
    base = cast(SkillShiftEnv, env.unwrapped)
    counts: Counter[str] = Counter()
    errors: Counter[str] = Counter()
    for task in tasks:
        observation, info = env.reset(seed=0, options={"task": task})
        room = info["budget_left"] - registry.oracle_length(base.task, base.version)
        act, over = policy(env, observation, info), False
        while not over:
            observation, _, terminated, truncated, info = env.step(act(observation))
            errors.update([info["error"]] if info["error"] else [])
            over = terminated or truncated
        log = info["shifts"]["execution"]
        counts.update(episodes=1, solved=int(info["success"]), **{name: log[name] for name in COUNTED})
        counts["left at the end"] += bool(log["blocker"])
        counts["tasks with no room"] += room <= 0
        counts["tasks with a blocker skipped"] += log["skipped"] > 0
    env.close()
    return counts, errors


def oracle(env: Env, observation: dict[str, Any], info: dict[str, Any]) -> Callable[[dict[str, Any]], str]:
    """Returns the oracle's policy for the episode: clear what blocks the page, else the next step."""
    base = cast(SkillShiftEnv, env.unwrapped)
    family, number = registry.family_of(base.task.id)
    steps = list(family.oracle(family.instances[number].params, base.version))

    def act(observation: dict[str, Any]) -> str:
        # A step without a target (a message, an address) is not blocked.
        return (base.clearing() if steps[0].role else "") or resolve(steps.pop(0), base.page)

    return act


def reference(env: Env, observation: dict[str, Any], info: dict[str, Any]) -> Callable[[dict[str, Any]], str]:
    """Returns the reference agent's policy for the episode."""
    base = cast(SkillShiftEnv, env.unwrapped)
    agent = ReferenceAgent()
    start = base.site.origin + base.task.start_path(base.version)
    spec = TaskSpec(info["uid"], SITE, info["condition"], base.task.goal, start, info["budget_left"])
    agent.reset(spec, CallRecorder())
    return agent.act


if __name__ == "__main__":
    main()
