"""A least-recently-used store bounded by the memory its values are estimated to take."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Store(Generic[Value]):
    """Values by key; the one used longest ago goes first when there is no room.

    Args:
        megabytes: Greatest estimated size; 0 keeps nothing.
    """

    def __init__(self, megabytes: float) -> None:
        self._kept: OrderedDict[Hashable, tuple[Value, int]] = OrderedDict()
        self.resize(megabytes)

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Hashable) -> Value | None:
        """Returns the value kept under a key, None without one."""
        entry = self._kept.get(key)
        if entry is None:
            return None
        self._kept.move_to_end(key)
        return entry[0]

    def put(self, key: Hashable, value: Value, size: int) -> None:
        """Keeps a value of an estimated size in bytes, in place of one under the same key."""
        replaced = self._kept.pop(key, None)
        self._room += (replaced[1] if replaced else 0) - size
        self._kept[key] = (value, size)
        while self._room < 0 and self._kept:
            self._room += self._kept.popitem(last=False)[1][1]

    def resize(self, megabytes: float) -> None:
        """Empties the store and sets its bound."""
        self.megabytes = megabytes
        self._room = int(megabytes * 2**20)
        self._kept.clear()

    def values(self) -> list[Value]:
        """Returns the values, the one used longest ago first."""
        return [value for value, _ in self._kept.values()]
