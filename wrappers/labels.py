"""Mutators of labels, off in the registered cells: synonyms and icon-only buttons."""

from __future__ import annotations

from lxml import etree

from skillshift_gym.wrappers.fates import Fate
from skillshift_gym.wrappers.lexicon import synonym

Element = etree._Element

_ROLES = {"a": "link", "button": "button", "summary": "button", "label": "field"}
_BUTTONS = ("button", "reset", "submit")
_ICON = (
    "data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' width='16' height='16'%3E"
    "%3Ccircle cx='8' cy='8' r='6' fill='gray'/%3E%3C/svg%3E"
)


def use_synonym(element: Element, fate: Fate) -> None:
    """Words a label otherwise; role and name are not the same afterwards."""
    role = _ROLES.get(str(element.tag))
    if element.tag == "input" and (element.get("type") or "").lower() in _BUTTONS:
        _reword(element, "value", "button")
    elif element.tag in ("input", "select", "textarea"):
        _reword(element, "aria-label", "field")
    elif role:
        _reword(element, "aria-label", role)
        if element.text and (word := synonym(role, element.text)):
            element.text = word
        elif len(element) and element[0].tag == "span" and (word := synonym(role, element[0].text or "")):
            element[0].text = word


def show_icon(element: Element, fate: Fate) -> None:
    """Shows a button's text as an icon; its name stays, as `aria-label`."""
    text = " ".join((element.text or "").split())
    if element.tag != "button" or len(element) or not text:
        return
    if not (element.get("aria-label") or "").strip() and not element.get("aria-labelledby"):
        element.set("aria-label", text)
    element.text = None
    etree.SubElement(element, "img", {"src": _ICON, "alt": "", "width": "16", "height": "16"})


def _reword(element: Element, attribute: str, role: str) -> None:
    word = synonym(role, element.get(attribute) or "")
    if word:
        element.set(attribute, word)
