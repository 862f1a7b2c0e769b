"""The counters of an episode, and what they say in `info`."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .errors import ActionError, CoveredElement
from .tasks.family import Task

MAX_ERROR = 2_000


@dataclass
class EpisodeState:
    """Where an episode stands.

    Attributes:
        seed: Seed of the episode.
        task: Its task.
        version: Front end it runs on.
        limit: Actions allowed.
        steps: Actions taken.
        primitives: Browser primitives executed.
        last_action: The last action as given.
        error: Why the last action failed, if it did.
        end: Name of the primitive that ended the episode (a message or a report), empty before.
        message: The message sent, if any.
        infeasible: The reason reported, if any.
        over: Whether the episode has ended.
        judged: Revision and address that the checks were judged at last.
    """

    seed: int
    task: Task
    version: str
    limit: int
    steps: int = 0
    primitives: int = 0
    last_action: str = ""
    error: ActionError | None = None
    end: str = ""
    message: str | None = None
    infeasible: str | None = None
    over: bool = False
    judged: tuple[str, str] | None = None

    @property
    def spent(self) -> bool:
        """Whether the budget is used up."""
        return self.steps >= self.limit

    @property
    def needs_answer(self) -> bool:
        """Whether the task can only be solved by a message."""
        return any(c.kind == "answer" for c in self.task.checks)

    @property
    def error_text(self) -> str:
        """`code: message` of the last action's failure, else empty."""
        return clean(f"{self.error.code}: {self.error}")[:MAX_ERROR] if self.error else ""

    def info(self) -> dict[str, Any]:
        """Returns what `info` says of the episode: always the same keys, nothing that depends on the machine."""
        error = self.error
        return {
            "task": self.task.id,
            "uid": self.task.uid(self.version),
            "site": self.task.site,
            "version": self.version,
            "split": self.task.split,
            "seed": self.seed,
            "steps": self.steps,
            "primitives": self.primitives,
            "budget_left": max(0, self.limit - self.steps),
            "error": error.code if error else "",
            "blocked_by": error.by if isinstance(error, CoveredElement) else "",
            "message": self.message,
        }


def clean(text: str) -> str:
    """Returns the text without lone surrogates, which no encoding can carry."""
    return text.encode("utf-8", "replace").decode()
