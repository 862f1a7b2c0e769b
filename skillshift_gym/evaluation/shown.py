"""A recorded page made safe to show: nothing in it runs, leads anywhere or is fetched.

What a page needs of its site, style sheets and pictures, is asked of the site in process and goes into the file.
"""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Callable
from typing import NamedTuple
from urllib.parse import urljoin, urlsplit

from lxml import etree, html

from ..errors import SiteNotReady
from ..sites import registry
from ..sites.protocol import Request, Site

_DROPPED = ("script", "noscript", "template", "iframe", "frame", "object", "embed", "base", "meta", "audio", "video")
# Every attribute that leads somewhere, fetches something or runs; `on...` are dropped too.
_LEADING = frozenset(
    [
        "action",
        "background",
        "data",
        "formaction",
        "href",
        "imagesrcset",
        "manifest",
        "ping",
        "poster",
        "srcdoc",
        "srcset",
    ]
)
_LABELS = ("aria-label", "value", "placeholder", "title", "alt", "name", "id")
_MOST_BYTES = 40_000
_LABEL = 60


class Document(NamedTuple):
    """A page to show.

    Attributes:
        data: The HTML, deflated, in base 64. Pictures are `src="picture:<number>"`.
        sheets: Numbers of its style sheets.
        labels: Bid -> what an element is called, for the bids asked for.
    """

    data: str
    sheets: tuple[int, ...]
    labels: dict[str, str]


class Shelf:
    """The documents of a view and what they share: style sheets and pictures, each once.

    Args:
        site: Name of the site the pages are of.
        version: Its front end.
    """

    def __init__(self, site: str, version: str) -> None:
        self._site: Site | None
        try:
            self._site = registry.create(site, version)
        except SiteNotReady:
            self._site = None
        self.sheets: list[str] = []
        self.pictures: list[str] = []
        self._numbers: dict[str, int | None] = {}

    def document(self, text: str, url: str, bids: frozenset[str]) -> Document:
        """Returns a page as it is shown.

        Args:
            text: Its HTML.
            url: Its address.
            bids: Elements whose labels are wanted.
        """
        root = html.document_fromstring(text)
        labels = {e.get("bid", ""): _label(e) for e in root.iter("*") if e.get("bid") in bids}
        sheets = [self._sheet(urljoin(url, link.get("href", ""))) for link in root.iter("link") if _is_sheet(link)]
        etree.strip_elements(root, *_DROPPED, "link", with_tail=False)
        etree.strip_tags(root, etree.Comment, etree.ProcessingInstruction)
        for element in root.iter("*"):
            self._tame(element, url)
        written = etree.tostring(root, encoding="unicode", method="html")
        packed = base64.b64encode(zlib.compress(written.encode("utf-8", "replace"), 9)).decode()
        return Document(packed, tuple(s for s in sheets if s is not None), labels)

    def _tame(self, element: etree._Element, url: str) -> None:
        source = element.attrib.pop("src", "")
        for name in list(element.attrib):
            plain = re.split("[:}]", str(name).lower())[-1]  # without a namespace, such as xlink's
            if plain in _LEADING or plain.startswith("on"):
                del element.attrib[name]
        number = self._picture(urljoin(url, str(source))) if source and element.tag == "img" else None
        if number is not None:
            element.set("src", f"picture:{number}")

    def _sheet(self, url: str) -> int | None:
        return self._kept(url, "text/css", self.sheets, lambda body, kind: body.decode("utf-8", "replace"))

    def _picture(self, url: str) -> int | None:
        return self._kept(
            url, "image/", self.pictures, lambda body, kind: f"data:{kind};base64,{base64.b64encode(body).decode()}"
        )

    def _kept(self, url: str, kind: str, shelf: list[str], write: Callable[[bytes, str], str]) -> int | None:
        """Returns the number of a resource of the site on a shelf, None when it cannot be had."""
        if url not in self._numbers:
            found = self._fetch(url, kind)
            self._numbers[url] = None if found is None else len(shelf)
            if found is not None:
                shelf.append(write(*found))
        return self._numbers[url]

    def _fetch(self, url: str, kind: str) -> tuple[bytes, str] | None:
        if self._site is None or urlsplit(url)[:2] != urlsplit(self._site.origin)[:2]:
            return None
        response = self._site.request(Request("GET", url))
        wanted = response.status == 200 and response.content_type.startswith(kind)
        return (response.body, response.content_type) if wanted and len(response.body) <= _MOST_BYTES else None


def _is_sheet(link: etree._Element) -> bool:
    return "stylesheet" in (link.get("rel") or "").lower().split()


def _label(element: etree._Element) -> str:
    """Returns what an element is called: its text, or the attribute that says most."""
    text = " ".join("".join(map(str, element.itertext())).split())
    named = next((value for name in _LABELS if (value := element.get(name))), "")
    label = text if text and element.tag not in ("select", "textarea") else str(named)
    return f"{element.tag} “{label[:_LABEL]}{'…' if len(label) > _LABEL else ''}”" if label else str(element.tag)
