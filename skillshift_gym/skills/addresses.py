"""Parts of addresses that are made anew each session: secret keys, nonces, session ids, tokens.

An address that holds one is dead in the next session. What is told by the text alone: a name that says so (`_wpnonce=`), or
a run of letters and digits that no one would choose (`3b2cff893aa9766737bcf1a8eeb6ba56`). Slugs, dates, numbers of entities
and slots of a template are none.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple
from urllib.parse import unquote

from .templates import plain, slots

# Names of what only one session has, without case and signs; `aspsessionid` goes on with letters of its own.
_SECRET = re.compile(
    r"\w*(?:wp)?nonce|form(?:_?build)?_?(?:key|id|token)|(?:php|j|asp\w*|cf)?_?sess(?:ion)?_?id\w*|s_?id|_*sid|sesskey|"
    r"\w*(?:csrf|xsrf)\w*|authenticity_?token|(?:access|auth|id|refresh|request|session)?_?token|cftoken|"
    r"viewstate|(?:x_amz_)?(?:signature|security_token)|sig",
    re.IGNORECASE,
)
_STAMP_NAMES = frozenset(["_", "_t", "t", "ts", "time", "timestamp", "rand", "random", "nocache", "cachebuster", "cb"])
_STAMP = re.compile(r"1\d{9}(?:\d{3})?")
_SEGMENT = re.compile(r"[/?#&;]")
_HOST = re.compile(r"^(?:[a-z][a-z0-9+.-]*:)?//[^/?#]*", re.IGNORECASE)
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}", re.IGNORECASE)
_DATE = re.compile(r"(?:\d{4}(?:feb|dec)\d{1,2}|\d{1,2}(?:feb|dec)\d{4})", re.IGNORECASE)
_ADDRESS = re.compile(r"(?:https?:/)?/[^\s\"'<>|,()]+")
_SHORT_HEX, _LONG_HEX, _LONG = 8, 16, 16
# A drawn run of letters and digits turns from one to the other at least once in so many characters; with both cases of
# letters digits are rarer, and words are too.
_TURNS, _TURNS_OF_BOTH_CASES = 4, 8
_SECRET_LENGTH = 6


class _Piece(NamedTuple):
    """A part of an address: what names it (the segment or field name before it), its text, and where it begins and ends."""

    name: str
    text: str
    start: int
    end: int


@lru_cache(maxsize=16_384)
def made_anew(address: str) -> str:
    """Returns the first part of an address that looks made anew each session, empty without one.

    Args:
        address: An address or a template of one.
    """
    return next((address[p.start : p.end] for p in _pieces(address) if _is_made_anew(p)), "")


def made_anew_in(text: str) -> str:
    """Returns the first such part of the addresses that a text names, empty without one."""
    return next((part for m in _ADDRESS.finditer(text) if (part := made_anew(m.group()))), "")


def stable_heads(path: str) -> list[str]:
    """Returns what a path begins with that is no part made anew, down to the root, the longest first."""
    part = next((p for p in _pieces(path) if _is_made_anew(p)), None)
    head = path[: part.start] if part is not None else path
    places = [m.end() for m in re.finditer("/", head.partition("?")[0])]
    return [path[:place] for place in reversed(places)]


def stable_parts(path: str) -> list[str]:
    """Returns the segments of a path without those that are made anew, and without what names those."""
    kept: list[str] = []
    for piece in _pieces(path.partition("?")[0]):
        if _is_made_anew(piece):
            kept = kept[:-1] if kept and kept[-1] == piece.name else kept
        else:
            kept.append(piece.text)
    return [k for k in kept if k]


def _pieces(address: str) -> Iterator[_Piece]:
    """Yields the segments of the path, and the values of its fields, the host left out."""
    host = _HOST.match(address)
    place, before = host.end() if host else 0, ""
    for text in _SEGMENT.split(address[place:]):
        name, sign, value = text.partition("=")
        shift = len(name) + 1 if sign else 0
        yield _Piece(name if sign else before, value if sign else text, place + shift, place + len(text))
        before, place = text if not sign else "", place + len(text) + 1


def _is_made_anew(piece: _Piece) -> bool:
    if slots(piece.text):
        return False
    text, name = unquote(plain(piece.text)), unquote(piece.name).strip("[] ")
    if not text:
        return False
    if _SECRET.fullmatch(name) and len(text) >= _SECRET_LENGTH and not _is_words(text):
        return True
    if name in _STAMP_NAMES and _STAMP.fullmatch(text):
        return True
    return bool(_UUID.search(text)) or any(map(_is_drawn, re.split(r"[^A-Za-z0-9]+", text)))


def _is_words(text: str) -> bool:
    """Tells whether a value is words or a small number, such as a slug or a place that is called `sid` for other reasons."""
    return all(re.fullmatch(r"[a-z]+|[A-Z]?[a-z]+|\d{1,4}", part) for part in re.split(r"[-_+ .]", text))


def _is_drawn(run: str) -> bool:
    """Tells whether a run of letters and digits was drawn at random rather than chosen by someone."""
    digits = sum(c.isdigit() for c in run)
    if not 2 <= digits < len(run) or _DATE.fullmatch(run):
        return False
    turns = sum(a.isdigit() != b.isdigit() for a, b in pairwise(run))
    if re.fullmatch(r"[0-9a-f]+|[0-9A-F]+", run):
        return len(run) >= _LONG_HEX or (len(run) >= _SHORT_HEX and turns > 1)
    per_turn = _TURNS if run in (run.lower(), run.upper()) else _TURNS_OF_BOTH_CASES
    return len(run) >= _LONG and turns * per_turn >= len(run)
