"""Setting a control in one step: `fill`, `check`, `select_option`."""

from __future__ import annotations

from ..document import Document, Element
from ..errors import BadValue
from . import editing
from .checks import require_editable, wrong_type
from .focus import give_focus
from .live import Live
from .numeric import format_number, parse_number
from .ranges import range_limits
from .structure import (
    BUTTON_TYPES,
    CHECK_TYPES,
    DATE_TYPES,
    describe,
    disabled,
    input_type,
    is_checkable,
    is_text_field,
    option_label,
    option_text,
    option_value,
    options_by_select,
)
from .values import sanitise

_FORMATS = {
    "date": "yyyy-mm-dd",
    "month": "yyyy-mm",
    "week": "yyyy-Www",
    "time": "hh:mm",
    "datetime-local": "yyyy-mm-ddThh:mm",
    "color": "#rrggbb",
}
_MOST_SHOWN = 12


def fill(live: Live, index: int, text: str) -> None:
    """Replaces the value of a field.

    Text fields behave as if the text was typed over the old one, so `maxlength` cuts it. All others take a
    well-formed value or refuse it.

    Raises:
        WrongElementType: The element is no field.
        DisabledElement: The field is read-only.
        BadValue: The text is not a value of the field's type.
    """
    element = live.document[index]
    if is_text_field(element):
        require_editable(live, index)
        _require_number(element, text)
        give_focus(live, index)
        editing.replace(live, index, text.strip() if input_type(element) == "number" else text)
        return
    if element.tag != "input" or input_type(element) not in DATE_TYPES | {"color", "range"}:
        raise _not_a_field(live.document, element)
    require_editable(live, index)
    value = _well_formed(element, text.strip())
    give_focus(live, index)
    live.set_value(index, value)


def require_checkable(live: Live, index: int, checked: bool) -> None:
    """Raises WrongElementType for an element that cannot get this checkedness."""
    element = live.document[index]
    if not is_checkable(element):
        hint = f"try click('{index}')" if element.attrs.get("role") in ("checkbox", "radio", "switch") else ""
        raise wrong_type(element, "a checkbox or radio button", hint)
    if not checked and input_type(element) == "radio" and live.control(index).checked:
        raise wrong_type(element, "a checkbox", "a radio button is unchecked by choosing another of its group")


def select_option(live: Live, index: int, wanted: tuple[str, ...]) -> None:
    """Selects options by label or value; in a multiple select exactly these, else the first that matches.

    Raises:
        WrongElementType: The element is no select.
        BadValue: An option does not exist or is disabled.
    """
    select = live.document[index]
    if select.tag != "select":
        raise wrong_type(select, "a select element")
    if not wanted and "multiple" not in select.attrs:
        raise BadValue(f"{describe(select)} takes one option; {_available(live.document, index)}")
    chosen = tuple(_find_option(live.document, index, text) for text in wanted)
    live.set_selected(index, tuple(sorted(set(chosen))) if "multiple" in select.attrs else (min(chosen),))


def _require_number(element: Element, text: str) -> None:
    is_number = element.tag == "input" and input_type(element) == "number"
    if is_number and text.strip() and not editing.number_shown(text.strip()):
        raise BadValue(f"{describe(element)} takes a number such as '12' or '1.5', got {_shown(text)}")


def _not_a_field(document: Document, element: Element) -> Exception:
    kind = input_type(element) if element.tag == "input" else element.tag
    hint = ""
    if kind in CHECK_TYPES:
        hint = f"try check('{element.index}')"
    elif kind == "select":
        hint = f"try select_option('{element.index}', ...); {_available(document, element.index)}"
    elif kind in BUTTON_TYPES or kind == "button":
        hint = f"try click('{element.index}')"
    return wrong_type(element, "a text field", hint)


def _well_formed(element: Element, text: str) -> str:
    """Returns the value a date, colour or range input keeps, which stands for the one given."""
    kind = input_type(element)
    if kind == "range":
        low, high = range_limits(element)
        number = parse_number(text)
        if number is None or not low <= number <= high:
            between = f"from {format_number(low)} to {format_number(high)}"
            raise BadValue(f"{describe(element)} takes a number {between}, got {_shown(text)}")
        return sanitise(element, text)
    value = sanitise(element, text)
    if value != text.lower() if kind == "color" else text and not value:
        raise BadValue(f"{describe(element)} takes a value of the form {_FORMATS[kind]}, got {_shown(text)}")
    return value


def _find_option(document: Document, select: int, text: str) -> int:
    wanted = " ".join(text.split())
    options = options_by_select(document)[select]
    found = [
        i
        for i in options
        if text == option_value(document, i) or wanted in (_label(document, i), option_text(document, i))
    ]
    if not found:
        raise BadValue(f"{describe(document[select])} has no option {_shown(text)}; {_available(document, select)}")
    enabled = next((i for i in found if i not in disabled(document)), None)
    if enabled is None:
        raise BadValue(f"the option {_shown(text)} is disabled; {_available(document, select)}")
    return enabled


def _label(document: Document, option: int) -> str:
    return " ".join(option_label(document, option).split())


def _available(document: Document, select: int) -> str:
    labels = [_label(document, i) for i in options_by_select(document)[select] if i not in disabled(document)]
    more = f" and {len(labels) - _MOST_SHOWN} more" if len(labels) > _MOST_SHOWN else ""
    return f"available: {', '.join(repr(label) for label in labels[:_MOST_SHOWN])}{more}"


def _shown(text: str) -> str:
    return repr(text if len(text) <= 60 else text[:60] + "...")
