"""Requests of Chromium, answered by the site in this process.

DevTools' Fetch domain on the browser itself sees every request of every tab, redirected ones and the first one of a new
tab included. Nothing is ever sent to a network.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
from typing import TYPE_CHECKING

from ..document import Document, PageFilter
from ..errors import NavigationFailed
from ..sites.protocol import Site
from .chromium_snapshot import as_html
from .chromium_wire import Event, Headers, cookie_headers, origin_of, pair, percent_encoded, request_of
from .navigation import MOST_REDIRECTS, NO_PAGE, REDIRECTS, require_origin
from .urls import resolve

if TYPE_CHECKING:
    from playwright.async_api import CDPSession

_RESOURCES = frozenset({"Stylesheet", "Image", "Font", "Media"})
_HTML = "text/html; charset=utf-8"
_NO_SCRIPTS = "script-src 'none'; object-src 'none'"  # of the page; the isolated world is not bound by it


class Arrival:
    """A document that a tab asked for.

    Attributes:
        frame: Id of the tab's main frame.
        loader: Id of the navigation.
        method: Method of the last request.
        requests: Number of requests so far, redirects included.
        document: The document that arrived, None before and when none did.
        failure: Why none arrived.
        done: Whether the last request was answered.
    """

    def __init__(self, frame: str, loader: str) -> None:
        self.frame = frame
        self.loader = loader
        self.method = "GET"
        self.requests = 0
        self.document: Document | None = None
        self.failure: Exception | None = None
        self.done = False


class Network:
    """The requests of one browser context.

    The site is only ever asked while the context works for its caller, who waits meanwhile: nothing else can use the
    site then. What comes at another time waits, if it is a style sheet or an image, or is refused.

    Args:
        session: DevTools session with the browser.
        tick: Set whenever a document request changes something.
    """

    def __init__(self, session: CDPSession, tick: asyncio.Event) -> None:
        self.site: Site | None = None
        self.filters: tuple[PageFilter, ...] = ()
        self.arrivals: list[Arrival] = []
        self.replay: Document | None = None
        self._session = session
        self._tick = tick
        self._open = False
        self._late: list[Event] = []
        self._sending: set[asyncio.Task[None]] = set()

    def open(self) -> None:
        """Begins to answer."""
        self._open = True
        self.arrivals.clear()
        late, self._late = self._late, []
        for event in late:
            self.take(event)

    def close(self) -> None:
        """Stops answering."""
        self._open = False

    def take(self, event: Event) -> None:
        """Answers what `Fetch.requestPaused` reports."""
        kind = event["resourceType"]
        if kind == "Document" and self._open:
            self._answer_document(event)
        elif kind in _RESOURCES and self.site is not None and origin_of(event) == self.site.origin:
            if self._open:
                self._answer_resource(event)
            else:
                self._late.append(event)
        else:
            self.refuse(event)

    def refuse(self, event: Event) -> None:
        """Lets a request fail; a page that it was for stays away, and what is shown stays."""
        self._send("Fetch.failRequest", {"requestId": event["requestId"], "errorReason": "Aborted"})

    def _answer_document(self, event: Event) -> None:
        arrival = self._arrival(event)
        arrival.requests += 1
        try:
            self._load(event, arrival)
        except Exception as error:  # noqa: BLE001  the caller of the primitive raises it
            arrival.failure = error
            self._fail(event, arrival)
        self._tick.set()

    def _load(self, event: Event, arrival: Arrival) -> None:
        request = event["request"]
        address = resolve(request["url"], request["url"])
        arrival.method = request["method"]
        if self.replay is not None:
            self._show(event, arrival, self.replay, [])
            return
        assert self.site is not None
        require_origin(self.site, address)
        response = self.site.request(request_of(request))
        cookies = cookie_headers(address.page, response)
        location = response.header("Location") if response.status in REDIRECTS else ""
        if location:
            target = resolve(address.page, location)
            if arrival.requests >= MOST_REDIRECTS:  # Chromium shows an error page of its own for one more
                raise NavigationFailed(f"{target.page} redirects without end: more than {MOST_REDIRECTS} redirects")
            require_origin(self.site, target)
            self._fulfil(event, response.status, [*cookies, pair("Location", percent_encoded(location))], b"")
        elif response.status in NO_PAGE or response.header("Content-Disposition").lower().startswith("attachment"):
            self._fail(event, arrival)
        else:
            document = response.document(address.page, self.filters)
            plain = not self.filters and response.content_type == "text/html" and response.body.strip()
            self._show(event, arrival, document, cookies, response.body if plain else None)

    def _show(
        self, event: Event, arrival: Arrival, document: Document, cookies: Headers, body: bytes | None = None
    ) -> None:
        arrival.document, arrival.done = document, True
        text = as_html(document) if body is None else body
        headers = [*cookies, pair("Content-Type", _HTML), pair("Content-Security-Policy", _NO_SCRIPTS)]
        self._fulfil(event, 200, headers, text)

    def _fail(self, event: Event, arrival: Arrival) -> None:
        arrival.done = True
        self.refuse(event)

    def _arrival(self, event: Event) -> Arrival:
        frame, loader = event["frameId"], event.get("networkId", "")
        found = next((a for a in self.arrivals if (a.frame, a.loader) == (frame, loader)), None)
        if found is None:
            found = Arrival(frame, loader)
            self.arrivals.append(found)
        return found

    def _answer_resource(self, event: Event) -> None:
        assert self.site is not None
        try:
            response = self.site.request(request_of(event["request"]))
        except Exception:  # noqa: BLE001  a page is shown without a picture that cannot be had
            self.refuse(event)
            return
        kind = pair("Content-Type", response.header("Content-Type"))
        self._fulfil(event, response.status, [kind, pair("Cache-Control", "max-age=3600")], response.body)

    def _fulfil(self, event: Event, status: int, headers: Headers, body: bytes) -> None:
        answer = {
            "requestId": event["requestId"],
            "responseCode": status,
            "responseHeaders": headers,
            "body": base64.b64encode(body).decode(),
        }
        self._send("Fetch.fulfillRequest", answer)

    def _send(self, method: str, arguments: Event) -> None:
        task = asyncio.ensure_future(self._deliver(method, arguments))
        self._sending.add(task)
        task.add_done_callback(self._sending.discard)

    async def _deliver(self, method: str, arguments: Event) -> None:
        from playwright.async_api import Error

        with contextlib.suppress(Error):  # the tab that asked is gone
            await self._session.send(method, arguments)


class Router:
    """Finds the network of a request: by its frame, and for a new tab by the browser context it opened in.

    Args:
        session: DevTools session with the browser.
    """

    def __init__(self, session: CDPSession) -> None:
        self._session = session
        self._networks: dict[str, Network] = {}
        self._frames: dict[str, str] = {}
        self._asking: set[asyncio.Task[None]] = set()

    def add(self, context: str, network: Network) -> None:
        """Registers the network of a browser context."""
        self._networks[context] = network

    def remove(self, context: str) -> None:
        """Forgets a browser context and its frames."""
        self._networks.pop(context, None)
        self._frames = {frame: owner for frame, owner in self._frames.items() if owner != context}

    def dispatch(self, event: Event) -> None:
        """Hands a paused request on."""
        network = self._networks.get(self._frames.get(event["frameId"], ""))
        if network is not None:
            network.take(event)
            return
        task = asyncio.ensure_future(self._ask(event))
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)

    async def _ask(self, event: Event) -> None:
        from playwright.async_api import Error

        frame = event["frameId"]
        try:
            info = (await self._session.send("Target.getTargetInfo", {"targetId": frame}))["targetInfo"]
        except Error:  # a frame inside of a page, or a page that is gone
            info = {}
        context = info.get("browserContextId", "")
        network = self._networks.get(context)
        if network is not None:
            self._frames[frame] = context
            network.take(event)
        else:
            with contextlib.suppress(Error):
                refusal = {"requestId": event["requestId"], "errorReason": "Aborted"}
                await self._session.send("Fetch.failRequest", refusal)
