"""Doing and writing down: what a demonstration is made of, as a recorder would note it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from skillshift_gym.agents.induction.affordances import entities_of, link_in
from skillshift_gym.agents.induction.binding import Input
from skillshift_gym.agents.induction.exploring import Explorer, route_of
from skillshift_gym.agents.induction.procedures import Procedure, complaint, generated
from skillshift_gym.agents.induction.site_forms import Form, forms_of, heading_of, query_of, rows_of, texts_of
from skillshift_gym.agents.induction.ways import Asked, Followed, folds, head_of, link_on
from skillshift_gym.page import Page
from skillshift_gym.skills.addresses import made_anew
from skillshift_gym.skills.finder import Finder
from skillshift_gym.skills.locator import Locator
from skillshift_gym.skills.naming import slug
from skillshift_gym.skills.program import Act, Name, Target, Text
from skillshift_gym.skills.recording import locator_of
from skillshift_gym.skills.templates import literal


class Undone(Exception):
    """A demonstration did not get to its end; the text says why, in a few words that can be counted."""


class Doing:
    """Performs primitives on a site and writes them down.

    Args:
        explorer: The browser.
        task: The task whose start page an episode begins on.
        seed: Seed of the values that are tried.
    """

    def __init__(self, explorer: Explorer, task: str, seed: int = 0) -> None:
        self._explorer, self._task, self._seed = explorer, task, seed
        self._acts: list[Act] = []
        self._shortcut: dict[str, Any] = {}
        self._known: frozenset[str] = frozenset()

    def _made(
        self, kind: str, name: str, words: tuple[str, ...], inputs: Sequence[Input], sample: Mapping[str, Any], *, address: str = "", skips: int = 0
    ) -> Procedure:  # fmt: skip
        """Returns what was done as a procedure; an address without `skips` stands for all of it.

        An address that is made anew each session is left out: it would be dead in the next one.
        """
        page, acts = self._explorer.page, tuple(self._acts)
        address = "" if made_anew(address) else address
        skips = (skips or len(acts)) if address else 0
        return Procedure(
            kind,
            slug(name),
            words,
            tuple(inputs),
            acts,
            address,
            sample,
            route_of(page.url),
            heading_of(page),
            skips,
            self._known,
        )

    def _start(self, route: str) -> Page:
        """Goes to a page: by its address, or where that is made anew each session by links from one that lasts."""
        way = self._explorer.way_to(self._task, route)
        if way is None:
            raise Undone("no way to a page whose address is made anew")
        self._explorer.begin(self._task)
        self._known = frozenset()
        self._acts = [Act("goto", None, (Text(literal(way.address)),))]
        if not self._explorer.do("goto", way.address):
            raise Undone("the page does not open")
        for hop in way.hops:
            self._follow(hop)
        if way.hops and isinstance(way.hops[-1], Asked) and self._explorer.route != route:
            raise Undone("the way leads elsewhere")
        return self._explorer.page

    def _follow(self, hop: Followed | Asked) -> None:
        """Takes one hop of a way: clicks a link, unfolding what hides it, or sends a form."""
        page = self._explorer.page
        if isinstance(hop, Asked):
            own = self._again(hop.form, page)
            self._fill(own, hop.inputs, hop.sample, skip_many=True, fixed=True)
            self._do("click", own.submit)
            return
        link = link_on(page, hop)
        if link is None:
            raise Undone("a link of the way is gone")
        for part in folds(page, link.index):
            if part.index not in page.snapshot.opened:
                self._do("click", head_of(page, part))
        self._do("click", link.index)

    def _opened(self, start: str, form: Form, row: int) -> tuple[tuple[Input, ...], dict[str, Any], Page]:
        """Opens the entity of a row by its first key, and returns the keys, the arguments and its page."""
        page = self._start(start)
        found = entities_of(form, page, "")
        if found is None:
            raise Undone("rows that cannot be told apart")
        values = found.rows[row % len(found.rows)]
        sample = {found.keys[0].name: values[0]}
        self._fill(form, found.keys, {k.name: sample.get(k.name, "") for k in found.keys})
        self._do("click", form.submit)
        self._shortcut = {
            "address": query_of(form, [(k.field, f"{{{k.name}}}") for k in found.keys]),
            "skips": len(self._acts),
        }
        page = self._explorer.page
        rows = rows_of(page, self._again(form, page))
        link = next((i for row in rows if (i := link_in(page, row)) >= 0), -1)
        if link < 0:
            raise Undone("nothing to open")
        self._do("click", link)
        return found.keys, sample, self._explorer.page

    def _again(self, form: Form, page: Page) -> Form:
        """Returns a form as it is on another page."""
        found = next((f for f in forms_of(page) if f.skeleton == form.skeleton), None)
        if found is None:
            raise Undone("another form")
        return found

    def _other(self, one: Input) -> Any:
        """Returns a value for a field other than the one that it holds."""
        values = (
            generated(one._replace(samples=(), default="1" if one.default.isdigit() else one.default), self._seed, n)
            for n in range(20)
        )
        return next((v for v in values if v != one.default), "Sample")

    def _fill(
        self,
        form: Form,
        inputs: Sequence[Input],
        given: Mapping[str, Any],
        *,
        defaults: bool = False,
        skip_many: bool = False,
        fixed: bool = False,
    ) -> None:
        """Fills in the fields of some inputs; those without an argument keep their default, and are written down too.

        With `fixed`, only those with an argument are filled in, and it is written down as it is.
        """
        fields = {f.name: f for f in form.fields}
        for one in inputs:
            field = fields[one.field]
            if one.many and (skip_many or not (given.get(one.name) or one.default)):
                continue
            if fixed and one.name not in given:
                continue
            if field.opener >= 0 and not self._explorer.page.outline.rendered[field.index]:
                self._do("click", field.opener)
            value = given.get(one.name, one.default if defaults else "")
            said = Text(literal(str(value))) if fixed else Name(one.name)
            if field.tag == "select" and not value and not one.many:
                self._note("select", field.index, said)
            else:
                self._do("select" if field.tag == "select" else "fill", field.index, said, value)

    def _submit(self, form: Form) -> Page:
        """Presses the button of a form, and returns the page shown then."""
        self._known = frozenset(texts_of(self._explorer.page))
        self._do("click", form.submit)
        after = self._explorer.page
        if refused := complaint(self._known, after):
            raise Undone(f"refused: {refused[:60]}")
        return after

    def _do(
        self,
        verb: str,
        index: int,
        value: Name | Text | None = None,
        given: Any = None,
        slots: Mapping[str, str] | None = None,
    ) -> None:
        """Performs a primitive on an element, and writes it down."""
        if index < 0 or not self._explorer.page.outline.rendered[index]:
            raise Undone("a hidden control")
        self._note(verb, index, value, slots)
        args = [] if value is None else [tuple(given) if isinstance(given, tuple) else str(given)]
        if not self._explorer.do({"select": "select_option"}.get(verb, verb), str(index), *args):
            raise Undone(f"{verb} was refused")

    def _note(self, verb: str, index: int, value: Name | Text | None, slots: Mapping[str, str] | None = None) -> None:
        locator = locator_of(Finder(self._explorer.page), index)
        for text, name in (slots or {}).items():
            if locator.label == literal(text):
                locator = Locator(role=locator.role, label=f"{{{name}}}", nth=0, tag=locator.tag, sid=locator.sid)
        self._acts.append(Act(verb, Target(locator), () if value is None else (value,)))
