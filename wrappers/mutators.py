"""Mutators: task-preserving changes of a parsed document.

Each changes how an element is found by its attributes, its place or its look, and none what it is or does: goal, links,
field names, form owners and the role and name of interactive, landmark, heading and row elements stay. Ids are renamed
together with everything that refers to them.

Source: "SkillShift-Bench", Perceptual Shift ("task-preserving perturbations to layout, DOM structure, element
attributes, and locator signals"), and the public mutators with their low, medium and high settings, repaired.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from lxml import etree

from skillshift_gym.document import SID_ATTRIBUTE
from skillshift_gym.wrappers.fates import Fate, name_fate

Element = etree._Element
Fated = Sequence[tuple[Element, Fate]]

_REFERENCES = ("for", "form", "list", "popovertarget", "commandfor", "headers", "itemref", "usemap")
_ARIA_REFERENCES = frozenset(
    f"aria-{name}" for name in ("activedescendant", "controls", "describedby", "details", "errormessage", "flowto",
                                "labelledby", "owns")
)  # fmt: skip
_TEST_IDS = ("data-testid", "data-test", "data-qa", "data-cy", "data-qa-selector")
_FLOW = frozenset(
    ["article", "aside", "body", "div", "fieldset", "footer", "form", "header", "li", "main", "nav", "section", "td"]
)
_PHRASING_ONLY = frozenset(
    ["a", "button", "em", "h1", "h2", "h3", "h4", "h5", "h6", "label", "p", "span", "strong", "summary"]
)
_BLOCKS = frozenset(
    [
        "article",
        "div",
        "dl",
        "figure",
        "form",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "nav",
        "ol",
        "p",
        "section",
        "table",
        "ul",
    ]
)
_INLINE = frozenset(["a", "b", "code", "em", "i", "img", "small", "span", "strong", "time"])
_TAKES_TEXT = frozenset(
    [
        "a",
        "b",
        "em",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "i",
        "label",
        "li",
        "p",
        "small",
        "span",
        "strong",
        "td",
        "th",
        "time",
    ]
)
_SAME_ROLE = {"b": "strong", "i": "em", "p": "div", "article": "div role=article", "aside": "div role=complementary",
              "main": "div role=main", "nav": "div role=navigation", "h2": "div role=heading aria-level=2",
              "h3": "div role=heading aria-level=3", "h4": "div role=heading aria-level=4"}  # fmt: skip


class Setting(NamedTuple):
    """Probabilities of the mutators at one intensity; 0 turns a mutator off.

    Attributes:
        remove_test_id: A test id is removed.
        rename_test_id: A test id that stays gets another value.
        add_class: A meaningless class is added.
        rename_class: A class is renamed.
        rename_id: An id is renamed, with all references to it.
        data: Another `data-*` attribute gets another value.
        wrap: An element is put into a `div` or `span` of its own.
        unwrap: A `div` or `span` that means nothing is taken away.
        tag: A tag is swapped for another one of equal role.
        split: A text is split by a `span` around its first words.
        noise: A meaningless `data-*` attribute is added.
        decoy: A look-alike of another name is put beside a link or button.
    """

    remove_test_id: float = 0.0
    rename_test_id: float = 0.0
    add_class: float = 0.0
    rename_class: float = 0.0
    rename_id: float = 0.0
    data: float = 0.0
    wrap: float = 0.0
    unwrap: float = 0.0
    tag: float = 0.0
    split: float = 0.0
    noise: float = 0.0
    decoy: float = 0.0


# Test ids, classes and tags: the published settings. Ids, structure, text and noise: ours.
SETTINGS = {
    "low": Setting(0.1, 0.1, 0.2, 0.05, 0.1, 0.1, 0.03, 0.03, 0.0, 0.05, 0.1),
    "medium": Setting(0.4, 0.3, 0.5, 0.2, 0.4, 0.3, 0.1, 0.1, 0.4, 0.15, 0.3),
    "high": Setting(0.8, 1.0, 0.9, 0.5, 0.8, 0.6, 0.25, 0.25, 0.8, 0.3, 0.6),
}


def mutate(root: Element, fated: Fated, seed: str, setting: Setting) -> None:
    """Changes a tree in place.

    Args:
        root: The tree.
        fated: Its elements and their fates, drawn before any change.
        seed: The shift's seed; names have the same fate on all pages.
        setting: Probabilities.
    """
    _rename_ids(root, seed, setting.rename_id)
    for slot, (probability, change) in enumerate(_attribute_changes(setting)):
        for element, fate in fated:
            if fate.unit(slot) < probability:
                change(element, fate)
    for slot, (probability, change) in enumerate(_structure_changes(setting), 8):
        for element, fate in fated:
            if fate.unit(slot) < probability:
                change(element, fate)


Change = Callable[[Element, Fate], None]


def _attribute_changes(setting: Setting) -> list[tuple[float, Change]]:
    """Returns the changes of attributes, in the order they are made; the position is the slot of the fate."""

    def test_id(element: Element, fate: Fate) -> None:
        for name in _TEST_IDS:
            if name in element.attrib:
                if fate.unit(1) < setting.remove_test_id:
                    del element.attrib[name]
                else:
                    element.set(name, f"{element.get(name)}-{fate.token(1)}")

    touched = setting.remove_test_id + (1 - setting.remove_test_id) * setting.rename_test_id
    return [
        (touched, test_id),
        (0.0, _nothing),  # the slot that decides between removing and renaming
        (setting.rename_class, _rename_class),
        (setting.add_class, _add_class),
        (setting.data, _change_data),
        (setting.noise, _add_noise),
    ]


def _structure_changes(setting: Setting) -> list[tuple[float, Change]]:
    """Returns the changes of structure, in the order they are made."""
    return [
        (setting.tag, _swap_tag),
        (setting.split, _split_text),
        (setting.unwrap, _unwrap),
        (setting.wrap, _wrap),
        (setting.decoy, _add_decoy),
    ]


def _nothing(element: Element, fate: Fate) -> None:
    """Changes nothing."""


def _rename_ids(root: Element, seed: str, probability: float) -> None:
    names = {n: f"{fate.token(0)}-{fate.token(1)[:3]}" for n in _ids(root)
             if (fate := name_fate(seed, n)).unit(2) < probability}  # fmt: skip
    for element in root.iter(etree.Element):
        for attribute, value in element.items():
            renamed = _renamed(str(attribute), str(value), names, seed, probability)
            if renamed != value:
                element.set(attribute, renamed)


def _ids(root: Element) -> list[str]:
    return [str(i) for i in root.xpath("//body//@id")]


def _renamed(attribute: str, value: str, names: dict[str, str], seed: str, probability: float) -> str:
    if attribute == "id" or attribute in _REFERENCES:
        return names.get(value, value)
    if attribute in _ARIA_REFERENCES:
        parts = value.split()
        return " ".join(names.get(p, p) for p in parts) if any(p in names for p in parts) else value
    if attribute == "href" and "#" in value and not re.match(r"[a-z]+://", value):
        page, _, fragment = value.partition("#")
        # The id may stand on another page, where it has the same fate.
        fate = name_fate(seed, fragment)
        return f"{page}#{fate.token(0)}-{fate.token(1)[:3]}" if fragment and fate.unit(2) < probability else value
    return value


def _rename_class(element: Element, fate: Fate) -> None:
    tokens = (element.get("class") or "").split()
    if tokens:
        tokens[-1] = f"{fate.token(2)}"
        element.set("class", " ".join(tokens))


def _add_class(element: Element, fate: Fate) -> None:
    tokens = (element.get("class") or "").split()
    element.set("class", " ".join([fate.token(3), *tokens]))


def _change_data(element: Element, fate: Fate) -> None:
    for name in list(element.attrib):
        if str(name).startswith("data-") and name not in (*_TEST_IDS, SID_ATTRIBUTE):
            element.set(name, fate.token(4))


def _add_noise(element: Element, fate: Fate) -> None:
    element.set(f"data-{fate.token(5)[:4]}", fate.token(6))


def _swap_tag(element: Element, fate: Fate) -> None:
    target = _SAME_ROLE.get(str(element.tag))
    if target is None or element.get("role") or _scopes_landmarks(element):
        return
    tag, *attributes = target.split()
    element.tag = tag
    for attribute in attributes:
        name, _, value = attribute.partition("=")
        element.set(name, value)


def _scopes_landmarks(element: Element) -> bool:
    """Tells whether headers and footers inside would become landmarks of the page without this tag."""
    sectioning = element.tag in ("article", "aside", "main", "nav")
    return sectioning and any(element.find(f".//{tag}") is not None for tag in ("header", "footer"))


def _split_text(element: Element, fate: Fate) -> None:
    text = element.text or ""
    words = text.split(" ")
    if str(element.tag) not in _TAKES_TEXT or len(words) < 3 or text != " ".join(words).strip("\n\t"):
        return
    cut = 1 + int(fate.unit(14) * (len(words) - 2))
    span = element.makeelement("span")
    span.text = " ".join(words[:cut])
    span.tail = " " + " ".join(words[cut:])
    element.text = None
    element.insert(0, span)


def _wrap(element: Element, fate: Fate) -> None:
    parent = element.getparent()
    if parent is None:
        return
    block = element.tag in _BLOCKS and parent.tag in _FLOW
    inline = element.tag in _INLINE and parent.tag in _FLOW | _PHRASING_ONLY
    if block or inline:
        wrapper = element.makeelement("div" if block else "span")
        parent.replace(element, wrapper)
        wrapper.tail, element.tail = element.tail, None
        wrapper.append(element)


def _unwrap(element: Element, fate: Fate) -> None:
    """Takes away a div around one element, or a span around text, that carries nothing but looks."""
    parent = element.getparent()
    carried = [str(name) for name, _ in element.items() if name != "class" and not str(name).startswith("data-")]
    if parent is None or carried or element.get(SID_ATTRIBUTE) or parent.tag not in _FLOW:
        return
    alone = element.tag == "div" and len(element) == 1 and not (element.text or "").strip()
    if alone and not (element[0].tail or "").strip():
        child = element[0]
        child.tail = element.tail
        parent.replace(element, child)


def _add_decoy(element: Element, fate: Fate) -> None:
    if element.tag not in ("a", "button") or element.getparent() is None:
        return
    decoy = element.makeelement("button", {"type": "button"})
    if element.get("class"):
        decoy.set("class", str(element.get("class")))
    if element.get("id"):
        decoy.set("id", f"{element.get('id')}-{fate.token(7)[:3]}")
    decoy.text = ("More options", "Details", "Share", "Print", "Help")[int(fate.unit(13) * 5)]
    element.addnext(decoy)
    decoy.tail, element.tail = element.tail, " "
