"""A page in the light of a goal and of what the agent did before: what features are computed from."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import urldefrag

from .answers import asked_slots, asked_table
from .candidates import Candidate, pointed_item, shows
from .forms import Entry, fields_of, holds, makes_new, outside, plan_of
from .goal_values import Values, values_of
from .outlook import form_parts
from .reading import Reading, phrase, words
from .spans import slashed, span_of
from .tables import tables_of
from .vocabulary import UI_WORDS, share, stem, stems

_FEW = 3
_ORDER = frozenset(stem(w) for w in (*UI_WORDS["newest"], *UI_WORDS["manage"], "last"))
_QUANTITY = stem("quantity")
_CENTS = re.compile(r"\d+\.\d\d$")
_AMOUNT = re.compile(r"\d+\.\d\d$|\d{1,2}/\d{1,2}/\d{4}$")


@dataclass
class Memory:
    """What an agent remembers of its episode.

    Attributes:
        tried: (address, action) pairs taken.
        visited: Addresses seen, without fragments.
        places: Whether the list item that the goal points at has been opened.
        entered: Values entered, on any page.
        failed: Whether the last action failed.
        last: Primitive of the last action, empty before the first.
    """

    tried: set[tuple[str, str]] = field(default_factory=set)
    visited: set[str] = field(default_factory=set)
    places: bool = False
    entered: set[str] = field(default_factory=set)
    failed: bool = False
    last: str = ""

    def phase(self, goal: str) -> tuple[bool, frozenset[str]]:
        """Returns all of the past that features outside `features.PAST` depend on, for a goal."""
        return self.places, known(goal, frozenset(self.entered))

    def note(self, url: str, context: Context, candidate: Candidate) -> None:
        """Remembers an action about to be taken."""
        self.last = candidate.primitive
        self.visited.add(urldefrag(url).url)
        self.tried.add((url, candidate.action))
        self.entered |= {candidate.value} if candidate.primitive in ("fill", "select_option") else set()
        self.places |= candidate.bid != "" and candidate.bid == context.pointed and context.ready


def known(goal: str, entered: frozenset[str]) -> frozenset[str]:
    """Returns the values entered that the goal gives, says in so many words, or that are amounts."""
    given, text = values_of(goal).enterable, phrase(goal)
    return frozenset(v for v in entered if v in given or phrase(v) in text or _AMOUNT.match(v))


@dataclass
class Context:
    """A page as an agent sees it, in the light of its goal and memory."""

    goal: str
    url: str
    reading: Reading
    memory: Memory

    @cached_property
    def values(self) -> Values:
        """What the goal gives to enter or to look for."""
        return values_of(self.goal)

    @cached_property
    def goal_words(self) -> frozenset[str]:
        """The goal's words outside its quotes and phrases inside them, in lower case."""
        return frozenset(words(self.goal))

    @cached_property
    def goal_phrase(self) -> str:
        """The goal as a string of whole words."""
        return phrase(self.goal)

    @cached_property
    def goal_stems(self) -> frozenset[str]:
        """Stems of the goal's words outside its quotes."""
        return outside(self.goal)

    @cached_property
    def plan(self) -> Mapping[str, Entry]:
        """Bid -> the value that the field should get or has got."""
        return plan_of(self.goal, self.reading, known(self.goal, frozenset(self.memory.entered)))

    @cached_property
    def planned(self) -> frozenset[str]:
        """The values in the plan."""
        return frozenset(entry.value for entry in self.plan.values())

    @cached_property
    def due(self) -> Sequence[str]:
        """Bids of the fields that do not hold what they should."""
        fields = fields_of(self.reading)
        return [bid for bid, entry in self.plan.items() if not holds(fields[bid], entry)]

    @cached_property
    def missing(self) -> float:
        """Share of the values that the goal gives to enter that are neither entered nor shown by a field."""
        values = values_of(self.goal)
        ends = [slashed(day) for day in span_of(self.goal) or ()]
        measured = values.numbers if _QUANTITY in self.goal_stems else ()
        named = [*values.numbers, *(p for p in values.proper if " " not in p)] if self.makes else []
        given = [*named, *values.quoted, *values.codes, *values.amounts, *values.parts, *measured, *ends]
        there = {f.value for f in fields_of(self.reading).values()} | {
            c for f in fields_of(self.reading).values() for c in f.chosen
        }
        computed = any(_CENTS.match(v) and v not in values.amounts for v in self.memory.entered)
        given = [v for v in given if not (computed and v in values.amounts)]
        return sum(v not in there and v not in self.memory.entered for v in given) / len(given) if given else 0.0

    @cached_property
    def parted(self) -> bool:
        """Whether parts of a form are folded."""
        return bool(form_parts(self.reading))

    @cached_property
    def filtering(self) -> bool:
        """Whether the page has fields that filter the rows of a table."""
        return any(f.filters for f in fields_of(self.reading).values())

    @cached_property
    def makes(self) -> bool:
        """Whether the goal wants something new made."""
        return makes_new(self.goal)

    @cached_property
    def asked(self) -> frozenset[str]:
        """Slots of answers (`answers.Answer.slot`) that the goal asks for."""
        return asked_slots(self.goal)

    @cached_property
    def topical(self) -> float:
        """How much of the page's first heading, or of the label of the table asked about, the goal speaks of."""
        table = asked_table(self.goal, self.reading)
        heads = [*self.reading.headings[:1], *([table.label] if table else [])]
        topics = ({s for s in stems(h) if not s.isdigit()} - _ORDER for h in heads)
        return max((share(t, self.goal_stems) for t in topics), default=0.0)

    @cached_property
    def rows(self) -> int:
        """Number of rows of the longest table."""
        return max((len(t.rows) for t in tables_of(self.reading)), default=0)

    @cached_property
    def wanted(self) -> tuple[str, ...]:
        """Phrases that name what to look for, the most telling first."""
        return tuple(map(phrase, (*self.values.quoted, *self.values.proper)))

    @cached_property
    def arrived(self) -> bool:
        """Whether a main heading is the first phrase that the goal quotes."""
        return bool(self.values.quoted) and any(
            phrase(h) == phrase(self.values.quoted[0]) for h in self.reading.headings[:_FEW]
        )

    @cached_property
    def searched(self) -> bool:
        """Whether a quoted value has been entered, or nothing has to be."""
        return not (self.goal_words & UI_WORDS["search"]) or any(q in self.memory.entered for q in self.values.quoted)

    @cached_property
    def ready(self) -> bool:
        """Whether it is time to open the list item that the goal points at."""
        return self.searched and not self.memory.places

    @cached_property
    def pointed(self) -> str:
        """Bid of the first link of the list item that the goal points at, empty without one."""
        links = self.reading.titled_links(self.item) if self.item is not None else []
        return links[0] if links else ""

    @cached_property
    def item(self) -> int | None:
        """Position of the list item that the goal points at, None without one."""
        return pointed_item(self.goal, self.values, self.reading)

    @cached_property
    def item_bids(self) -> frozenset[str]:
        """Bids of what is inside that list item."""
        start = self.item
        return frozenset() if start is None else frozenset(self.reading.bids_in(start))

    @cached_property
    def title(self) -> str:
        """Heading of that list item, empty without one."""
        return "" if self.item is None else self.reading.title_of(self.item)

    def is_behind(self, bid: str) -> bool:
        """Tells whether an element stands outside the dialog that is shown."""
        dialog = self.reading.dialog
        return bool(bid) and dialog is not None and bid not in dialog

    @cached_property
    def asks(self) -> bool:
        """Whether the goal is a question to be answered by yes or no."""
        starts = set(words(self.goal)[:1]) | (self.goal_words & {"whether"})
        return bool(starts & UI_WORDS["question"]) or bool(self.goal_words & UI_WORDS["image"])

    @cached_property
    def shows(self) -> bool:
        """Whether an image on the page shows what the goal asks about."""
        return shows(self.goal, self.reading, UI_WORDS["image"])

    @cached_property
    def facts(self) -> bool:
        """Whether the goal asks for facts of the item it points at."""
        return bool(self.goal_words & {"what", "tell"}) and self.values.place is not None and not self.asks

    @cached_property
    def fields_filled(self) -> int:
        """Number of fields on the page that hold a value of the goal."""
        given = {*self.values.quoted, self.values.email, self.values.url, self.values.person} - {""}
        return sum(e.get("value") in given for e in self.reading.elements)

    @cached_property
    def introduced(self) -> frozenset[str]:
        """Quoted phrases that follow a word for what is written into a field, such as `text`."""
        before = {q: words(self.goal[: self.goal.find(q)])[-2:] for q in self.values.quoted}
        return frozenset(q for q, last in before.items() if not UI_WORDS["quoted"].isdisjoint(last))

    @cached_property
    def tried(self) -> frozenset[str]:
        """Actions taken at this address before."""
        return frozenset(action for url, action in self.memory.tried if url == self.url)

    def holds(self, bid: str) -> bool:
        """Tells whether a field holds a phrase of the goal."""
        return self.reading.by_bid[bid].get("value") in (*self.values.quoted, *self.values.proper)

    def looks(self, part: str, index: int) -> float:
        """Returns whether a part of an answer looks like the fact that the goal asks for at its place."""
        if index >= len(self._asked):
            return 0.0
        dated = any(w.isdigit() and len(w) == 4 for w in words(part)) and len(words(part)) == _FEW
        looks = {"date": dated, "title": part.startswith("“"), "category": part in self.reading.listed and not dated}
        return float(looks[self._asked[index]])

    @cached_property
    def _asked(self) -> list[str]:
        """Kinds of facts, in the order in which the goal asks for them."""
        text = self.goal_phrase
        kinds = sorted(
            (text.find(f" {w} "), k) for k in ("date", "title", "category") for w in UI_WORDS[k] if f" {w} " in text
        )
        return list(dict.fromkeys(k for _, k in kinds))


# What a page and an episode are like as a whole: name -> meaning, and the number in [0, 1]. All but `PAST_STATE` depend
# on goal, page and `Memory.phase` alone.
STATE: dict[str, tuple[str, Callable[[Context], float]]] = {}
PAST_STATE = ("progress", "failed", "typed")


def _feature(text: str, name: str, function: Callable[[Context], float]) -> None:
    STATE[name] = (text, function)


_feature("Share of ten actions taken.", "progress", lambda x: min(1.0, len(x.memory.tried) / 10))
_feature("The last action failed.", "failed", lambda x: float(x.memory.failed))
_feature("The last action entered a value.", "typed", lambda x: float(x.memory.last in ("fill", "select_option")))
_feature("A dialog is shown.", "dialog", lambda x: float(x.reading.dialog is not None))
_feature("A main heading is the first phrase that the goal quotes.", "arrived", lambda x: float(x.arrived))
_feature("The goal is a question to be answered by yes or no.", "question", lambda x: float(x.asks))
_feature("The goal asks for facts of a list item.", "facts", lambda x: float(x.facts))
_feature("The goal names a list item by its place.", "places", lambda x: float(x.values.place is not None))
_feature("That item was opened.", "visited_item", lambda x: float(x.memory.places))
_feature("The goal quotes something.", "quotes", lambda x: float(bool(x.values.quoted)))
_feature("The goal gives an e-mail address.", "signs", lambda x: float(bool(x.values.email)))
_feature("Fields that hold a value of the goal, out of four.", "held", lambda x: min(1.0, x.fields_filled / 4))
_feature("The goal speaks of searching.", "seeks", lambda x: float(bool(x.goal_words & UI_WORDS["search"])))
_feature("A quoted value was entered.", "entered", lambda x: float(any(q in x.memory.entered for q in x.values.quoted)))
_feature("The goal wants what comes next.", "forward", lambda x: float(bool(x.goal_words & UI_WORDS["next"])))
_feature("The goal wants what came before.", "back", lambda x: float(bool(x.goal_words & UI_WORDS["previous"])))
_feature("Some field has a value of the goal to hold.", "plan", lambda x: float(bool(x.plan)))
_feature("Fields that do not hold what they should, out of four.", "due", lambda x: min(1.0, len(x.due) / 4))
_feature("Share of the goal's values that are neither entered nor shown.", "missing", lambda x: x.missing)
_feature("The heading is what the goal speaks of.", "topical", lambda x: x.topical)
_feature("The goal wants something made.", "makes", lambda x: float(x.makes))
_feature("Rows of the longest table, out of twenty.", "rows", lambda x: min(1.0, x.rows / 20))
_feature("The longest table has one row.", "one_row", lambda x: float(x.rows == 1))
for _slot in ("count", "list", "sum", "first", "last", "most", "months", "matched"):
    _feature(f"The goal asks for a `{_slot}`.", f"asks_{_slot}", lambda x, slot=_slot: float(slot in x.asked))  # type: ignore[misc]
