"""The in-process browser: HTML without scripts, styles and layout, as the standard says.

It performs primitives on a parsed document, sends the requests that follow from them to the site, and describes what
it shows as a `Snapshot`. It has no clock and draws nothing at random.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, NamedTuple

from ..actions import Primitive
from ..document import Document, PageFilter, Snapshot
from ..errors import MalformedAction, NavigationFailed, SnapshotError, StaleElement
from ..page import Page, build_page
from ..sites.protocol import Site
from . import interaction, keyboard
from .activation import NEW_TAB
from .checks import find
from .cookies import Cookie, CookieJar
from .derived import Recent
from .focus import drop_lost_focus
from .keys import parse_keys
from .live import Live, initial_controls, initially_open
from .navigation import Navigation, load
from .protocol import Tab
from .rendering import rendered
from .scrolling import scroll_by
from .tab import BrowserTab, SavedTab
from .urls import BLANK, base_of, resolve, scalars

_PAGES_KEPT = 32
_SAME_TAB = frozenset({"", "_self", "_parent", "_top"})
_PAGE, _PAGES = "browsers.page", "browsers.pages"


class SavedBrowser(NamedTuple):
    """A browser context as an immutable value."""

    origin: str
    filters: tuple[PageFilter, ...]
    tabs: tuple[SavedTab, ...]
    active: int
    cookies: tuple[Cookie, ...]
    opened: int
    seen: bool


class DomBrowser:
    """A browser context bound to one site, in this process."""

    def __init__(self) -> None:
        self._site: Site | None = None
        self._filters: tuple[PageFilter, ...] = ()
        self._jar = CookieJar()
        self._tabs = [BrowserTab()]
        self._active = 0
        self._opened = 0
        self._page: Page | None = None
        self._seen: Live | None = None

    def reset(self, site: Site, filters: tuple[PageFilter, ...] = ()) -> None:
        """Starts a fresh context (no cookies, one empty tab) on a site, with the page filters of the episode."""
        self._site, self._filters = site, tuple(filters)
        self._jar = CookieJar()
        self._tabs, self._active, self._opened = [BrowserTab()], 0, 0
        self._page = self._seen = None

    def goto(self, url: str) -> None:
        """Opens an absolute or relative address in the active tab.

        Raises:
            NavigationFailed: The address is not one of this site's.
        """
        self._page = None
        base = base_of(self._live.document)
        start = f"{self._bound_site().origin}/" if base == BLANK else base
        self._open(Navigation(resolve(start, scalars(url))))

    def perform(self, primitive: Primitive) -> None:
        """Performs one primitive on the page shown."""
        self._page = None
        try:
            acts_on_element, action = _ACTIONS[primitive.name]
        except KeyError:
            raise MalformedAction(f"{primitive.name!r} is not a primitive of the browser") from None
        if not acts_on_element:
            action(self, *primitive.args)
        else:
            bid, *arguments = primitive.args
            live = self._live
            self._open(action(live, self._find(bid), *arguments))
        drop_lost_focus(self._live)

    def page(self) -> Page:
        """Returns the page of the active tab."""
        page = self._page
        if page is None:
            live = self._seen = self._live
            page = self._page = _page_of(live)
        return page

    def snapshot(self) -> Snapshot:
        """Returns what the active tab shows, without making a page of it."""
        return _snapshot(self._live)

    @property
    def tabs(self) -> tuple[Tab, ...]:
        """The open tabs, in order."""
        return tuple(Tab(tab.live.url, tab.live.document.title) for tab in self._tabs)

    @property
    def active_tab(self) -> int:
        """Position of the active tab."""
        return self._active

    @property
    def document_number(self) -> int:
        """Number of the document shown, counted from 1 in the order of opening; 0 in an empty tab."""
        return self._live.number

    def overlay_show(self, html: str) -> None:
        """Puts HTML at the end of the live document's body; one shown before is replaced."""
        self._page = None
        self._live.compose(self._live.url, html)

    def overlay_state(self) -> str:
        """Returns the HTML of the overlay shown, or an empty string."""
        return self._live.overlay

    def overlay_clear(self) -> None:
        """Removes the overlay."""
        self.overlay_show("")

    def save(self) -> SavedBrowser:
        """Returns an immutable copy of the context, for this browser or another one of the same site."""
        tabs = tuple(tab.save() for tab in self._tabs)
        seen = self._seen is self._live
        origin, cookies = self._bound_site().origin, self._jar.save()
        return SavedBrowser(origin, self._filters, tabs, self._active, cookies, self._opened, seen)

    def restore(self, saved: object) -> None:
        """Returns to a saved context.

        Raises:
            SnapshotError: It is not a saved context of this site.
        """
        if not isinstance(saved, SavedBrowser):
            raise SnapshotError(f"expected what DomBrowser.save returned, got {type(saved).__name__}")
        if saved.origin != self._bound_site().origin:
            raise SnapshotError(
                f"the context was saved on {saved.origin}, this browser is on {self._bound_site().origin}"
            )
        self._filters, self._jar = saved.filters, CookieJar(saved.cookies)
        self._tabs, self._active = [BrowserTab.restored(tab) for tab in saved.tabs], saved.active
        self._opened = saved.opened
        self._page, self._seen = None, self._live if saved.seen else None

    def close(self) -> None:
        """Frees the browser; may be called twice."""
        self._site = None
        self._tabs, self._active = [BrowserTab()], 0
        self._page = self._seen = None

    @property
    def _tab(self) -> BrowserTab:
        return self._tabs[self._active]

    @property
    def _live(self) -> Live:
        return self._tabs[self._active].live

    def _bound_site(self) -> Site:
        if self._site is None:
            raise SnapshotError("the browser is not bound to a site: call reset first")
        return self._site

    def _find(self, bid: str) -> int:
        if self._seen is not self._live:
            raise StaleElement(f"element {bid!r} belongs to a page that is no longer shown; read the page again")
        return find(self._live.document, bid)

    def _open(self, wanted: Navigation | None) -> None:
        """Opens a page, if any is wanted, in the tab it is meant for; a tab is only made once the page has arrived."""
        if wanted is None:
            return
        place = self._place_of(wanted)
        tab = (
            self._tabs[place]
            if place is not None
            else BrowserTab("" if wanted.target.lower() == NEW_TAB else wanted.target)
        )
        if tab.stays_in_document(wanted):
            tab.move_to_fragment(wanted)
        else:
            loaded = load(self._bound_site(), self._jar, self._filters, wanted)
            if loaded is None:
                return
            tab.show(loaded, wanted)
            self._number(tab)
        if place is None:
            place = len(self._tabs)
            self._tabs.append(tab)
        if not wanted.background:
            self._active = place

    def _place_of(self, wanted: Navigation) -> int | None:
        """Returns the position of the tab that a target names, None for a new tab."""
        target = wanted.target
        if target.lower() in _SAME_TAB:
            return self._active
        if target.lower() == NEW_TAB:
            return None
        return next((place for place, tab in enumerate(self._tabs) if tab.name == target), None)

    def _traverse(self, step: int) -> None:
        tab = self._tab
        wanted = tab.request_of(tab.entry_at(step))
        loaded = load(self._bound_site(), self._jar, self._filters, wanted) if wanted else None
        if wanted is None or loaded is not None:
            tab.traverse(step, loaded)
        if loaded is not None:
            self._number(tab)

    def _number(self, tab: BrowserTab) -> None:
        self._opened += 1
        tab.live.number = self._opened

    def _new_tab(self) -> None:
        self._tabs.append(BrowserTab())
        self._active = len(self._tabs) - 1

    def _focus_tab(self, index: int) -> None:
        if not 0 <= index < len(self._tabs):
            raise NavigationFailed(f"there is no tab {index}: expected 0 to {len(self._tabs) - 1}")
        self._active = index

    def _close_tab(self) -> None:
        if len(self._tabs) == 1:
            raise NavigationFailed("the last tab cannot be closed")
        del self._tabs[self._active]
        self._active = len(self._tabs) - 1

    def _scroll(self, delta_x: float, delta_y: float) -> None:
        scroll_by(self._live, delta_y)

    def _press(self, keys: str) -> None:
        self._open(keyboard.press(self._live, parse_keys(keys)))

    def _type(self, text: str) -> None:
        self._open(keyboard.type_text(self._live, scalars(text)))


_ACTIONS: dict[str, tuple[bool, Callable[..., Any]]] = {
    "click": (True, interaction.click_element),
    "dblclick": (True, interaction.double_click),
    "hover": (True, interaction.hover),
    "focus": (True, interaction.focus),
    "fill": (True, interaction.fill),
    "clear": (True, interaction.clear),
    "press": (True, interaction.press),
    "check": (True, partial(interaction.check, checked=True)),
    "uncheck": (True, partial(interaction.check, checked=False)),
    "select_option": (True, interaction.select_option),
    "keyboard_press": (False, DomBrowser._press),
    "keyboard_type": (False, DomBrowser._type),
    "scroll": (False, DomBrowser._scroll),
    "goto": (False, DomBrowser.goto),
    "go_back": (False, partial(DomBrowser._traverse, step=-1)),
    "go_forward": (False, partial(DomBrowser._traverse, step=1)),
    "new_tab": (False, DomBrowser._new_tab),
    "tab_focus": (False, DomBrowser._focus_tab),
    "tab_close": (False, DomBrowser._close_tab),
}


def _snapshot(live: Live) -> Snapshot:
    document = live.document
    initial = initial_controls(document)
    controls = {**initial, **live.edits} if live.edits else initial
    return Snapshot(document, controls, live.opened, rendered(live), live.focus, live.modal, live.scroll_y)


def _page_of(live: Live) -> Page:
    """Returns the page of a live document: the untouched one is kept with the document, others in a bounded store."""
    document = live.document
    if live.focus < 0 and not live.edits and not live.scroll_y and live.opened == initially_open(document):
        page: Page | None = document.memo.get(_PAGE)
        if page is None:
            page = document.memo[_PAGE] = build_page(_snapshot(live))
        return page
    return _recent_pages(document).get(live.key(), lambda: build_page(_snapshot(live)))


def _recent_pages(document: Document) -> Recent[Any, Page]:
    pages: Recent[Any, Page] | None = document.memo.get(_PAGES)
    if pages is None:
        pages = document.memo[_PAGES] = Recent(_PAGES_KEPT)
    return pages
