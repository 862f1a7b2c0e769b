"""One tab of Chromium: its DevTools session, the document shown and its history."""

from __future__ import annotations

import asyncio
import json
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from ..document import Document, Snapshot
from ..errors import InfrastructureError
from .chromium_history import Record
from .chromium_snapshot import State, known_variant, live_of, matches, read_state, snapshot_of, variant
from .composition import composed
from .live import Live
from .navigation import blank_document
from .urls import BLANK

if TYPE_CHECKING:
    from playwright.async_api import CDPSession, Page

WORLD = "skillshift"
_SCRIPT = files(__package__).joinpath("scripts/page.js").read_text()
_EMPTY = State(BLANK, {}, frozenset(), bytes([1, 0, 1]), (), -1, 0, 0, None, 0)

Event = dict[str, Any]


class Tab:
    """A tab.

    Args:
        page: Playwright's page.
        session: DevTools session with it.
        tick: Set whenever something happens in the tab.

    Attributes:
        frame: Id of the main frame.
        loader: Id of the navigation that the document shown came with.
        requested: Address of the page that the last input asked for, None when it asked for none.
        opens: Addresses that the last input asked for in other tabs.
        moves: Number of steps within documents so far.
        base: The document without overlay.
        overlay: HTML of the overlay shown, as far as `base` does not hold it.
        shown_overlay: HTML of the overlay shown.
        state: Live state after the last input.
        number: Number of the document shown in the order of opening, 0 in an empty tab.
        history: Its history.
    """

    def __init__(self, page: Page, session: CDPSession, tick: asyncio.Event) -> None:
        self.page = page
        self.session = session
        self.frame = self.loader = ""
        self.requested: str | None = None
        self.opens: list[str] = []
        self.moves = 0
        self.base = blank_document()
        self.overlay = self.shown_overlay = ""
        self.state = _EMPTY
        self.number = 0
        self.history = Record()
        self._under_overlay = self.base
        self._world = 0
        self._tick = tick

    @classmethod
    async def attach(cls, page: Page, tick: asyncio.Event, *, empty: bool = False) -> Tab:
        """Returns the tab of a page.

        Args:
            page: Playwright's page.
            tick: Set whenever something happens in the tab.
            empty: Whether the page was opened by us and is still empty.
        """
        tab = cls(page, await page.context.new_cdp_session(page), tick)
        send = tab.session.send
        frame = (await send("Page.getFrameTree"))["frameTree"]["frame"]
        tab.frame, tab.loader = frame["id"], frame["loaderId"]
        tab._listen()
        script = {"source": _SCRIPT, "worldName": WORLD, "runImmediately": True}
        await asyncio.gather(
            send("Page.enable"), send("Runtime.enable"), send("Page.addScriptToEvaluateOnNewDocument", script)
        )
        tab.loader = (await send("Page.getFrameTree"))["frameTree"]["frame"]["loaderId"]
        if empty:
            await tab.remember()
            tab.history.first = tab.history.current
        return tab

    @property
    def document(self) -> Document:
        """The document shown."""
        return composed(self.base, self.state.url, self.overlay)

    @property
    def bare(self) -> Document:
        """The document shown, without the overlay."""
        return self._under_overlay if self.shown_overlay else self.base

    @property
    def ready(self) -> bool:
        """Whether the document of the last navigation can be worked with."""
        return self._world != 0

    @property
    def asks(self) -> bool:
        """Whether the last input asked for a page, here or in another tab."""
        return self.requested is not None or bool(self.opens)

    def snapshot(self) -> Snapshot:
        """Returns what the tab showed after the last input."""
        return snapshot_of(self.document, self.state)

    def live(self) -> Live:
        """Returns the same as the in-process browser holds it."""
        return live_of(self.base, self.overlay, self.state)

    async def evaluate(self, function: str, *arguments: object) -> Any:
        """Calls a function of the page's script."""
        expression = f"{WORLD}.{function}({', '.join(map(json.dumps, arguments))})"
        wanted = {
            "expression": expression,
            "contextId": self._world,
            "returnByValue": True,
            "awaitPromise": True,
            "userGesture": True,
        }
        answer = await self.session.send("Runtime.evaluate", wanted)
        if "exceptionDetails" in answer:
            problem = answer["exceptionDetails"].get("exception", {}).get("description", "")
            raise InfrastructureError(f"the page's script failed in {function}: {problem}")
        return answer["result"].get("value")

    def begin(self) -> None:
        """Prepares for an input."""
        self.requested, self.opens = None, []

    async def read(self) -> State | None:
        """Returns the live state, None when the document is being left."""
        from playwright.async_api import Error

        try:
            return read_state(await self.evaluate("read"))
        except Error:
            return None

    async def refresh(self) -> None:
        """Brings the live state up to date; a changed address is a new step of the history."""
        before = self.state.url
        state = await self.read()
        if state is not None:
            self.state = state
        if self.state.url != before:
            await self.remember()

    async def arrive(self, document: Document, method: str = "GET", *, again: bool = False) -> None:
        """Takes note of a new document.

        Args:
            document: What was sent to the tab.
            method: Method of the request.
            again: Whether it belongs to a step that the history already had.
        """
        self.history.note_left(self.bare, self.state)
        answer, told = await asyncio.gather(
            self.evaluate("arrive", again), self.session.send("Page.getNavigationHistory")
        )
        state = read_state(answer)
        self.base = await self._shown(document, state.checksum)
        self.overlay = self.shown_overlay = ""
        self.state = state
        self.history.note(told, state.url, method, new_document=not again)

    async def remember(self) -> None:
        """Takes note of the history entry shown."""
        self.history.note(await self.session.send("Page.getNavigationHistory"), self.state.url)

    async def show_overlay(self, html: str) -> None:
        """Puts HTML at the end of the body, in place of what was there before; nothing with an empty text."""
        base = self.bare
        await self.evaluate("showOverlay" if html else "clearOverlay", *([html] if html else []))
        self._under_overlay, self.base, self.shown_overlay, self.overlay = base, base, html, html
        await self.refresh()
        if html:
            wanted = composed(base, base.url, html)
            shown = await self._shown(wanted, await self.evaluate("checksum"))
            if shown is not wanted:
                self.base, self.overlay = shown, ""

    async def _shown(self, document: Document, checksum: int) -> Document:
        """Returns the document as Chromium has it: the same object where the trees are equal."""
        if matches(document, checksum):
            return document
        known = known_variant(document, checksum)
        return known or variant(document, await self.evaluate("structure"), checksum)

    def _listen(self) -> None:
        handlers = {
            "Page.frameNavigated": self._on_navigated,
            "Page.frameRequestedNavigation": self._on_requested,
            "Page.navigatedWithinDocument": self._on_move,
            "Page.windowOpen": self._on_opening,
            "Runtime.executionContextCreated": self._on_world,
            "Runtime.executionContextsCleared": self._on_no_world,
        }
        for name, handler in handlers.items():
            self.session.on(name, handler)

    def _on_navigated(self, event: Event) -> None:
        if "parentId" not in event["frame"]:
            self.loader = event["frame"]["loaderId"]
            self._tick.set()

    def _on_requested(self, event: Event) -> None:
        if event["frameId"] == self.frame:
            if event["disposition"] == "currentTab":
                self.requested = event["url"]
            else:
                self.opens.append(event["url"])
            self._tick.set()

    def _on_move(self, event: Event) -> None:
        self.moves += 1
        self._tick.set()

    def _on_opening(self, event: Event) -> None:
        self.opens.append(event["url"])
        self._tick.set()

    def _on_world(self, event: Event) -> None:
        context = event["context"]
        if context["name"] == WORLD and context["auxData"].get("frameId") == self.frame:
            self._world = context["id"]
            self._tick.set()

    def _on_no_world(self, event: Event) -> None:
        self._world = 0
