"""One tab of the window in which a person is watched: what its page tells, in order, with the page before each deed."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ..actions import Primitive, primitive
from ..browsers.chromium_network import Network
from ..browsers.chromium_snapshot import known_variant, matches, read_state, snapshot_of, variant
from ..browsers.chromium_tab import WORLD
from ..browsers.composition import composed
from ..browsers.navigation import blank_document
from ..document import Document, Snapshot
from ..page import Page, build_page
from .capture_deeds import calls_of, path_of

if TYPE_CHECKING:
    from playwright.async_api import CDPSession
    from playwright.async_api import Page as BrowserPage

_BINDING = "skillshiftTell"
# How an address came to be shown when the page asked for it; all other ways are a person's.
_FROM_THE_PAGE = ("link", "form_submit", "auto_subframe", "manual_subframe")
_PATIENCE = 2.0  # seconds until a page that does not answer is taken as it was last heard of

Event = dict[str, Any]
Queue = asyncio.Queue[tuple[str, Any, Any]]


class WatchedTab:
    """A tab.

    Args:
        page: Playwright's page.
        session: DevTools session with it.
        network: Where its documents come from.
        queue: Takes ("told", tab, event) and ("moved", tab, history) in the order they happen.

    Attributes:
        page: Playwright's page.
        last: The page as it was last heard of.
        opens: Whether its page asked for another tab.
        arrived: Set when a document has come.
    """

    def __init__(self, page: BrowserPage, session: CDPSession, network: Network, queue: Queue) -> None:
        self.page = page
        self.last = build_page(Snapshot(blank_document(), {}, frozenset(), bytes([1, 0, 1])))
        self.opens = False
        self.arrived = asyncio.Event()
        self._session = session
        self._network = network
        self._queue = queue
        self._frame = self._loader = ""
        self._document: Document | None = None
        self._world = 0
        self._entries: list[int] = []
        self._position = 0
        self._begun = False

    @classmethod
    async def attach(cls, page: BrowserPage, network: Network, queue: Queue, *, popups: bool) -> WatchedTab:
        """Returns the tab of a page.

        Args:
            page: Playwright's page.
            network: Where its documents come from.
            queue: Takes what happens.
            popups: Whether lists and pickers open.
        """
        tab = cls(page, await page.context.new_cdp_session(page), network, queue)
        tab._listen()
        send = tab._session.send
        await asyncio.gather(send("Page.enable"), send("Runtime.enable"))
        frame = (await send("Page.getFrameTree"))["frameTree"]["frame"]
        tab._frame, tab._loader = frame["id"], frame["loaderId"]
        await send("Runtime.addBinding", {"name": _BINDING, "executionContextName": WORLD})
        script = {"source": _source(popups), "worldName": WORLD, "runImmediately": True}
        await send("Page.addScriptToEvaluateOnNewDocument", script)
        return tab

    async def begin(self) -> None:
        """Makes the page shown the first one of the tab."""
        await self.arrived.wait()
        await self._session.send("Page.resetNavigationHistory")
        self._shown_entry(await self._history())
        self._begun = True

    async def look(self) -> Page:
        """Returns the page as it is now, or as it was last heard of when it does not answer."""
        from playwright.async_api import Error

        wanted = {"expression": "skillshift.read()", "contextId": self._world, "returnByValue": True}
        with contextlib.suppress(Error, TimeoutError):
            async with asyncio.timeout(_PATIENCE):
                answer = await self._session.send("Runtime.evaluate", wanted)
            if "value" in answer["result"]:
                self._read(answer["result"]["value"])
        return self.last

    def told(self, event: Event) -> tuple[Event, list[Primitive]]:
        """Returns what the page told and the primitives it stands for; `last` is the page before them."""
        message = json.loads(event["payload"])
        if message["kind"] == "document":
            self._world = event["executionContextId"]
            self._document = self._arrived(event["loader"], message)
        if self._document is None or event["executionContextId"] != self._world:
            return message, []
        self._read(message["state"])
        return message, calls_of(message, self.last)

    async def moves(self, history: Awaitable[Event] | None = None) -> list[Primitive]:
        """Returns what the person did with the browser's own buttons and address bar to get to the page shown.

        Args:
            history: The history after the move, None for the present one.
        """
        self._begun = True
        before, position = self._entries, self._position
        entry = self._shown_entry(await (history or self._history()))
        assert self._network.site is not None
        if not entry["url"].startswith(f"{self._network.site.origin}/"):
            return []
        if entry["id"] in before:
            step = self._position - position
            return [primitive("go_back" if step < 0 else "go_forward")] * abs(step)
        typed = entry["transitionType"] not in _FROM_THE_PAGE
        return [primitive("goto", path_of(entry["userTypedURL"] or entry["url"]))] if typed else []

    @property
    def key(self) -> object:
        """What tells its document from others."""
        return self._frame, self._world

    def _read(self, text: str) -> None:
        state = read_state(text)
        assert self._document is not None
        self.last = build_page(snapshot_of(composed(self._document, state.url, ""), state))

    def _arrived(self, loader: str, message: Event) -> Document | None:
        """Returns the document that a page is, as Chromium has it; None for one that is not the site's."""
        arrivals = (
            a.document for a in reversed(self._network.arrivals) if (a.frame, a.loader) == (self._frame, loader)
        )
        document = next(arrivals, None)
        if document is None or matches(document, message["checksum"]):
            return document
        known = known_variant(document, message["checksum"])
        return known or variant(document, message["structure"], message["checksum"])

    async def _history(self) -> Event:
        told: Event = await self._session.send("Page.getNavigationHistory")
        return told

    def _shown_entry(self, told: Event) -> Event:
        """Takes note of a history, and returns the entry that is shown."""
        self._entries, self._position = [entry["id"] for entry in told["entries"]], told["currentIndex"]
        shown: Event = told["entries"][self._position]
        return shown

    def _listen(self) -> None:
        self._session.on("Runtime.bindingCalled", self._on_told)
        self._session.on("Page.frameNavigated", self._on_navigated)
        self._session.on("Page.navigatedWithinDocument", self._on_moved)
        self._session.on("Page.frameRequestedNavigation", self._on_requested)
        self._session.on("Page.windowOpen", self._on_opening)

    def _on_told(self, event: Event) -> None:
        if event["name"] == _BINDING:
            self._queue.put_nowait(("told", self, {**event, "loader": self._loader}))
            self.arrived.set()

    def _on_navigated(self, event: Event) -> None:
        if "parentId" not in event["frame"]:
            self._loader = event["frame"]["loaderId"]
            self._note_move()

    def _on_moved(self, event: Event) -> None:
        if event["frameId"] == self._frame:
            self._note_move()

    def _note_move(self) -> None:
        """Asks for the history at once: the next move may come before this one is looked at."""
        if not self._begun:
            return
        history = asyncio.ensure_future(self._history())
        history.add_done_callback(lambda done: done.cancelled() or done.exception())
        self._queue.put_nowait(("moved", self, history))

    def _on_requested(self, event: Event) -> None:
        self.opens |= event["disposition"] != "currentTab"

    def _on_opening(self, event: Event) -> None:
        self.opens = True


def _source(popups: bool) -> str:
    capture = files(__package__).joinpath("data/capture.js").read_text(encoding="utf-8")
    page = files("skillshift_gym.browsers").joinpath("scripts/page.js").read_text(encoding="utf-8")
    return f"({capture})({str(popups).lower()});\n{page}"
