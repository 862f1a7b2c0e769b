"""Which element a recording meant: only the judge asks, resolving never does."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ..page import Page
from .locator import Locator
from .templates import fill, shown

_ENTITY = re.compile(r"\\\{([^{}]*)\\\}")
MISSING = "page.missing"  # what sites say where there is no page


def leads_nowhere(page: Page) -> bool:
    """Tells whether a page is what a site shows at an address that does not exist."""
    return bool(page.document.indices_by_sid.get(MISSING))


class Judge:
    """Judges the targets of one call.

    Args:
        values: Arguments of the call.
        examples: Arguments of the recording. Where the call has others, the numbers of entities that the program spells
            out are those of the recording and cannot be compared: what the element is for is compared then.
    """

    def __init__(self, values: Mapping[str, Any], examples: Mapping[str, str]) -> None:
        self._values = values
        self._exact = all(shown(values.get(name)) == value for name, value in examples.items())

    def meant(self, locator: Locator, page: Page) -> frozenset[int] | None:
        """Returns the elements of a page that a stored locator means, None when the recording does not say."""
        if not locator.sid:
            return None
        try:
            wanted = fill(locator.sid, self._values)
        except KeyError:
            return None
        exact = page.document.indices_by_sid.get(wanted, ())
        if self._exact or (exact and not locator.slots):  # a page may show the recorded entity beside the one named now
            return frozenset(exact)
        pattern = _pattern(wanted, bool(locator.slots))
        return frozenset(index for index, other in page.document.sids.items() if pattern.fullmatch(other))


@lru_cache(maxsize=1024)
def _pattern(sid: str, named: bool) -> re.Pattern[str]:
    """Returns what fits a semantic id with any entity's number, or any entity where an argument names it."""

    def any_entity(match: re.Match[str]) -> str:
        return r"\{" + ("[^{}]*" if named else re.sub(r"\d+", r"\\d+", match[1])) + r"\}"

    return re.compile(_ENTITY.sub(any_entity, re.escape(sid)))
