"""Mutators of structure: tags, wrappers, text nodes and orders that mean nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

from lxml import etree

from skillshift_gym.document import SID_ATTRIBUTE
from skillshift_gym.keyed import keyed, unit
from skillshift_gym.wrappers.fates import Fate

Element = etree._Element
T = TypeVar("T")

_HEADINGS = frozenset(["h1", "h2", "h3", "h4", "h5", "h6"])
_FLOW = frozenset(
    ["article", "aside", "blockquote", "body", "dd", "details", "div", "fieldset", "figure", "footer", "form", "header",
     "li", "main", "nav", "section", "td", "th"]
)  # fmt: skip
_PHRASING = _HEADINGS | {"a", "button", "em", "figcaption", "label", "p", "span", "strong", "summary"}
_INLINE = frozenset(
    ["a", "b", "button", "code", "em", "i", "img", "input", "label", "select", "small", "span", "strong", "textarea",
     "time"]
)  # fmt: skip
# Blocks that end a run of text by themselves or have a line of their own in the accessibility tree.
_APART = _HEADINGS | {"article", "details", "div", "figure", "main", "nav", "ol", "p", "table", "ul"}
# Blocks that do not: a `div` around one of them would end a run of text that goes on in the plain page.
_LOOSE = frozenset(["dl", "footer", "form", "header", "section"])
_EDGES = frozenset(["article", "body", "div", "li", "main", "nav", "td"])
_TAKES_TEXT = _HEADINGS | {"a", "b", "em", "i", "label", "li", "p", "small", "span", "strong", "td", "th", "time"}
_SECTIONING = ("article", "aside", "main", "nav", "section")
_SCOPED = ("aside", "footer", "header")
_SAME_ROLE = {
    "b": "strong", "strong": "b", "i": "em", "em": "i", "p": "div", "article": "div role=article",
    "main": "div role=main", "nav": "div role=navigation", "section": "div role=region",
    **{f"h{level}": f"div role=heading aria-level={level}" for level in range(1, 7)},
}  # fmt: skip
_ORDERLESS_LINKS = frozenset(
    ["alternate", "author", "canonical", "help", "license", "next", "prev", "search", "shortlink"]
)


def swap_tag(element: Element, fate: Fate) -> None:
    """Swaps a tag for another one of equal role."""
    target = _SAME_ROLE.get(str(element.tag))
    if target is None or element.get("role") or _scopes_landmarks(element):
        return
    if element.tag == "section" and not (element.get("aria-label") or "").strip():  # without a name it is no region
        return
    tag, *attributes = target.split()
    element.tag = tag
    for attribute in attributes:
        name, _, value = attribute.partition("=")
        element.set(name, value)


def _scopes_landmarks(element: Element) -> bool:
    """Tells whether the role of an element inside depends on this tag."""
    return element.tag in _SECTIONING and any(element.find(f".//{tag}") is not None for tag in _SCOPED)


def split_text(element: Element, fate: Fate) -> None:
    """Puts the first words of a text into a `span`."""
    words = (element.text or "").split(" ")
    if str(element.tag) not in _TAKES_TEXT or len(words) < 3:
        return
    cut = 1 + int(fate.second("split") * (len(words) - 2))
    head = " ".join(words[:cut])
    if head.strip():
        span = element.makeelement("span")
        span.text, span.tail = head, " " + " ".join(words[cut:])
        element.text = None
        element.insert(0, span)


def wrap(element: Element, fate: Fate) -> None:
    """Puts an element into a `div` or `span` of its own."""
    parent = element.getparent()
    if parent is None or element.get("type") == "hidden":
        return
    block = parent.tag in _FLOW and (element.tag in _APART or (element.tag in _LOOSE and _stands_apart(element)))
    inline = element.tag in _INLINE and parent.tag in _FLOW | _PHRASING
    if block or inline:
        wrapper = element.makeelement("div" if block else "span")
        parent.replace(element, wrapper)
        wrapper.tail, element.tail = element.tail, None
        wrapper.append(element)


def unwrap(element: Element, fate: Fate) -> None:
    """Takes away a `div` around one block, or a `span`, that carries nothing but looks."""
    parent = element.getparent()
    carried = [str(name) for name, _ in element.items() if name != "class" and not str(name).startswith("data-")]
    if parent is None or carried or element.get(SID_ATTRIBUTE):
        return
    if element.tag == "span" and parent.tag in _FLOW | _PHRASING:
        _dissolve(element, parent)
    elif element.tag == "div" and parent.tag in _FLOW and len(element) == 1 and not (element.text or "").strip():
        child = element[0]
        fits = child.tag in _APART or (child.tag in _LOOSE and _stands_apart(element))
        if fits and not (child.tail or "").strip():
            _dissolve(element, parent)


def _dissolve(element: Element, parent: Element) -> None:
    """Puts the content of an element in its place."""
    place = parent.index(element)
    _add_text(parent, place, element.text)
    children = list(element)
    tail = element.tail
    element.tail = None
    parent.remove(element)
    parent[place:place] = children
    _add_text(parent, place + len(children), tail)


def _add_text(parent: Element, place: int, text: str | None) -> None:
    """Adds text before the child at a place."""
    if not text:
        return
    if place == 0:
        parent.text = (parent.text or "") + text
    else:
        parent[place - 1].tail = (parent[place - 1].tail or "") + text


def _stands_apart(element: Element) -> bool:
    """Tells whether no run of text crosses the borders of an element."""
    parent, before, after = element.getparent(), element.getprevious(), element.getnext()
    assert parent is not None
    text = (parent.text if before is None else before.tail, element.tail)
    edges = [parent.tag in _EDGES if e is None else e.tag in _APART for e in (before, after)]
    return all(edges) and not any((t or "").strip() for t in text)


def reorder(element: Element, fate: Fate) -> None:
    """Changes orders without meaning: of attributes, of classes, and of the hidden fields of a form that posts."""
    share = fate.second("reorder")
    attributes = _turned([(str(name), str(value)) for name, value in element.items()], share)
    element.attrib.clear()
    for name, value in attributes:
        element.set(name, " ".join(_turned(value.split(), share)) if name == "class" else value)
    form = element if element.tag == "form" else next(element.iterancestors("form"), None)
    if form is not None and (form.get("method") or "").lower() == "post":
        hidden = [e for e in element if e.tag == "input" and e.get("type") == "hidden" and e.get("form") is None]
        if len({e.get("name") for e in hidden}) == len(hidden):
            _permute(element, hidden, _turned(hidden, share))


def reorder_head(root: Element, seed: str, probability: float) -> None:
    """Changes the order of what has none in the head: named `meta` elements and links that load nothing."""
    head = root.find("head")
    if head is None or unit("head", seed) >= probability:
        return
    loose = [e for e in head if _is_orderless(e)]
    keys = {e: keyed("head", seed, *sorted(map(str, e.items()))) for e in loose}
    _permute(head, loose, sorted(loose, key=keys.__getitem__))


def _is_orderless(element: Element) -> bool:
    if element.tag == "meta":
        return bool(element.get("name") or element.get("property"))
    return element.tag == "link" and set((element.get("rel") or "").lower().split()) <= _ORDERLESS_LINKS


def _permute(parent: Element, places: Sequence[Element], order: Sequence[Element]) -> None:
    """Puts elements at each other's places; the text around the places stays."""
    if list(places) == list(order):
        return
    taken = dict(zip(places, order, strict=True))
    tails = [e.tail for e in parent]
    parent[:] = [taken.get(e, e) for e in parent]
    for element, tail in zip(parent, tails, strict=True):
        element.tail = tail


def _turned(items: Sequence[T], share: float) -> list[T]:
    """Returns the items turned round by 1 to len - 1 places."""
    if len(items) < 2:
        return list(items)
    turn = 1 + int(share * (len(items) - 1))
    return [*items[turn:], *items[:turn]]
