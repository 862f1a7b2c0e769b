"""Oracles: short lists of semantic steps that prove a task solvable.

A step names its target as a person would, by role and accessible name; `resolve` finds it on a page. The same list
runs in every condition and both browsers. Blockers are left to the environment's `clearing`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from .. import actions
from ..errors import TaskError
from ..page import Page, PageElement


class Step(NamedTuple):
    """One semantic step.

    Attributes:
        primitive: Name of the primitive.
        role: Role of the target; `*` for any role, when `within` tells the target; empty for a primitive without target.
        name: Accessible name of the target; empty for any name, when `within` tells the target.
        args: Further arguments of the primitive.
        nth: Which of several equal targets, from 0; negative from the end.
        within: Semantic id prefix the target must carry, to tell apart equal links; empty for any.
    """

    primitive: str
    role: str = ""
    name: str = ""
    args: tuple[Any, ...] = ()
    nth: int = 0
    within: str = ""


def click(role: str, name: str, nth: int = 0, within: str = "") -> Step:
    """Returns a click on the target."""
    return Step("click", role, name, (), nth, within)


def fill(name: str, value: str, role: str = "textbox", within: str = "") -> Step:
    """Returns filling a text field."""
    return Step("fill", role, name, (value,), 0, within)


def press(name: str, key: str, role: str = "textbox", within: str = "") -> Step:
    """Returns a key press in a field."""
    return Step("press", role, name, (key,), 0, within)


def say(text: str) -> Step:
    """Returns the closing message."""
    return Step("send_msg_to_user", args=(text,))


def goto(url: str) -> Step:
    """Returns opening an address."""
    return Step("goto", args=(url,))


def resolve(step: Step, page: Page) -> str:
    """Returns the action string of a step on a page.

    Raises:
        TaskError: The target is not on the page.
    """
    if not step.role:
        return actions.format_action(actions.primitive(step.primitive, *step.args))
    found = [e for e in page.interactive if _fits(step, page, e)]
    try:
        target = found[step.nth]
    except IndexError:
        raise TaskError(f"the oracle found {len(found)} of {step} on {page.url}") from None
    return actions.format_action(actions.primitive(step.primitive, target.bid, *step.args))


def _fits(step: Step, page: Page, element: PageElement) -> bool:
    if step.role not in ("*", element.role) or element.name != (step.name or (element.name if step.within else "")):
        return False
    return not step.within or page.document.sids.get(int(element.bid), "").startswith(step.within)
