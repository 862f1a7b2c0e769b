"""The cookie jar: RFC 6265 without a clock, so a cookie lives until the site deletes it."""

from __future__ import annotations

from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import NamedTuple
from urllib.parse import urlsplit

from ..sites.protocol import Response

# Without a `Date` header an expiry counts as past only when it lies before any site's own time.
_BEFORE_ALL_SITES = datetime(2001, 1, 1, tzinfo=UTC)


class Cookie(NamedTuple):
    """One stored cookie.

    Attributes:
        name: Name.
        value: Value as sent.
        domain: Host, or the domain whose hosts receive the cookie.
        path: Path prefix of the addresses that receive the cookie.
        host_only: Whether only the exact host receives it.
        secure: Whether only `https` addresses receive it.
        http_only: Whether scripts may not read it (kept for the record: there are no scripts).
    """

    name: str
    value: str
    domain: str
    path: str
    host_only: bool
    secure: bool
    http_only: bool

    def matches(self, scheme: str, host: str, path: str) -> bool:
        """Returns whether a request to this address carries the cookie."""
        same_host = host == self.domain or (not self.host_only and host.endswith("." + self.domain))
        return same_host and _path_matches(path, self.path) and (not self.secure or scheme == "https")


class CookieJar:
    """The cookies of one browser context, shared by its tabs."""

    def __init__(self, cookies: tuple[Cookie, ...] = ()) -> None:
        self._cookies = cookies

    def save(self) -> tuple[Cookie, ...]:
        """Returns the cookies, an immutable copy."""
        return self._cookies

    def sent(self, url: str) -> dict[str, str]:
        """Returns the cookies that a request to this address carries, longest path first."""
        if not self._cookies:
            return {}
        parts = urlsplit(url)
        address = (parts.scheme, parts.hostname or "", parts.path or "/")
        chosen = sorted((c for c in self._cookies if c.matches(*address)), key=lambda c: -len(c.path))
        return {c.name: c.value for c in reversed(chosen)}

    def receive(self, url: str, response: Response) -> None:
        """Stores and deletes what the `Set-Cookie` headers of a response ask for."""
        for name, value in response.headers:
            if name.lower() == "set-cookie":
                self._set(url, value, response.header("Date"))

    def _set(self, url: str, header: str, date: str) -> None:
        pair, _, rest = header.partition(";")
        name, equals, value = (part.strip() for part in pair.partition("="))
        attributes = _attributes(rest)
        cookie = _cookie(name, value, attributes, url) if equals and name else None
        if cookie is None:
            return
        identity = (cookie.name, cookie.domain, cookie.path)
        kept = [c for c in self._cookies if (c.name, c.domain, c.path) != identity]
        if not _expired(attributes, date):
            position = next((i for i, c in enumerate(self._cookies) if c not in kept), len(kept))
            kept.insert(position, cookie)
        self._cookies = tuple(kept)


def _attributes(text: str) -> dict[str, str]:
    pairs = (part.partition("=") for part in text.split(";"))
    return {name.strip().lower(): value.strip() for name, _, value in pairs}


def _cookie(name: str, value: str, attributes: dict[str, str], url: str) -> Cookie | None:
    """Returns the cookie, or None when the standard says to ignore it."""
    parts = urlsplit(url)
    host = parts.hostname or ""
    domain = attributes.get("domain", "").removeprefix(".").lower()
    if domain and not (host == domain or (host.endswith("." + domain) and "." in domain)):
        return None
    path = attributes.get("path", "")
    if not path.startswith("/"):
        path = parts.path.rpartition("/")[0] or "/"
    secure = "secure" in attributes
    if (secure or name.startswith(("__Secure-", "__Host-"))) and not (secure and parts.scheme == "https"):
        return None
    if name.startswith("__Host-") and (domain or path != "/"):
        return None
    return Cookie(name, value, domain or host, path, not domain, secure, "httponly" in attributes)


def _expired(attributes: dict[str, str], date: str) -> bool:
    age = attributes.get("max-age", "")
    if age.removeprefix("-").isdecimal():
        return age.startswith("-") or not age.strip("0")
    expires = _moment(attributes.get("expires", ""))
    return expires is not None and expires <= (_moment(date) or _BEFORE_ALL_SITES)


def _moment(text: str) -> datetime | None:
    try:
        moment = parsedate_to_datetime(text.replace("-", " "))
    except (ValueError, TypeError, IndexError, OverflowError):
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _path_matches(path: str, prefix: str) -> bool:
    return path == prefix or (path.startswith(prefix) and (prefix.endswith("/") or path[len(prefix)] == "/"))
