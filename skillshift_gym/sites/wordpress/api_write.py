"""Writing handlers of the REST API for posts and pages."""

from __future__ import annotations

from typing import Any

from ..slugs import slugify
from . import api_schema as schema
from . import model, operations
from .api_errors import ApiError
from .api_params import Param, Params
from .api_request import Handler, Rest, Result, post_of

FORCE = {"id": Param("integer", required=True), "force": Param("boolean", False)}
_OPEN = ("open", "closed")
_FIELDS: Params = {
    "id": Param("integer"),
    "date": Param("date"),
    "date_gmt": Param("date"),
    "slug": Param(),
    "status": Param(enum=("publish", "future", "draft", "pending", "private")),
    "title": Param("text"),
    "content": Param("text"),
    "excerpt": Param("text"),
    "author": Param("integer"),
    "featured_media": Param("integer"),
    "comment_status": Param(enum=_OPEN),
    "ping_status": Param(enum=_OPEN),
}
POST: Params = {
    **_FIELDS,
    "sticky": Param("boolean"),
    "categories": Param("array"),
    "tags": Param("array"),
}
PAGE: Params = {**_FIELDS, "parent": Param("integer"), "menu_order": Param("integer")}
_COLUMNS = {
    "date": "date",
    "date_gmt": "date",
    "slug": "slug",
    "status": "status",
    "title": "title",
    "content": "content",
    "excerpt": "excerpt",
    "author": "author_id",
    "featured_media": "featured_media",
    "comment_status": "comment_status",
    "sticky": "sticky",
    "parent": "parent",
    "menu_order": "menu_order",
}
_TAXONOMIES = {"categories": "category", "tags": "post_tag"}


def create_post(kind: str) -> Handler:
    """Returns the handler that creates a post or page."""

    def handler(rest: Rest) -> Result:
        if "id" in rest.values:
            raise ApiError("rest_post_exists", "Cannot create existing post.", 400)
        rest.require("rest_cannot_create", "Sorry, you are not allowed to create posts as this user.")
        assert rest.user is not None
        values = _columns(rest, kind)
        if not any(values.get(name) for name in ("title", "content", "excerpt")):
            raise ApiError("empty_content", "Content, title, and excerpt are empty.", 400)
        values = {
            "type": kind,
            "title": "",
            "content": "",
            "excerpt": "",
            "status": "draft",
            "comment_status": "open",
            "author_id": rest.user["id"],
            "parent": 0,
            "menu_order": 0,
            "featured_media": 0,
            "sticky": 0,
            "date": rest.now,
            "modified": rest.now,
            **values,
        }
        post_id = operations.insert_post(rest.db, _scheduled(rest, values))
        if kind == "post":
            _set_terms(rest, post_id, {"categories": [], **rest.values})
        location = rest.url(f"/{kind}s/{post_id}")
        return Result(_edited(rest, post_id), 201, (("Location", location),))

    return handler


def update_post(kind: str) -> Handler:
    """Returns the handler that changes a post or page."""

    def handler(rest: Rest) -> Result:
        row = post_of(rest, kind)
        rest.require("rest_cannot_edit", "Sorry, you are not allowed to edit this post.")
        values = _columns(rest, kind)
        if "slug" in values:
            wanted = slugify(values["slug"]) or slugify(values.get("title", row["title"])) or str(row["id"])
            values["slug"] = operations.free_slug(rest.db, kind, wanted, row["id"])
        elif "status" in values:
            values["slug"] = operations.slug_outside_trash(rest.db, row)
        values = _scheduled(rest, {"date": row["date"], **values, "modified": rest.now})
        operations.update_row(rest.db, "posts", row["id"], values)
        _set_terms(rest, row["id"], rest.values)
        return Result(_edited(rest, row["id"]))

    return handler


def delete_post(kind: str) -> Handler:
    """Returns the handler that moves a post or page to the trash, or deletes it for good with `force`."""

    def handler(rest: Rest) -> Result:
        row = post_of(rest, kind)
        rest.require("rest_cannot_delete", "Sorry, you are not allowed to delete this post.")
        if rest.values["force"]:
            previous = _edited(rest, row["id"])
            operations.delete_post(rest.db, row["id"])
            return Result({"deleted": True, "previous": previous})
        if row["status"] == "trash":
            raise ApiError("rest_already_trashed", "The post has already been deleted.", 410)
        operations.trash_post(rest.db, row)
        return Result(_edited(rest, row["id"]))

    return handler


def _columns(rest: Rest, kind: str) -> dict[str, Any]:
    """Returns the columns that the request sets, checked against the other tables."""
    values = {column: rest.values[name] for name, column in _COLUMNS.items() if name in rest.values}
    if "author_id" in values and model.user_by_id(rest.db, values["author_id"]) is None:
        raise ApiError("rest_invalid_author", "Invalid author ID.", 400)
    if values.get("featured_media") and model.media_by_id(rest.db, values["featured_media"]) is None:
        raise ApiError("rest_invalid_featured_media", "Invalid featured media ID.", 400)
    if values.get("parent"):
        parent = model.post_by_id(rest.db, values["parent"])
        if parent is None or parent["type"] != kind:
            raise ApiError("rest_post_invalid_id", "Invalid post parent ID.", 400)
    if "sticky" in values:
        values["sticky"] = int(values["sticky"])
    return values


def _scheduled(rest: Rest, values: dict[str, Any]) -> dict[str, Any]:
    """Returns the columns, a post published in the future being scheduled."""
    if values.get("status") == "publish" and values["date"] > rest.now:
        return {**values, "status": "future"}
    return values


def _set_terms(rest: Rest, post_id: int, values: dict[str, Any]) -> None:
    for name, taxonomy in _TAXONOMIES.items():
        if name in values:
            operations.set_terms(rest.db, post_id, taxonomy, values[name])


def _edited(rest: Rest, post_id: int) -> schema.Json:
    """Returns a post as its editor sees it."""
    rest.values["context"] = "edit"
    row = model.post_by_id(rest.db, post_id)
    assert row is not None
    return schema.post(rest, row)
