"""Endpoints of what is one row of `operations.entities`: search, get, create, change, delete."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from .api_kinds import INTEGER
from .api_request import Endpoint, Rest
from .api_resource import Json, Resource, sent
from .api_search import search
from .operations import entities


def _nothing(rest: Rest, body: Json, values: Json, id: int | None) -> Json:
    return values


class Crud(NamedTuple):
    """A kind of row with its endpoints.

    Attributes:
        path: Path of its endpoints, such as `/salesRules`.
        member: Member of bodies that holds it, such as `rule`.
        key: Member of documents that holds its id.
        permission: What its endpoints need.
        entity: Its name in `operations.entities`.
        resource: Its documents.
        complete: Request, body, the columns that it sets and the id, None for a new row -> the columns to set; may refuse.
    """

    path: str
    member: str
    key: str
    permission: str
    entity: str
    resource: Resource
    complete: Callable[[Rest, Json, Json, int | None], Json] = _nothing


def endpoints(crud: Crud) -> tuple[Endpoint, ...]:
    """Returns the endpoints of a kind of row."""
    handlers = (
        ("GET", "/search", partial(search, resource=crud.resource)), ("GET", "/<id>", partial(get, crud=crud)),
        ("POST", "", partial(save, crud=crud)), ("PUT", "/<id>", partial(save, crud=crud)), ("DELETE", "/<id>", partial(delete, crud=crud)),
    )  # fmt: skip
    return tuple(Endpoint(method, crud.path + path, crud.permission, handler) for method, path, handler in handlers)


def get(rest: Rest, crud: Crud, id: int) -> Json:
    """Returns a row's document."""
    return crud.resource.get(rest.db, id)


def save(rest: Rest, crud: Crud, id: int | None = None) -> Json:
    """Adds a row, or changes the one that the path or the body names; returns its document."""
    body = rest.member(crud.member)
    id = id if id is not None else sent(body, **{crud.key: INTEGER}).get(crud.key) or None
    if id is not None:
        crud.resource.row(rest.db, id)
    values = crud.complete(rest, body, crud.resource.read(body), id)
    if id is None:
        id = entities.create(rest.db, crud.entity, values, rest.now)
    else:
        entities.save(rest.db, crud.entity, id, values, rest.now)
    return crud.resource.get(rest.db, id)


def delete(rest: Rest, crud: Crud, id: int) -> bool:
    """Deletes a row."""
    crud.resource.row(rest.db, id)
    entities.delete(rest.db, crud.entity, [id])
    return True
