"""Fates: what happens to an element is a hash of the seed, the mutator and the element's key, and of nothing else.

The key is made before anything is changed: tag, own attributes, short text, the entity the element is about, and its
ordinal among equal ones. So inserting one row changes no other row's fate, and the element has the same fate on every
page it stands on, as after a redesign.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator

from lxml import etree

from skillshift_gym.document import SID_ATTRIBUTE

_ENTITY = re.compile(r"\{(.*)\}")
_SHORT = 80
_WORDS = 16  # 32-bit numbers in a digest


class Fate:
    """The numbers drawn for one element, one for each mutator.

    Args:
        digest: 64 bytes that depend on seed and key.
    """

    __slots__ = ("_digest",)

    def __init__(self, digest: bytes) -> None:
        self._digest = digest

    def unit(self, slot: int) -> float:
        """Returns the number in [0, 1) of a slot, from 0 to 15."""
        start = 4 * (slot % _WORDS)
        return int.from_bytes(self._digest[start : start + 4], "big") / 2**32

    def token(self, slot: int) -> str:
        """Returns six letters of a slot, for names that mean nothing."""
        number = int.from_bytes(self._digest[4 * (slot % _WORDS) :][:4], "big")
        letters = []
        for _ in range(6):
            number, letter = divmod(number, 26)
            letters.append(chr(97 + letter))
        return "".join(letters)


def fates(root: etree._Element, seed: str) -> list[tuple[etree._Element, Fate]]:
    """Returns the elements of the body with their fates, in document order.

    Args:
        root: The tree.
        seed: The shift's seed.
    """
    seen: dict[str, int] = {}
    found = []
    for element in _body(root):
        key = _key(element)
        ordinal = seen[key] = seen.get(key, -1) + 1
        found.append((element, Fate(_digest(f"{seed}\x1f{key}\x1f{ordinal}"))))
    return found


def name_fate(seed: str, name: str) -> Fate:
    """Returns the fate of a name, such as an id: the same wherever the name stands."""
    return Fate(_digest(f"{seed}\x1fname\x1f{name}"))


def _body(root: etree._Element) -> Iterator[etree._Element]:
    body = root.find("body")
    if body is not None:
        yield from (e for e in body.iter() if e is not body and isinstance(e.tag, str))


def _key(element: etree._Element) -> str:
    attributes = dict(element.items())
    entity = _ENTITY.search(str(attributes.pop(SID_ATTRIBUTE, "")))
    text = " ".join("".join(element.itertext()).split()) if len(element) < 4 else ""
    parts = [str(element.tag), *(f"{k}={v}" for k, v in sorted(attributes.items()))]
    return "\x1f".join([*parts, text if len(text) <= _SHORT else "", entity.group(1) if entity else ""])


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=64).digest()
