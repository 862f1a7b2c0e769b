"""AWM: workflows as text, which the policy reads and no one can call; written by a rule, or by a chat model.

Source: "Agent Workflow Memory", sections 2 and 3, and its published code.

| | paper says | code does | we do: rule | we do: model (`written.awm`) |
|---|---|---|---|---|
| inducer | a language model, or a rule | both | the rule | a chat model, one request a sample, temperature 0 (code: 1) |
| which episodes | judged successful by a model, or annotated | the reward, or a judge whose file the inducer does not read by default | the environment's verdict | the same |
| sample | one of each template (intent) | one at random | one of each family, drawn by keyed hash | the same |
| shown | goal and trajectory, all samples of a site at once | the same | | goal and steps of one sample: page, and act in words |
| values | become named slots | written by the model | slots where goals of the family differ | the model's slots; a workflow that spells a value of the goal out is refused |
| thoughts | (why, act) | the agent's own | none | the model's |
| least length | 2 steps | the same | the same | the same, of the trajectory and of each workflow |
| duplicates | by the abstract trajectory | by template and the string of action types; a person is asked | by the string of action, role and fixed name; the title of the kept one also gets the goals of the others, as a model would give it a general title; no one is asked | the same |
| elements | described in words | ids of the session stay in the text | role and name | the same; a step of another form is refused |
| verification | none | none | none | none |
| exposure | whole memory in the prompt | the same | the same for a backbone that reads text; for one that does not, the candidate that is the next step of a workflow whose title fits the goal gets a bonus | the same |
| call, failure | none | none | none: ASC and SFR are undefined | the same |
| cadence | online or offline | both | offline | offline |
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
from skillshift_gym.agents.induction.families import families
from skillshift_gym.agents.induction.lesson import Learned, Lesson
from skillshift_gym.agents.induction.workflow_memory import SHORT, Memory, sample_of
from skillshift_gym.agents.induction.workflows import Act, parsed
from skillshift_gym.agents.written import awm as written
from skillshift_gym.candidates import Candidate
from skillshift_gym.context import Context
from skillshift_gym.evaluation.episode import TaskSpec
from skillshift_gym.evaluation.recorder import CallRecorder
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.formats import write_files
from skillshift_gym.skills.goal_templates import fit, matched
from skillshift_gym.skills.skill import Skill

BONUS = 8.0  # in units of the lexical backbone: what its clearest feature of a control weighs
LEAST_FIT = 0.5  # of a title below which a workflow is not about the goal


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


def learn(lesson: Lesson) -> Learned:
    """Returns the bank of the workflows of the lesson's solved episodes."""
    if lesson.inducer is not None:
        return written.learn(lesson)
    episodes = list(lesson.episodes())
    solved = [group for group in families(episodes) if group]
    samples = [sample_of(group, lesson.seed) for group in solved]
    memory, reasons = Memory(), Counter[str]()
    for sample in samples:
        reasons[memory.keep(sample)] += 1
    funnel = {
        "episodes": len(episodes),
        "solved": sum(map(len, solved)),
        "templates": len(samples),
        "long enough": len(samples) - reasons[SHORT],
        "workflows": len(memory.bank.skills),
    }
    del reasons[""]
    return Learned(memory.bank, funnel, dict(reasons), len(episodes), sum(len(e.moves) for e in episodes))
