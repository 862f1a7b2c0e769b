"""A page as HTML with bids and live state."""

from __future__ import annotations

from html import escape

from .document import Document, Element, Snapshot
from .segments import Segments
from .states import is_selected, shown_value

_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"]
)
_RAW = ("script", "style")
_LIVE_TAGS = frozenset(("details", "dialog", "input", "option", "textarea"))
_LIVE_ATTRIBUTES = frozenset(("value", "checked", "selected", "open"))


def markup(document: Document) -> Segments:
    """Returns the HTML of a document, hidden elements included, each start tag with its bid.

    Holes are the start tags (and texts) that live state changes; `live_tag` fills them.
    """
    found: Segments | None = document.memo.get("markup")
    if found is None:
        found = Segments()
        if document.elements:
            _write(document, document[0], found)
        document.memo["markup"] = found.close()
    return found


def _write(document: Document, element: Element, segments: Segments) -> None:
    if element.tag in _LIVE_TAGS:
        segments.hole(element.index)
    else:
        segments.text(_start_tag(element, element.attrs))
    if element.tag in _VOID:
        return
    if element.tag != "textarea":
        raw, elements = element.tag in _RAW, document.elements
        for child in element.children:
            if isinstance(child, int):
                _write(document, elements[child], segments)
            else:
                segments.text(child if raw else _text(child))
    segments.text(f"</{element.tag}>")


def _start_tag(element: Element, attrs: dict[str, str]) -> str:
    if not attrs:
        return f'<{element.tag} bid="{element.index}">'
    written = "".join([f' {key}="{_attribute(value)}"' for key, value in attrs.items()])
    return f'<{element.tag} bid="{element.index}"{written}>'


def _text(text: str) -> str:
    return escape(text, quote=False) if "&" in text or "<" in text or ">" in text else text


def _attribute(value: str) -> str:
    plain = '"' not in value and "&" not in value and "<" not in value and ">" not in value and "'" not in value
    return value if plain else escape(value)


def live_tag(snapshot: Snapshot, index: int) -> str:
    """Returns the start tag (and the text of a textarea) of an element at a state."""
    element = snapshot.document[index]
    written = {k: v for k, v in element.attrs.items() if k not in _LIVE_ATTRIBUTES}
    tag = _start_tag(element, written | _live_attributes(snapshot, element))
    control = snapshot.controls.get(element.index)
    return tag + escape(control.value, quote=False) if element.tag == "textarea" and control else tag


def _live_attributes(snapshot: Snapshot, element: Element) -> dict[str, str]:
    control = snapshot.controls.get(element.index)
    live: dict[str, str] = {}
    if control is not None and element.tag == "input":
        value = shown_value(element, control) or (element.attrs.get("value", "") if _keeps_value(element) else "")
        live |= {"value": value} if value else {}
        live |= {"checked": ""} if control.checked else {}
    elif element.tag == "option":
        live |= {"value": element.attrs["value"]} if "value" in element.attrs else {}
        live |= {"selected": ""} if is_selected(snapshot, element) else {}
    elif element.index in snapshot.opened:
        live["open"] = ""
    return live


def _keeps_value(element: Element) -> bool:
    """Tells whether the `value` attribute is what is sent or shown, whatever the user types."""
    return element.attrs.get("type", "").lower() in ("checkbox", "radio", "hidden", "submit", "reset", "button")
