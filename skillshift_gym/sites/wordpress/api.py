"""The REST API of the blog, in WordPress's dialect (`/wp-json/wp/v2/`).

Routes are matched as in WordPress: a table of regular expressions, the first that fits path and method.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import urlsplit

from ..protocol import Request, Response
from ..web import Call, Route, json_response
from . import api_index, api_read, api_search, api_write, api_write_comments, api_write_terms
from .api_errors import ApiError
from .api_fields import filtered
from .api_params import Param, read
from .api_query import CONTEXT
from .api_request import NAMESPACE, ROOT, Endpoint, Handler, Rest, Result, sender

_READ = ("GET",)
_CREATE = ("POST",)
_EDIT = ("POST", "PUT", "PATCH")
_DELETE = ("DELETE",)
_ID = r"/(?P<id>[\d]+)"
_NAME = r"/(?P<name>[\w-]+)"
_EVERY_METHOD = ("GET", "POST", "PUT", "PATCH", "DELETE")
_COMMON = {"_fields": Param("array", items="string"), "_embed": Param("array", items="string")}

Table = list[tuple[str, tuple[Endpoint, ...]]]


def _posts() -> Iterator[tuple[str, tuple[Endpoint, ...]]]:
    for kind, collection, fields in (
        ("post", api_read.POSTS, api_write.POST),
        ("page", api_read.PAGES, api_write.PAGE),
    ):
        yield (
            f"/{kind}s",
            (
                Endpoint(_READ, api_read.posts(kind), collection),
                Endpoint(_CREATE, api_write.create_post(kind), fields),
            ),
        )
        yield (
            f"/{kind}s{_ID}",
            (
                Endpoint(_READ, api_read.post(kind), api_read.ITEM),
                Endpoint(_EDIT, api_write.update_post(kind), fields),
                Endpoint(_DELETE, api_write.delete_post(kind), api_write.FORCE),
            ),
        )


def _terms() -> Iterator[tuple[str, tuple[Endpoint, ...]]]:
    for base, taxonomy, collection, new, fields in (
        ("/categories", "category", api_read.CATEGORIES, api_write_terms.NEW_CATEGORY, api_write_terms.CATEGORY),
        ("/tags", "post_tag", api_read.TAGS, api_write_terms.NEW_TAG, api_write_terms.TAG),
    ):
        yield (
            base,
            (
                Endpoint(_READ, api_read.terms(taxonomy), collection),
                Endpoint(_CREATE, api_write_terms.create_term(taxonomy), new),
            ),
        )
        yield (
            f"{base}{_ID}",
            (
                Endpoint(_READ, api_read.term(taxonomy), api_read.ITEM),
                Endpoint(_EDIT, api_write_terms.update_term(taxonomy), {**api_read.ITEM, **fields}),
                Endpoint(_DELETE, api_write_terms.delete_term(taxonomy), api_write.FORCE),
            ),
        )


def _others() -> Iterator[tuple[str, tuple[Endpoint, ...]]]:
    yield (
        "/comments",
        (
            Endpoint(_READ, api_read.comments, api_read.COMMENTS),
            Endpoint(_CREATE, api_write_comments.create_comment, api_write_comments.COMMENT),
        ),
    )
    yield (
        f"/comments{_ID}",
        (
            Endpoint(_READ, api_read.comment, api_read.ITEM),
            Endpoint(_EDIT, api_write_comments.update_comment, api_write_comments.COMMENT),
            Endpoint(_DELETE, api_write_comments.delete_comment, api_write.FORCE),
        ),
    )
    yield "/media", (Endpoint(_READ, api_read.media_list, api_read.MEDIA),)
    yield f"/media{_ID}", (Endpoint(_READ, api_read.media, api_read.ITEM),)
    yield "/users", (Endpoint(_READ, api_read.users, api_read.USERS),)
    yield f"/users{_ID}", (Endpoint(_READ, api_read.user, api_read.ITEM),)
    yield "/users/me", (Endpoint(_READ, api_read.me, {"context": CONTEXT}),)
    yield "/search", (Endpoint(_READ, api_search.search, api_search.SEARCH),)


def _kinds() -> Iterator[tuple[str, tuple[Endpoint, ...]]]:
    for base, kinds, key, code, message in (
        ("/types", api_index.TYPES, "slug", "rest_type_invalid", "Invalid post type."),
        ("/taxonomies", api_index.TAXONOMIES, "slug", "rest_taxonomy_invalid", "Invalid taxonomy."),
        ("/statuses", api_index.STATUSES, "slug", "rest_status_invalid", "Invalid status."),
    ):
        yield base, (Endpoint(_READ, api_index.described(kinds, base, key), api_index.DESCRIBED),)
        one: Handler = api_index.described_one(kinds, base, key, code, message)
        yield f"{base}{_NAME}", (Endpoint(_READ, one, api_index.NAMED),)


def _table() -> Table:
    table: Table = []
    for route, index in (("/", api_index.index), (NAMESPACE, api_index.namespace)):
        table.append((route, (Endpoint(_READ, index(table), api_index.DESCRIBED),)))
    table += [(f"{NAMESPACE}{route}", ends) for part in (_posts, _terms, _others, _kinds) for route, ends in part()]
    return table


TABLE = _table()
_COMPILED = [(re.compile(route), endpoints) for route, endpoints in TABLE]


def handle(call: Call, route: str = "") -> Response:
    """Answers a request to the API."""
    try:
        endpoint, path = _match(call.request.method, f"/{route}".rstrip("/") or "/")
        rest = Rest(call, sender(call))
        rest.values = read(call, {**_COMMON, **endpoint.params}, path)
        result = endpoint.handler(rest)
    except ApiError as error:
        return error.response()
    return _respond(rest, result)


def _match(method: str, route: str) -> tuple[Endpoint, dict[str, str]]:
    wanted = "GET" if method == "HEAD" else method
    for pattern, endpoints in _COMPILED:
        match = pattern.fullmatch(route)
        endpoint = next((e for e in endpoints if wanted in e.methods), None) if match else None
        if match and endpoint:
            return endpoint, match.groupdict()
    raise ApiError("rest_no_route", "No route was found matching the URL and request method.", 404)


def _respond(rest: Rest, result: Result) -> Response:
    data = result.data
    if "_embed" in rest.values:
        items = data if isinstance(data, list) else [data]
        for item in items:
            _embed(rest, item, rest.values["_embed"])
    if rest.values.get("_fields"):
        data = filtered(data, rest.values["_fields"])
    return json_response(data, result.status, (("X-Robots-Tag", "noindex"), *result.headers))


def _embed(rest: Rest, item: dict[str, Any], wanted: Iterable[str]) -> None:
    """Adds the objects that the item's embeddable links lead to."""
    relations = [name for name in wanted if name not in ("1", "true")]
    embedded = {}
    for relation, links in item.get("_links", {}).items():
        targets = [link["href"] for link in links if isinstance(link, dict) and link.get("embeddable")]
        if targets and (not relations or relation in relations):
            embedded[relation] = [_fetch(rest, href) for href in targets]
    if embedded:
        item["_embedded"] = embedded


def _fetch(rest: Rest, href: str) -> Any:
    """Returns what a link of the API leads to, in the embed context; an error document where it is not readable."""
    parts = urlsplit(href)
    query = f"{parts.query}&context=embed" if parts.query else "context=embed"
    request = Request("GET", f"{href.partition('?')[0]}?{query}", headers=rest.call.request.headers)
    call = Call(rest.call.site, request, parts.path, query, rest.db, rest.call.now)
    try:
        endpoint, path = _match("GET", parts.path.removeprefix(ROOT))
        inner = Rest(call, rest.user)
        inner.values = read(call, endpoint.params, path)
        return endpoint.handler(inner).data
    except ApiError as error:
        return {"code": error.code, "message": str(error), "data": {"status": error.status, **error.data}}


ROUTES = [Route(f"{ROOT}/", handle, _EVERY_METHOD), Route(f"{ROOT}/<path:route>", handle, _EVERY_METHOD)]
