"""Writing handlers of the REST API for comments."""

from __future__ import annotations

from . import api_schema as schema
from . import model, operations
from .api_errors import ApiError
from .api_params import Param, Params
from .api_request import Rest, Result, comment_of
from .model import Row

COMMENT: Params = {
    "author": Param("integer"),
    "author_name": Param(),
    "author_email": Param(),
    "author_url": Param(),
    "content": Param("text"),
    "date": Param("date"),
    "id": Param("integer"),
    "parent": Param("integer"),
    "post": Param("integer"),
    "status": Param(),
}
_STATUSES = {"approve": "approved", "0": "hold", "1": "approved"}
_COLUMNS = {
    "author": "user_id",
    "author_name": "author_name",
    "author_email": "author_email",
    "author_url": "author_url",
    "content": "content",
    "date": "date",
    "parent": "parent",
    "post": "post_id",
    "status": "status",
}


def create_comment(rest: Rest) -> Result:
    """Creates a comment; visitors must use the form under the post."""
    if rest.user is None:
        raise ApiError("rest_comment_login_required", "Sorry, you must be logged in to comment.", 401)
    values, post = rest.values, _commentable(rest)
    if "id" in values:
        raise ApiError("rest_comment_exists", "Cannot create existing comment.", 400)
    if not values.get("content", "").strip():
        raise ApiError("rest_comment_content_invalid", "Invalid comment content.", 400)
    name, email, url, user_id = _author(rest, rest.user)
    if model.is_duplicate_comment(rest.db, post["id"], name, email, values["content"]):
        text = "Duplicate comment detected; it looks as though you&#8217;ve already said that!"
        raise ApiError("comment_duplicate", text, 409)
    comment_id = model.add_comment(
        rest.db,
        rest.call.now,
        post_id=post["id"],
        content=values["content"],
        name=name,
        email=email,
        url=url,
        parent=values.get("parent", 0),
        user_id=user_id,
    )
    later = {name: value for name, value in _columns(rest).items() if name in ("status", "date")}
    operations.update_row(rest.db, "comments", comment_id, later)
    location = rest.url(f"/comments/{comment_id}")
    return Result(_edited(rest, comment_id), 201, (("Location", location),))


def update_comment(rest: Rest) -> Result:
    """Changes a comment."""
    row = comment_of(rest)
    rest.require("rest_cannot_edit", "Sorry, you are not allowed to edit this comment.")
    values = _columns(rest)
    if "post_id" in values and model.post_by_id(rest.db, rest.values["post"]) is None:
        raise ApiError("rest_comment_invalid_post_id", "Invalid post ID.", 403)
    if not str(values.get("content", "x")).strip():
        raise ApiError("rest_comment_content_invalid", "Invalid comment content.", 400)
    operations.update_row(rest.db, "comments", row["id"], values)
    return Result(_edited(rest, row["id"]))


def delete_comment(rest: Rest) -> Result:
    """Moves a comment to the trash, or deletes it for good with `force`."""
    row = comment_of(rest)
    rest.require("rest_cannot_delete", "Sorry, you are not allowed to delete this comment.")
    if rest.values["force"]:
        previous = _edited(rest, row["id"])
        operations.delete_comment(rest.db, row)
        return Result({"deleted": True, "previous": previous})
    if row["status"] == "trash":
        raise ApiError("rest_already_trashed", "The comment has already been trashed.", 410)
    operations.update_row(rest.db, "comments", row["id"], {"status": "trash"})
    return Result(_edited(rest, row["id"]))


def _commentable(rest: Rest) -> Row:
    """Returns the post to comment on, if that is allowed."""
    post = model.post_by_id(rest.db, rest.values.get("post", 0))
    if post is None:
        text = "Sorry, you are not allowed to create this comment without a post."
        raise ApiError("rest_comment_invalid_post_id", text, 403)
    if post["status"] in ("draft", "trash"):
        text = "Sorry, you are not allowed to create a comment on this post."
        raise ApiError(f"rest_comment_{post['status']}_post", text, 403)
    if post["comment_status"] != "open":
        raise ApiError("rest_comment_closed", "Sorry, comments are closed for this item.", 403)
    return post


def _author(rest: Rest, user: Row) -> tuple[str, str, str, int]:
    """Returns name, e-mail, address and user id of a new comment: as sent, else those of the user."""
    values = rest.values
    if values.get("author") and model.user_by_id(rest.db, values["author"]) is None:
        raise ApiError("rest_comment_invalid_author", "Invalid comment author ID.", 400)
    if not any(values.get(name) for name in ("author", "author_name", "author_email", "author_url")):
        return user["name"], user["email"], user["url"], user["id"]
    if not values.get("author_name") or not values.get("author_email"):
        text = "Creating a comment requires valid author name and email values."
        raise ApiError("rest_comment_author_data_required", text, 400)
    return values["author_name"], values["author_email"], values.get("author_url", ""), values.get("author", 0)


def _columns(rest: Rest) -> dict[str, object]:
    values = {column: rest.values[name] for name, column in _COLUMNS.items() if name in rest.values}
    if "status" in values:
        values["status"] = _STATUSES.get(values["status"], values["status"])
    return values


def _edited(rest: Rest, comment_id: int) -> schema.Json:
    """Returns a comment as its moderator sees it."""
    rest.values["context"] = "edit"
    row = model.comment_by_id(rest.db, comment_id)
    assert row is not None
    return schema.comment(rest, row)
