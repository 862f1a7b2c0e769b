"""Reading an observation as an agent must: only from its texts.

The accessibility tree gives order and nesting, the element list gives attributes and values.
"""

from __future__ import annotations

import ast
import json
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import cached_property, lru_cache
from math import log
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
        lines = ",".join(line for line in elements.split("\n") if line[:1] == "{")
        self.elements: list[Mapping[str, Any]] = json.loads(f"[{lines}]")  # one call: faster than many
        self.position = {node.bid: i for i, node in enumerate(self.nodes) if node.bid}

    @cached_property
    def by_bid(self) -> Mapping[str, Mapping[str, Any]]:
        """Bid -> element."""
        return {e["bid"]: e for e in self.elements}

    @cached_property
    def rarity(self) -> Mapping[str, float]:
        """Word -> how rare it is among the names on the page, at least 0."""
        counts = Counter(w for e in self.elements for w in set(words(e["name"])))
        total = len(self.elements) + 1
        return {w: log(total / n) for w, n in counts.items()}

    @cached_property
    def numbers(self) -> Mapping[str, int]:
        """Bid -> number, for the links whose name is a number or ends with one after a word or none."""
        found = {}
        for element in self.elements:
            parts = words(element["name"])
            if element["role"] == "link" and parts and len(parts) <= 2 and parts[-1].isdigit():
                found[element["bid"]] = int(parts[-1])
        return found

    @cached_property
    def listed(self) -> frozenset[str]:
        """Names of links in lists outside the main content."""
        side = [g for g in self.groups if not g.main]
        return frozenset(t for g in side for i in g.items for t in self.texts_in(i)[:1])

    @cached_property
    def main(self) -> frozenset[str]:
        """Bids of what is inside the main content."""
        return self.inside("main")

    @cached_property
    def titles(self) -> frozenset[str]:
        """Bids of what is inside a heading."""
        return self.inside("heading")

    @cached_property
    def groups(self) -> Sequence[Group]:
        """The groups of two and more items, in order."""
        parents: dict[tuple[int, str], list[int]] = {}
        for i, node in enumerate(self.nodes):
            if node.role in ITEM_ROLES:
                parents.setdefault((self.parents[i], node.role), []).append(i)
        groups = [Group(self.label_of(items[0]), tuple(items), self._in_main(items[0])) for items in parents.values()]
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

    @lru_cache(maxsize=64)  # noqa: B019
    def inside(self, role: str) -> frozenset[str]:
        """Returns the bids of what is inside nodes of a role."""
        outer = [i for i, node in enumerate(self.nodes) if node.role == role]
        return frozenset(self.nodes[i].bid for start in outer for i in range(start + 1, self.end(start)))

    def links_in(self, position: int) -> list[str]:
        """Returns the bids of the links of an item, in order."""
        return [self.nodes[i].bid for i in range(position + 1, self.end(position)) if self.nodes[i].role == "link"]

    def titled_links(self, position: int) -> list[str]:
        """Returns the bids of an item's links, those inside a heading first."""
        links = self.links_in(position)
        return sorted(links, key=lambda bid: not self._in_heading(self.position[bid], position))

    def _in_heading(self, position: int, item: int) -> bool:
        parent = self.parents[position]
        while parent > item:
            if self.nodes[parent].role == "heading":
                return True
            parent = self.parents[parent]
        return False

    def bids_in(self, position: int) -> list[str]:
        """Returns the bids of what is inside a node, in order."""
        return [node.bid for node in self.nodes[position + 1 : self.end(position)] if node.bid]

    def title_of(self, position: int) -> str:
        """Returns the name of the first heading inside a node, empty without one."""
        inside = self.nodes[position + 1 : self.end(position)]
        return next((node.name for node in inside if node.role == "heading"), "")

    def texts_in(self, position: int) -> list[str]:
        """Returns names and texts inside an item, in order."""
        return [self.nodes[i].name for i in range(position + 1, self.end(position)) if self.nodes[i].name]

    def end(self, position: int) -> int:
        """Returns the position after the last node inside a node."""
        depth = self.nodes[position].depth
        rest = range(position + 1, len(self.nodes))
        return next((i for i in rest if self.nodes[i].depth <= depth), len(self.nodes))

    @cached_property
    def parents(self) -> Sequence[int]:
        """Position of the closest node before each one that is less deep, -1 without one."""
        parents, open_nodes = [], [-1]
        for i, node in enumerate(self.nodes):
            while open_nodes[-1] >= 0 and self.nodes[open_nodes[-1]].depth >= node.depth:
                open_nodes.pop()
            parents.append(open_nodes[-1])
            open_nodes.append(i)
        return parents

    def label_of(self, position: int) -> str:
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
            position = self.parents[position]
        return False


@lru_cache(maxsize=16_384)
def words(text: str) -> tuple[str, ...]:
    """Returns the words of a text in lower case."""
    return tuple(_WORD.findall(text.lower().replace("’", "'").replace("'s", "")))


@lru_cache(maxsize=16_384)
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
    return Node(len(indent) // 2, bid or "", role, _literal(name) if name else "")


def _literal(text: str) -> str:
    """Returns what a string literal means; one without escapes says it itself, much faster."""
    return str(ast.literal_eval(text)) if "\\" in text else text[1:-1]
