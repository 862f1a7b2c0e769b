"""Forms: the entry list, what a submission asks for, reset and implicit submission."""

from __future__ import annotations

from ..document import Document, Element
from ..errors import BadValue
from .derived import derived
from .encoding import URLENCODED, Entry, encode, urlencoded
from .focus import give_focus, is_focusable
from .layers import close_dialog
from .live import Live
from .navigation import Navigation
from .structure import (
    BUTTON_TYPES,
    control_type,
    describe,
    disabled,
    form_controls,
    form_owners,
    input_type,
    is_button,
    is_checkable,
    is_submitter,
    is_text_field,
    option_value,
)
from .urls import Address, base_of, resolve, scheme_of, without_fragment
from .validation import first_invalid, problem, validated_controls

_NEVER_SUBMITTED = frozenset({"fieldset", "object", "output"})


def submit(live: Live, form: int, submitter: int = -1) -> Navigation | None:
    """Submits a form as a user does.

    Args:
        live: The document.
        form: The form.
        submitter: The button pressed, -1 for implicit submission without one.

    Returns:
        What to request; None when the form only closes a dialog or its action is a script.

    Raises:
        BadValue: A control is invalid. It has the focus now, and nothing is sent.
    """
    owner, button = live.document[form], live.document[submitter] if submitter >= 0 else None
    if "novalidate" not in owner.attrs and not (button and "formnovalidate" in button.attrs):
        _validate(live, form)
    method = _setting(owner, button, "method").lower()
    if method == "dialog":
        _close_dialog_around(live, form)
        return None
    action = _setting(owner, button, "action")
    if scheme_of(action) == "javascript":
        return None
    address = resolve(base_of(live.document), action or without_fragment(live.url))
    entries = entry_list(live, form, submitter)
    target = _setting(owner, button, "target") or base_target(live.document)
    return _request(address, method, _setting(owner, button, "enctype").lower(), entries)._replace(
        target=target, referrer=referrer(live, owner)
    )


def entry_list(live: Live, form: int, submitter: int = -1) -> list[Entry]:
    """Returns the successful controls of a form with their values, in document order."""
    document = live.document
    entries: list[Entry] = []
    for index in submittable_controls(document).get(form, ()):
        element = document[index]
        if not is_button(element) or index == submitter:
            entries.extend(_entries(live, element))
    return entries


def reset(live: Live, form: int) -> None:
    """Gives every control of a form its initial state back."""
    for index in form_controls(live.document)[form]:
        live.forget(index)


def submit_implicitly(live: Live, index: int) -> int | None:
    """Returns what Enter in a control submits its form with.

    Args:
        live: The document.
        index: The control that has the focus.

    Returns:
        The button to activate, -1 to submit without one, None to do nothing.
    """
    form = form_owners(live.document).get(index)
    if form is None:
        return None
    buttons = [i for i in form_controls(live.document)[form] if is_submitter(live.document[i])]
    from_text = blocks_implicit_submission(live.document[index])
    if from_text and buttons:
        return None if buttons[0] in disabled(live.document) else buttons[0]
    if buttons:
        return next((i for i in buttons if i not in disabled(live.document)), None)
    fields = [i for i in form_controls(live.document)[form] if blocks_implicit_submission(live.document[i])]
    return -1 if from_text and len(fields) == 1 else None


def blocks_implicit_submission(element: Element) -> bool:
    """Returns whether a second control like this one stops Enter from submitting a form without a button."""
    return element.tag == "input" and is_text_field(element)


@derived
def submittable_controls(document: Document) -> dict[int, tuple[int, ...]]:
    """Returns form -> the controls that may be successful, in document order."""
    left_out = disabled(document)
    return {
        form: tuple(i for i in controls if i not in left_out and _may_be_sent(document[i]))
        for form, controls in form_controls(document).items()
    }


@derived
def base_target(document: Document) -> str:
    """Returns the target of links and forms that name none."""
    return next((e.attrs["target"] for e in document.tagged("base") if "target" in e.attrs), "")


def referrer(live: Live, element: Element) -> str:
    """Returns the referrer that a link or form sends."""
    withheld = "noreferrer" in element.attrs.get("rel", "").lower().split()
    return "" if withheld or not live.url.startswith("http") else without_fragment(live.url)


def _setting(form: Element, submitter: Element | None, name: str) -> str:
    """Returns an attribute of the form, or what the submitter says instead."""
    if submitter is not None and f"form{name}" in submitter.attrs:
        return submitter.attrs[f"form{name}"].strip()
    return form.attrs.get(name, "").strip()


def _validate(live: Live, form: int) -> None:
    found = first_invalid(live, form)
    if found is None:
        return
    index, message = found
    if not is_focusable(live, index):
        others = validated_controls(live.document)[form]
        index = next((i for i in others if is_focusable(live, i) and problem(live, i)), index)
        message = problem(live, index)
    if is_focusable(live, index):
        give_focus(live, index)
    raise BadValue(f"the form was not sent: {describe(live.document[index])}: {message}")


def _close_dialog_around(live: Live, form: int) -> None:
    dialog = live.document.closest(form, "dialog")
    if dialog is not None:
        close_dialog(live, dialog.index)


def _request(address: Address, method: str, enctype: str, entries: list[Entry]) -> Navigation:
    if method == "post":
        body, content_type = encode(enctype or URLENCODED, entries)
        return Navigation(address, "POST", body, content_type)
    page = address.page.partition("?")[0] + "?" + urlencoded(entries)
    return Navigation(address._replace(page=page))


def _may_be_sent(element: Element) -> bool:
    kind = control_type(element)
    if kind in _NEVER_SUBMITTED or kind in ("reset", "button", "auto"):
        return False
    return kind == "image" or bool(element.attrs.get("name"))


def _entries(live: Live, element: Element) -> list[Entry]:
    name, control = element.attrs.get("name", ""), live.control(element.index) if element.tag != "button" else None
    if control is None:
        return [Entry(name, element.attrs.get("value", ""))]
    if element.tag == "select":
        left_out = disabled(live.document)
        return [Entry(name, option_value(live.document, i)) for i in control.selected if i not in left_out]
    kind = control_type(element)
    if kind == "image":
        prefix = f"{name}." if name else ""
        return [Entry(f"{prefix}x", "0"), Entry(f"{prefix}y", "0")]
    if is_checkable(element) and not control.checked:
        return []
    if kind == "file":
        return [Entry(name, "", is_file=True)]
    if kind == "hidden" and name.lower() == "_charset_":
        return [Entry(name, "UTF-8")]
    value = control.value if kind not in BUTTON_TYPES or "value" in element.attrs else _default_caption(element)
    return [Entry(name, value), *_direction(live.document, element)]


def _default_caption(element: Element) -> str:
    return "Submit" if input_type(element) == "submit" else ""


def _direction(document: Document, element: Element) -> list[Entry]:
    name = element.attrs.get("dirname")
    if not name:
        return []
    written = next((e.attrs["dir"] for e in (element, *document.ancestors(element.index)) if e.attrs.get("dir")), "ltr")
    return [Entry(name, "rtl" if written.lower() == "rtl" else "ltr")]
