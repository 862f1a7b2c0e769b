"""States of an element, as the accessibility tree and the element list show them."""

from __future__ import annotations

from collections.abc import Mapping

from .document import Control, Document, Element, Snapshot

_CONTROLS = frozenset(["button", "fieldset", "input", "optgroup", "option", "output", "select", "textarea"])
_STATEFUL = _CONTROLS | {"summary", "details", "dialog"}
_ARIA = ("aria-pressed", "aria-selected", "aria-current", "aria-invalid")
_NOTHING: Mapping[str, str] = {}
LIVELY_TAGS = ("details", "dialog", "input", "option", "output", "select", "summary", "textarea")


def states_of(snapshot: Snapshot, element: Element, role: str) -> Mapping[str, str]:
    """Returns state name -> value, in a fixed order; the focus comes last."""
    states = _own_states(snapshot, element, role)
    return {**states, "focused": "true"} if element.index == snapshot.focus else states


def has_states(document: Document, element: Element, role: str) -> bool:
    """Tells whether an element can have a state besides the focus."""
    return element.tag in _STATEFUL or role == "heading" or element.index in document.aria


def is_disabled(document: Document, element: Element) -> bool:
    """Tells whether a form control is disabled, by itself or by a fieldset around it."""
    if element.tag not in _CONTROLS:
        return element.attrs.get("aria-disabled") == "true"
    if "disabled" in element.attrs:
        return True
    if element.tag == "option":
        return any("disabled" in a.attrs for a in document.ancestors(element.index) if a.tag in ("optgroup", "select"))
    return bool(document.tagged("fieldset")) and any(
        a.tag == "fieldset" and "disabled" in a.attrs and not _in_first_legend(document, a, element)
        for a in document.ancestors(element.index)
    )


def is_selected(snapshot: Snapshot, option: Element) -> bool:
    """Tells whether an option is selected in its select."""
    parent = snapshot.document.elements[option.parent]
    select = parent.parent if parent.tag == "optgroup" else parent.index
    control = snapshot.controls.get(select)
    return control is not None and option.index in control.selected


def shown_value(element: Element, control: Control) -> str:
    """Returns the value of a control as a person sees it: nothing for buttons and boxes, dots for a password."""
    if element.tag == "input":
        kind = element.attrs.get("type", "").lower()
        if kind in ("checkbox", "radio", "hidden", "submit", "reset", "button", "image"):
            return ""
        if kind == "password":
            return "•" * len(control.value)
    return control.value


def _own_states(snapshot: Snapshot, element: Element, role: str) -> Mapping[str, str]:
    attrs = element.attrs
    if not has_states(snapshot.document, element, role):
        return _NOTHING
    states: dict[str, str] = {}
    control = snapshot.controls.get(element.index)
    if role == "heading":
        native = element.tag[1:] if element.tag[1:].isdigit() else "2"
        states["level"] = attrs.get("aria-level", native)
    if control is not None and control.checked is not None:
        states["checked"] = "true" if control.checked else "false"
    elif "aria-checked" in attrs:
        states["checked"] = attrs["aria-checked"]
    if element.tag == "option":
        states["selected"] = "true" if is_selected(snapshot, element) else "false"
    if element.tag == "summary" and role == "button":
        states["expanded"] = "true" if element.parent in snapshot.opened else "false"
    elif "aria-expanded" in attrs:
        states["expanded"] = attrs["aria-expanded"]
    states |= {name[5:]: attrs[name] for name in _ARIA if attrs.get(name, "false") != "false"}
    if is_disabled(snapshot.document, element):
        states["disabled"] = "true"
    return states | _control_states(element) if control is not None else states


def _control_states(element: Element) -> dict[str, str]:
    attrs = element.attrs
    found = {
        "readonly": "readonly" in attrs,
        "required": "required" in attrs or attrs.get("aria-required") == "true",
        "multiselectable": "multiple" in attrs,
    }
    return {name: "true" for name, holds in found.items() if holds}


def _in_first_legend(document: Document, fieldset: Element, element: Element) -> bool:
    legend = next((e for e in document.child_elements(fieldset.index) if e.tag == "legend"), None)
    return legend is not None and element.index in legend
