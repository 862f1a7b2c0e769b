"""The primitives that act on an element: checks first, then what a user does with mouse and keyboard."""

from __future__ import annotations

from ..errors import ActionError
from . import editing, filling, keyboard
from .activation import PLAIN_CLICK, click, click_with
from .checks import (
    require_clickable,
    require_enabled,
    require_reachable,
    require_visible,
    retarget,
    wrong_type,
)
from .focus import give_focus, is_focusable
from .keys import parse_keys
from .live import Live
from .navigation import Navigation
from .structure import input_type, is_text_field
from .urls import scalars


def click_element(live: Live, index: int, button: str, modifiers: tuple[str, ...]) -> Navigation | None:
    """Clicks an element."""
    require_clickable(live, index)
    if button == "left" and not modifiers:
        return click(live, index, PLAIN_CLICK)
    return click(live, index, click_with(button, modifiers))


def double_click(live: Live, index: int, button: str, modifiers: tuple[str, ...]) -> Navigation | None:
    """Clicks an element twice, unless the first click leaves the page or takes the element away."""
    wanted = click_element(live, index, button, modifiers)
    if wanted is None and _is_reachable(live, index):
        wanted = click(live, index, click_with(button, modifiers))
        if live.focus == index and is_text_field(live.document[index]):
            editing.select_all(live, index)
    return wanted


def hover(live: Live, index: int) -> None:
    """Moves the mouse over an element, which changes nothing without scripts and styles."""
    require_reachable(live, index)


def focus(live: Live, index: int) -> None:
    """Gives an element the focus; one that cannot have it leaves the focus where it was."""
    require_visible(live, index)
    require_enabled(live, index)
    require_reachable(live, index)
    if is_focusable(live, index):
        give_focus(live, index)


def fill(live: Live, index: int, text: str) -> None:
    """Replaces the value of a field."""
    index = retarget(live, index)
    require_reachable(live, index)
    require_enabled(live, index)
    filling.fill(live, index, scalars(text))


def clear(live: Live, index: int) -> None:
    """Empties a field."""
    index = retarget(live, index)
    element = live.document[index]
    if element.tag == "input" and input_type(element) in ("range", "color"):
        require_reachable(live, index)
        raise wrong_type(element, "a field that can be empty")
    fill(live, index, "")


def press(live: Live, index: int, keys: str) -> Navigation | None:
    """Focuses an element and presses a key; a text field that had no focus gets the caret at its start."""
    stroke = parse_keys(keys)
    had_focus = live.focus == index
    focus(live, index)
    if not had_focus:
        live.carets.pop(index, None)
    return keyboard.press(live, stroke)


def check(live: Live, index: int, checked: bool) -> Navigation | None:
    """Gives a checkbox or radio button a state by clicking it, if it has another."""
    index = retarget(live, index)
    require_reachable(live, index)
    filling.require_checkable(live, index, checked)
    if live.control(index).checked is checked:
        return None
    require_enabled(live, index)
    return click(live, index, PLAIN_CLICK)


def select_option(live: Live, index: int, options: tuple[str, ...]) -> None:
    """Selects options of a list box."""
    index = retarget(live, index)
    require_reachable(live, index)
    require_enabled(live, index)
    filling.select_option(live, index, tuple(scalars(text) for text in options))


def _is_reachable(live: Live, index: int) -> bool:
    try:
        require_clickable(live, index)
    except ActionError:
        return False
    return True
