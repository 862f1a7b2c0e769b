"""AWM's memory while it is learned: a sample of each family, and what becomes of those that do what another one does."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from skillshift_gym.agents.induction.families import Solved
from skillshift_gym.agents.induction.workflows import Act, act_of
from skillshift_gym.keyed import shuffled
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.events import Why
from skillshift_gym.skills.goal_templates import BETWEEN
from skillshift_gym.skills.naming import slug
from skillshift_gym.skills.skill import Skill
from skillshift_gym.skills.templates import slots

LEAST_STEPS = 2
SHORT = "fewer than two steps"


class Sample(NamedTuple):
    """A workflow of a solved episode.

    Attributes:
        solved: The episode.
        acts: The steps.
        titles: The wordings of its goal.
        whys: Why each step is taken; empty where nobody says.
    """

    solved: Solved
    acts: tuple[Act, ...]
    titles: tuple[str, ...]
    whys: tuple[str, ...] = ()

    @property
    def steps(self) -> tuple[dict[str, str], ...]:
        """The steps as the bank has them."""
        whys = self.whys or ("",) * len(self.acts)
        return tuple(
            {"why": why, "act": str(act)} if why else {"act": str(act)}
            for why, act in zip(whys, self.acts, strict=True)
        )


def sample_of(group: Sequence[Solved], seed: int) -> Sample:
    """Returns one episode of a family, and the wordings whose slots stand where those of its wording stand."""
    place = shuffled(range(len(group)), "awm", seed, group[0].episode.family)[0]
    acts = [tuple(act_of(step, s.values) for step in s.steps) for s in group]
    alike = [s for s, own in zip(group, acts, strict=True) if _same_slots(own, acts[place])]
    return Sample(group[place], acts[place], tuple(dict.fromkeys(s.template for s in (group[place], *alike))))


class Memory:
    """Workflows, no two of which do the same.

    Attributes:
        bank: Their bank.
    """

    def __init__(self) -> None:
        self.bank = Bank()
        self._kept: dict[str, str] = {}  # abstract action string -> name

    def keep(self, sample: Sample) -> str:
        """Takes a workflow in, and returns why it got no place of its own, empty when it did."""
        if len(sample.acts) < LEAST_STEPS:
            return SHORT
        evidence = sample.solved.episode.evidence
        same = self._kept.get(_abstract(sample.acts))
        if same is not None:
            old = self.bank.skills[same]
            title = BETWEEN.join(dict.fromkeys([*str(old.fields["title"]).split(BETWEEN), *sample.titles]))
            why = Why(f"the same actions solve {evidence.task}", (evidence,), gate="duplicate")
            self.bank.update(_titled(old, title).revised(evidence=(*old.evidence, evidence)), why)
            return "the same actions as another template's"
        title = BETWEEN.join(sample.titles)
        skill = Skill(
            name=slug(title, self.bank.all),
            kind="workflow",
            description=title,
            fields={"title": title, "steps": sample.steps},
            evidence=(evidence,),
        )
        if self.bank.duplicate_of(skill) is not None:
            return "the same words as another workflow's"
        self.bank.add(skill, Why(f"sample of {sample.solved.episode.family}", (evidence,)))
        self._kept[_abstract(sample.acts)] = skill.name
        return ""


def _same_slots(one: Sequence[Act], other: Sequence[Act]) -> bool:
    """Tells whether two workflows have the same slots, step by step, as far as both go."""
    return all(slots(f"{a.name} {a.value}") == slots(f"{b.name} {b.value}") for a, b in zip(one, other, strict=False))


def _titled(skill: Skill, title: str) -> Skill:
    return skill.revised(description=title, fields={**skill.fields, "title": title})


def _abstract(acts: Sequence[Act]) -> str:
    """Returns the abstract action string: actions, roles and names, without what is entered."""
    return "; ".join(f"{act.abstract} {act.name}" for act in acts)
