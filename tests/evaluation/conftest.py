"""Records for the tests of the evaluation."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from skillshift_gym.evaluation.records import TaskRecord


@pytest.fixture
def record() -> Callable[..., TaskRecord]:
    """Makes records of one cell."""

    def build(number: int = 0, success: bool = True, condition: str = "src", **fields: Any) -> TaskRecord:
        version = "v2" if condition.startswith("tgt") else "v1"
        values: dict[str, Any] = {
            "uid": f"skillshift.wordpress.{number}.{version}",
            "site": "wordpress",
            "steps": 3,
            "skill_calls": 0,
            "skill_failures": 0,
            "task": f"wordpress.{number}",
            "kind": "a kind",
            "checks": "url",
            "split": "bench",
            "end": "success" if success else "failure",
        }
        return TaskRecord(**{**values, "success": success, "condition": condition, **fields})

    return build
