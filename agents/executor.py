"""The base executor: one loop over candidate primitives and skill calls, which all methods share.

A method differs in what it learns, keeps and exposes; what turns a page into an action is the same for all, so that
tables compare methods and not executors. It proposes candidates, best first, and takes the first one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, ClassVar, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skillshift_gym import actions
from skillshift_gym.actions import SkillCall
from skillshift_gym.agents.base import Agent, Observation
from skillshift_gym.agents.memory import ToldMemory
from skillshift_gym.agents.reference import account_of, make_backbone
from skillshift_gym.candidates import SKILL, Candidate, candidates, ranked
from skillshift_gym.context import Context, Memory
from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation.episode import TaskSpec
from skillshift_gym.evaluation.recorder import CallRecorder
from skillshift_gym.reading import Reading, read
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.proposing import Proposer, with_skills
from skillshift_gym.skills.shown import document
from skillshift_gym.skills.skill import Skill

DISMISS = ("after_refusal", "first")


class Proposal(NamedTuple):
    """One candidate action as the prior ranks it.

    Attributes:
        candidate: The candidate.
        score: Its score by the backbone, in the backbone's own unit.
        rank: Its place, from 0.
    """

    candidate: Candidate
    score: float
    rank: int


class Executor(Agent):
    """Takes the candidate that the backbone scores highest; candidates are primitives of the page and calls of skills.

    Args:
        bank: The frozen bank (a path, JSON text or `Bank`); none for an executor without skills.
        backbone: Name of the backbone.
        dismiss: When a dialog that the agent did not open is seen to: `after_refusal` (once an action was refused because
            of it, as an agent does whose training pages had none) or `first` (before anything else).
        **settings: Arguments of the backbone.

    Raises:
        UsageError: A setting is wrong.
    """

    has_skills: ClassVar[bool] = True
    healing: ClassVar[Mapping[str, Any]] = {}  # how the method's targets are found: settings of `skills.policy.Policy`

    def __init__(
        self,
        bank: str | Path | Bank | None = None,
        backbone: str = "lexical",
        dismiss: str = "after_refusal",
        **settings: Any,
    ) -> None:
        if dismiss not in DISMISS:
            raise UsageError(f"dismiss: expected one of {', '.join(DISMISS)}, got {dismiss!r}")
        self.bank = bank if isinstance(bank, Bank) else Bank.load(bank) if bank is not None else Bank(read_only=True)
        self._backbone = make_backbone(backbone, **settings)
        self._dismiss_first = dismiss == "first"
        self.counts: Counter[str] = Counter()

    @property
    def exposes(self) -> int:
        """Number of skills that the method shows to its backbone."""
        return len(self.exposed())

    def exposed(self) -> Sequence[Skill]:
        """Returns the skills that may be called; a method narrows it down."""
        return [s for s in self.bank.skills.values() if s.callable]

    def told(self) -> str:
        """Returns the text about skills that a backbone which reads is shown."""
        return document(self.exposed())

    def reset(self, task: TaskSpec, recorder: CallRecorder) -> None:
        """Starts an episode."""
        self.task = task
        self._memory = ToldMemory()
        self._given: frozenset[str] = frozenset()  # what the last call's skill enters, the agent has entered
        self._dialogs = _Dialogs()
        self._proposer = Proposer(self.exposed())
        self.counts = Counter(exposed=self.exposes)
        if (account := account_of(self._backbone)) is not None:
            account.clear()
        if callable(tell := getattr(self._backbone, "show_skills", None)):
            tell(self.told())

    def act(self, observation: Observation) -> str:
        """Returns the action of the first proposal."""
        return self.take(self.propose(observation)[0])

    def propose(self, observation: Observation, limit: int | None = None) -> list[Proposal]:
        """Returns candidates, best first, at least one; what was seen is remembered.

        Args:
            observation: The observation.
            limit: Greatest number of proposals; all by default.
        """
        found = self._offered(observation)
        scores = self.score(found, self._context)
        if (account := account_of(self._backbone)) is not None:
            self.counts |= Counter(account.counts())
        order = ranked(scores.tolist())[:limit]
        self.counts["proposed_skills"] += any(found[i].primitive == SKILL for i in order[:2])
        return [Proposal(found[i], float(scores[i]), rank) for rank, i in enumerate(order)]

    def follow(self, observation: Observation, action: str) -> None:
        """Remembers an action that was chosen elsewhere, as in a replay test, as if it had been taken by the agent itself."""
        own = next((c for c in self._offered(observation) if c.action == action), None)
        call = actions.parse(action)
        self.take(Proposal(own or Candidate(action, SKILL if isinstance(call, SkillCall) else call.name), 0.0, 0))

    def _offered(self, observation: Observation) -> list[Candidate]:
        """Returns all candidates; what was seen is remembered."""
        goal, url = observation["goal"], observation["url"]
        reading = read(observation["axtree"], observation["elements"])
        error = str(observation.get("last_action_error", ""))
        self._memory.hear(error)
        if self._memory.last == SKILL and not error:
            self._memory.entered |= self._given
        self._context = Context(goal, url, reading, self._memory)
        self.heard(observation)
        found = with_skills(candidates(goal, reading), self.calls(goal, reading))
        if not self._dismiss_first and self._dialogs.unexpected(url, reading, error, self._memory.last):
            found = _outside(found, reading)
        return found

    @property
    def probabilistic(self) -> bool:
        """Whether the scores of proposals are logarithms of probabilities, up to a constant."""
        return bool(getattr(self._backbone, "probabilistic", False))

    def heard(self, observation: Observation) -> None:
        """Hook: what a method learns from an observation about its last action."""

    def calls(self, goal: str, reading: Reading) -> list[Candidate]:
        """Returns the calls of skills that a page and a goal suggest."""
        return self._proposer.calls(goal, reading)

    def score(self, found: list[Candidate], context: Context) -> NDArray[np.float32]:
        """Returns the scores of candidates, shape (candidates,); a method may add to the backbone's."""
        return self._backbone.score(found, context)

    def take(self, proposal: Proposal) -> str:
        """Remembers that a proposal is taken, and returns its action."""
        candidate = proposal.candidate
        self._memory.note(self._context.url, self._context, candidate)
        self._given = _given(candidate) if candidate.primitive == SKILL else frozenset()
        self.counts["chosen_skills"] += candidate.primitive == SKILL
        return candidate.action

    def assist(self, observation: Observation, instruction: str) -> str:
        """Returns a primitive for an instruction: what a skill's nested agent step, or a fallback, asks for."""
        reading = read(observation["axtree"], observation["elements"])
        context = Context(instruction, observation["url"], reading, Memory())
        found = candidates(instruction, reading)
        self.counts["assisted"] += 1
        return found[ranked(self._backbone.score(found, context).tolist())[0]].action


class _Dialogs:
    """Knows which dialog on a page came unasked, and whether it has refused anything yet."""

    def __init__(self) -> None:
        self._url = ""
        self._shown = False
        self._own = False
        self._refused = False

    def unexpected(self, url: str, reading: Reading, error: str, last: str) -> bool:
        """Tells whether the agent does not look at the dialog that the page shows.

        A dialog that comes up on the page on which the agent acted is the answer to its action; one that is there when a
        page is first seen came unasked. Once it refused an action, it is seen to until it is gone.
        """
        shown = reading.dialog is not None
        if shown and not self._shown:
            self._own = url == self._url and last == "click" and not error
        self._refused = shown and (self._refused or error.startswith(("covered", "blocked")))
        self._url, self._shown = url, shown
        return shown and not self._own and not self._refused


def _outside(found: list[Candidate], reading: Reading) -> list[Candidate]:
    """Returns the candidates that have nothing to do with the dialog."""
    inside = reading.dialog or frozenset()
    return [c for c in found if c.bid not in inside and c.primitive != "keyboard_press"] or found


def _given(candidate: Candidate) -> frozenset[str]:
    """Returns the texts that a call gives to its skill."""
    call = actions.parse(candidate.action)
    return frozenset(v for _, v in call.kwargs if isinstance(v, str)) if isinstance(call, SkillCall) else frozenset()


def primitive_of(action: str) -> actions.Primitive | None:
    """Returns the primitive of an action, None for a call of a skill."""
    call = actions.parse(action)
    return call if isinstance(call, actions.Primitive) else None
