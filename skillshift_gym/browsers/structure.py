"""Static facts about the controls of a document: types, form owners, labels, radio groups, what is disabled.

Without scripts none of these change while the document lives.
"""

from __future__ import annotations

from ..document import Document, Element
from .derived import derived

TEXT_TYPES = frozenset({"text", "search", "tel", "url", "email", "password", "number"})
DATE_TYPES = frozenset({"date", "month", "week", "time", "datetime-local"})
CHECK_TYPES = frozenset({"checkbox", "radio"})
BUTTON_TYPES = frozenset({"submit", "reset", "button", "image"})
_INPUT_TYPES = TEXT_TYPES | DATE_TYPES | CHECK_TYPES | BUTTON_TYPES | {"range", "color", "file", "hidden"}

_LISTED = frozenset({"button", "fieldset", "input", "object", "output", "select", "textarea"})
_LABELABLE = frozenset({"button", "input", "meter", "output", "progress", "select", "textarea"})
_CAN_BE_DISABLED = frozenset({"button", "input", "select", "textarea", "fieldset"})


def input_type(element: Element) -> str:
    """Returns the type of an `input`; an unknown one counts as text."""
    kind = element.attrs.get("type", "text").lower()
    return kind if kind in _INPUT_TYPES else "text"


def button_type(element: Element) -> str:
    """Returns the type of a `button`; `auto` when it has a command and no type, so that it never submits."""
    kind = element.attrs.get("type", "").lower()
    if kind in ("reset", "button", "submit"):
        return kind
    return "auto" if "command" in element.attrs or "commandfor" in element.attrs else "submit"


def is_listed(element: Element) -> bool:
    """Returns whether the element is one of the controls that a form owns."""
    return element.tag in _LISTED


def control_type(element: Element) -> str:
    """Returns the input or button type of a control, else its tag."""
    if element.tag == "input":
        return input_type(element)
    return button_type(element) if element.tag == "button" else element.tag


def is_submitter(element: Element) -> bool:
    """Returns whether the element can submit a form."""
    return element.tag in ("button", "input") and control_type(element) in ("submit", "image")


def is_button(element: Element) -> bool:
    """Returns whether the element is a button of any kind."""
    return element.tag == "button" or (element.tag == "input" and input_type(element) in BUTTON_TYPES)


def is_text_field(element: Element) -> bool:
    """Returns whether characters can be typed into the element."""
    return element.tag == "textarea" or (element.tag == "input" and input_type(element) in TEXT_TYPES)


def is_editing_host(element: Element) -> bool:
    """Returns whether the element's own content can be edited."""
    return element.attrs.get("contenteditable", "false").lower() in ("", "true", "plaintext-only")


def is_checkable(element: Element) -> bool:
    """Returns whether the element is a checkbox or radio button."""
    return element.tag == "input" and input_type(element) in CHECK_TYPES


def is_main_summary(document: Document, index: int) -> bool:
    """Returns whether a `summary` is the one that opens its `details`."""
    element = document[index]
    return element.tag == "summary" and element.parent >= 0 and summary_of(document, element.parent) == index


def summary_of(document: Document, index: int) -> int:
    """Returns the summary that opens a `details`, -1 without one."""
    if document[index].tag != "details":
        return -1
    return next((child.index for child in document.child_elements(index) if child.tag == "summary"), -1)


def is_drop_down(element: Element) -> bool:
    """Returns whether a `select` shows one option at a time."""
    return "multiple" not in element.attrs and list_size(element) <= 1


def list_size(element: Element) -> int:
    """Returns the display size of a `select`."""
    size = element.attrs.get("size", "").strip()
    default = 4 if "multiple" in element.attrs else 1
    return int(size) if size.isascii() and size.isdigit() and len(size) < 9 and int(size) else default


@derived
def form_owners(document: Document) -> dict[int, int]:
    """Returns control -> the form that owns it; controls without a form are not in the table."""
    owners: dict[int, int] = {}
    around: list[int] = []  # per element the nearest form, itself included
    for element in document.elements:
        index = element.index
        around.append(index if element.tag == "form" else around[element.parent] if element.parent >= 0 else -1)
        if element.tag in _LISTED:
            named = element.attrs.get("form")
            owner = around[index] if named is None else document.ids.get(named, -1)
            if owner >= 0 and document[owner].tag == "form":
                owners[index] = owner
    return owners


@derived
def form_controls(document: Document) -> dict[int, tuple[int, ...]]:
    """Returns form -> the controls it owns, in document order."""
    controls: dict[int, list[int]] = {form.index: [] for form in document.tagged("form")}
    for control, form in form_owners(document).items():
        controls[form].append(control)
    return {form: tuple(owned) for form, owned in controls.items()}


@derived
def labelled_controls(document: Document) -> dict[int, int]:
    """Returns label -> the control it labels."""
    return {
        label.index: control
        for label in document.tagged("label")
        if (control := _labelled(document, label)) is not None
    }


@derived
def labels_by_control(document: Document) -> dict[int, tuple[int, ...]]:
    """Returns control -> its labels, in document order."""
    labels: dict[int, tuple[int, ...]] = {}
    for label, control in labelled_controls(document).items():
        labels[control] = (*labels.get(control, ()), label)
    return labels


def _labelled(document: Document, label: Element) -> int | None:
    named = label.attrs.get("for")
    if named is None:
        return next((e.index for e in document.descendants(label.index) if _is_labelable(e)), None)
    index = document.ids.get(named)
    return index if index is not None and _is_labelable(document[index]) else None


def _is_labelable(element: Element) -> bool:
    return element.tag in _LABELABLE and not (element.tag == "input" and input_type(element) == "hidden")


@derived
def radio_groups(document: Document) -> dict[int, tuple[int, ...]]:
    """Returns radio button -> all buttons of its group, itself included, in document order."""
    owners = form_owners(document)
    groups: dict[tuple[int, str], list[int]] = {}
    keys: dict[int, tuple[int, str]] = {}
    for element in document.tagged("input"):
        if input_type(element) == "radio":
            index, name = element.index, element.attrs.get("name", "")
            key = keys[index] = (owners.get(index, -1), name) if name else (index, "")
            groups.setdefault(key, []).append(index)
    members = {key: tuple(group) for key, group in groups.items()}
    return {index: members[key] for index, key in keys.items()}


@derived
def options_by_select(document: Document) -> dict[int, tuple[int, ...]]:
    """Returns select -> its options, in document order."""
    return {
        select.index: tuple(e.index for e in document.descendants(select.index) if e.tag == "option")
        for select in document.tagged("select")
    }


@derived
def disabled(document: Document) -> frozenset[int]:
    """Returns the controls, options and option groups that are disabled."""
    found = {e.index for e in document.elements if "disabled" in e.attrs and e.tag in _CAN_BE_DISABLED}
    for fieldset in document.tagged("fieldset"):
        if fieldset.index in found:
            legend = next((e for e in document.child_elements(fieldset.index) if e.tag == "legend"), None)
            for element in document.descendants(fieldset.index):
                inside_legend = legend is not None and element.index in legend
                if element.tag in _CAN_BE_DISABLED and not inside_legend:
                    found.add(element.index)
    found.update(e.index for e in document.tagged("option", "optgroup") if "disabled" in e.attrs)
    for group in document.tagged("optgroup"):
        if group.index in found:
            found.update(e.index for e in document.descendants(group.index) if e.tag == "option")
    return frozenset(found)


@derived
def in_datalist(document: Document) -> frozenset[int]:
    """Returns the elements inside a `datalist`."""
    return frozenset(e.index for datalist in document.tagged("datalist") for e in document.descendants(datalist.index))


def option_value(document: Document, index: int) -> str:
    """Returns the value an option submits."""
    value = document[index].attrs.get("value")
    return option_text(document, index) if value is None else value


def option_label(document: Document, index: int) -> str:
    """Returns what a user sees of an option."""
    return document[index].attrs.get("label") or option_text(document, index)


def option_text(document: Document, index: int) -> str:
    """Returns an option's text, white space collapsed."""
    return " ".join(document.text(index).split())


def describe(element: Element) -> str:
    """Returns how messages name an element: bid, tag and what it is called."""
    called = next((f" {element.attrs[a]!r}" for a in ("name", "id", "aria-label") if element.attrs.get(a)), "")
    return f"element '{element.index}' ({element.tag}{called[:60]})"
