"""A page in the light of a goal and of what the agent did before: what features are computed from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from urllib.parse import urldefrag

from .candidates import Candidate, Values, pointed_item, shows, values_of
from .reading import Reading, phrase, words

# Words of user interfaces in general; the only vocabulary the features know.
UI_WORDS = {
    "search": frozenset(["search", "find", "look", "keyword", "query", "results", "result"]),
    "next": frozenset(["next", "newer", "forward", "following", "after"]),
    "previous": frozenset(["previous", "older", "back", "before", "earlier"]),
    "submit": frozenset(
        ["post", "submit", "send", "save", "publish", "search", "go", "apply", "comment", "create", "add"]
    ),
    "image": frozenset(["image", "images", "picture", "pictures", "photo", "photos"]),
    "question": frozenset(["does", "do", "is", "are", "can", "whether"]),
    "email": frozenset(["email", "mail"]),
    "url": frozenset(["url", "website", "site", "web", "link"]),
    "person": frozenset(["name", "author", "user"]),
    "quoted": frozenset(
        ["comment", "message", "text", "title", "subject", "description", "content", "note", "body", "reply"]
    ),
    "date": frozenset(["date", "day", "when", "published"]),
    "title": frozenset(["title", "name", "heading", "called"]),
    "category": frozenset(["category", "section", "topic", "group"]),
}
_FEW = 3


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
        values = values_of(goal)
        return self.places, frozenset(self.entered.intersection((*values.quoted, *values.proper)))

    def note(self, url: str, context: Context, candidate: Candidate) -> None:
        """Remembers an action about to be taken."""
        self.last = candidate.primitive
        self.visited.add(urldefrag(url).url)
        self.tried.add((url, candidate.action))
        self.entered |= {candidate.value} if candidate.primitive == "fill" else set()
        self.places |= candidate.bid != "" and candidate.bid == context.pointed and context.ready


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
