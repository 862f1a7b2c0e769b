"""What a handler of the REST API is given, and the table it stands in."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Callable, Mapping
from datetime import datetime
from functools import cached_property
from typing import Any, NamedTuple, cast

from werkzeug.datastructures import MultiDict

from ..web import Call
from .api_errors import ApiError, invalid_type, required

_CAPITAL = re.compile(r"(?<=[a-z])([A-Z])")


class Rest:
    """One API request.

    Args:
        call: The HTTP request.
    """

    def __init__(self, call: Call) -> None:
        self.call = call

    @property
    def db(self) -> sqlite3.Connection:
        """The state."""
        return self.call.db

    @property
    def now(self) -> datetime:
        """The logical time."""
        return self.call.now

    @property
    def args(self) -> MultiDict[str, str]:
        """The query's fields."""
        return self.call.args

    @cached_property
    def body(self) -> dict[str, Any]:
        """The body's members, none without a body; names in camel case are turned into snake case, as Magento takes both.

        Raises:
            ApiError: The body is no JSON object.
        """
        request = self.call.request
        if not request.body.strip():
            return {}
        kind = request.content_type.partition(";")[0].strip().lower()
        if kind not in ("application/json", ""):
            raise ApiError("Server cannot understand Content-Type HTTP header media type %1", 400, [kind])
        return _decoded(request.body)

    def member(self, name: str) -> dict[str, Any]:
        """Returns an object of the body.

        Raises:
            ApiError: The body has none.
        """
        value = self.body.get(snake(name))
        if value is None:
            raise required(name)
        if not isinstance(value, dict):
            raise invalid_type(name, value, "object")
        return value

    def number(self, name: str, default: int) -> int:
        """Returns an integer of the query."""
        value = self.args.get(name, "")
        if value and not (value.isascii() and value.isdecimal() and len(value) < 10):
            raise invalid_type(name, value, "int")
        return int(value) if value else default


def snake(name: str) -> str:
    """Returns a name in snake case: `pageSize` is `page_size`."""
    return _CAPITAL.sub(r"_\1", name).lower()


def _decoded(body: bytes) -> dict[str, Any]:
    try:
        value = _renamed(json.loads(body, parse_constant=_refuse))
        json.dumps(value, ensure_ascii=False).encode()  # refuses halves of surrogate pairs
    except (ValueError, RecursionError):
        raise ApiError("Decoding error: %1", 400, ["Syntax error"]) from None
    if not isinstance(value, dict):
        raise ApiError("Decoding error: %1", 400, ["an object was expected"])
    return cast("dict[str, Any]", value)


def _renamed(value: Any) -> Any:
    if isinstance(value, list):
        return [_renamed(item) for item in value]
    return {snake(name): _renamed(item) for name, item in value.items()} if isinstance(value, dict) else value


def _refuse(name: str) -> None:
    raise ValueError(name)


class Endpoint(NamedTuple):
    """An endpoint.

    Attributes:
        method: HTTP method.
        path: Werkzeug pattern below `/V1`; values named `id` or ending in `_id` are integers.
        resource: Permission it needs, such as `Magento_Sales::sales`; empty for none.
        handler: Called as `handler(rest, **values)`; what it returns is the JSON answered.
    """

    method: str
    path: str
    resource: str
    handler: Callable[..., Any]


def table(permission: str, handlers: Mapping[str, Callable[..., Any]]) -> tuple[Endpoint, ...]:
    """Returns endpoints that need the same permission: `GET /path` -> handler."""
    parted = ((key.partition(" "), handler) for key, handler in handlers.items())
    return tuple(Endpoint(method, path, permission, handler) for (method, _, path), handler in parted)
