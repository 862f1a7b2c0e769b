"""The joint session history of a tab, and the control states it restores."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from ..document import Control, Document, Element
from .derived import derived
from .live import Live, initial_controls
from .structure import control_type, form_owners, is_checkable, option_value, options_by_select

_MOST_ENTRIES = 50  # as in Chromium
_NEVER_RESTORED = frozenset({"password", "submit", "reset", "button", "image", "file"})

FormState = tuple[tuple[tuple[str, str, str], Any], ...]


class Entry(NamedTuple):
    """One step of the history.

    Attributes:
        url: Address shown, fragment included.
        document: Number of the document; entries made by fragment navigation share one.
        method: Method of the request that made the entry.
        referrer: Referrer that was sent.
        scroll_y: Scroll offset when the entry was left.
        state: Control states when the entry was left.
    """

    url: str
    document: int
    method: str = "GET"
    referrer: str = ""
    scroll_y: int = 0
    state: FormState = ()


class History(NamedTuple):
    """The history of a tab, an immutable value.

    Attributes:
        entries: All steps.
        position: The one shown.
        documents: Number of documents loaded so far.
    """

    entries: tuple[Entry, ...]
    position: int = 0
    documents: int = 0

    @property
    def current(self) -> Entry:
        """The entry shown."""
        return self.entries[self.position]

    def push(self, entry: Entry) -> History:
        """Returns the history with a new entry behind the present one; what followed is gone."""
        entries = (*self.entries[: self.position + 1], entry)[-_MOST_ENTRIES:]
        return History(entries, len(entries) - 1, max(self.documents, entry.document))

    def replace(self, entry: Entry) -> History:
        """Returns the history with another entry in place of the present one."""
        before, after = self.entries[: self.position], self.entries[self.position + 1 :]
        return History((*before, entry, *after), self.position, max(self.documents, entry.document))

    def leave(self, live: Live) -> History:
        """Returns the history with the scroll offset and control states of the document that is left."""
        return self.replace(self.current._replace(scroll_y=live.scroll_y, state=form_state(live)))


def form_state(live: Live) -> FormState:
    """Returns what going back restores: per restorable control a key and its state, None when it is untouched."""
    if not live.edits:
        return _initial_state(live.document)
    return _states(live.document, live.edits)


def restore_form_state(live: Live, state: FormState) -> None:
    """Puts control states back into a document, which may have changed: controls are matched by form, name and type."""
    if not state or state == _initial_state(live.document):
        return
    saved: dict[tuple[str, str, str], list[Any]] = {}
    for key, value in reversed(state):
        saved.setdefault(key, []).append(value)
    for index, key in _restorable(live.document):
        queue = saved.get(key)
        value = queue.pop() if queue else None
        if value is not None:
            _restore(live, index, value)


@derived
def _initial_state(document: Document) -> FormState:
    return _states(document, {})


def _states(document: Document, edits: dict[int, Control]) -> FormState:
    return tuple((key, _saved(document, index, edits)) for index, key in _restorable(document))


@derived
def _restorable(document: Document) -> tuple[tuple[int, tuple[str, str, str]], ...]:
    return tuple(_keys(document))


def _keys(document: Document) -> Iterator[tuple[int, tuple[str, str, str]]]:
    owners = form_owners(document)
    for index in initial_controls(document):
        element, kind = document[index], control_type(document[index])
        form = document[owners[index]] if index in owners else None
        if element.tag != "output" and kind not in _NEVER_RESTORED and not _opted_out(element, form):
            action = form.attrs.get("action", "") if form is not None else "no owner"
            yield index, (action, element.attrs.get("name", ""), kind)


def _opted_out(element: Element, form: Element | None) -> bool:
    own = element.attrs.get("autocomplete", form.attrs.get("autocomplete", "") if form is not None else "")
    return own.lower() == "off"


def _saved(document: Document, index: int, edits: dict[int, Control]) -> Any:
    """Returns the state of a control; like Chromium, a text field is only saved when it was changed."""
    element, control = document[index], edits.get(index) or initial_controls(document)[index]
    if is_checkable(element):
        return control.checked
    if element.tag == "select":
        return tuple(option_value(document, i) for i in control.selected)
    return control.value if control.value != initial_controls(document)[index].value else None


def _restore(live: Live, index: int, value: Any) -> None:
    control = live.control(index)
    if isinstance(value, bool):
        if control.checked != value:
            live.edits[index] = control._replace(checked=value)
    elif isinstance(value, tuple):
        wanted = tuple(i for i in options_by_select(live.document)[index] if option_value(live.document, i) in value)
        if len(wanted) == len(value) and wanted != control.selected:
            live.set_selected(index, wanted)
    elif control.value != value:
        live.set_value(index, value)
