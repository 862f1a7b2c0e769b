"""The history of a tab of Chromium, with what Chromium does not tell: documents, methods and what was left behind."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..document import Document
from .chromium_snapshot import State
from .history import Entry, History
from .tab import BrowserTab
from .urls import BLANK


class Left(NamedTuple):
    """A document as it was when its history entry was left."""

    document: Document
    state: State


class Record:
    """The entries of a tab by Chromium's ids.

    Attributes:
        first: Id of the entry of the empty tab, which counts as no page; 0 without one.
    """

    def __init__(self) -> None:
        self.first = 0
        self._entries: dict[int, Entry] = {}
        self._left: dict[int, Left] = {}
        self._order: list[int] = []
        self._position = 0

    @property
    def current(self) -> int:
        """Id of the entry shown, 0 before there is one."""
        return self._order[self._position] if self._order else 0

    @property
    def steps(self) -> tuple[tuple[int, Entry], ...]:
        """Ids and entries, without the empty tab that it began with."""
        return tuple((key, self._entries[key]) for key in self._order if key in self._entries and key != self.first)

    def note(self, told: dict[str, Any], url: str, method: str = "", *, new_document: bool = False) -> None:
        """Takes note of the entry shown.

        Args:
            told: What `Page.getNavigationHistory` says.
            url: Address shown.
            method: Method of the request, empty for a step within the document.
            new_document: Whether a new document begins with it.
        """
        previous = self._entries.get(self.current)
        self._order = [entry["id"] for entry in told["entries"]]
        self._position = told["currentIndex"]
        same = self._entries.get(self.current) or previous or Entry(BLANK, 0)
        number = 1 + max((e.document for e in self._entries.values()), default=0) if new_document else same.document
        self._entries[self.current] = Entry(url, number, method or same.method)
        self._entries = {key: self._entries[key] for key in self._order if key in self._entries}
        self._left = {key: self._left[key] for key in self._order if key in self._left}

    def note_left(self, document: Document, state: State) -> None:
        """Takes note of what the entry shown looked like when it was left."""
        if self._order:
            self._left[self.current] = Left(document, state)

    def left(self, key: int) -> Left | None:
        """Returns what an entry looked like when it was left, None when it never was."""
        return self._left.get(key)

    def entry(self, step: int) -> tuple[int, Entry]:
        """Returns the id and entry so many steps away.

        Raises:
            NavigationFailed: There is none, or it cannot be shown.
        """
        start = self._order.index(self.first) + 1 if self.first in self._order[: self._position] else 0
        model = BrowserTab()
        entries = tuple(self._entries.get(key, Entry(BLANK, -key)) for key in self._order[start:])
        model.history = History(entries, self._position - start)
        found = model.entry_at(step)
        return self._order[self._position + step], found

    def is_shown(self, entry: Entry) -> bool:
        """Returns whether an entry belongs to the document shown."""
        return entry.document == self._entries[self.current].document
