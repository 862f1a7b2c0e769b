"""The recorder of skill calls that an agent gets with each task.

The published interface: a context manager per call. Nesting raises, `fail` marks a failed call, and an exception that
escapes the block makes the call a failure.
"""

from __future__ import annotations

from types import TracebackType
from typing import Self

from ..errors import SkillShiftError


class NestedSkillCall(SkillShiftError):
    """A skill call was opened inside another one; nested calls count as one call, so open only the outer one."""


class CallRecorder:
    """Counts the skill calls of one episode.

    Attributes:
        calls: (skill name, failure reason or empty) of each call, in order.
    """

    def __init__(self) -> None:
        self.calls: list[tuple[str, str]] = []
        self._open = False

    def skill_call(self, name: str) -> OpenCall:
        """Returns the context manager of one call."""
        return OpenCall(self, name)

    @property
    def failures(self) -> int:
        """Number of failed calls."""
        return sum(bool(reason) for _, reason in self.calls)


class OpenCall:
    """One call while it runs."""

    def __init__(self, recorder: CallRecorder, name: str) -> None:
        self._recorder = recorder
        self._name = name
        self._reason = ""

    def fail(self, reason: str = "failed") -> None:
        """Marks the call as failed."""
        self._reason = reason or "failed"

    def __enter__(self) -> Self:
        if self._recorder._open:
            raise NestedSkillCall(f"{self._name!r} was called inside another skill call")
        self._recorder._open = True
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._recorder._open = False
        if error is not None:
            self._reason = f"{type(error).__name__}: {error}"
        self._recorder.calls.append((self._name, self._reason))
