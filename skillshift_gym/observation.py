"""From a page to observation fields.

Every field is text or a small array, and says here once what it holds, in which unit and range.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces

from .browsers.protocol import Tab
from .errors import UsageError
from .page import Page
from .spaces import WebText

MARKER = "[cut: {shown} of {total} {unit} shown]"


class View(NamedTuple):
    """What an observation is made from."""

    goal: str
    page: Page
    tabs: tuple[Tab, ...]
    active_tab: int
    last_action: str
    last_action_error: str
    step: int
    budget: int


class Field(NamedTuple):
    """One observation field: its space and its meaning."""

    space: spaces.Space[Any]
    text: str


def _count() -> spaces.Box:
    return spaces.Box(low=0, high=2**31 - 1, shape=(1,), dtype=np.int64)


FIELDS: dict[str, Field] = {
    "goal": Field(WebText(2_000), "What the user asks for."),
    "url": Field(WebText(2_000), "Address of the page shown."),
    "title": Field(WebText(500), "Title of the page shown."),
    "tabs": Field(WebText(8_000), "JSON list of the open tabs: url, title, active."),
    "axtree": Field(
        WebText(150_000),
        "The accessibility tree, one node a line, two spaces a level: `[bid] role 'name', value='..', states`.",
    ),
    "elements": Field(
        WebText(300_000), "JSON lines, one for each element to act on: bid, role, name, tag, value, states, attrs."
    ),
    "html": Field(WebText(500_000), "The document with bids and live state, hidden elements included."),
    "focused_bid": Field(WebText(20), "Bid of the focused element, empty without one."),
    "last_action": Field(WebText(10_000), "The action just taken, as given (cut at 10,000 characters)."),
    "last_action_error": Field(WebText(2_000), "`code: message` when that action failed, else empty."),
    "step": Field(_count(), "Actions taken in this episode, shape (1,)."),
    "budget_left": Field(_count(), "Actions left, shape (1,)."),
}


def observation_space(fields: Sequence[str]) -> spaces.Dict:
    """Returns the space of the chosen fields, in the given order.

    Raises:
        UsageError: A field does not exist.
    """
    if isinstance(fields, str):
        raise UsageError(f"observation: expected a sequence of field names, got the string {fields!r}")
    unknown = [name for name in fields if name not in FIELDS]
    if unknown:
        raise UsageError(f"observation: no field {unknown[0]!r}; expected some of {', '.join(FIELDS)}")
    return spaces.Dict({name: FIELDS[name].space for name in fields})


def observe(view: View, fields: Sequence[str]) -> tuple[dict[str, Any], tuple[str, ...]]:
    """Returns the observation and the names of the fields that had to be cut."""
    observation: dict[str, Any] = {}
    cut: list[str] = []
    for name in fields:
        value = _MAKERS[name](view)
        if isinstance(value, str) and len(value) > FIELDS[name].space.max_length:  # type: ignore[attr-defined]
            value = _shorten(name, view, FIELDS[name].space.max_length)  # type: ignore[attr-defined]
            cut.append(name)
        observation[name] = value
    return observation, tuple(cut)


def _tabs(view: View) -> str:
    return json.dumps(
        [{"url": t.url, "title": t.title, "active": i == view.active_tab} for i, t in enumerate(view.tabs)],
        ensure_ascii=False,
    )


def _number(value: int) -> np.ndarray[Any, np.dtype[np.int64]]:
    return np.array([value], dtype=np.int64)


_MAKERS: dict[str, Callable[[View], Any]] = {
    "goal": lambda v: v.goal,
    "url": lambda v: v.page.url,
    "title": lambda v: v.page.title,
    "tabs": _tabs,
    "axtree": lambda v: v.page.axtree,
    "elements": lambda v: v.page.element_list,
    "html": lambda v: v.page.html,
    "focused_bid": lambda v: v.page.focused_bid,
    "last_action": lambda v: v.last_action,
    "last_action_error": lambda v: v.last_action_error,
    "step": lambda v: _number(v.step),
    "budget_left": lambda v: _number(max(0, v.budget - v.step)),
}
_UNITS = {"axtree": ("\n", "lines"), "elements": ("\n", "elements"), "html": ("<", "tags")}


def _shorten(name: str, view: View, limit: int) -> str:
    """Returns a field cut at a node boundary, with a visible marker at its end."""
    text = str(_MAKERS[name](view))
    if name not in _UNITS:
        return text[:limit]
    start, unit = _UNITS[name]
    end = text.rfind(start, 0, limit - len(MARKER) - 40)
    shown, total = text.count(start, 0, end), text.count(start)
    return text[:end] + "\n" + MARKER.format(shown=shown, total=total, unit=unit)
