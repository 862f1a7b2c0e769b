"""Grids as pages: reading what is asked of them, links, mass actions, exports."""

from __future__ import annotations

import csv
import io
import sqlite3
from collections.abc import Mapping
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from markupsafe import Markup, escape
from werkzeug.datastructures import MultiDict

from ...protocol import Response
from ...templates import sid
from ...web import Call, Undone, redirect
from ..grid import LIMITS, Column, Grid, Query, Result, fetch, fetch_all, ids
from ..grids import GRIDS
from ..mass import MASS, MassAction
from ..operations.refused import Refused
from ..text import day, moment, money
from .base import address, done, page

_OWN = ("page", "limit", "sort", "dir", "search", "selected")


class Listing(NamedTuple):
    """A grid page.

    Attributes:
        grid: The grid.
        prefix: First part of its endpoints, such as `orders`.
        titles: Its title in versions 1.9 and 2.4.
        add: Caption of the button that begins a new entity, in both versions; empty without one.
        open: Endpoint that a row leads to, empty for none.
        fixed: Filters that always hold, such as those of the pending reviews.
        endpoint: Its own endpoint; `<prefix>.grid` by default.
    """

    grid: Grid
    prefix: str
    titles: tuple[str, str]
    add: tuple[str, str] = ("", "")
    open: str = ""
    fixed: Mapping[str, str] = {}
    endpoint: str = ""


class Cell(NamedTuple):
    """A cell of a row: its semantic id as an attribute, the kind of its column, and its text."""

    sid: Markup
    kind: str
    text: Markup


class Shown(NamedTuple):
    """A grid as templates need it.

    Attributes:
        listing: What is listed.
        columns: The columns of the version.
        result: The rows and the paging.
        filters: Field -> text asked for.
        labels: Column -> value -> label, for options.
        mass: Actions on selected rows.
        selected: `visible`, `all` or empty: which boxes are ticked.
        call: The request.
    """

    listing: Listing
    columns: tuple[Column, ...]
    result: Result
    filters: Mapping[str, str]
    labels: Mapping[str, Mapping[Any, str]]
    mass: tuple[MassAction, ...]
    selected: str
    call: Call

    @property
    def own_url(self) -> str:
        """Address of the grid without a query."""
        return address(self.call, self.listing.endpoint or f"{self.listing.prefix}.grid")

    def with_(self, **changes: object) -> str:
        """Returns the address of the same grid asked otherwise; an empty value takes a field away."""
        fields = {name: value for name, value in parse_qsl(self.call.query) if name not in ("selected", *changes)}
        fields.update({name: str(value) for name, value in changes.items() if value not in ("", None)})
        return self.own_url + (f"?{urlencode(fields)}" if fields else "")

    def without(self, *names: str) -> str:
        """Returns the address of the same grid without some filters."""
        fields = [(n, v) for n, v in parse_qsl(self.call.query) if n not in (*names, "selected", "page")]
        return self.own_url + (f"?{urlencode(fields)}" if fields else "")

    def sort_url(self, column: Column) -> str:
        """Returns the address sorted by a column; the other way round when it is already."""
        query = self.result.query
        now = (query.sort or self.listing.grid.sort, query.direction or self.listing.grid.direction)
        return self.with_(sort=column.key, dir="desc" if now == (column.key, "asc") else "asc", page="")

    def sorted_by(self, column: Column) -> str:
        """Returns `asc` or `desc` for the column sorted by, else an empty text."""
        query = self.result.query
        if (query.sort or self.listing.grid.sort) != column.key:
            return ""
        return query.direction or self.listing.grid.direction

    def open_url(self, row: sqlite3.Row) -> str:
        """Returns the address that a row leads to, empty for none."""
        return address(self.call, self.listing.open, id=row["id"]) if self.listing.open else ""

    def cell(self, row: sqlite3.Row, column: Column) -> str:
        """Returns the text of a cell."""
        return written(row[column.key], column, self.labels.get(column.key, {}))

    @property
    def mass_query(self) -> str:
        """The query that finds all rows of the grid, for mass actions; filters that always hold are in it."""
        return urlencode([*parse_qsl(self.call.query), *self.listing.fixed.items()])

    def cells(self, row: sqlite3.Row) -> list[Cell]:
        """Returns the cells of a row; made here and not in the template, since a page may hold thousands."""
        key = f"{self.listing.grid.name}.{row['id']}"
        return [Cell(sid("grid.cell", f"{key}.{c.key}"), c.kind, escape(self.cell(row, c))) for c in self.columns]

    @property
    def limits(self) -> tuple[int, ...]:
        """Rows a page that can be chosen."""
        return LIMITS

    @property
    def export_url(self) -> str:
        """Address of the rows as CSV."""
        query = f"?{self.call.query}" if self.call.query else ""
        return address(self.call, "export", name=self.listing.grid.name) + query


def show(call: Call, listing: Listing) -> Shown:
    """Returns a grid as the request asks for it."""
    query = read(call.args, listing.grid)
    query = query._replace(filters={**query.filters, **listing.fixed})
    columns = listing.grid.shown(call.site.version)
    labels = {c.key: c.labels(call.db) for c in columns if c.kind == "options"}
    filters = {n: v for n, v in query.filters.items() if n not in listing.fixed}
    return Shown(
        listing, columns, fetch(call.db, listing.grid, query), filters, labels, MASS.get(listing.grid.name, ()),
        call.args.get("selected", ""), call,
    )  # fmt: skip


def read(args: MultiDict[str, str], grid: Grid) -> Query:
    """Returns what a query string asks of a grid."""

    def count(name: str, default: int) -> int:
        text = args.get(name, "")
        return int(text) if text.isdecimal() and 0 < int(text) < 10**6 else default

    limit = count("limit", 20)
    filters = {n: v for n, v in args.items() if n not in _OWN and v.strip() and grid.column(n.partition("[")[0])}
    return Query(
        filters, args.get("sort", ""), args.get("dir", ""), count("page", 1), limit if limit in LIMITS else 20,
        args.get("search", ""),
    )  # fmt: skip


def listed(call: Call, listing: Listing) -> Response:
    """The page of a grid."""
    title = listing.titles[call.site.version == "v2"]
    return page(call, "grid.html", title, grid=show(call, listing), heading=title)


def act(call: Call, listing: Listing) -> Response:
    """Carries out a mass action on the selected rows (`selected`, or all that the `query` finds with `scope=all`)."""
    back = address(call, listing.endpoint or f"{listing.prefix}.grid")
    key = call.form.get("action", "")
    action = next((a for a in MASS.get(listing.grid.name, ()) if a.key == key), None)
    keys = _chosen(call, listing)
    if action is None or not keys:
        words = "Please select items." if action else "Please select an action."
        return done(call, back, words, "error")
    if action.key == "attributes":
        return redirect(address(call, "products.attributes") + "?" + urlencode({"ids": ",".join(map(str, keys))}))
    try:
        count = action.act(call.db, keys, call.form.get(f"value[{action.key}]", ""), call.now)
    except Refused as refusal:
        raise Undone(done(call, back, str(refusal), "error")) from None
    return done(call, back, action.done.format(count))


def export(call: Call, name: str) -> Response:
    """A grid's rows as a CSV file."""
    grid = GRIDS.get(name)
    if grid is None:
        raise Refused("There is no such grid.")
    columns = grid.shown(call.site.version)
    labels = {c.key: c.labels(call.db) for c in columns if c.kind == "options"}
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([c.title(call.site.version) for c in columns])
    for row in fetch_all(call.db, grid, read(call.args, grid)):
        writer.writerow([written(row[c.key], c, labels.get(c.key, {})) for c in columns])
    headers = (
        ("Content-Type", "text/csv; charset=UTF-8"),
        ("Content-Disposition", f'attachment; filename="{name}.csv"'),
    )
    return Response(200, headers, text.getvalue().encode())


def written(value: Any, column: Column, labels: Mapping[Any, str]) -> str:
    """Returns a value as a grid prints it."""
    if value in ("", None):
        return ""
    if column.kind == "price":
        return money(value)
    if column.kind == "date":
        return moment(value) if "T" in value else day(value)
    if column.kind == "options":
        return labels[value] if value in labels else _by_text(labels, value)
    return str(value)


def _by_text(labels: Mapping[Any, str], value: Any) -> str:
    """Returns the label of a value that SQL gave as text where the options have a number, or the other way round."""
    return next((label for key, label in labels.items() if str(key) == str(value)), str(value))


def _chosen(call: Call, listing: Listing) -> list[int]:
    if call.form.get("scope") == "all":
        query = read(MultiDict(parse_qsl(call.form.get("query", ""))), listing.grid)
        return ids(call.db, listing.grid, query._replace(filters={**query.filters, **listing.fixed}))
    return [int(key) for key in dict.fromkeys(call.form.getlist("selected")) if key.isdecimal()]
