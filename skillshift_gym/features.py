"""Candidates as numbers: what the lexical backbone weighs and a learned policy may see.

Every feature is in [0, 1] and is read from the goal, the page and the agent's own past; none knows a site or a task.
"""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urldefrag, urljoin

import numpy as np
from numpy.typing import NDArray

from .candidates import Candidate, label_of, shows
from .context import UI_WORDS, Context
from .reading import phrase, words

Feature = Callable[[Candidate, Context], float]
_FEW = 3

FEATURES: dict[str, tuple[str, Feature]] = {}


def _feature(text: str) -> Callable[[Feature], Feature]:
    def register(function: Feature) -> Feature:
        FEATURES[function.__name__] = (text, function)
        return function

    return register


@_feature("The target's name is a phrase that the goal quotes or capitalises; earlier phrases count more.")
def exact(c: Candidate, x: Context) -> float:
    """Returns 1 for the first wanted phrase, less for later ones."""
    if c.primitive != "click" or not c.name:
        return 0.0
    name = phrase(c.name)
    return next((1.0 / (1 + 0.3 * i) for i, w in enumerate(x.wanted) if w == name), 0.0)


@_feature("A wanted phrase stands inside the target's name; the share of the name it makes up.")
def contains(c: Candidate, x: Context) -> float:
    """Returns the share of the name that the longest wanted phrase in it makes up."""
    name = phrase(c.name)
    if c.primitive != "click" or not c.name:
        return 0.0
    return max((len(w) / len(name) for w in x.wanted if len(w) > 4 and w in name), default=0.0)


@_feature("The target's whole name stands in the goal; longer names count more.")
def named(c: Candidate, x: Context) -> float:
    """Returns 0 to 1 by the number of words in the name."""
    count = len(words(c.name))
    if c.primitive != "click" or not count or phrase(c.name) not in x.goal_phrase:
        return 0.0
    return min(1.0, count / _FEW)


@_feature("Share of the name's words, weighted by rarity on the page, that the goal has too.")
def overlap(c: Candidate, x: Context) -> float:
    """Returns the rarity-weighted overlap of name and goal."""
    parts = words(c.name)
    total = sum(x.rarity.get(w, 0.0) for w in parts)
    return sum(x.rarity.get(w, 0.0) for w in parts if w in x.goal_words) / total if c.bid and total else 0.0


@_feature("The target is the first link of the list item that the goal points at, and it is time to open it.")
def place(c: Candidate, x: Context) -> float:
    """Returns 1 for that link."""
    return float(c.primitive == "click" and bool(c.bid) and c.bid == x.pointed and x.ready and not x.facts)


@_feature("The target's name is the page number of the goal.")
def number(c: Candidate, x: Context) -> float:
    """Returns 1 for that link."""
    return float(c.primitive == "click" and x.values.number is not None and x.numbers.get(c.bid) == x.values.number)


@_feature("The target's name is the number closest to the page number of the goal.")
def closer(c: Candidate, x: Context) -> float:
    """Returns 1 for the closest number on the page."""
    goal = x.values.number
    if goal is None or c.primitive != "click" or c.bid not in x.numbers:
        return 0.0
    return float(abs(x.numbers[c.bid] - goal) == min(abs(n - goal) for n in x.numbers.values()))


@_feature("The target leads forward or back, as the goal wants after its list item was opened.")
def direction(c: Candidate, x: Context) -> float:
    """Returns 1 for a link whose name starts with a word of the wanted direction."""
    first = words(c.name)[:1]
    if c.primitive != "click" or not first or not x.memory.places:
        return 0.0
    return float(any(first[0] in UI_WORDS[d] and x.goal_words & UI_WORDS[d] for d in ("next", "previous")))


@_feature("The value fits what the field is for.")
def field_fit(c: Candidate, x: Context) -> float:
    """Returns 1 when slot and label agree; search fields are apart."""
    if c.primitive not in ("fill", "select_option") or is_search(c, x):
        return 0.0
    label = set(words(label_of(x.reading, x.by_bid[c.bid])))
    if c.slot == "quoted" and phrase(c.value) in map(phrase, x.reading.headings):
        return 0.0
    fits = bool(label & UI_WORDS.get(c.slot, frozenset()))
    rivals = any(label & UI_WORDS[s] for s in ("email", "url") if s != c.slot)
    return float(fits and not rivals)


@_feature("A quoted or capitalised phrase for a search field, while nothing on the page is called so.")
def search_for(c: Candidate, x: Context) -> float:
    """Returns 1 for the first phrase, less for later ones."""
    if c.primitive != "fill" or not is_search(c, x) or x.arrived or c.value in x.memory.entered:
        return 0.0
    order = [*x.values.quoted, *x.values.proper]
    return 1.0 / (1 + order.index(c.value)) if c.value in order else 0.0


@_feature("The goal speaks of searching and the value has not been entered.")
def search_first(c: Candidate, x: Context) -> float:
    """Returns 1 for the quoted phrase in a search field."""
    return float(c.primitive == "fill" and is_search(c, x) and c.slot == "quoted" and not x.searched)


@_feature("Enter in a search field that holds a value of the goal.")
def enter(c: Candidate, x: Context) -> float:
    """Returns 1 for Enter there, unless it was tried."""
    given = (*x.values.quoted, *x.values.proper)
    return float(c.primitive == "press" and is_search(c, x) and x.by_bid[c.bid].get("value") in given)


@_feature("The field already holds the value.")
def held(c: Candidate, x: Context) -> float:
    """Returns 1 when filling would change nothing."""
    return float(c.primitive == "fill" and x.by_bid[c.bid].get("value") == c.value)


@_feature("A submitting button while fields hold values of the goal; more fields count more.")
def submit(c: Candidate, x: Context) -> float:
    """Returns 0 to 1 by the number of filled fields."""
    if c.role != "button" or not x.fields_filled or not set(words(c.name)) & UI_WORDS["submit"]:
        return 0.0
    return min(1.0, x.fields_filled / _FEW) if not set(words(c.name)) & {"search"} else 0.0


@_feature("The action was taken at this address before.")
def tried(c: Candidate, x: Context) -> float:
    """Returns 1 for a repeated action."""
    return float((x.url, c.action) in x.memory.tried)


@_feature("The link leads to an address seen before.")
def visited(c: Candidate, x: Context) -> float:
    """Returns 1 for such a link."""
    href = x.by_bid[c.bid].get("attrs", {}).get("href") if c.bid else None
    return float(bool(href) and urldefrag(urljoin(x.url, href)).url in x.memory.visited)


@_feature("The control, or Escape, that closes the dialog on the page: an unticked box first, then a button.")
def closes(c: Candidate, x: Context) -> float:
    """Returns 1 for an unticked box in the dialog, less for a button there, less still for Escape."""
    if x.reading.dialog is None:
        return 0.0
    if c.primitive == "keyboard_press":
        return 0.8
    if c.bid not in x.reading.dialog or c.primitive != "click":
        return 0.0
    unticked = c.role == "checkbox" and x.by_bid[c.bid].get("states", {}).get("checked") == "false"
    return 1.0 if unticked else 0.9 * (c.role == "button")


@_feature("The answer to a yes-or-no question, on the page that the goal names.")
def yes_no(c: Candidate, x: Context) -> float:
    """Returns 1 for the answer that the page's images suggest."""
    if c.slot != "answer" or not x.asks or not x.arrived:
        return 0.0
    return float(words(c.value) == (["yes"] if shows(x.goal, x.reading, UI_WORDS["image"]) else ["no"]))


@_feature("An answer made of the facts that the goal asks for.")
def fact(c: Candidate, x: Context) -> float:
    """Returns the share of the wanted facts that the answer has, by the look of its parts."""
    if c.slot != "answer" or not x.facts or ";" not in c.value:
        return 0.0
    first, _, second = c.value.partition("; ")
    return 0.5 * (_looks(first, x, 0) + _looks(second, x, 1))


@_feature("A closing message when nothing is asked.")
def done(c: Candidate, x: Context) -> float:
    """Returns 1 for the message that says no more than that."""
    return float(c.slot == "answer" and words(c.value) == ["done"])


@_feature("Doing nothing.")
def idle(c: Candidate, x: Context) -> float:
    """Returns 1 for `noop`."""
    return float(c.primitive == "noop")


def is_search(c: Candidate, x: Context) -> bool:
    """Tells whether the target is a search field."""
    return c.role == "searchbox" or "search" in words(label_of(x.reading, x.by_bid[c.bid]))


def vectors(candidates: list[Candidate], context: Context) -> NDArray[np.float32]:
    """Returns the features of candidates, shape (candidates, features), in the order of `FEATURES`."""
    functions = [function for _, function in FEATURES.values()]
    return np.array([[f(c, context) for f in functions] for c in candidates], dtype=np.float32)


def _looks(part: str, x: Context, index: int) -> float:
    """Returns whether a part of an answer looks like the fact that the goal asks for at its place."""
    kinds = sorted(
        (x.goal_phrase.find(f" {w} "), k) for k in ("date", "title", "category") for w in UI_WORDS[k]
        if f" {w} " in x.goal_phrase
    )  # fmt: skip
    order = list(dict.fromkeys(k for _, k in kinds))
    if index >= len(order):
        return 0.0
    dated = any(w.isdigit() and len(w) == 4 for w in words(part)) and len(words(part)) == _FEW
    looks = {"date": dated, "title": part.startswith("“"), "category": part in x.listed and not dated}
    return float(looks[order[index]])
