"""The live state of one document shown in a tab: everything that a user changes without leaving it."""

from __future__ import annotations

from typing import Any, NamedTuple

from ..document import Control, Document, Element
from .composition import composed
from .derived import derived
from .structure import disabled, input_type, is_checkable, is_drop_down, options_by_select, radio_groups
from .structure import option_value as value_of_option
from .values import sanitise


class Caret(NamedTuple):
    """The selection of a text field, in characters; start and end are equal without a selection."""

    start: int = 0
    end: int = 0


class Live:
    """One loaded document and its live state.

    Attributes:
        loaded: The document as the site sent it, page filters applied.
        url: Address shown, fragment included.
        overlay: HTML of the overlay shown, empty without one.
        document: `loaded` with the address shown and the overlay.
        edits: Controls whose state the user changed; all others are as the document says.
        opened: The open `details`, `dialog` and popover elements.
        layers: The open modal dialogs and closable popovers, in the order they opened.
        modals: The members of `layers` that are modal dialogs.
        returns: Member of `layers` -> the element that gets the focus back when it closes.
        focus: The focused element, -1 for none.
        start: Where Tab starts from when nothing has the focus, -1 for the top of the document.
        texts: Fields whose visible text is not their value, such as a number field that shows `-`.
        carets: Selections of text fields that were not at their start.
        scroll_y: Vertical scroll offset.
    """

    __slots__ = (
        "carets",
        "document",
        "edits",
        "focus",
        "layers",
        "loaded",
        "modals",
        "number",
        "opened",
        "overlay",
        "returns",
        "scroll_y",
        "start",
        "texts",
        "url",
    )

    def __init__(self, loaded: Document, url: str) -> None:
        self.loaded = loaded
        self.number = 0
        self.url = url
        self.overlay = ""
        self.document = composed(loaded, url, "")
        self.edits: dict[int, Control] = {}
        self.opened = initially_open(loaded)
        self.layers: tuple[int, ...] = ()
        self.modals: frozenset[int] = frozenset()
        self.returns: dict[int, int] = {}
        self.focus = -1
        self.start = -1
        self.texts: dict[int, str] = {}
        self.carets: dict[int, Caret] = {}
        self.scroll_y = 0

    def copy(self) -> Live:
        """Returns an independent copy."""
        twin = Live.__new__(Live)
        for name in Live.__slots__:
            setattr(twin, name, getattr(self, name))
        for name in ("edits", "returns", "texts", "carets"):
            setattr(twin, name, dict(getattr(self, name)))
        return twin

    def key(self) -> tuple[Any, ...]:
        """Returns a hashable value; equal keys on one document look the same."""
        return tuple(sorted(self.edits.items())), self.opened, self.focus, self.modal, self.scroll_y

    @property
    def modal(self) -> int:
        """The topmost modal dialog, -1 without one."""
        return next((index for index in reversed(self.layers) if index in self.modals), -1)

    def compose(self, url: str, overlay: str) -> None:
        """Changes the address or the overlay; another overlay starts in its own initial state."""
        changed = overlay != self.overlay
        self.url, self.overlay = url, overlay
        self.document = composed(self.loaded, url, overlay)
        if changed:
            self._drop_overlay_state()
            size = len(self.loaded)
            self.opened |= {index for index in initially_open(self.document) if index >= size}

    def _drop_overlay_state(self) -> None:
        size = len(self.loaded)
        self.edits = {index: control for index, control in self.edits.items() if index < size}
        self.texts = {index: text for index, text in self.texts.items() if index < size}
        self.carets = {index: caret for index, caret in self.carets.items() if index < size}
        self.opened = frozenset(index for index in self.opened if index < size)
        self.layers = tuple(index for index in self.layers if index < size)
        self.modals = frozenset(index for index in self.modals if index < size)
        self.focus = self.focus if self.focus < size else -1
        self.start = self.start if self.start < size else -1

    def control(self, index: int) -> Control:
        """Returns the state of a control."""
        return self.edits.get(index) or initial_controls(self.document)[index]

    def value(self, index: int) -> str:
        """Returns the value of a control."""
        return self.control(index).value

    def text(self, index: int) -> str:
        """Returns the text that a field shows."""
        shown = self.texts.get(index)
        return self.control(index).value if shown is None else shown

    def set_value(self, index: int, value: str, text: str | None = None) -> None:
        """Sets the value of a text control, as the user's edit.

        Args:
            index: The control.
            value: Its value.
            text: What the field shows, when that is not the value.
        """
        self.edits[index] = Control(value)
        if text is None or text == value:
            self.texts.pop(index, None)
        else:
            self.texts[index] = text

    def forget(self, index: int) -> None:
        """Returns a control to its initial state."""
        for store in (self.edits, self.texts, self.carets):
            store.pop(index, None)

    def set_checked(self, index: int, checked: bool) -> None:
        """Sets a checkbox or radio button; checking a radio button unchecks the rest of its group."""
        self.edits[index] = self.control(index)._replace(checked=checked)
        if checked:
            for other in radio_groups(self.document).get(index, ()):
                if other != index and self.control(other).checked:
                    self.edits[other] = self.control(other)._replace(checked=False)

    def set_selected(self, index: int, options: tuple[int, ...]) -> None:
        """Sets the selected options of a select."""
        self.edits[index] = select_state(self.document, options)

    def caret(self, index: int) -> Caret:
        """Returns the selection of a text field, within the text it shows."""
        caret, length = self.carets.get(index, Caret()), len(self.text(index))
        return Caret(min(caret.start, length), min(caret.end, length))

    def set_open(self, index: int, is_open: bool) -> None:
        """Opens or closes a `details`, `dialog` or popover, without what goes with it."""
        self.opened = self.opened | {index} if is_open else self.opened - {index}


@derived
def initial_controls(document: Document) -> dict[int, Control]:
    """Returns every control of the document in its initial state, in document order."""
    controls = {e.index: _initial(document, e) for e in document.tagged("input", "select", "textarea", "output")}
    for group in dict.fromkeys(radio_groups(document).values()):
        for index in [i for i in group if controls[i].checked][:-1]:
            controls[index] = controls[index]._replace(checked=False)
    return controls


@derived
def initially_open(document: Document) -> frozenset[int]:
    """Returns the `details` and `dialog` elements that start open; of a named `details` group only the first does."""
    found: set[int] = set()
    names: set[str] = set()
    for element in document.tagged("details", "dialog"):
        name = element.attrs.get("name", "") if element.tag == "details" else ""
        if "open" in element.attrs and name not in names:
            found.add(element.index)
            names |= {name} - {""}
    return frozenset(found)


def select_state(document: Document, options: tuple[int, ...]) -> Control:
    """Returns the state of a select with these options selected."""
    value = value_of_option(document, options[0]) if options else ""
    return Control(value, None, options)


def _initial(document: Document, element: Element) -> Control:
    if element.tag == "input":
        written = element.attrs.get("value", "")
        if is_checkable(element):
            return Control(element.attrs.get("value", "on"), "checked" in element.attrs)
        return Control(written if input_type(element) == "hidden" else sanitise(element, written))
    if element.tag == "select":
        return select_state(document, _initially_selected(document, element))
    text = document.text(element.index).replace("\r\n", "\n").replace("\r", "\n")
    return Control(text.removeprefix("\n") if element.tag == "textarea" else text)


def _initially_selected(document: Document, select: Element) -> tuple[int, ...]:
    options = options_by_select(document)[select.index]
    selected = tuple(i for i in options if "selected" in document[i].attrs)
    if "multiple" in select.attrs:
        return selected
    if not selected and is_drop_down(select):
        return tuple(i for i in options if i not in disabled(document))[:1]
    return selected[-1:]
