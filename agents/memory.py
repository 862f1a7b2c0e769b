"""What an agent remembers for a model that reads text: beside `Memory`, its actions in words and the last error."""

from __future__ import annotations

from dataclasses import dataclass, field

from skillshift_gym.candidates import Candidate
from skillshift_gym.context import Context, Memory


@dataclass
class ToldMemory(Memory):
    """A memory that can be told in words.

    Attributes:
        error: Text of the last action's error, empty when it went well.
        taken: The candidates taken, in order.
    """

    error: str = ""
    taken: list[Candidate] = field(default_factory=list)

    def hear(self, error: str) -> None:
        """Remembers what became of the last action: its error, or an empty text."""
        self.error = error
        self.failed = bool(error)

    def note(self, url: str, context: Context, candidate: Candidate) -> None:
        """Remembers an action about to be taken."""
        super().note(url, context, candidate)
        self.taken.append(candidate)
