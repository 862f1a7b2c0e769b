"""Writing handlers of the REST API for categories and tags."""

from __future__ import annotations

from typing import Any

from ..slugs import slugify
from . import api_schema as schema
from . import model, operations
from .api_errors import ApiError
from .api_params import Param, Params
from .api_read import counted
from .api_request import Handler, Rest, Result, term_of

TAG: Params = {"description": Param(), "name": Param(), "slug": Param()}
CATEGORY: Params = {**TAG, "parent": Param("integer")}
NEW_TAG: Params = {**TAG, "name": Param(required=True)}
NEW_CATEGORY: Params = {**CATEGORY, "name": Param(required=True)}
_COLUMNS: tuple[str, ...] = ("description", "name", "slug", "parent")
_BASES = {"category": "/categories", "post_tag": "/tags"}


def create_term(taxonomy: str) -> Handler:
    """Returns the handler that creates a category or tag."""

    def handler(rest: Rest) -> Result:
        rest.require("rest_cannot_create", "Sorry, you are not allowed to create terms in this taxonomy.")
        values = {"taxonomy": taxonomy, "description": "", "parent": 0, **_columns(rest)}
        _refuse_twin(rest, values)
        term_id = operations.insert_term(rest.db, values)
        location = rest.url(f"{_BASES[taxonomy]}/{term_id}")
        return Result(schema.term(rest, counted(rest, term_id)), 201, (("Location", location),))

    return handler


def update_term(taxonomy: str) -> Handler:
    """Returns the handler that changes a category or tag."""

    def handler(rest: Rest) -> Result:
        row = term_of(rest, taxonomy)
        rest.require("rest_cannot_update", "Sorry, you are not allowed to edit this term.")
        values = _columns(rest)
        if "slug" in values:
            wanted = slugify(values["slug"]) or slugify(values.get("name", row["name"])) or row["slug"]
            if operations.free_slug(rest.db, taxonomy, wanted, row["id"]) != wanted:
                text = f"The slug &#8220;{wanted}&#8221; is already in use by another term."
                raise ApiError("duplicate_term_slug", text, 400)
            values["slug"] = wanted
        operations.update_row(rest.db, "terms", row["id"], values)
        return Result(schema.term(rest, counted(rest, row["id"])))

    return handler


def delete_term(taxonomy: str) -> Handler:
    """Returns the handler that deletes a category or tag."""

    def handler(rest: Rest) -> Result:
        row = term_of(rest, taxonomy)
        rest.require("rest_cannot_delete", "Sorry, you are not allowed to delete this term.")
        if not rest.values["force"]:
            text = "Terms do not support trashing. Set 'force=true' to delete."
            raise ApiError("rest_trash_not_supported", text, 501)
        if row["id"] == operations.default_category(rest.db):
            raise ApiError("rest_cannot_delete", "The term cannot be deleted.", 500)
        previous = schema.term(rest, counted(rest, row["id"]))
        operations.delete_term(rest.db, row)
        return Result({"deleted": True, "previous": previous})

    return handler


def _columns(rest: Rest) -> dict[str, Any]:
    values = {name: rest.values[name] for name in _COLUMNS if name in rest.values}
    if "name" in values and not values["name"].strip():
        raise ApiError("empty_term_name", "A name is required for this term.", 400)
    if values.get("parent"):
        parent = model.term_by_id(rest.db, values["parent"])
        if parent is None or parent["taxonomy"] != "category" or parent["id"] == rest.values.get("id"):
            raise ApiError("rest_term_invalid", "Parent term does not exist.", 400)
    return values


def _refuse_twin(rest: Rest, values: dict[str, object]) -> None:
    """Refuses a name that its siblings, or all tags, have already."""
    twin = rest.db.execute(
        "SELECT id FROM terms WHERE taxonomy = ? AND name = ? COLLATE NOCASE AND parent = ?",
        (values["taxonomy"], values["name"], values["parent"]),
    ).fetchone()
    if twin is not None:
        place = "with this parent" if values["taxonomy"] == "category" else "in this taxonomy"
        text = f"A term with the name provided already exists {place}."
        raise ApiError("term_exists", text, 400, term_id=twin["id"])
