"""An accessibility tree as text, pruned to a budget in a fixed order.

The order depends on a node's kind and place only, never on the budget: a tighter budget keeps a prefix of it. So a
larger budget only adds nodes, and a small change of a page moves the cut, not the rest.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import accumulate
from typing import NamedTuple

from skillshift_gym.roles import INTERACTIVE, LANDMARKS

MARKER = "[… {count} nodes left out]"
# Letters in sixes, digits in threes, every other sign alone: on the high side for English prose and markup.
_TOKEN = re.compile(r"[A-Za-z]{1,6}|[0-9]{1,3}|[^\sA-Za-z0-9]|\n")
_LINE = re.compile(r" *(?:\[\d+\] )?(\w+)(.*)", re.DOTALL)
_WORDLESS = re.compile(r"[\W_]*")
# What only groups: without name and state it says nothing when it holds a single node, or none.
_WRAPPERS = frozenset(["article", "figure", "group", "list", "listitem"])
_DIALOGS = frozenset(["dialog", "alertdialog", "alert"])
_TITLES = frozenset(["heading", "columnheader", "rowheader", "status"])
_LINKS = frozenset(["link", "option"])
_TEXT = "StaticText"
_ASIDE = frozenset(["complementary", "contentinfo"])
_ROOT, _DIALOG, _CONTROL, _LINK, _MENU, _TITLE, _NEAR, _BODY, _ASIDE_LINK, _FAR = range(10)


class Pruned(NamedTuple):
    """A tree without idle lines.

    Attributes:
        lines: One line a node, indented by its new depth, the document first.
        order: Positions of the lines, those that are kept longest first; a node comes after its parents.
        parts: Positions at which a part of the page (a landmark or a dialog at the top) begins.
    """

    lines: tuple[str, ...]
    order: tuple[int, ...]
    parts: tuple[int, ...]


class Costs(NamedTuple):
    """What a tree takes.

    Attributes:
        tokens: Tokens of the first node of the order, the first two, and so on.
        characters: Characters, likewise.
        marker: Tokens of a marker.
        marker_length: Characters of a marker.
    """

    tokens: tuple[int, ...]
    characters: tuple[int, ...]
    marker: int
    marker_length: int


class _Node:
    """One line while the tree is pruned."""

    __slots__ = ("aside", "bare", "children", "depth", "dropped", "main", "parent", "rank", "role", "talks", "text")

    def __init__(self, line: str, parent: _Node | None) -> None:
        match = _LINE.fullmatch(line)
        self.role, rest = match.groups() if match else ("", line)
        self.text = line.lstrip(" ")
        self.parent = parent
        self.bare = not rest and self.role in _WRAPPERS
        self.dropped = self.role == _TEXT and _WORDLESS.fullmatch(rest) is not None
        self.children = 0
        self.talks = False  # whether one of its children can be acted on
        self.main: bool = self.role == "main" or (parent is not None and parent.main)
        self.aside: bool = self.role in _ASIDE or (parent is not None and parent.aside)
        self.rank = _FAR
        self.depth = 0


def count_tokens(text: str) -> int:
    """Returns an approximation of the number of tokens: six letters, three digits, one other sign or line end each."""
    return len(_TOKEN.findall(text))


@lru_cache(maxsize=64)
def prune(axtree: str) -> Pruned:
    """Returns an accessibility tree without signs that stand alone and without wrappers of one node or none.

    The order: the document, dialogs and alerts with what is inside, controls, links of the main content, links of
    menus; headings of the main content, its text beside something to act on, its other text; links of sidebars and
    footers, the rest. Each in document order; a node is kept as long as anything inside it. Sidebars come after the
    text because a list of tags would otherwise push out the article that a question is about.
    """
    nodes = _parse(axtree)
    _collapse(nodes)
    kept = [n for n in nodes if not n.dropped]
    _rank(nodes, kept)
    order = sorted(range(len(kept)), key=lambda i: (kept[i].rank, i))
    parts = tuple(i for i, n in enumerate(kept) if n.depth == 1 and n.role in LANDMARKS | _DIALOGS)
    return Pruned(tuple("  " * n.depth + n.text for n in kept), tuple(order), parts)


def costs(tree: Pruned, count: Callable[[str], int]) -> Costs:
    """Returns what the first nodes of a tree's order take.

    Args:
        tree: The tree.
        count: Text -> tokens; sums over lines are taken as an estimate of the whole.
    """
    lines = [tree.lines[i] + "\n" for i in tree.order]
    marker = f"  {MARKER.format(count=len(lines))}\n"
    return Costs(tuple(accumulate(map(count, lines))), tuple(accumulate(map(len, lines))), count(marker), len(marker))


def cut(tree: Pruned, cost: Costs, tokens: int, characters: int, most: int | None = None) -> tuple[str, int]:
    """Returns the most of a tree that fits, with a marker at the end of each part that lost nodes, and the nodes kept.

    Args:
        tree: The tree.
        cost: Its costs.
        tokens: Tokens it may take.
        characters: Characters it may take.
        most: Greatest number of nodes to keep; all when None.
    """
    size = len(tree.lines)
    if (most is None or most >= size) and cost.tokens[-1] <= tokens and cost.characters[-1] <= characters:
        return "\n".join(tree.lines), size
    markers = len(tree.parts) + 1
    kept_tokens, kept_characters = (
        _reserve(markers, cost.marker, tokens),
        _reserve(markers, cost.marker_length, characters),
    )
    fits = bisect_right(cost.tokens, tokens - kept_tokens)
    fits = min(fits, bisect_right(cost.characters, characters - kept_characters))
    size = fits if most is None else min(fits, most)
    room = markers * cost.marker <= kept_tokens and markers * cost.marker_length <= kept_characters
    return _marked(tree, size, tree.parts if room else ()), size


def _reserve(markers: int, each: int, limit: int) -> int:
    """Returns what is set aside for markers: for all of them, but no more than a quarter or than one takes.

    What is left for nodes never shrinks when the limit grows.
    """
    return min(markers * each, max(each, limit // 4))


def _marked(tree: Pruned, size: int, parts: Sequence[int]) -> str:
    """Returns the first nodes of the order, in document order, with markers."""
    kept, starts = set(tree.order[:size]), set(parts)
    shown: list[str] = []
    missing = 0
    for i, line in enumerate(tree.lines):
        if missing and i in starts:
            shown.append("  " + MARKER.format(count=missing))
            missing = 0
        if i in kept:
            shown.append(line)
        else:
            missing += 1
    return "\n".join([*shown, "  " + MARKER.format(count=missing)] if missing else shown)


def _parse(axtree: str) -> list[_Node]:
    nodes: list[_Node] = []
    path: list[_Node] = []  # the node at each depth on the way to the present line
    for line in axtree.split("\n"):
        depth = min((len(line) - len(line.lstrip(" "))) // 2, len(path))
        del path[depth:]
        path.append(_Node(line, path[-1] if path else None))
        nodes.append(path[-1])
    return nodes


def _collapse(nodes: Sequence[_Node]) -> None:
    """Drops idle nodes, those inside first, and gives the others their new depth."""
    for node in reversed(nodes):
        if node.bare and node.children <= 1:
            node.dropped = True
            passed_on = node.children
        else:
            passed_on = not node.dropped
        if node.parent:
            node.parent.children += passed_on
    for node in nodes:
        if node.parent:
            node.depth = node.parent.depth + (not node.parent.dropped)


def _rank(nodes: Sequence[_Node], kept: Sequence[_Node]) -> None:
    has_main = any(n.role == "main" for n in nodes)
    for node in kept:
        above = _above(node)
        if above and node.role in INTERACTIVE:
            above.talks = True
    for node in kept:
        above = _above(node)
        if above is None:
            node.rank = _ROOT
        elif above.rank == _DIALOG or node.role in _DIALOGS:
            node.rank = _DIALOG
        else:
            node.rank = _own_rank(node, above, node.main or not has_main)
    for node in reversed(kept):
        above = _above(node)
        if above:
            above.rank = min(above.rank, node.rank)


def _own_rank(node: _Node, above: _Node, main: bool) -> int:
    if node.role in _LINKS:
        return _LINK if main else _ASIDE_LINK if node.aside else _MENU
    if node.role in INTERACTIVE:
        return _CONTROL
    if node.role in _WRAPPERS or not main:
        return _FAR
    if node.role in _TITLES:
        return _TITLE
    return _NEAR if node.role == _TEXT and above.talks else _BODY


def _above(node: _Node) -> _Node | None:
    """Returns the closest node around a node that is kept."""
    above = node.parent
    while above and above.dropped:
        above = above.parent
    return above
