"""Features of menus, forms and tables: which value for which field, which part to unfold, which row is meant.

All are read as those of `features` are. A form's plan (`Context.plan`) says which of the goal's values goes into which
field; most of these features look at it.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache

from .answers import matches
from .candidates import Candidate
from .context import Context
from .feature_table import feature as _feature
from .forms import entries, fields_of
from .outlook import folded, form_parts, headers, menus, rows_of, unfolded
from .reading import words
from .vocabulary import UI_WORDS, share, stem, stems

_HALF = 0.5
_EARLY = 7  # words within which a goal says what it is about
_LITTLE = 0.4
_SUPERLATIVES = UI_WORDS["most"] | UI_WORDS["newest"] | UI_WORDS["oldest"]
_MANAGING = frozenset(stem(w) for w in UI_WORDS["manage"])
_VERBS = frozenset(stem(w) for group in ("open", "search", "create", "run") for w in UI_WORDS[group])


@_feature(
    "How well the value fits the field: by its name, the column below it, and the words around the value.", "values"
)
def fit(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields the fit of each pair."""
    fits = {(bid, e.slot, e.value): e.fit for bid in {c.bid for c in cs} for e in entries(x.goal, x.reading, bid)}
    return (min(1.0, fits.get((c.bid, c.slot, c.value), 0.0)) for c in cs)


@_feature("The field should get this value, by the best pairing of fields and values, and does not hold it.", "values")
def planned(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields 1 for the first such field, a little less for later ones."""
    worth = {bid: 1.0 - 0.02 * min(i, 10) for i, bid in enumerate(x.due)}
    return (worth.get(c.bid, 0.0) if c.bid in worth and _is_planned(c, x) else 0.0 for c in cs)


@_feature("The option's label stands in the goal, share of its words.", "values")
def option_named(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields the share for options, 0 for texts."""
    return (share(stems(c.value), stems(x.goal)) if c.primitive == "select_option" else 0.0 for c in cs)


@_feature("Share of the field's name that the goal speaks of.", "values")
def field_named(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields the share of the name's stems."""
    return (share(fields_of(x.reading)[c.bid].label, x.goal_stems) for c in cs)


@_feature("Share of the name's words, by their stems, that the goal has outside its quotes.", "clicks")
def topic(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields the share of each name."""
    return (share(stems(c.name), x.goal_stems) for c in cs)


@_feature(
    "That share, of a half and more, for links of menus and what unfolds a part; early words count more.", "clicks"
)
def topic_part(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields the share inside menus and for folded parts, of verbs of interfaces nothing; 0 elsewhere."""
    inside = menus(x.reading) | folded(x.reading).keys()
    nouns = x.goal_stems - _VERBS
    order = _order(x.goal)
    for c in cs:
        own = stems(c.name) - _MANAGING if c.bid in inside else frozenset[str]()
        found = own & nouns
        early = 1.0 - min((order.get(s, 1.0) for s in found), default=1.0)
        near = early if early >= _LITTLE else 0.0
        yield near * len(found) / len(own) if own and len(found) >= _HALF * len(own) else 0.0


@_feature("How late in the goal the first word stands that the name shares with it.", "clicks")
def late(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields 0 to 1."""
    order = _order(x.goal)
    return (min((order[s] for s in stems(c.name) if s in order), default=0.0) for c in cs)


@_feature(
    "A part of a menu to unfold; those inside an unfolded part that the goal names first, then in order.", "clicks"
)
def unfold_menu(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields 1 for the first, a little less for the next ones."""
    menu, inner = menus(x.reading), unfolded(x.reading)
    named = {bid for part, inside in inner.items() if share(stems(part), x.goal_stems) for bid in inside}
    outer = {bid for inside in inner.values() for bid in inside} - named
    order = sorted((b for b in folded(x.reading) if b in menu and b not in outer), key=lambda bid: bid not in named)
    worth = {bid: 1.0 - 0.05 * min(i, 10) for i, bid in enumerate(order)}
    return (worth.get(c.bid, 0.0) for c in cs)


@_feature("A part of a form to unfold.", "clicks")
def unfold_part(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields 1 for the first, a little less for the next ones."""
    worth = {bid: 1.0 - 0.05 * min(i, 10) for i, bid in enumerate(form_parts(x.reading))}
    return (worth.get(c.bid, 0.0) for c in cs)


@_feature("Inside a table row that holds what the goal names.", "clicks")
def row_named(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields how surely the row is meant: less where several rows hold it."""
    rows = rows_of(x.reading)
    sure = {row: matches(x.goal, row) for row in set(rows.values())}
    many = max(1, sum(s == 1.0 for s in sure.values()))
    return (sure[rows[c.bid]] / many if c.bid in rows else 0.0 for c in cs)


@_feature("The name opens a thing: edit, view.", "clicks")
def opens(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields 1 for such names."""
    return (float(not UI_WORDS["open"].isdisjoint(words(c.name)[:1])) for c in cs)


@_feature("Opens something that the goal names: share of the other words that the goal has.", "clicks")
def opens_named(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields the share for names that open a thing."""
    rest = (stems(" ".join(words(c.name)[1:])) if _word(c.name, "open") else frozenset[str]() for c in cs)
    return (share(own, x.goal_stems) for own in rest)


@_feature("Leaves or undoes: log out, delete, reset.", "clicks")
def leaves(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields 1 for such names, unless the goal starts with the word."""
    return (float(_word(c.name, "leave") and words(c.name)[0] not in x.goal_words) for c in cs)


@_feature("Goes on to the next page of a form: continue, next.", "clicks")
def goes_on(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields 1 for a button of such a name in the main content."""
    return (float(c.role == "button" and c.bid in x.reading.main and _word(c.name, "on")) for c in cs)


@_feature("Inside the only row of a table.", "clicks")
def only_row(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields 1 inside the only row."""
    rows = rows_of(x.reading)
    one = len(set(rows.values())) == 1
    return (float(one and c.bid in rows) for c in cs)


@_feature("Makes something new, as the goal wants: the name starts with such a word.", "clicks")
def creates(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields the share of the other words that the goal has, early ones more; 0.5 without any."""
    wanted, order = x.makes, _order(x.goal)
    for c in cs:
        rest = stems(" ".join(words(c.name)[1:]))
        plain = "expanded" not in x.reading.by_bid[c.bid].get("states", {})
        early = 1.0 - min((order[s] for s in rest if s in order), default=1.0)
        named = share(rest, x.goal_stems) * early if rest else _HALF
        yield named if wanted and plain and named >= _LITTLE and _word(c.name, "create") else 0.0


@_feature("Keeps what a form holds: save, submit and the like.", "clicks")
def keeps(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields 1 for a short name, less for a longer one."""
    return (_starts(c, "keep") for c in cs)


@_feature("Runs a search, a filter or a report: search, apply, show and the like.", "clicks")
def runs(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields 1 for a short name, less for a longer one."""
    return (_starts(c, "run") if c.bid in x.reading.main else 0.0 for c in cs)


@_feature(
    "Keeps or runs, while every field holds what the goal gives for it and the last action entered a value.", "clicks"
)
def apply(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields 1 for running; for keeping, the share of the goal's values that are entered."""
    typed = x.memory.last in ("fill", "select_option")
    due = not x.due and (typed or _last_box(x) >= 0)
    box = _last_box(x)
    for c in cs:
        ran = _starts(c, "run") * (c.bid in x.reading.main)
        kept = _starts(c, "keep") * (not x.filtering) * (not (x.parted and x.makes and x.missing))
        before = box >= 0 and x.reading.position[c.bid] < box
        yield due * max(ran, kept) * (0.5 if before else 1.0)


@_feature("A word of the name is what the goal says to do first: its first word's stem.", "clicks")
def does(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields 1 for a name that is that word, less for longer names."""
    for c in cs:
        own = [stem(w) for w in words(c.name)]
        plain = c.role == "button" and "expanded" not in x.reading.by_bid[c.bid].get("states", {})
        yield float(len(own) == 1 and own[0] in x.goal_stems and plain and c.bid in x.reading.main)


@_feature("A box that the goal names, still without a tick.", "clicks")
def ticks(cs: Sequence[Candidate], x: Context) -> Iterable[float]:
    """Yields 1 for such a box."""
    for c in cs:
        box = c.role in ("checkbox", "radio") and x.reading.by_bid[c.bid].get("states", {}).get("checked") == "false"
        yield float(box and _says(x.goal, c.name))


for _slot, _names in {
    "days": ("from", "to"), "range": ("low", "high"), "code": ("code",), "amount": ("amount",), "whole": ("number",),
    "part": ("part",), "computed": ("computed",), "every": ("every",), "option": ("option",), "size": ("size",),
}.items():  # fmt: skip
    _feature(f"The value is of the kind {' or '.join(_names)} (`forms.Entry.slot`).", "values", f"value_{_slot}")(
        lambda cs, x, names=_names: [c.slot in names for c in cs]  # type: ignore[misc]
    )
_feature("Inside navigation.", "clicks", "in_menu")(lambda cs, x: [c.bid in menus(x.reading) for c in cs])
_feature("Inside an unfolded part of a menu.", "clicks", "in_unfolded")(
    lambda cs, x: [any(c.bid in inside for inside in unfolded(x.reading).values()) for c in cs]
)
_feature("In the header of a column.", "clicks", "in_header")(lambda cs, x: [c.bid in headers(x.reading) for c in cs])
_feature("Inside a row of a table.", "clicks", "in_row")(lambda cs, x: [c.bid in rows_of(x.reading) for c in cs])
_feature("A box to tick.", "clicks", "box")(lambda cs, x: [c.role in ("checkbox", "radio") for c in cs])


def _is_planned(c: Candidate, x: Context) -> bool:
    entry = x.plan[c.bid]
    return (entry.slot, entry.value) == (c.slot, c.value)


def _starts(c: Candidate, group: str) -> float:
    own = words(c.name)
    found = not UI_WORDS[group].isdisjoint(own)
    vague = 0.5 if own == ("go",) else 1.0  # beside the number of a page
    return vague / len(own) ** 0.5 if found and c.role == "button" else 0.0


def _word(name: str, group: str) -> bool:
    """Tells whether a name starts with a word of a group."""
    return not UI_WORDS[group].isdisjoint(words(name)[:1])


def _last_box(x: Context) -> int:
    """Returns the position of the last box with a tick that the goal names, -1 without one."""
    boxes = (e for e in x.reading.elements if e["role"] in ("checkbox", "radio"))
    named = [e["bid"] for e in boxes if e.get("states", {}).get("checked") == "true" and _says(x.goal, e["name"])]
    return max((x.reading.position[bid] for bid in named), default=-1)


@lru_cache(maxsize=4096)
def _says(goal: str, name: str) -> bool:
    """Tells whether a goal holds a name, as it is written."""
    return bool(name) and re.search(rf"(?<!\w){re.escape(name)}(?!\w)", goal) is not None


@lru_cache(maxsize=1024)
def _order(goal: str) -> dict[str, float]:
    """Returns stem -> place in the goal, from 0 to 1; what stands before a superlative is asked for, and counts as late."""
    parts = words(goal)
    top = next((i for i, w in enumerate(parts) if w in _SUPERLATIVES), 0)
    places = [1.0 - 1.0 / (1.0 + max(0, i - top - _EARLY) / 3) if i >= top else 1.0 for i in range(len(parts))]
    return {stem(w): place for w, place in reversed(list(zip(parts, places, strict=True)))}
