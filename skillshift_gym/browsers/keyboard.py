"""What keystrokes do at the focused element."""

from __future__ import annotations

from ..document import Element
from . import editing
from .activation import Click, activate, click_with, placed
from .checks import wrong_type
from .focus import give_focus, is_focusable, next_stop
from .forms import submit, submit_implicitly
from .keys import Keystroke, character
from .layers import escape
from .live import Live
from .navigation import Navigation
from .scrolling import scroll_by_key
from .stepping import move_range, step_number
from .structure import (
    DATE_TYPES,
    control_type,
    disabled,
    form_owners,
    input_type,
    is_button,
    is_checkable,
    is_drop_down,
    is_editing_host,
    is_text_field,
    option_label,
    options_by_select,
    radio_groups,
)

_CARET_KEYS = frozenset({"ArrowLeft", "ArrowRight", "Home", "End"})
_ARROWS = {"ArrowUp": -1, "ArrowLeft": -1, "ArrowDown": 1, "ArrowRight": 1}
_NO_IMPLICIT_SUBMISSION = frozenset({"color", "file"})


def press(live: Live, stroke: Keystroke) -> Navigation | None:
    """Presses one key and returns the page that this asks for."""
    if stroke.key == "Tab":
        if stroke.typing:
            _tab(live, backwards=stroke.shift)
        return None
    element = live.document[live.focus] if live.focus >= 0 else None
    if stroke.key == "Escape":
        _escape(live, element)
        return None
    if element is None:
        scroll_by_key(live, stroke)
        return None
    if stroke.key == "Enter":
        return _enter(live, element, stroke)
    if is_text_field(element):
        _edit(live, element, stroke)
        return None
    if stroke.key == " " and stroke.typing:
        return _space(live, element, stroke)
    _move(live, element, stroke)
    return None


def type_text(live: Live, text: str) -> Navigation | None:
    """Types a text where the focus is, one key after another, until one of them asks for a page."""
    if live.focus >= 0 and live.document[live.focus].tag == "select":
        _type_ahead(live, live.focus, text)
        return None
    for line in _pieces(text):
        element = live.document[live.focus] if live.focus >= 0 else None
        if element is not None and is_text_field(element) and (line != "\n" or element.tag == "textarea"):
            _insert(live, element, line)
            continue
        _require_typable(element)
        for sign in line:
            wanted = press(live, character(sign))
            if wanted is not None:
                return wanted
    return None


def _pieces(text: str) -> list[str]:
    """Returns a text cut into lines and line breaks."""
    pieces: list[str] = []
    for number, line in enumerate(text.replace("\r\n", "\n").replace("\r", "\n").split("\n")):
        pieces += [*(["\n"] if number else []), *([line] if line else [])]
    return pieces


def _require_typable(element: Element | None) -> None:
    if element is None:
        return
    kind = input_type(element) if element.tag == "input" else ""
    if is_editing_host(element):
        raise wrong_type(element, "a form field")
    if kind in DATE_TYPES:
        raise wrong_type(element, "a field that takes plain typing", f"use fill('{element.index}', ...) for a {kind}")


def _tab(live: Live, *, backwards: bool) -> None:
    target = next_stop(live, backwards=backwards)
    give_focus(live, target)
    if target < 0:
        live.start = -1
    elif live.document[target].tag == "input" and is_text_field(live.document[target]):
        editing.select_all(live, target)


def _escape(live: Live, element: Element | None) -> None:
    if element is not None and element.tag == "input" and input_type(element) == "search" and live.text(element.index):
        editing.replace(live, element.index, "")
    else:
        escape(live)


def _enter(live: Live, element: Element, stroke: Keystroke) -> Navigation | None:
    how = click_with("left", tuple(stroke.modifiers))
    if element.tag in ("a", "summary") or is_button(element):
        return activate(live, element.index, how)
    if not stroke.typing:
        return None
    if element.tag == "textarea":
        _insert(live, element, "\n")
    elif (element.tag == "input" and input_type(element) not in _NO_IMPLICIT_SUBMISSION) or (
        element.tag == "select" and not is_drop_down(element)
    ):
        return _submit_from(live, element, how)
    return None


def _submit_from(live: Live, element: Element, how: Click) -> Navigation | None:
    button = submit_implicitly(live, element.index)
    if button is None:
        return None
    if button >= 0:
        return activate(live, button, how)
    return placed(submit(live, form_owners(live.document)[element.index]), how)


def _space(live: Live, element: Element, stroke: Keystroke) -> Navigation | None:
    if element.tag == "summary" or is_button(element) or is_checkable(element):
        return activate(live, element.index)
    if element.tag == "a":
        scroll_by_key(live, stroke)
    return None


def _edit(live: Live, element: Element, stroke: Keystroke) -> None:
    index, key = element.index, stroke.key
    if stroke.text:
        _insert(live, element, stroke.text)
    elif key in _CARET_KEYS and stroke.typing:
        editing.move_caret(live, index, key, extend=stroke.shift)
    elif key in ("Backspace", "Delete") and "readonly" not in element.attrs:
        editing.delete(live, index, forward=key == "Delete")
    elif key == "a" and stroke.modifiers == {"Control"}:
        editing.select_all(live, index)
    elif key in ("ArrowUp", "ArrowDown") and input_type(element) == "number" and element.tag == "input":
        step_number(live, index, key)


def _insert(live: Live, element: Element, text: str) -> None:
    if "readonly" not in element.attrs:
        editing.insert(live, element.index, text)


def _move(live: Live, element: Element, stroke: Keystroke) -> None:
    kind, direction = control_type(element), _ARROWS.get(stroke.key)
    if kind == "radio" and direction and stroke.typing:
        _next_radio(live, element.index, direction)
    elif kind == "select":
        _move_in_select(live, element, stroke)
    elif kind != "range" or not stroke.typing or not move_range(live, element.index, stroke.key):
        scroll_by_key(live, stroke)


def _next_radio(live: Live, index: int, direction: int) -> None:
    group = radio_groups(live.document)[index]
    place = group.index(index)
    for distance in range(1, len(group)):
        other = group[(place + direction * distance) % len(group)]
        if is_focusable(live, other):
            give_focus(live, other)
            live.set_checked(other, True)
            return


def _move_in_select(live: Live, select: Element, stroke: Keystroke) -> None:
    if stroke.text:
        _type_ahead(live, select.index, stroke.text)
        return
    options = [i for i in options_by_select(live.document)[select.index] if i not in disabled(live.document)]
    selected = live.control(select.index).selected
    if not options or not stroke.typing:
        return
    place = options.index(selected[-1]) if selected and selected[-1] in options else -1
    moved = {"Home": 0, "End": len(options) - 1}.get(stroke.key, place + _ARROWS.get(stroke.key, 0))
    if stroke.key in _ARROWS or stroke.key in ("Home", "End"):
        live.set_selected(select.index, (options[max(0, min(moved, len(options) - 1))],))


def _type_ahead(live: Live, select: int, text: str) -> None:
    """Selects the next option whose label starts with what is typed."""
    options = [i for i in options_by_select(live.document)[select] if i not in disabled(live.document)]
    selected = live.control(select).selected
    place = options.index(selected[-1]) if selected and selected[-1] in options else -1
    first = place + (len(text) == 1)
    for option in options[first:] + options[:first]:
        if text and option_label(live.document, option).lower().startswith(text.lower()):
            live.set_selected(select, (option,))
            return
