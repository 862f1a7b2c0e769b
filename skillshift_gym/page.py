"""From a browser's snapshot to the immutable `Page` that observations are made of.

One pipeline for both browsers. What depends only on the tree and on what is rendered (roles, names, the outline) is
computed once per document; a page adds the live state of controls, so typing costs little.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from functools import cached_property
from html import escape
from typing import NamedTuple

from .document import Control, Document, Element, Snapshot
from .names import Names, collapse
from .roles import GENERIC, INTERACTIVE, NAME_FROM_CONTENT, NONE, TRANSPARENT, is_focusable, role_of

_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"]
)
_SHOWN_ATTRIBUTES = ("id", "name", "type", "href", "placeholder", "data-testid", "class")
_KEPT_OUTLINES = 8


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


class Line(NamedTuple):
    """One line of a page's outline: an element (index) or a run of text (index -1)."""

    depth: int
    index: int
    text: str


class Outline:
    """Roles, names and reading order of a document with a given set of rendered elements."""

    def __init__(self, document: Document, rendered: bytes, controls: Mapping[int, Control]) -> None:
        self.document = document
        self.rendered = rendered
        self.roles = [(role_of(document, e) if rendered[e.index] else "") for e in document.elements]
        self._hide_subtrees()
        names = Names(document, rendered, controls, self.roles)
        self.names = [
            names.name(e) if self.roles[e.index] not in ("", GENERIC, NONE, "paragraph") else ""
            for e in document.elements
        ]
        self.descriptions = {
            e.index: text
            for e in document.elements
            if self.roles[e.index] and ("aria-describedby" in e.attrs or "title" in e.attrs)
            if (text := names.description(e))
        }
        self.depends_on_values = names.read_controls
        self.lines = tuple(self._lines())
        self.static: dict[int, PageElement] = {}
        self.static_lines: dict[int, str] = {}
        self.static_json: dict[int, str] = {}

    def _hide_subtrees(self) -> None:
        for element in self.document.elements:
            if element.attrs.get("aria-hidden") == "true":
                for index in range(element.index, element.end):
                    self.roles[index] = ""

    @cached_property
    def interactive(self) -> tuple[int, ...]:
        """Elements an agent can act on, in document order."""
        return tuple(
            e.index
            for e in self.document.elements
            if self.roles[e.index] and (self.roles[e.index] in INTERACTIVE or is_focusable(e))
        )

    @cached_property
    def lively(self) -> frozenset[int]:
        """Elements whose line can change while the document and what is rendered stay the same."""
        document = self.document
        tags = ("input", "select", "textarea", "option", "details", "summary", "dialog", "output")
        return frozenset(e.index for tag in tags for e in document.tagged(tag))

    def _lines(self) -> Iterator[Line]:
        body = next(iter(self.document.tagged("body")), None)
        if body is None:
            return
        stack: list[tuple[int, int | str, bool]] = [(1, body.index, False)]
        text: list[str] = []
        text_depth = 1
        while stack:
            depth, item, quiet = stack.pop()
            if isinstance(item, str):
                if not quiet:
                    if not text:
                        text_depth = depth
                    text.append(item)
                continue
            element = self.document[item]
            role = self.roles[item]
            if not role and element.tag != "body":
                continue
            has_line = role not in TRANSPARENT and element.tag not in ("body", "br")
            if has_line or element.tag in ("p", "div", "br", "dt", "dd"):
                yield from self._text_line(text, text_depth)
            if has_line:
                yield Line(depth, item, "")
            inner = depth + 1 if has_line else depth
            silent = quiet or (has_line and role in NAME_FROM_CONTENT and bool(self.names[item]))
            if element.tag == "textarea":
                continue
            if element.tag in ("p", "div", "dt", "dd"):
                stack.append((depth, "\n", quiet))
            stack.extend((inner, child, silent) for child in reversed(element.children))
        yield from self._text_line(text, text_depth)

    def _text_line(self, text: list[str], depth: int) -> Iterator[Line]:
        content = collapse("".join(text))
        text.clear()
        if content:
            yield Line(depth, -1, content)


class Page:
    """An immutable page: what agents observe, checks read and shifts intercept.

    Args:
        snapshot: What the browser shows.
        outline: Derived roles, names and lines.
    """

    def __init__(self, snapshot: Snapshot, outline: Outline) -> None:
        self.snapshot = snapshot
        self.document = snapshot.document
        self.outline = outline
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
        if index == self.snapshot.focus or index in self.outline.lively:
            return self._make(index)
        element = self.outline.static.get(index)
        if element is None:
            element = self.outline.static[index] = self._make(index)
        return element

    @cached_property
    def elements(self) -> tuple[PageElement, ...]:
        """All elements, in document order, hidden ones included."""
        return tuple(self.element(i) for i in range(len(self.document)))

    @cached_property
    def interactive(self) -> tuple[PageElement, ...]:
        """The elements an agent can act on, in document order."""
        return tuple(self.element(i) for i in self.outline.interactive)

    @cached_property
    def lines(self) -> tuple[str, ...]:
        """The accessibility tree as text, one line a node, the document first."""
        root = f"RootWebArea {self.title!r}"
        return (root, *("  " * line.depth + self._line(line) for line in self.outline.lines))

    @cached_property
    def axtree(self) -> str:
        """The accessibility tree as text."""
        return "\n".join(self.lines)

    @cached_property
    def element_lines(self) -> tuple[str, ...]:
        """One JSON object for each interactive element."""
        return tuple(self._json(e) for e in self.interactive)

    @cached_property
    def elements_text(self) -> str:
        """The interactive elements as JSON lines."""
        return "\n".join(self.element_lines)

    @cached_property
    def html_parts(self) -> tuple[str, ...]:
        """The document as HTML with bids and live state, cut at tags."""
        return tuple(_serialise(self, 0))

    @cached_property
    def html(self) -> str:
        """The document as HTML with bids and live state."""
        return "".join(self.html_parts)

    def _make(self, index: int) -> PageElement:
        element = self.document[index]
        control = self.snapshot.controls.get(index)
        return PageElement(
            str(index),
            element.tag,
            self.outline.roles[index],
            self.outline.names[index],
            _shown_value(element, control) if control else "",
            states_of(self, element),
            bool(self.outline.rendered[index]),
            element.attrs,
        )

    def _line(self, line: Line) -> str:
        if line.index < 0:
            return f"StaticText {line.text!r}"
        lively = line.index == self.snapshot.focus or line.index in self.outline.lively
        text = None if lively else self.outline.static_lines.get(line.index)
        if text is None:
            text = _describe(self.element(line.index), self.outline.descriptions.get(line.index, ""))
            if not lively:
                self.outline.static_lines[line.index] = text
        return text

    def _json(self, element: PageElement) -> str:
        index = int(element.bid)
        lively = index == self.snapshot.focus or index in self.outline.lively
        text = None if lively else self.outline.static_json.get(index)
        if text is None:
            shown = {
                "bid": element.bid,
                "role": element.role,
                "name": element.name,
                "tag": element.tag,
                **({"value": element.value} if element.value else {}),
                **({"states": element.states} if element.states else {}),
                "attrs": {k: element.attrs[k] for k in _SHOWN_ATTRIBUTES if element.attrs.get(k)},
            }
            text = json.dumps(shown, ensure_ascii=False)
            if not lively:
                self.outline.static_json[index] = text
        return text


def build_page(snapshot: Snapshot) -> Page:
    """Returns the page of a snapshot."""
    return Page(snapshot, _outline(snapshot))


def _outline(snapshot: Snapshot) -> Outline:
    """Returns the outline of a snapshot, shared by all snapshots that show the same elements."""
    kept: dict[bytes, Outline] = snapshot.document.memo.setdefault("outlines", {})
    outline = kept.get(snapshot.rendered)
    if outline is None:
        outline = Outline(snapshot.document, snapshot.rendered, snapshot.controls)
        if outline.depends_on_values:
            return outline
        while len(kept) >= _KEPT_OUTLINES:
            kept.pop(next(iter(kept)))
        kept[snapshot.rendered] = outline
    return outline


def states_of(page: Page, element: Element) -> dict[str, str]:
    """Returns the states of an element, in a fixed order."""
    attrs, snapshot = element.attrs, page.snapshot
    control = snapshot.controls.get(element.index)
    states: dict[str, str] = {}
    if page.outline.roles[element.index] == "heading":
        states["level"] = attrs.get("aria-level") or (element.tag[1:] if element.tag[0] == "h" else "2")
    if control is not None and control.checked is not None:
        states["checked"] = "true" if control.checked else "false"
    elif "aria-checked" in attrs:
        states["checked"] = attrs["aria-checked"]
    if element.tag == "option":
        states["selected"] = "true" if _is_selected(page, element) else "false"
    if element.tag == "summary":
        states["expanded"] = "true" if element.parent in snapshot.opened else "false"
    elif "aria-expanded" in attrs:
        states["expanded"] = attrs["aria-expanded"]
    for name in ("aria-pressed", "aria-selected", "aria-current", "aria-invalid"):
        if attrs.get(name, "false") != "false":
            states[name[5:]] = attrs[name]
    if is_disabled(page.document, element):
        states["disabled"] = "true"
    if control is not None:
        if "readonly" in attrs:
            states["readonly"] = "true"
        if "required" in attrs or attrs.get("aria-required") == "true":
            states["required"] = "true"
        if "multiple" in attrs:
            states["multiselectable"] = "true"
    if element.index == snapshot.focus:
        states["focused"] = "true"
    return states


def is_disabled(document: Document, element: Element) -> bool:
    """Tells whether a form control is disabled, by itself or by a fieldset around it."""
    if element.tag not in ("button", "fieldset", "input", "optgroup", "option", "select", "textarea"):
        return element.attrs.get("aria-disabled") == "true"
    if "disabled" in element.attrs:
        return True
    if element.tag == "option":
        return any("disabled" in a.attrs for a in document.ancestors(element.index) if a.tag in ("optgroup", "select"))
    return any(
        a.tag == "fieldset" and "disabled" in a.attrs and not _in_first_legend(document, a, element)
        for a in document.ancestors(element.index)
    )


def _in_first_legend(document: Document, fieldset: Element, element: Element) -> bool:
    legend = next((e for e in document.child_elements(fieldset.index) if e.tag == "legend"), None)
    return legend is not None and element.index in legend


def _is_selected(page: Page, option: Element) -> bool:
    select = page.document.closest(option.index, "select")
    control = page.snapshot.controls.get(select.index) if select else None
    return control is not None and option.index in control.selected


def _shown_value(element: Element, control: Control) -> str:
    if element.tag == "input":
        kind = element.attrs.get("type", "").lower()
        if kind in ("checkbox", "radio", "hidden", "submit", "reset", "button", "image"):
            return ""
        if kind == "password":
            return "•" * len(control.value)
    return control.value


def _describe(element: PageElement, description: str) -> str:
    parts = [f"[{element.bid}] {element.role} {element.name!r}" if element.name else f"[{element.bid}] {element.role}"]
    if element.value:
        parts.append(f"value={element.value!r}")
    parts += [key if value == "true" else f"{key}={value}" for key, value in element.states.items()]
    if description:
        parts.append(f"description={description!r}")
    return ", ".join(parts)


def _serialise(page: Page, index: int) -> Iterator[str]:
    element = page.document[index]
    yield _start_tag(page, element)
    if element.tag in _VOID:
        return
    control = page.snapshot.controls.get(index)
    if element.tag == "textarea" and control is not None:
        yield escape(control.value, quote=False)
    else:
        raw = element.tag in ("script", "style")
        for child in element.children:
            if isinstance(child, str):
                yield child if raw else escape(child, quote=False)
            else:
                yield from _serialise(page, child)
    yield f"</{element.tag}>"


_LIVE_ATTRIBUTES = frozenset(("value", "checked", "selected", "open"))


def _start_tag(page: Page, element: Element) -> str:
    attrs = element.attrs
    if element.index in page.outline.lively:
        attrs = {k: v for k, v in attrs.items() if k not in _LIVE_ATTRIBUTES} | _live_attributes(page, element)
    written = "".join(f' {key}="{escape(value)}"' for key, value in attrs.items())
    return f'<{element.tag} bid="{element.index}"{written}>'


def _live_attributes(page: Page, element: Element) -> dict[str, str]:
    control = page.snapshot.controls.get(element.index)
    live: dict[str, str] = {}
    if control is not None and element.tag == "input":
        shown = _shown_value(element, control)
        value = shown if shown else element.attrs.get("value", "")
        if (shown or control.value) and value:
            live["value"] = value
        if control.checked:
            live["checked"] = ""
    if element.tag == "option":
        live |= {"value": element.attrs["value"]} if "value" in element.attrs else {}
        live |= {"selected": ""} if _is_selected(page, element) else {}
    if element.index in page.snapshot.opened:
        live["open"] = ""
    return live
