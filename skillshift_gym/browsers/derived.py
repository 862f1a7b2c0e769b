"""Facts derived from a document: computed on first use, kept with the document, shared by everyone who shows it."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Generic, TypeVar

from ..document import Document

Result = TypeVar("Result")
Key = TypeVar("Key")
Value = TypeVar("Value")

FACTS = "browsers.facts"


def facts_of(document: Document) -> dict[Any, Any]:
    """Returns the store of facts that do not depend on the document's address."""
    facts: dict[Any, Any] | None = document.memo.get(FACTS)
    if facts is None:
        facts = document.memo[FACTS] = {}
    return facts


def derived(function: Callable[[Document], Result]) -> Callable[[Document], Result]:
    """Makes a pure function of a document's tree compute its result once per document.

    The result must be immutable, or treated so, and must not depend on the document's URL.
    """

    @wraps(function)
    def cached(document: Document) -> Result:
        facts = facts_of(document)
        try:
            result: Result = facts[function]
        except KeyError:
            result = facts[function] = function(document)
        return result

    return cached


class Recent(Generic[Key, Value]):
    """A bounded cache that forgets the entry used longest ago.

    Args:
        size: Number of entries kept.
    """

    def __init__(self, size: int) -> None:
        self._size = size
        self._entries: dict[Key, Value] = {}

    def __len__(self) -> int:
        return len(self._entries)

    def get(self, key: Key, make: Callable[[], Value]) -> Value:
        """Returns the entry of a key, made when it is not there."""
        entries = self._entries
        try:
            value = entries.pop(key)
        except KeyError:
            value = make()
            while len(entries) >= self._size:
                entries.pop(next(iter(tuple(entries))), None)  # a copy: another thread may add one
        entries[key] = value
        return value
