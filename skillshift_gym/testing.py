"""Public test kit: a site made of a few pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from .sites.protocol import Change, Request, Response

Handler = Callable[[Request], "Response | str"]


class FakeSite:
    """A site whose pages are a table; it records every request.

    Args:
        pages: Path -> HTML, or a function from the request to HTML or a response. Other paths answer 404.
        origin: Scheme and host.
    """

    name = "fake"
    version = "v1"

    def __init__(self, pages: Mapping[str, str | Handler], origin: str = "https://fake.test") -> None:
        self.pages = dict(pages)
        self.origin = origin
        self.requests: list[Request] = []
        self._responses: dict[tuple[str, str], Response] = {}

    @property
    def revision(self) -> str:
        """Number of writing requests so far."""
        return str(sum(request.method != "GET" for request in self.requests))

    def request(self, request: Request) -> Response:
        """Answers one request and records it."""
        self.requests.append(request)
        path = urlsplit(request.url).path
        page = self.pages.get(path)
        if page is None:
            return html_response("<title>Not found</title><h1>Not found</h1>", status=404)
        answer = page(request) if callable(page) else page
        if isinstance(answer, Response):
            return answer
        key = (path, answer)
        if key not in self._responses:
            self._responses[key] = html_response(answer)
        return self._responses[key]

    def reset(self) -> None:
        """Forgets the recorded requests."""
        self.requests.clear()

    def changes(self) -> tuple[Change, ...]:
        """Returns no changes: there is no database."""
        return ()

    def save(self) -> object:
        """Returns the requests so far."""
        return tuple(self.requests)

    def restore(self, saved: object) -> None:
        """Returns to a saved list of requests."""
        assert isinstance(saved, tuple)
        self.requests = list(saved)


def html_response(html: str, *, status: int = 200, headers: tuple[tuple[str, str], ...] = ()) -> Response:
    """Returns an HTML response."""
    return Response(status, (("Content-Type", "text/html; charset=utf-8"), *headers), html)


def redirect(location: str, status: int = 302, headers: tuple[tuple[str, str], ...] = ()) -> Response:
    """Returns a redirect."""
    return html_response("", status=status, headers=(("Location", location), *headers))
