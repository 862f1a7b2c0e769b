"""One browser context of Chromium: its tabs, and what an input leads to. Everything here runs in the host's thread."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING

from ..document import Document, PageFilter
from ..errors import BadValue
from ..sites.protocol import Site
from .chromium_host import Host
from .chromium_network import Arrival, Network
from .chromium_tab import Tab
from .navigation import blank_document, require_origin
from .structure import describe
from .urls import BLANK, base_of, resolve, scalars, scheme_of

if TYPE_CHECKING:
    from playwright.async_api import BrowserContext, CDPSession, Page

WIDTH, HEIGHT = 1280, 720
_NOT_COMING = 2.0  # seconds until a page that a form asked for, and that never began to load, is given up


class Context:
    """A browser context.

    Args:
        host: The browser.
        site: The site it reaches.
        filters: Page filters of the episode.

    Attributes:
        tabs: The open tabs, in order.
        active: Position of the active tab.
        opened: Number of documents opened so far.
        crashed: Set when a page has crashed.
    """

    _context: BrowserContext

    def __init__(self, host: Host) -> None:
        self.tabs: list[Tab] = []
        self.active = 0
        self.opened = 0
        self._seen: object = None
        self.tick = asyncio.Event()
        self.network = Network(host.session, self.tick)
        self._host = host
        self._id = ""
        self._pages: list[Page] = []
        self.crashed = asyncio.Event()
        self._background = False

    async def open(self) -> None:
        """Opens the context with one empty tab."""
        self._context = await self._host.browser.new_context(
            viewport={"width": WIDTH, "height": HEIGHT}, locale="en-US", timezone_id="UTC"
        )
        self._context.on("page", self._on_page)
        page = await self._context.new_page()
        await self.until(lambda: bool(self._pages))
        self._pages.clear()
        self.tabs = [await Tab.attach(page, self.tick, empty=True)]
        info = await self.tab.session.send("Target.getTargetInfo")
        self._id = info["targetInfo"]["browserContextId"]
        self._host.router.add(self._id, self.network)

    def bind(self, site: Site, filters: tuple[PageFilter, ...]) -> None:
        """Binds the context to a site."""
        self.network.site, self.network.filters = site, filters

    @property
    def id(self) -> str:
        """Id of the browser context in DevTools."""
        return self._id

    @property
    def session(self) -> CDPSession:
        """DevTools session with the browser."""
        return self._host.session

    async def close(self) -> None:
        """Closes the context."""
        self._host.router.remove(self._id)
        await self._context.close()

    @property
    def tab(self) -> Tab:
        """The active tab."""
        return self.tabs[self.active]

    @property
    def is_seen(self) -> bool:
        """Whether bids refer to the page shown."""
        return self._seen == (self.tab.frame, self.tab.loader)

    def mark_seen(self) -> None:
        """Makes the page shown the one that bids refer to."""
        self._seen = (self.tab.frame, self.tab.loader)

    async def goto(self, url: str) -> None:
        """Opens an absolute or relative address in the active tab."""
        base = base_of(self.tab.document)
        assert self.network.site is not None
        address = resolve(f"{self.network.site.origin}/" if base == BLANK else base, scalars(url))
        if address.url != BLANK:
            require_origin(self.network.site, address)
        await self.navigate(address.url)

    async def navigate(self, url: str, method: str = "") -> None:
        """Opens an address in the active tab and waits for its document.

        Args:
            url: The address.
            method: Method that the history remembers, empty for the one used.
        """
        tab = self.tab
        answer = await tab.session.send("Page.navigate", {"url": url})
        if "loaderId" not in answer:
            await tab.refresh()
        elif self.network.arrivals:
            await self._receive(self.network.arrivals[-1], method)
        else:
            await self.until(lambda: tab.loader == answer["loaderId"] and tab.ready)
            await self._arrived(tab, blank_document())

    async def until(self, condition: Callable[[], bool]) -> None:
        """Waits until something holds that events change."""
        while not condition():
            self.tick.clear()
            await self.tick.wait()

    def begin(self, *, background: bool = False) -> None:
        """Prepares for an input; with `background`, a tab that it opens stays behind the present one."""
        self.tab.begin()
        self._background = background

    async def settle(self) -> bool:
        """Waits for what an input led to; returns whether the page was left."""
        tab, loader = self.tab, self.tab.loader
        before = tab.state.url
        state = None if tab.asks else await tab.read()
        if state is not None:
            tab.state = state
        # What an input asks for is known before the state that is read after it.
        if (state is None or state.expected > 0 or tab.asks) and await self._follow(tab, loader):
            return True
        if tab.state.url != before:
            await tab.remember()
        if tab.state.refusal is not None:
            index, message = tab.state.refusal
            raise BadValue(f"the form was not sent: {describe(tab.document[index])}: {message}")
        return False

    async def _follow(self, tab: Tab, loader: str) -> bool:
        """Waits for the document that an input asked for; returns whether there is one."""
        asked = [*tab.opens, *([tab.requested] if tab.requested is not None else [])]
        if asked and scheme_of(asked[0]) not in ("http", "https"):
            return await self._follow_odd(tab, loader, asked[0])
        try:
            async with asyncio.timeout(None if asked else _NOT_COMING):
                await self.until(lambda: bool(self.network.arrivals))
        except TimeoutError:
            return False
        return await self._receive(self.network.arrivals[-1])

    async def _follow_odd(self, tab: Tab, loader: str, url: str) -> bool:
        """Waits for a document that is not requested from the site: the empty one, or none at all."""
        shown = tab
        if tab.opens:
            shown = await self._new_tab()
        if url.partition("#")[0] != BLANK:
            if shown is not tab:
                await self.tabs.pop().page.close()
            resolve(BLANK, url)
        await self.until(lambda: shown.loader != loader and shown.ready)
        await self._arrived(shown, blank_document())
        self._activate(shown)
        return True

    async def _receive(self, arrival: Arrival, method: str = "", *, again: bool = False) -> bool:
        """Waits for a document to be answered and shown, in whatever tab; returns whether there is one."""
        await self.until(lambda: arrival.done)
        owner = next((tab for tab in self.tabs if tab.frame == arrival.frame), None)
        if arrival.document is None:
            if owner is None:
                await self.session.send("Target.closeTarget", {"targetId": arrival.frame})
            await self.tab.refresh()
            if arrival.failure is not None:
                raise arrival.failure
            return False
        if owner is not self.tab:
            await self.tab.refresh()
        if owner is None:
            owner = await self._new_tab()
        await self.until(lambda: owner.loader == arrival.loader and owner.ready)
        await self._arrived(owner, arrival.document, method or arrival.method, again=again)
        self._activate(owner)
        return True

    async def _arrived(self, tab: Tab, document: Document, method: str = "GET", *, again: bool = False) -> None:
        await tab.arrive(document, method, again=again)
        self.opened += 1
        tab.number = self.opened

    async def _new_tab(self) -> Tab:
        await self.until(lambda: any(not page.is_closed() for page in self._pages))
        self._pages = [page for page in self._pages if not page.is_closed()]
        tab = await Tab.attach(self._pages.pop(0), self.tick)
        self.tabs.append(tab)
        return tab

    def _activate(self, tab: Tab) -> None:
        if not self._background:
            self.active = self.tabs.index(tab)

    def _on_page(self, page: Page) -> None:
        page.on("crash", lambda _: self.crashed.set())
        self._pages.append(page)
        self.tick.set()

    async def traverse(self, step: int) -> None:
        """Moves in the history of the active tab."""
        tab, loader, moves = self.tab, self.tab.loader, self.tab.moves
        key, entry = tab.history.entry(step)
        await tab.session.send("Page.navigateToHistoryEntry", {"entryId": key})
        if tab.history.is_shown(entry):
            await self.until(lambda: tab.moves != moves)
            await tab.refresh()
            await tab.remember()
            return
        await self.until(lambda: bool(self.network.arrivals) or tab.loader != loader)
        if self.network.arrivals:
            await self._receive(self.network.arrivals[-1], again=True)
        else:
            await self.until(lambda: tab.ready)
            await self._arrived(tab, blank_document(), again=True)

    async def open_tab(self) -> None:
        """Opens an empty tab and shows it."""
        page = await self._context.new_page()
        await self.until(lambda: page in self._pages)
        self._pages.remove(page)
        self.tabs.append(await Tab.attach(page, self.tick, empty=True))
        self.active = len(self.tabs) - 1
