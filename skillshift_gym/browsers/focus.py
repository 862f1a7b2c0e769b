"""The keyboard focus: what can have it, what Tab visits, and what is inert."""

from __future__ import annotations

from ..document import Document, Element
from .derived import derived
from .live import Caret, Live
from .rendering import initially_rendered, rendered
from .structure import disabled, input_type, is_editing_host, is_main_summary, is_text_field, radio_groups
from .urls import fragment_id

_LAST = 1 << 30  # elements without a positive tab index follow all others
_FOCUSABLE_CONTROLS = frozenset({"button", "input", "select", "textarea"})


@derived
def candidates(document: Document) -> dict[int, int]:
    """Returns element -> tab index, for the elements that can have the focus when they are rendered."""
    found: dict[int, int] = {}
    switched_off = disabled(document)
    for element in document.elements:
        if element.index in switched_off:
            continue
        written = tab_index(element)
        if _focusable_by_nature(document, element):
            found[element.index] = 0 if written is None else written
        elif written is not None:
            found[element.index] = written
    return found


def tab_index(element: Element) -> int | None:
    """Returns the `tabindex` of an element, None without a valid one."""
    if "tabindex" not in element.attrs:
        return None
    text = element.attrs["tabindex"].strip()
    digits = text.removeprefix("-").removeprefix("+")
    return int(text) if digits.isascii() and digits.isdigit() and len(digits) < 6 else None


@derived
def inert_elements(document: Document) -> frozenset[int]:
    """Returns the roots of the subtrees that an `inert` attribute switches off."""
    return frozenset(e.index for e in document.elements if "inert" in e.attrs)


def is_inert(live: Live, index: int) -> bool:
    """Returns whether an element can neither be clicked nor have the focus."""
    modal = live.modal
    if modal >= 0 and index != modal and index not in live.document[modal]:
        return True
    roots = inert_elements(live.document)
    if not roots or index in roots:
        return bool(roots)
    # A modal dialog escapes the inertness of its ancestors.
    return index != modal and any(_inert_up_to(live, index, roots, modal))


def is_focusable(live: Live, index: int) -> bool:
    """Returns whether an element can have the focus now."""
    return index in candidates(live.document) and bool(rendered(live)[index]) and not is_inert(live, index)


def focus_target(live: Live, index: int) -> int:
    """Returns the element itself or its nearest ancestor that can have the focus, -1 when there is none."""
    if is_focusable(live, index):
        return index
    return next((e.index for e in live.document.ancestors(index) if is_focusable(live, e.index)), -1)


def give_focus(live: Live, index: int, *, caret: Caret | None = None) -> None:
    """Moves the focus to an element, or away from all with -1.

    Args:
        live: The document.
        index: The element; the caller knows that it is focusable.
        caret: Where the caret of a text field goes; None leaves it where the field last had it.
    """
    live.focus = index
    live.start = index if index >= 0 else live.start
    if caret is not None and index >= 0 and is_text_field(live.document[index]):
        live.carets[index] = caret


def caret_at_end(live: Live, index: int) -> Caret | None:
    """Returns the caret behind the text of a field, None for other elements."""
    if not is_text_field(live.document[index]):
        return None
    length = len(live.text(index))
    return Caret(length, length)


def drop_lost_focus(live: Live) -> None:
    """Takes the focus from an element that can no longer have it, as the standard's focus fixup does."""
    if live.focus >= 0 and live.focus not in live.opened and not is_focusable(live, live.focus):
        live.focus = -1


def tab_order(live: Live) -> list[int]:
    """Returns the elements that Tab visits: positive tab indices first, then document order."""
    shown = rendered(live)
    stops = [
        i for i, written in candidates(live.document).items() if written >= 0 and shown[i] and _is_radio_stop(live, i)
    ]
    if live.modals or inert_elements(live.document):
        stops = [index for index in stops if not is_inert(live, index)]
    return sorted(stops, key=lambda index: candidates(live.document)[index] or _LAST)


def next_stop(live: Live, *, backwards: bool) -> int:
    """Returns where Tab moves the focus, -1 when it leaves the document at its end."""
    order = tab_order(live)
    if backwards:
        order.reverse()
    if live.focus in order:
        return _after(order, order.index(live.focus))
    origin = live.focus if live.focus >= 0 else live.start
    if origin < 0:
        return order[0] if order else -1
    if backwards:
        return next((index for index in order if index < origin), -1)
    return next((index for index in order if index > origin), -1)


@derived
def _autofocus(document: Document) -> int:
    shown, roots = initially_rendered(document), inert_elements(document)
    for element in document.elements:
        if "autofocus" in element.attrs and element.index in candidates(document) and shown[element.index]:
            around = {element.index, *(e.index for e in document.ancestors(element.index))}
            if not roots & around:
                return element.index
    return -1


def focus_at_load(live: Live) -> None:
    """Gives the focus to the element that asks for it, unless the address points at another."""
    if fragment_id(live.url) not in live.document.ids:
        live.focus = live.start = _autofocus(live.document)


def _after(order: list[int], place: int) -> int:
    return order[place + 1] if place + 1 < len(order) else -1


def _inert_up_to(live: Live, index: int, roots: frozenset[int], modal: int) -> list[bool]:
    found = []
    for element in live.document.ancestors(index):
        found.append(element.index in roots)
        if element.index == modal:
            break
    return found


def _focusable_by_nature(document: Document, element: Element) -> bool:
    if element.tag in _FOCUSABLE_CONTROLS:
        return element.tag != "input" or input_type(element) != "hidden"
    if element.tag == "a":
        return "href" in element.attrs
    if is_editing_host(element):
        return True
    return element.tag == "iframe" or (element.tag == "summary" and is_main_summary(document, element.index))


def _is_radio_stop(live: Live, index: int) -> bool:
    """Returns whether Tab stops at this element of a radio group: at the checked one, or anywhere when none is."""
    group = radio_groups(live.document).get(index)
    if group is None or index == live.focus:
        return True
    return live.focus not in group and (
        live.control(index).checked is True or not any(live.control(i).checked for i in group)
    )
