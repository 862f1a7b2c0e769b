"""The immutable `Page`: what observations are made of, checks read and shifts intercept.

One pipeline for both browsers: a snapshot goes in, a page comes out. Texts are put together from pieces that are made
once for each document, so that a page takes little memory.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import NamedTuple

from .document import Snapshot
from .markup import live_tag, markup
from .outline import Outline, outline_of

DIALOGS = ("dialog", "alertdialog")


class PageElement(NamedTuple):
    """One element of a page, as agents and checks see it.

    Attributes:
        bid: Its id in actions: the ordinal of the element in the document.
        tag: Lower-case tag name.
        role: Accessible role; empty when the element is not in the accessibility tree.
        name: Accessible name.
        value: Live value of a control, else empty.
        states: State name -> value, such as `checked` -> `true`; in a fixed order.
        visible: Whether it is rendered.
        attrs: Attributes as written.
    """

    bid: str
    tag: str
    role: str
    name: str
    value: str
    states: Mapping[str, str]
    visible: bool
    attrs: Mapping[str, str]


class Page:
    """An immutable page.

    Args:
        snapshot: What the browser shows.
        outline: Roles, names and reading order.

    Attributes:
        document: The tree, semantic ids included: for checks, not for agents.
        url: Address of the page.
        title: Its title.
    """

    def __init__(self, snapshot: Snapshot, outline: Outline) -> None:
        self.snapshot = snapshot
        self.outline = outline
        self.document = snapshot.document
        self.url = snapshot.document.url
        self.title = snapshot.document.title

    def __len__(self) -> int:
        return len(self.document)

    @property
    def focused_bid(self) -> str:
        """Bid of the focused element, empty without one."""
        return str(self.snapshot.focus) if self.snapshot.focus >= 0 else ""

    def get(self, bid: str) -> PageElement | None:
        """Returns the element with a bid, visible or not."""
        index = int(bid) if bid.isascii() and bid.isdigit() else -1
        return self.element(index) if 0 <= index < len(self.document) else None

    def element(self, index: int) -> PageElement:
        """Returns the element at an index."""
        element, outline = self.document[index], self.outline
        return PageElement(
            str(index),
            element.tag,
            outline.roles[index],
            outline.name(self.snapshot, index),
            outline.value(self.snapshot, index),
            outline.states(self.snapshot, index),
            bool(outline.rendered[index]),
            element.attrs,
        )

    @cached_property
    def elements(self) -> tuple[PageElement, ...]:
        """All elements, in document order, hidden ones included."""
        return tuple(self.element(i) for i in range(len(self.document)))

    @cached_property
    def interactive(self) -> tuple[PageElement, ...]:
        """The elements an agent can act on, in document order."""
        return tuple(self.element(i) for i in self.outline.interactive)

    @property
    def axtree(self) -> str:
        """The accessibility tree as text, one node a line, the document first."""
        return self._with_focus(self.outline.tree.fill(self._tree_holes), self.outline.line)

    @property
    def element_list(self) -> str:
        """The interactive elements as JSON lines."""
        return self._with_focus(self.outline.element_list.fill(self._list_holes), self.outline.json)

    @property
    def html(self) -> str:
        """The document as HTML with bids and live state, hidden elements included."""
        return markup(self.document).fill(self._html_holes)

    @cached_property
    def _tree_holes(self) -> tuple[str, ...]:
        return self.outline.tree.values(lambda index: self.outline.line(self.snapshot, index))

    @cached_property
    def _list_holes(self) -> tuple[str, ...]:
        return self.outline.element_list.values(lambda index: self.outline.json(self.snapshot, index))

    @cached_property
    def _html_holes(self) -> tuple[str, ...]:
        return markup(self.document).values(lambda index: live_tag(self.snapshot, index))

    def _with_focus(self, text: str, line: Callable[[Snapshot, int], str]) -> str:
        """Returns the text with the line of the focused element brought up to date, if it is not a lively one."""
        focus = self.snapshot.focus
        if focus < 0 or focus in self.outline.lively:
            return text
        return text.replace(line(self.snapshot._replace(focus=-1), focus), line(self.snapshot, focus), 1)


def modals_of(page: Page) -> list[int]:
    """Returns the indices of the dialogs shown that keep everything else from being used, in document order."""
    roles, rendered = page.outline.roles, page.outline.rendered
    shown = [i for i, role in enumerate(roles) if role in DIALOGS and rendered[i]]
    return [i for i in shown if page.document[i].attrs.get("aria-modal") == "true" or page.snapshot.modal == i]


def build_page(snapshot: Snapshot) -> Page:
    """Returns the page of a snapshot."""
    return Page(snapshot, outline_of(snapshot))
