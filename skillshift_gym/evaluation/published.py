"""What the benchmark published: its sites' task counts and its results, as shipped facts.

Source: "SkillShift-Bench: Benchmarking Skill Learning under Environment Evolution for Web Agents", tables 1 and 3, and
its public leaderboard. Other backbones, tasks and sites than ours: not comparable in level.
"""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import NamedTuple

from pydantic import BaseModel, ConfigDict

from ..registration import CONDITIONS
from .results import Metrics

# Site -> number of its tasks; a results file with fewer is rejected.
TASKS = {"gitlab": 162, "magento": 114, "wordpress": 79}
WEBSITES = tuple(TASKS)
PLANNED = sum(TASKS.values()) * len(CONDITIONS)
NOT_COMPARABLE = "published results: other backbones, tasks and sites, not comparable in level with the entries above"


class PublishedEntry(NamedTuple):
    """One published row.

    Attributes:
        method: Name of the method.
        backbone: Language models it ran on.
        metrics: Its ten numbers for each metric.
    """

    method: str
    backbone: str
    metrics: Metrics


class _Row(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    backbone: str
    metrics: Metrics


class _File(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)

    source: str
    n: dict[str, int]
    units: dict[str, str]
    entries: dict[str, _Row]


@cache
def published_entries() -> tuple[PublishedEntry, ...]:
    """Returns the published rows, the best success rate first."""
    text = resources.files("skillshift_gym.evaluation").joinpath("data/published_results.json").read_text("utf-8")
    rows = [
        PublishedEntry(name, row.backbone, row.metrics) for name, row in _File.model_validate_json(text).entries.items()
    ]
    return tuple(sorted(rows, key=lambda row: (-(row.metrics.SR.overall or 0.0), row.method)))
