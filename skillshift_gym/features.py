"""Candidates as numbers: what the lexical backbone weighs and a learned policy may see.

Every feature is in [0, 1] and is read from the goal, the page and the agent's own past; none knows a site or a task.
A feature is computed for all candidates that it can be about at once: these come as a list, one number for each goes
back.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from urllib.parse import urldefrag, urljoin

import numpy as np
from numpy.typing import NDArray

from . import answer_features, form_features  # noqa: F401  they register their own
from .candidates import Candidate, label_of
from .context import STATE, Context
from .feature_table import ABOUT, FEATURES
from .feature_table import feature as _feature
from .reading import phrase, words
from .vocabulary import UI_WORDS

__all__ = ["FEATURES", "PAST", "state", "vectors"]

_FEW = 3

# Features that look at the actions and addresses of the past; the others depend on goal, page and `Memory.phase` alone.
PAST = ("tried", "visited", "apply", "skill_called")


@_feature(
    "The target's name is a phrase that the goal quotes or capitalises; earlier phrases count more.", "shared clicks"
)
def exact(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields 1 for the first wanted phrase, less for later ones."""
    worth = {w: 1.0 / (1 + 0.3 * i) for i, w in reversed(list(enumerate(x.wanted)))}
    return (worth.get(phrase(c.name), 0.0) if c.name else 0.0 for c in cs)


@_feature("A wanted phrase stands inside the target's name; the share of the name it makes up.", "shared clicks")
def contains(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields the share of the name that the longest wanted phrase in it makes up."""
    wanted = [w for w in x.wanted if len(w) > 4]
    for c in cs:
        name = phrase(c.name)
        yield max((len(w) / len(name) for w in wanted if w in name), default=0.0) if c.name else 0.0


@_feature("The target's whole name stands in the goal; longer names count more.", "shared clicks")
def named(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields 0 to 1 by the number of words in the name."""
    goal = x.goal_phrase
    return (min(1.0, len(words(c.name)) / _FEW) if words(c.name) and phrase(c.name) in goal else 0.0 for c in cs)


@_feature("Share of the name's words, weighted by rarity on the page, that the goal has too.", "shared")
def overlap(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields the rarity-weighted overlap of name and goal."""
    rarity, goal = x.reading.rarity, x.goal_words
    for c in cs:
        parts = words(c.name)
        total = sum(rarity.get(w, 0.0) for w in parts)
        yield sum(rarity.get(w, 0.0) for w in parts if w in goal) / total if total else 0.0


@_feature("The target's name is the number closest to the page number of the goal.", "clicks")
def closer(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields 1 for the closest number on the page."""
    goal, numbers = x.values.number, x.reading.numbers
    if goal is None:
        return [0.0] * len(cs)
    best = min((abs(n - goal) for n in numbers.values()), default=0)
    return (float(c.bid in numbers and abs(numbers[c.bid] - goal) == best) for c in cs)


@_feature("The value fits what the field is for.", "values")
def field_fit(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields 1 when slot and label agree; search fields are apart."""
    headings = set(map(phrase, x.reading.headings))
    for c in cs:
        label = set(words(label_of(x.reading, x.reading.by_bid[c.bid])))
        rivals = any(label & UI_WORDS[s] for s in ("email", "url") if s != c.slot)
        titled = c.slot == "quoted" and phrase(c.value) in headings
        fits = bool(label & UI_WORDS.get(c.slot, frozenset()))
        yield float(fits and not rivals and not titled and not is_search(c, x) and not _elsewhere(c, x))


def _elsewhere(c: Candidate, x: Context) -> bool:
    """Tells whether the plan has another value for the field, or another field for the value."""
    own = x.plan.get(c.bid)
    if x.filtering or (x.parted and c.value in x.memory.entered):
        return True
    return (own is not None and own.value != c.value) or (own is None and c.value in x.planned)


@_feature("A quoted or capitalised phrase for a search field, while nothing on the page is called so.", "values")
def search_for(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields 1 for the first phrase, less for later ones."""
    order = [*x.values.quoted, *x.values.proper, *x.values.codes]
    for c in cs:
        due = _seeks(c, x) and not x.arrived and c.value not in x.memory.entered
        yield 1.0 / (1 + order.index(c.value)) if due and c.value in order else 0.0


@_feature("A submitting button while fields hold values of the goal; more fields count more.", "clicks")
def submit(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields 0 to 1 by the number of filled fields."""
    elsewhere = x.filtering or (x.parted and x.makes and x.missing > 0.0)
    filled = 0.0 if elsewhere else min(1.0, x.fields_filled / _FEW)
    names = (set(words(c.name)) if filled and c.role == "button" else set() for c in cs)
    return [filled if name & UI_WORDS["submit"] and "search" not in name else 0.0 for name in names]


@_feature("The link leads to an address seen before.", "clicks")
def visited(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields 1 for such a link."""
    seen, elements = x.memory.visited, x.reading.by_bid
    if not seen:
        return [0.0] * len(cs)
    hrefs = [elements[c.bid].get("attrs", {}).get("href") for c in cs]
    return [bool(href) and _absolute(x.url, href) in seen for href in hrefs]


@_feature("The control, or Escape, that closes the dialog on the page: an unticked box first, then a button.", "any")
def closes(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields 1 for an unticked box in the dialog, less for a button there, less still for Escape."""
    inside = x.reading.dialog or frozenset()
    for c in cs:
        if c.primitive != "keyboard_press" and (c.bid not in inside or c.primitive != "click"):
            yield 0.0
        elif c.primitive == "keyboard_press":
            yield 0.8
        else:
            states = x.reading.by_bid[c.bid].get("states", {})
            unticked = c.role == "checkbox" and states.get("checked") == "false"
            yield 1.0 if unticked else 0.9 * (c.role == "button")


@_feature("The answer to a yes-or-no question, on the page that the goal names.", "messages")
def yes_no(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields 1 for the answer that the page's images suggest."""
    expected = (("yes",) if x.shows else ("no",)) if x.asks and x.arrived else None
    return (float(words(c.value) == expected) for c in cs)


@_feature("An answer made of the facts that the goal asks for.", "messages")
def fact(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields the share of the wanted facts that the answer has, by the look of its parts."""
    for c in cs:
        first, found, second = c.value.partition("; ")
        yield 0.5 * (x.looks(first, 0) + x.looks(second, 1)) if x.facts and found else 0.0


def is_search(c: Candidate, x: Context) -> bool:
    """Tells whether the target is a search field."""
    return c.role == "searchbox" or "search" in words(label_of(x.reading, x.reading.by_bid[c.bid]))


@_feature("The target leads forward or back, as the goal wants.", "clicks")
def toward(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields 1 for a name that starts with a word of the direction that the goal wants."""
    wanted = frozenset().union(*(UI_WORDS[d] for d in ("next", "previous") if x.goal_words & UI_WORDS[d]))
    return [bool(wanted) and not wanted.isdisjoint(words(c.name)[:1]) for c in cs]


@_feature(
    "Beside the first of the targets whose whole name stands in the goal: 1 just before it, 0.5 just after.", "clicks"
)
def beside(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields 1 before that target and 0.5 after it."""
    sharing = [i for i, c in enumerate(cs) if not x.goal_words.isdisjoint(words(c.name))]
    worth = dict(zip(sharing, named([cs[i] for i in sharing], x), strict=True))
    best = max(worth, key=lambda i: (worth[i], -i), default=-2)
    near = {best - 1: 1.0, best + 1: 0.5} if worth.get(best) else {}
    return [near.get(i, 0.0) for i in range(len(cs))]


# What needs no more than a line.
_feature("The first link of the list item that the goal points at, when it is time to open it.", "clicks", "place")(
    lambda cs, x: [c.bid == x.pointed and x.ready and not x.facts for c in cs]
)
_feature("The target's name is the page number of the goal.", "clicks", "number")(
    lambda cs, x: [x.reading.numbers.get(c.bid, -1) == x.values.number for c in cs]
)
_feature("The target leads forward or back, as the goal wants, after its list item was opened.", "clicks", "direction")(
    lambda cs, x: toward(cs, x) if x.memory.places else [0.0] * len(cs)
)
_feature(
    "A quoted phrase for a search field, when the goal speaks of searching and none was entered.",
    "values",
    "search_first",
)(lambda cs, x: [_seeks(c, x) and c.slot == "quoted" and not x.searched for c in cs])
_feature("Enter in a search field that holds a value of the goal.", "keys", "enter")(
    lambda cs, x: [c.primitive == "press" and is_search(c, x) and x.holds(c.bid) for c in cs]
)
_feature("The field already holds the value.", "values", "held")(
    lambda cs, x: [c.primitive == "fill" and x.reading.by_bid[c.bid].get("value") == c.value for c in cs]
)
_feature("A closing message when nothing is asked.", "messages", "done")(
    lambda cs, x: [words(c.value) == ("done",) for c in cs]
)
_feature("Doing nothing.", "any", "idle")(lambda cs, x: [c.primitive == "noop" for c in cs])
_feature("The action was taken at this address before.", "any", "tried")(
    lambda cs, x: [c.action in x.tried for c in cs]
)
_feature("The first link of the list item that the goal points at.", "clicks", "pointed")(
    lambda cs, x: [c.bid == x.pointed for c in cs]
)
_feature("Inside that list item.", "clicks", "in_item")(lambda cs, x: [c.bid in x.item_bids for c in cs])
_feature("Inside the main content.", "clicks", "in_main")(lambda cs, x: [c.bid in x.reading.main for c in cs])
_feature("Inside a heading.", "clicks", "in_title")(lambda cs, x: [c.bid in x.reading.titles for c in cs])
_feature("Outside the dialog that is shown.", "any", "not_dialog")(
    lambda cs, x: [bool(c.bid) and c.bid not in (x.reading.dialog or (c.bid,)) for c in cs]
)
_feature("A click on a link.", "clicks", "link")(lambda cs, x: [c.role == "link" for c in cs])
_feature("A click on a button.", "clicks", "button")(lambda cs, x: [c.role == "button" for c in cs])
_feature("A value is entered.", "values", "types")(lambda cs, x: [1.0] * len(cs))
_feature("A value is entered in a search field.", "values", "searches")(lambda cs, x: [is_search(c, x) for c in cs])
_feature("The value is the first that the goal quotes.", "values", "first_value")(
    lambda cs, x: [c.value in x.values.quoted[:1] for c in cs]
)
_feature("The value is the last that the goal quotes.", "values", "last_value")(
    lambda cs, x: [c.value in x.values.quoted[-1:] for c in cs]
)
_feature("The value follows a word for what is written into a field.", "values", "introduced")(
    lambda cs, x: [c.value in x.introduced for c in cs]
)
_feature("The value ends like a sentence.", "values", "sentence")(
    lambda cs, x: [c.value[-1:] in (".", "!", "?") for c in cs]
)
_feature("A key is pressed.", "keys", "presses")(lambda cs, x: [1.0] * len(cs))
_feature("A message to the user, which ends the task.", "messages", "says")(lambda cs, x: [1.0] * len(cs))
_feature("A message with the heading of the list item that the goal points at.", "messages", "answer_title")(
    lambda cs, x: [x.title != "" and x.title in c.value for c in cs]
)
_feature("The answer yes.", "messages", "agrees")(lambda cs, x: [words(c.value) == ("yes",) for c in cs])
_feature("A call of a skill.", "skills", "skill")(lambda cs, x: [1.0] * len(cs))
_feature("How much what the skill is for is what the goal says.", "skills", "skill_fits")(
    lambda cs, x: [c.fit for c in cs]
)
_feature("The goal says what the skill is for, word for word but for the arguments.", "skills", "skill_exact")(
    lambda cs, x: [c.fit >= 1.0 for c in cs]
)
_feature("The page shows what the skill begins with.", "skills", "skill_ready")(lambda cs, x: [c.ready for c in cs])
_feature("Share of the goal's values that the call has as arguments.", "skills", "skill_bound")(
    lambda cs, x: [_bound(c, x) for c in cs]
)
_feature("The skill was called before, on any page.", "skills", "skill_called")(
    lambda cs, x: [any(action == c.action for _, action in x.memory.tried) for c in cs]
)


def _bound(c: Candidate, x: Context) -> float:
    given = x.values.enterable
    return sum(repr(value) in c.action for value in given) / len(given) if given else 1.0


def _seeks(c: Candidate, x: Context) -> bool:
    return c.primitive == "fill" and is_search(c, x)


def vectors(found: Sequence[Candidate], context: Context, names: Iterable[str] | None = None) -> NDArray[np.float32]:
    """Returns features of candidates, each in [0, 1].

    Args:
        found: The candidates.
        context: The page they are of.
        names: Features to compute; all by default.

    Returns:
        An array, shape (candidates, names), in the order of the names.
    """
    chosen = list(FEATURES if names is None else names)
    array = np.zeros((len(found), len(chosen)), dtype=np.float32)
    groups: dict[str, tuple[list[int], list[Candidate]]] = {}
    for number, name in enumerate(chosen):
        about, function = FEATURES[name][1]
        if about not in groups:
            rows = [i for i, c in enumerate(found) if ABOUT[about](c, context)]
            groups[about] = rows, [found[i] for i in rows]
        rows, some = groups[about]
        if rows:
            array[rows, number] = list(function(some, context))
    return array


def state(context: Context, names: Iterable[str] | None = None) -> NDArray[np.float32]:
    """Returns numbers of `context.STATE`, all by default: shape (names,), each in [0, 1]."""
    return np.array([STATE[name][1](context) for name in (STATE if names is None else names)], dtype=np.float32)


@lru_cache(maxsize=16_384)
def _absolute(base: str, href: str) -> str:
    return urldefrag(urljoin(base, href)).url
