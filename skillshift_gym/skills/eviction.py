"""Which skill a full bank gives up."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from .skill import Skill


def _uses(skill: Skill) -> float:
    """How often a skill was used, as its kind counts: uses, clean test runs, else the episodes that speak for it."""
    return float(skill.fields.get("uses", skill.fields.get("test_count", len(skill.evidence))))


def _utility(skill: Skill) -> float:
    return float(skill.fields.get("utility", 0.0))


POLICIES: dict[str, Callable[[Skill], float]] = {
    "oldest": lambda skill: 0.0,
    "least_used": _uses,
    "lowest_utility": _utility,
}


def victim(policy: str, skills: Iterable[Skill]) -> str:
    """Returns the name of the skill that goes: the lowest by the policy, the oldest among equals."""
    return min(skills, key=POLICIES[policy]).name
