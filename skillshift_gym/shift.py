"""What a shift is: an object with episode state that plugs into three hooks.

The environment and the browsers know no shift by name. A Gymnasium wrapper installs its shift with
`env.unwrapped.install`; from then on the environment begins, consults, saves and restores it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from .actions import Primitive
from .document import PageFilter
from .page import Page


class Episode(NamedTuple):
    """What a shift may know of the episode that begins.

    Attributes:
        seed: The episode's seed.
        task: Task id.
        slack: Actions the task's budget leaves beyond its oracle.
    """

    seed: int
    task: str
    slack: int


class Overlay(Protocol):
    """The browser's side of a blocker: HTML that enters the live document without reload."""

    @property
    def document_number(self) -> int:
        """Number of the document shown, counted from 1 in the order of opening; 0 in an empty tab."""
        ...

    def page(self) -> Page:
        """Returns the page shown."""
        ...

    def overlay_show(self, html: str) -> None:
        """Puts the HTML at the end of the live document's body."""
        ...

    def overlay_state(self) -> str:
        """Returns the HTML of the overlay shown, or an empty string."""
        ...

    def overlay_clear(self) -> None:
        """Removes the overlay."""
        ...


class Shift(Protocol):
    """A change of the environment within or between episodes."""

    name: str

    def begin(self, episode: Episode) -> None:
        """Starts an episode."""
        ...

    def filters(self) -> tuple[PageFilter, ...]:
        """Returns the page filters of this episode."""
        ...

    def before(self, primitive: Primitive, page: Page, overlay: Overlay) -> None:
        """Interceptor: may refuse a primitive by raising an `ActionError`."""
        ...

    def after(self, primitive: Primitive | None, page: Page, overlay: Overlay, *, failed: bool = False) -> None:
        """Called after every primitive, and after the first document of an episode with primitive None.

        Args:
            primitive: What was performed.
            page: The page shown now.
            overlay: The browser.
            failed: Whether the primitive was refused or failed.
        """
        ...

    def clearing(self, page: Page) -> str:
        """Returns an action that brings whatever blocks the page closer to its end, empty when nothing blocks it."""
        ...

    def log(self) -> Mapping[str, Any]:
        """Returns what the shift did in the episode so far, for `info`; always the same keys."""
        ...

    def save(self) -> object:
        """Returns an immutable copy of the episode state."""
        ...

    def restore(self, saved: object) -> None:
        """Returns to a saved episode state."""
        ...
