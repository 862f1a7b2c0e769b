"""Candidate actions of a page: primitive, target, and a value or answer drawn from the goal and the page.

Used by the backbones and by the RL view. Candidates read only what an agent reads; `features` describes each as a vector
of documented numbers.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from . import actions
from .answers import table_answers
from .forms import TEXT_ROLES, entries, fields_of
from .goal_values import QUOTED, Values, values_of
from .reading import Group, Reading, words

_DATE = re.compile(r"\b(?:\d{4}-\d{2}-\d{2}|[A-Z][a-z]{2,8} \d{1,2}, \d{4}|\d{1,2} [A-Z][a-z]{2,8} \d{4})\b")
_SMALL = frozenset(
    [
        "the",
        "and",
        "one",
        "its",
        "that",
        "this",
        "has",
        "have",
        "any",
        "with",
        "tell",
        "see",
        "show",
        "shows",
        "does",
        "whether",
    ]
)
_TAKES_VALUE = ("fill", "press", "select_option", "send_msg_to_user")
CLICK_ROLES = ("link", "button", "checkbox", "radio", "tab", "menuitem", "option", "switch")
SKILL = "skill"  # what `Candidate.primitive` says of a call of a skill
_NATIVE = "option"  # the tag of what a list holds: chosen with select_option, not by a click


class Candidate(NamedTuple):
    """One candidate action.

    Attributes:
        action: The call.
        primitive: Name of the primitive, `SKILL` for a call of a skill.
        bid: Target, empty without one.
        role: Role of the target; of an answer, what these columns hold.
        name: Name of the target; of an answer, the columns that it is drawn from; of a skill, what it is for.
        value: Value to enter, or the answer.
        slot: Which of the goal's values it is (`quoted`, `email`, `from`, ... as `forms.Entry.slot` says), `key`, what kind
            of answer (`answer`, or as `answers.Answer.slot` says), the name of a skill, or empty.
        fit: Of a skill: how much what it is for is what the goal says, in [0, 1].
        ready: Of a skill: whether the page shows what it begins with: 1, 0, or 0.5 when that cannot be read.
    """

    action: str
    primitive: str
    bid: str = ""
    role: str = ""
    name: str = ""
    value: str = ""
    slot: str = ""
    fit: float = 0.0
    ready: float = 0.0


def candidates(goal: str, reading: Reading) -> list[Candidate]:
    """Returns the candidate actions of a page for a goal.

    They come in document order, then Escape where a dialog is shown, then answers, then `noop`.
    """
    found: list[Candidate] = []
    for entry in _controls(reading):
        found += (entry,) if isinstance(entry, Candidate) else _entries(entry, goal, reading)
    if reading.dialog is not None:
        escape = actions.format_action(actions.primitive("keyboard_press", "Escape"))
        found.append(Candidate(escape, "keyboard_press", value="Escape", slot="key"))
    found += [_candidate("send_msg_to_user", None, answer, "answer") for answer in answers(goal, reading)]
    found += [_made("send_msg_to_user", "", a.kind, a.column, a.value, a.slot) for a in table_answers(goal, reading)]
    distinct: dict[str, Candidate] = {}
    for candidate in found:
        distinct.setdefault(candidate.action, candidate)
    return [*distinct.values(), _candidate("noop", None)]


def answers(goal: str, reading: Reading) -> list[str]:
    """Returns answers that the page suggests: yes and no, and the facts of the list item that the goal points at."""
    found = ["Done.", "Yes.", "No."]
    values = values_of(goal)
    item = pointed_item(goal, values, reading)
    if item is not None:
        texts = [t for t in reading.texts_in(item) if len(t) > 1]
        title = next(iter(texts), "")
        others = [t for t in dict.fromkeys(texts) if t != title and len(words(t)) <= 8]
        found += [f"“{title}”; {other}" for other in others]
        dates = [t for t in others if _DATE.search(t)]
        found += [f"{a}; {d}" for d in dates for a in others if a != d]
        heading = reading.title_of(item)  # an item may begin with a picture, whose name comes first
        found += [f"“{heading}”; {other}" for other in others if heading and other != heading]
    return list(dict.fromkeys(found))


def pointed_item(goal: str, values: Values, reading: Reading) -> int | None:
    """Returns the position of the list item that the goal names by its place, or None."""
    if values.place is None and values.number is None:
        return None
    group = best_group(goal, reading)
    place = values.place if values.place is not None else (values.number or 1) - 1
    if group is None or not -len(group.items) <= place < len(group.items):
        return None
    return group.items[place]


def best_group(goal: str, reading: Reading) -> Group | None:
    """Returns the group whose label the goal names best; the longest one of the main content when none is named.

    Rows of tables are no such group: see `answers`.
    """
    wanted = {_stem(w) for w in words(goal)}

    def fit(group: Group) -> tuple[float, bool, int]:
        label = words(group.label)
        named = sum(_stem(w) in wanted for w in label) / len(label) if label else 0.0
        return (named if named > 0.5 else 0.0, group.main, len(group.items))

    return max((g for g in reading.groups if reading.nodes[g.items[0]].role != "row"), key=fit, default=None)


def shows(goal: str, reading: Reading, ignore: frozenset[str]) -> bool:
    """Tells whether an image of the page is described by a word that the goal asks about outside its quotes."""
    asked = {_stem(w) for w in words(QUOTED.sub(" ", goal)) if len(w) > 2 and w not in ignore | _SMALL}
    return any(asked & {_stem(w) for w in words(node.name)} for node in reading.nodes if node.role in ("img", "figure"))


def label_of(reading: Reading, element: Mapping[str, Any]) -> str:
    """Returns everything that says what a field is for: name, id, field name, placeholder and type."""
    attrs = element.get("attrs", {})
    return " ".join([element["name"], *(attrs.get(k, "") for k in ("id", "name", "placeholder", "type"))])


@lru_cache(maxsize=256)
def _controls(reading: Reading) -> Sequence[Candidate | Mapping[str, Any]]:
    """Returns what a page offers for every goal, in document order: clicks, Enter, and the fields that take a value."""
    found: list[Candidate | Mapping[str, Any]] = []
    fields = fields_of(reading)
    for element in reading.elements:
        if element.get("states", {}).get("disabled") or element["tag"] == _NATIVE:
            continue
        if element["bid"] in fields:
            found.append(element)
            if element.get("value") and not fields[element["bid"]].bound and _is_text(element):
                found.append(_candidate("press", element, "Enter", "key"))
        elif element["role"] in CLICK_ROLES:
            found.append(_candidate("click", element))
    return found


def _is_text(element: Mapping[str, Any]) -> bool:
    return element["role"] in TEXT_ROLES and element["tag"] in ("input", "textarea")


def _entries(element: Mapping[str, Any], goal: str, reading: Reading) -> Iterator[Candidate]:
    """Yields what gives a field a value."""
    bid, role, name = element["bid"], element["role"], element["name"]
    primitive = "fill" if _is_text(element) else "select_option"
    return (_made(primitive, bid, role, name, e.value, e.slot) for e in entries(goal, reading, bid))


def _candidate(primitive: str, element: Mapping[str, Any] | None, value: str = "", slot: str = "") -> Candidate:
    target = (element["bid"], element["role"], element["name"]) if element is not None else ("", "", "")
    return _made(primitive, *target, value, slot)


@lru_cache(maxsize=16_384)  # the same links stand on every page
def _made(primitive: str, bid: str, role: str, name: str, value: str, slot: str) -> Candidate:
    target = (bid,) if bid else ()
    given: tuple[str | tuple[str, ...], ...] = (value,) if primitive in _TAKES_VALUE else ()
    if slot == "every":
        given = (tuple(value.split("; ")),)
    action = actions.format_action(actions.primitive(primitive, *target, *given))
    return Candidate(action, primitive, bid, role, name, value, slot)


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def ranked(scores: Sequence[float]) -> list[int]:
    """Returns candidate indices, best first; ties in document order."""
    return sorted(range(len(scores)), key=lambda i: (-scores[i], i))
