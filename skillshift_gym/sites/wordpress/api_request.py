"""What a handler of the REST API is given, and what it gives back."""

from __future__ import annotations

import base64
import binascii
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from ..web import Call
from . import model
from .api_errors import ApiError
from .api_params import Params
from .model import Row
from .seed import password_hash

ROOT = "/wp-json"
NAMESPACE = "/wp/v2"


@dataclass
class Rest:
    """One API request.

    Attributes:
        call: The HTTP request.
        user: The user whose application password was sent, if any.
        values: The validated parameters.
    """

    call: Call
    user: Row | None
    values: dict[str, Any] = field(default_factory=dict)

    @property
    def db(self) -> sqlite3.Connection:
        """The state."""
        return self.call.db

    @property
    def origin(self) -> str:
        """Scheme and host of the site."""
        return self.call.site.origin

    @property
    def now(self) -> str:
        """The logical time as an ISO string."""
        return self.call.now.isoformat()

    @property
    def context(self) -> str:
        """`view`, `embed` or `edit`."""
        return str(self.values.get("context", "view"))

    @property
    def privileged(self) -> bool:
        """Whether the user may edit everything."""
        return self.user is not None and self.user["role"] in ("administrator", "editor")

    def url(self, route: str) -> str:
        """Returns the address of a route, such as `/posts/7`."""
        return f"{self.origin}{ROOT}{NAMESPACE}{route}"

    def require(self, code: str, message: str) -> None:
        """Refuses everyone who may not edit everything."""
        if not self.privileged:
            raise ApiError(code, message, 403 if self.user is not None else 401)


class Result(NamedTuple):
    """What a handler answers: JSON data, a status and headers."""

    data: Any
    status: int = 200
    headers: tuple[tuple[str, str], ...] = ()


Handler = Callable[[Rest], Result]


class Endpoint(NamedTuple):
    """Methods of a route that share a handler and its parameters."""

    methods: tuple[str, ...]
    handler: Handler
    params: Params = {}


def sender(call: Call) -> Row | None:
    """Returns the user a request signs for, None for an anonymous one.

    Raises:
        ApiError: If credentials were sent that are not valid.
    """
    kind, _, credentials = call.header("authorization").partition(" ")
    if kind.lower() != "basic":
        return None
    try:
        login, _, password = base64.b64decode(credentials).decode().partition(":")
    except (binascii.Error, UnicodeDecodeError):
        return None
    user: Row | None = call.db.execute("SELECT * FROM users WHERE login = ? OR email = ?", (login, login)).fetchone()
    if user is None:
        text = "<strong>Error:</strong> Unknown username. Check again or try your email address."
        raise ApiError("invalid_username", text, 401)
    query = "SELECT 1 FROM application_passwords WHERE user_id = ? AND hash = ?"
    if call.db.execute(query, (user["id"], password_hash(password))).fetchone() is None:
        raise ApiError("incorrect_password", "The provided password is an invalid application password.", 401)
    return user


def found(row: Row | None, code: str, message: str) -> Row:
    """Returns the row, or raises that it does not exist."""
    if row is None:
        raise ApiError(code, message, 404)
    return row


def post_of(rest: Rest, kind: str) -> Row:
    """Returns the post or page that the path names."""
    row = model.post_by_id(rest.db, rest.values["id"])
    return found(row if row and row["type"] == kind else None, "rest_post_invalid_id", "Invalid post ID.")


def term_of(rest: Rest, taxonomy: str) -> Row:
    """Returns the category or tag that the path names."""
    row = model.term_by_id(rest.db, rest.values["id"])
    return found(row if row and row["taxonomy"] == taxonomy else None, "rest_term_invalid", "Term does not exist.")


def comment_of(rest: Rest) -> Row:
    """Returns the comment that the path names."""
    row = model.comment_by_id(rest.db, rest.values["id"])
    return found(row, "rest_comment_invalid_id", "Invalid comment ID.")
