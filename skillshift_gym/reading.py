"""Reading an observation as an agent must: only from its texts.

The accessibility tree gives order and nesting, the element list gives attributes and values.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

_LINE = re.compile(r"( *)(?:\[(\d+)\] )?(\w+)(?: ('(?:[^'\\]|\\.)*'|\"(?:[^\"\\]|\\.)*\"))?")
_WORD = re.compile(r"[^\W_]+")
ITEM_ROLES = ("listitem", "article", "row")


class Node(NamedTuple):
    """One line of the accessibility tree.

    Attributes:
        depth: Nesting level.
        bid: Its bid, empty for a run of text.
        role: Its role, `StaticText` for a run of text.
        name: Its name or text.
    """

    depth: int
    bid: str
    role: str
    name: str


class Group(NamedTuple):
    """The items of a list, or articles beside each other, on a page.

    Attributes:
        label: Heading or name that stands over them.
        items: Position of each item's first node.
        main: Whether they stand in the main content.
    """

    label: str
    items: tuple[int, ...]
    main: bool


class Reading:
    """What the texts of an observation say.

    Args:
        axtree: The accessibility tree as text.
        elements: The interactive elements as JSON lines.
    """

    def __init__(self, axtree: str, elements: str) -> None:
        self.nodes = [node for line in axtree.split("\n") if (node := _node(line)) is not None]
        self.elements: list[Mapping[str, Any]] = [json.loads(line) for line in elements.split("\n") if line[:1] == "{"]
        self.position = {node.bid: i for i, node in enumerate(self.nodes) if node.bid}

    @cached_property
    def groups(self) -> Sequence[Group]:
        """The groups of two and more items, in order."""
        parents: dict[tuple[int, str], list[int]] = {}
        for i, node in enumerate(self.nodes):
            if node.role in ITEM_ROLES:
                parents.setdefault((self._parent(i), node.role), []).append(i)
        groups = [Group(self._label(items[0]), tuple(items), self._in_main(items[0])) for items in parents.values()]
        return [g for g in groups if len(g.items) > 1]

    @cached_property
    def dialog(self) -> frozenset[str] | None:
        """Bids of what is inside the last dialog of the page, None without a dialog."""
        dialogs = [i for i, node in enumerate(self.nodes) if node.role in ("dialog", "alertdialog")]
        return frozenset(self.nodes[i].bid for i in range(dialogs[-1], self.end(dialogs[-1]))) if dialogs else None

    @cached_property
    def headings(self) -> Sequence[str]:
        """Names of the headings, in order."""
        return [node.name for node in self.nodes if node.role == "heading"]

    def links_in(self, position: int) -> list[str]:
        """Returns the bids of the links of an item, in order."""
        return [self.nodes[i].bid for i in range(position + 1, self.end(position)) if self.nodes[i].role == "link"]

    def titled_links(self, position: int) -> list[str]:
        """Returns the bids of an item's links, those inside a heading first."""
        links = self.links_in(position)
        return sorted(links, key=lambda bid: not self._in_heading(self.position[bid], position))

    def _in_heading(self, position: int, item: int) -> bool:
        parent = self._parent(position)
        while parent > item:
            if self.nodes[parent].role == "heading":
                return True
            parent = self._parent(parent)
        return False

    def texts_in(self, position: int) -> list[str]:
        """Returns names and texts inside an item, in order."""
        return [self.nodes[i].name for i in range(position + 1, self.end(position)) if self.nodes[i].name]

    def end(self, position: int) -> int:
        """Returns the position after the last node inside a node."""
        depth = self.nodes[position].depth
        rest = range(position + 1, len(self.nodes))
        return next((i for i in rest if self.nodes[i].depth <= depth), len(self.nodes))

    def _parent(self, position: int) -> int:
        depth = self.nodes[position].depth
        return next((i for i in range(position - 1, -1, -1) if self.nodes[i].depth < depth), -1)

    def _label(self, position: int) -> str:
        """Returns the name of the closest heading or named container before an item that is not inside another item."""
        depth = self.nodes[position].depth
        for i in range(position - 1, -1, -1):
            node = self.nodes[i]
            if node.role == "heading" and node.depth <= depth:
                return node.name
            if node.depth < depth:
                depth = node.depth
                if node.name and node.role not in ("RootWebArea", "link"):
                    return node.name
        return ""

    def _in_main(self, position: int) -> bool:
        while position >= 0:
            if self.nodes[position].role == "main":
                return True
            position = self._parent(position)
        return False


def words(text: str) -> list[str]:
    """Returns the words of a text in lower case."""
    return _WORD.findall(text.lower().replace("’", "'").replace("'s", ""))


def phrase(text: str) -> str:
    """Returns the words of a text joined by single spaces, between spaces: `a in b` then compares whole words."""
    return f" {' '.join(words(text))} "


@lru_cache(maxsize=256)
def read(axtree: str, elements: str) -> Reading:
    """Returns the reading of an observation; readings are shared and must not be changed."""
    return Reading(axtree, elements)


def _node(line: str) -> Node | None:
    match = _LINE.match(line)
    if match is None:
        return None
    indent, bid, role, name = match.groups()
    return Node(len(indent) // 2, bid or "", role, str(ast.literal_eval(name)) if name else "")
