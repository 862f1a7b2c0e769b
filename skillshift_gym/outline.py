"""What depends only on a document and on what is rendered: roles, names and the accessibility tree's text.

Computed once and shared by all pages of a document that show the same elements.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property
from typing import TYPE_CHECKING

from .document import Element, Snapshot
from .names import Names, collapse
from .role_tables import GENERIC, NONE
from .roles import INTERACTIVE, NAME_FROM_CONTENT, TRANSPARENT, is_focusable, roles_of
from .segments import Segments
from .states import LIVELY_TAGS, has_states, shown_value, states_of

if TYPE_CHECKING:
    from collections.abc import Sequence

_NAMELESS = frozenset(("", GENERIC, NONE, "paragraph", "strong", "emphasis", "rowgroup"))
_NAMED_BY_ATTRIBUTES = frozenset(
    ["article", "banner", "blockquote", "contentinfo", "list", "listitem", "main", "navigation", "row"]
)
_BREAKS = frozenset(("p", "div", "br", "dt", "dd", "figcaption", "pre"))
_SHOWN_ATTRIBUTES = frozenset(("id", "name", "type", "href", "placeholder", "data-testid", "class"))
_KEPT = 8
_quote = json.encoder.encode_basestring


class Outline:
    """Roles, names and reading order of a document with a given set of rendered elements.

    Attributes:
        roles: Role by element index; empty when the element is not in the accessibility tree.
        names: Name by element index, at the state the outline was made from.
        lively: Elements whose line can change while the same elements are shown.
    """

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        self.document = snapshot.document
        self.rendered = snapshot.rendered
        self.roles = self._roles()
        maker = self._maker(snapshot)
        pairs = zip(self.document.elements, self.roles, strict=True)
        self.names = [
            "" if role in _NAMELESS or (not e.attrs and role in _NAMED_BY_ATTRIBUTES) else maker.name(e)
            for e, role in pairs
        ]
        self.value_names = frozenset(maker.readers)
        self.descriptions = self._descriptions(maker)
        lively = (e.index for tag in LIVELY_TAGS for e in self.document.tagged(tag))
        self.lively = frozenset(lively) | self.value_names

    def name(self, snapshot: Snapshot, index: int) -> str:
        """Returns the name of an element at the state of a snapshot."""
        if index in self.value_names:
            return self._maker(snapshot).name(self.document[index])
        return self.names[index]

    def value(self, snapshot: Snapshot, index: int) -> str:
        """Returns the value of a control as a person sees it, else an empty string."""
        control = snapshot.controls.get(index)
        return shown_value(self.document[index], control) if control is not None else ""

    def states(self, snapshot: Snapshot, index: int) -> Mapping[str, str]:
        """Returns the states of an element."""
        return states_of(snapshot, self.document[index], self.roles[index])

    def line(self, snapshot: Snapshot, index: int) -> str:
        """Returns the element's line of the accessibility tree, without indentation."""
        name = self.name(snapshot, index)
        text = f"[{index}] {self.roles[index]} {name!r}" if name else f"[{index}] {self.roles[index]}"
        if index in snapshot.controls and (value := self.value(snapshot, index)):
            text += f", value={value!r}"
        for key, state in states_of(snapshot, self.document.elements[index], self.roles[index]).items():
            text += f", {key}" if state == "true" else f", {key}={state}"
        return text + f", description={self.descriptions[index]!r}" if index in self.descriptions else text

    def json(self, snapshot: Snapshot, index: int) -> str:
        """Returns the element's line of the element list."""
        element = self.document.elements[index]
        value = self.value(snapshot, index) if index in snapshot.controls else ""
        states = states_of(snapshot, element, self.roles[index])
        shown = element.attrs.items()
        attrs = ", ".join([f'"{k}": {_quote(v)}' for k, v in shown if v and k in _SHOWN_ATTRIBUTES])
        return (
            f'{{"bid": "{index}", "role": "{self.roles[index]}", "name": {_quote(self.name(snapshot, index))}, '
            f'"tag": "{element.tag}"'
            + (f', "value": {_quote(value)}' if value else "")
            + (f', "states": {json.dumps(states, ensure_ascii=False)}' if states else "")
            + f', "attrs": {{{attrs}}}}}'
        )

    @cached_property
    def interactive(self) -> Sequence[int]:
        """Elements an agent can act on, in document order."""
        roles = self.roles
        return tuple(
            e.index
            for e in self.document.elements
            if (role := roles[e.index]) and (role in INTERACTIVE or is_focusable(e))
        )

    @cached_property
    def element_list(self) -> Segments:
        """The element list as text; holes are lively elements."""
        segments = Segments()
        for number, index in enumerate(self.interactive):
            if number:
                segments.text("\n")
            if index in self.lively:
                segments.hole(index)
            else:
                segments.text(self.json(self.quiet, index))
        return segments.close()

    @cached_property
    def tree(self) -> Segments:
        """The accessibility tree as text; holes are lively elements."""
        segments = Segments()
        segments.text(f"RootWebArea {self.document.title!r}")
        for body in self.document.tagged("body")[:1]:
            _Tree(self, segments).write(body)
        return segments.close()

    @cached_property
    def quiet(self) -> Snapshot:
        """The snapshot without focus, for lines that do not change."""
        return self._snapshot._replace(focus=-1)

    def _roles(self) -> list[str]:
        document, rendered = self.document, self.rendered
        roles = roles_of(document, rendered)
        for element in map(document.__getitem__, sorted(document.aria)):
            if element.attrs.get("aria-hidden") == "true":
                roles[element.index : element.end] = [""] * (element.end - element.index)
        return roles

    def _maker(self, snapshot: Snapshot) -> Names:
        return Names(self.document, self.rendered, snapshot.controls, self.roles)

    def _descriptions(self, maker: Names) -> dict[int, str]:
        described = (
            e for e in self.document.elements
            if e.attrs and self.roles[e.index] and ("title" in e.attrs or "aria-describedby" in e.attrs)
        )  # fmt: skip
        return {e.index: text for e in described if (text := maker.description(e))}


class _Tree:
    """Writes the lines of the accessibility tree: elements with a line of their own, and runs of text between them."""

    def __init__(self, outline: Outline, segments: Segments) -> None:
        self._outline = outline
        self._elements = outline.document.elements
        self._roles = outline.roles
        self._names = outline.names
        self._segments = segments
        self._text: list[str] = []
        self._indent = ""

    def write(self, body: Element) -> None:
        """Writes everything inside the body."""
        self._children(body, "\n  ", quiet=False)
        self._flush()

    def _children(self, element: Element, indent: str, *, quiet: bool) -> None:
        for child in element.children:
            if isinstance(child, int):
                role = self._roles[child]
                if role in TRANSPARENT:
                    self._transparent(self._elements[child], indent, quiet=quiet)
                elif role:
                    self._line(self._elements[child], role, indent, quiet=quiet)
            elif not quiet:
                if not self._text:
                    self._indent = indent
                self._text.append(child)

    def _transparent(self, element: Element, indent: str, *, quiet: bool) -> None:
        """Writes the content of an element that only structures prose."""
        if element.tag not in _BREAKS:
            self._children(element, indent, quiet=quiet)
            return
        self._flush()
        self._children(element, indent, quiet=quiet)
        self._flush()

    def _line(self, element: Element, role: str, indent: str, *, quiet: bool) -> None:
        """Writes the line of an element and what is inside it."""
        if self._text:
            self._flush()
        index, outline = element.index, self._outline
        name = self._names[index]
        if index in outline.lively:
            self._segments.text(indent)
            self._segments.hole(index)
        elif has_states(outline.document, element, role) or index in outline.descriptions:
            self._segments.text(indent + outline.line(outline.quiet, index))
        else:
            self._segments.text(f"{indent}[{index}] {role} {name!r}" if name else f"{indent}[{index}] {role}")
        if element.children and element.tag != "textarea":
            self._children(element, indent + "  ", quiet=quiet or (name != "" and role in NAME_FROM_CONTENT))
            if self._text:
                self._flush()

    def _flush(self) -> None:
        """Writes the run of text gathered so far."""
        if self._text:
            content = collapse("".join(self._text))
            self._text.clear()
            if content:
                self._segments.text(f"{self._indent}StaticText {content!r}")


def outline_of(snapshot: Snapshot) -> Outline:
    """Returns the outline of a snapshot, shared by all snapshots that show the same elements."""
    kept: dict[bytes, Outline] = snapshot.document.memo.setdefault("outlines", {})
    outline = kept.get(snapshot.rendered)
    if outline is None:
        while len(kept) >= _KEPT:
            kept.pop(next(iter(kept)))
        outline = kept[snapshot.rendered] = Outline(snapshot)
    return outline
