"""A parsed HTML document as flat, immutable data, and the live state a browser adds to it.

Both browsers describe what they show as one `Snapshot`: the tree, the live state of its controls and what is
rendered. `page.build_page` turns a snapshot into a `Page`; no other code reads documents for agents.

An element is named by its ordinal in document order (`html` is 0). That ordinal is also its bid: it does not change
while the document lives, whatever is shown or hidden.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cached_property
from sys import intern
from typing import Any, NamedTuple, Protocol
from urllib.parse import urljoin

from lxml import etree

SID_ATTRIBUTE = "data-sid"
_SPACE = " \t\n\r\f"


class PageFilter(Protocol):
    """A pure function of a parsed document and a key, applied before a browser gets the document.

    Attributes:
        key: Names the function and everything it depends on but the document.
    """

    key: str

    def __call__(self, root: etree._Element, url: str) -> None:
        """Changes the tree in place."""
        ...


class Element:
    """One element of a document.

    Attributes:
        index: Ordinal in document order.
        tag: Lower-case tag name.
        attrs: Attributes as written, names in lower case.
        parent: Index of the parent, -1 for the root.
        children: Child elements (their index) and text (a string), in order.
        end: Index after the last descendant: `j` is inside this element iff `index < j < end`.
    """

    __slots__ = ("attrs", "children", "end", "index", "parent", "tag")

    def __init__(self, index: int, tag: str, attrs: dict[str, str], parent: int) -> None:
        self.index = index
        self.tag = tag
        self.attrs = attrs
        self.parent = parent
        self.children: list[int | str] = []
        self.end = index + 1

    def __repr__(self) -> str:
        return f"<{self.tag} #{self.index} {self.attrs}>"

    def __contains__(self, index: int) -> bool:
        return self.index < index < self.end


class Document:
    """An immutable document.

    Args:
        url: Address of the document, fragment included.
        elements: All elements in document order.
        sids: Element index -> private semantic id.
    """

    def __init__(self, url: str, elements: list[Element], sids: dict[int, str]) -> None:
        self.url = url
        self.elements = elements
        self.sids = sids
        self.memo: dict[Any, Any] = {}  # derived, immutable facts that other modules cache with the document

    def __reduce__(self) -> tuple[Any, ...]:
        return Document, (self.url, self.elements, self.sids)

    def __len__(self) -> int:
        return len(self.elements)

    def __getitem__(self, index: int) -> Element:
        return self.elements[index]

    @cached_property
    def ids(self) -> dict[str, int]:
        """Id attribute -> first element that has it."""
        ids: dict[str, int] = {}
        for element in self.elements:
            name = element.attrs.get("id")
            if name:
                ids.setdefault(name, element.index)
        return ids

    @cached_property
    def aria(self) -> frozenset[int]:
        """Elements with any `aria-*` attribute."""
        return frozenset(e.index for e in self.elements if e.attrs and any(k[:5] == "aria-" for k in e.attrs))

    @cached_property
    def indices_by_sid(self) -> dict[str, tuple[int, ...]]:
        """Semantic id -> elements that carry it."""
        found: dict[str, tuple[int, ...]] = {}
        for index, sid in self.sids.items():
            found[sid] = (*found.get(sid, ()), index)
        return found

    @cached_property
    def base_url(self) -> str:
        """The address that relative URLs of the document are resolved against."""
        for element in self.tagged("base"):
            if "href" in element.attrs:
                return urljoin(self.url, element.attrs["href"].strip(_SPACE))
        return self.url

    @cached_property
    def title(self) -> str:
        """The document's title, white space collapsed."""
        for element in self.tagged("title"):
            return " ".join(self.text(element.index).split())
        return ""

    @cached_property
    def _by_tag(self) -> dict[str, list[Element]]:
        found: dict[str, list[Element]] = {}
        for element in self.elements:
            found.setdefault(element.tag, []).append(element)
        return found

    def tagged(self, *tags: str) -> list[Element]:
        """Returns the elements with one of these tags, in document order."""
        if len(tags) == 1:
            return self._by_tag.get(tags[0], [])
        return sorted((e for tag in tags for e in self._by_tag.get(tag, ())), key=lambda e: e.index)

    def ancestors(self, index: int) -> Iterator[Element]:
        """Yields the parent, its parent, and so on up to the root."""
        parent = self.elements[index].parent
        while parent >= 0:
            element = self.elements[parent]
            yield element
            parent = element.parent

    def closest(self, index: int, *tags: str) -> Element | None:
        """Returns the element itself or its nearest ancestor with one of these tags."""
        element = self.elements[index]
        if element.tag in tags:
            return element
        return next((e for e in self.ancestors(index) if e.tag in tags), None)

    def descendants(self, index: int) -> list[Element]:
        """Returns the elements inside this one, in document order."""
        return self.elements[index + 1 : self.elements[index].end]

    def child_elements(self, index: int) -> list[Element]:
        """Returns the element children, in document order."""
        return [self.elements[child] for child in self.elements[index].children if isinstance(child, int)]

    def text(self, index: int) -> str:
        """Returns the text content, as the DOM's `textContent`."""
        parts: list[str] = []
        stack: list[int | str] = [index]
        while stack:
            item = stack.pop()
            if isinstance(item, str):
                parts.append(item)
            else:
                stack.extend(reversed(self.elements[item].children))
        return "".join(parts)

    def resolve(self, reference: str) -> str:
        """Returns the absolute URL of a reference in this document."""
        return urljoin(self.base_url, reference.strip(_SPACE))


class Control(NamedTuple):
    """Live state of a form control.

    Attributes:
        value: Current value, as the DOM's `value` (for a file input the file names, joined by ", ").
        checked: State of a checkbox or radio button, None for other controls.
        selected: Indices of the selected options of a select.
    """

    value: str = ""
    checked: bool | None = None
    selected: tuple[int, ...] = ()


class Snapshot(NamedTuple):
    """What a browser shows at one moment.

    Attributes:
        document: The tree.
        controls: Every `input`, `select`, `textarea` and `output` -> its live state.
        opened: Indices of the open `details`, `dialog` and popover elements.
        rendered: One byte per element: 1 when the element is rendered and visible.
        focus: Index of the focused element, -1 when none has the focus.
        modal: Index of the topmost modal dialog, -1 without one; everything outside is inert.
        scroll_y: Vertical scroll offset in CSS pixels.
    """

    document: Document
    controls: Mapping[int, Control]
    opened: frozenset[int]
    rendered: bytes
    focus: int = -1
    modal: int = -1
    scroll_y: int = 0


def parse_document(html: str | bytes, url: str, filters: tuple[PageFilter, ...] = ()) -> Document:
    """Returns the document of an HTML text, after the page filters, without semantic ids.

    Args:
        html: The text as the site rendered it (bytes in UTF-8), semantic ids included.
        url: Address of the document.
        filters: Applied to the parsed tree in order, before the semantic ids move to the side map.
    """
    data = html if isinstance(html, bytes) else html.encode()
    if not data.strip():
        data = _EMPTY
    if filters:
        root = etree.HTML(
            data, etree.HTMLParser(remove_comments=True, remove_pis=True, huge_tree=True, encoding="utf-8")
        )
        for page_filter in filters:
            page_filter(root, url)
        data = etree.tostring(root, method="html", encoding="utf-8", doctype="<!DOCTYPE html>")
    builder = _Builder()
    etree.HTML(data, etree.HTMLParser(target=builder, huge_tree=True, encoding="utf-8"))  # type: ignore[arg-type]
    return Document(url, builder.elements, builder.sids)


_NO_ATTRIBUTES: dict[str, str] = {}  # shared; attributes are never changed
_EMPTY = b"<html><head></head><body></body></html>"


class _Builder:
    """Makes the flat form straight from the parser's events, in half the time of walking a tree."""

    def __init__(self) -> None:
        self.elements: list[Element] = []
        self.sids: dict[int, str] = {}
        self._open: list[Element] = []

    def start(self, tag: str, attrs: dict[str, str]) -> None:
        index = len(self.elements)
        if not attrs:
            attrs = _NO_ATTRIBUTES  # the parser hands out a slow mapping
        elif SID_ATTRIBUTE in attrs:
            self.sids[index] = attrs.pop(SID_ATTRIBUTE)
        if self._open:
            parent = self._open[-1]
            parent.children.append(index)
            element = Element(index, tag, attrs, parent.index)
        else:
            element = Element(index, tag, attrs, -1)
        self.elements.append(element)
        self._open.append(element)

    def end(self, tag: str) -> None:
        self._open.pop().end = len(self.elements)

    def data(self, text: str) -> None:
        if not self._open:
            return
        children = self._open[-1].children
        if children and isinstance(children[-1], str):
            children[-1] += text
        else:
            children.append(intern(text))

    def close(self) -> None:
        """Called by the parser at the end."""
