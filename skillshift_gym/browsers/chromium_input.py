"""Primitives on a tab of Chromium: checks first, then the mouse and the keyboard.

The rules of the primitives (what they apply to, what they take) are the in-process browser's own functions, tried on a
copy of the live state. What then happens is Chromium's.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Any

from ..errors import ActionError, BadValue, CoveredElement, HiddenElement, NavigationFailed, WrongElementType
from . import interaction, keyboard
from .checks import require_visible, retarget
from .chromium_tab import Tab
from .keys import parse_keys
from .layers import closers
from .live import Live
from .structure import describe, is_text_field
from .urls import scalars

_MODIFIERS = {"Control": 2, "ControlOrMeta": 2, "Shift": 8}  # the others mean nothing to a page without scripts
_RULES: dict[str, Callable[..., Any]] = {
    "click": interaction.click_element,
    "dblclick": interaction.click_element,
    "hover": interaction.hover,
    "focus": interaction.focus,
    "fill": interaction.fill,
    "clear": interaction.clear,
    "check": partial(interaction.check, checked=True),
    "uncheck": partial(interaction.check, checked=False),
    "select_option": interaction.select_option,
}
_ON_CONTROL = frozenset({"fill", "clear", "check", "uncheck", "select_option"})
_BY_CHROMIUM = frozenset({"click", "dblclick", "check", "uncheck"})
_BREAKS = re.compile("(\n)")


def rehearse(tab: Tab, name: str, index: int, *arguments: object) -> Live:
    """Returns what the in-process browser makes of a primitive, or raises what the primitive's rules say against it."""
    live = tab.live()
    _apply_rules(tab, live, name, index, *arguments)
    return live


async def click(tab: Tab, index: int, button: str, modifiers: tuple[str, ...], count: int = 1) -> None:
    """Clicks an element; one whose address cannot be opened only gets the focus."""
    live = tab.live()
    try:
        _apply_rules(tab, live, "click", index, button, modifiers)
    except (NavigationFailed, WrongElementType):
        await tab.evaluate("focus", live.focus)
        raise
    await _click_at(tab, index, button, modifiers, count)


async def hover(tab: Tab, index: int) -> None:
    """Moves the mouse over an element."""
    rehearse(tab, "hover", index)
    spot = await _aim(tab, index)
    if spot:
        await tab.session.send("Input.dispatchMouseEvent", {"type": "mouseMoved", **spot})


async def focus(tab: Tab, index: int, *, caret_at_start: bool = False) -> None:
    """Gives an element the focus; the caret of a field stays where it was unless it has to go to the start."""
    rehearse(tab, "focus", index)
    await tab.evaluate("focus", index, caret_at_start)


async def fill(tab: Tab, index: int, text: str, *, name: str = "fill") -> None:
    """Replaces the value of a field, by typing where that is possible."""
    live = rehearse(tab, name, index, *([text] if name == "fill" else []))
    index = retarget(live, index)
    if not is_text_field(live.document[index]):
        await tab.evaluate("set", index, live.value(index))
        return
    await tab.evaluate("select", index)
    typed = text.strip() if live.document[index].attrs.get("type", "").lower() == "number" else scalars(text)
    if typed:
        await tab.session.send("Input.insertText", {"text": typed})
    else:
        await tab.page.keyboard.press("Delete")


async def clear(tab: Tab, index: int) -> None:
    """Empties a field."""
    await fill(tab, index, "", name="clear")


async def press(tab: Tab, index: int, keys: str) -> None:
    """Focuses an element and presses a key."""
    parse_keys(keys)
    await focus(tab, index, caret_at_start=True)
    await press_keys(tab, keys)


async def check(tab: Tab, index: int, *, checked: bool) -> None:
    """Gives a checkbox or radio button a state by clicking it, if it has another."""
    rehearse(tab, "check" if checked else "uncheck", index)
    target = retarget(tab.live(), index)
    if tab.state.controls[target].checked is not checked:
        await _click_at(tab, target, "left", (), 1)


async def select_option(tab: Tab, index: int, options: tuple[str, ...]) -> None:
    """Selects options of a list box."""
    live = rehearse(tab, "select_option", index, options)
    target = retarget(live, index)
    await tab.evaluate("choose", target, live.control(target).selected)


async def press_keys(tab: Tab, keys: str) -> None:
    """Presses one key at the focused element."""
    stroke = parse_keys(keys)
    live = tab.live()
    if stroke.text and _is_focused(live, "select"):
        keyboard.press(live, stroke)
        await _choose(tab, live)
    else:
        await tab.page.keyboard.press("+".join([*sorted(stroke.modifiers), stroke.key]))


async def type_text(tab: Tab, text: str, settle: Callable[[], Awaitable[bool]]) -> bool:
    """Types a text where the focus is, until a key asks for a page; returns whether one did.

    Args:
        tab: The tab.
        text: The text.
        settle: Waits for what a key asks for; returns whether that was a page.
    """
    live = tab.live()
    lines = _BREAKS.split(scalars(text).replace("\r\n", "\n").replace("\r", "\n"))
    if _is_focused(live, "select"):
        keyboard.type_text(live, text)
        await _choose(tab, live)
        return False
    for line in filter(None, lines):
        live = tab.live()
        element = live.document[live.focus] if live.focus >= 0 else None
        if element is not None and is_text_field(element) and (line != "\n" or element.tag == "textarea"):
            await tab.session.send("Input.insertText", {"text": line})
            continue
        if element is not None:
            keyboard.type_text(live, "x")  # raises for what takes no typing
        for sign in line:
            if sign in " \n":
                await tab.page.keyboard.press("Enter" if sign == "\n" else "Space")
                if await settle():
                    return True
    return False


def _apply_rules(tab: Tab, live: Live, name: str, index: int, *arguments: object) -> None:
    target = retarget(live, index) if name in _ON_CONTROL else index
    if not tab.state.rendered[target]:
        require_visible(live, target)
        raise HiddenElement(f"{describe(live.document[target])} is not visible: the page does not display it")
    try:
        _RULES[name](live, index, *arguments)
    except BadValue:  # in a click it is the form that refuses, and that is for Chromium to say
        if name not in _BY_CHROMIUM:
            raise


async def _choose(tab: Tab, live: Live) -> None:
    await tab.evaluate("choose", live.focus, live.control(live.focus).selected)


def _is_focused(live: Live, tag: str) -> bool:
    return live.focus >= 0 and live.document[live.focus].tag == tag


async def _aim(tab: Tab, index: int) -> dict[str, float]:
    """Returns the point where the mouse meets an element, nothing for one without a place on the screen."""
    found: dict[str, Any] = await tab.evaluate("aim", index)
    if "cover" in found:
        raise _covered(tab, index, found["cover"])
    return found


def _covered(tab: Tab, index: int, cover: int) -> ActionError:
    live = tab.live()
    element = describe(live.document[index])
    if cover < 0:
        return HiddenElement(f"{element} cannot be reached by the mouse: it lies outside of the page")
    around = [live.document[cover], *live.document.ancestors(cover)]
    layer = next((e for e in around if e.index in closers(live.document) or e.attrs.get("role") == "dialog"), around[0])
    control = closers(live.document).get(layer.index)
    way_out = f"; click '{control}' to close it first" if control is not None else ""
    return CoveredElement(
        f"{element} is covered by {describe(layer)}{way_out}",
        by=layer.attrs.get("aria-label") or describe(layer),
        clear_with=None if control is None else str(control),
    )


async def _click_at(tab: Tab, index: int, button: str, modifiers: tuple[str, ...], count: int) -> None:
    held = sum({_MODIFIERS.get(name, 0) for name in modifiers})
    spot = await _aim(tab, index)
    if not spot:
        how = {"ctrlKey": bool(held & 2), "shiftKey": bool(held & 8)}
        if button == "left":
            await tab.evaluate("push", index, how)
        return
    events = [
        {"type": kind, **spot, "button": button, "clickCount": count, "modifiers": held}
        for kind in ("mousePressed", "mouseReleased")
    ]
    await asyncio.gather(*(tab.session.send("Input.dispatchMouseEvent", event) for event in events))
