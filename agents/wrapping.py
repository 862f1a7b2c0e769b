"""Agents around another one: what it proposes is theirs to choose from; what it learned stays as it is."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from pathlib import Path
from typing import Any, ClassVar

from skillshift_gym.agents.base import Agent, Observation
from skillshift_gym.agents.executor import Executor
from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation.episode import TaskSpec
from skillshift_gym.evaluation.loading import agent_factory
from skillshift_gym.evaluation.recorder import CallRecorder
from skillshift_gym.skills.bank import Bank

PROPOSER = "asi"


class Wrapping(Agent):
    """Base of agents around an `Executor`.

    Args:
        bank: The frozen bank.
        proposer: The executor: a short name or `module:Attribute`.
        **settings: Its arguments.

    Raises:
        UsageError: The proposer is no executor, or does not take the settings.
    """

    has_skills: ClassVar[bool] = True

    def __init__(self, bank: str | Path | Bank | None = None, proposer: str = PROPOSER, **settings: Any) -> None:
        factory = agent_factory(proposer)
        if not (isinstance(factory, type) and issubclass(factory, Executor)):
            raise UsageError(f"proposer: expected an Executor, such as asi or executor, got {proposer!r}")
        self._agent = factory(bank=bank, **settings)
        self.counts: Counter[str] = Counter()

    @classmethod
    def healing_of(cls, settings: Mapping[str, Any]) -> Mapping[str, Any]:
        """Returns how skills find their targets: as the proposer's do."""
        healing: Mapping[str, Any] = getattr(agent_factory(settings.get("proposer", PROPOSER)), "healing", {})
        return healing

    @property
    def exposes(self) -> int:
        """Number of skills that the proposer shows."""
        return self._agent.exposes

    def assist(self, observation: Observation, instruction: str) -> str:
        """Helps a skill as the proposer does."""
        return self._agent.assist(observation, instruction)

    def reset(self, task: TaskSpec, recorder: CallRecorder) -> None:
        """Starts an episode."""
        self._agent.reset(task, recorder)
        self.counts = Counter()
