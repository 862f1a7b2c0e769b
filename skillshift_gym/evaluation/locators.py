"""Locators as recorders store them, and whether one still finds its element on another page.

Kinds, as in browser recorders: test id, id, name, role with name (and the place among equals), two CSS forms (the
shortest chain of ids, classes and places that is unique, and the full path) and the absolute XPath. A locator is recorded
only when it finds its element and no other; it resolves only when it finds exactly one.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cached_property, lru_cache
from typing import NamedTuple, cast

from lxml import etree

from ..document import SID_ATTRIBUTE, Document, Element
from ..page import Page

KINDS = ("test id", "id", "name", "role+name", "css", "css path", "xpath")
TEST_ID = "data-testid"
_ATTRIBUTES = {"test id": TEST_ID, "id": "id", "name": "name"}
_PLAIN = re.compile(r"-?[A-Za-z_][\w-]*$", re.ASCII)  # what needs no escape in a selector; recorders leave the rest out
_COMPOUND = re.compile(
    r"(?P<tag>[a-z][a-z0-9]*)?(?:#(?P<id>[\w-]+))?(?P<classes>(?:\.[\w-]+)*)(?::nth-of-type\((?P<nth>\d+)\))?"
)


class Locator(NamedTuple):
    """A stored locator.

    Attributes:
        kind: One of `KINDS`.
        text: The attribute's value, the accessible name, the selector or the path.
        role: Role, for `role+name`.
        nth: Place among the elements of equal role and name, for `role+name`.
    """

    kind: str
    text: str
    role: str = ""
    nth: int = 0


class _Compound(NamedTuple):
    tag: str
    id: str
    classes: frozenset[str]
    nth: int


class Finder:
    """Records and resolves locators on one page.

    Args:
        page: The page; elements that are not visible are found by markup, not by role.
    """

    def __init__(self, page: Page) -> None:
        self._page = page
        self._document = page.document

    def record(self, index: int) -> dict[str, Locator]:
        """Returns the locators of a visible element, by kind."""
        element = self._document[index]
        found = [Locator(kind, element.attrs.get(name, "")) for kind, name in _ATTRIBUTES.items()]
        found += [self._by_role(index), Locator("css", self._shortest(element))]
        found += [Locator("css path", self._css_path(element)), Locator("xpath", self._xpath(element))]
        return {x.kind: x for x in found if x.text and self.resolve(x) == index}

    def resolve(self, locator: Locator) -> int:
        """Returns the element that a locator finds, -1 when it finds none or several."""
        if locator.kind in _ATTRIBUTES:
            found = self._by_attribute[_ATTRIBUTES[locator.kind], locator.text]
        elif locator.kind == "role+name":
            found = self._by_name[locator.role, locator.text][locator.nth :][:1]
        elif locator.kind == "xpath":
            found = [self._ordinals[e] for e in cast("list[etree._Element]", self._tree.xpath(locator.text))]
        else:
            found = self._matches(locator.text)
        return found[0] if len(found) == 1 else -1

    def _by_role(self, index: int) -> Locator:
        element = self._page.element(index)
        equals = self._by_name[element.role, element.name]
        return Locator("role+name", element.name, element.role, equals.index(index) if index in equals else 0)

    def _shortest(self, element: Element) -> str:
        """Returns the shortest chain of compounds, from the element upwards, that matches one element."""
        chain: list[str] = []
        for step in (element, *self._document.ancestors(element.index)):
            chain.insert(0, self._compound(step))
            selector = " > ".join(chain)
            if len(self._matches(selector)) == 1:
                return selector
        return ""

    def _compound(self, element: Element) -> str:
        name = element.attrs.get("id", "")
        if _PLAIN.match(name) and len(self._by_attribute["id", name]) == 1:
            return f"#{name}"
        classes = [c for c in element.attrs.get("class", "").split() if _PLAIN.match(c)]
        own = element.tag + "".join(f".{c}" for c in dict.fromkeys(classes))
        parsed = _parse(own)[0]
        siblings = self._document.child_elements(element.parent) if element.parent >= 0 else []
        rivals = [s for s in siblings if s is not element and self._fits(s, parsed)]
        return f"{own}:nth-of-type({self._places[element.index]})" if rivals else own

    def _css_path(self, element: Element) -> str:
        return " > ".join(tag + (f":nth-of-type({nth})" if nth else "") for tag, nth in self._path(element))

    def _xpath(self, element: Element) -> str:
        return "".join(f"/{tag}[{nth}]" if nth else f"/{tag}" for tag, nth in self._path(element))

    def _path(self, element: Element) -> list[tuple[str, int]]:
        """Returns tag and place of the element and its ancestors from the root; 0 without siblings of the tag."""
        steps = [element, *self._document.ancestors(element.index)]
        return [(e.tag, self._places[e.index] if self._counts[e.parent, e.tag] > 1 else 0) for e in reversed(steps)]

    def _matches(self, selector: str) -> list[int]:
        first, *below = _parse(selector)
        found = [i for i in self._candidates(first) if self._fits(self._document[i], first)]
        for compound in below:
            children = [child for index in found for child in self._document.child_elements(index)]
            found = [child.index for child in children if self._fits(child, compound)]
        return found

    def _candidates(self, compound: _Compound) -> list[int]:
        if compound.id:
            return self._by_attribute["id", compound.id]
        if compound.classes:
            return min((self._by_class[c] for c in compound.classes), key=len)
        return [e.index for e in self._document.tagged(compound.tag)]

    def _fits(self, element: Element, compound: _Compound) -> bool:
        if (compound.tag and element.tag != compound.tag) or (compound.id and element.attrs.get("id") != compound.id):
            return False
        if compound.nth and self._places[element.index] != compound.nth:
            return False
        return not compound.classes or compound.classes <= set(element.attrs.get("class", "").split())

    @cached_property
    def _by_attribute(self) -> defaultdict[tuple[str, str], list[int]]:
        found: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        for element in self._document.elements:
            for name in _ATTRIBUTES.values():
                if element.attrs.get(name):
                    found[name, element.attrs[name]].append(element.index)
        return found

    @cached_property
    def _by_class(self) -> defaultdict[str, list[int]]:
        found: defaultdict[str, list[int]] = defaultdict(list)
        for element in self._document.elements:
            for name in set(element.attrs.get("class", "").split()):
                found[name].append(element.index)
        return found

    @cached_property
    def _by_name(self) -> defaultdict[tuple[str, str], list[int]]:
        found: defaultdict[tuple[str, str], list[int]] = defaultdict(list)
        for element in self._page.interactive:
            found[element.role, element.name].append(int(element.bid))
        return found

    @cached_property
    def _counts(self) -> Counter[tuple[int, str]]:
        return Counter((e.parent, e.tag) for e in self._document.elements)

    @cached_property
    def _places(self) -> list[int]:
        """Place of each element among the siblings of its tag, from 1."""
        seen: Counter[tuple[int, str]] = Counter()
        places = []
        for element in self._document.elements:
            seen[element.parent, element.tag] += 1
            places.append(seen[element.parent, element.tag])
        return places

    @cached_property
    def _tree(self) -> etree._Element:
        return tree_of(self._document)

    @cached_property
    def _ordinals(self) -> dict[etree._Element, int]:
        return {e: i for i, e in enumerate(self._tree.iter())}


def tree_of(document: Document, *, marked: bool = False) -> etree._Element:
    """Returns a document as an lxml tree, the form that page filters and XPath take.

    Args:
        document: The document.
        marked: Whether elements carry their semantic ids.
    """

    def build(index: int) -> etree._Element:
        element = document[index]
        sid = {SID_ATTRIBUTE: document.sids[index]} if marked and index in document.sids else {}
        node = etree.Element(element.tag, {**sid, **element.attrs})
        for child in element.children:
            if isinstance(child, int):
                node.append(build(child))
            elif len(node):
                node[-1].tail = (node[-1].tail or "") + child
            else:
                node.text = (node.text or "") + child
        return node

    return build(0)


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


@lru_cache(maxsize=65_536)
def _parse(selector: str) -> tuple[_Compound, ...]:
    compounds = []
    for part in selector.split(" > "):
        match = _COMPOUND.fullmatch(part)
        if match is None:
            raise ValueError(f"expected tag#id.class:nth-of-type(n), got {part!r}")
        classes = frozenset(filter(None, (match["classes"] or "").split(".")))
        compounds.append(_Compound(match["tag"] or "", match["id"] or "", classes, int(match["nth"] or 0)))
    return tuple(compounds)
