"""What a site is: HTTP in, HTTP out, one SQLite state with a revision.

A site answers requests in process. The same object serves both browsers, the REST clients of the tests and
`skillshift serve`. Sites know nothing about tasks, browsers or agents.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from typing import Any, NamedTuple, Protocol

from ..document import Document, PageFilter, parse_document
from ..lru import Store

CACHE_MEGABYTES = float(os.environ.get("SKILLSHIFT_CACHE_MB", "256"))
# What a cached page comes to (response, document, outline, texts) for each byte of its body; benchmarks/cache_size.py.
FOOTPRINT = 16
# Documents under page filters: most filters have an episode's seed, so they are rarely met again.
FILTERED: Store[Document] = Store(CACHE_MEGABYTES / 4)
_SID = re.compile(rb' data-sid="[^"]*"')


class Request(NamedTuple):
    """One HTTP request as a site sees it.

    Attributes:
        method: Upper-case method name.
        url: Absolute URL; a fragment is ignored.
        body: Raw body, already encoded as `content_type` says.
        content_type: Value of the `Content-Type` header, empty without a body.
        cookies: Cookie name -> value, as the `Cookie` header would carry them.
        headers: Other headers (lower-case name, value), such as `authorization`.
    """

    method: str
    url: str
    body: bytes = b""
    content_type: str = ""
    cookies: Mapping[str, str] = {}
    headers: tuple[tuple[str, str], ...] = ()


class Response:
    """One HTTP response.

    `marked` is the body as rendered by the site's templates, still carrying the private semantic ids. Nobody
    outside the site layer may show it; `body` is the public form.

    Args:
        status: HTTP status code.
        headers: Header (name, value) pairs in the order sent, `Set-Cookie` included.
        marked: Rendered text (kept as UTF-8), or bytes of a non-HTML resource.
    """

    def __init__(self, status: int, headers: tuple[tuple[str, str], ...], marked: str | bytes) -> None:
        self.status = status
        self.headers = headers
        self.marked = marked.encode() if isinstance(marked, str) else marked
        self._documents: dict[str, Document] = {}

    def header(self, name: str) -> str:
        """Returns the first header of this name (any case), or an empty string."""
        return next((value for key, value in self.headers if key.lower() == name.lower()), "")

    @property
    def content_type(self) -> str:
        """The media type without parameters, in lower case."""
        return self.header("Content-Type").partition(";")[0].strip().lower()

    @property
    def body(self) -> bytes:
        """The body as anyone outside sees it: semantic ids removed, UTF-8."""
        if self.content_type != "text/html":
            return self.marked
        # Autoescaping writes every quote in text as an entity, so this pattern only meets real attributes.
        return _SID.sub(b"", self.marked)

    def document(self, url: str, filters: tuple[PageFilter, ...] = ()) -> Document:
        """Returns the parsed document, filtered; parsed once per (URL, filters).

        Args:
            url: The address the document is shown under (its base).
            filters: Page filters of the installed shifts, applied in order.
        """
        if filters:
            return self._filtered(url, filters)
        document = self._documents.get(url)
        if document is None:
            document = self._documents[url] = parse_document(self._shown, url)
        return document

    def _filtered(self, url: str, filters: tuple[PageFilter, ...]) -> Document:
        key = (self, url, tuple(f.key for f in filters))
        document = FILTERED.get(key)
        if document is None:
            document = parse_document(self._shown, url, filters)
            FILTERED.put(
                key, document, 2 * FOOTPRINT * len(self.marked)
            )  # the tree has grown, and its response is kept
        return document

    @property
    def _shown(self) -> str | bytes:
        return self.marked if self.content_type == "text/html" else _plain_text_page(self.marked)


def _plain_text_page(body: bytes) -> str:
    """Returns the document a browser makes of a body that is not HTML."""
    escaped = body.decode("utf-8", "replace").replace("\0", "\ufffd").replace("&", "&amp;").replace("<", "&lt;")
    return f"<!DOCTYPE html><html><head></head><body><pre>{escaped}</pre></body></html>"


class Change(NamedTuple):
    """One row that differs from the seed in a business column.

    Attributes:
        table: Table name.
        operation: `insert`, `update` or `delete`.
        key: Primary key of the row.
        before: Business columns before, empty for an insert.
        after: Business columns after, empty for a delete. For an update both hold only the columns that differ.
    """

    table: str
    operation: str
    key: int
    before: Mapping[str, Any]
    after: Mapping[str, Any]


class Site(Protocol):
    """A website in one version, with its own state.

    Attributes:
        name: Lower-case site name, such as `wordpress`.
        version: `v1` (source) or `v2` (target).
        origin: Scheme and host, no trailing slash.
    """

    name: str
    version: str
    origin: str

    @property
    def revision(self) -> str:
        """Hash chain over the requests that wrote since the seed; equal revisions mean equal states."""
        ...

    def request(self, request: Request) -> Response:
        """Answers one request; redirects are returned, not followed."""
        ...

    def reset(self) -> None:
        """Returns to the seeded state."""
        ...

    def changes(self) -> tuple[Change, ...]:
        """Business rows that differ from the seed, in table and key order."""
        ...

    def save(self) -> object:
        """Returns an immutable copy of the state."""
        ...

    def restore(self, saved: object) -> None:
        """Returns to a saved state."""
        ...
