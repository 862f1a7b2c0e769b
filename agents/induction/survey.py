"""A survey of a site: what could be done on the pages seen so far, each proposal once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from skillshift_gym.agents.induction.affordances import (
    Route,
    entities_of,
    inputs_of,
    kind_of,
    leaves,
    menu_words,
    plain_topics,
    routes_of,
)
from skillshift_gym.agents.induction.demonstrating import ROWS, Demonstrator, entity_names
from skillshift_gym.agents.induction.doing import Undone
from skillshift_gym.agents.induction.exploring import route_of
from skillshift_gym.agents.induction.procedures import Procedure
from skillshift_gym.agents.induction.site_forms import (
    Form,
    Link,
    forms_of,
    heading_of,
    headings_below,
    links_of,
    singular,
    skeleton,
)
from skillshift_gym.agents.induction.ways import Ways
from skillshift_gym.page import Page
from skillshift_gym.reading import words
from skillshift_gym.vocabulary import UI_WORDS

Key = tuple[object, ...]
_FRAMES = ("menu", "pagination", "navigation", "sidebar", "link")  # lists that say where they stand, not what they hold
_KNOWN = 40  # pages that the site's knowledge names
_OFTEN = 3  # pages that a label leads to, from which on it names none of them


class Proposal(NamedTuple):
    """Something that could be done.

    Attributes:
        kind: As of `procedures.Procedure`.
        about: What it is about, in words.
        key: What tells it from other proposals.
        make: Does it.
    """

    kind: str
    about: str
    key: Key
    make: Callable[[Demonstrator], Procedure]


class Listing(NamedTuple):
    """A list of entities: its page's route, the form that narrows it down, and what an entity is called."""

    route: str
    form: Form
    abouts: list[str]


class Survey:
    """What was seen of a site.

    Attributes:
        proposals: Key -> proposal, in the order in which they were found.
        refused: Why something was no proposal -> how often.
    """

    def __init__(self) -> None:
        self.proposals: dict[Key, Proposal] = {}
        self.refused: dict[str, int] = {}
        self._links: dict[tuple[str, str], None] = {}
        self._lists: dict[tuple[str, str], None] = {}  # path and the name of a list that links to it
        self._headings: dict[str, str] = {}
        self._searches: list[tuple[str, Form]] = []
        self._forms: dict[Key, None] = {}
        self._parents: dict[str, tuple[Link, str]] = {}  # path -> the link to it and its menu
        self._listing_of: dict[Key, Listing] = {}
        self._posts: dict[str, tuple[Form, list[str]]] = {}  # route -> a form that writes, and what its page is about

    def look(self, page: Page, reached: Procedure | None = None) -> int:
        """Takes a page in, and returns how many proposals are new.

        Args:
            page: The page.
            reached: The procedure that ended on it, when there was one.
        """
        before = len(self.proposals)
        self._headings[route_of(page.url)] = heading_of(page)
        for link in links_of(page):
            self._link(page, link)
        listing = self._listing_of.get(reached.key) if reached is not None and reached.kind == "lookup" else None
        for form in forms_of(page):
            if form.submit < 0 or leaves(form.deed):
                self._refuse("a form without a button, or that would end the session")
            elif form.query:
                self._query(page, form)
            elif listing is not None:
                self._entity(page, form, listing)
            elif "#" not in skeleton(route_of(page.url)) and form.fields:
                self._post(page, form)
        return len(self.proposals) - before

    def topics(self, page: Page) -> list[str]:
        """Returns what a page is about."""
        link, menu = self._parents.get(route_of(page.url), (None, ""))
        return plain_topics(heading_of(page), link, menu, headings_below(page)) or ["page"]

    def routes(self) -> list[Route]:
        """Returns the kinds of pages among the links seen so far."""
        return [r._replace(abouts=(r.about, *self._also(r))) for r in routes_of(self._links)]

    def _also(self, route: Route) -> list[str]:
        """Returns what the lists say that hold links to pages of a kind: `post` for a list of recent posts."""
        paths = {path for _, path in route.examples}
        heads = Counter(singular(words(name)[-1]) for path, name in self._lists if path in paths and words(name))
        return [h for h, n in heads.most_common(3) if n >= _OFTEN and h != route.about and h not in _FRAMES][:1]

    @property
    def pages(self) -> list[str]:
        """Routes of the pages seen."""
        return list(self._headings)

    def knowledge(self, ways: Ways) -> str:
        """Returns what is known of the site, a line for each page seen: where it is, or by which links it is reached.

        Args:
            ways: What leads where; a page that no way leads to in another session is left out.
        """
        places = ((ways.to(route), heading) for route, heading in self._headings.items())
        lines = dict.fromkeys(f"{way} {heading}" for way, heading in places if way is not None and way.by_links)
        return "\n".join(list(lines)[:_KNOWN])

    @property
    def searches(self) -> list[tuple[str, Form]]:
        """Route and form of the searches of the whole site: one field to type into."""
        return self._searches

    def entities(self, proposal: Proposal, demonstrator: Demonstrator, page: Callable[[], Page]) -> None:
        """Takes in the pages of several entities of a list that can be looked up."""
        listing = self._listing_of[proposal.key]
        for row in range(ROWS):
            try:
                procedure = demonstrator.lookup(listing.route, listing.form, listing.abouts, row)
            except Undone:
                continue
            self._listing_of[procedure.key] = listing
            self.look(page(), procedure)

    def _link(self, page: Page, link: Link) -> None:
        if leaves(link.label):
            self._refuse("a link that would end the session")
            return
        self._links[link.label, link.path] = None
        self._lists[link.path, link.list] = None
        if link.path not in self._parents and words(link.label):
            self._parents[link.path] = link, menu_words(page, link.index)

    def settle(self) -> None:
        """Proposes what takes an overview: kinds of pages, what can be done on one of a kind, pages to go to, forms elsewhere."""
        routes = self.routes()
        for route in routes:
            self._propose(Proposal("route", route.about, ("route", route.address), partial(_by_route, route)))
        for start, (form, topics) in self._posts.items():
            self._settle_post(start, form, topics, kind_of(start, routes))
        often = Counter(link.label for link, _ in self._parents.values())
        for path, (link, menu) in self._parents.items():
            topics = plain_topics(self._headings.get(path, link.label), link, menu)
            topics = topics[:1] + topics[2:] if often[link.label] > 1 and len(topics) > 1 else topics
            plain = often[link.label] < _OFTEN and UI_WORDS["create"].isdisjoint(words(link.label)[:1])
            if plain and kind_of(path, routes) is None and "#" not in skeleton(path) and topics:
                self._propose(Proposal("visit", topics[0], ("visit", path), partial(_by_visit, path, topics)))

    def _settle_post(self, start: str, form: Form, topics: list[str], route: Route | None) -> None:
        if route is None:
            make = partial(_by_creating, start, form, topics)
            self._propose(Proposal("create", topics[-1], ("create", form.skeleton), make))
            return
        label = next((x for x, path in route.examples if path == start), "")
        if label:
            make = partial(_on_kind, route, form, label)
            self._propose(Proposal("deed", route.about, ("deed", route.address, form.skeleton), make))

    def _query(self, page: Page, form: Form) -> None:
        labelled = [f for f in form.fields if words(f.label)]
        if not labelled or words(labelled[0].label) == ("page",):
            return
        start, topics = route_of(page.url).partition("?")[0], self.topics(page)
        if not self._new(form):
            return
        if len(labelled) == 1 and labelled[0].tag == "input":
            self._searches.append((start, form))
        key: Key = ("query", form.skeleton)
        self._propose(Proposal("query", topics[-1], key, lambda d: d.query(start, form, topics)))
        if entities_of(form, page, "") is not None:
            key, names = ("lookup", form.skeleton), entity_names(topics)
            self._listing_of[key] = Listing(start, form, names)
            self._propose(Proposal("lookup", names[-1], key, lambda d: d.lookup(start, form, names)))

    def _entity(self, page: Page, form: Form, listing: Listing) -> None:
        """Proposes to change each field of an entity, or to press a button on its page."""
        if not self._new(form):
            return
        fields = [i for i in inputs_of(form, page) if not i.many]
        places = [n for n, i in enumerate(inputs_of(form, page)) if i in fields] or [-1]
        for place in places:
            key = ("entity", form.skeleton, place)
            kind = "edit" if place >= 0 else "deed"

            def make(d: Demonstrator, at: int = place) -> Procedure:
                return d.on_entity(listing.route, listing.form, form, at, listing.abouts)

            about = listing.abouts[-1] if place >= 0 else f"{form.deed} {listing.abouts[-1]}".lower()
            self._propose(Proposal(kind, about, key, make))

    def _post(self, page: Page, form: Form) -> None:
        if not self._new(form):
            return
        if any(i.required for i in inputs_of(form, page)):
            self._posts[route_of(page.url)] = form, entity_names(self.topics(page))

    def _new(self, form: Form) -> bool:
        new = form.skeleton not in self._forms
        self._forms[form.skeleton] = None
        return new

    def _propose(self, proposal: Proposal) -> None:
        self.proposals.setdefault(proposal.key, proposal)

    def _refuse(self, reason: str) -> None:
        self.refused[reason] = self.refused.get(reason, 0) + 1


def _by_route(route: Route, demonstrator: Demonstrator) -> Procedure:
    return demonstrator.route(route)


def _by_visit(path: str, topics: list[str], demonstrator: Demonstrator) -> Procedure:
    return demonstrator.visit(path, topics)


def _by_creating(start: str, form: Form, topics: list[str], demonstrator: Demonstrator) -> Procedure:
    return demonstrator.create(start, form, topics)


def _on_kind(route: Route, form: Form, label: str, demonstrator: Demonstrator) -> Procedure:
    return demonstrator.on_kind(route, form, label)
