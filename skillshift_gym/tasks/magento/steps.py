"""Pieces of oracles: the menu, filters and forms of both versions, by semantic ids."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from ...page import Page
from ...sites.magento.form_tables import FORMS
from ...sites.magento.front import Entry
from ...sites.magento.text import parse_day, slashed
from ...sites.magento.urls import url
from ...sites.magento.v1.menu import MENU as MENU_V1
from ...sites.magento.v2.menu import MENU as MENU_V2
from ..checks import Check, Outcome, UrlCheck, Verdict
from ..oracle import Step, click, say

DONE = say("Done.")
_MENUS = {"v1": MENU_V1, "v2": MENU_V2}
_KEY = r"/key/[^/]+"


def push(sid: str) -> Step:
    """Returns a click on whatever carries a semantic id."""
    return click("*", "", within=sid)


def enter(sid: str, text: str) -> Step:
    """Returns filling the field that carries a semantic id."""
    return Step("fill", "*", "", (text,), 0, sid)


def choose(sid: str, *labels: str) -> Step:
    """Returns choosing options, by label, in the list that carries a semantic id."""
    return Step("select_option", "*", "", (labels[0] if len(labels) == 1 else labels,), 0, sid)


def enter_key(sid: str) -> Step:
    """Returns Enter in the field that carries a semantic id."""
    return Step("press", "*", "", ("Enter",), 0, sid)


def menu(version: str, endpoint: str) -> list[Step]:
    """Returns the clicks that lead to an entry of the menu; version 2.4's groups inside a flyout are open with it."""
    path = _path(_MENUS[version], endpoint)
    opened = path[:-1] if version == "v1" else path[:1] * (len(path) > 1)
    groups = [push(f"nav.group{{{'/'.join(path[: i + 1])}}}") for i in range(len(opened))]
    return [*groups, push(f"nav.open{{{endpoint}}}")]


def _path(entries: Iterable[Entry], endpoint: str) -> tuple[str, ...]:
    for entry in entries:
        if entry.endpoint == endpoint:
            return (entry.label,)
        below = _path(entry.children, endpoint)
        if below:
            return (entry.label, *below)
    return ()


def filtered(version: str, grid: str, filters: Mapping[str, str], options: Sequence[str] = ()) -> list[Step]:
    """Returns the steps that filter a grid.

    Args:
        version: `v1` or `v2`.
        grid: Name of the grid.
        filters: Field -> text or option.
        options: Which of the fields are lists to choose from.
    """
    opened = [push(f"grid.filters_open{{{grid}}}")] if version == "v2" else []
    fields = [
        (choose if name in options else enter)(f"grid.filter{{{grid}.{name}}}", text) for name, text in filters.items()
    ]
    return [*opened, *fields, push(f"grid.apply{{{grid}}}")]


def days(name: str, start: str, end: str) -> dict[str, str]:
    """Returns the filters of a stretch of days."""
    return {f"{name}[from]": slashed(start), f"{name}[to]": slashed(end)}


def found(version: str, grid: str, field: str, text: str, key: int) -> list[Step]:
    """Returns the steps that find a row by a text and open it: a filter in 1.9, the keyword search in 2.4."""
    if version == "v1":
        return [*filtered(version, grid, {field: text}), push(f"grid.open{{{grid}.{key}}}")]
    keyword = f"grid.keyword{{{grid}}}"
    return [enter(keyword, text), enter_key(keyword), push(f"grid.open{{{grid}.{key}}}")]


def filled(version: str, entity: str, values: Mapping[str, str | tuple[str, ...]]) -> list[Step]:
    """Returns the steps that fill fields of a form, section by section; each but the first has to be opened.

    Args:
        version: `v1` or `v2`.
        entity: Name of the form.
        values: Column -> text, or the options to choose.
    """
    form = FORMS[entity]
    inputs = [i for i in form.inputs if i.shown(version)]
    first = inputs[0].section
    steps: list[Step] = []
    for section in form.sections:
        own = [i for i in inputs if i.section == section and i.key in values]
        if own and section != first:
            steps.append(push(f"form.section{{{entity}.{section}}}"))
        for field in own:
            value, sid = values[field.key], f"field{{{entity}.{field.key}}}"
            if field.kind == "switch":
                steps.append(push(sid))
            elif isinstance(value, tuple):
                steps.append(choose(sid, *value))
            else:
                steps.append(enter(sid, value))
    return steps


def at(endpoint: str, **values: Any) -> dict[str, str]:
    """Returns version -> address of an endpoint."""
    return {version: url(version, endpoint, **values) for version in ("v1", "v2")}


def on(endpoint: str, **values: Any) -> UrlCheck:
    """Returns the check that the last page is that of an endpoint, whatever its query and the session's key."""
    found = at(endpoint, **values)
    return UrlCheck(found["v1"], also=(found["v2"],), query=False, forget=_KEY)


def value_of(page: Page, sid: str) -> str | None:
    """Returns the value of the control that carries a semantic id, None without one."""
    indices = page.document.indices_by_sid.get(sid, ())
    return page.element(indices[0]).value if indices else None


def text_of(page: Page, sid: str) -> str | None:
    """Returns the text of the element that carries a semantic id, None without one."""
    indices = page.document.indices_by_sid.get(sid, ())
    return " ".join(page.document.text(indices[0]).split()) if indices else None


@dataclass(frozen=True)
class ReportShown(Check):
    """A report is shown for two days, with its rows.

    Attributes:
        name: Name of the report.
        start: ISO day.
        end: ISO day.
    """

    kind: ClassVar[str] = "page"
    name: str
    start: str
    end: str

    def judge(self, outcome: Outcome) -> Verdict:
        """Returns whether the last page shows it."""
        page = outcome.page
        given = [parse_day(value_of(page, f"report.field{{{part}}}") or "") for part in ("from", "to")]
        ok = given == [self.start, self.end] and f"report.row{{{self.name}.0}}" in page.document.indices_by_sid
        return Verdict(
            ok, "" if ok else f"the page does not show: the report from {self.start} to {self.end}, with its rows"
        )
