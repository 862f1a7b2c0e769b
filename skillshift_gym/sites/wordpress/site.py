"""The blog as a site: its routes over its state."""

from __future__ import annotations

from functools import cache

from werkzeug.routing import BaseConverter, Map

from ..protocol import Response
from ..state import SiteState
from ..web import Call, Handler, Route, WebSite, url_map
from . import api, comments, seed, views
from .schema import EPOCH

_YEAR = "/<int(fixed_digits=4):year>/"
_MONTH = _YEAR + "<int(fixed_digits=2):month>/"
_DAY = _MONTH + "<int(fixed_digits=2):day>/"


class Slug(BaseConverter):
    """One part of a path that names a post, not a file."""

    regex = "[^/.]+"


LISTINGS: dict[str, Handler] = {
    "/": views.home,
    "/category/<path:slug>/": views.category,
    "/tag/<slug:slug>/": views.tag,
    "/author/<slug:slug>/": views.author,
    _YEAR: views.dated,
    _MONTH: views.dated,
    _DAY: views.dated,
}

ROUTES = [
    *(Route(path, handler) for path, handler in LISTINGS.items()),
    *(Route(f"{path}page/1/", views.first_page) for path in LISTINGS),
    *(Route(f"{path}page/<int(min=2, max=99999):page>/", handler) for path, handler in LISTINGS.items()),
    Route("/<slug:slug>/", views.single),
    Route("/feed/", views.rss),
    Route("/wp-comments-post.php", comments.submit, ("POST",)),
    Route("/wp-content/uploads/<path:file>", views.upload),
    Route("/wp-content/themes/<theme>/style.css", views.stylesheet),
    Route("/wp-login.php", views.sign_in),
    Route("/wp-admin/", views.sign_in),
    *api.ROUTES,
]


class WordPress(WebSite):
    """A public blog; anonymous visitors read, search and comment.

    Args:
        version: `v1` (a classic magazine theme) or `v2` (a block theme).
    """

    name = "wordpress"
    origin = "https://wordpress.example"
    cookie_names = tuple(comments.COOKIES.values())

    def __init__(self, version: str) -> None:
        self.version = version
        super().__init__(SiteState(seed.image(), EPOCH), _routes())

    def not_found(self, call: Call) -> Response:
        """Returns the theme's page of an unknown address."""
        return views.not_found(call)


def create(version: str) -> WordPress:
    """Returns the blog in a version, freshly seeded."""
    if version not in views.THEMES:
        raise ValueError(f"no version {version!r}: the blog has {', '.join(views.THEMES)}")
    return WordPress(version)


@cache
def _routes() -> Map:
    return url_map(ROUTES, converters={"slug": Slug})
