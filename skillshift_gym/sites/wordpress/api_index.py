"""What the REST API says about itself: the index, post types, taxonomies and statuses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from . import model
from .api_errors import ApiError
from .api_params import Param, Params
from .api_query import CONTEXT
from .api_request import NAMESPACE, ROOT, Endpoint, Handler, Rest, Result

Routes = Iterable[tuple[str, tuple[Endpoint, ...]]]

DESCRIBED: Params = {"context": CONTEXT}
NAMED: Params = {**DESCRIBED, "name": Param(required=True)}

TYPES: dict[str, dict[str, Any]] = {
    "post": {"name": "Posts", "hierarchical": False, "taxonomies": ["category", "post_tag"], "rest_base": "posts"},
    "page": {"name": "Pages", "hierarchical": True, "taxonomies": [], "rest_base": "pages"},
    "attachment": {"name": "Media", "hierarchical": False, "taxonomies": [], "rest_base": "media"},
}
TAXONOMIES: dict[str, dict[str, Any]] = {
    "category": {"name": "Categories", "hierarchical": True, "types": ["post"], "rest_base": "categories"},
    "post_tag": {"name": "Tags", "hierarchical": False, "types": ["post"], "rest_base": "tags"},
}
STATUSES: dict[str, dict[str, Any]] = {
    "publish": {"name": "Published", "public": True, "queryable": True, "date_floating": False}
}


def index(routes: Routes) -> Handler:
    """Returns the handler of the index over these routes."""

    def handler(rest: Rest) -> Result:
        site = {
            "name": model.option(rest.db, "blogname"),
            "description": model.option(rest.db, "blogdescription"),
            "url": rest.origin,
            "home": rest.origin,
            "gmt_offset": model.option(rest.db, "gmt_offset"),
            "timezone_string": model.option(rest.db, "timezone_string"),
            "namespaces": [NAMESPACE[1:]],
            "authentication": {"application-passwords": {}},
        }
        return Result({**site, "routes": _routes(rest, routes)})

    return handler


def namespace(routes: Routes) -> Handler:
    """Returns the handler of the index of the namespace."""

    def handler(rest: Rest) -> Result:
        inside = [(route, ends) for route, ends in routes if route.startswith(NAMESPACE)]
        links = {"up": [{"href": f"{rest.origin}{ROOT}/"}]}
        return Result({"namespace": NAMESPACE[1:], "routes": _routes(rest, inside), "_links": links})

    return handler


def described(kinds: dict[str, dict[str, Any]], base: str, key: str) -> Handler:
    """Returns the handler that lists post types, taxonomies or statuses by name."""

    def handler(rest: Rest) -> Result:
        return Result({name: _kind(rest, name, value, base, key) for name, value in kinds.items()})

    return handler


def described_one(kinds: dict[str, dict[str, Any]], base: str, key: str, code: str, message: str) -> Handler:
    """Returns the handler of one post type, taxonomy or status."""

    def handler(rest: Rest) -> Result:
        name = rest.values["name"]
        if name not in kinds:
            raise ApiError(code, message, 404)
        return Result(_kind(rest, name, kinds[name], base, key))

    return handler


def _kind(rest: Rest, name: str, value: dict[str, Any], base: str, key: str) -> dict[str, Any]:
    links: dict[str, Any] = {"collection": [{"href": rest.url(base)}]}
    data = {"description": "", **value, key: name}
    if "rest_base" in value:
        data["rest_namespace"] = "wp/v2"
        links["wp:items"] = [{"href": rest.url(f"/{value['rest_base']}")}]
    return {**data, "_links": links}


def _routes(rest: Rest, routes: Routes) -> dict[str, Any]:
    return {route: _describe(rest, route, endpoints) for route, endpoints in routes}


def _describe(rest: Rest, route: str, endpoints: tuple[Endpoint, ...]) -> dict[str, Any]:
    methods = list(dict.fromkeys(method for endpoint in endpoints for method in endpoint.methods))
    found: dict[str, Any] = {
        "namespace": NAMESPACE[1:] if route.startswith(NAMESPACE) else "",
        "methods": methods,
        "endpoints": [
            {
                "methods": list(endpoint.methods),
                "args": {name: param.describe() for name, param in endpoint.params.items()},
            }
            for endpoint in endpoints
        ],
    }
    if "(" not in route:
        found["_links"] = {"self": [{"href": f"{rest.origin}{ROOT}{route}"}]}
    return found
