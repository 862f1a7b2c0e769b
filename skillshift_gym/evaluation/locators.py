"""Which element of a shifted page is which, for judging locators; the locators themselves are those of skills."""

from __future__ import annotations

from collections import Counter

from ..page import Page
from ..skills.finder import KINDS, Finder, tree_of
from ..skills.finder import Mark as Locator

__all__ = ["KINDS", "Finder", "Locator", "identities", "tree_of"]


def identities(page: Page) -> dict[int, tuple[str, int]]:
    """Returns what makes each interactive element the one it is, on this page and on a shifted one.

    That is its semantic id, else what it does (where it leads, what field it is), and its place among equals. Role, name
    and markup do not count.
    """
    seen: Counter[str] = Counter()
    found = {}
    for element in page.interactive:
        sid = page.document.sids.get(int(element.bid))
        key = sid or "\x1f".join(["", element.attrs.get("href", "").partition("#")[0], element.attrs.get("name", "")])
        found[int(element.bid)] = (key, seen[key])
        seen[key] += 1
    return found
