"""The bounded cache of responses, shared by all sites of a process.

A GET at a revision with the cookies its site declares is a pure function, so its response, and the documents and
pages derived from it, can be shared across episodes and environments. Results are the same with the cache off.
"""

from __future__ import annotations

import os
from collections import OrderedDict
from collections.abc import Hashable

from .protocol import Response

DEFAULT_MEGABYTES = 256.0
# What a cached page comes to (response, document, outline, texts) for each byte of its body; benchmarks/cache_size.py.
FOOTPRINT = 16


class ResponseCache:
    """Least-recently-used responses, bounded by the memory that they and what is derived from them take.

    Args:
        megabytes: Greatest estimated size; 0 turns the cache off.
    """

    def __init__(self, megabytes: float) -> None:
        self._responses: OrderedDict[Hashable, Response] = OrderedDict()
        self.resize(megabytes)

    def __len__(self) -> int:
        return len(self._responses)

    @property
    def size(self) -> int:
        """Bytes of the bodies kept."""
        return sum(len(response.marked) for response in self._responses.values())

    def get(self, key: Hashable) -> Response | None:
        """Returns the response kept under a key."""
        response = self._responses.get(key)
        if response is not None:
            self._responses.move_to_end(key)
        return response

    def put(self, key: Hashable, response: Response) -> None:
        """Keeps a response, dropping those used longest ago when there is no room."""
        self._responses[key] = response
        self._room -= _footprint(response)
        while self._room < 0 and self._responses:
            self._room += _footprint(self._responses.popitem(last=False)[1])

    def resize(self, megabytes: float) -> None:
        """Empties the cache and sets its size; 0 turns it off."""
        self.megabytes = megabytes
        self._room = int(megabytes * 2**20)
        self._responses.clear()


def _footprint(response: Response) -> int:
    return FOOTPRINT * len(response.marked) + 2_000


RESPONSES = ResponseCache(float(os.environ.get("SKILLSHIFT_CACHE_MB", DEFAULT_MEGABYTES)))
