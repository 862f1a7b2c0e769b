"""Dialogs, popovers and `details`: opening, closing, light dismissal and commands of buttons."""

from __future__ import annotations

from collections.abc import Callable

from ..document import Document, Element
from .derived import derived
from .focus import candidates, give_focus, is_focusable
from .live import Live
from .rendering import is_popover
from .structure import button_type, form_owners, is_button, is_submitter

_CLOSABLE_POPOVERS = ("auto", "hint")


def popover_kind(element: Element) -> str:
    """Returns `auto`, `hint` or `manual`, empty for an element that is no popover."""
    kind = element.attrs.get("popover")
    if kind is None:
        return ""
    kind = kind.lower() or "auto"
    return kind if kind in _CLOSABLE_POPOVERS else "manual"


def toggle_details(live: Live, index: int) -> None:
    """Opens or closes a `details`; opening closes the others of its named group."""
    live.set_open(index, index not in live.opened)
    name = live.document[index].attrs.get("name")
    if name and index in live.opened:
        for other in live.document.tagged("details"):
            if other.index != index and other.attrs.get("name") == name:
                live.set_open(other.index, False)


def reveal(live: Live, index: int) -> None:
    """Opens the `details` around an element, as following a link to it does."""
    for element in live.document.ancestors(index):
        if element.tag == "details" and element.index not in live.opened:
            toggle_details(live, element.index)


def show_modal(live: Live, index: int) -> None:
    """Shows a dialog as modal; one that is open already stays as it is."""
    if index in live.opened or live.document[index].tag != "dialog":
        return
    hide_popovers(live, keep=_popover_around(live, index))
    live.set_open(index, True)
    live.modals |= {index}
    _push(live, index)
    _focus_inside(live, index, otherwise=index)


def close_dialog(live: Live, index: int) -> None:
    """Closes a dialog and gives the focus back to where it was before."""
    if index in live.opened and live.document[index].tag == "dialog":
        live.set_open(index, False)
        live.modals -= {index}
        _pop(live, index, restore_focus=True)


def show_popover(live: Live, index: int, invoker: int = -1) -> None:
    """Shows a popover; an `auto` one hides the others that it is not nested in.

    Args:
        live: The document.
        index: The popover.
        invoker: The button that shows it; its popover counts as the one around.
    """
    kind = popover_kind(live.document[index])
    if not kind or index in live.opened:
        return
    if kind in _CLOSABLE_POPOVERS:
        around = max(_popover_around(live, index), _popover_around(live, invoker), key=_depth(live))
        if kind == "auto":
            hide_popovers(live, keep=around)
        _push(live, index)
    live.set_open(index, True)
    _focus_inside(live, index, otherwise=-1)


def hide_popover(live: Live, index: int, *, restore_focus: bool = True) -> None:
    """Hides a popover and those shown from it."""
    if not is_popover(live.document[index]) or index not in live.opened or index in live.modals:
        return
    if index in live.layers:
        hide_popovers(live, keep=index)
    live.set_open(index, False)
    _pop(live, index, restore_focus=restore_focus)


def hide_popovers(live: Live, *, keep: int = -1) -> None:
    """Hides the closable popovers above one, all of them with -1."""
    above = live.layers[live.layers.index(keep) + 1 :] if keep in live.layers else live.layers
    for index in reversed(above):
        if index not in live.modals:
            live.set_open(index, False)
            _pop(live, index, restore_focus=False)


def light_dismiss(live: Live, target: int) -> None:
    """Hides what a click outside of it hides: closable popovers, and dialogs with `closedby=any`."""
    if live.layers:
        hide_popovers(live, keep=max(_popover_around(live, target), _invoked_around(live, target), key=_depth(live)))
    for dialog in live.document.tagged("dialog"):
        if dialog.attrs.get("closedby", "").lower() == "any" and target != dialog.index and target not in dialog:
            close_dialog(live, dialog.index)


def escape(live: Live) -> None:
    """Closes the layer opened last that Escape may close."""
    if not live.layers:
        return
    top = live.layers[-1]
    if top not in live.modals:
        hide_popover(live, top)
    elif live.document[top].attrs.get("closedby", "").lower() != "none":
        close_dialog(live, top)


def run_command(live: Live, button: int) -> None:
    """Does what `command` or `popovertarget` of an activated button asks for."""
    element, document = live.document[button], live.document
    target = document.ids.get(element.attrs.get("commandfor", ""), -1)
    command = element.attrs.get("command", "").lower()
    if element.tag == "button" and target >= 0 and command:
        _command(live, command, target, button)
        return
    popover = invoked_popover(document, button)
    if popover >= 0:
        action = element.attrs.get("popovertargetaction", "").lower()
        _command(live, f"{action if action in ('show', 'hide') else 'toggle'}-popover", popover, button)


def invoked_popover(document: Document, button: int) -> int:
    """Returns the popover that a button shows or hides through `popovertarget`, -1 for none."""
    element = document[button]
    target = document.ids.get(element.attrs.get("popovertarget", ""), -1)
    if target < 0 or not is_button(element) or not is_popover(document[target]):
        return -1
    submits = element.tag == "button" and button_type(element) == "submit" and button in form_owners(document)
    return -1 if submits else target


@derived
def closers(document: Document) -> dict[int, int]:
    """Returns dialog -> the first control in it that closes it."""
    found: dict[int, int] = {}
    for element in document.tagged("button", "input"):
        dialog = document.closest(element.index, "dialog")
        if dialog is not None and dialog.index not in found and _closes(document, element, dialog):
            found[dialog.index] = element.index
    return found


def _closes(document: Document, button: Element, dialog: Element) -> bool:
    if button.attrs.get("command", "").lower() in ("close", "request-close"):
        return document.ids.get(button.attrs.get("commandfor", "")) == dialog.index
    form = form_owners(document).get(button.index)
    own = button.attrs.get("formmethod", document[form].attrs.get("method", "") if form is not None else "")
    return own.lower() == "dialog" and is_submitter(button)


def _command(live: Live, command: str, target: int, button: int) -> None:
    if command == "toggle-popover":
        command = "hide-popover" if target in live.opened else "show-popover"
    if command == "show-popover":
        show_popover(live, target, button)
    elif command == "hide-popover":
        hide_popover(live, target)
    elif command == "show-modal":
        show_modal(live, target)
    elif command in ("close", "request-close"):
        close_dialog(live, target)


def _push(live: Live, index: int) -> None:
    live.layers += (index,)
    live.returns[index] = live.focus


def _pop(live: Live, index: int, *, restore_focus: bool) -> None:
    live.layers = tuple(layer for layer in live.layers if layer != index)
    previous = live.returns.pop(index, -1)
    inside = live.focus == index or live.focus in live.document[index]
    if restore_focus and inside and previous >= 0 and is_focusable(live, previous):
        give_focus(live, previous)


def _focus_inside(live: Live, index: int, *, otherwise: int) -> None:
    """Moves the focus into a dialog (its first stop, else itself) or popover (only where `autofocus` says)."""
    inside = [e for e in live.document.descendants(index) if is_focusable(live, e.index)]
    wanted = [e.index for e in inside if "autofocus" in e.attrs]
    if otherwise >= 0 and "autofocus" not in live.document[index].attrs:
        wanted += [e.index for e in inside if candidates(live.document)[e.index] >= 0]
    if "autofocus" in live.document[index].attrs:
        wanted = [index]
    target = wanted[0] if wanted else otherwise
    if target >= 0:
        give_focus(live, target)


def _popover_around(live: Live, index: int) -> int:
    """Returns the open closable popover that holds an element, -1 for none."""
    return next((layer for layer in reversed(live.layers) if _is_around(live, layer, index)), -1)


def _is_around(live: Live, layer: int, index: int) -> bool:
    return layer not in live.modals and (index == layer or index in live.document[layer])


def _invoked_around(live: Live, index: int) -> int:
    """Returns the open popover that the button at or around an element shows, -1 for none."""
    button = live.document.closest(index, "button", "input") if index >= 0 else None
    popover = invoked_popover(live.document, button.index) if button else -1
    return popover if popover in live.layers else -1


def _depth(live: Live) -> Callable[[int], int]:
    return lambda layer: live.layers.index(layer) if layer in live.layers else -1
