"""A theme: the templates and the style sheet of one version, and how they become a page."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader
from markupsafe import Markup

from ..templates import environment

_SHARED = Path(__file__).parent / "templates"  # what WordPress itself prints, in any theme


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
