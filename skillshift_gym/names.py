"""Accessible names and descriptions of a document's elements.

Source: "Accessible Name and Description Computation 1.2", section 4.3 (its steps are named in the code), with the
native names of "HTML Accessibility API Mappings 1.0", section 4.1. Elements with block display by the user agent's
style sheet put a space around their text; inline ones do not.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from .document import Control, Document, Element
from .roles import NAME_FROM_CONTENT

_WHITE_SPACE = re.compile(r"[ \t\n\r\f]+")
_INLINE = frozenset(
    [
        "a",
        "abbr",
        "b",
        "bdi",
        "bdo",
        "button",
        "cite",
        "code",
        "data",
        "del",
        "dfn",
        "em",
        "i",
        "img",
        "input",
        "ins",
        "kbd",
        "label",
        "mark",
        "meter",
        "output",
        "progress",
        "q",
        "s",
        "samp",
        "select",
        "small",
        "span",
        "strong",
        "sub",
        "sup",
        "textarea",
        "time",
        "u",
        "var",
        "wbr",
        "font",
    ]
)
# A figcaption names no figure in Chromium's tree: its text stands inside.
_CAPTIONED = {"fieldset": "legend", "table": "caption"}
_LABELABLE = ("button", "input", "meter", "output", "progress", "select", "textarea")
_BUTTON_DEFAULTS = {"submit": "Submit", "reset": "Reset", "image": "Submit", "file": "Choose File"}
_TEXT_ROLES = ("textbox", "searchbox", "combobox", "spinbutton")


def collapse(text: str) -> str:
    """Returns the text with runs of HTML white space as one space, trimmed."""
    if text.isprintable() and "  " not in text:  # the common case: no white space but single spaces
        return text.strip(" ")
    return _WHITE_SPACE.sub(" ", text).strip(" ")


def labels_of(document: Document) -> Mapping[int, tuple[int, ...]]:
    """Returns the labelled controls of a document -> their `label` elements, in document order."""
    found: dict[int, tuple[int, ...]] | None = document.memo.get("labels")
    if found is None:
        found = {}
        for label in document.tagged("label"):
            control = labelled_control(document, label)
            if control is not None:
                found[control.index] = (*found.get(control.index, ()), label.index)
        document.memo["labels"] = found
    return found


def labelled_control(document: Document, label: Element) -> Element | None:
    """Returns the control that a `label` element labels: by its `for`, else its first labelable descendant."""
    if "for" in label.attrs:
        index = document.ids.get(label.attrs["for"])
        return document[index] if index is not None and _is_labelable(document[index]) else None
    return next((e for e in document.descendants(label.index) if _is_labelable(e)), None)


def _is_labelable(element: Element) -> bool:
    return element.tag in _LABELABLE and element.attrs.get("type", "").lower() != "hidden"


class Names:
    """Computes names over one state of a document.

    Args:
        document: The tree.
        rendered: One byte per element, 1 when it is rendered.
        controls: Live state of the form controls, which names of labels around them contain.
        roles: Role of each element, by index.

    Attributes:
        readers: Elements whose name contains the value of a control; it changes when the user types.
    """

    def __init__(self, document: Document, rendered: bytes, controls: Mapping[int, Control], roles: list[str]) -> None:
        self._document = document
        self._rendered = rendered
        self._controls = controls
        self._roles = roles
        self._labels = labels_of(document)
        self.readers: set[int] = set()
        self._named = -1

    def name(self, element: Element) -> str:
        """Returns the accessible name of an element."""
        self._named = element.index
        attrs = element.attrs
        if not attrs:  # most elements: nothing but content can name them
            if element.tag in _CAPTIONED or element.index in self._labels:
                return self._native(element)
            if self._roles[element.index] not in NAME_FROM_CONTENT:
                return ""
            only = element.children[0] if len(element.children) == 1 else None
            return collapse(only if isinstance(only, str) else self._content(element, {element.index}))
        referenced = attrs.get("aria-labelledby")
        if referenced:  # step 2B
            text = self._referenced(referenced)
            if text:
                return text
        label = collapse(attrs.get("aria-label", ""))
        if label:  # step 2D
            return label
        text = self._native(element)  # step 2E
        if not text and self._roles[element.index] in NAME_FROM_CONTENT:  # step 2F
            text = collapse(self._content(element, {element.index}))
        return text or self._tooltip(element)  # step 2I

    def description(self, element: Element) -> str:
        """Returns the accessible description: `aria-describedby`, else a title that is not the name."""
        referenced = element.attrs.get("aria-describedby")
        if referenced:
            return self._referenced(referenced)
        title = collapse(element.attrs.get("title", ""))
        return title if title and title != self.name(element) else ""

    def _referenced(self, ids: str) -> str:
        indices = (self._document.ids.get(i) for i in ids.split())
        parts = (self._alternative(self._document[i], set(), shown=True) for i in indices if i is not None)
        return collapse(" ".join(parts))

    def _native(self, element: Element) -> str:
        kind = element.attrs.get("type", "").lower() if element.tag == "input" else ""
        if kind in ("submit", "reset", "button") and "value" in element.attrs:
            return collapse(element.attrs["value"])
        if kind == "image" and element.attrs.get("alt"):
            return collapse(element.attrs["alt"])
        if element.index in self._labels:
            parts = [
                self._alternative(self._document[i], {element.index}, shown=True) for i in self._labels[element.index]
            ]
            text = collapse(" ".join(parts))
            if text:
                return text
        if kind in _BUTTON_DEFAULTS:
            return _BUTTON_DEFAULTS[kind]
        if element.tag in ("img", "area"):
            return collapse(element.attrs.get("alt", ""))
        if element.tag == "optgroup":
            return collapse(element.attrs.get("label", ""))
        if element.tag == "option" and element.attrs.get("label"):
            return collapse(element.attrs["label"])
        return self._captioned(element)

    def _captioned(self, element: Element) -> str:
        caption = _CAPTIONED.get(element.tag)
        if caption:
            for child in self._document.child_elements(element.index):
                if child.tag == caption:
                    return collapse(self._alternative(child, set(), shown=False))
        return ""

    def _tooltip(self, element: Element) -> str:
        title = collapse(element.attrs.get("title", ""))
        if not title and self._roles[element.index] in _TEXT_ROLES:
            return collapse(element.attrs.get("placeholder", ""))
        return title

    def _alternative(self, element: Element, seen: set[int], *, shown: bool) -> str:
        """Returns the text an element adds to another one's name.

        Args:
            element: The element.
            seen: Elements already part of the computation (a label does not contain its own control).
            shown: Whether the element counts even though it is hidden (it was referenced directly).
        """
        index = element.index
        if index in seen or not (shown or self._rendered[index]):
            return ""
        attrs = element.attrs
        if attrs.get("aria-hidden") == "true" and not shown:
            return ""
        label = collapse(attrs.get("aria-label", "")) if attrs else ""
        if index in self._controls:  # its value goes before its own label
            value = self._embedded(element)
            return value if value.strip() or element.tag == "select" else label
        if label:
            return label
        if element.tag == "img":
            return attrs.get("alt", "") or attrs.get("title", "")
        seen.add(index)
        text = self._content(element, seen)
        return text if text.strip() else attrs.get("title", "")

    def _embedded(self, element: Element) -> str:
        """Returns what a control inside a label adds (step 2C)."""
        control = self._controls[element.index]
        if element.attrs.get("type", "").lower() in ("checkbox", "radio"):
            return ""
        self.readers.add(self._named)
        if element.tag == "select":
            return " ".join(self._document.text(i) for i in control.selected)
        return control.value

    def _content(self, element: Element, seen: set[int]) -> str:
        parts: list[str] = []
        elements = self._document.elements
        for child in element.children:
            if isinstance(child, str):
                parts.append(child)
                continue
            inner = elements[child]
            if inner.tag == "br":
                parts.append(" ")
                continue
            text = self._alternative(inner, seen, shown=False)
            parts.append(text if inner.tag in _INLINE else f" {text} ")
        return "".join(parts)
