"""Requests and responses in the words of DevTools' Fetch domain."""

from __future__ import annotations

import base64
import hashlib
from typing import Any
from urllib.parse import quote, urlsplit

from ..sites.protocol import Request, Response
from .cookies import CookieJar
from .encoding import MULTIPART

Event = dict[str, Any]
Headers = list[dict[str, str]]


def request_of(request: Event) -> Request:
    """Returns a request of Chromium as the in-process browser would send it."""
    body = b"".join(base64.b64decode(entry.get("bytes", "")) for entry in request.get("postDataEntries", ()))
    kind = header_of(request, "content-type") if request["method"] != "GET" else ""
    if kind.startswith(MULTIPART):
        body, kind = _with_own_boundary(body, kind)
    referrer = header_of(request, "referer")
    pairs = (written.strip().partition("=") for written in header_of(request, "cookie").split(";"))
    cookies = {name: value for name, _, value in reversed([*pairs]) if name}
    headers = (("referer", referrer),) if referrer else ()
    return Request(request["method"], request["url"].partition("#")[0], body, kind, cookies, headers)


def _with_own_boundary(body: bytes, kind: str) -> tuple[bytes, str]:
    """Returns multipart data under the boundary that its content gives, in place of a random one."""
    drawn = kind.partition("boundary=")[2].encode()
    parts = [part[2:-2] for part in body.split(b"--" + drawn)[1:-1]]
    boundary = "----SkillShiftFormBoundary" + hashlib.sha256(b"".join(parts)).hexdigest()[:16]
    return body.replace(drawn, boundary.encode()), f"{MULTIPART}; boundary={boundary}"


def cookie_headers(url: str, response: Response) -> Headers:
    """Returns the `Set-Cookie` headers, with what has expired by the site's clock expired, and all else without a time."""
    headers = []
    for name, value in response.headers:
        if name.lower() == "set-cookie":
            jar = CookieJar()
            jar.receive(url, Response(200, (("Set-Cookie", value), ("Date", response.header("Date"))), b""))
            kept = [part for part in value.split(";") if _attribute(part) not in ("expires", "max-age")]
            headers.append(pair("Set-Cookie", ";".join(kept) + ("" if jar.save() else "; Max-Age=0")))
    return headers


def _attribute(part: str) -> str:
    return part.partition("=")[0].strip().lower()


def percent_encoded(location: str) -> str:
    """Returns a `Location` without the characters that Chromium takes for an error."""
    return quote(location, safe="!#$%&'()*+,-./:;=?@[\\]_~|", encoding="utf-8", errors="replace")


def header_of(request: Event, name: str) -> str:
    """Returns a header of a request by lower-case name, or an empty string."""
    return next((value for key, value in request["headers"].items() if key.lower() == name), "")


def origin_of(event: Event) -> str:
    """Returns the origin that a paused request goes to."""
    parts = urlsplit(event["request"]["url"])
    return f"{parts.scheme}://{parts.netloc}"


def pair(name: str, value: str) -> dict[str, str]:
    """Returns a header of a response."""
    return {"name": name, "value": value}
