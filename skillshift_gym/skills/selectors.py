"""The part of CSS that recorders write: compounds of tag, id, classes, attributes and a place, joined by space or `>`."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import lru_cache
from typing import NamedTuple

from ..document import Element

MAX_COMPOUNDS = 40
_COMPOUND = re.compile(
    r"(?P<tag>[a-z][a-z0-9-]*|\*)?(?:#(?P<id>[\w-]+))?(?P<classes>(?:\.[\w-]+)*)"
    r"(?P<attributes>(?:\[[\w-]+(?:[\^$*]?=(?:\"[^\"\]]*\"|'[^'\]]*'|[\w-]+))?\])*)(?::nth-of-type\((?P<nth>\d{1,5})\))?"
)
_ATTRIBUTE = re.compile(
    r"\[(?P<name>[\w-]+)(?:(?P<test>[\^$*]?=)(?:\"(?P<a>[^\"]*)\"|'(?P<b>[^']*)'|(?P<c>[\w-]+)))?\]"
)
_SPLIT = re.compile(r"(\s*>\s*|\s+)(?=(?:[^\"']|\"[^\"]*\"|'[^']*')*$)")
_TESTS: dict[str, Callable[[str, str], bool]] = {
    "=": lambda have, want: have == want,
    "^=": lambda have, want: bool(want) and have.startswith(want),
    "$=": lambda have, want: bool(want) and have.endswith(want),
    "*=": lambda have, want: bool(want) and want in have,
}


class Compound(NamedTuple):
    """One compound of a selector.

    Attributes:
        child: Whether it is a child of what the compound before matches, else any descendant.
        tag: Tag, empty for any.
        id: Id, empty for any.
        classes: Classes.
        attributes: (name, test, value); the test is empty where the attribute need only be there.
        nth: Place among the siblings of its tag, 0 for any.
    """

    child: bool
    tag: str
    id: str
    classes: frozenset[str]
    attributes: tuple[tuple[str, str, str], ...]
    nth: int

    def fits(self, element: Element, place: int) -> bool:
        """Tells whether it matches an element that has this place among its siblings."""
        attrs = element.attrs
        if (self.tag and element.tag != self.tag) or (self.id and attrs.get("id") != self.id):
            return False
        if self.nth and place != self.nth:
            return False
        if self.classes and not self.classes <= set(attrs.get("class", "").split()):
            return False
        return all(
            name in attrs and (not test or _TESTS[test](attrs[name], value)) for name, test, value in self.attributes
        )


@lru_cache(maxsize=65_536)
def compounds(selector: str) -> tuple[Compound, ...]:
    """Returns the compounds of a selector.

    Raises:
        ValueError: It is not of the part of CSS that is read.
    """
    first, *rest = _SPLIT.split(selector.strip())
    if len(rest) > 2 * MAX_COMPOUNDS:
        raise ValueError(f"expected at most {MAX_COMPOUNDS} compounds, got {len(rest) // 2 + 1}")
    return (
        _compound(first, False),
        *(_compound(part, ">" in how) for how, part in zip(rest[::2], rest[1::2], strict=True)),
    )


def _compound(text: str, child: bool) -> Compound:
    match = _COMPOUND.fullmatch(text)
    if match is None or not text:
        raise ValueError(f'expected tag#id.class[attr="value"]:nth-of-type(n), got {text!r}')
    attributes = tuple(
        (m["name"], m["test"] or "", next((g for g in (m["a"], m["b"], m["c"]) if g is not None), ""))
        for m in _ATTRIBUTE.finditer(match["attributes"] or "")
    )
    classes = frozenset(filter(None, (match["classes"] or "").split(".")))
    return Compound(
        child, (match["tag"] or "").replace("*", ""), match["id"] or "", classes, attributes, int(match["nth"] or 0)
    )
