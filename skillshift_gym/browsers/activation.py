"""What a click does: light dismissal, focus and the activation behaviour of the nearest interactive element."""

from __future__ import annotations

from typing import NamedTuple

from ..document import Document, Element
from ..errors import WrongElementType
from .derived import derived
from .focus import caret_at_end, focus_target, give_focus, is_focusable
from .forms import base_target, referrer, reset, submit
from .layers import light_dismiss, run_command, toggle_details
from .live import Live
from .navigation import Navigation
from .structure import (
    control_type,
    describe,
    disabled,
    form_owners,
    is_button,
    is_checkable,
    is_drop_down,
    is_main_summary,
    labelled_controls,
    option_label,
)
from .urls import base_of, resolve, scheme_of

_INTERACTIVE = frozenset({"button", "input", "label", "option", "select", "textarea"})
_COMMANDS = frozenset({"command", "commandfor", "popovertarget"})
NEW_TAB = "_blank"


class Click(NamedTuple):
    """How an element is clicked.

    Attributes:
        button: `left`, `middle` or `right`.
        new_tab: Whether the modifiers ask for a new tab.
        background: Whether that tab stays behind.
        toggles: Whether the modifiers toggle an item of a list.
    """

    button: str = "left"
    new_tab: bool = False
    background: bool = False
    toggles: bool = False


PLAIN_CLICK = Click()


def click_with(button: str, modifiers: tuple[str, ...]) -> Click:
    """Returns the meaning of a mouse button and modifier keys."""
    control = bool({"Control", "ControlOrMeta"} & set(modifiers))  # Meta means nothing here, as on Linux
    behind, shift = control or button == "middle", "Shift" in modifiers
    return Click(button, behind or shift, behind and not shift, control)


def click(live: Live, index: int, how: Click = PLAIN_CLICK) -> Navigation | None:
    """Clicks an element and returns the page that this asks for.

    Args:
        live: The document.
        index: The element under the mouse; the caller knows that it is rendered and not covered.
        how: Button and modifiers.
    """
    light_dismiss(live, index)
    _press_mouse(live, index)
    if how.button == "right":
        return None
    target = activation_target(live.document, index)
    if target < 0 or (how.button == "middle" and live.document[target].tag != "a"):
        return None
    return activate(live, target, how)


def placed(wanted: Navigation | None, how: Click) -> Navigation | None:
    """Returns a navigation in the tab that the modifiers ask for."""
    return wanted._replace(target=NEW_TAB, background=how.background) if wanted and how.new_tab else wanted


@derived
def _activation_targets(document: Document) -> list[int]:
    targets: list[int] = []
    for element in document.elements:
        if _handles_clicks(document, element):
            targets.append(element.index)
            continue
        inherited = targets[element.parent] if element.parent >= 0 else -1
        # Links also take clicks on controls inside them that do nothing; summaries and labels do not.
        passes = element.tag not in _INTERACTIVE or (inherited >= 0 and document[inherited].tag == "a")
        targets.append(inherited if passes else -1)
    return targets


def activation_target(document: Document, index: int) -> int:
    """Returns the element whose activation behaviour a click on this one runs, -1 for none."""
    return _activation_targets(document)[index]


def activate(live: Live, index: int, how: Click = PLAIN_CLICK) -> Navigation | None:
    """Runs the activation behaviour of an interactive element."""
    document, element = live.document, live.document[index]
    if element.tag == "a":
        return _follow(live, element, how)
    if element.tag == "label":
        return _click_label(live, index, how)
    if element.tag == "summary":
        toggle_details(live, element.parent)
    elif is_button(element):
        return None if index in disabled(document) else _push_button(live, index, how)
    elif is_checkable(element) and index not in disabled(document):
        radio = control_type(element) == "radio"
        live.set_checked(index, True if radio else not live.control(index).checked)
    elif element.tag == "option":
        _click_option(live, index, how)
    return None


def _handles_clicks(document: Document, element: Element) -> bool:
    """Returns whether a click on the element does something, or is swallowed because it is disabled."""
    if element.tag == "a":
        return "href" in element.attrs
    if element.tag == "label":
        return element.index in labelled_controls(document)
    if is_button(element):
        in_form = element.index in form_owners(document) and control_type(element) != "button"
        return in_form or element.index in disabled(document) or bool(_COMMANDS & element.attrs.keys())
    return element.tag == "option" or is_checkable(element) or is_main_summary(document, element.index)


def _press_mouse(live: Live, index: int) -> None:
    """Moves the focus as a mouse press does; the text caret goes behind the text."""
    select = live.document.closest(index, "select")
    target = focus_target(live, select.index if select else index)
    give_focus(live, target)
    if target >= 0:
        caret = caret_at_end(live, target)
        if caret is not None:
            live.carets[target] = caret
    else:
        live.start = index


def _follow(live: Live, link: Element, how: Click) -> Navigation | None:
    reference = link.attrs["href"]
    if scheme_of(reference) == "javascript":
        return None
    address = resolve(base_of(live.document), reference)
    target = link.attrs.get("target", base_target(live.document))
    return placed(Navigation(address, referrer=referrer(live, link), target=target), how)


def _click_label(live: Live, label: int, how: Click) -> Navigation | None:
    control = labelled_controls(live.document).get(label)
    if control is None or control in disabled(live.document):
        return None
    if is_focusable(live, control):
        give_focus(live, control)
    return activate(live, control, how) if live.document[control].tag in ("button", "input") else None


def _push_button(live: Live, index: int, how: Click) -> Navigation | None:
    element, form = live.document[index], form_owners(live.document).get(index)
    kind = control_type(element)
    if form is not None and kind in ("submit", "image"):
        return placed(submit(live, form, index), how)
    if form is not None and kind == "reset":
        reset(live, form)
        return None
    if form is None or kind != "auto":
        run_command(live, index)
    return None


def _click_option(live: Live, index: int, how: Click) -> None:
    document = live.document
    select = document.closest(index, "select")
    if select is None or index in disabled(document) or select.index in disabled(document):
        return
    if is_drop_down(select):
        label = option_label(document, index)
        raise WrongElementType(
            f"{describe(document[index])} belongs to a drop-down list and cannot be clicked; "
            f"try select_option('{select.index}', {label!r})"
        )
    selected = live.control(select.index).selected
    if "multiple" in select.attrs and how.toggles:
        live.set_selected(select.index, tuple(sorted(set(selected) ^ {index})))
    else:
        live.set_selected(select.index, (index,))
