"""The bounded cache of responses, shared by all sites of a process.

A GET at a revision with the cookies its site declares is a pure function, so its response, and the documents and
pages derived from it, can be shared across episodes and environments. Results are the same with the cache off.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Hashable

from .protocol import Response

DEFAULT_ENTRIES = 2_000


class ResponseCache:
    """Least-recently-used responses.

    Args:
        entries: How many responses are kept; 0 turns the cache off.
    """

    def __init__(self, entries: int) -> None:
        self.entries = entries
        self._responses: OrderedDict[Hashable, Response] = OrderedDict()

    def __len__(self) -> int:
        return len(self._responses)

    def get(self, key: Hashable) -> Response | None:
        """Returns the response kept under a key."""
        response = self._responses.get(key)
        if response is not None:
            self._responses.move_to_end(key)
        return response

    def put(self, key: Hashable, response: Response) -> None:
        """Keeps a response, dropping the one used longest ago when full."""
        if self.entries <= 0:
            return
        self._responses[key] = response
        while len(self._responses) > self.entries:
            self._responses.popitem(last=False)

    def resize(self, entries: int) -> None:
        """Empties the cache and sets its size; 0 turns it off."""
        self.entries = entries
        self._responses.clear()


RESPONSES = ResponseCache(int(os.environ.get("SKILLSHIFT_CACHE", DEFAULT_ENTRIES)))
