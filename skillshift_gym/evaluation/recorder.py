"""The recorder of skill calls that an agent gets with each task.

The published interface: a context manager per call. A call counts when it is entered; nesting raises, `fail` marks a
failed call, and an exception that escapes the block makes the call a failure.
"""

from __future__ import annotations

from types import TracebackType
from typing import Self

from ..errors import SkillShiftError


class NestedSkillCall(SkillShiftError):
    """A skill call was opened inside another one; nested calls count as one call, so open only the outer one."""


class CallRecorder:
    """Counts the skill calls of one episode."""

    def __init__(self) -> None:
        self._made: list[OpenCall] = []
        self._open = False

    def skill_call(self, name: str) -> OpenCall:
        """Returns the context manager of one call."""
        return OpenCall(self, name)

    @property
    def calls(self) -> tuple[tuple[str, str], ...]:
        """(skill name, failure reason or empty) of each call, in order; a call that is still open is one of them."""
        return tuple((call._name, call._reason) for call in self._made)

    @property
    def failures(self) -> int:
        """Number of failed calls."""
        return sum(bool(call._reason) for call in self._made)


class OpenCall:
    """One call while it runs; it is entered once."""

    def __init__(self, recorder: CallRecorder, name: str) -> None:
        self._recorder = recorder
        self._name = str(name)
        self._reason = ""

    def fail(self, reason: str = "failed") -> None:
        """Marks the call as failed; the first reason stays."""
        self._reason = self._reason or str(reason or "failed")

    def __enter__(self) -> Self:
        if self._recorder._open:
            raise NestedSkillCall(f"{self._name!r} was called inside another skill call")
        if any(call is self for call in self._recorder._made):
            raise SkillShiftError(f"this call of {self._name!r} is over; ask the recorder for another one")
        self._recorder._open = True
        self._recorder._made.append(self)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        self._recorder._open = False
        if kind is not None:
            self.fail(kind.__name__)
