"""Which elements are rendered: the UA style sheet, `hidden`, inline styles and what is open; there are no other styles."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from ..document import Document, Element
from .derived import Recent, derived, facts_of
from .live import Live, initially_open
from .structure import input_type, summary_of

_NEVER_DISPLAYED = frozenset(
    [
        "area",
        "base",
        "basefont",
        "datalist",
        "head",
        "link",
        "meta",
        "noembed",
        "noframes",
        "param",
        "rp",
        "script",
        "style",
        "template",
        "title",
        "source",
        "track",
        "noscript",
        "defs",
        "symbol",
        "clippath",
        "mask",
        "lineargradient",
        "radialgradient",
        "marker",
        "pattern",
        "metadata",
    ]
)
_IMPORTANT = frozenset({"noscript"})  # no inline style overrides these: scripting counts as enabled
_DECLARATION = re.compile(r"(display|visibility|content-visibility)\s*:\s*([a-z-]+)\s*(?:!\s*important\s*)?$")
_HIDING = {"hidden": 0, "collapse": 0, "visible": 1, "initial": 1}
_STATES_KEPT = 8
_STORE = "browsers.rendered"


class Style(NamedTuple):
    """The inline declarations that matter to rendering, empty strings when absent."""

    display: str = ""
    visibility: str = ""
    content: str = ""


_NO_STYLE = Style()


def rendered(live: Live) -> bytes:
    """Returns one byte per element: 1 when it is rendered and visible."""
    document, opened = live.document, live.opened
    if opened == initially_open(document):
        return initially_rendered(document)
    facts = facts_of(document)
    states: Recent[frozenset[int], bytes] | None = facts.get(_STORE)
    if states is None:
        states = facts[_STORE] = Recent(_STATES_KEPT)
    return states.get(opened, lambda: _apply(document, opened))


@derived
def initially_rendered(document: Document) -> bytes:
    """Returns what is rendered in a document nobody has touched."""
    return _apply(document, initially_open(document))


def is_popover(element: Element) -> bool:
    """Returns whether the element is a popover of any kind."""
    return "popover" in element.attrs


def style_of(element: Element) -> Style:
    """Returns the inline style of an element, as far as it matters to rendering."""
    text = element.attrs.get("style")
    return _parsed(text) if text else _NO_STYLE


@lru_cache(maxsize=2048)
def _parsed(text: str) -> Style:
    matches = (_DECLARATION.match(part.strip()) for part in text.lower().split(";"))
    found = {match[1]: match[2] for match in matches if match}
    display = found.get("display", "")
    return Style(
        "" if display.startswith("revert") else display,
        found.get("visibility", ""),
        found.get("content-visibility", ""),
    )


def hides_itself(element: Element) -> bool:
    """Returns whether the element is never displayed, whatever is open."""
    if not element.attrs:
        return element.tag in _NEVER_DISPLAYED or element.tag in _IMPORTANT
    style = style_of(element)
    if style.display == "none" or element.tag in _IMPORTANT:
        return True
    if element.tag == "input" and input_type(element) == "hidden":
        return True
    hidden = element.attrs.get("hidden")
    if hidden is not None and hidden.lower() == "until-found":
        return style.content != "visible"
    return not style.display and (hidden is not None or element.tag in _NEVER_DISPLAYED)


@derived
def _always(document: Document) -> bytes:
    """Returns the rendering with everything open."""
    shown = bytearray(b"\1") * len(document)
    styled = [(e, style_of(e)) for e in document.elements if "style" in e.attrs]
    for element, style in styled:
        if style.visibility in _HIDING:
            shown[element.index : element.end] = bytes([_HIDING[style.visibility]]) * (element.end - element.index)
    for element, style in styled:
        if style.content == "hidden":
            shown[element.index + 1 : element.end] = bytes(element.end - element.index - 1)
    for element in document.elements:
        if hides_itself(element):
            shown[element.index : element.end] = bytes(element.end - element.index)
    return bytes(shown)


@derived
def _closable(document: Document) -> tuple[Element, ...]:
    """Returns the elements that hide something while they are closed, in document order."""
    marked = {e.index for e in document.elements if e.attrs and is_popover(e)}
    marked |= {e.index for e in document.tagged("details", "dialog")}
    return tuple(document[i] for i in sorted(marked) if document[i].tag == "details" or _hides_whole(document[i]))


def _hides_whole(element: Element) -> bool:
    """Returns whether the element is not displayed at all while it is closed."""
    return (element.tag == "dialog" or is_popover(element)) and not style_of(element).display


def _apply(document: Document, opened: frozenset[int]) -> bytes:
    shown = bytearray(_always(document))
    for element in _closable(document):
        index, end = element.index, element.end
        if index in opened:
            continue
        if _hides_whole(element):
            shown[index:end] = bytes(end - index)
            continue
        summary = summary_of(document, index)
        kept = range(summary, document[summary].end) if summary >= 0 else range(index + 1, index + 1)
        shown[index + 1 : kept.start] = bytes(kept.start - index - 1)
        shown[kept.stop : end] = bytes(end - kept.stop)
    return bytes(shown)
