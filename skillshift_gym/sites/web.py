"""The small web framework of the embedded sites: Werkzeug's routing and form parsing, called directly.

A site is a table of routes. A handler gets a `Call` and the route's values and returns a `Response`. GET handlers only
read; other methods run in one transaction. Why Werkzeug and not a larger framework: docs/decisions/0002.
"""

from __future__ import annotations

import io
import json
import sqlite3
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from typing import Any, cast
from urllib.parse import parse_qsl, urlsplit

from werkzeug.datastructures import MultiDict
from werkzeug.exceptions import HTTPException, MethodNotAllowed, NotFound
from werkzeug.formparser import parse_form_data
from werkzeug.routing import Map, MapAdapter, RequestRedirect, Rule

from .cache import RESPONSES
from .protocol import Change, Request, Response
from .state import SavedState, SiteState

HTML = "text/html; charset=UTF-8"
JSON = "application/json; charset=UTF-8"


@dataclass
class Call:
    """What a handler knows of a request."""

    site: WebSite
    request: Request
    path: str
    query: str
    db: sqlite3.Connection
    now: datetime

    @cached_property
    def args(self) -> MultiDict[str, str]:
        """The query's fields."""
        return MultiDict(parse_qsl(self.query, keep_blank_values=True, errors="replace"))

    @cached_property
    def form(self) -> MultiDict[str, str]:
        """The body's fields, urlencoded or multipart; file fields are left out."""
        environ = {
            "REQUEST_METHOD": self.request.method,
            "CONTENT_TYPE": self.request.content_type,
            "CONTENT_LENGTH": str(len(self.request.body)),
            "wsgi.input": io.BytesIO(self.request.body),
        }
        return parse_form_data(environ)[1]

    @property
    def cookies(self) -> Mapping[str, str]:
        """The cookies sent; a GET handler may only read those its site declares."""
        return self.request.cookies

    def header(self, name: str) -> str:
        """Returns a request header by lower-case name, or an empty string."""
        return dict(self.request.headers).get(name, "")


Handler = Callable[..., Response]


class Undone(Exception):
    """Raised by a handler that answers, and whose writes are all taken back.

    Args:
        response: The answer.
    """

    def __init__(self, response: Response) -> None:
        super().__init__()
        self.response = response


class Route:
    """One path pattern (Werkzeug's converters) of a site.

    Args:
        path: The pattern, such as `/category/<path:slug>/`.
        handler: Called as `handler(call, **values)`.
        methods: Methods allowed; HEAD comes with GET.
    """

    def __init__(self, path: str, handler: Handler, methods: Iterable[str] = ("GET",)) -> None:
        self.path = path
        self.handler = handler
        self.methods = tuple(methods)


class WebSite:
    """A site made of routes over a `SiteState`.

    Subclasses set the class attributes.

    Attributes:
        cookie_names: Cookies that GET handlers may read; they are part of the cache key.
        request_headers: Lower-case request headers that GET handlers may read; likewise.
    """

    name: str
    version: str
    origin: str
    cookie_names: tuple[str, ...] = ()
    request_headers: tuple[str, ...] = ("authorization",)

    def __init__(self, state: SiteState, routes: Map) -> None:
        self.state = state
        self._urls: MapAdapter = routes.bind(urlsplit(self.origin).netloc, url_scheme="https")

    @property
    def revision(self) -> str:
        """Hash chain over the requests that wrote since the seed."""
        return self.state.revision

    def reset(self) -> None:
        """Returns to the seeded state."""
        self.state.reset()

    def changes(self) -> tuple[Change, ...]:
        """Business rows that differ from the seed."""
        return self.state.changes()

    def save(self) -> object:
        """Returns an immutable copy of the state."""
        return self.state.save()

    def restore(self, saved: object) -> None:
        """Returns to a saved state."""
        self.state.restore(cast(SavedState, saved))

    def request(self, request: Request) -> Response:
        """Answers one request. GET responses come from the shared cache when the state has been seen before."""
        if request.method not in ("GET", "HEAD"):
            return self._write(request)
        key = self._key(request)
        response = RESPONSES.get(key)
        if response is None:
            response = self._handle(request, self.state.db)
            RESPONSES.put(key, response)
        return response

    def not_found(self, call: Call) -> Response:
        """Returns the page of an unknown address."""
        return error_page(404, "Not Found", f"There is no page at {call.path}.")

    def _key(self, request: Request) -> tuple[object, ...]:
        cookies = tuple(request.cookies.get(name) for name in self.cookie_names)
        headers = tuple(h for h in request.headers if h[0] in self.request_headers)
        url = request.url.partition("#")[0]
        return (self.name, self.version, self.state.revision, request.method, url, cookies, headers)

    def _write(self, request: Request) -> Response:
        token = repr((request.method, request.url, request.content_type, request.body, self._key(request)[5:]))
        try:
            with self.state.writing(token.encode()) as db:
                return self._handle(request, db)
        except Undone as undone:
            return undone.response

    def _handle(self, request: Request, db: sqlite3.Connection) -> Response:
        parts = urlsplit(request.url)
        call = Call(self, request, parts.path or "/", parts.query, db, self.state.now)
        method = "GET" if request.method == "HEAD" else request.method
        try:
            handler, values = self._urls.match(call.path, method, query_args=parts.query)
        except RequestRedirect as redirection:
            target = urlsplit(redirection.new_url)
            return redirect(target.path + (f"?{target.query}" if target.query else ""), 301)
        except MethodNotAllowed as error:
            return error_page(405, "Method Not Allowed", f"{method} is not allowed at {call.path}.", error)
        except NotFound:
            return self.not_found(call)
        return cast(Response, handler(call, **values))


def url_map(routes: Iterable[Route], **options: Any) -> Map:
    """Returns Werkzeug's map of a route table; the endpoint of a rule is the handler itself."""
    return Map([Rule(r.path, endpoint=r.handler, methods=r.methods) for r in routes], **options)


def html_response(text: str, status: int = 200, headers: Iterable[tuple[str, str]] = ()) -> Response:
    """Returns an HTML page."""
    return Response(status, (("Content-Type", HTML), *headers), text)


def json_response(value: object, status: int = 200, headers: Iterable[tuple[str, str]] = ()) -> Response:
    """Returns a JSON document, keys in the order given."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    return Response(status, (("Content-Type", JSON), *headers), text.encode())


def redirect(location: str, status: int = 302, headers: Iterable[tuple[str, str]] = ()) -> Response:
    """Returns a redirect; the location must be percent-encoded."""
    return Response(status, (("Content-Type", HTML), ("Location", location), *headers), "")


def error_page(status: int, title: str, text: str, error: HTTPException | None = None) -> Response:
    """Returns a plain error page."""
    headers = [h for h in error.get_headers() if h[0].lower() == "allow"] if error else []
    escaped = text.replace("&", "&amp;").replace("<", "&lt;")
    page = (
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{title}</title></head>'
        f"<body><h1>{title}</h1><p>{escaped}</p></body></html>"
    )
    return html_response(page, status, headers)
