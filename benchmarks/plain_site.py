"""A site of one route for the benchmarks: an admin-like page with a given number of elements."""

from __future__ import annotations

import sqlite3
from datetime import datetime
from functools import cache

from jinja2 import DictLoader, Environment

from skillshift_gym.sites.protocol import Response
from skillshift_gym.sites.state import Image, SiteState
from skillshift_gym.sites.web import Call, Route, WebSite, html_response, url_map
from skillshift_gym.tasks.checks import UrlCheck
from skillshift_gym.tasks.family import Family, Instance
from skillshift_gym.tasks.oracle import goto, say

# One row is 14 elements: tr, 7 td, 2 a, label, input, select of 1 option.
PER_ROW = 14
_TEMPLATE = """<!DOCTYPE html><html lang="en"><head><title>Orders {{ page }}</title></head><body>
<header><nav aria-label="Main"><ul>{% for name in names %}<li><a href="/{{ name }}/">{{ name }}</a></li>{% endfor %}</ul></nav></header>
<main><h1>Orders, page {{ page }}</h1>
<form action="/{{ size }}/{{ page }}/"><label for="q">Search</label><input type="search" id="q" name="q"><button>Search</button></form>
<table><thead><tr><th>Number</th><th>Customer</th><th>Total</th><th>Status</th><th>Note</th><th>Set</th><th>Open</th></tr></thead>
<tbody>{% for row in rows %}<tr><td><a href="/{{ size }}/{{ row.number }}/">#{{ row.number }}</a></td><td>{{ row.customer }}</td>
<td>${{ row.total }}</td><td>{{ row.status }}</td>
<td><label>Note <input name="note{{ row.number }}" value="none"></label></td>
<td><select name="s{{ row.number }}" aria-label="Set"><option>{{ row.status }}</option></select></td>
<td><a href="/{{ size }}/{{ row.number + 1 }}/" id="next{{ row.number }}">Open order {{ row.number }}</a></td></tr>{% endfor %}</tbody></table>
</main></body></html>"""
_NAMES = ("Dashboard", "Sales", "Catalog", "Customers", "Reports", "Stores")
_TEMPLATES = Environment(loader=DictLoader({"page": _TEMPLATE}), autoescape=True)


def _show(call: Call, size: int, page: int) -> Response:
    count = max(1, (size - 45) // PER_ROW)
    rows = [
        {
            "number": page * count + i,
            "customer": f"Customer {(page * 31 + i * 17) % 997}",
            "total": (page * 7 + i * 13) % 500,
            "status": ("Pending", "Complete", "Closed")[i % 3],
        }
        for i in range(count)
    ]
    return html_response(_TEMPLATES.get_template("page").render(size=size, page=page, rows=rows, names=_NAMES))


class PlainSite(WebSite):
    """The site."""

    name = "plain"
    origin = "https://plain.example"


@cache
def _image() -> Image:
    db = sqlite3.connect(":memory:")
    db.execute("CREATE TABLE orders (id INTEGER PRIMARY KEY)")
    return Image.of(db, {"orders": ("id",)})


def create(version: str) -> PlainSite:
    """Returns the site."""
    site = PlainSite(SiteState(_image(), datetime(2025, 1, 1)), url_map([Route("/<int:size>/<int:page>/", _show)]))
    site.version = version
    return site


def families() -> list[Family]:
    """Returns one family: its task cannot be reached by clicking, so that episodes last."""
    instance = Instance("bench", {}, "none")
    return [
        Family(
            id="plain.0",
            kind="plain",
            goals=("Look around.",),
            instances=(instance,),
            checks=lambda params: (UrlCheck("/nowhere/"),),
            oracle=lambda params, version: [goto("/nowhere/"), say("Done.")],
            start=lambda params: "/200/1/",
        )
    ]
