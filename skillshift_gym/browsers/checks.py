"""What must hold before an element is acted on, and the messages that say what does not."""

from __future__ import annotations

from ..document import Document, Element
from ..errors import ActionError, CoveredElement, DisabledElement, HiddenElement, MissingElement, WrongElementType
from .activation import activation_target
from .focus import is_inert
from .layers import closers
from .live import Live
from .rendering import hides_itself, is_popover, rendered, style_of
from .structure import describe, disabled, labelled_controls, labels_by_control, summary_of


def find(document: Document, bid: str) -> int:
    """Returns the index of an element named by its bid.

    Raises:
        MissingElement: There is no such element.
    """
    index = int(bid) if bid.isascii() and bid.isdigit() and len(bid) < 10 else -1
    if not 0 <= index < len(document) or str(index) != bid:
        raise MissingElement(
            f"there is no element {bid!r} on this page: bids go from '0' to '{len(document) - 1}'; read the page again"
        )
    return index


def require_visible(live: Live, index: int) -> None:
    """Raises HiddenElement, with a way to show it, for an element that is not rendered."""
    if not rendered(live)[index]:
        raise HiddenElement(f"{describe(live.document[index])} is not visible: {_reason(live, index)}")


def require_reachable(live: Live, index: int) -> None:
    """Raises an error for an element that is hidden, inert or behind a modal dialog."""
    require_visible(live, index)
    if not is_inert(live, index):
        return
    element, modal = live.document[index], live.modal
    if modal >= 0 and index != modal and index not in live.document[modal]:
        raise _covered(live, element, modal)
    raise DisabledElement(f"{describe(element)} is inert: the page has switched this part of it off")


def require_enabled(live: Live, index: int) -> None:
    """Raises DisabledElement for a disabled control."""
    if index in disabled(live.document):
        element = live.document[index]
        by = "" if "disabled" in element.attrs else ": the group around it is disabled"
        raise DisabledElement(f"{describe(element)} is disabled{by}; something else has to enable it first")


def require_clickable(live: Live, index: int) -> None:
    """Raises an error when a click on the element could not reach what it is meant for."""
    require_reachable(live, index)
    target = activation_target(live.document, index)
    if target >= 0 and live.document[target].tag == "label":
        target = labelled_controls(live.document).get(target, target)
    if target >= 0:
        require_enabled(live, target)


def require_editable(live: Live, index: int) -> None:
    """Raises DisabledElement for a read-only field."""
    if "readonly" in live.document[index].attrs:
        raise DisabledElement(f"{describe(live.document[index])} is read-only")


def retarget(live: Live, index: int) -> int:
    """Returns the control of a label, and any other element itself."""
    label = live.document.closest(index, "label", "input", "select", "textarea", "button")
    if label is None or label.tag != "label":
        return index
    return labelled_controls(live.document).get(label.index, index)


def wrong_type(element: Element, expected: str, hint: str = "") -> WrongElementType:
    """Returns the error for a primitive used on the wrong kind of element."""
    kind = f" of type {element.attrs.get('type', 'text')!r}" if element.tag == "input" else ""
    return WrongElementType(f"expected {expected}, got {describe(element)}{kind}" + (f"; {hint}" if hint else ""))


def _covered(live: Live, element: Element, modal: int) -> ActionError:
    dialog = live.document[modal]
    control = closers(live.document).get(modal)
    way_out = f"click '{control}' in it" if control is not None else "press Escape"
    return CoveredElement(
        f"{describe(element)} is covered by the modal dialog {describe(dialog)}; {way_out} to close it first",
        by=dialog.attrs.get("aria-label") or describe(dialog),
        clear_with=None if control is None else str(control),
    )


def _reason(live: Live, index: int) -> str:
    """Returns why an element is not rendered and what to try."""
    document = live.document
    for element in (document[index], *document.ancestors(index)):
        where = "it" if element.index == index else f"it is inside {describe(element)}, which"
        if hides_itself(element) or style_of(element).visibility in ("hidden", "collapse"):
            return f"{where} is not displayed{_label_hint(live, index)}"
        if element.index in live.opened:
            continue
        if is_popover(element) or element.tag == "dialog":
            return f"{where} is closed{_opener_hint(live, element)}"
        if element.tag == "details" and element.index != index and index not in _summary_range(document, element.index):
            return f"it is inside a closed details{_summary_hint(document, element.index)}"
    return "the page does not display it"


def _summary_range(document: Document, details: int) -> range:
    summary = summary_of(document, details)
    return range(summary, document[summary].end) if summary >= 0 else range(0)


def _summary_hint(document: Document, details: int) -> str:
    summary = summary_of(document, details)
    return f"; click its summary '{summary}' first" if summary >= 0 else ""


def _label_hint(live: Live, index: int) -> str:
    labels = [i for i in labels_by_control(live.document).get(index, ()) if rendered(live)[i]]
    return f"; try its label '{labels[0]}'" if labels else ""


def _opener_hint(live: Live, element: Element) -> str:
    name = element.attrs.get("id")
    for button in live.document.tagged("button", "input") if name else ():
        if name in (button.attrs.get("popovertarget"), button.attrs.get("commandfor")):
            return f"; click '{button.index}' to open it"
    return ""
