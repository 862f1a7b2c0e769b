"""Addresses: resolution and normalisation as the URL standard defines them for `http`, `https` and `about:blank`."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, unquote_to_bytes, urljoin, urlsplit

from ..document import Document
from ..errors import NavigationFailed

BLANK = "about:blank"
_PORTS = {"http": ":80", "https": ":443"}
_C0_OR_SPACE = "".join(map(chr, range(33)))
_NEWLINES = str.maketrans("", "", "\t\n\r")
_SCHEME = re.compile(r"([A-Za-z][A-Za-z0-9+.-]*):")
_HOST = re.compile(r"(?:[^\x00-\x20#%/:<>?@\[\\\]^|\x7f]+|\[[0-9A-Fa-f:.]+\])(?::\d{0,5})?")
_PATH_SAFE = "!$%&'()*+,-./:;=@[\\]_|~"
_QUERY_SAFE = "!$%&()*+,-./:;=?@[\\]^_`{|}~"
_FRAGMENT_SAFE = "!#$%&'()*+,-./:;=?@[\\]^_{|}~"
_DOTS = {".": ".", "%2e": ".", "..": "..", ".%2e": "..", "%2e.": "..", "%2e%2e": ".."}


class Address(NamedTuple):
    """A normalised absolute address, in the parts that navigation compares.

    Attributes:
        page: The address without its fragment.
        fragment: The fragment with its `#`, empty when the address has none.
        origin: Scheme, host and port that is not the default.
    """

    page: str
    fragment: str
    origin: str

    @property
    def url(self) -> str:
        """The whole address."""
        return self.page + self.fragment


def scheme_of(reference: str) -> str:
    """Returns the lower-case scheme of a reference, empty for a relative one."""
    match = _SCHEME.match(reference.strip(_C0_OR_SPACE).translate(_NEWLINES))
    return match[1].lower() if match else ""


def base_of(document: Document) -> str:
    """Returns the address that references in a document are resolved against; a broken `base` counts as absent."""
    try:
        return document.base_url
    except ValueError:
        return document.url


@lru_cache(maxsize=8192)
def resolve(base: str, reference: str) -> Address:
    """Returns the address of a reference.

    Args:
        base: Absolute address to start from.
        reference: What a link, a form or an agent says.

    Raises:
        NavigationFailed: The result is not an address that a browser without scripts can open.
    """
    text = reference.strip(_C0_OR_SPACE).translate(_NEWLINES)
    scheme = scheme_of(text) or scheme_of(base)
    if text.lower() == BLANK:
        return Address(BLANK, "", "")
    if scheme not in _PORTS:
        raise NavigationFailed(f"cannot open {_shown(reference)}: expected an http or https address")
    try:
        head, mark, fragment = text.partition("#")
        return _normalise(_joined(base, _slashes(head)) if head else base.partition("#")[0], mark + fragment)
    except ValueError:
        raise NavigationFailed(f"cannot open {_shown(reference)}: it is not a valid address") from None


def fragment_id(url: str) -> str:
    """Returns the decoded fragment of an address, without its `#`."""
    return unquote_to_bytes(url.partition("#")[2]).decode("utf-8", "replace")


def without_fragment(url: str) -> str:
    """Returns an address up to its fragment."""
    return url.partition("#")[0]


def scalars(text: str) -> str:
    """Returns a text with lone surrogates replaced, as every browser does before it encodes one."""
    return text.encode("utf-16", "surrogatepass").decode("utf-16", "replace") if not _encodable(text) else text


def _encodable(text: str) -> bool:
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _joined(base: str, text: str) -> str:
    """Returns an absolute address that is not yet normalised."""
    match = _SCHEME.match(text)
    if match is None:
        return urljoin(base, text)
    rest = text[match.end() :]
    if not rest.startswith("/") and scheme_of(base) == match[1].lower():
        return urljoin(base, rest)
    return f"{match[1]}://{rest.lstrip('/')}"


def _slashes(text: str) -> str:
    """Returns a reference with the backslashes of its path read as slashes."""
    path, mark, query = text.partition("?")
    return path.replace("\\", "/") + mark + query


def _normalise(url: str, fragment: str) -> Address:
    head = scalars(url)
    parts = urlsplit(head)
    host = parts.netloc.rpartition("@")[2].lower().removesuffix(":")
    if not _HOST.fullmatch(host):
        raise ValueError(url)
    origin = f"{parts.scheme}://{host.removesuffix(_PORTS[parts.scheme])}"
    query = "?" + quote(parts.query, _QUERY_SAFE) if "?" in head else ""
    path = quote(_without_dots(parts.path), _PATH_SAFE)
    return Address(f"{origin}{path}{query}", quote(scalars(fragment), _FRAGMENT_SAFE), origin)


def _without_dots(path: str) -> str:
    kept: list[str] = []
    segments = path.split("/")[1:] or [""]
    for position, segment in enumerate(segments):
        dots = _DOTS.get(segment.lower())
        if dots == ".." and kept:
            kept.pop()
        if dots is None:
            kept.append(segment)
        elif position == len(segments) - 1:
            kept.append("")
    return "/" + "/".join(kept)


def _shown(reference: str) -> str:
    return repr(reference if len(reference) <= 80 else reference[:80] + "...")
