"""A Chromium window in which a person is watched: what they do in its tabs, in order.

What was done until the window closes, Chromium dies or the person ends it is kept.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

from ..actions import Primitive, primitive
from ..browsers.chromium_network import Network
from ..page import Page
from ..skills.recorder import Step
from .capture_deeds import Deeds
from .capture_tab import Queue, WatchedTab

if TYPE_CHECKING:
    from playwright.async_api import Page as BrowserPage

_GRACE = 0.5  # seconds
_PATIENCE = 5.0  # seconds until what a tab does not answer is given up
CLOSED, DIED, CRASHED = "the window was closed", "Chromium ended", "the page crashed"


class Captured(NamedTuple):
    """What was captured.

    Attributes:
        steps: The steps, each with the page before it.
        last: The page at the end.
        notes: What was seen and is no step, in words.
        reason: Why it ended.
    """

    steps: Sequence[Step]
    last: Page
    notes: Sequence[str]
    reason: str


class Window:
    """A window; `capture_launch.opened` makes one.

    Args:
        network: Where its documents come from.
        popups: Whether lists and pickers open.
        told: Takes a line about each new deed.

    Attributes:
        tabs: The open tabs, in order.
        ended: The reason, once it has ended.
    """

    def __init__(self, network: Network, popups: bool, told: Callable[[str], None]) -> None:
        self.tabs: list[WatchedTab] = []
        self.ended: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._network = network
        self._popups = popups
        self._deeds = Deeds(told)
        self._active = 0
        self._answer = ""
        self._queue: Queue = asyncio.Queue()
        self._following: asyncio.Task[None] | None = None

    async def begin(self, page: BrowserPage, url: str) -> None:
        """Opens the first address and begins to watch."""
        first = await self._attach(page)
        self.tabs.append(first)
        await page.goto(url, wait_until="domcontentloaded")
        await first.begin()
        page.context.on("page", lambda new: self._queue.put_nowait(("opened", None, new)))
        self._following = asyncio.ensure_future(self._follow())

    def stop(self, reason: str, answer: str = "") -> None:
        """Ends it; the first reason stays.

        Args:
            reason: Why, in words.
            answer: What the person answers to the goal, empty for nothing.
        """
        if not self.ended.done():
            self._answer = answer
            self.ended.set_result(reason)

    async def captured(self) -> Captured:
        """Waits for the end and returns what was captured, everything that happened until then included."""
        reason = await self.ended
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._queue.join(), _PATIENCE)
        tab = self.tabs[min(self._active, len(self.tabs) - 1)]
        last = await tab.look() if reason not in (DIED, CRASHED) else tab.last
        steps = self._deeds.steps
        if self._answer:
            steps.append(Step(last, primitive("send_msg_to_user", self._answer)))
        return Captured(steps, last, self._deeds.notes, reason)

    def close(self) -> None:
        """Stops watching."""
        if self._following is not None:
            self._following.cancel()

    async def _attach(self, page: BrowserPage) -> WatchedTab:
        tab = await WatchedTab.attach(page, self._network, self._queue, popups=self._popups)
        page.on("close", lambda _: self._queue.put_nowait(("closed", tab, None)))
        page.on("crash", lambda _: self.stop(CRASHED))
        return tab

    async def _follow(self) -> None:
        from playwright.async_api import Error

        while True:
            what, tab, more = await self._queue.get()
            try:
                await self._take(what, tab, more)
            except Error:  # the tab or Chromium is gone
                pass
            except Exception as error:  # noqa: BLE001  what cannot be read must not cost the deeds before and after it
                self._deeds.note(f"{what}: {type(error).__name__}: {error}")
            finally:
                self._queue.task_done()

    async def _take(self, what: str, tab: WatchedTab, more: Any) -> None:
        if what == "told":
            message, calls = tab.told(more)
            self._add(tab, calls)
            if not calls and message["kind"] != "document":
                self._deeds.note(f"{message['kind']} on {tab.last.url}: a skill has no step for it")
        elif what == "moved":
            before = tab.last
            self._add(tab, await tab.moves(more), before)
        elif what == "opened":
            await self._take_tab(more)
        elif tab in self.tabs:
            self._close_tab(tab)

    def _add(self, tab: WatchedTab, calls: Sequence[Primitive], page: Page | None = None) -> None:
        if calls:
            self._focus(tab)
        for call in calls:
            self._deeds.add(page or tab.last, call, tab.key)

    def _focus(self, tab: WatchedTab) -> None:
        """Adds a change of tab when the person went on in another one."""
        if self.tabs.index(tab) != self._active:
            shown, self._active = self.tabs[self._active].last, self.tabs.index(tab)
            self._deeds.add(shown, primitive("tab_focus", self._active))

    async def _take_tab(self, page: BrowserPage) -> None:
        """Takes in a new tab: a page's own, or one that the person opened."""
        tab = await self._attach(page)
        shown, asked = self.tabs[self._active].last, any(t.opens for t in self.tabs)
        for other in self.tabs:
            other.opens = False
        self.tabs.append(tab)
        self._active = len(self.tabs) - 1
        if not asked:
            self._deeds.add(shown, primitive("new_tab"))
        self._add(tab, await tab.moves(), shown)

    def _close_tab(self, tab: WatchedTab) -> None:
        if len(self.tabs) == 1:
            # A Chromium that dies takes its tabs along, and is heard of after them.
            asyncio.get_running_loop().call_later(_GRACE, self.stop, CLOSED)
            return
        self._focus(tab)
        self._deeds.add(tab.last, primitive("tab_close"))
        self.tabs.remove(tab)
        self._active = len(self.tabs) - 1
