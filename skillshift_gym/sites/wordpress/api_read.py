"""Reading handlers of the REST API."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from . import api_schema as schema
from . import model, search
from .api_errors import ApiError
from .api_params import Param, Params
from .api_query import CONTEXT, IDS, Select, collection, params, readable_statuses
from .api_request import Handler, Rest, Result, comment_of, found, post_of, term_of
from .model import Row

COUNTED_TERMS = (
    "(SELECT terms.*, (SELECT COUNT(*) FROM post_terms JOIN posts ON posts.id = post_id WHERE term_id = terms.id "
    "AND posts.type = 'post' AND posts.status = 'publish') AS count FROM terms)"
)
_POST_ORDERS = ("author", "date", "id", "include", "modified", "parent", "relevance", "slug", "include_slugs", "title")
_SLUGS = Param("array", items="string")
_STATUSES = ("publish", "future", "draft", "pending", "private", "trash", "any")
_WITHIN: Params = {"after": Param("date"), "before": Param("date"), "author": IDS}
_POSTS: Params = {
    **_WITHIN,
    "modified_after": Param("date"),
    "modified_before": Param("date"),
    "author_exclude": IDS,
    "slug": _SLUGS,
    "status": Param("array", ["publish"], _STATUSES, items="string"),
}
_TERM_LISTS = {name: IDS for name in ("categories", "categories_exclude", "tags", "tags_exclude")}
_PARENTS = {"parent": IDS, "parent_exclude": IDS}
_TERMS: Params = {"hide_empty": Param("boolean", False), "post": Param("integer"), "slug": _SLUGS}
_TERM_ORDERS = ("id", "include", "name", "slug", "include_slugs", "term_group", "description", "count")
_COMMENT_ORDERS = ("date", "date_gmt", "id", "include", "post", "parent", "type")
_USER_ORDERS = ("id", "include", "name", "registered_date", "slug", "include_slugs", "email", "url")
_COMMENTS: Params = {
    **_WITHIN,
    **_PARENTS,
    "author_exclude": IDS,
    "author_email": Param(),
    "post": IDS,
    "status": Param(default="approve"),
}
POSTS = params(_POST_ORDERS, "date", {**_POSTS, **_TERM_LISTS, "sticky": Param("boolean")})
PAGES = params((*_POST_ORDERS, "menu_order"), "date", {**_POSTS, **_PARENTS, "menu_order": Param("integer")})
MEDIA = params(_POST_ORDERS, "date", {**_WITHIN, "parent": IDS, "slug": _SLUGS})
COMMENTS = params(_COMMENT_ORDERS, "date_gmt", _COMMENTS)
TAGS = params(_TERM_ORDERS, "name", _TERMS, "asc")
CATEGORIES: Params = {**TAGS, "parent": Param("integer")}
USERS = params(_USER_ORDERS, "name", {"slug": _SLUGS, "roles": _SLUGS}, "asc")
ITEM: Params = {"id": Param("integer", required=True), "context": CONTEXT}


def posts(kind: str) -> Handler:
    """Returns the handler of the collection of posts or pages."""

    def handler(rest: Rest) -> Result:
        _edit_context(rest, "Sorry, you are not allowed to edit posts in this post type.")
        readable_statuses(rest, "status", ("publish",), "Status is forbidden.", "rest_forbidden_status")
        select = Select(rest, "posts")
        select.where("type = ?", kind)
        if "any" in rest.values["status"]:
            select.where("status != 'trash'")
        else:
            select.among("status", "status")
        select.between("modified_before", "modified_after", "modified")
        _narrow_posts(select)
        for name in ("categories", "tags"):
            select.having_terms(name)
            select.having_terms(f"{name}_exclude", exclude=True)
        for column in ("sticky", "menu_order"):
            if column in rest.values:
                select.where(f"{column} = ?", rest.values[column])
        if rest.values.get("search"):
            conditions, values = search.clause(rest.values["search"])[:2]
            select.where(" AND ".join(conditions) or "1", *values)
        _order_posts(select)
        return page(rest, select, schema.post, "rest_post_invalid_page_number")

    return handler


def post(kind: str) -> Handler:
    """Returns the handler of one post or page."""

    def handler(rest: Rest) -> Result:
        row = post_of(rest, kind)
        _edit_context(rest, "Sorry, you are not allowed to edit this post.")
        if row["status"] != "publish":
            rest.require("rest_forbidden", "Sorry, you are not allowed to do that.")
        return Result(schema.post(rest, row))

    return handler


def media_list(rest: Rest) -> Result:
    """Returns the images."""
    _edit_context(rest, "Sorry, you are not allowed to edit posts in this post type.")
    select = Select(rest, "media")
    _narrow_posts(select, parent="post_id")
    select.matching("title", "alt_text", "caption", "slug")
    select.order({"author": "author_id", "modified": "date", "parent": "post_id", "relevance": "date"})
    return page(rest, select, schema.media, "rest_post_invalid_page_number")


def media(rest: Rest) -> Result:
    """Returns one image."""
    row = found(model.media_by_id(rest.db, rest.values["id"]), "rest_post_invalid_id", "Invalid post ID.")
    _edit_context(rest, "Sorry, you are not allowed to edit this post.")
    return Result(schema.media(rest, row))


def comments(rest: Rest) -> Result:
    """Returns the comments."""
    _edit_context(rest, "Sorry, you are not allowed to edit comments.")
    private: list[str] = [n for n in ("author", "author_exclude", "author_email") if n in rest.values]
    if rest.values["status"] not in ("approve", "approved"):
        private.append("status")
    if private and not rest.privileged:
        text = f"Query parameter not permitted: {', '.join(private)}"
        raise ApiError("rest_forbidden_param", text, 401)
    select = Select(rest, "comments")
    if rest.values["status"] != "all":
        select.where("status = ?", {"approve": "approved"}.get(rest.values["status"], rest.values["status"]))
    if not rest.privileged:
        select.where("post_id IN (SELECT id FROM posts WHERE status = 'publish')")
    if "author_email" in rest.values:
        select.where("author_email = ?", rest.values["author_email"])
    for name, column in (("post", "post_id"), ("parent", "parent"), ("author", "user_id")):
        select.among(column, name)
        select.among(column, f"{name}_exclude", exclude=True)
    narrow(select)
    select.matching("author_name", "content")
    select.order({"date_gmt": "date", "post": "post_id", "type": "id"})
    return page(rest, select, schema.comment)


def comment(rest: Rest) -> Result:
    """Returns one comment."""
    row = comment_of(rest)
    _edit_context(rest, "Sorry, you are not allowed to edit this comment.")
    if row["status"] != "approved":
        rest.require("rest_cannot_read", "Sorry, you are not allowed to read this comment.")
    return Result(schema.comment(rest, row))


def terms(taxonomy: str) -> Handler:
    """Returns the handler of the collection of categories or tags."""

    def handler(rest: Rest) -> Result:
        _edit_context(rest, "Sorry, you are not allowed to edit terms in this taxonomy.")
        select = Select(rest, COUNTED_TERMS)
        select.where("taxonomy = ?", taxonomy)
        if rest.values["hide_empty"]:
            select.where("count > 0")
        if "parent" in rest.values:
            select.where("parent = ?", rest.values["parent"])
        if "post" in rest.values:
            select.where("id IN (SELECT term_id FROM post_terms WHERE post_id = ?)", rest.values["post"])
        narrow(select)
        select.matching("name", "slug")
        select.order({"name": "name COLLATE NOCASE", "term_group": "id"})
        return page(rest, select, schema.term)

    return handler


def term(taxonomy: str) -> Handler:
    """Returns the handler of one category or tag."""

    def handler(rest: Rest) -> Result:
        row = term_of(rest, taxonomy)
        _edit_context(rest, "Sorry, you are not allowed to edit this term.")
        return Result(schema.term(rest, counted(rest, row["id"])))

    return handler


def counted(rest: Rest, term_id: int) -> Row:
    """Returns a term with its `count`."""
    row: Row = rest.db.execute(f"SELECT * FROM {COUNTED_TERMS} WHERE id = ?", (term_id,)).fetchone()
    return row


def users(rest: Rest) -> Result:
    """Returns the users; visitors see those who have published."""
    _edit_context(rest, "Sorry, you are not allowed to list users.")
    if "roles" in rest.values:
        rest.require("rest_user_cannot_view", "Sorry, you are not allowed to filter users by role.")
    if rest.values["orderby"] in ("email", "registered_date"):
        rest.require("rest_forbidden_orderby", "Sorry, you are not allowed to order users by this parameter.")
    select = Select(rest, "users")
    if not rest.privileged:
        select.where("id IN (SELECT author_id FROM posts WHERE status = 'publish')")
    select.among("role", "roles")
    narrow(select)
    select.matching("name", "slug", "url")
    select.order({"name": "name COLLATE NOCASE", "registered_date": "id"})
    return page(rest, select, schema.user)


def user(rest: Rest) -> Result:
    """Returns one user."""
    row = found(model.user_by_id(rest.db, rest.values["id"]), "rest_user_invalid_id", "Invalid user ID.")
    if rest.context == "edit":
        rest.require("rest_user_cannot_view", "Sorry, you are not allowed to edit users.")
    return Result(schema.user(rest, row))


def me(rest: Rest) -> Result:
    """Returns the user who asks."""
    if rest.user is None:
        raise ApiError("rest_not_logged_in", "You are not currently logged in.", 401)
    return Result(schema.user(rest, rest.user))


def narrow(select: Select) -> None:
    """Applies the parameters that collections share."""
    select.among("id", "include")
    select.among("id", "exclude", exclude=True)
    select.among("slug", "slug")
    select.between("before", "after", "date")


def _narrow_posts(select: Select, parent: str = "parent") -> None:
    narrow(select)
    for name, column in (("author", "author_id"), ("parent", parent)):
        select.among(column, name)
        select.among(column, f"{name}_exclude", exclude=True)


def _order_posts(select: Select) -> None:
    if select.rest.values["orderby"] == "relevance":
        select.relevance()
    else:
        select.order({"author": "author_id"})


def page(rest: Rest, select: Select, shape: Callable[[Rest, Row], Any], beyond: str = "") -> Result:
    """Returns the page of a selection in its JSON shape."""
    rows, total = select.rows()
    return collection(rest, [shape(rest, row) for row in rows], total, beyond)


def _edit_context(rest: Rest, message: str) -> None:
    if rest.context == "edit":
        rest.require("rest_forbidden_context", message)
