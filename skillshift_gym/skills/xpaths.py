"""The part of XPath that recorders write; anything else is refused before a library reads it."""

from __future__ import annotations

import re
from functools import lru_cache

from lxml import etree

MAX_XPATH = 600
_STRING = r"(?:\"[^\"]*\"|'[^']*')"
_VALUE = r"(?:@[\w-]+|\.|text\(\)|normalize-space\((?:\.|text\(\)|@[\w-]+)?\))"
_TEST = rf"(?:\d{{1,5}}|last\(\)|position\(\)\s*=\s*\d{{1,5}}|{_VALUE}(?:\s*=\s*{_STRING})?|(?:contains|starts-with)\({_VALUE}\s*,\s*{_STRING}\))"
_STEP = rf"(?:\*|[a-z][\w-]*)(?:\[{_TEST}(?:\s+and\s+{_TEST})*\])*"
_XPATH = re.compile(rf"(?:\.?//?)?{_STEP}(?://?{_STEP}){{0,60}}", re.ASCII)


@lru_cache(maxsize=16_384)
def compiled(text: str) -> etree.XPath:
    """Returns an XPath ready to use.

    Raises:
        ValueError: It is not of the part of XPath that is read.
    """
    if len(text) > MAX_XPATH or not _XPATH.fullmatch(text):
        raise ValueError(
            f"expected steps with places and attribute tests, such as //li[2]/a[@class='x'], got {text[:80]!r}"
        )
    return etree.XPath(text)
