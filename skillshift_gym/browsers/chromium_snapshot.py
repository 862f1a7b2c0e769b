"""What Chromium shows as the package's own values: `Document`, `Snapshot` and the in-process browser's `Live`."""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator
from difflib import SequenceMatcher
from html import escape
from typing import Any, NamedTuple

from ..document import Control, Document, Element, Snapshot
from .live import Live, initial_controls

_CHECKSUM, _VARIANTS = "browsers.checksum", "browsers.variants"
_VARIANTS_KEPT = 8
_NOT_COMPARED = str.maketrans("", "", " \t\n\f\r\0")
_RENDERED = bytes.maketrans(b"01", b"\0\1")
_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"]
)
_RAW = frozenset(["iframe", "noembed", "noframes", "noscript", "script", "style", "xmp"])
_EATS_NEWLINE = frozenset(["listing", "pre", "textarea"])


class State(NamedTuple):
    """The live state of a document as one snapshot of Chromium reports it.

    Attributes:
        url: Address shown.
        controls: Every control in document order.
        opened: Open `details`, `dialog` and popover elements.
        rendered: One byte per element.
        layers: Open modal dialogs and popovers in the order they opened, with whether each is a modal dialog.
        focus: The focused element, -1 for none.
        scroll_y: Vertical scroll offset.
        expected: Number of pages that the last input asked for.
        refusal: The control that kept a form from being sent and why, None without one.
        checksum: Checksum of the tree, 0 when the snapshot does not say.
    """

    url: str
    controls: dict[int, Control]
    opened: frozenset[int]
    rendered: bytes
    layers: tuple[tuple[int, bool], ...]
    focus: int
    scroll_y: int
    expected: int
    refusal: tuple[int, str] | None
    checksum: int

    @property
    def modal(self) -> int:
        """The topmost modal dialog, -1 without one."""
        return next((index for index, is_modal in reversed(self.layers) if is_modal), -1)


def read_state(text: str) -> State:
    """Returns the state that the page's script wrote as JSON."""
    data = json.loads(text)
    controls = {i: Control(value, checked, tuple(selected)) for i, value, checked, selected in data["controls"]}
    return State(
        data["url"],
        controls,
        frozenset(data["opened"]),
        data["shown"].encode().translate(_RENDERED),
        tuple((index, modal) for index, modal in data["layers"]),
        data["focus"],
        data["scroll"],
        data["expected"],
        tuple(data["refusal"]) if data["refusal"] else None,
        data.get("checksum", 0),
    )


def snapshot_of(document: Document, state: State) -> Snapshot:
    """Returns the snapshot of a document in a state."""
    return Snapshot(document, state.controls, state.opened, state.rendered, state.focus, state.modal, state.scroll_y)


def live_of(loaded: Document, overlay: str, state: State) -> Live:
    """Returns the same moment as the in-process browser holds it, for the checks before a primitive.

    Args:
        loaded: The document without overlay.
        overlay: HTML of the overlay shown.
        state: Its state.
    """
    live = Live(loaded, state.url)
    live.compose(state.url, overlay)
    initial = initial_controls(live.document)
    live.edits = {index: control for index, control in state.controls.items() if control != initial.get(index)}
    live.opened, live.focus = state.opened, state.focus
    live.layers = tuple(index for index, _ in state.layers)
    live.modals = frozenset(index for index, is_modal in state.layers if is_modal)
    live.scroll_y = state.scroll_y
    return live


def matches(document: Document, checksum: int) -> bool:
    """Returns whether a document has the tree that Chromium reports."""
    known: int | None = document.memo.get(_CHECKSUM)
    if known is None:
        text = "".join(_outline(document, 0)).translate(_NOT_COMPARED)
        known = document.memo[_CHECKSUM] = zlib.crc32(text.encode("utf-8", "replace"))
    return known == checksum


def known_variant(loaded: Document, checksum: int) -> Document | None:
    """Returns the document that Chromium made of a response before, where it is another one than ours."""
    return _variants(loaded).get(checksum)


def variant(loaded: Document, structure: list[Any], checksum: int) -> Document:
    """Returns the document that Chromium made of a response, from its own structure, and keeps it for the next time."""
    elements = []
    for index, (tag, attrs, parent, children, end) in enumerate(structure):
        element = Element(index, tag, attrs, parent)
        element.children, element.end = children, end
        elements.append(element)
    made = Document(loaded.url, elements, _carried_over(loaded, elements))
    made.memo[_CHECKSUM] = checksum
    store = _variants(loaded)
    while len(store) >= _VARIANTS_KEPT:
        store.pop(next(iter(store)))
    store[checksum] = made
    return made


def as_html(document: Document) -> bytes:
    """Returns a document as HTML text, without semantic ids."""
    return ("<!DOCTYPE html>" + "".join(_html(document, 0))).encode("utf-8", "replace")


def _variants(loaded: Document) -> dict[int, Document]:
    store: dict[int, Document] = loaded.memo.setdefault(_VARIANTS, {})
    return store


def _carried_over(loaded: Document, elements: list[Element]) -> dict[int, str]:
    """Returns the semantic ids at the places that their elements have in another tree of the same text."""
    ours, theirs = ([(e.tag, e.attrs.get("id", "")) for e in tree] for tree in (loaded.elements, elements))
    places: dict[int, int] = {}
    for start, other, size in SequenceMatcher(None, ours, theirs, autojunk=False).get_matching_blocks():
        places.update(zip(range(start, start + size), range(other, other + size), strict=True))
    return {places[index]: sid for index, sid in loaded.sids.items() if index in places}


def _outline(document: Document, index: int) -> Iterator[str]:
    """Yields the tree in the form that the page's script writes too."""
    element = document[index]
    yield f"<{element.tag}"
    for name, value in element.attrs.items():
        if name != "open" or element.tag not in ("details", "dialog"):
            yield f"\1{name}\2{value}"
    yield ">"
    for child in element.children:
        if isinstance(child, str):
            yield child
        else:
            yield from _outline(document, child)
    yield "\3"


def _html(document: Document, index: int) -> Iterator[str]:
    element = document[index]
    yield f"<{element.tag}" + "".join(f' {name}="{escape(value)}"' for name, value in element.attrs.items()) + ">"
    if element.tag in _VOID:
        return
    if element.tag in _EATS_NEWLINE:
        yield "\n"
    for child in element.children:
        if isinstance(child, int):
            yield from _html(document, child)
        else:
            yield child if element.tag in _RAW else escape(child, quote=False)
    yield f"</{element.tag}>"
