"""Executability: how often each skill does what it names in each condition, measured by replay on several tasks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import gymnasium

from ..registration import CONDITIONS, env_id
from ..skills.bank import Bank
from ..skills.goal_templates import arguments, fit, template_of
from ..skills.skill import Skill
from ..tasks.registry import family_of, task_of
from .survival import Row, called_on, recorded_arguments

CALLS = 6
Table = Mapping[str, Mapping[str, Sequence[int]]]  # condition -> skill -> 1 for each call that was ok, else 0
Instance = tuple[str, Mapping[str, Any]]


def instances(skill: Skill, most: int = CALLS) -> list[Instance]:
    """Returns the tasks that a skill can be called on, with the arguments of the call, the recorded one first.

    Beside the task of the recording these are other `train` instances of its families whose goal says what the skill is for
    and gives its arguments.

    Args:
        skill: A callable skill with evidence.
        most: Greatest number.
    """
    first = skill.evidence[0].task
    found: dict[str, Mapping[str, Any]] = {first: recorded_arguments(skill)}
    template = template_of(skill)
    for task in _relatives(dict.fromkeys(e.task for e in skill.evidence)):
        if len(found) >= most:
            break
        goal = task_of(task).goal
        given = arguments(skill, goal) if task not in found and fit(template, goal) >= 1 else None
        if given is not None:
            found[task] = given
    return list(found.items())[:most]


def executability(bank: Bank, conditions: Sequence[str] = tuple(CONDITIONS), most: int = CALLS) -> list[Row]:
    """Returns a row for each call of each skill in each condition: `condition`, and what `survival.called_on` returns.

    Calls start on the first page of their task. A skill meets the same tasks in each condition.

    Args:
        bank: The bank; a skill without evidence is left out.
        conditions: Conditions to call in.
        most: Greatest number of calls of a skill in a condition.
    """
    skills = [s for s in bank.skills.values() if s.callable and s.evidence]
    rows: list[Row] = []
    for site in dict.fromkeys(s.evidence[0].site for s in skills):
        for condition in conditions:
            env = gymnasium.make(env_id(site, condition), skills=bank, disable_env_checker=True)
            try:
                for skill in (s for s in skills if s.evidence[0].site == site):
                    rows += [{"condition": condition, **called_on(env, skill, *i)} for i in instances(skill, most)]
            finally:
                env.close()
    return rows


def outcomes(rows: Iterable[Row]) -> Table:
    """Returns the calls of each skill in each condition, 1 where the true status is ok."""
    found: dict[str, dict[str, list[int]]] = {}
    for row in rows:
        found.setdefault(row["condition"], {}).setdefault(row["name"], []).append(int(row["true"] == "ok"))
    return found


def shares(table: Table) -> dict[str, dict[str, float]]:
    """Returns condition -> skill -> share of calls that are ok, in [0, 1]: what `streams.variation` takes."""
    return {c: {name: sum(calls) / len(calls) for name, calls in own.items()} for c, own in table.items()}


def _relatives(tasks: Iterable[str]) -> list[str]:
    """Returns the `train` instances of the families of some tasks."""
    families = {family.id: family for family, _ in map(family_of, tasks)}
    return [
        f"{family.id}#{number}"
        for family in families.values()
        for number, instance in enumerate(family.instances)
        if number and instance.split == "train"
    ]
