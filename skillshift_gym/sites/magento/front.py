"""A front end: the templates, the style sheet, the menu and the addresses of one version."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import Environment
from markupsafe import Markup

from ..templates import environment
from . import text
from .urls import url


class Entry(NamedTuple):
    """An entry of the menu.

    Attributes:
        label: Its caption.
        endpoint: Where it leads, empty for a group.
        children: What the group holds.
        values: Values of the address, such as `{"section": "general"}`.
    """

    label: str
    endpoint: str = ""
    children: Sequence[Entry] = ()
    values: Mapping[str, str] = {}


def plain(label: str) -> Entry:
    """Returns an entry of the menu that leads to a page outside of what the shop models."""
    name = "-".join(label.lower().replace("&", "and").replace("/", "-").split())
    return Entry(label, "plain", values={"name": name})


class Front:
    """A front end.

    Args:
        version: `v1` or `v2`.
        folder: Holds `templates/` and `static/style.css`.
        menu: Its menu.
        names: Further globals of its templates.
    """

    def __init__(
        self, version: str, folder: Path, menu: Sequence[Entry], names: Mapping[str, Any] | None = None
    ) -> None:
        self.version = version
        self.menu = tuple(menu)
        self._folder = folder
        self._names = dict(names or {})
        self._parts: dict[tuple[str, str], Markup] = {}

    @property
    def stylesheet(self) -> str:
        """Path of the style sheet."""
        if self.version == "v1":
            return "/skin/adminhtml/default/default/boxes.css"
        return "/static/adminhtml/Magento/backend/en_US/css/styles.css"

    @cached_property
    def jinja(self) -> Environment:
        """The template environment; `url(endpoint, query, id=...)`, `money`, `moment`, `day` and the menu are at hand."""
        jinja = environment(self._folder / "templates")
        jinja.globals.update(
            url=partial(url, self.version),
            menu=self.menu,
            stylesheet=self.stylesheet,
            version=self.version,
            part=self.part,
            **self._names,
        )
        jinja.filters.update(money=text.money, plain=text.plain, moment=text.moment, day=text.day, slashed=text.slashed)
        return jinja

    @cached_property
    def css(self) -> bytes:
        """The style sheet."""
        return (self._folder / "static" / "style.css").read_bytes()

    def render(self, template: str, context: Mapping[str, Any]) -> str:
        """Returns the text of a template."""
        return self.jinja.get_template(template).render(context)

    def part(self, template: str, active: str = "") -> Markup:
        """Returns what a template that needs nothing but `active` draws, such as the menu; each is drawn once."""
        key = (template, active)
        if key not in self._parts:
            self._parts[key] = Markup(self.render(template, {"active": active}))
        return self._parts[key]
