"""Finding the target of a statement: the marks of its locator in order, each of which must find exactly one element."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

from .finder import Finder, Mark
from .locator import Locator
from .policy import Policy
from .similarity import alike

STALE, AMBIGUOUS = "stale_target", "ambiguous_target"
_FIELDS = {"test id": "test_id", "id": "id", "name": "name", "css": "css", "xpath": "xpath"}
_BY_PLACE = ("css", "xpath")
_SAME_NAME = 0.5

Scope = Callable[[int], bool]


class Found(NamedTuple):
    """What resolving came to.

    Attributes:
        index: The element, -1 without one.
        kind: Kind of the mark that found it.
        rank: How many marks were tried before.
        code: Why there is none.
    """

    index: int  # type: ignore[assignment]  # not the method of tuples
    kind: str = ""
    rank: int = 0
    code: str = ""


def marks(locator: Locator, order: tuple[str, ...]) -> list[Mark]:
    """Returns the marks of a locator without slots, in order."""
    found = []
    for kind in order:
        if kind == "role+name" and locator.role:
            found.append(Mark(kind, locator.label, locator.role, locator.nth))
        elif kind in _FIELDS and (text := getattr(locator, _FIELDS[kind])):
            found.append(Mark(kind, text))
    return found


def resolve(locator: Locator, finder: Finder, policy: Policy, inside: Scope | None = None) -> Found:
    """Returns the element of a locator.

    Args:
        locator: Its slots filled in.
        finder: The page.
        policy: Which marks are tried.
        inside: Tells which elements count, all when None.
    """
    several = False
    tried = marks(locator, policy.order)
    for rank, mark in enumerate(tried if policy.cascade else tried[:1]):
        found = every(mark, finder, inside)
        if mark.kind == "role+name" and mark.nth >= 0:
            found = found[mark.nth : mark.nth + 1]
        if len(found) == 1 and (not policy.same_element or _is_same(locator, mark, finder, found[0])):
            return Found(found[0], mark.kind, rank)
        several = several or len(found) > 1
    return Found(-1, code=AMBIGUOUS if several else STALE)


def every(mark: Mark, finder: Finder, inside: Scope | None = None) -> list[int]:
    """Returns all visible elements that a mark fits; a selector that cannot be read fits none."""
    rendered = finder.page.outline.rendered
    try:
        found = finder.find(mark)
    except ValueError:
        return []
    return [index for index in found if rendered[index] and (inside is None or inside(index))]


def all_of(locator: Locator, finder: Finder, policy: Policy, inside: Scope | None = None) -> list[int]:
    """Returns all visible elements that the first mark with any result fits."""
    for mark in marks(locator, policy.order):
        if found := every(mark, finder, inside):
            return found
    return []


def _is_same(locator: Locator, mark: Mark, finder: Finder, index: int) -> bool:
    """Tells whether what a mark found can be the recorded element."""
    if not locator.role or mark.kind == "role+name":
        return True
    element = finder.page.element(index)
    if element.role != locator.role:
        return False
    return mark.kind not in _BY_PLACE or not locator.label or alike(locator.label, element.name) >= _SAME_NAME
