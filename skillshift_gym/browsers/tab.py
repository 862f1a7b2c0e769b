"""One tab: the document shown, its history, and moving between pages."""

from __future__ import annotations

from typing import NamedTuple

from ..errors import NavigationFailed
from .focus import focus_at_load, give_focus, is_focusable
from .history import Entry, History, restore_form_state
from .layers import reveal
from .live import Live
from .navigation import Loaded, Navigation, blank_document
from .urls import BLANK, fragment_id, resolve, without_fragment


class SavedTab(NamedTuple):
    """A tab as an immutable value; nobody changes `live`, restoring copies it."""

    history: History
    live: Live
    name: str


class BrowserTab:
    """A tab.

    Args:
        name: Name that links and forms may target, empty for none.
    """

    def __init__(self, name: str = "") -> None:
        self.name = name
        self.live = Live(blank_document(), BLANK)
        self.history = History((Entry(BLANK, 0),))

    def save(self) -> SavedTab:
        """Returns an immutable copy."""
        return SavedTab(self.history, self.live.copy(), self.name)

    @classmethod
    def restored(cls, saved: SavedTab) -> BrowserTab:
        """Returns the tab of a saved copy."""
        tab = cls.__new__(cls)
        tab.history, tab.live, tab.name = saved.history, saved.live.copy(), saved.name
        return tab

    def stays_in_document(self, wanted: Navigation) -> bool:
        """Returns whether a navigation only moves within the document shown."""
        address = wanted.address
        return bool(address.fragment) and wanted.method == "GET" and address.page == without_fragment(self.live.url)

    def move_to_fragment(self, wanted: Navigation) -> None:
        """Follows a link to a place in the document shown; the live state stays."""
        url = wanted.address.url
        entry = self.history.current._replace(url=url, scroll_y=self.live.scroll_y)
        history = self.history.leave(self.live)
        self.history = history.replace(entry) if url == self.live.url else history.push(entry)
        self.live.compose(url, self.live.overlay)
        _go_to_target(self.live)

    def show(self, loaded: Loaded, wanted: Navigation) -> None:
        """Shows a page that arrived, as a new step of the history; the same address again replaces the step."""
        history = self.history.leave(self.live)
        entry = Entry(loaded.url, history.documents + 1, loaded.method, wanted.referrer)
        again = wanted.method == "GET" and wanted.address.url == self.live.url
        is_initial = history.current.document == 0
        self.history = history.replace(entry) if again or is_initial else history.push(entry)
        self.live = _opened(loaded)

    def entry_at(self, step: int) -> Entry:
        """Returns the entry so many steps away, and raises NavigationFailed when there is none or it cannot be shown."""
        position = self.history.position + step
        if not 0 <= position < len(self.history.entries):
            raise NavigationFailed(f"there is no {'next' if step > 0 else 'previous'} page in this tab's history")
        entry = self.history.entries[position]
        if entry.method != "GET" and entry.document != self.history.current.document:
            raise NavigationFailed(
                f"cannot go to {entry.url[:200]}: it was the answer to a form, which is not sent again"
            )
        return entry

    def request_of(self, entry: Entry) -> Navigation | None:
        """Returns the request that shows an entry again, None when it belongs to the document shown."""
        if entry.document == self.history.current.document:
            return None
        return Navigation(resolve(BLANK, entry.url), referrer=entry.referrer)

    def traverse(self, step: int, loaded: Loaded | None) -> None:
        """Moves in the history.

        Args:
            step: How far.
            loaded: The page that arrived for the entry, None when it belongs to the document shown.
        """
        history = self.history.leave(self.live)
        self.history = history._replace(position=history.position + step)
        entry = self.history.current
        if loaded is None:
            self.live.compose(entry.url, self.live.overlay)
        else:
            self.history = self.history.replace(entry._replace(url=loaded.url, method=loaded.method))
            self.live = _opened(loaded, go_to_target=False)
            restore_form_state(self.live, entry.state)
        self.live.scroll_y = entry.scroll_y


def _opened(loaded: Loaded, *, go_to_target: bool = True) -> Live:
    live = Live(loaded.document, loaded.url)
    focus_at_load(live)
    if go_to_target and "#" in loaded.url:
        _go_to_target(live)
    return live


def _go_to_target(live: Live) -> None:
    """Shows the element that the address points at; Tab goes on from there."""
    target = live.document.ids.get(fragment_id(live.url), -1)
    if target >= 0:
        reveal(live, target)
        give_focus(live, target if is_focusable(live, target) else -1)
        live.start = target
