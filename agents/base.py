"""The agent's interface, that of the published harness: `reset(task, recorder)` and `act(observation) -> str`."""

from __future__ import annotations

from typing import Any, ClassVar

from skillshift_gym.evaluation.episode import TaskSpec
from skillshift_gym.evaluation.recorder import CallRecorder

Observation = dict[str, Any]


class Agent:
    """Base class of agents; an agent of another package needs only the two methods.

    Attributes:
        has_skills: Whether the method has executable skills; without them ASC and SFR are undefined.
    """

    has_skills: ClassVar[bool] = True

    def reset(self, task: TaskSpec, recorder: CallRecorder) -> None:
        """Starts an episode.

        Args:
            task: The task.
            recorder: Counts skill calls: `with recorder.skill_call(name) as call: ...; call.fail(reason)`.
        """
        raise NotImplementedError

    def act(self, observation: Observation) -> str:
        """Returns the next action, a call of the grammar in `skillshift_gym.actions`."""
        raise NotImplementedError
