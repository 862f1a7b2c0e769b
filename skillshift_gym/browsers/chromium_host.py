"""One Chromium per process, in a thread with an event loop of its own.

All work with Playwright happens in that thread, so callers may run an event loop themselves, and threads may call at
the same time. A forked child starts its own. No call lasts longer than its limit; a browser that died or does not
answer is killed, and the next one who needs a browser gets a new one.
"""

from __future__ import annotations

import asyncio
import atexit
import contextlib
import ctypes
import os
import signal
import threading
from collections.abc import Coroutine
from typing import TYPE_CHECKING, Any, TypeVar

from ..errors import BrowserTimeout, InfrastructureError
from .chromium_launch import launch
from .chromium_network import Router

if TYPE_CHECKING:
    from playwright.async_api import Browser, CDPSession, Playwright

Result = TypeVar("Result")

LIMIT = 30.0  # seconds
_START_LIMIT, _STOP_LIMIT, _PROBE_LIMIT = 90.0, 5.0, 3.0


class Host:
    """A running Chromium.

    Attributes:
        browser: Playwright's browser.
        session: DevTools session with the browser itself.
        router: Brings the requests of its contexts to their sites.
        spare: A context opened in advance, for the next one who needs one.
    """

    browser: Browser
    session: CDPSession
    router: Router
    _playwright: Playwright

    def __init__(self) -> None:
        self.owner = os.getpid()
        self.died: asyncio.Future[None] | None = None
        self.spare: asyncio.Task[Any] | None = None
        self._pid = 0
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="skillshift-chromium", daemon=True)
        self._thread.start()
        try:
            self._run(self._start(), _START_LIMIT)
        except BaseException:
            self.stop()
            raise

    @property
    def alive(self) -> bool:
        """Whether the browser runs and belongs to this process."""
        return self.owner == os.getpid() and self.died is not None and not self.died.done()

    def call(
        self, coroutine: Coroutine[Any, Any, Result], limit: float = LIMIT, crashed: asyncio.Event | None = None
    ) -> Result:
        """Runs a coroutine in the browser's thread and returns its result.

        Args:
            coroutine: What to run.
            limit: Seconds it may take.
            crashed: Set when the page it works with crashes.

        Raises:
            BrowserTimeout: It took longer than the limit.
            InfrastructureError: The browser died or the page crashed.
        """
        if not self.alive:
            coroutine.close()
            raise InfrastructureError("Chromium is gone; reset starts a new one")
        try:
            return self._run(self._guarded(coroutine, crashed or asyncio.Event()), limit)
        except TimeoutError:
            self._probe()
            raise BrowserTimeout(f"Chromium did not answer within {limit:g} seconds") from None

    def post(self, coroutine: Coroutine[Any, Any, None]) -> None:
        """Runs a coroutine in the browser's thread without waiting for it; a failure of it means nothing."""

        async def quietly() -> None:
            with contextlib.suppress(Exception):
                await coroutine

        asyncio.run_coroutine_threadsafe(quietly(), self._loop)

    def stop(self) -> None:
        """Ends browser and thread; a browser that does not end by itself is killed."""
        if self.owner != os.getpid() or self._loop.is_closed():
            return
        with contextlib.suppress(Exception):
            self._run(self._close(), _STOP_LIMIT)
        self.kill()
        with contextlib.suppress(Exception):
            self._run(self._end(), _STOP_LIMIT)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(_STOP_LIMIT)
        if not self._thread.is_alive():
            self._loop.close()

    def kill(self) -> None:
        """Ends the browser's processes at once."""
        if self._pid:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                group = os.getpgid(self._pid)
                os.killpg(group, signal.SIGKILL) if group != os.getpgid(0) else os.kill(self._pid, signal.SIGKILL)
            self._pid = 0

    @property
    def pid(self) -> int:
        """Process id of the browser, 0 when it has been killed."""
        return self._pid

    def _run(self, coroutine: Coroutine[Any, Any, Result], limit: float) -> Result:
        future = asyncio.run_coroutine_threadsafe(coroutine, self._loop)
        try:
            return future.result(limit)
        except TimeoutError:
            future.cancel()
            raise

    async def _start(self) -> None:
        from playwright.async_api import async_playwright

        self._playwright = await async_playwright().start()
        self.browser = await launch(self._playwright)
        self.died = self._loop.create_future()
        self.browser.on("disconnected", lambda _: self._note_death())
        self.session = await self.browser.new_browser_cdp_session()
        processes = (await self.session.send("SystemInfo.getProcessInfo"))["processInfo"]
        self._pid = next(int(process["id"]) for process in processes if process["type"] == "browser")
        self.router = Router(self.session)
        self.session.on("Fetch.requestPaused", self.router.dispatch)
        await self.session.send("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})

    async def _guarded(self, coroutine: Coroutine[Any, Any, Result], crashed: asyncio.Event) -> Result:
        """Runs a coroutine until it is done, the browser dies or the page crashes."""
        from playwright.async_api import Error

        assert self.died is not None
        task: asyncio.Future[Result] = asyncio.ensure_future(coroutine)
        crash: asyncio.Future[Any] = asyncio.ensure_future(crashed.wait())
        waiting: set[asyncio.Future[Any]] = {task, crash, self.died}
        try:
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if task.done():
                return task.result()
        except Error as error:
            if not self.died.done() and not crashed.is_set():
                raise InfrastructureError(f"Chromium failed: {str(error).splitlines()[0]}") from error
        finally:
            task.cancel()
            crash.cancel()
        what = "the page crashed" if crashed.is_set() else "Chromium died"
        raise InfrastructureError(f"{what}; reset starts a new one")

    def _note_death(self) -> None:
        if self.died is not None and not self.died.done():
            self.died.set_result(None)

    def _probe(self) -> None:
        """Kills a browser that does not answer at all; another one is only slow with one page."""
        try:
            self._run(self.session.send("Browser.getVersion"), _PROBE_LIMIT)
        except Exception:  # noqa: BLE001  whatever the reason, it cannot be used
            self.kill()
            self._loop.call_soon_threadsafe(self._note_death)

    async def _close(self) -> None:
        if self.spare is not None:
            self.spare.cancel()
        if self.died is not None and not self.died.done():
            await self.browser.close()

    async def _end(self) -> None:
        if hasattr(self, "_playwright"):
            await self._playwright.stop()


class _Shared:
    """The host of this process."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.host: Host | None = None

    def forget(self) -> None:
        """Runs in a forked child: the parent's host is left alone for good, its destructors included."""
        self.lock = threading.Lock()
        if self.host is not None:
            ctypes.pythonapi.Py_IncRef(ctypes.py_object(self.host))  # destructors would kill the parent's processes
            self.host = None


_SHARED = _Shared()


def host() -> Host:
    """Returns the running Chromium of this process, started when there is none."""
    with _SHARED.lock:
        current = _SHARED.host
        if current is None or not current.alive:
            if current is not None:
                current.stop()
            _SHARED.host = None
            current = _SHARED.host = Host()
        return current


def shut_down() -> None:
    """Ends the Chromium of this process, if one runs."""
    with _SHARED.lock:
        current, _SHARED.host = _SHARED.host, None
        if current is not None:
            current.stop()


atexit.register(shut_down)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_SHARED.forget)
