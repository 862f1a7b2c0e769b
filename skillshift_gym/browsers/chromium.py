"""The Chromium browser: the same primitives and pages as the in-process browser, on a real one.

It needs Playwright and a Chromium, starts them when first used, and reaches nothing but its site.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from ..actions import Primitive
from ..document import PageFilter, Snapshot
from ..errors import InfrastructureError, SnapshotError
from ..page import Page, build_page
from ..sites.protocol import Site
from .chromium_context import Context
from .chromium_host import LIMIT, Host, host
from .chromium_perform import perform
from .chromium_picture import decode, picture_of
from .chromium_saved import SavedContext, restore, save
from .protocol import Tab

Result = TypeVar("Result")
Work = Callable[[Context], Coroutine[Any, Any, Result]]


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
        self._act(lambda context: context.goto(url))

    def perform(self, primitive: Primitive) -> None:
        """Performs one primitive on the page shown."""
        self._act(lambda context: perform(context, primitive))

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

    @property
    def document_number(self) -> int:
        """Number of the document shown, counted from 1 in the order of opening; 0 in an empty tab."""
        return self._bound.tab.number

    def overlay_show(self, html: str) -> None:
        """Puts HTML at the end of the live document's body; one shown before is replaced."""
        self._act(lambda context: context.tab.show_overlay(html))

    def overlay_state(self) -> str:
        """Returns the HTML of the overlay shown, or an empty string."""
        return self._bound.tab.shown_overlay

    def overlay_clear(self) -> None:
        """Removes the overlay."""
        self.overlay_show("")

    def save(self) -> SavedContext:
        """Returns an immutable copy of the context, for this browser or another one of the same site.

        Raises:
            SnapshotError: Something in the context cannot be restored.
        """
        return self._call(save)

    def restore(self, saved: object) -> None:
        """Returns to a saved context, in a fresh one; the site is not asked for anything.

        Raises:
            SnapshotError: It is not a saved context of this site, or something did not come back.
        """
        site = self._site
        if not isinstance(saved, SavedContext):
            raise SnapshotError(f"expected what ChromiumBrowser.save returned, got {type(saved).__name__}")
        if site is None or saved.origin != site.origin:
            raise SnapshotError(f"the context was saved on {saved.origin}, this browser is on {site and site.origin}")
        self.reset(site, saved.filters)
        self._call(lambda context: restore(context, saved))

    def screenshot(self) -> NDArray[np.uint8]:
        """Returns the visible part of the active tab, shape (720, 1280, 3)."""
        return decode(self._call(lambda context: picture_of(context.tab)))

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

    def _act(self, work: Work[Result]) -> Result:
        """Does something that may change the page."""
        self._page = None
        return self._call(work)

    def _call(self, work: Work[Result]) -> Result:
        """Does something in the browser's thread, where the site may be asked meanwhile."""
        context = self._bound
        assert self._host is not None
        return self._host.call(_serving(self._host, context, work), self._limit, context.crashed)

    def _drop(self) -> None:
        context, self._context, self._page = self._context, None, None
        if context is not None and self._host is not None and self._host.alive:
            self._host.post(context.close())


async def _opened(chromium: Host) -> Context:
    """Returns a fresh context, the one opened in advance if there is one."""
    waiting, chromium.spare = chromium.spare, None
    if waiting is not None:
        with contextlib.suppress(Exception):
            return cast(Context, await waiting)
    return await _opening(chromium)


async def _opening(chromium: Host) -> Context:
    context = Context(chromium)
    await context.open()
    return context


async def _serving(chromium: Host, context: Context, work: Work[Result]) -> Result:
    context.network.open()
    try:
        return await work(context)
    finally:
        context.network.close()
        if chromium.spare is None:
            chromium.spare = asyncio.ensure_future(_opening(chromium))
