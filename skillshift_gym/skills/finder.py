"""Locators as recorders store them, and whether one still finds its element on another page.

Kinds, as in browser recorders: test id, id, name, role with name (and the place among equals), two CSS forms (the
shortest chain of ids, classes and places that is unique, and the full path) and the absolute XPath. A mark is recorded
only when it finds its element and no other; it resolves only when it finds exactly one.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from functools import cached_property
from typing import NamedTuple, cast

from lxml import etree

from ..document import SID_ATTRIBUTE, Document, Element
from ..page import Page
from .selectors import Compound, compounds
from .xpaths import compiled

KINDS = ("test id", "id", "name", "role+name", "css", "css path", "xpath")
TEST_ID = "data-testid"
_ATTRIBUTES = {"test id": TEST_ID, "id": "id", "name": "name"}
_PLAIN = re.compile(r"-?[A-Za-z_][\w-]*$", re.ASCII)  # what needs no escape in a selector; recorders leave the rest out


class Mark(NamedTuple):
    """One way to find an element.

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


class Finder:
    """Records and resolves marks on one page.

    Args:
        page: The page; elements that are not visible are found by markup, not by role.
    """

    def __init__(self, page: Page) -> None:
        self.page = page
        self._document = page.document

    def record(self, index: int) -> dict[str, Mark]:
        """Returns the marks of a visible element, by kind."""
        element = self._document[index]
        found = [Mark(kind, element.attrs.get(name, "")) for kind, name in _ATTRIBUTES.items()]
        found += [self._role_mark(index), Mark("css", self._shortest(element))]
        found += [Mark("css path", self._css_path(element)), Mark("xpath", self.xpath(index))]
        return {x.kind: x for x in found if x.text and self.resolve(x) == index}

    def resolve(self, mark: Mark) -> int:
        """Returns the element that a mark finds, -1 when it finds none or several."""
        found = self.find(mark)
        if mark.kind == "role+name":
            found = found[mark.nth :][:1]
        return found[0] if len(found) == 1 else -1

    def find(self, mark: Mark) -> list[int]:
        """Returns all elements that a mark fits, in document order; its place among equals does not count.

        Raises:
            ValueError: A selector or path is not of the part that is read.
        """
        if mark.kind in _ATTRIBUTES:
            return self._by_attribute[_ATTRIBUTES[mark.kind], mark.text]
        if mark.kind == "role+name":
            return self.named(mark.role, mark.text)
        if mark.kind == "xpath":
            found = cast("list[etree._Element]", compiled(mark.text)(self._tree))
            return [self._ordinals[e] for e in found if isinstance(e, etree._Element)]
        return self._matches(mark.text)

    def named(self, role: str, name: str = "") -> list[int]:
        """Returns the visible elements of a role, with this accessible name if one is given."""
        if name and role in self._interactive_roles:
            return self._by_name[role, name]
        return [i for i in self._by_role[role] if not name or self.page.element(i).name == name]

    def xpath(self, index: int) -> str:
        """Returns the absolute path of an element."""
        return "".join(f"/{tag}[{nth}]" if nth else f"/{tag}" for tag, nth in self._path(self._document[index]))

    def _role_mark(self, index: int) -> Mark:
        element = self.page.element(index)
        equals = self.named(element.role, element.name) if element.name else []
        return Mark("role+name", element.name, element.role, equals.index(index) if index in equals else 0)

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
        parsed = compounds(own)[0]
        siblings = self._document.child_elements(element.parent) if element.parent >= 0 else []
        rivals = [s for s in siblings if s is not element and self._fits(s, parsed)]
        return f"{own}:nth-of-type({self._places[element.index]})" if rivals else own

    def _css_path(self, element: Element) -> str:
        return " > ".join(tag + (f":nth-of-type({nth})" if nth else "") for tag, nth in self._path(element))

    def _path(self, element: Element) -> list[tuple[str, int]]:
        """Returns tag and place of the element and its ancestors from the root; 0 without siblings of the tag."""
        steps = [element, *self._document.ancestors(element.index)]
        return [(e.tag, self._places[e.index] if self._counts[e.parent, e.tag] > 1 else 0) for e in reversed(steps)]

    def _matches(self, selector: str) -> list[int]:
        first, *below = compounds(selector)
        found = [i for i in self._candidates(first) if self._fits(self._document[i], first)]
        for compound in below:
            inside = self._document.child_elements if compound.child else self._document.descendants
            reached = dict.fromkeys(e.index for index in found for e in inside(index) if self._fits(e, compound))
            found = sorted(reached)
        return found

    def _candidates(self, compound: Compound) -> list[int]:
        if compound.id:
            return self._by_attribute["id", compound.id]
        if compound.classes:
            return min((self._by_class[c] for c in compound.classes), key=len)
        return [e.index for e in (self._document.tagged(compound.tag) if compound.tag else self._document.elements)]

    def _fits(self, element: Element, compound: Compound) -> bool:
        return compound.fits(element, self._places[element.index])

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
        for element in self.page.interactive:
            found[element.role, element.name].append(int(element.bid))
        return found

    @cached_property
    def _interactive_roles(self) -> frozenset[str]:
        return frozenset(role for role, _ in self._by_name)

    @cached_property
    def _by_role(self) -> defaultdict[str, list[int]]:
        found: defaultdict[str, list[int]] = defaultdict(list)
        outline = self.page.outline
        for index, role in enumerate(outline.roles):
            if role and outline.rendered[index]:
                found[role].append(index)
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
