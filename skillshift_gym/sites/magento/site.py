"""The shop as a site: its routes over its state."""

from __future__ import annotations

from functools import cache

from werkzeug.routing import Map

from ..protocol import Response
from ..state import SiteState
from ..web import Call, Route, WebSite, url_map
from . import api, seed
from .schema import EPOCH
from .urls import home, pattern
from .views import base, orders, overview, people, products, records

# Endpoints that write: they take POST only.
_WRITES = (
    "create", "save", "delete", "mass", "cancel", "hold", "unhold", "email", "reorder", "addComment", "addTrack", "variants", "addressSave",
    "addressCreate", "addressDelete", "invoiceSave", "shipSave", "creditmemoSave", "attributesSave",
)  # fmt: skip


class Magento(WebSite):
    """The back office of a shop; the session starts signed in.

    Args:
        version: `v1` (Magento 1.9) or `v2` (Magento 2.4).
    """

    name = "magento"
    origin = "https://magento.example"
    cookie_names = (base.SESSION, base.MESSAGE)

    def __init__(self, version: str) -> None:
        self.version = version
        super().__init__(SiteState(seed.image(), EPOCH), _routes(version))

    def not_found(self, call: Call) -> Response:
        """Returns the admin's page of an unknown address."""
        return base.not_found(call)


def create(version: str) -> Magento:
    """Returns the shop in a version, freshly seeded."""
    if version not in base.FRONTS:
        raise ValueError(f"no version {version!r}: the shop has {', '.join(base.FRONTS)}")
    return Magento(version)


@cache
def _routes(version: str) -> Map:
    views = {
        **overview.views(), **orders.views(), **products.views(), **people.views(), **records.views(), "logout": base.logout,
    }  # fmt: skip
    routes = [
        Route(
            pattern(version, endpoint),
            base.guarded(view),
            ("POST",) if endpoint.rpartition(".")[2] in _WRITES else ("GET",),
        )
        for endpoint, view in views.items()
    ]
    root = home(version)
    routes += [
        Route("/", base.start), Route(root, base.start), Route(root, base.login, ("POST",)), Route("/admin/", base.start),
        Route(base.FRONTS[version].stylesheet, stylesheet),
    ]  # fmt: skip
    routes += api.ROUTES
    return url_map(routes)


def stylesheet(call: Call) -> Response:
    """The style sheet."""
    return Response(200, (("Content-Type", "text/css; charset=UTF-8"),), base.front(call).css)
