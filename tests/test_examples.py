"""The examples run, and print what they always print."""

from __future__ import annotations

import importlib
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
# Numbers the examples print; they change only when results change.
PRINTED = {
    "quickstart.py": ["WordPress-Src-v0: 8 of 10", "WordPress-Tgt-v0: 8 of 10"],
    "custom_agent.py": ["src: SR 10.1 % of n = 79", "tgt: SR 10.1 % of n = 79", "exact McNemar"],
}


def test_every_example_is_tested():
    assert sorted([*PRINTED, "policy_gradient.py"]) == sorted(p.name for p in EXAMPLES.glob("*.py"))


def test_the_policy_gradient_learns_nothing_from_no_reward_and_compares_on_the_same_tasks(monkeypatch):
    monkeypatch.syspath_prepend(EXAMPLES)
    example = importlib.import_module("policy_gradient")
    monkeypatch.setattr(example, "EPISODES", 32)
    monkeypatch.setattr(example, "VAL", example.VAL[:6])
    line, rewards = example.compare(0)
    assert len(rewards) == 32 and set(rewards) <= {0.0, 1.0}
    assert line.startswith("seed 0: masked random ") and "of n = 6 val tasks" in line
    weights, again = example.train(0)
    assert again == rewards and np.any(weights != 0) == any(rewards)


@pytest.mark.parametrize("name", PRINTED)
def test_an_example_prints_its_numbers(name):
    done = subprocess.run(
        [sys.executable, "-W", "error", EXAMPLES / name], capture_output=True, text=True, check=False, cwd=EXAMPLES
    )
    assert done.returncode == 0, done.stderr
    for text in PRINTED[name]:
        assert text in done.stdout
