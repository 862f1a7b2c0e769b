"""Fates: what happens to an element is a hash of the seed, the mutator and the element's key, and of nothing else.

The key is made before anything is changed: tag, own attributes, short text, the entity the element is about, the row it
stands in, and its ordinal among equal ones. So inserting one row changes no other row's fate, and the element has the
same fate on every page it stands on, as after a redesign.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator
from itertools import product
from string import ascii_lowercase

from lxml import etree

from skillshift_gym.document import SID_ATTRIBUTE

_ENTITY = re.compile(r"\{(.*)\}")
_SHORT = 80
_ROWS = frozenset(["article", "dd", "dt", "li", "option", "tr"])
# Places of the 32-bit numbers in a digest: one for each mutator that asks an element's fate.
_SLOTS = {
    name: 4 * place
    for place, name in enumerate(
        ["test_id", "add_class", "rename_class", "data", "noise", "noise_value", "reorder", "tag", "split", "unwrap",
         "wrap", "icon", "synonym", "decoy", "same_name"]
    )
}  # fmt: skip
_TRIPLES = ["".join(triple) for triple in product(ascii_lowercase, repeat=3)]


class Fate:
    """The numbers drawn for one element: two for each mutator.

    Args:
        digest: 64 bytes that depend on seed and key.
    """

    __slots__ = ("_digest", "_more")

    def __init__(self, digest: bytes) -> None:
        self._digest = digest
        self._more = b""

    def unit(self, mutator: str) -> float:
        """Returns a number in [0, 1): whether the mutator changes the element."""
        start = _SLOTS[mutator]
        return int.from_bytes(self._digest[start : start + 4], "big") / 2**32

    def second(self, mutator: str) -> float:
        """Returns another number in [0, 1): how the mutator changes the element."""
        return self._number(mutator) / 2**32

    def token(self, mutator: str) -> str:
        """Returns six letters, for names that mean nothing."""
        return letters(self._number(mutator))

    def _number(self, mutator: str) -> int:
        self._more = self._more or hashlib.blake2b(self._digest, digest_size=64).digest()
        start = _SLOTS[mutator]
        return int.from_bytes(self._more[start : start + 4], "big")


def letters(number: int) -> str:
    """Returns six letters of a number."""
    return _TRIPLES[number % len(_TRIPLES)] + _TRIPLES[number // len(_TRIPLES) % len(_TRIPLES)]


def fates(root: etree._Element, seed: str) -> list[tuple[etree._Element, Fate]]:
    """Returns the elements of the body with their fates, in document order.

    Args:
        root: The tree.
        seed: The shift's seed.
    """
    body = root.find("body")
    seen: dict[str, int] = {}
    found = []
    for element, row in _with_rows(body, "") if body is not None else ():
        key = _key(element, row)
        ordinal = seen[key] = seen.get(key, -1) + 1
        found.append((element, Fate(_digest(f"{seed}\x1f{key}\x1f{ordinal}"))))
    return found


def _with_rows(parent: etree._Element, row: str) -> Iterator[tuple[etree._Element, str]]:
    """Yields the elements inside one with the row that each stands in, in document order."""
    for element in parent:
        own = _row(element) if _is_row(element) else row
        yield element, own
        if len(element):
            yield from _with_rows(element, own)


def _is_row(element: etree._Element) -> bool:
    if element.tag in _ROWS:
        return True
    kind = (element.get("class") or "").partition(" ")[0]
    neighbours = (element.getprevious(), element.getnext())
    return element.tag == "div" and kind != "" and any(
        n is not None and n.tag == "div" and (n.get("class") or "").partition(" ")[0] == kind for n in neighbours
    )  # fmt: skip


def _row(element: etree._Element) -> str:
    """Returns what tells a row from others: the first entity in it, else its text."""
    for inner in element.iter():
        entity = _entity(inner)
        if entity:
            return entity
    return text_of(element)


def _key(element: etree._Element, row: str) -> str:
    attributes = [f"{name!s}={value!s}" for name, value in sorted(element.items()) if name != SID_ATTRIBUTE]
    text = text_of(element) if len(element) < 4 else ""
    return "\x1f".join([str(element.tag), *attributes, text if len(text) <= _SHORT else "", _entity(element), row])


def _entity(element: etree._Element) -> str:
    match = _ENTITY.search(element.get(SID_ATTRIBUTE) or "")
    return match.group(1) if match else ""


def text_of(element: etree._Element) -> str:
    """Returns the text in an element, white space collapsed."""
    return " ".join("".join(map(str, element.itertext())).split())


def _digest(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "replace"), digest_size=64).digest()
