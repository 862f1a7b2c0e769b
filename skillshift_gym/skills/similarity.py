"""How alike two texts are, from 0 to 1."""

from __future__ import annotations

import re
from difflib import SequenceMatcher
from functools import lru_cache

_WORD = re.compile(r"[^\W_]+")
_LONG = 200


@lru_cache(maxsize=65_536)
def alike(one: str, other: str) -> float:
    """Returns how alike two names are: by their words, or by their letters, whichever says more."""
    if one == other:
        return 1.0
    a, b = one.casefold()[:_LONG], other.casefold()[:_LONG]
    words_a, words_b = set(_WORD.findall(a)), set(_WORD.findall(b))
    shared = len(words_a & words_b) / len(words_a | words_b) if words_a and words_b else 0.0
    return max(shared, edit_ratio(a, b))


@lru_cache(maxsize=65_536)
def edit_ratio(one: str, other: str) -> float:
    """Returns how much of two texts is the same, in order."""
    if one == other:
        return 1.0
    return SequenceMatcher(None, one[:_LONG], other[:_LONG], autojunk=False).ratio() if one and other else 0.0
