"""What the blog knows and does: queries and operations, shared by both front ends and the REST API.

All queries take a connection and return `sqlite3.Row`s whose columns are those of `schema.py`; listings add nothing
to them. Both versions write through the operations at the end, so both write the same rows.
"""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from .search import clause

POSTS_PER_PAGE = 10
_PUBLIC = "posts.type = 'post' AND posts.status = 'publish'"
_NEWEST_FIRST = "posts.date DESC, posts.id DESC"

Row = sqlite3.Row


class Listing(NamedTuple):
    """One page of a listing.

    Attributes:
        posts: The posts of this page, newest first unless it is a search.
        total: Number of posts in all pages.
        page: Number of this page, from 1.
        pages: Number of pages; at least 1 when there is anything.
    """

    posts: list[Row]
    total: int
    page: int
    pages: int


def option(db: sqlite3.Connection, name: str) -> str:
    """Returns a setting, or an empty string."""
    row = db.execute("SELECT value FROM options WHERE name = ?", (name,)).fetchone()
    return str(row[0]) if row else ""


def feed(
    db: sqlite3.Connection,
    page: int = 1,
    *,
    term: int | None = None,
    author: int | None = None,
    month: str | None = None,
    per_page: int = POSTS_PER_PAGE,
) -> Listing:
    """Returns published posts, newest first.

    Args:
        db: The state.
        page: Number of the page, from 1.
        term: Only posts of this category (its sub-categories included) or tag.
        author: Only posts of this user.
        month: Only posts of a period, as the start of an ISO date: `2024-03` or `2024`.
        per_page: Posts on a page.
    """
    where, values = [_PUBLIC], []
    if term is not None:
        where.append(
            "posts.id IN (SELECT post_id FROM post_terms JOIN terms ON terms.id = term_id "
            "WHERE terms.id = ? OR terms.parent = ?)"
        )
        values += [term, term]
    if author is not None:
        where.append("posts.author_id = ?")
        values.append(author)
    if month is not None:
        where.append("substr(posts.date, 1, ?) = ?")
        values += [len(month), month]  # type: ignore[list-item]
    return _listing(db, " AND ".join(where), values, _NEWEST_FIRST, [], page, per_page)


def search(db: sqlite3.Connection, text: str, page: int = 1, per_page: int = POSTS_PER_PAGE) -> Listing:
    """Returns published posts and pages that hold every word, the closest titles first, then the newest.

    As in WordPress: words may stand in the title, the excerpt or the content; "quoted words" count as one; a word
    after a minus must not occur. One word ranks titles that hold it first; several rank by the whole phrase in the
    title, all words in the title, any word in the title, the phrase in the excerpt, the phrase in the content.
    """
    where, values, order, order_values = clause(text)
    where.insert(0, "posts.status = 'publish'")
    return _listing(db, " AND ".join(where), values, f"{order}{_NEWEST_FIRST}", order_values, page, per_page)


def recent_posts(db: sqlite3.Connection, count: int) -> list[Row]:
    """Returns the newest published posts."""
    return feed(db, per_page=count).posts


def post_by_slug(db: sqlite3.Connection, slug: str, kind: str = "post") -> Row | None:
    """Returns a published post or page by its slug."""
    return _one(db, "SELECT * FROM posts WHERE type = ? AND slug = ? AND status = 'publish'", kind, slug)


def post_by_id(db: sqlite3.Connection, post_id: int) -> Row | None:
    """Returns a post or page of any status."""
    return _one(db, "SELECT * FROM posts WHERE id = ?", post_id)


def neighbour(db: sqlite3.Connection, post: Row, *, newer: bool) -> Row | None:
    """Returns the published post written just after (newer) or just before this one."""
    sign, order = (">", "ASC") if newer else ("<", "DESC")
    return _one(
        db,
        f"SELECT * FROM posts WHERE {_PUBLIC} AND (date, id) {sign} (?, ?) ORDER BY date {order}, id {order} LIMIT 1",
        post["date"],
        post["id"],
    )


def pages(db: sqlite3.Connection) -> list[Row]:
    """Returns the published pages in menu order."""
    return db.execute(
        "SELECT * FROM posts WHERE type = 'page' AND status = 'publish' ORDER BY menu_order, title, id"
    ).fetchall()


def terms(db: sqlite3.Connection, taxonomy: str) -> list[Row]:
    """Returns the terms of `category` or `post_tag` by name, each with `count`: the published posts that bear it."""
    return db.execute(
        "SELECT terms.*, (SELECT COUNT(*) FROM post_terms JOIN posts ON posts.id = post_id "
        f"WHERE term_id = terms.id AND {_PUBLIC}) AS count FROM terms WHERE taxonomy = ? ORDER BY name, id",
        (taxonomy,),
    ).fetchall()


def term_by_slug(db: sqlite3.Connection, taxonomy: str, slug: str) -> Row | None:
    """Returns a term by its slug."""
    return _one(db, "SELECT * FROM terms WHERE taxonomy = ? AND slug = ?", taxonomy, slug)


def term_by_id(db: sqlite3.Connection, term_id: int) -> Row | None:
    """Returns a term by its id."""
    return _one(db, "SELECT * FROM terms WHERE id = ?", term_id)


def terms_of(db: sqlite3.Connection, post_id: int, taxonomy: str) -> list[Row]:
    """Returns the terms of a post by name."""
    return db.execute(
        "SELECT terms.* FROM terms JOIN post_terms ON term_id = terms.id "
        "WHERE post_id = ? AND taxonomy = ? ORDER BY name, terms.id",
        (post_id, taxonomy),
    ).fetchall()


def user_by_slug(db: sqlite3.Connection, slug: str) -> Row | None:
    """Returns a user by the slug of the author archive."""
    return _one(db, "SELECT * FROM users WHERE slug = ?", slug)


def user_by_id(db: sqlite3.Connection, user_id: int) -> Row | None:
    """Returns a user by id."""
    return _one(db, "SELECT * FROM users WHERE id = ?", user_id)


def media_by_id(db: sqlite3.Connection, media_id: int) -> Row | None:
    """Returns an image by id."""
    return _one(db, "SELECT * FROM media WHERE id = ?", media_id)


def months(db: sqlite3.Connection) -> list[Row]:
    """Returns the months with posts, newest first, as rows of `month` (`2024-03`) and `count`."""
    return db.execute(
        f"SELECT substr(date, 1, 7) AS month, COUNT(*) AS count FROM posts WHERE {_PUBLIC} GROUP BY 1 ORDER BY 1 DESC"
    ).fetchall()


def comments(db: sqlite3.Connection, post_id: int, *, own: int | None = None) -> list[Row]:
    """Returns the approved comments of a post, oldest first.

    Args:
        db: The state.
        post_id: The post.
        own: A comment that is shown to its author although it awaits moderation.
    """
    return db.execute(
        "SELECT * FROM comments WHERE post_id = ? AND (status = 'approved' OR id = ?) ORDER BY date, id",
        (post_id, own),
    ).fetchall()


def recent_comments(db: sqlite3.Connection, count: int) -> list[Row]:
    """Returns the newest approved comments on published posts, with the post's `post_title` and `post_slug`."""
    return db.execute(
        "SELECT comments.*, posts.title AS post_title, posts.slug AS post_slug FROM comments "
        f"JOIN posts ON posts.id = post_id WHERE {_PUBLIC} AND comments.status = 'approved' "
        "ORDER BY comments.date DESC, comments.id DESC LIMIT ?",
        (count,),
    ).fetchall()


def comment_by_id(db: sqlite3.Connection, comment_id: int) -> Row | None:
    """Returns a comment by id."""
    return _one(db, "SELECT * FROM comments WHERE id = ?", comment_id)


def comment_count(db: sqlite3.Connection, post_id: int) -> int:
    """Returns the number of approved comments of a post."""
    row = db.execute("SELECT COUNT(*) FROM comments WHERE post_id = ? AND status = 'approved'", (post_id,)).fetchone()
    return int(row[0])


def moderation_hash(comment_id: int, email: str) -> str:
    """Returns the token that lets the author of a comment see it while it awaits moderation."""
    return hashlib.sha256(f"moderation:{comment_id}:{email}".encode()).hexdigest()[:32]


def is_duplicate_comment(db: sqlite3.Connection, post_id: int, name: str, email: str, content: str) -> bool:
    """Tells whether the same author has already said the same under the post."""
    return (
        db.execute(
            "SELECT 1 FROM comments WHERE post_id = ? AND content = ? AND (author_name = ? OR author_email = ?)",
            (post_id, content, name, email),
        ).fetchone()
        is not None
    )


def add_comment(
    db: sqlite3.Connection,
    now: datetime,
    *,
    post_id: int,
    content: str,
    name: str,
    email: str,
    url: str = "",
    parent: int = 0,
    user_id: int = 0,
) -> int:
    """Adds a comment and returns its id.

    It awaits moderation unless a user of the site wrote it or its author already has an approved comment, as with
    WordPress's default settings.
    """
    known = (
        user_id
        or db.execute(
            "SELECT 1 FROM comments WHERE author_name = ? AND author_email = ? AND status = 'approved'", (name, email)
        ).fetchone()
    )
    cursor = db.execute(
        "INSERT INTO comments (post_id, parent, author_name, author_email, author_url, content, status, user_id, date) "
        "VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (post_id, parent, name, email, url, content, "approved" if known else "hold", user_id, now.isoformat()),
    )
    return int(cursor.lastrowid or 0)


def _one(db: sqlite3.Connection, query: str, *values: object) -> Row | None:
    row: Row | None = db.execute(query, values).fetchone()
    return row


def _listing(
    db: sqlite3.Connection,
    where: str,
    values: Sequence[object],
    order: str,
    order_values: Sequence[object],
    page: int,
    per_page: int,
) -> Listing:
    total = int(db.execute(f"SELECT COUNT(*) FROM posts WHERE {where}", values).fetchone()[0])
    rows = db.execute(
        f"SELECT posts.* FROM posts WHERE {where} ORDER BY {order} LIMIT ? OFFSET ?",
        (*values, *order_values, per_page, (page - 1) * per_page),
    ).fetchall()
    return Listing(rows, total, page, -(-total // per_page))
