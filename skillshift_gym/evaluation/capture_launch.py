"""Starting a Chromium for a person, on this machine's screen or for one who attaches from elsewhere.

The site answers in this process, as for the Chromium browser; nothing reaches a network.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import socket
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any

from ..browsers.chromium_context import HEIGHT, WIDTH
from ..browsers.chromium_launch import CHOICE, NAMES, find_chromium, install_command
from ..browsers.chromium_network import Network, Router
from ..browsers.chromium_wire import Event, pair
from ..document import PageFilter
from ..errors import InfrastructureError
from ..sites.protocol import Site
from .capture_window import DIED, Window

if TYPE_CHECKING:
    from playwright.async_api import Browser, BrowserContext, Playwright

_FLAGS = (
    "--disable-component-update",
    "--host-resolver-rules=MAP * ~NOTFOUND",  # what escapes the interception reaches no network
    "--no-pings",
    "--disable-features=BackForwardCache,Translate,Prerender2,AutofillServerCommunication",
)
_START_LIMIT, _STOP_LIMIT = 60.0, 5.0  # seconds


@dataclass(frozen=True)
class Look:
    """How the window is shown.

    Attributes:
        headless: Whether there is no window on this machine's screen.
        port: Port at which Chromium's DevTools listen on this machine, 0 for none.
    """

    headless: bool = False
    port: int = 0


class _Network(Network):
    """A network that leads an address typed without its scheme, which Chromium takes for `http:`, to the site's own."""

    def take(self, event: Event) -> None:
        """Answers what `Fetch.requestPaused` reports."""
        origin = self.site.origin if self.site is not None else ""
        plain, url = f"{origin.replace('https:', 'http:')}/", event["request"]["url"]
        if origin.startswith("https:") and url.startswith(plain):
            self._fulfil(event, 307, [pair("Location", f"{origin}/{url.removeprefix(plain)}")], b"")
        else:
            super().take(event)


def _silent(line: str) -> None:
    """Tells nobody."""


@asynccontextmanager
async def opened(
    site: Site, path: str, filters: tuple[PageFilter, ...] = (), *, look: Look | None = None,
    told: Callable[[str], None] = _silent,
) -> AsyncIterator[Window]:  # fmt: skip
    """Opens a window on a site, and watches it.

    Args:
        site: The site.
        path: Path to begin at.
        filters: Page filters.
        look: How the window is shown; on the screen by default.
        told: Takes a line about each new deed.

    Raises:
        InfrastructureError: There is no Chromium, or it cannot be started here.
    """
    from playwright.async_api import async_playwright

    look = look or Look()
    async with AsyncExitStack() as stack:
        playwright = await async_playwright().start()
        stack.push_async_callback(_quietly, playwright.stop)
        browser = await launched(playwright, look)
        stack.push_async_callback(_quietly, browser.close)
        yield await stack.enter_async_context(watching(browser, site, path, filters, look=look, told=told))


@asynccontextmanager
async def watching(
    browser: Browser, site: Site, path: str, filters: tuple[PageFilter, ...] = (), *, look: Look, told: Callable[[str], None] = _silent
) -> AsyncIterator[Window]:  # fmt: skip
    """Opens a window of a Chromium that runs; no other one may be watched in it meanwhile.

    Raises:
        InfrastructureError: The first page cannot be shown.
    """
    from playwright.async_api import Error

    session = await browser.new_browser_cdp_session()
    network = _Network(session, asyncio.Event())
    network.site, network.filters = site, filters
    network.open()
    router = Router(session)
    session.on("Fetch.requestPaused", router.dispatch)
    await session.send("Fetch.enable", {"patterns": [{"urlPattern": "*"}]})
    shape: dict[str, Any] = {"viewport": {"width": WIDTH, "height": HEIGHT}} if look.headless else {"no_viewport": True}
    context = await browser.new_context(locale="en-US", timezone_id="UTC", **shape)
    window = Window(network, popups=not look.headless, told=told)
    browser.on("disconnected", lambda _: window.stop(DIED))
    try:
        async with asyncio.timeout(_START_LIMIT):
            page = await context.new_page()
            router.add(await _id_of(context), network)
            await window.begin(page, site.origin + path)
        yield window
    except (Error, TimeoutError) as error:
        raise InfrastructureError(f"{site.origin}{path}: {_told_by(error)}") from error
    finally:
        window.close()
        await _quietly(session.detach)
        await _quietly(context.close)


async def _id_of(context: BrowserContext) -> str:
    """Returns the id of a browser context in DevTools."""
    session = await context.new_cdp_session(context.pages[0])
    told = await session.send("Target.getTargetInfo")
    await session.detach()
    return str(told["targetInfo"]["browserContextId"])


async def launched(playwright: Playwright, look: Look) -> Browser:
    """Starts a Chromium.

    Raises:
        InfrastructureError: There is none, it cannot be started here, or its port is taken.
    """
    from playwright.async_api import Error

    _require_free(look.port)
    # Chromium lets no web page near the port; the front ends of DevTools itself need no leave.
    port = [f"--remote-debugging-port={look.port}"] if look.port else []
    start = partial(playwright.chromium.launch, handle_sigint=False, handle_sigterm=False, handle_sighup=False)
    path = find_chromium() if look.headless else _with_screen()
    try:
        return await start(executable_path=path, headless=look.headless, args=[*_FLAGS, *port])
    except Error as error:
        hint = "" if look.headless else "; without a screen, use --remote PORT"
        raise InfrastructureError(
            f"Chromium cannot be started: {_told_by(error)}{hint}; to install one: {install_command()}"
        ) from None


def _require_free(port: int) -> None:
    """Raises when a port cannot be had: Chromium itself would start, and nobody could attach."""
    try:
        with socket.socket() as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(("127.0.0.1", port))
    except (OSError, OverflowError) as error:
        raise InfrastructureError(f"port {port}: {error}; choose another one") from None


def _with_screen() -> str | None:
    """Returns a Chromium that can show a window, None for Playwright's own."""
    if os.environ.get(CHOICE):
        return find_chromium()
    return next((path for path in map(shutil.which, NAMES) if path and "headless" not in path), None)


def _told_by(error: Exception) -> str:
    """Returns the line of an error that says most."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()] or [type(error).__name__]
    return next((line for line in lines if "ERROR" in line or "display" in line), lines[0])


async def _quietly(end: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Ends Chromium or what drives it, whatever state they are in."""
    with contextlib.suppress(Exception):
        async with asyncio.timeout(_STOP_LIMIT):
            await end()
