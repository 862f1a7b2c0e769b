"""REINFORCE in NumPy on the RL view, three seeds: `python examples/policy_gradient.py` (minutes).

A linear softmax over the features of the candidates learns from the rewards of `train` tasks alone, from zero weights: no
oracle, no demonstration. Prints its success on `val` tasks beside a random choice among the same candidates.
"""

from __future__ import annotations

import os
import sys
from multiprocessing import get_context
from typing import Any

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # the matrices are small; the processes are what runs in parallel

import gymnasium as gym
import numpy as np

import skillshift_gym  # noqa: F401  registers the ids
from skillshift_gym.evaluation.stats import paired
from skillshift_gym.features import FEATURES
from skillshift_gym.tasks.registry import task_ids
from skillshift_gym.wrappers.candidates import CandidateActions

EPISODES, BATCH, RATE, ACTIONS = 1_000, 16, 0.1, 64
VAL = task_ids("wordpress", "val")[::2]


def view(split: str) -> CandidateActions:
    """Returns the RL view of the source version, tasks drawn from a split."""
    fields = CandidateActions.FIELDS
    env = gym.make("SkillShift/WordPress-Src-v0", split=split, observation=fields, disable_env_checker=True)
    return CandidateActions(env, n=ACTIONS)


def play(env: CandidateActions, weights: Any, random: np.random.Generator, **start: Any) -> tuple[float, Any]:
    """Plays an episode; returns its reward and the gradient of the log-probability of what was done."""
    observation, _ = env.reset(**start)
    slope, over = np.zeros_like(weights), False
    while not over:
        features = observation["candidates"]
        scores = np.where(observation["mask"], features @ weights, -np.inf)
        chances = np.exp(scores - scores.max())
        chances /= chances.sum()
        action = random.choice(ACTIONS, p=chances)
        slope += features[action] - chances @ features
        observation, reward, terminated, truncated, _ = env.step(action)
        over = terminated or truncated
    return float(reward), slope


def train(seed: int) -> tuple[Any, list[float]]:
    """Returns the weights and the rewards of all training episodes; the step is Adam's."""
    env, random = view("train"), np.random.default_rng(seed)
    first, second, weights = np.zeros((3, len(FEATURES)))
    rewards: list[float] = []
    for step in range(1, EPISODES // BATCH + 1):
        batch = [play(env, weights, random, seed=int(random.integers(2**31))) for _ in range(BATCH)]
        baseline = np.mean(rewards[-10 * BATCH :] or [0.0])
        slope = np.mean([(reward - baseline) * slope for reward, slope in batch], axis=0)
        first, second = 0.9 * first + 0.1 * slope, 0.99 * second + 0.01 * slope**2
        weights = weights + RATE * (first / (1 - 0.9**step)) / (np.sqrt(second / (1 - 0.99**step)) + 1e-6)
        rewards += [reward for reward, _ in batch]
    return weights, rewards


def solved(weights: Any, seed: int) -> list[bool]:
    """Returns whether each val task is solved by a policy."""
    env = view("val")
    draws = [(task, np.random.default_rng([seed, i])) for i, task in enumerate(VAL)]
    return [play(env, weights, random, seed=seed, options={"task": task})[0] == 1.0 for task, random in draws]


def compare(seed: int) -> tuple[str, list[float]]:
    """Returns a line with both success rates and their paired difference, and the rewards of training."""
    weights, rewards = train(seed)
    chance, learned = solved(np.zeros_like(weights), seed), solved(weights, seed)
    gain = paired(chance, learned)
    assert gain is not None
    low, high = 100 * gain.interval.low, 100 * gain.interval.high
    return (
        f"seed {seed}: masked random {100 * np.mean(chance):.1f} %, learned {100 * np.mean(learned):.1f} % of n = {gain.n} "
        f"val tasks; difference {100 * gain.difference:+.1f} points [{low:+.1f}, {high:+.1f}]"
    ), rewards


if __name__ == "__main__":
    with get_context("spawn").Pool(2) as pool:
        for line, _ in pool.imap(compare, [int(argument) for argument in sys.argv[1:]] or [0, 1, 2]):
            print(line, flush=True)
