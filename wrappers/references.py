"""Renaming ids together with everything that refers to them: labels, owners, ARIA relations and fragments of addresses."""

from __future__ import annotations

import re
from collections.abc import Callable
from urllib.parse import unquote, urlsplit

from lxml import etree

from skillshift_gym.keyed import keyed, unit
from skillshift_gym.wrappers.fates import letters

Rename = Callable[[str], str]

# Lists of ids, or single ones. `usemap` refers to the name of a map, which stays.
REFERENCES = frozenset(
    ["commandfor", "for", "form", "headers", "id", "itemref", "list", "popovertarget"]
    + [f"aria-{name}" for name in ("actions", "activedescendant", "controls", "describedby", "details", "errormessage",
                                   "flowto", "labelledby", "owns")]
)  # fmt: skip
_ADDRESSES = frozenset(["action", "formaction", "href"])
_SCHEME = re.compile(r"[a-zA-Z][a-zA-Z0-9+.-]*:")


def rename_ids(root: etree._Element, url: str, seed: str, probability: float) -> None:
    """Renames ids; the same id has the same fate on all pages, so that fragments of links to other pages follow.

    Args:
        root: The tree, changed in place.
        url: Address of the document.
        seed: The shift's seed.
        probability: Probability that an id is renamed.
    """

    def rename(name: str) -> str:
        if name.lower() == "top" or unit("id", seed, name) >= probability:  # every document has a place called top
            return name
        number = keyed("id name", seed, name)
        return f"{letters(number)}-{letters(number >> 32)[:3]}"

    ids = ids_of(root)
    for element in root.iter(etree.Element):
        for attribute, value in ((str(a), str(v)) for a, v in element.items()):
            if attribute in REFERENCES:
                renamed = _list(value, ids, rename)
            elif attribute in _ADDRESSES and "#" in value:
                renamed = _address(value, url, ids, rename)
            else:
                continue
            if renamed != value:
                element.set(attribute, renamed)


def ids_of(root: etree._Element) -> set[str]:
    """Returns the ids of a tree."""
    return {str(e.get("id")) for e in root.iter(etree.Element) if e.get("id")}


def _list(value: str, ids: set[str], rename: Rename) -> str:
    """Returns a list of ids with those of this page renamed."""
    names = value.split()
    renamed = [rename(n) if n in ids else n for n in names]
    return " ".join(renamed) if renamed != names else value


def _address(value: str, url: str, ids: set[str], rename: Rename) -> str:
    """Returns an address with its fragment renamed, if it leads to an id of this page or may lead to one of another."""
    page, _, fragment = value.partition("#")
    name = unquote(fragment)
    if not name or ":~:" in name or " " in name or not _same_site(page, url):
        return value
    if _same_page(page, url) and name not in ids:
        return value
    renamed = rename(name)
    return value if renamed == name else f"{page}#{renamed}"


def _same_site(page: str, url: str) -> bool:
    if page.startswith("//") or _SCHEME.match(page):
        there, here = urlsplit(page), urlsplit(url)
        return there.netloc == here.netloc and there.scheme in ("", here.scheme)
    return True


def _same_page(page: str, url: str) -> bool:
    here = url.partition("#")[0]
    return page in ("", here, here.partition(urlsplit(url).netloc)[2])
