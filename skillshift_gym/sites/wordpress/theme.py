"""A theme: the templates and the style sheet of one version, and how they become a page."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from jinja2.ext import Extension
from markupsafe import Markup

from ..templates import environment

_SHARED = Path(__file__).parent / "templates"  # what WordPress itself prints, in any theme
_LINE_BREAK = re.compile(r"(?<=[>}])[ \t]*\n\s*|[ \t]*\n\s*(?=[<{])")


class Compact(Extension):
    """Drops the line breaks beside tags from templates.

    White space between tags is read differently by different parsers (parse stability) and costs a text node each.
    A line break becomes a comment, so the line numbers of template errors stay right.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Returns the template's text without the line breaks."""
        return _LINE_BREAK.sub(lambda match: "{#" + "\n" * match[0].count("\n") + "#}", source.strip())


class Theme:
    """The look of one version.

    Args:
        folder: Holds `templates/` and `static/style.css`.
        slug: Directory name of the theme under `/wp-content/themes/`.
        featured: Number of newest posts that the front page shows as cards above the feed.
    """

    def __init__(self, folder: Path, slug: str, featured: int = 0) -> None:
        self.slug = slug
        self.featured = featured
        self._folder = folder

    @cached_property
    def jinja(self) -> Environment:
        """The template environment."""
        folder = self._folder / "templates"
        jinja = environment(folder)
        jinja.loader = FileSystemLoader([folder, _SHARED])
        jinja.add_extension(Compact)
        jinja.globals["stylesheet"] = f"/wp-content/themes/{self.slug}/style.css"
        return jinja

    @cached_property
    def css(self) -> bytes:
        """The style sheet."""
        return (self._folder / "static" / "style.css").read_bytes()

    def render(self, template: str, context: Mapping[str, Any]) -> str:
        """Returns the text of a template."""
        return self.jinja.get_template(template).render(context)

    def chrome(self, context: Mapping[str, Any]) -> dict[str, Markup]:
        """Returns the parts of a page that are equal on all pages of a revision: name -> HTML."""
        names = sorted(name for name in self.jinja.list_templates() if name.startswith("chrome_"))
        return {n.removeprefix("chrome_").removesuffix(".html"): Markup(self.render(n, context)) for n in names}
