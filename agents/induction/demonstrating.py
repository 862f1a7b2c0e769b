"""Demonstrations: each kind of procedure is done once on the site."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from skillshift_gym.agents.induction.affordances import Route, inputs_of
from skillshift_gym.agents.induction.binding import Input
from skillshift_gym.agents.induction.doing import Doing, Undone
from skillshift_gym.agents.induction.exploring import route_of
from skillshift_gym.agents.induction.procedures import Procedure, generated
from skillshift_gym.agents.induction.site_forms import (
    Form,
    Link,
    forms_of,
    links_of,
    part_of,
    query_of,
    rows_of,
    singular,
    topic,
)
from skillshift_gym.agents.induction.ways import Asked
from skillshift_gym.agents.induction.wordings import (
    CHANGE,
    VISIT,
    created,
    deeds,
    for_each,
    looked_up,
    questions,
    routed,
    searches,
)
from skillshift_gym.page import Page
from skillshift_gym.skills.addresses import made_anew
from skillshift_gym.skills.locator import Locator
from skillshift_gym.skills.naming import slug
from skillshift_gym.skills.program import Act, Text
from skillshift_gym.skills.templates import literal

ROWS = 10  # entities of a list that are looked at


class Demonstrator(Doing):
    """Does procedures and writes them down.

    Args:
        explorer: The browser.
        task: The task whose start page an episode begins on.
        seed: Seed of the values that are tried.
    """

    def visit(self, route: str, topics: Sequence[str]) -> Procedure:
        """Goes to a page."""
        self._start(route)
        name = f"open {topics[0]}"
        return self._made("visit", name, for_each(VISIT, topics), (), {}, address=route)

    def route(self, route: Route) -> Procedure:
        """Goes to a page of a kind, by its address."""
        _lasting(route)
        label, path = route.examples[0]
        before = route_of(self._explorer.begin(self._task).url)
        label, path = next(((x, p) for x, p in route.examples if p != before), (label, path))
        self._start(path)
        sample = {route.parameter.name: label}
        goto = Act("goto", None, (Text(route.address),))
        self._acts = [goto]
        return self._made(
            "route", f"open {route.about}", routed(route), (route.parameter,), sample, address=route.address
        )

    def followed(self, start: str, route: Route) -> Procedure:
        """Goes to a page of a kind by the link that is called so, on a page that lists them."""
        listed = [x for x in links_of(self._start(start)) if x.shown and (x.label, x.path) in route.examples]
        if len(listed) < len(route.examples) / 2:
            raise Undone("no list of links to follow")
        labels = tuple(dict.fromkeys(x.label for x in listed))
        one = route.parameter._replace(format="", choices=tuple((x, x) for x in labels), samples=())
        return self._clicked(listed, route, one)

    def _clicked(self, links: Sequence[Link], route: Route, one: Input) -> Procedure:
        """Clicks a link that is called as the input says, in the part of the page that holds most of such links."""
        page = self._explorer.page
        parts = Counter(part_of(page, x.index) for x in links)
        part = max(parts, key=lambda p: (parts[p], -p))
        link = next(x for x in links if part_of(page, x.index) == part)
        scope = page.element(part) if part >= 0 else None
        self._do("click", link.index, slots={link.label: one.name})
        made = self._made("route", f"open {route.about}", routed(route), (one,), {one.name: link.label})
        return made if scope is None else replace(made, scope=Locator(role=scope.role, label=literal(scope.name)))

    def found(self, start: str, form: Form, route: Route) -> Procedure:
        """Goes to a page of a kind by searching for what it is called."""
        page = self._start(start)
        own = self._again(form, page)
        here = {x.path for x in links_of(page)}  # what is here already needs no search
        one = route.parameter._replace(format="", field=own.fields[0].name)
        for label, path in [e for e in route.examples if e[1] not in here][:ROWS]:
            self._start(start)
            self._fill(own, [one], {one.name: label})
            self._do("click", own.submit)
            link = next(
                (x for x in links_of(self._explorer.page) if x.shown and (x.label, x.path) == (label, path)), None
            )
            if link is not None:
                return self._clicked([link], route, one)
        raise Undone("the search does not find it")

    def query(self, start: str, form: Form, topics: Sequence[str]) -> Procedure:
        """Fills in a form that asks, with one value, or all that it needs."""
        page = self._start(start)
        inputs = inputs_of(form, page)
        one = next((i for i in inputs if i.samples or i.choices), inputs[0])
        sample = {
            i.name: generated(i, self._seed)
            for i in inputs
            if i.required or (i == one and not any(x.required for x in inputs))
        }
        self._fill(form, inputs, sample, skip_many=True)
        kept = tuple(i for i in inputs if not i.many)
        kept = (kept[0]._replace(required=True),) if len(kept) == 1 else kept
        self._do("click", form.submit)
        self._explorer.ways.asked(self._explorer.route, Asked(start, form, tuple(inputs), sample))
        address = query_of(form, [(i.field, f"{{{i.name}}}") for i in kept])
        searching = len(kept) == 1 and not rows_of(page, form)
        words = searches(kept[0].name) if searching else questions(topics)
        name = "search" if searching else f"{'show' if 'report' in topics[-1] else 'filter'} {topics[-1]}"
        return self._made("query", name, words, kept, sample, address=address)

    def lookup(self, start: str, form: Form, abouts: Sequence[str], row: int = 0) -> Procedure:
        """Narrows a list down to one entity, that of a row, and opens it."""
        keys, sample, _ = self._opened(start, form, row)
        return self._made("lookup", f"open {abouts[-1]}", looked_up(abouts, keys), keys, sample, **self._shortcut)

    def on_entity(self, start: str, listing: Form, form: Form, field: int, abouts: Sequence[str]) -> Procedure:
        """Opens an entity and changes one field of it, or presses a button.

        Args:
            start: Route of the list.
            listing: The form that narrows it down.
            form: A form as it was seen on one entity's page.
            field: Place of the field among the form's inputs, -1 for the button alone.
            abouts: What an entity is called.
        """
        for row in range(self._seed, self._seed + ROWS):
            keys, sample, page = self._opened(start, listing, row)
            own = next((f for f in forms_of(page) if f.skeleton == form.skeleton), None)
            if own is not None:
                break
        else:
            raise Undone("another form")
        values: tuple[Input, ...] = ()
        if field >= 0:
            inputs = inputs_of(own, page)
            if field >= len(inputs) or inputs[field].many:
                raise Undone("another form")
            taken = [k.name for k in keys]
            one = inputs[field]
            values = (one._replace(name=slug(f"new {one.label}", taken), required=True, default="", samples=()),)
            sample = {**sample, values[0].name: self._other(one)}
            self._fill(own, [values[0]], sample)
        self._submit(own)
        words = for_each(CHANGE, abouts, label=own_label(values)) if values else deeds(own.deed, abouts)
        name = f"change {values[0].label} of {abouts[-1]}" if values else f"{own.deed} {abouts[-1]}"
        return self._made("edit" if values else "deed", name, words, (*keys, *values), sample, **self._shortcut)

    def create(self, start: str, form: Form, topics: Sequence[str]) -> Procedure:
        """Fills in a form that makes something, with all that it needs."""
        page = self._start(start)
        own = self._again(form, page)
        given = inputs_of(own, page)
        sample = {i.name: generated(i, self._seed) for i in given if i.required}
        self._fill(own, given, sample, defaults=True)
        self._submit(own)
        return self._made("create", f"create {topics[-1]}", created(topics), given, sample)

    def on_kind(self, route: Route, form: Form, label: str) -> Procedure:
        """Goes to the page of a kind that is called so, by its address, and fills in a form there."""
        _lasting(route)
        page = self._start(dict(route.examples)[label])
        self._acts = [Act("goto", None, (Text(route.address),))]
        return self._done_there(route, route.parameter, form, page, label)

    def _done_there(self, route: Route, which: Input, form: Form, page: Page, label: str) -> Procedure:
        own = self._again(form, page)
        given = [i._replace(name=slug(i.name, [which.name])) for i in inputs_of(own, page)]
        sample = {which.name: label, **{i.name: generated(i, self._seed) for i in given if i.required}}
        self._fill(own, given, sample, defaults=True)
        self._submit(own)
        words = deeds(own.deed, [route.about])
        return self._made("deed", f"{own.deed} on {route.about}", words, (which, *given), sample)


def _lasting(route: Route) -> None:
    """Makes sure that pages of a kind can be reached by address in any session."""
    if made_anew(route.address):
        raise Undone("an address that is made anew")


def own_label(values: Sequence[Input]) -> str:
    """Returns what the changed field is called."""
    return topic(values[0].label) or values[0].label.lower()


def entity_names(topics: Sequence[str]) -> list[str]:
    """Returns what one entity of a list is called."""
    return list(dict.fromkeys(singular(t) for t in topics if t))
