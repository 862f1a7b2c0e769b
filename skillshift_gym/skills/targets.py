"""Targets of a running program: resolved, healed, judged and counted."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, NamedTuple

from ..page import Page
from .finder import Finder
from .healing import heal
from .judging import Judge
from .locator import Locator
from .outcome import Heal
from .policy import Policy
from .program import Target
from .recording import locator_of
from .resolving import STALE, Found, Scope, all_of, marks, resolve


class Failed(Exception):
    """The call cannot go on.

    Attributes:
        code: One of `outcome.CODES`.
        detail: Why, in words.
        blocked_by: Title of what is in the way.
    """

    def __init__(self, code: str, detail: str, blocked_by: str = "") -> None:
        super().__init__(detail)
        self.code = code
        self.detail = detail
        self.blocked_by = blocked_by


class Held(NamedTuple):
    """The element of a for-each, and the document it belongs to."""

    index: int  # type: ignore[assignment]  # not the method of tuples
    url: str
    size: int


class Targets:
    """Finds the targets of one call.

    Args:
        policy: How they are found.
        judge: Knows which were meant.

    Attributes:
        heals: Attempts to heal so far.
        kinds: Kind of mark -> targets it found.
        wrong: What went to another element than the recorded one, empty while nothing did.
        healed: Locator as stored -> locator of what was found in its place.
        missed: Kind of the usual mark of the target that was not found, empty while all are.
    """

    def __init__(self, policy: Policy, judge: Judge) -> None:
        self._policy = policy
        self._judge = judge
        self._finder: Finder | None = None
        self.heals: list[Heal] = []
        self.kinds: Counter[str] = Counter()
        self.wrong = ""
        self.missed = ""
        self.healed: dict[Locator, Locator] = {}

    def find(self, target: Target, page: Page, values: Mapping[str, Any], held: Mapping[str, Held], line: int) -> int:
        """Returns the element of a target.

        Raises:
            Failed: It is not there, or several fit.
        """
        scope = self._scope(target, page, held)
        if target.locator is None:
            return held[target.name].index
        stored, locator, finder = target.locator, _filled(target.locator, values), self.finder(page)
        found = resolve(locator, finder, self._policy, scope)
        if found.rank or found.index < 0:
            found = self._heal(stored, locator, finder, found, scope, line)
        if found.index < 0:
            self.missed = next((m.kind for m in marks(locator, self._policy.order)), "")
            few = "no visible element fits" if found.code == STALE else "several elements fit"
            raise Failed(found.code, f"{few} {_seen(locator)} on {page.url}")
        self.kinds[found.kind] += 1
        return found.index

    def note(self, target: Target, index: int, page: Page) -> None:
        """Judges an element that a primitive goes to."""
        meant = self._judge.meant(target.locator, page) if target.locator is not None else None
        if meant is not None and index not in meant and not self.wrong:
            element = page.element(index)
            self.wrong = f"{element.role or element.tag} {element.name!r} in place of {_seen(target.locator)}"

    def every(self, target: Target, page: Page, values: Mapping[str, Any], held: Mapping[str, Held]) -> list[int]:
        """Returns all visible elements of a target."""
        scope = self._scope(target, page, held)
        if target.locator is None:
            return [held[target.name].index]
        return all_of(_filled(target.locator, values), self.finder(page), self._policy, scope)

    def exists(self, target: Target, page: Page, values: Mapping[str, Any], held: Mapping[str, Held]) -> bool:
        """Tells whether a target is there, without healing."""
        scope = self._scope(target, page, held)
        if target.locator is None:
            return True
        locator = _filled(target.locator, values)
        found = resolve(locator, self.finder(page), self._policy, scope)
        return found.index >= 0 or bool(found.code != STALE and all_of(locator, self.finder(page), self._policy, scope))

    def finder(self, page: Page) -> Finder:
        """Returns the finder of a page."""
        if self._finder is None or self._finder.page is not page:
            self._finder = Finder(page)
        return self._finder

    def _scope(self, target: Target, page: Page, held: Mapping[str, Held]) -> Scope | None:
        if not target.name:
            return None
        outer = held.get(target.name)
        if outer is None:
            raise Failed("aborted", f"{target.name!r} is no element of a for-each")
        if (outer.url, outer.size) != (page.url, len(page)):
            raise Failed(STALE, f"the element {target.name!r} belonged to a page that was left")
        return page.document[outer.index].__contains__

    def _heal(
        self, stored: Locator, locator: Locator, finder: Finder, found: Found, scope: Scope | None, line: int
    ) -> Found:
        """Returns what stands in for a target whose usual mark failed."""
        healer = "cascade" if found.index >= 0 else ""
        for name in self._policy.healers if found.index < 0 else ():
            index = heal(locator, finder, name, scope)
            if index >= 0:
                found, healer = Found(index, name), name
                break
        verdict = self._verdict(stored, finder.page, found.index)
        healed = ""
        if found.index >= 0:
            new = locator_of(finder, found.index)
            healed = str(new)
            if not stored.slots:  # one that depends on the arguments would be right for these arguments only
                self.healed[stored] = new
        self.heals.append(Heal(healer, verdict, line, str(stored), healed))
        return found

    def _verdict(self, stored: Locator, page: Page, index: int) -> str:
        meant = self._judge.meant(stored, page)
        if meant is None:
            return "unjudged"
        if index >= 0:
            return "true" if index in meant else "false"
        return "missed" if any(page.outline.rendered[i] for i in meant) else "refused"


def _filled(locator: Locator, values: Mapping[str, Any]) -> Locator:
    try:
        return locator.filled(values)
    except KeyError as error:
        raise Failed("aborted", f"the program gives {error.args[0]!r} no value") from None


def _seen(locator: Locator | None) -> str:
    """Returns what an agent may read of a locator: its semantic id is left out."""
    if locator is None:
        return ""
    return (
        "{"
        + " ".join(
            f"{k}={v!r}" for k, v in locator.to_json().items() if k not in ("sid", "tag", "classes", "href", "near")
        )
        + "}"
    )
