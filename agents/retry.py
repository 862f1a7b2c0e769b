"""Retrying: the first thing a user would try beside reranking. What failed is done again, a few times."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from skillshift_gym.agents.base import Observation
from skillshift_gym.agents.executor import Proposal
from skillshift_gym.agents.wrapping import PROPOSER, Wrapping
from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation.episode import TaskSpec
from skillshift_gym.evaluation.recorder import CallRecorder
from skillshift_gym.skills.bank import Bank


class Retry(Wrapping):
    """Repeats an action that failed before it asks its proposer for another one.

    Args:
        bank: The frozen bank.
        proposer: The executor that proposes.
        times: How often one failed action is repeated.
        **settings: Arguments of the proposer.

    Raises:
        UsageError: `times` is no number from 1.
    """

    def __init__(
        self, bank: str | Path | Bank | None = None, proposer: str = PROPOSER, times: int | str = 1, **settings: Any
    ) -> None:
        super().__init__(bank, proposer, **settings)
        if not str(times).isdecimal() or int(times) < 1:
            raise UsageError(f"times: expected a number from 1, got {times!r}")
        self._times = int(times)

    def reset(self, task: TaskSpec, recorder: CallRecorder) -> None:
        """Starts an episode."""
        super().reset(task, recorder)
        self._last: Proposal | None = None
        self._left = 0

    def act(self, observation: Observation) -> str:
        """Returns the last action once more when it failed, else the proposer's first."""
        proposed = self._agent.propose(observation)
        if observation.get("last_action_error") and self._last is not None and self._left > 0:
            self._left -= 1
            self.counts["retries"] += 1
        else:
            self._last, self._left = proposed[0], self._times
        self.counts.update(self._agent.counts - self.counts)
        return self._agent.take(self._last)
