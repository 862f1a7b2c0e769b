"""The Chromium browser: the same primitives and pages as the in-process browser, on a real one.

It needs Playwright and a Chromium, starts them when first used, and reaches nothing but its site.
"""

from __future__ import annotations

from collections.abc import Coroutine
from typing import Any, TypeVar

from ..actions import Primitive
from ..document import PageFilter, Snapshot
from ..errors import InfrastructureError, SnapshotError
from ..page import Page, build_page
from ..sites.protocol import Site
from .chromium_context import Context
from .chromium_host import LIMIT, Host, host
from .protocol import Tab

Result = TypeVar("Result")


class ChromiumBrowser:
    """A browser context of Chromium bound to one site; all of them in a process share one Chromium.

    Args:
        limit: Seconds after which a call gives up.
    """

    def __init__(self, limit: float = LIMIT) -> None:
        self._limit = limit
        self._host: Host | None = None
        self._context: Context | None = None
        self._site: Site | None = None
        self._filters: tuple[PageFilter, ...] = ()
        self._page: Page | None = None

    def reset(self, site: Site, filters: tuple[PageFilter, ...] = ()) -> None:
        """Starts a fresh context (no cookies, one empty tab) on a site, with the page filters of the episode."""
        self._drop()
        self._site, self._filters = site, tuple(filters)
        self._host = host()
        self._context = self._host.call(_opened(self._host), self._limit)
        self._context.bind(site, self._filters)

    def goto(self, url: str) -> None:
        """Opens an absolute or relative address in the active tab."""
        self._act(self._bound.goto(url))

    def perform(self, primitive: Primitive) -> None:
        """Performs one primitive on the page shown."""
        self._act(self._bound.perform(primitive))

    def page(self) -> Page:
        """Returns the page of the active tab."""
        if self._page is None:
            self._page = build_page(self.snapshot())
            self._bound.mark_seen()
        return self._page

    def snapshot(self) -> Snapshot:
        """Returns what the active tab shows, without making a page of it."""
        return self._bound.tab.snapshot()

    @property
    def tabs(self) -> tuple[Tab, ...]:
        """The open tabs, in order."""
        return tuple(Tab(tab.state.url, tab.document.title) for tab in self._bound.tabs)

    @property
    def active_tab(self) -> int:
        """Position of the active tab."""
        return self._bound.active

    def overlay_show(self, html: str) -> None:
        """Puts HTML at the end of the live document's body; one shown before is replaced."""
        self._act(self._bound.tab.show_overlay(html))

    def overlay_state(self) -> str:
        """Returns the HTML of the overlay shown, or an empty string."""
        return self._bound.tab.shown_overlay

    def overlay_clear(self) -> None:
        """Removes the overlay."""
        self.overlay_show("")

    def close(self) -> None:
        """Frees the context; may be called twice."""
        self._drop()
        self._site = None

    @property
    def _bound(self) -> Context:
        if self._site is None:
            raise SnapshotError("the browser is not bound to a site: call reset first")
        if self._context is None or self._host is None or not self._host.alive:
            raise InfrastructureError("Chromium is gone; reset starts a new one")
        return self._context

    def _act(self, work: Coroutine[Any, Any, Result]) -> Result:
        """Does something in the browser's thread, where the site may be asked meanwhile."""
        self._page = None
        assert self._host is not None
        return self._host.call(_serving(self._bound, work), self._limit)

    def _drop(self) -> None:
        context, self._context, self._page = self._context, None, None
        if context is not None and self._host is not None and self._host.alive:
            self._host.post(context.close())


async def _opened(chromium: Host) -> Context:
    context = Context(chromium)
    await context.open()
    return context


async def _serving(context: Context, work: Coroutine[Any, Any, Result]) -> Result:
    context.network.open()
    try:
        return await work
    finally:
        context.network.close()
