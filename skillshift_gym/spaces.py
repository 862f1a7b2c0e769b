"""Text spaces for web pages: any Unicode, cheap membership, and shared memory that costs what the text costs.

`gymnasium.spaces.Text` allows a fixed character set and tests membership by character (4 ms on 60 kB), and its shared
memory converts one character at a time. `WebText` states only a maximum length; its shared-memory, flatten and
batch functions are registered with Gymnasium, so that `AsyncVectorEnv` works with its defaults.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.spaces.utils import flatdim, flatten, flatten_space, unflatten
from gymnasium.vector.utils import create_shared_memory, read_from_shared_memory, write_to_shared_memory
from numpy.typing import NDArray

from . import actions
from .grammar import GRAMMAR

_SAMPLE_CHARACTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789 .,:;!?<>[]()'\"-_=/éß漢🙂"
_SAMPLE_LENGTH = 40
_SAMPLE_BIDS = 300
_HEADER = 4  # bytes before a text in shared memory: its length
_BYTES_PER_CHARACTER = 4


class WebText(spaces.Text):
    """Any Unicode text of at most `max_length` characters (lone surrogates excluded).

    Args:
        max_length: Greatest length in characters.
        seed: Seed of the sampler.
    """

    def __init__(self, max_length: int, *, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(max_length, min_length=0, charset=frozenset(_SAMPLE_CHARACTERS), seed=seed)

    def contains(self, x: Any) -> bool:
        """Tells whether x is a string of an allowed length."""
        return isinstance(x, str) and len(x) <= self.max_length

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """Returns a short random text; a long one would cost time and teach nothing."""
        length = int(self.np_random.integers(0, min(self.max_length, _SAMPLE_LENGTH) + 1))
        picks = self.np_random.integers(0, len(_SAMPLE_CHARACTERS), size=length)
        return "".join(_SAMPLE_CHARACTERS[i] for i in picks)

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and isinstance(other, WebText) and self.max_length == other.max_length

    def __hash__(self) -> int:
        return hash((type(self), self.max_length))

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.max_length})"


class ActionText(WebText):
    """Action strings; samples are calls of the grammar with plausible arguments.

    Args:
        names: Primitives to sample from; all when empty.
        seed: Seed of the sampler.
    """

    def __init__(self, names: tuple[str, ...] = (), *, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(actions.MAX_ACTION_LENGTH, seed=seed)
        self._names = names or tuple(GRAMMAR)

    def sample(self, mask: Any = None, probability: Any = None) -> str:
        """Returns a random well-formed action; its element may not exist."""
        signature = GRAMMAR[self._names[int(self.np_random.integers(len(self._names)))]]
        required = [p for p in signature.parameters if p.default is ...]
        values = [self._argument(p.kind) for p in required]
        return actions.format_action(actions.primitive(signature.name, *values))

    def _argument(self, kind: str) -> Any:
        random = self.np_random
        if kind == "bid":
            return str(random.integers(_SAMPLE_BIDS))
        if kind == "float":
            return float(random.integers(-800, 801))
        if kind == "int":
            return int(random.integers(3))
        if kind == "key":
            return ("Enter", "Tab", "Escape", "Space", "ArrowDown", "Control+a")[int(random.integers(6))]
        return super().sample()


@create_shared_memory.register(WebText)
def _create_shared_memory(space: WebText, n: int = 1, ctx: Any = multiprocessing) -> Any:
    return ctx.Array("B", n * _slot(space))


@write_to_shared_memory.register(WebText)
def _write_to_shared_memory(space: WebText, index: int, value: str, shared_memory: Any) -> None:
    data = value.encode()
    start = index * _slot(space)
    memory = memoryview(shared_memory.get_obj()).cast("B")
    memory[start : start + _HEADER] = len(data).to_bytes(_HEADER, "little")
    memory[start + _HEADER : start + _HEADER + len(data)] = data


@read_from_shared_memory.register(WebText)
def _read_from_shared_memory(space: WebText, shared_memory: Any, n: int = 1) -> SharedTexts:
    return SharedTexts(space, shared_memory, n)


class SharedTexts(Sequence[str]):
    """The texts in shared memory as they are now; a deep copy is a plain tuple.

    Gymnasium reads shared memory once and expects a live view, as NumPy arrays are.

    Args:
        space: The space of one text.
        memory: The shared array.
        n: Number of texts.
    """

    def __init__(self, space: WebText, memory: Any, n: int) -> None:
        self._space = space
        self._bytes = memoryview(memory.get_obj()).cast("B")
        self._n = n

    def __len__(self) -> int:
        return self._n

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, slice):
            return tuple(self)[index]
        if not -self._n <= index < self._n:
            raise IndexError(f"expected an index below {self._n}, got {index}")
        start = (index % self._n) * _slot(self._space)
        length = int.from_bytes(self._bytes[start : start + _HEADER], "little")
        return bytes(self._bytes[start + _HEADER : start + _HEADER + length]).decode()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    def __hash__(self) -> int:
        return hash(tuple(self))

    def __deepcopy__(self, memo: dict[int, Any]) -> tuple[str, ...]:
        return tuple(self)


@flatdim.register(WebText)
def _flatdim(space: WebText) -> int:
    return space.max_length


@flatten_space.register(WebText)
def _flatten_space(space: WebText) -> spaces.Box:
    return spaces.Box(low=-1, high=0x10FFFF, shape=(space.max_length,), dtype=np.int32)


@flatten.register(WebText)
def _flatten(space: WebText, x: str) -> NDArray[np.int32]:  # type: ignore[misc]
    codes = np.full(space.max_length, -1, dtype=np.int32)
    codes[: len(x)] = np.frombuffer(x.encode("utf-32-le"), dtype=np.int32)
    return codes


@unflatten.register(WebText)
def _unflatten(space: WebText, x: NDArray[np.int32]) -> str:  # type: ignore[misc]
    return x[x >= 0].astype(np.int32).tobytes().decode("utf-32-le")


def _slot(space: WebText) -> int:
    return _HEADER + _BYTES_PER_CHARACTER * space.max_length
