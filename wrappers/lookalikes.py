"""Elements that look like real ones, off in the registered cells: decoys of another name, and twins of the same name.

They do nothing: a link leads to the top of the page, a button submits nothing. They carry no semantic id.
"""

from __future__ import annotations

import re
from copy import deepcopy

from lxml import etree

from skillshift_gym.document import SID_ATTRIBUTE
from skillshift_gym.wrappers.fates import Fate

Element = etree._Element

_NAMES = ("More options", "Details", "Share", "Print", "Help", "Show all", "Bookmark", "Copy", "Follow", "Expand")
_LOOKS = ("class", "style", "rel", "data-testid")
_INSIDE = ("a", "button", "label", "summary")
_SUBMITTING = ("image", "reset", "submit")
_DIGITS = re.compile(r"\d+")


def add_decoy(element: Element, fate: Fate) -> None:
    """Puts an element with the look of a link or button, its classes and the pattern of its id, but another name after it."""
    if not _is_control(element):
        return
    decoy = element.makeelement("a", {"href": "#"}) if element.tag == "a" else element.makeelement("button")
    if decoy.tag == "button":
        decoy.set("type", "button")
    for name in _LOOKS:
        if element.get(name):
            decoy.set(name, str(element.get(name)))
    if element.get("id"):
        decoy.set("id", _free_id(element))
    decoy.text = _free_name(element, fate)
    _place(decoy, element, before=False)


def add_twin(element: Element, fate: Fate) -> None:
    """Puts an element with the role, name and look of a link or button, that does nothing, before or after it."""
    if not _is_control(element):
        return
    twin = deepcopy(element)
    for inner in twin.iter(etree.Element):
        for name in ("id", "name", "form", SID_ATTRIBUTE, *(n for n in inner.attrib if str(n).startswith("form"))):
            inner.attrib.pop(name, None)
    if twin.tag == "a":
        twin.set("href", "#")
    else:
        twin.set("type", "button")
    _place(twin, element, before=fate.second("same_name") < 0.5)


def _is_control(element: Element) -> bool:
    kind = (element.get("type") or "").lower()
    clickable = element.tag in ("a", "button") or (element.tag == "input" and kind in _SUBMITTING)
    return clickable and element.getparent() is not None and not any(a.tag in _INSIDE for a in element.iterancestors())


def _free_id(element: Element) -> str:
    """Returns an id of the same pattern that no element has."""
    name, taken = str(element.get("id")), {str(i) for i in element.getroottree().xpath("//@id")}
    numbers = range(1, len(taken) + 2)
    if _DIGITS.search(name):
        candidates = (_DIGITS.sub(lambda m: str(int(m.group()) + n), name) for n in numbers)
    else:
        candidates = (f"{name}-{n + 1}" for n in numbers)
    return next(c for c in candidates if c not in taken)


def _free_name(element: Element, fate: Fate) -> str:
    """Returns a name that no link or button next to it in the same part of the page has."""
    tree = element.getroottree()
    used = {" ".join("".join(e.itertext()).split()).lower() for e in tree.iter("a", "button") if e is not element}
    start = int(fate.second("decoy") * len(_NAMES))
    order = [*_NAMES[start:], *_NAMES[:start]]
    foreign = [n for n in order if n.lower() not in used or n in _own(tree)]
    return next(iter(foreign), f"{order[0]} …")


def _own(tree: etree._ElementTree) -> tuple[str, ...]:
    return _NAMES


def _place(new: Element, element: Element, *, before: bool) -> None:
    if before:
        new.tail = " "
        element.addprevious(new)
    else:
        new.tail, element.tail = element.tail, " "
        element.addnext(new)
