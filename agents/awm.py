"""AWM (rule induction): workflows as text, which the policy reads and no one can call.

Source: "Agent Workflow Memory", sections 2 and 3, and its published code.

| | paper says | code does | we do |
|---|---|---|---|
| inducer | a language model, or a rule | both | the rule |
| which episodes | judged successful by a model, or annotated | the reward, or a judge whose file the inducer does not read by default | the environment's verdict |
| sample | one of each template (intent) | one at random | one of each family, drawn by keyed hash |
| values | become named slots | written by the model | slots where goals of the family differ |
| least length | 2 steps | the same | the same |
| duplicates | by the abstract trajectory | by template and the string of action types; a person is asked | by the string of action, role and fixed name; the title of the kept one also gets the goals of the others, as a model would give it a general title; no one is asked |
| elements | described in words | ids of the session stay in the text | role and name |
| verification | none | none | none |
| exposure | whole memory in the prompt | the same | the same for a backbone that reads text; for one that does not, the candidate that is the next step of a workflow whose title fits the goal gets a bonus |
| call, failure | none | none | none: ASC and SFR are undefined |
| cadence | online or offline | both | offline |
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skillshift_gym.agents.base import Observation
from skillshift_gym.agents.executor import Executor, Proposal
from skillshift_gym.agents.induction.families import Solved, families
from skillshift_gym.agents.induction.lesson import Learned, Lesson
from skillshift_gym.agents.induction.workflows import Act, act_of, parsed
from skillshift_gym.candidates import Candidate
from skillshift_gym.context import Context
from skillshift_gym.evaluation.episode import TaskSpec
from skillshift_gym.evaluation.recorder import CallRecorder
from skillshift_gym.keyed import shuffled
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.events import Why
from skillshift_gym.skills.formats import write_files
from skillshift_gym.skills.goal_templates import BETWEEN, fit, matched
from skillshift_gym.skills.naming import slug
from skillshift_gym.skills.skill import Skill
from skillshift_gym.skills.templates import slots

BONUS = 8.0  # in units of the lexical backbone: what its clearest feature of a control weighs
LEAST_FIT = 0.5  # of a title below which a workflow is not about the goal
LEAST_STEPS = 2


class Followed(NamedTuple):
    """A workflow in an episode.

    Attributes:
        acts: Its steps; None for one of a form that is not ours.
        fit: How much its title says what the goal says, in [0, 1].
        values: Slot -> its value in the goal.
    """

    acts: Sequence[Act | None]
    fit: float
    values: Mapping[str, str]


class AWM(Executor):
    """Lets the texts of workflows bias what it proposes.

    Args:
        bank: The bank of workflows.
        backbone: Name of the backbone.
        dismiss: When a dialog that the agent did not open is seen to.
        bonus: What the next step of a workflow that fits is worth, in the backbone's unit.
        **settings: Arguments of the backbone.
    """

    has_skills: ClassVar[bool] = False

    def __init__(
        self,
        bank: str | Path | Bank | None = None,
        backbone: str = "lexical",
        dismiss: str = "after_refusal",
        bonus: float | str = BONUS,
        **settings: Any,
    ) -> None:
        super().__init__(bank, backbone, dismiss, **settings)
        self._bonus = float(bonus)
        self._reads = hasattr(self._backbone, "show_skills")  # what reads the memory itself needs no bonus

    def told(self) -> str:
        """Returns the whole memory."""
        return self.text

    @cached_property
    def text(self) -> str:
        """The whole memory as the prompt has it; empty without workflows."""
        workflows = self.exposed()
        return write_files("awm", workflows).files["workflows.txt"] if workflows else ""

    def exposed(self) -> Sequence[Skill]:
        """Returns all workflows: nothing is retrieved."""
        return [s for s in self.bank.skills.values() if s.kind == "workflow"]

    def reset(self, task: TaskSpec, recorder: CallRecorder) -> None:
        """Starts an episode."""
        super().reset(task, recorder)
        fitting = [_followed(skill, task.goal) for skill in self.exposed()]
        self._fitting = [f for f in fitting if f.fit >= LEAST_FIT]
        self._done = [0] * len(self._fitting)
        self._before = list(self._done)
        self.counts.update(text=len(self.text), fitting=len(self._fitting))

    def heard(self, observation: Observation) -> None:
        """Takes back the progress of a step that failed."""
        if self._memory.failed:
            self.counts["followed"] -= self._done != self._before
            self._done = list(self._before)
        self._before = list(self._done)

    def score(self, found: list[Candidate], context: Context) -> NDArray[np.float32]:
        """Returns the backbone's scores, with a bonus for the next step of each workflow that fits the goal."""
        scores = super().score(found, context)
        return scores if self._reads else scores + np.array([self._worth(c) for c in found], dtype=np.float32)

    def take(self, proposal: Proposal) -> str:
        """Remembers that a proposal is taken, and how far it leads in each workflow."""
        for number, (flow, done) in enumerate(zip(self._fitting, self._done, strict=True)):
            self._done[number] = _after(flow, done, proposal.candidate)
        self.counts["followed"] += self._done != self._before
        return super().take(proposal)

    def _worth(self, candidate: Candidate) -> float:
        due = ((f, f.acts[n]) for f, n in zip(self._fitting, self._done, strict=True) if n < len(f.acts))
        worth = (f.fit for f, act in due if act is not None and act.fits(candidate, f.values))
        return self._bonus * max(worth, default=0.0)


def _followed(skill: Skill, goal: str) -> Followed:
    title = str(skill.fields["title"])
    return Followed([parsed(s["act"]) for s in skill.fields["steps"]], fit(title, goal), matched(title, goal) or {})


def _after(flow: Followed, done: int, candidate: Candidate) -> int:
    """Returns how many steps of a workflow are done after an action: up to the first one from here on that it is."""
    later = enumerate(flow.acts[done:], done + 1)
    return next((n for n, act in later if act is not None and act.fits(candidate, flow.values)), done)


class _Sample(NamedTuple):
    """The sample of a family: the episode, its steps, and the wordings of the family's goals."""

    solved: Solved
    acts: tuple[Act, ...]
    titles: tuple[str, ...]


def learn(lesson: Lesson) -> Learned:
    """Returns the bank of the workflows of the lesson's solved episodes."""
    episodes = list(lesson.episodes())
    solved = [group for group in families(episodes) if group]
    samples = [_sample(group, lesson.seed) for group in solved]
    bank, reasons = Bank(), Counter[str]()
    kept: dict[str, str] = {}
    for sample in samples:
        reasons[_keep(bank, kept, sample)] += 1
    funnel = {
        "episodes": len(episodes),
        "solved": sum(map(len, solved)),
        "templates": len(samples),
        "long enough": len(samples) - reasons["fewer than two steps"],
        "workflows": len(bank.skills),
    }
    del reasons[""]
    return Learned(bank, funnel, dict(reasons), len(episodes), sum(len(e.moves) for e in episodes))


def _sample(group: Sequence[Solved], seed: int) -> _Sample:
    """Returns one episode of a family, and the wordings whose slots stand where those of its wording stand."""
    place = shuffled(range(len(group)), "awm", seed, group[0].episode.family)[0]
    written = [tuple(act_of(step, s.values) for step in s.steps) for s in group]
    alike = [s for s, acts in zip(group, written, strict=True) if _same_slots(acts, written[place])]
    return _Sample(group[place], written[place], tuple(dict.fromkeys(s.template for s in (group[place], *alike))))


def _same_slots(one: Sequence[Act], other: Sequence[Act]) -> bool:
    """Tells whether two workflows have the same slots, step by step, as far as both go."""
    return all(slots(f"{a.name} {a.value}") == slots(f"{b.name} {b.value}") for a, b in zip(one, other, strict=False))


def _keep(bank: Bank, kept: dict[str, str], sample: _Sample) -> str:
    """Puts a sample into the memory, and returns why it got no workflow of its own, empty when it did."""
    if len(sample.acts) < LEAST_STEPS:
        return "fewer than two steps"
    evidence = sample.solved.episode.evidence
    same = kept.get(_abstract(sample.acts))
    if same is not None:
        old = bank.skills[same]
        title = BETWEEN.join(dict.fromkeys([*str(old.fields["title"]).split(BETWEEN), *sample.titles]))
        why = Why(f"the same actions solve {evidence.task}", (evidence,), gate="duplicate")
        bank.update(_titled(old, title).revised(evidence=(*old.evidence, evidence)), why)
        return "the same actions as another template's"
    title = BETWEEN.join(sample.titles)
    steps = tuple({"act": str(act)} for act in sample.acts)
    skill = Skill(
        name=slug(title, bank.all),
        kind="workflow",
        description=title,
        fields={"title": title, "steps": steps},
        evidence=(evidence,),
    )
    bank.add(skill, Why(f"sample of {sample.solved.episode.family}", (evidence,)))
    kept[_abstract(sample.acts)] = skill.name
    return ""


def _titled(skill: Skill, title: str) -> Skill:
    return skill.revised(description=title, fields={**skill.fields, "title": title})


def _abstract(acts: Sequence[Act]) -> str:
    """Returns the abstract action string: actions, roles and names, without what is entered."""
    return "; ".join(f"{act.abstract} {act.name}" for act in acts)
