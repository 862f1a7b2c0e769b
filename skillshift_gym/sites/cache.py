"""The bounded caches that all sites of a process share.

A GET at a revision with the cookies its site declares is a pure function, so its response, and the documents and
pages derived from it, can be shared across episodes and environments. Results are the same with the caches off.
"""

from __future__ import annotations

from collections.abc import Hashable

from ..lru import Store
from .protocol import CACHE_MEGABYTES, FILTERED, FOOTPRINT, Response


class ResponseCache:
    """Responses by key, with the documents and pages that hang on them.

    Args:
        megabytes: Greatest estimated size; 0 turns the cache off.
    """

    def __init__(self, megabytes: float) -> None:
        self._store: Store[Response] = Store(megabytes)

    def __len__(self) -> int:
        return len(self._store)

    @property
    def megabytes(self) -> float:
        """The bound."""
        return self._store.megabytes

    @property
    def size(self) -> int:
        """Bytes of the bodies kept."""
        return sum(len(response.marked) for response in self._store.values())

    def get(self, key: Hashable) -> Response | None:
        """Returns the response kept under a key."""
        return self._store.get(key)

    def put(self, key: Hashable, response: Response) -> None:
        """Keeps a response, dropping those used longest ago when there is no room."""
        self._store.put(key, response, FOOTPRINT * len(response.marked) + 2_000)

    def resize(self, megabytes: float) -> None:
        """Empties this cache and that of filtered documents, and sets their bounds; 0 turns both off."""
        self._store.resize(megabytes)
        FILTERED.resize(megabytes / 4)


RESPONSES = ResponseCache(CACHE_MEGABYTES)
