"""Healers: where an element may be that its locator no longer finds. One element must stand out, or nothing is healed.

`similo` follows Nass, Alégroth, Feldt, Leotta and Ricca, "Similarity-based Web Element Localization for Robust Test
Automation" (TOSEM 2023): a weighted sum of the similarities of properties. Location, area and shape, which need a drawn
page, are left out; the sum is divided by the weights of the properties that the recording has.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

from ..page import PageElement
from .finder import Finder
from .locator import Locator
from .resolving import Scope
from .similarity import alike, edit_ratio

FUZZY_FLOOR, FUZZY_MARGIN = 0.75, 0.1
SIMILO_FLOOR, SIMILO_MARGIN = 0.6, 0.02
_NEAR_LENGTH = 60


class Property(NamedTuple):
    """A property that Similo compares: its weight, and how two values are compared."""

    weight: float
    compare: Callable[[str, str], float]


def _equal(one: str, other: str) -> float:
    return float(one.casefold() == other.casefold())


# Weights as published; `label` and `near` stand for visible text and neighbour text, `role` for is_button.
PROPERTIES = {
    "tag": Property(1.5, _equal),
    "name": Property(1.5, _equal),
    "id": Property(1.5, _equal),
    "label": Property(1.5, alike),
    "near": Property(1.5, alike),
    "classes": Property(0.5, edit_ratio),
    "href": Property(0.5, edit_ratio),
    "xpath": Property(0.5, edit_ratio),
    "role": Property(0.5, _equal),
}


def heal(locator: Locator, finder: Finder, healer: str, inside: Scope | None = None) -> int:
    """Returns the element that a healer settles on, -1 when none stands out.

    Args:
        locator: Its slots filled in.
        finder: The page.
        healer: `fuzzy` or `similo`.
        inside: Tells which elements count, all when None.
    """
    score, floor, margin = _HEALERS[healer]
    scores = sorted(
        ((score(locator, finder, e), -int(e.bid)) for e in _candidates(locator, finder, inside)), reverse=True
    )
    if not scores or scores[0][0] < floor or (len(scores) > 1 and scores[0][0] - scores[1][0] < margin):
        return -1
    return -scores[0][1]


def _candidates(locator: Locator, finder: Finder, inside: Scope | None) -> Iterator[PageElement]:
    """Yields the elements that may be the one: those one can act on, else those of the recorded role or tag."""
    page = finder.page
    pool = page.interactive
    if locator.role and not any(e.role == locator.role for e in pool):
        pool = tuple(page.element(i) for i in finder.named(locator.role))
    elif not locator.role and locator.tag and locator.tag not in {e.tag for e in pool}:
        pool = tuple(page.element(e.index) for e in page.document.tagged(locator.tag) if page.outline.rendered[e.index])
    yield from (e for e in pool if inside is None or inside(int(e.bid)))


def _fuzzy(locator: Locator, finder: Finder, element: PageElement) -> float:
    if not locator.label or locator.nth >= 0 or element.role != locator.role:  # one of several is not known by its name
        return 0.0
    return alike(locator.label, element.name)


def _similo(locator: Locator, finder: Finder, element: PageElement) -> float:
    total = gained = 0.0
    for key, (weight, compare) in PROPERTIES.items():
        recorded = getattr(locator, key)
        if recorded:
            total += weight
            gained += weight * compare(recorded, _property(finder, element, key))
    return gained / total if total else 0.0


def _property(finder: Finder, element: PageElement, key: str) -> str:
    if key in ("tag", "role"):
        return str(getattr(element, key))
    if key == "label":
        return element.name
    if key == "xpath":
        return finder.xpath(int(element.bid))
    if key == "near":
        return near(finder, int(element.bid))
    return element.attrs.get("class" if key == "classes" else key, "")


def near(finder: Finder, index: int) -> str:
    """Returns the beginning of the text that stands around an element: what its nearest ancestor with more text says."""
    document = finder.page.document
    own = " ".join(document.text(index).split())
    for ancestor in list(document.ancestors(index))[:4]:
        text = " ".join(document.text(ancestor.index).split())
        if len(text) > len(own):
            return text.replace(own, "", 1).strip()[:_NEAR_LENGTH] if own else text[:_NEAR_LENGTH]
    return ""


_HEALERS: dict[str, tuple[Callable[[Locator, Finder, PageElement], float], float, float]] = {
    "fuzzy": (_fuzzy, FUZZY_FLOOR, FUZZY_MARGIN),
    "similo": (_similo, SIMILO_FLOOR, SIMILO_MARGIN),
}
