"""A page in the light of a goal and of what the agent did before: what features are computed from."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from functools import cached_property
from math import log
from typing import Any
from urllib.parse import urldefrag

from .candidates import Candidate, Values, pointed_item, values_of
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
    """

    tried: set[tuple[str, str]] = field(default_factory=set)
    visited: set[str] = field(default_factory=set)
    places: bool = False
    entered: set[str] = field(default_factory=set)

    def note(self, url: str, context: Context, candidate: Candidate) -> None:
        """Remembers an action about to be taken."""
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
    def rarity(self) -> dict[str, float]:
        """Word -> how rare it is among the names on the page, at least 0."""
        counts = Counter(w for e in self.reading.elements for w in set(words(e["name"])))
        total = len(self.reading.elements) + 1
        return {w: log(total / n) for w, n in counts.items()}

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
        item = pointed_item(self.goal, self.values, self.reading)
        links = self.reading.titled_links(item) if item is not None else []
        return links[0] if links else ""

    @cached_property
    def asks(self) -> bool:
        """Whether the goal is a question to be answered by yes or no."""
        starts = set(words(self.goal)[:1]) | (self.goal_words & {"whether"})
        return bool(starts & UI_WORDS["question"]) or bool(self.goal_words & UI_WORDS["image"])

    @cached_property
    def facts(self) -> bool:
        """Whether the goal asks for facts of the item it points at."""
        return bool(self.goal_words & {"what", "tell"}) and self.values.place is not None and not self.asks

    @cached_property
    def numbers(self) -> dict[str, int]:
        """Bid -> number, for the links whose name is a number or ends with one after a word or none."""
        found = {}
        for element in self.reading.elements:
            parts = words(element["name"])
            if element["role"] == "link" and parts and len(parts) <= 2 and parts[-1].isdigit():
                found[element["bid"]] = int(parts[-1])
        return found

    @cached_property
    def by_bid(self) -> dict[str, Any]:
        """Bid -> element."""
        return {e["bid"]: e for e in self.reading.elements}

    @cached_property
    def fields_filled(self) -> int:
        """Number of fields on the page that hold a value of the goal."""
        given = {*self.values.quoted, self.values.email, self.values.url, self.values.person} - {""}
        return sum(e.get("value") in given for e in self.reading.elements)

    @cached_property
    def listed(self) -> frozenset[str]:
        """Names of links in lists outside the main content."""
        side = [g for g in self.reading.groups if not g.main]
        return frozenset(t for g in side for i in g.items for t in self.reading.texts_in(i)[:1])
