"""Playwright's page API as statements: locators, actions, expectations (`docs: playwright.dev/python/docs/locators`)."""

from __future__ import annotations

import ast
from typing import NamedTuple

from ..locator import Locator, quoted
from .lines import Inexpressible, attribute, css, locator, xpath
from .python import Translator

_ATTRIBUTES = {"get_by_placeholder": "placeholder", "get_by_title": "title", "get_by_alt_text": "alt"}
_ROLES = {"fill": "textbox", "type": "textbox", "clear": "textbox", "press": "textbox", "check": "checkbox"} | {
    "uncheck": "checkbox",
    "press_sequentially": "textbox",
    "select_option": "combobox",
    "input_value": "textbox",
}
_PLAIN = {
    "click": "click",
    "tap": "click",
    "dblclick": "dblclick",
    "hover": "hover",
    "focus": "focus",
    "clear": "clear",
} | {
    "check": "check",
    "uncheck": "uncheck",
}
_FILL = ("fill", "type", "press_sequentially")
_IDLE = (
    "wait_for_timeout",
    "wait_for_load_state",
    "screenshot",
    "set_default_timeout",
    "set_viewport_size",
    "bring_to_front",
)
_MACHINERY = ("browser", "context", "print", "playwright", "logging", "logger")
_READS = {"text_content": "text", "inner_text": "text", "input_value": "value", "count": "count"}


class Step(NamedTuple):
    """One call of a chain: its name, arguments and keywords."""

    name: str
    args: list[ast.expr]
    keywords: dict[str, ast.expr]


class Pages:
    """Translates calls on a page.

    Args:
        pages: Python names of pages.
    """

    def __init__(self, pages: set[str]) -> None:
        self.pages = pages

    def call(self, node: ast.Call, to: Translator) -> str:
        """Returns the statement of a call that stands alone, empty for one that may be left out."""
        base, steps = _chain(node)
        if base in _MACHINERY or (base == "asyncio" and steps and steps[0].name == "sleep"):
            to.note(node, "left out") if base not in ("browser", "context") else None
            return ""
        if base == "expect":
            return self._expectation(steps, to)
        if base in to.aliases and base not in self.pages:
            alias = to.aliases[base]
            base, before = _chain(alias) if isinstance(alias, ast.Call | ast.Attribute) else ("", [])
            steps = [*before, *steps]
        if base not in self.pages or not steps:
            raise Inexpressible(f"a call that is not on the page: {base or 'computed'}")
        *where, act = steps
        if where and where[0].name in ("keyboard", "mouse"):
            return self._device(where[0].name, act, to)
        return self._on_element(where, act, to) if where else self._on_page(act, to)

    def read(self, node: ast.expr, to: Translator) -> str | None:
        """Returns the right side of `let` for an expression that reads the page."""
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and (node.value.id, node.attr) in {(p, "url") for p in self.pages}
        ):
            return "url"
        if not isinstance(node, ast.Call):
            return None
        base, steps = _chain(node)
        if steps and base in {*self.pages, *to.aliases} and steps[-1].name in _READS:
            return f"{_READS[steps[-1].name]} {self._target(base, steps[:-1], steps[-1].name, to)}"
        if steps and steps[-1].name in ("new_page", "new_context", "launch"):
            return None
        return None

    def test(self, node: ast.expr, to: Translator) -> str | None:
        """Returns the condition of an expression on the page."""
        if isinstance(node, ast.Compare) and len(node.ops) == 1 and isinstance(node.ops[0], ast.Gt):
            left = node.left.value if isinstance(node.left, ast.Await) else node.left
            zero = isinstance(node.comparators[0], ast.Constant) and node.comparators[0].value == 0
            if zero and isinstance(left, ast.Call) and _chain(left)[1][-1:] and _chain(left)[1][-1].name == "count":
                base, steps = _chain(left)
                return f"exists {self._target(base, steps[:-1], '', to)}"
        if isinstance(node, ast.Call):
            base, steps = _chain(node)
            kinds = {"is_visible": "exists", "is_checked": "checked"}
            if steps and steps[-1].name in kinds:
                return f"{kinds[steps[-1].name]} {self._target(base, steps[:-1], steps[-1].name, to)}"
        return None

    def _target(self, base: str, steps: list[Step], act: str, to: Translator) -> Locator:
        if base in to.aliases and base not in self.pages:
            alias = to.aliases[base]
            base, before = _chain(alias) if isinstance(alias, ast.Call) else ("", [])
            steps = [*before, *steps]
        if base not in self.pages:
            raise Inexpressible(f"an element that is not of the page: {base or 'computed'}")
        return self._locator(steps, act, to)

    def _on_page(self, act: Step, to: Translator) -> str:
        name, args = act.name, act.args
        if name in (*_IDLE, "close"):
            return ""
        if name == "goto" and args:
            return f"goto {to.text(args[0])}"
        if name in ("go_back", "go_forward"):
            return name.removeprefix("go_")
        if name == "wait_for_url" and args:
            address = to.template(args[0]).strip("*")
            return f"wait until url contains {quoted(address)} at most 3"
        if name == "wait_for_selector" and args:
            return f"wait until exists {self._selector(to.template(args[0]))} at most 3"
        if args and (name in _PLAIN or name in (*_FILL, "press", "select_option")):  # page.click("css"), the old way
            return self._statement(act._replace(args=args[1:]), self._selector(to.template(args[0])), to)
        raise Inexpressible(f"page.{name}")

    def _on_element(self, where: list[Step], act: Step, to: Translator) -> str:
        if act.name in ("scroll_into_view_if_needed", "screenshot"):
            return ""
        return self._statement(act, self._locator(where, act.name, to), to)

    def _statement(self, act: Step, target: Locator, to: Translator) -> str:
        name = act.name
        if name == "click" and {"button", "modifiers"} & set(act.keywords):
            raise Inexpressible("a click with another button or with modifiers")
        if name in _PLAIN:
            return f"{_PLAIN[name]} {target}"
        if name in _FILL and act.args:
            return f"fill {target} with {to.value(act.args[0])}"
        if name == "press" and act.args:
            return f"press {target} {to.text(act.args[0])}"
        if name == "select_option":
            chosen = [*act.args, *(act.keywords[k] for k in ("label", "value") if k in act.keywords)]
            nodes = chosen[0].elts if chosen and isinstance(chosen[0], ast.List | ast.Tuple) else chosen[:1]
            if nodes:
                return f"select {target} with {', '.join(to.value(n) for n in nodes)}"
        if name == "wait_for":
            return f"wait until exists {target} at most 3"
        if name == "set_checked" and act.args and isinstance(act.args[0], ast.Constant):
            return f"{'check' if act.args[0].value else 'uncheck'} {target}"
        raise Inexpressible(f"{name}()")

    def _device(self, device: str, act: Step, to: Translator) -> str:
        if device == "keyboard" and act.args and act.name in ("press", "type", "insert_text"):
            return f"key {to.text(act.args[0])}" if act.name == "press" else f"type {to.value(act.args[0])}"
        if device == "mouse" and act.name == "wheel" and all(isinstance(a, ast.Constant) for a in act.args):
            return "scroll " + " ".join(str(a.value) for a in act.args if isinstance(a, ast.Constant))
        raise Inexpressible(f"page.{device}.{act.name}")

    def _expectation(self, steps: list[Step], to: Translator) -> str:
        (_, args, _), act = steps[0], steps[-1]
        if len(steps) != 2 or not args:
            raise Inexpressible("an expectation of this form")
        if isinstance(args[0], ast.Name) and args[0].id in self.pages and act.name == "to_have_url" and act.args:
            return f"require url is {to.text(act.args[0])}"
        kinds = {"to_be_visible": "exists", "to_be_checked": "checked", "to_be_hidden": "not exists"}
        if act.name in kinds and isinstance(args[0], ast.Call | ast.Name):
            base, where = _chain(args[0])
            return f"require {kinds[act.name]} {self._target(base, where, act.name, to)}"
        raise Inexpressible(f"expect().{act.name}")

    def _locator(self, steps: list[Step], act: str, to: Translator) -> Locator:
        found: Locator | None = None
        for step in steps:
            found = self._narrowed(found, step, act, to)
        if found is None:
            raise Inexpressible("no element")
        return found

    def _narrowed(self, found: Locator | None, step: Step, act: str, to: Translator) -> Locator:
        if step.name in ("first", "nth"):
            return _nth(found, step)
        if found is not None:
            if step.name == "locator" and step.args and found.css and not found.role:
                return locator(css=_usable(f"{found.css} {to.template(step.args[0])}"))
            raise Inexpressible(f"an element inside of another by .{step.name}()")
        if not step.args:
            raise Inexpressible(f".{step.name}()")
        said = to.template(step.args[0])
        if step.name == "get_by_role":
            label = to.template(step.keywords["name"]) if "name" in step.keywords else ""
            return locator(role=said, label=label)
        if step.name == "get_by_test_id":
            return locator(test_id=said)
        if step.name == "get_by_label":
            return locator(role=_ROLES.get(act, "textbox"), label=said)
        if step.name in _ATTRIBUTES:
            return locator(css=attribute(_ATTRIBUTES[step.name], said))
        if step.name == "get_by_text":
            if "'" in said:
                raise Inexpressible("text with an apostrophe")
            return locator(xpath=f"//*[normalize-space(text())='{said}']")
        if step.name == "locator":
            return self._selector(said)
        raise Inexpressible(f".{step.name}()")

    def _selector(self, said: str) -> Locator:
        if said.startswith(("xpath=", "/", "(")):
            path = said.removeprefix("xpath=")
            if not xpath(path.replace("{", "").replace("}", "")):
                raise Inexpressible(f"an XPath outside of what locators say: {path[:60]}")
            return locator(xpath=path)
        return locator(css=_usable(said.removeprefix("css=")))


def _usable(selector: str) -> str:
    if not css(selector.replace("{", "").replace("}", "")):
        raise Inexpressible(f"a selector outside of what locators say: {selector[:60]}")
    return selector


def _nth(found: Locator | None, step: Step) -> Locator:
    place = 0 if step.name == "first" else None
    if step.args and isinstance(step.args[0], ast.Constant) and isinstance(step.args[0].value, int):
        place = step.args[0].value
    if found is None or place is None or place < 0:
        raise Inexpressible(f".{step.name}")
    if not found.role:
        raise Inexpressible(f".{step.name} of elements that are not found by role")
    return locator(role=found.role, label=found.label, nth=place)


def _chain(node: ast.expr) -> tuple[str, list[Step]]:
    """Returns the name that a chain of attributes and calls begins with, and its steps."""
    steps: list[Step] = []
    while True:
        if isinstance(node, ast.Call):
            call, node = node, node.func
            keywords = {k.arg: k.value for k in call.keywords if k.arg}
            if isinstance(node, ast.Attribute):
                steps.append(Step(node.attr, call.args, keywords))
                node = node.value
            elif isinstance(node, ast.Name):
                steps.append(Step(node.id, call.args, keywords))
            else:
                return "", steps[::-1]
        elif isinstance(node, ast.Attribute):
            steps.append(Step(node.attr, [], {}))
            node = node.value
        elif isinstance(node, ast.Await):
            node = node.value
        else:
            return (node.id if isinstance(node, ast.Name) else ""), steps[::-1]
