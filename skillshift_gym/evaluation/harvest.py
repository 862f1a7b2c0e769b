"""Skills from oracles: one for each kind of task and way of solving it, recorded on the source version."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple, cast

import gymnasium

from .. import actions
from ..actions import Primitive
from ..env import SkillShiftEnv
from ..errors import TaskError
from ..registration import CONDITIONS, env_id
from ..skills.bank import Bank
from ..skills.events import Why
from ..skills.naming import slug
from ..skills.recorder import Step, record
from ..skills.skill import Evidence, Skill
from ..tasks import registry
from ..tasks.family import Family
from .verify import actions_of


class Harvest(NamedTuple):
    """A recorded skill and the task it comes from."""

    skill: Skill
    task: str


def harvest(sites: Sequence[str], condition: str = "src", split: str = "train") -> Bank:
    """Returns a bank of the skills that the oracles show.

    Args:
        sites: Site names.
        condition: Condition to record in.
        split: Split of the tasks to record; kinds without a task in it are left out.
    """
    bank = Bank()
    for site in sites:
        for skill, task in recorded(site, condition, split, set(bank.skills)):
            if bank.duplicate_of(skill) is None:
                bank.add(skill, Why(f"recorded from the oracle of {task}"))
    return bank


def recorded(site: str, condition: str, split: str, taken: set[str]) -> Iterator[Harvest]:
    """Yields a skill for each way in which the tasks of a site are solved."""
    env = gymnasium.make(env_id(site, condition), disable_env_checker=True)
    ways: set[tuple[str, tuple[str, ...]]] = set()
    try:
        for family in registry.families(site):
            number = next((n for n, i in enumerate(family.instances) if i.split == split), None)
            if number is None:
                continue
            trajectory = played(env, family, number)
            way = (family.kind, tuple(f"{s.primitive.name} {_what(s)}" for s in trajectory[0]))
            if way in ways:
                continue
            ways.add(way)
            skill = _skill(env, family, number, trajectory, condition, taken)
            if skill.callable:
                taken.add(skill.name)
                yield Harvest(skill, family.task(number).id)
    finally:
        env.close()


def played(env: gymnasium.Env[Any, Any], family: Family, number: int) -> tuple[list[Step], Any]:
    """Returns the steps of an oracle, those that clear blockers left out, and the page at the end."""
    base = cast(SkillShiftEnv, env.unwrapped)
    task = family.task(number)
    env.reset(seed=0, options={"task": task.id})
    steps: list[Step] = []
    for step in family.oracle(family.instances[number].params, base.version):
        *clearing, action = actions_of(base, step)
        for first in clearing:
            env.step(first)
        page, call = base.page, actions.parse(action)
        assert isinstance(call, Primitive)
        steps.append(Step(page, call))
        _, _, terminated, truncated, info = env.step(action)
        if info["error"]:
            raise TaskError(f"the oracle of {task.id} failed: {action}: {info['error']}")
        if terminated or truncated:
            break
    return steps, base.page


def _what(step: Step) -> str:
    """Returns what a step acts on, whatever the entity: its semantic id without numbers, else its role."""
    if not actions.takes_bid(step.primitive):
        return ""
    index = int(step.primitive.args[0])
    sid = step.page.document.sids.get(index, "")
    return "".join(c for c in sid.partition("{")[0]) or step.page.element(index).role


def _skill(
    env: gymnasium.Env[Any, Any], family: Family, number: int, trajectory: tuple[list[Step], Any], condition: str, taken: set[str]
) -> Skill:  # fmt: skip
    task, base = family.task(number), cast(SkillShiftEnv, env.unwrapped)
    evidence = Evidence(
        task=task.id,
        site=family.site,
        condition=condition,
        split=cast(Any, task.split),
        seed=0,
        episode=f"oracle {task.id}",
    )
    version = CONDITIONS[condition].version
    assert base.version == version
    name = slug(family.kind, taken)
    made = record(
        trajectory[0], name, f"{family.kind} ({family.site})", goal=task.goal, facts=task.params, last=trajectory[1],
        evidence=(evidence,), site=family.site, version=version,
    )  # fmt: skip
    return made.skill
