"""Requests for pages: what a user's action asks for, redirects, and what comes back."""

from __future__ import annotations

from typing import NamedTuple

from ..document import Document, PageFilter
from ..errors import NavigationFailed
from ..sites.protocol import Request, Response, Site
from .cookies import CookieJar
from .urls import BLANK, Address, resolve

REDIRECTS = frozenset({301, 302, 303, 307, 308})
_TO_GET = frozenset({301, 302})
NO_PAGE = frozenset({204, 205})
MOST_REDIRECTS = 20


class Navigation(NamedTuple):
    """A page asked for by a link, a form or the user.

    Attributes:
        address: Where to.
        method: `GET` or `POST`.
        body: Encoded form data of a POST.
        content_type: Encoding of the body.
        referrer: Address of the page that asks, empty for the user.
        target: Name of the tab to show it in; empty for the same tab.
        background: Whether the new tab stays behind the present one.
    """

    address: Address
    method: str = "GET"
    body: bytes = b""
    content_type: str = ""
    referrer: str = ""
    target: str = ""
    background: bool = False


class Loaded(NamedTuple):
    """A page that arrived.

    Attributes:
        document: Its document, without a fragment in the address.
        url: Its address after redirects, fragment included.
        method: Method of the last request.
    """

    document: Document
    url: str
    method: str


def load(site: Site, jar: CookieJar, filters: tuple[PageFilter, ...], wanted: Navigation) -> Loaded | None:
    """Requests a page, redirects followed.

    Args:
        site: The only site this browser reaches.
        jar: The context's cookies; responses change it.
        filters: Page filters of the episode.
        wanted: What to request.

    Returns:
        The page, or None when the response says to stay where one is.

    Raises:
        NavigationFailed: The address or a redirect leaves the site, or redirects do not end.
    """
    if wanted.address.url == BLANK:
        return Loaded(blank_document(), BLANK, "GET")
    for _ in range(MOST_REDIRECTS + 1):
        address = wanted.address
        require_origin(site, address)
        response = site.request(_request(jar, wanted))
        jar.receive(address.page, response)
        location = response.header("Location") if response.status in REDIRECTS else ""
        if not location:
            return _arrived(response, wanted, filters)
        wanted = _redirected(wanted, response.status, location)
    raise NavigationFailed(f"{wanted.address.page} redirects without end: more than {MOST_REDIRECTS} redirects")


def require_origin(site: Site, address: Address) -> None:
    """Raises NavigationFailed for an address outside of the site."""
    if address.origin != site.origin:
        raise NavigationFailed(f"cannot open {address.url[:200]}: this browser only reaches {site.origin}")


def blank_document() -> Document:
    """Returns the document of an empty tab."""
    return _BLANK_RESPONSE.document(BLANK)


_BLANK_RESPONSE = Response(200, (("Content-Type", "text/html"),), "<html><head></head><body></body></html>")


def _request(jar: CookieJar, wanted: Navigation) -> Request:
    headers = (("referer", wanted.referrer),) if wanted.referrer else ()
    page = wanted.address.page
    return Request(wanted.method, page, wanted.body, wanted.content_type, jar.sent(page), headers)


def _redirected(wanted: Navigation, status: int, location: str) -> Navigation:
    address = resolve(wanted.address.page, location)
    if not address.fragment:
        address = address._replace(fragment=wanted.address.fragment)
    if status == 303 or (status in _TO_GET and wanted.method == "POST"):
        return wanted._replace(address=address, method="GET", body=b"", content_type="")
    return wanted._replace(address=address)


def _arrived(response: Response, wanted: Navigation, filters: tuple[PageFilter, ...]) -> Loaded | None:
    if response.status in NO_PAGE or response.header("Content-Disposition").lower().startswith("attachment"):
        return None
    return Loaded(response.document(wanted.address.page, filters), wanted.address.url, wanted.method)
