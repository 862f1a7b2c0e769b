"""Performing primitives in a context of Chromium: the input, then waiting for what it leads to."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from ..actions import Primitive
from ..errors import ActionError, MalformedAction, NavigationFailed, StaleElement
from . import chromium_input as hands
from .activation import click_with
from .checks import find
from .chromium_context import Context
from .keys import parse_keys


async def perform(context: Context, primitive: Primitive) -> None:
    """Performs one primitive and waits for what it leads to."""
    try:
        acts_on_element, action = _ACTIONS[primitive.name]
    except KeyError:
        raise MalformedAction(f"{primitive.name!r} is not a primitive of the browser") from None
    context.begin()
    if not acts_on_element:
        await action(context, *primitive.args)
        return
    bid, *arguments = primitive.args
    if not context.is_seen:
        raise StaleElement(f"element {bid!r} belongs to a page that is no longer shown; read the page again")
    await action(context, find(context.tab.document, bid), *arguments)


async def _click(context: Context, index: int, button: str, modifiers: tuple[str, ...]) -> bool:
    context.begin(background=click_with(button, modifiers).background)
    try:
        await hands.click(context.tab, index, button, modifiers)
    except ActionError:
        await context.tab.refresh()
        raise
    return await context.settle()


async def _double_click(context: Context, index: int, button: str, modifiers: tuple[str, ...]) -> None:
    if await _click(context, index, button, modifiers):
        return
    try:
        await hands.click(context.tab, index, button, modifiers, 2)
    except ActionError:
        return
    await context.settle()


async def _on_element(context: Context, index: int, *arguments: Any, how: Callable[..., Awaitable[None]]) -> None:
    await how(context.tab, index, *arguments)
    await context.settle()


async def _press_on(context: Context, index: int, keys: str) -> None:
    _expect(context, keys)
    await hands.press(context.tab, index, keys)
    await context.settle()


async def _press(context: Context, keys: str) -> None:
    _expect(context, keys)
    await hands.press_keys(context.tab, keys)
    await context.settle()


def _expect(context: Context, keys: str) -> None:
    context.begin(background=click_with("left", tuple(parse_keys(keys).modifiers)).background)


async def _type(context: Context, text: str) -> None:
    if not await hands.type_text(context.tab, text, context.settle):
        await context.settle()


async def _scroll(context: Context, delta_x: float, delta_y: float) -> None:
    await context.tab.evaluate("scroll", delta_x, delta_y)
    await context.tab.refresh()


async def _focus_tab(context: Context, index: int) -> None:
    if not 0 <= index < len(context.tabs):
        raise NavigationFailed(f"there is no tab {index}: expected 0 to {len(context.tabs) - 1}")
    context.active = index


async def _close_tab(context: Context) -> None:
    if len(context.tabs) == 1:
        raise NavigationFailed("the last tab cannot be closed")
    await context.tabs.pop(context.active).page.close()
    context.active = len(context.tabs) - 1


_ACTIONS: dict[str, tuple[bool, Callable[..., Awaitable[Any]]]] = {
    "click": (True, _click),
    "dblclick": (True, _double_click),
    "hover": (True, partial(_on_element, how=hands.hover)),
    "focus": (True, partial(_on_element, how=hands.focus)),
    "fill": (True, partial(_on_element, how=hands.fill)),
    "clear": (True, partial(_on_element, how=hands.clear)),
    "press": (True, _press_on),
    "check": (True, partial(_on_element, how=partial(hands.check, checked=True))),
    "uncheck": (True, partial(_on_element, how=partial(hands.check, checked=False))),
    "select_option": (True, partial(_on_element, how=hands.select_option)),
    "keyboard_press": (False, _press),
    "keyboard_type": (False, _type),
    "scroll": (False, _scroll),
    "goto": (False, Context.goto),
    "go_back": (False, partial(Context.traverse, step=-1)),
    "go_forward": (False, partial(Context.traverse, step=1)),
    "new_tab": (False, Context.open_tab),
    "tab_focus": (False, _focus_tab),
    "tab_close": (False, _close_tab),
}
