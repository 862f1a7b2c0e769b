"""The REST API: Magento's V1, the same in both versions of the shop.

Addresses begin with `/rest/V1`, or `/rest/<store>/V1` for the stores `default` and `all`. `POST integration/admin/token`
gives the token that all other endpoints want as `Authorization: Bearer`; it is a keyed hash, so signing in writes nothing.
What the contract does not have: `reviews`, and `PUT stockItems/{sku}`.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Mapping
from typing import Any
from urllib.parse import unquote

from werkzeug.exceptions import HTTPException
from werkzeug.routing import Map, Rule

from ..protocol import Response
from ..web import Call, Route, Undone, json_response
from . import api_categories, api_content, api_customers, api_documents, api_orders, api_products, api_rules, api_store
from .api_errors import ApiError, invalid_type, required
from .api_fields import project
from .api_request import Endpoint, Rest
from .operations.refused import Refused
from .seed import password_hash

_METHODS = ("GET", "POST", "PUT", "DELETE")
_SAFE = ("GET", "HEAD")


def answer(call: Call, path: str) -> Response:
    """Answers a request below `/rest/`; an error takes back what was written."""
    try:
        return json_response(_answered(Rest(call), path))
    except ApiError as error:
        response = error.response()
    except Refused as refusal:
        response = ApiError(str(refusal)).response()
    if call.request.method in _SAFE:
        return response
    raise Undone(response)


def sign_in(rest: Rest) -> str:
    """Returns the token of a user name and password."""
    username, password = (_credential(rest, name) for name in ("username", "password"))
    row = rest.db.execute("SELECT * FROM admin_user WHERE username = ?", (username,)).fetchone()
    if row is None or row["hash"] != password_hash(password):
        text = "The account sign-in was incorrect or your account is disabled temporarily. Please wait and try again later."
        raise ApiError(text, 401)
    return token(row["username"], row["hash"])


def token(username: str, secret: str) -> str:
    """Returns the token of an administrator, a hash keyed by the stored form of the password."""
    return hmac.new(secret.encode(), f"rest token of {username}".encode(), hashlib.sha256).hexdigest()[:32]


ENDPOINTS = (
    Endpoint("POST", "/integration/admin/token", "", sign_in), *api_orders.ENDPOINTS, *api_documents.ENDPOINTS, *api_products.ENDPOINTS,
    *api_categories.ENDPOINTS, *api_customers.ENDPOINTS, *api_rules.ENDPOINTS, *api_content.ENDPOINTS, *api_store.ENDPOINTS,
)  # fmt: skip
_MAP = Map(
    [
        Rule(f"{prefix}/V1{e.path}", endpoint=e, methods=[e.method])
        for e in ENDPOINTS
        for prefix in ("", "/<any(default, all):store>")
    ],
    merge_slashes=False,
)
_URLS = _MAP.bind("rest.invalid")
ROUTES = [Route("/rest/<path:path>", answer, (*_METHODS, "PATCH"))]


def _answered(rest: Rest, path: str) -> Any:
    endpoint, values = _matched(rest, path)
    if endpoint.resource:
        _authorize(rest, endpoint.resource)
    found = endpoint.handler(rest, **values)
    return project(found, rest.args["fields"]) if rest.args.get("fields") else found


def _matched(rest: Rest, path: str) -> tuple[Endpoint, dict[str, Any]]:
    method = rest.call.request.method
    if method not in (*_METHODS, "HEAD"):
        raise ApiError("The %1 HTTP method is not supported.", 405, [method])
    try:
        endpoint, values = _URLS.match("/" + path.rstrip("/"), method)
    except HTTPException:
        raise ApiError("Request does not match any route.", 404) from None
    return endpoint, _typed(values)


def _typed(values: Mapping[str, str]) -> dict[str, Any]:
    """Returns the values of a path: ids as integers, others decoded; the store is no part of them."""
    return {name: _typed_value(name, unquote(value)) for name, value in values.items() if name != "store"}


def _typed_value(name: str, value: str) -> Any:
    if not name.endswith("id"):
        return value
    if not (value.isascii() and value.isdecimal() and len(value) < 16):
        raise invalid_type(name, value, "int")
    return int(value)


def _authorize(rest: Rest, resource: str) -> None:
    kind, _, sent = rest.call.header("authorization").partition(" ")
    known = [token(row["username"], row["hash"]) for row in rest.db.execute("SELECT * FROM admin_user")]
    if kind.lower() != "bearer" or sent.strip().strip('"') not in known:
        raise ApiError("The consumer isn't authorized to access %resources.", 401, {"resources": resource})


def _credential(rest: Rest, name: str) -> str:
    value = rest.body.get(name)
    if value is None:
        raise required(name)
    if not isinstance(value, str):
        raise invalid_type(name, value, "string")
    return value
