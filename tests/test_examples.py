"""The examples run, and print what they always print."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).parents[1] / "examples"
# Numbers the examples print; they change only when results change.
PRINTED = {
    "quickstart.py": ["WordPress-Src-v0: 8 of 10", "WordPress-Tgt-v0: 8 of 10"],
    "custom_agent.py": ["src: SR 10.1 % of n = 79", "tgt: SR 10.1 % of n = 79", "exact McNemar"],
}


def test_every_example_is_tested():
    assert sorted(PRINTED) == sorted(p.name for p in EXAMPLES.glob("*.py"))


@pytest.mark.parametrize("name", PRINTED)
def test_an_example_prints_its_numbers(name):
    done = subprocess.run(
        [sys.executable, "-W", "error", EXAMPLES / name], capture_output=True, text=True, check=False, cwd=EXAMPLES
    )
    assert done.returncode == 0, done.stderr
    for text in PRINTED[name]:
        assert text in done.stdout
