"""Elements that look like real ones, off in the registered cells: decoys of another name, and twins of the same name.

They do nothing: a link leads to the top of the page, a button submits nothing. They carry no semantic id.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from copy import deepcopy

from lxml import etree

from skillshift_gym.document import SID_ATTRIBUTE
from skillshift_gym.wrappers.fates import Fate, text_of
from skillshift_gym.wrappers.references import ids_of

Element = etree._Element
Change = Callable[[Element, Fate], None]

_NAMES = ("More options", "Details", "Share", "Print", "Help", "Show all", "Bookmark", "Copy", "Follow", "Expand")
_LOOKS = ("class", "style", "rel", "data-testid")
_INSIDE = ("a", "button", "label", "summary")
_SUBMITTING = ("image", "reset", "submit")
_DIGITS = re.compile(r"\d+")


def decoys(root: Element) -> Change:
    """Returns the mutator that puts an element of another name after a link or button.

    The decoy has the classes of the real one and the pattern of its id. No real link or button of the page has its name.

    Args:
        root: The tree, before any decoy.
    """
    ids = ids_of(root)
    real = {_label(e).lower() for e in root.iter("a", "button", "input")}
    names = [n for n in _NAMES if n.lower() not in real] or ["…"]

    def add_decoy(element: Element, fate: Fate) -> None:
        if not _is_control(element):
            return
        link = element.tag == "a"
        decoy = element.makeelement("a", {"href": "#"}) if link else element.makeelement("button", {"type": "button"})
        for name in _LOOKS:
            if element.get(name):
                decoy.set(name, str(element.get(name)))
        if element.get("id"):
            decoy.set("id", _free_id(str(element.get("id")), ids))
        decoy.text = names[int(fate.second("decoy") * len(names))]
        _place(decoy, element, before=False)

    return add_decoy


def add_twin(element: Element, fate: Fate) -> None:
    """Puts an element with the role, name and look of a link or button, that does nothing, before or after it."""
    if not _is_control(element):
        return
    twin = deepcopy(element)
    for inner in twin.iter(etree.Element):
        for name in map(str, inner.attrib.keys()):
            if name in ("id", "name", SID_ATTRIBUTE) or name.startswith("form"):
                del inner.attrib[name]
    if twin.tag == "a":
        twin.set("href", "#")
    else:
        twin.set("type", "button")
    _place(twin, element, before=fate.second("same_name") < 0.5)


def _is_control(element: Element) -> bool:
    kind = (element.get("type") or "").lower()
    clickable = element.tag in ("a", "button") or (element.tag == "input" and kind in _SUBMITTING)
    return clickable and element.getparent() is not None and not any(a.tag in _INSIDE for a in element.iterancestors())


def _label(element: Element) -> str:
    written = element.get("aria-label") or element.get("value")
    return " ".join(written.split()) if written else text_of(element)


def _free_id(name: str, taken: set[str]) -> str:
    """Returns an id of the same pattern that no element has, and takes it."""
    numbers = range(1, len(taken) + 2)
    if _DIGITS.search(name):
        found = (_DIGITS.sub(lambda m, n=n: str(int(m.group()) + n), name) for n in numbers)  # type: ignore[misc]
    else:
        found = (f"{name}-{n + 1}" for n in numbers)
    free = next(i for i in found if i not in taken)
    taken.add(free)
    return free


def _place(new: Element, element: Element, *, before: bool) -> None:
    if before:
        new.tail = " "
        element.addprevious(new)
    else:
        element.addnext(new)
        new.tail, element.tail = element.tail, " "
