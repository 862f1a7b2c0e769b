"""Objects of the REST API: rows in WordPress's JSON shapes."""

from __future__ import annotations

from collections.abc import Callable
from html import escape
from typing import Any

from . import model, presenter
from .api_request import Rest
from .model import Row

Json = dict[str, Any]

_EMBED = {
    "post": ("id", "date", "slug", "type", "link", "title", "excerpt", "author", "featured_media"),
    "attachment": (
        "id", "date", "slug", "type", "link", "title", "author", "caption", "alt_text", "media_type", "mime_type",
        "media_details", "source_url",
    ),
    "comment": ("id", "parent", "author", "author_name", "author_url", "date", "content", "link", "type"),
    "term": ("id", "link", "name", "slug", "taxonomy"),
    "user": ("id", "name", "url", "description", "link", "slug"),
}  # fmt: skip


_CURIE = {"name": "wp", "href": "https://api.w.org/{rel}", "templated": True}


def post(rest: Rest, row: Row) -> Json:
    """Returns a post or page."""
    edit, page = rest.context == "edit", row["type"] == "page"
    title, content = _text(row["title"], edit), row["content"]
    data: Json = {
        "id": row["id"],
        **_dates(row["date"], "date"),
        "guid": {"rendered": f"{rest.origin}/?{'page_id' if page else 'p'}={row['id']}"},
        **_dates(row["modified"], "modified"),
        **({"password": ""} if edit else {}),
        "slug": row["slug"],
        "status": row["status"],
        "type": row["type"],
        "link": post_link(rest, row),
        "title": title,
        "content": {**({"raw": content} if edit else {}), "rendered": content, "protected": False},
        "excerpt": {
            **({"raw": row["excerpt"]} if edit else {}),
            "rendered": f"<p>{escape(presenter.excerpt(row), quote=False)}</p>\n",
            "protected": False,
        },
        "author": row["author_id"],
        "featured_media": row["featured_media"],
        **({"parent": row["parent"], "menu_order": row["menu_order"]} if page else {}),
        "comment_status": row["comment_status"],
        "ping_status": "closed",
        **({} if page else {"sticky": bool(row["sticky"])}),
        "template": "",
        **({} if page else {"format": "standard"}),
        "meta": {"footnotes": ""},
    }
    if not page:
        for name, taxonomy in (("categories", "category"), ("tags", "post_tag")):
            data[name] = [term["id"] for term in model.terms_of(rest.db, row["id"], taxonomy)]
    return _finish(rest, data, "post", _post_links(rest, row))


def media(rest: Rest, row: Row) -> Json:
    """Returns an image."""
    source = f"{rest.origin}{presenter.UPLOADS}{row['file']}"
    size = {"width": row["width"], "height": row["height"]}
    full = {"file": row["file"].rpartition("/")[2], **size, "mime_type": row["mime_type"], "source_url": source}
    edit = rest.context == "edit"
    data: Json = {
        "id": row["id"],
        **_dates(row["date"], "date"),
        "guid": {"rendered": source},
        **_dates(row["date"], "modified"),
        "slug": row["slug"],
        "status": "inherit",
        "type": "attachment",
        "link": f"{rest.origin}/{row['slug']}/",
        "title": _text(row["title"], edit),
        "author": row["author_id"],
        "comment_status": "closed",
        "ping_status": "closed",
        "template": "",
        "meta": [],
        "description": {"rendered": ""},
        "caption": _text(row["caption"], edit, paragraph=True),
        "alt_text": row["alt_text"],
        "media_type": "image",
        "mime_type": row["mime_type"],
        "media_details": {**size, "file": row["file"], "sizes": {"full": full}, "image_meta": {}},
        "post": row["post_id"] or None,
        "source_url": source,
    }
    links = _links(rest, f"/media/{row['id']}", "/media", "/types/attachment")
    links["author"] = [{"embeddable": True, "href": rest.url(f"/users/{row['author_id']}")}]
    return _finish(rest, data, "attachment", links)


def comment(rest: Rest, row: Row) -> Json:
    """Returns a comment."""
    edit = rest.context == "edit"
    parent = model.post_by_id(rest.db, row["post_id"])
    data: Json = {
        "id": row["id"],
        "post": row["post_id"],
        "parent": row["parent"],
        "author": row["user_id"],
        "author_name": row["author_name"],
        **({"author_email": row["author_email"]} if edit else {}),
        "author_url": row["author_url"],
        **({"author_ip": "", "author_user_agent": ""} if edit else {}),
        **_dates(row["date"], "date"),
        "content": {
            "rendered": f"{presenter.paragraphs(row['content'])}\n",
            **({"raw": row["content"]} if edit else {}),
        },
        "link": f"{post_link(rest, parent) if parent else rest.origin}#comment-{row['id']}",
        "status": row["status"],
        "type": "comment",
        "meta": [],
    }
    return _finish(rest, data, "comment", _comment_links(rest, row))


def term(rest: Rest, row: Row) -> Json:
    """Returns a category or tag; the row has its `count`."""
    category = row["taxonomy"] == "category"
    base = "/categories" if category else "/tags"
    data: Json = {
        "id": row["id"],
        "count": row["count"],
        "description": row["description"],
        "link": _term_link(rest, row),
        "name": escape(row["name"], quote=False),
        "slug": row["slug"],
        "taxonomy": row["taxonomy"],
        **({"parent": row["parent"]} if category else {}),
        "meta": [],
    }
    links = _links(rest, f"{base}/{row['id']}", base, f"/taxonomies/{row['taxonomy']}")
    if row["parent"]:
        links["up"] = [{"embeddable": True, "href": rest.url(f"{base}/{row['parent']}")}]
    links["wp:post_type"] = [{"href": rest.url(f"/posts?{base[1:]}={row['id']}")}]
    links["curies"] = [_CURIE]
    return _finish(rest, data, "term", links)


def user(rest: Rest, row: Row) -> Json:
    """Returns a user."""
    data: Json = {
        "id": row["id"],
        **({"username": row["login"]} if rest.context == "edit" else {}),
        "name": row["name"],
        **({"email": row["email"]} if rest.context == "edit" else {}),
        "url": row["url"],
        "description": row["description"],
        "link": f"{rest.origin}/author/{row['slug']}/",
        "slug": row["slug"],
        **({"roles": [row["role"]]} if rest.context == "edit" else {}),
        "meta": [],
    }
    return _finish(rest, data, "user", _links(rest, f"/users/{row['id']}", "/users"))


def result(rest: Rest, row: Row) -> Json:
    """Returns a search result: a row with `id`, `title`, `url`, `type`, `subtype` and the `route` of the object."""
    data = {"id": row["id"], "title": escape(row["title"], quote=False), "url": row["url"]}
    data |= {"type": row["type"], "subtype": row["subtype"]}
    self_link = {"embeddable": True, "href": rest.url(f"{row['route']}/{row['id']}")}
    links = {"self": [self_link], "collection": [{"href": rest.url("/search")}]}
    return {**data, "_links": links}


def post_link(rest: Rest, row: Row) -> str:
    """Returns the permalink of a post or page, or its plain address while it is not published."""
    if row["status"] == "publish":
        return f"{rest.origin}{presenter.post_url(row)}"
    return f"{rest.origin}/?{'page_id' if row['type'] == 'page' else 'p'}={row['id']}"


Shape = Callable[[Rest, Row], Json]


def _text(raw: str, edit: bool, paragraph: bool = False) -> Json:
    rendered = escape(raw, quote=False)
    if paragraph and rendered:
        rendered = f"<p>{rendered}</p>\n"
    return {**({"raw": raw} if edit else {}), "rendered": rendered}


def _dates(iso: str, name: str) -> Json:
    """Returns a local date and its GMT form; the site's time zone is UTC."""
    return {name: iso, f"{name}_gmt": iso}


def _finish(rest: Rest, data: Json, kind: str, links: Json) -> Json:
    if rest.context == "embed":
        data = {name: data[name] for name in _EMBED[kind]}
    return {**data, "_links": links}


def _links(rest: Rest, own: str, collection: str, about: str = "") -> Json:
    links: Json = {"self": [{"href": rest.url(own)}], "collection": [{"href": rest.url(collection)}]}
    if about:
        links["about"] = [{"href": rest.url(about)}]
    return links


def _post_links(rest: Rest, row: Row) -> Json:
    base = f"/{row['type']}s"
    links = _links(rest, f"{base}/{row['id']}", base, f"/types/{row['type']}")
    links["author"] = [{"embeddable": True, "href": rest.url(f"/users/{row['author_id']}")}]
    links["replies"] = [{"embeddable": True, "href": rest.url(f"/comments?post={row['id']}")}]
    if row["featured_media"]:
        links["wp:featuredmedia"] = [{"embeddable": True, "href": rest.url(f"/media/{row['featured_media']}")}]
    if row["parent"]:
        links["up"] = [{"embeddable": True, "href": rest.url(f"{base}/{row['parent']}")}]
    links["wp:attachment"] = [{"href": rest.url(f"/media?parent={row['id']}")}]
    if row["type"] == "post":
        links["wp:term"] = [
            {"taxonomy": taxonomy, "embeddable": True, "href": rest.url(f"/{name}?post={row['id']}")}
            for taxonomy, name in (("category", "categories"), ("post_tag", "tags"))
        ]
    links["curies"] = [_CURIE]
    return links


def _comment_links(rest: Rest, row: Row) -> Json:
    links = _links(rest, f"/comments/{row['id']}", "/comments")
    if row["user_id"]:
        links["author"] = [{"embeddable": True, "href": rest.url(f"/users/{row['user_id']}")}]
    up = {"embeddable": True, "post_type": "post", "href": rest.url(f"/posts/{row['post_id']}")}
    links["up"] = [up]
    if row["parent"]:
        links["in-reply-to"] = [{"embeddable": True, "href": rest.url(f"/comments/{row['parent']}")}]
    if rest.db.execute("SELECT 1 FROM comments WHERE parent = ?", (row["id"],)).fetchone():
        links["children"] = [{"href": rest.url(f"/comments?parent={row['id']}")}]
    return links


def _term_link(rest: Rest, row: Row) -> str:
    if row["taxonomy"] != "category":
        return f"{rest.origin}/tag/{row['slug']}/"
    path, parent = row["slug"], row["parent"]
    while parent and (above := model.term_by_id(rest.db, parent)) is not None:
        path, parent = f"{above['slug']}/{path}", above["parent"]
    return f"{rest.origin}/category/{path}/"
