"""Ten tasks, two versions of one blog, one agent: `python examples/quickstart.py`.

Prints how many of the tasks the reference agent solves on the source version it was made for and on the target version.
"""

from __future__ import annotations

import gymnasium as gym

import skillshift_gym  # noqa: F401  registers the ids
from skillshift_gym.agents.reference import ReferenceAgent
from skillshift_gym.evaluation.episode import task_spec
from skillshift_gym.evaluation.recorder import CallRecorder
from skillshift_gym.tasks.registry import task_ids

TASKS = task_ids("wordpress")[::8]


def solved(env_id: str) -> int:
    """Returns the number of tasks the agent solves in an environment."""
    env = gym.make(env_id)
    wins = 0
    for task in TASKS:
        observation, info = env.reset(seed=0, options={"task": task})
        agent = ReferenceAgent()
        agent.reset(task_spec(env, info), CallRecorder())
        terminated = truncated = False
        while not (terminated or truncated):
            observation, _, terminated, truncated, info = env.step(agent.act(observation))
        wins += info["success"]
    env.close()
    return wins


def main() -> None:
    """Prints both counts."""
    for version in ("Src", "Tgt"):
        env_id = f"SkillShift/WordPress-{version}-v0"
        print(f"{env_id}: {solved(env_id)} of {len(TASKS)} tasks solved")


if __name__ == "__main__":
    main()
