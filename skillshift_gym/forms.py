"""Fields of a page and what a goal gives for them: which value for which field, and how far a form is filled."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from .goal_values import QUOTED, Values, values_of
from .reading import Reading, phrase, words
from .spans import slashed, span_of
from .tables import kinds_of, main_table, shape, shapes_of
from .vocabulary import ADDRESS, UI_WORDS, share, stem, stems

TEXT_ROLES = ("textbox", "searchbox", "combobox")
_CENTS = re.compile(r"\d+\.\d\d(?:\d\d)?$")
_FEW_OPTIONS = 4
_GOOD = 0.5
_FEW_SHAPES = 2
_PAGER = stems("page")
_TITLES = frozenset(stem(w) for w in UI_WORDS["title"])
_START = 4  # words of a goal among which its verb stands
_HINT = 3  # nodes after a field among which its hint stands


class Field(NamedTuple):
    """A field.

    Attributes:
        bid: Its bid.
        label: Stems of its name, words for the ends of a range left out.
        bound: `from` or `to` for an end of a range, else empty.
        kind: What it takes, as far as its column, hint or value tell: `date`, `money`, `number`, `text` or empty.
        shapes: Shapes of the cells in its column.
        value: Its present value.
        options: Labels to choose from, empty for a text field.
        many: Whether several options may be chosen.
        chosen: Labels chosen.
        filters: Whether it stands in a table: it filters the rows.
    """

    bid: str
    label: frozenset[str]
    bound: str
    kind: str
    shapes: frozenset[str]
    value: str
    options: tuple[str, ...] = ()
    many: bool = False
    chosen: tuple[str, ...] = ()
    filters: bool = False


class Entry(NamedTuple):
    """A value for a field.

    Attributes:
        slot: What kind of value it is.
        value: The value; of several options, joined by `; `.
        fit: How well it fits the field, 0 to 1.
    """

    slot: str
    value: str
    fit: float


@lru_cache(maxsize=256)
def fields_of(reading: Reading) -> Mapping[str, Field]:
    """Returns bid -> field, in document order; the page number of a list is left out."""
    found = {}
    options = _options(reading)
    for e in reading.elements:
        role = e["role"]
        text = role in TEXT_ROLES and e["tag"] in ("input", "textarea")
        if (text or role in ("combobox", "listbox")) and not e.get("states", {}).get("disabled"):
            found[e["bid"]] = _field(reading, e, () if text else options.get(e["bid"], ()))
    return found


@lru_cache(maxsize=1024)
def entries(goal: str, reading: Reading, bid: str) -> Sequence[Entry]:
    """Returns what the goal gives for a field, with the fit of each."""
    return given(goal, fields_of(reading)[bid], changed=_changes(goal) and priced(reading))


def given(goal: str, field: Field, *, changed: bool = False) -> Sequence[Entry]:
    """Returns what a goal gives for a field, of a page or of a tool's inputs, with the fit of each.

    Args:
        goal: The goal.
        field: The field.
        changed: Whether amounts of the goal change a number that the page shows.
    """
    if field.options:
        return list(_choices(goal, field))
    found = dict.fromkeys(_texts(goal, field))
    return [
        Entry(slot, value, 0.2 if slot == "amount" and changed else _fit(goal, field, slot, value))
        for slot, value in found
    ]


@lru_cache(maxsize=1024)
def plan_of(goal: str, reading: Reading, entered: frozenset[str]) -> Mapping[str, Entry]:
    """Returns bid -> the value that its field should get or has got, by fit, each value for one field.

    Args:
        goal: The goal.
        reading: The page.
        entered: Values entered before: a value goes into one field only, so it is not due on a page without it.
    """
    fields = fields_of(reading)
    filtered, makes = any(f.filters for f in fields.values()), makes_new(goal)
    pairs = [(e, bid) for bid in fields for e in entries(goal, reading, bid) if e.fit >= _GOOD]
    # Beside filters stand lists for what is done to many rows at once; and what is to be made is not to be looked for.
    pairs = [(e, bid) for e, bid in pairs if not filtered or (fields[bid].filters and not makes)]
    plan: dict[str, Entry] = {}
    placed = set(reading.headings)  # what the page is called has been found, not to be entered
    # What a list offers is chosen there, not typed elsewhere.
    for entry, bid in sorted(pairs, key=lambda pair: (not fields[pair[1]].options, -pair[0].fit)):
        key = f"{fields[bid].bound} {entry.value}".strip() if not fields[bid].options else bid
        held = holds(fields[bid], entry)
        if (
            bid in plan
            or (key in placed and not held)
            or (entry.value in entered and not held and not fields[bid].bound)
        ):
            continue
        if not held and fields[bid].value in entered and not fields[bid].options:
            continue  # what it holds was entered: it has got its value
        plan[bid] = entry
        placed |= {key, entry.value} if fields[bid].options else {key}
    return {bid: plan[bid] for bid in fields if bid in plan}


def makes_new(goal: str) -> bool:
    """Tells whether a goal wants something new made: a word for it stands among its first."""
    start = words(goal)[:_START]
    return not UI_WORDS["create"].isdisjoint(start) and "up" not in start[:2]


@lru_cache(maxsize=256)
def priced(reading: Reading) -> bool:
    """Tells whether a field of the page shows an amount above nothing."""
    return any(_CENTS.match(f.value) and float(f.value) > 0 for f in fields_of(reading).values())


def holds(field: Field, entry: Entry) -> bool:
    """Tells whether a field holds a value."""
    return "; ".join(field.chosen) == entry.value if field.options else field.value == entry.value


def outside(goal: str) -> frozenset[str]:
    """Returns the stems of a goal outside its quotes."""
    return stems(QUOTED.sub(" ", goal))


def _field(reading: Reading, element: Mapping[str, Any], options: Sequence[tuple[str, bool]]) -> Field:
    name = words(element["name"])
    bound = next((b for b in ("from", "to") if name[-1:] and name[-1] in UI_WORDS[b]), "")
    bound = bound or next((b for b in ("from", "to") if len(name) > 1 and name[0] == b), "")
    label = stems(element["name"])
    kind, shapes, value = "", frozenset[str](), element.get("value", "")
    table = main_table(reading)
    for i, header in enumerate(table.header if table else ()):
        if table and label and stems(header) == label:
            kind, shapes = kinds_of(table)[i], shapes_of(table)[i]
    at = reading.position.get(element["bid"], 0)
    if not kind and any("yyyy" in n.name.lower() for n in reading.nodes[at + 1 : at + _HINT]):
        kind = "date"
    kind = kind or ("money" if _CENTS.match(value) or label & {stem(w) for w in UI_WORDS["money"]} else "")
    kind = kind or ("number" if value.isdigit() else "")
    many = element.get("states", {}).get("multiselectable") == "true"
    labels, chosen = tuple(o for o, _ in options if o), tuple(o for o, on in options if o and on)
    filters = element["bid"] in reading.inside("row")
    return Field(element["bid"], label, bound, kind, shapes, value, labels, many, chosen, filters)


def _options(reading: Reading) -> Mapping[str, tuple[tuple[str, bool], ...]]:
    """Returns bid of a list -> its options, and whether each is chosen."""
    found: dict[str, list[tuple[str, bool]]] = {}
    current = ""
    for e in reading.elements:
        if e["role"] == "option":
            found.setdefault(current, []).append((e["name"], e.get("states", {}).get("selected") == "true"))
        else:
            current = e["bid"]
    return {bid: tuple(options) for bid, options in found.items()}


def _texts(goal: str, field: Field) -> Iterator[tuple[str, str]]:
    """Yields slot and value of what may be typed into a field."""
    values, span = values_of(goal), span_of(goal)
    if field.bound:
        if span and field.kind in ("date", ""):
            yield field.bound, slashed(span[field.bound == "to"])
        if values.numbers and field.kind in ("number", ""):
            yield ("low", values.numbers[0]) if field.bound == "from" else ("high", values.numbers[-1])
        return
    if field.label == _PAGER:
        return
    yield from (("quoted", q) for q in values.quoted)
    yield from ((s, v) for s, v in (("email", values.email), ("url", values.url), ("person", values.person)) if v)
    yield from (("code", c) for c in values.codes)
    yield from (("part", p) for p in values.parts)
    yield from (("amount", a) for a in values.amounts)
    yield from (("number", n) for n in values.numbers)
    if _CENTS.match(field.value) and values.amounts and _changes(goal):
        yield from (("computed", f"{c:.2f}") for c in _computed(float(field.value), values) if c > 0)
    if not values.quoted:
        yield from (("proper", p) for p in values.proper if p not in values.parts)


def _computed(present: float, values: Values) -> tuple[float, float]:
    step = present * values.percent / 100 if values.percent else float(values.amounts[0])
    return present + step, present - step


def _choices(goal: str, field: Field) -> Iterator[Entry]:
    """Yields options that the goal names, all options of a short list, and all at once where several may be chosen."""
    text, given = phrase(goal), outside(goal)
    if field.many and (len(field.options) == 1 or not UI_WORDS["every"].isdisjoint(words(goal))):
        every = 0.9 if share(field.label, given) >= _GOOD or set(field.chosen) == set(field.options) else 0.3
        yield Entry("every", "; ".join(field.options), every)
    if all(o.isdigit() for o in field.options):  # how many rows a page has: all that are allowed
        yield Entry("size", max(field.options, key=int), 0.2)
        return
    for option in field.options:
        own = stems(option)
        fit = share(own, stems(goal)) * (0.8 if len(own) > 1 or own & _inflected(goal) else 0.55)
        if phrase(option) in text and option[:1].isupper():
            fit = 0.85 + 0.15 * bool(re.search(rf"(?<![.?!:] )(?<!^){re.escape(option)}\b", goal))
        fit *= 0.4 if field.label & {stem(w) for w in UI_WORDS["deeds"]} else 1.0
        if len(option) == 1 and not re.search(rf"\b{re.escape(option)}\b", goal):
            fit = 0.0
        if fit > 0.3 or len(field.options) <= _FEW_OPTIONS:
            yield Entry("option", option, fit * (0.7 + 0.3 * share(field.label, given)))


@lru_cache(maxsize=1024)
def _inflected(goal: str) -> frozenset[str]:
    """Returns the stems of words that have an ending: `cancelled` may be a state, `cancel` is a deed."""
    return frozenset(stem(w) for w in words(goal) if stem(w) != w)


def _changes(goal: str) -> bool:
    """Tells whether a goal wants a number raised or lowered, not set."""
    return not (UI_WORDS["more"] | UI_WORDS["less"]).isdisjoint(words(goal)) and " to $" not in goal


def _fit(goal: str, field: Field, slot: str, value: str) -> float:
    named = share(field.label, outside(goal))
    if slot in ("from", "to"):
        return (0.7 if field.kind == "date" or not field.label else 0.4) + 0.3 * named
    if slot in ("low", "high"):
        return (0.3 if field.kind else 0.1) + 0.6 * named
    if slot == "part":
        parts = values_of(goal).parts
        place = parts.index(value) if len(parts) == len(ADDRESS) else -1
        return 0.9 * (place >= 0 and not field.label.isdisjoint({stem(w) for w in ADDRESS[place]}))
    if slot == "code":
        if field.kind not in ("", "text"):
            return 0.0
        alike = shape(value) in field.shapes
        known = 0.3 if field.shapes and not alike else 1.0
        sure = 0.5 if alike and len(field.shapes) <= _FEW_SHAPES else 0.35 * alike
        return sure + (1.0 - max(sure, 0.35)) * known * max(named, _beside(goal, value, field.label))
    if slot == "computed":
        up = not UI_WORDS["more"].isdisjoint(words(goal)) and " off " not in phrase(goal)
        return max(0.9 * named, 0.6) * (up == (float(value) > float(field.value)))
    if slot == "amount":
        return (_GOOD + 0.4 * max(named, _beside(goal, value, field.label))) * (field.kind == "money")
    if slot == "number":
        return (0.2 + 0.7 * _beside(goal, value, field.label)) * (field.kind != "money")
    if slot in ("email", "url", "person"):
        return 0.8 * (not field.label.isdisjoint({stem(w) for w in UI_WORDS[slot]}))
    if slot == "quoted":
        if field.value != value and field.value in values_of(goal).quoted and not seeks(field):
            return 0.95  # it replaces another quoted phrase
        new = makes_new(goal) and value == values_of(goal).quoted[0] and bool(field.label & _TITLES)
        titled = 0.75 * new or _GOOD * (field.filters and bool(field.label & _TITLES))
        return max(
            titled, 0.5 * named + 0.4 * share(field.label, stems(" ".join(words(goal.partition(value)[0])[-3:])))
        )
    looked = _GOOD * (field.filters and len(words(value)) > 1 and bool(field.label & _TITLES))
    return max(looked, 0.4 * named + 0.4 * _beside(goal, value, field.label)) * (span_of(value) is None)


def seeks(field: Field) -> bool:
    """Tells whether a field is for searching."""
    return not field.label.isdisjoint({stem(w) for w in UI_WORDS["search"]})


def _beside(goal: str, value: str, label: frozenset[str]) -> float:
    """Returns the share of a label that stands in the few words around a value."""
    before, _, after = goal.partition(value)
    return share(label, stems(" ".join((*words(before)[-3:], *words(after)[:2]))))
