"""What a person did, as the steps of a trajectory: keystrokes become one fill, and what came to nothing is left out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple
from urllib.parse import urlsplit

from ..actions import Primitive, primitive, takes_bid
from ..browsers.structure import describe
from ..page import Page
from ..skills.recorder import Step

_TABS = ("tab_focus", "tab_close")
_SETTINGS = ("fill", "check", "uncheck", "select_option")
_SAME = {"check": "ticked", "uncheck": "ticked"}


class Deed(NamedTuple):
    """A step and where it was taken.

    Attributes:
        step: The step.
        document: What tells one document from another.
    """

    step: Step
    document: object

    @property
    def setting(self) -> tuple[object, str, str] | None:
        """What control it sets, None when it sets none."""
        call = self.step.primitive
        return (self.document, _SAME.get(call.name, call.name), call.args[0]) if call.name in _SETTINGS else None


class Deeds:
    """The deeds so far.

    Args:
        told: Takes a line about each new deed.

    Attributes:
        notes: What was seen and cannot be a step, in words.
    """

    def __init__(self, told: Callable[[str], None] = lambda line: None) -> None:
        self.notes: list[str] = []
        self._told = told
        self._deeds: list[Deed] = []

    @property
    def steps(self) -> list[Step]:
        """The steps; tabs that were only looked at or closed at the end are left out."""
        kept = [deed.step for deed in self._deeds if not _changes_nothing(deed.step)]
        while kept and kept[-1].primitive.name in _TABS:
            kept.pop()
        return kept

    def add(self, page: Page, call: Primitive, document: object = None) -> None:
        """Adds a primitive; the next setting of the same control takes the place of the one before.

        Args:
            page: The page it was done on, as it was before.
            call: The primitive.
            document: What tells one document from another.
        """
        deed = Deed(Step(page, call), document)
        last = self._deeds[-1] if self._deeds else None
        if last is not None and last.setting is not None and last.setting == deed.setting:
            self._deeds[-1] = Deed(Step(last.step.page, call), document)
            return
        self._deeds.append(deed)
        self._told(shown(deed.step))

    def note(self, text: str) -> None:
        """Notes something that cannot be a step."""
        self.notes.append(text)
        self._told(f"left out: {text}")


def calls_of(message: Mapping[str, Any], page: Page) -> list[Primitive]:
    """Returns the primitives of a deed that the page's script told; none for one that has no primitive.

    Args:
        message: `kind`, `place` (of the element) and, by kind, `value` or `values`.
        page: The page before the deed.
    """
    kind, bid = message["kind"], str(message["place"])
    if kind == "fill":
        return [primitive("fill", bid, message["value"])]
    if kind == "select":
        return [primitive("select_option", bid, tuple(message["values"]))]
    if kind == "enter":
        return [primitive("press", bid, "Enter")]
    if kind == "escape":
        return [primitive("keyboard_press", "Escape")]
    if kind == "open":
        return [primitive("new_tab"), primitive("goto", path_of(message["value"]))]
    if kind in ("click", "check", "uncheck"):
        return [primitive(kind, bid)]
    return []


def path_of(url: str) -> str:
    """Returns an address without its host: the form that runs on every deployment."""
    parts = urlsplit(url)
    return (
        (parts.path or "/")
        + (f"?{parts.query}" if parts.query else "")
        + (f"#{parts.fragment}" if parts.fragment else "")
    )


def shown(step: Step) -> str:
    """Returns a step in words for a terminal."""
    call = step.primitive
    if not takes_bid(call):
        return " ".join([call.name, *map(str, call.args)])
    element = step.page.element(int(call.args[0]))
    what = f"{element.role} {element.name!r}" if element.role else describe(step.page.document[int(call.args[0])])
    more = "" if call.name == "fill" else "".join(f" {a}" for a in call.args[1:] if isinstance(a, str) and a != "left")
    return f"{call.name} {what}{more}"


def _changes_nothing(step: Step) -> bool:
    """Tells whether a field got the value that it had: typed and deleted again, ticked and unticked."""
    call = step.primitive
    if call.name not in ("fill", "check", "uncheck"):
        return False
    control = step.page.snapshot.controls.get(int(call.args[0]))
    if control is None:
        return False
    return control.value == call.args[1] if call.name == "fill" else control.checked == (call.name == "check")
