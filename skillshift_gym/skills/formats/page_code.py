"""Primitives as calls of Playwright's page API."""

from __future__ import annotations

from ..locator import Locator
from ..program import VERBS, Act
from .code import said, string

_ON_PAGE = {"goto": "page.goto", "key": "page.keyboard.press", "type": "page.keyboard.type"} | {
    "back": "page.go_back",
    "forward": "page.go_forward",
    "scroll": "page.mouse.wheel",
}
_ON_ELEMENT = {"select": "select_option"}
_KEPT = ("click", "dblclick", "hover", "focus", "clear", "check", "uncheck", "fill", "press")


def written(act: Act) -> str | None:
    """Returns the Python of a primitive, None when the page API has none of one line."""
    values = [said(v) for v in act.values]
    if act.verb in _ON_PAGE:
        return f"{_ON_PAGE[act.verb]}({', '.join(values)})"
    if act.target is None or act.target.locator is None or act.target.name:
        return None
    if act.verb not in (*_KEPT, *_ON_ELEMENT):
        return None
    if VERBS[act.verb].rest == "with values" and len(values) > 1:
        values = [f"[{', '.join(values)}]"]
    return f"page.{_found(act.target.locator)}.{_ON_ELEMENT.get(act.verb, act.verb)}({', '.join(values)})"


def _found(locator: Locator) -> str:
    """Returns the locator that people are told to prefer, of those that were stored."""
    if locator.role:
        name = f", name={string(locator.label)}, exact=True" if locator.label else ""
        place = f".nth({locator.nth})" if locator.nth >= 0 and "nth" in locator.to_json() else ""
        return f"get_by_role({string(locator.role)}{name}){place}"
    if locator.test_id:
        return f"get_by_test_id({string(locator.test_id)})"
    if locator.css:
        return f"locator({string(locator.css)})"
    if locator.id or locator.name:
        name, value = ("id", locator.id) if locator.id else ("name", locator.name)
        return f"locator({string(_attribute(name, value))})"
    return f"locator({string('xpath=' + locator.xpath)})"


def _attribute(name: str, value: str) -> str:
    return f'[{name}="{value}"]'
