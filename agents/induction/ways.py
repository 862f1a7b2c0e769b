"""Ways to pages whose address is made anew each session: from an address that lasts, by the links and forms of the site.

What lasts is told by the address alone (`skillshift_gym.skills.addresses`); nothing of a site is known. Links that name one
entity (a number in their path) and links that share their name with others are left out: they lead elsewhere tomorrow.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from skillshift_gym.agents.induction.binding import Input
from skillshift_gym.agents.induction.site_forms import Form, Link, links_of, skeleton, text_at
from skillshift_gym.document import Element
from skillshift_gym.page import Page
from skillshift_gym.reading import words
from skillshift_gym.skills.addresses import made_anew

_FARTHEST = 4  # links and forms between an address that lasts and the page that is wanted


class Followed(NamedTuple):
    """A link that leads on: its page's route, what it is called, where it leads, and the folded parts that it stands in."""

    source: str
    label: str
    path: str
    menu: tuple[str, ...]


class Asked(NamedTuple):
    """A form that leads on: its page's route, the form, and what is filled in."""

    source: str
    form: Form
    inputs: Sequence[Input]
    sample: Mapping[str, Any]


class Way(NamedTuple):
    """How a page is reached: the address to go to, and what is followed from there."""

    address: str
    hops: tuple[Followed | Asked, ...] = ()

    @property
    def by_links(self) -> bool:
        """Whether no form is sent on the way."""
        return all(isinstance(h, Followed) for h in self.hops)

    def __str__(self) -> str:
        labels = (x for h in self.hops for x in ((*h.menu, h.label) if isinstance(h, Followed) else (h.form.deed,)))
        return " > ".join([self.address, *labels])


class Ways:
    """What leads where, as far as it was seen."""

    def __init__(self) -> None:
        self._hops: dict[str, list[Followed | Asked]] = {}  # route -> what leads there
        self._pages: set[str] = set()
        self._own: set[str] = set()  # routes that links lead to, or that an episode began on
        self._entrances: dict[str, str] = {}  # route -> an address that lasts and opens it

    def look(self, route: str, page: Page) -> None:
        """Takes in the links of a page."""
        if route in self._pages:
            return
        self._pages.add(route)
        links = [(x, tuple(e.index for e in folds(page, x.index))) for x in links_of(page)]
        self._own.update(x.path for x, _ in links)
        named = Counter((x.label, chain) for x, chain in links)
        for link, chain in links:
            if named[link.label, chain] == 1 and words(link.label) and "#" not in skeleton(link.path):
                menu = tuple(text_at(page, s) for e in folds(page, link.index) if (s := head_of(page, e)) >= 0)
                self._hops.setdefault(link.path, []).append(Followed(route, link.label, link.path, menu))

    def begun(self, route: str) -> None:
        """Remembers that an episode began on a page."""
        self._own.add(route)

    def asked(self, route: str, hop: Asked) -> None:
        """Remembers that a form leads to a page."""
        self._hops.setdefault(route, []).append(hop)

    def enter(self, address: str, route: str) -> None:
        """Remembers that an address that lasts opens a page."""
        self._entrances.setdefault(route, address)

    def knows(self, route: str) -> bool:
        """Tells whether a page is the site's own, not one that says that there is none."""
        return route in self._own

    @property
    def entered(self) -> bool:
        """Whether an address that lasts is known for a page whose own does not."""
        return bool(self._entrances)

    def to(self, route: str) -> Way | None:
        """Returns the shortest way to a page, None when there is none."""
        level: list[tuple[str, tuple[Followed | Asked, ...]]] = [(route, ())]
        seen = {route}
        for _ in range(_FARTHEST + 1):
            for place, hops in level:
                if address := self._lasting(place):
                    return Way(address, hops)
            before: dict[str, tuple[Followed | Asked, ...]] = {}
            for place, hops in level:
                for hop in self._hops.get(place, ()):
                    before.setdefault(hop.source, (hop, *hops))
            level = [(source, hops) for source, hops in before.items() if source not in seen]
            seen.update(before)
        return None

    def _lasting(self, route: str) -> str:
        return self._entrances.get(route, "") if made_anew(route) else route


def folds(page: Page, index: int) -> list[Element]:
    """Returns the parts that can be folded and hold an element, outermost first."""
    return [e for e in page.document.ancestors(index) if e.tag == "details"][::-1]


def head_of(page: Page, part: Element) -> int:
    """Returns the index of what folds a part, -1 without one."""
    return next((c.index for c in page.document.child_elements(part.index) if c.tag == "summary"), -1)


def link_on(page: Page, hop: Followed) -> Link | None:
    """Returns the link of a hop on its page, one that is shown if there is one."""
    found = [x for x in links_of(page) if (x.label, x.path) == (hop.label, hop.path)]
    return next((x for x in found if x.shown), found[0] if found else None)
