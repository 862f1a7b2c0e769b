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
from .reading import Group, Reading, words

_QUOTED = re.compile(r"“([^”]+)”|\"([^\"]+)\"|‘([^’]+)’")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]*\w")
_URL = re.compile(r"https?://[^\s,;]*[\w/]")
_PERSON = re.compile(r"\b(?:as|[Nn]ame:?|named) ((?:[A-Z][\w'-]+ ?)+)", re.UNICODE)
_DATE = re.compile(r"\b(?:\d{4}-\d{2}-\d{2}|[A-Z][a-z]{2,8} \d{1,2}, \d{4}|\d{1,2} [A-Z][a-z]{2,8} \d{4})\b")
_FORWARD_FROM_END = {"last": 1, "bottom": 1, "second-to-last": 2, "penultimate": 2, "third-to-last": 3}
_ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
_NTH = re.compile(r"\b(\d{1,3})(?:st|nd|rd|th)\b|\bnumber (\d{1,3})\b")
_TOP = ("top", "newest")
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
TEXT_ROLES = ("textbox", "searchbox", "combobox")
CLICK_ROLES = ("link", "button", "checkbox", "radio", "tab", "menuitem", "option", "switch")


class Values(NamedTuple):
    """What a goal gives an agent to enter or to look for.

    Attributes:
        quoted: Quoted phrases, in order.
        email: E-mail address.
        url: Web address.
        person: Name of a person to act as.
        place: Place in a list, from 0, or from the end when negative; None without one.
        number: Number that a page or entry is called by, None without one.
        proper: Capitalised phrases inside the sentence, in order.
    """

    quoted: tuple[str, ...]
    email: str
    url: str
    person: str
    place: int | None
    number: int | None
    proper: tuple[str, ...]


class Candidate(NamedTuple):
    """One candidate action.

    Attributes:
        action: The call.
        primitive: Name of the primitive.
        bid: Target, empty without one.
        role: Role of the target.
        name: Name of the target, or the answer.
        value: Value to enter, or the answer.
        slot: Which of the goal's values it is: `quoted`, `email`, `url`, `person`, `key`, `answer` or empty.
    """

    action: str
    primitive: str
    bid: str = ""
    role: str = ""
    name: str = ""
    value: str = ""
    slot: str = ""


@lru_cache(maxsize=1024)
def values_of(goal: str) -> Values:
    """Returns the values a goal holds."""
    quoted = tuple(next(g for g in m.groups() if g) for m in _QUOTED.finditer(goal))
    bare = _QUOTED.sub(" ", goal)
    person = _PERSON.search(bare)
    return Values(
        quoted,
        _first(_EMAIL, bare),
        _first(_URL, bare).rstrip("."),
        person.group(1).strip() if person else "",
        _place(bare.lower()),
        _number(bare),
        _proper(bare),
    )


def candidates(goal: str, reading: Reading) -> list[Candidate]:
    """Returns the candidate actions of a page for a goal.

    They come in document order, then Escape where a dialog is shown, then answers, then `noop`.
    """
    values = values_of(goal)
    found: list[Candidate] = []
    for entry in _controls(reading):
        found += (entry,) if isinstance(entry, Candidate) else _entries(entry, values)
    if reading.dialog is not None:
        escape = actions.format_action(actions.primitive("keyboard_press", "Escape"))
        found.append(Candidate(escape, "keyboard_press", value="Escape", slot="key"))
    found += [_candidate("send_msg_to_user", None, answer, "answer") for answer in answers(goal, reading)]
    return [*dict.fromkeys(found), _candidate("noop", None)]


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
    """Returns the group whose label the goal names best; the longest one of the main content when none is named."""
    wanted = {_stem(w) for w in words(goal)}

    def fit(group: Group) -> tuple[float, bool, int]:
        label = words(group.label)
        named = sum(_stem(w) in wanted for w in label) / len(label) if label else 0.0
        return (named if named > 0.5 else 0.0, group.main, len(group.items))

    return max(reading.groups, key=fit, default=None)


def shows(goal: str, reading: Reading, ignore: frozenset[str]) -> bool:
    """Tells whether an image of the page is described by a word that the goal asks about outside its quotes."""
    asked = {_stem(w) for w in words(_QUOTED.sub(" ", goal)) if len(w) > 2 and w not in ignore | _SMALL}
    return any(asked & {_stem(w) for w in words(node.name)} for node in reading.nodes if node.role in ("img", "figure"))


def label_of(reading: Reading, element: Mapping[str, Any]) -> str:
    """Returns everything that says what a field is for: name, id, field name, placeholder and type."""
    attrs = element.get("attrs", {})
    return " ".join([element["name"], *(attrs.get(k, "") for k in ("id", "name", "placeholder", "type"))])


@lru_cache(maxsize=256)
def _controls(reading: Reading) -> Sequence[Candidate | Mapping[str, Any]]:
    """Returns what a page offers for every goal, in document order: clicks, Enter, and the fields that take a value."""
    found: list[Candidate | Mapping[str, Any]] = []
    for element in reading.elements:
        role = element["role"]
        if element.get("states", {}).get("disabled"):
            continue
        if role in CLICK_ROLES:
            found.append(_candidate("click", element))
        elif _primitive_of(element):
            found.append(element)
            if element.get("value") and _primitive_of(element) == "fill":
                found.append(_candidate("press", element, "Enter", "key"))
    return found


def _primitive_of(element: Mapping[str, Any]) -> str:
    """Returns the primitive that gives an element a value, empty for none."""
    if element["role"] in TEXT_ROLES and element["tag"] in ("input", "textarea"):
        return "fill"
    return "select_option" if element["role"] in ("combobox", "listbox") else ""


def _entries(element: Mapping[str, Any], values: Values) -> Iterator[Candidate]:
    return (_candidate(_primitive_of(element), element, value, slot) for slot, value in _enterable(values))


def _enterable(values: Values) -> Iterator[tuple[str, str]]:
    yield from (("quoted", q) for q in values.quoted)
    yield from ((s, v) for s, v in (("email", values.email), ("url", values.url), ("person", values.person)) if v)
    if not values.quoted:
        yield from (("proper", p) for p in values.proper)


def _candidate(primitive: str, element: Mapping[str, Any] | None, value: str = "", slot: str = "") -> Candidate:
    target = (element["bid"], element["role"], element["name"]) if element is not None else ("", "", "")
    return _made(primitive, *target, value, slot)


@lru_cache(maxsize=16_384)  # the same links stand on every page
def _made(primitive: str, bid: str, role: str, name: str, value: str, slot: str) -> Candidate:
    target = (bid,) if bid else ()
    given = (value,) if primitive in _TAKES_VALUE else ()
    action = actions.format_action(actions.primitive(primitive, *target, *given))
    return Candidate(action, primitive, bid, role, name, value, slot)


def _first(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match.group() if match else ""


def _place(goal: str) -> int | None:
    for word, back in sorted(_FORWARD_FROM_END.items(), key=lambda x: -len(x[0])):
        if re.search(rf"(?<![\w-]){word}(?![\w-])", goal):
            return -back
    for place, word in enumerate(_ORDINALS):
        if re.search(rf"\b{word}\b", goal):
            return place
    match = _NTH.search(goal)
    if match:
        return int(match.group(1) or match.group(2)) - 1
    return 0 if any(re.search(rf"\b{word}\b", goal) for word in _TOP) else None


def _number(goal: str) -> int | None:
    match = re.search(r"\bpage (\d{1,4})\b", goal)
    return int(match.group(1)) if match else None


def _proper(goal: str) -> tuple[str, ...]:
    """Returns runs of capitalised words (small joining words allowed inside), the first word of a sentence left out."""
    runs = re.findall(r"(?<![.?!:] )(?<!^)\b[A-Z][\w'’-]*(?: (?:of|and|the|to|in|on|a|for|\d{4}|[A-Z][\w'’-]*))*", goal)
    trimmed = (re.sub(r"(?: (?:of|and|the|to|in|on|a|for))+$", "", run) for run in runs)
    return tuple(dict.fromkeys(t for t in trimmed if len(t) > 2))


def _stem(word: str) -> str:
    return word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith("ss") else word


def ranked(scores: Sequence[float]) -> list[int]:
    """Returns candidate indices, best first; ties in document order."""
    return sorted(range(len(scores)), key=lambda i: (-scores[i], i))
