"""Words of user interfaces in general: the only vocabulary that candidates and features know.

No word here names a site or a task; `SAME` holds words that forms and people use for one thing.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from .reading import words

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
    "create": frozenset(["add", "new", "create", "draft", "prepare", "make"]),
    "every": frozenset(["all", "every", "each"]),
    "from": frozenset(["from", "start", "min", "after"]),
    "to": frozenset(["to", "end", "max", "until", "before"]),
    "money": frozenset(["price", "cost", "amount", "total", "discount", "dollars"]),
    "more": frozenset(["raise", "increase", "more", "up", "add", "plus", "higher"]),
    "less": frozenset(["lower", "reduce", "less", "down", "cut", "take", "minus"]),
    "manage": frozenset(["manage", "all", "view", "list"]),
    "ask": frozenset(["what", "which", "who", "how", "name", "list", "count", "number", "top"]),
    "tell": frozenset(["tell", "give", "need", "answer"]),
    "leave": frozenset(["log", "logout", "sign", "delete", "remove", "reset"]),
    "on": frozenset(["continue", "next", "proceed"]),
    "deeds": frozenset(["action", "actions"]),
    "run": frozenset(["search", "apply", "show", "filter", "refresh", "go"]),
    "keep": frozenset(["save", "submit", "create", "update", "publish", "send"]),
    "open": frozenset(["edit", "view", "open", "details"]),
    "count": frozenset(["many", "count", "often"]),
    "sum": frozenset(["total", "sum", "altogether", "add", "differ", "difference"]),
    "list": frozenset(["list", "which", "top", "names", "every", "all"]),
    "most": frozenset(["most", "best", "popular"]),
    "newest": frozenset(["newest", "latest", "recent", "best", "top"]),
    "oldest": frozenset(["oldest", "earliest"]),
    "whole": frozenset(["whole", "entire"]),
}
# Words for one thing; the first stands for all.
SAME = (
    ("quantity", "qty", "unit", "stock", "piece", "inventory"),
    ("phone", "telephone", "mobile"),
    ("email", "mail"),
    ("name", "named", "called", "who", "whose"),
    ("color", "colour"),
    ("postcode", "zip", "postal"),
    ("price", "cost", "expensive"),
    ("delivery", "shipping", "ship", "shipped", "deliver"),
    ("bill", "billing", "billed"),
    ("customer", "buyer", "client"),
)
# The parts of an address, in the order in which people say them, by the words of their fields.
ADDRESS = (
    frozenset(["street", "line"]),
    frozenset(["city", "town"]),
    frozenset(["state", "province", "region", "county"]),
    frozenset(["zip", "postal", "postcode"]),
)
_ENDINGS = ("ations", "ation", "ings", "ing", "ers", "ed", "es", "er", "s", "e")
_SHORT = 3
_JOINING = frozenset(
    ["the", "a", "an", "and", "or", "of", "to", "in", "on", "for", "by", "with", "at", "from", "is", "are", "it", "its", "me",
     "this", "that", "be", "as", "new", "e"]
)  # fmt: skip


@lru_cache(maxsize=16_384)
def stem(word: str) -> str:
    """Returns what words of one family share, roughly: `cancelled`, `canceled` and `cancellations` give `cancel`."""
    cut = _cut(word)
    return _FIRST.get(cut, cut)


def _cut(word: str) -> str:
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= _SHORT and not word.endswith("ss"):
            word = word[: -len(ending)]
            break
    return word[:-1] if len(word) > _SHORT and word[-1] == word[-2] else word


_FIRST = {_cut(word): _cut(same[0]) for same in SAME for word in same}


@lru_cache(maxsize=16_384)
def stems(text: str) -> frozenset[str]:
    """Returns the stems of a text's words, small joining words left out."""
    return frozenset(stem(w) for w in words(text) if w not in _JOINING)


def share(part: Iterable[str], whole: frozenset[str]) -> float:
    """Returns the share of some words that are among others, 0 without words."""
    own = list(part)
    return sum(w in whole for w in own) / len(own) if own else 0.0
