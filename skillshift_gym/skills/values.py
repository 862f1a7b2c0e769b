"""Values of a record: bounded, frozen and canonical; text is text, never read as anything else."""

from __future__ import annotations

import hashlib
import json
import math
from collections.abc import Iterator, Mapping
from typing import Any, NoReturn

MAX_TEXT = 20_000  # bytes of UTF-8 in one text
MAX_VALUES = 5_000  # values in the fields of one record
MAX_DEPTH = 12


class Frozen(dict[str, Any]):
    """A dict that cannot be changed; its hash in a bank is then always the hash of what it holds."""

    def _refuse(self, *_: object, **__: object) -> NoReturn:
        raise TypeError("a record cannot be changed; make a new one and put it into the bank with update()")

    __setitem__ = __delitem__ = clear = pop = popitem = setdefault = update = __ior__ = _refuse

    def __reduce__(self) -> tuple[type[Frozen], tuple[dict[str, Any]]]:
        return Frozen, (dict(self),)


def text_problem(value: object, limit: int = MAX_TEXT) -> str:
    """Returns what is wrong with a text, empty when nothing is."""
    if not isinstance(value, str):
        return f"expected text, got {type(value).__name__}"
    try:
        size = len(value.encode())
    except UnicodeEncodeError as error:
        return f"expected text, got half of a character at {error.start}"
    if size > limit:
        return f"expected at most {limit:,} bytes of text, got {size:,}"
    return f"expected text, got binary data (NUL at {value.index(chr(0))})" if "\0" in value else ""


def frozen(value: Any) -> Any:
    """Returns a JSON value that cannot be changed: tuples for lists, `Frozen` for dicts.

    Raises:
        ValueError: It is no JSON value, or it is too large or too deep.
    """
    return _freeze(value, [0], 0)


def _freeze(value: Any, count: list[int], depth: int) -> Any:
    count[0] += 1
    if count[0] > MAX_VALUES:
        raise ValueError(f"expected at most {MAX_VALUES:,} values")
    if depth > MAX_DEPTH:
        raise ValueError(f"expected at most {MAX_DEPTH} levels (lists in lists, or a value that holds itself)")
    if isinstance(value, str):
        if problem := text_problem(value):
            raise ValueError(problem)
        return str(value)
    if value is None or isinstance(value, bool | int):
        if isinstance(value, int) and abs(value) > 2**53:
            raise ValueError(
                f"expected a number that JSON readers keep (at most 2**53), got one of {value.bit_length()} bits"
            )
        return value
    if isinstance(value, float):
        if not math.isfinite(value):
            raise ValueError(f"expected a number, got {value}")
        return value
    if isinstance(value, Mapping):
        return Frozen({_key(k): _freeze(v, count, depth + 1) for k, v in value.items()})
    if isinstance(value, list | tuple):
        return tuple(_freeze(v, count, depth + 1) for v in value)
    raise ValueError(f"expected text, a number, true, false, null, a list or an object, got {type(value).__name__}")


def _key(value: object) -> str:
    if problem := text_problem(value, 200):
        raise ValueError(f"key: {problem}")
    return str(value)


def canonical(value: Any) -> str:
    """Returns the one JSON text of a value: sorted keys, no spaces."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def digest(value: Any) -> str:
    """Returns the SHA-256 of a value's canonical text."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def shown(text: str, limit: int = 2_000) -> str:
    """Returns a text for a terminal: no control character, no direction mark, not endless."""
    kept = "".join(c if c.isprintable() or c == "\n" else c.encode("unicode_escape").decode() for c in text[:limit])
    return kept + (f"… ({len(text):,} characters)" if len(text) > limit else "")


def texts_in(value: Any) -> Iterator[str]:
    """Yields the texts of a JSON value, frozen or not; those of a mapping in the order of its keys."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping | list | tuple):
        for part in (value[key] for key in sorted(value)) if isinstance(value, Mapping) else value:
            yield from texts_in(part)
