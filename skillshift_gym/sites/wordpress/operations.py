"""What editors do to the blog: writes behind the REST API."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from typing import Any

from ..slugs import slugify
from . import model

_TRASHED = "__trashed"


def insert_post(db: sqlite3.Connection, values: Mapping[str, Any]) -> int:
    """Adds a post or page and returns its id; images and posts share one sequence of ids."""
    newest = "SELECT MAX(id) FROM (SELECT id FROM posts UNION ALL SELECT id FROM media)"
    post_id = int(db.execute(newest).fetchone()[0]) + 1
    slug = free_slug(db, values["type"], slugify(values.get("slug") or values["title"]) or str(post_id))
    return insert_row(db, "posts", {"id": post_id, **values, "slug": slug})


def insert_row(db: sqlite3.Connection, table: str, values: Mapping[str, Any]) -> int:
    """Adds a row and returns its id."""
    marks = ", ".join("?" * len(values))
    cursor = db.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", tuple(values.values()))
    return int(cursor.lastrowid or 0)


def update_row(db: sqlite3.Connection, table: str, key: int, values: Mapping[str, Any]) -> None:
    """Changes columns of a row."""
    if values:
        assignments = ", ".join(f"{column} = ?" for column in values)
        db.execute(f"UPDATE {table} SET {assignments} WHERE id = ?", (*values.values(), key))


def set_terms(db: sqlite3.Connection, post_id: int, taxonomy: str, terms: Sequence[int]) -> None:
    """Makes these the post's terms of a taxonomy; unknown ones are passed over, and no category means the default."""
    known = {row["id"] for row in model.terms(db, taxonomy)}
    wanted = [term for term in dict.fromkeys(terms) if term in known]
    if taxonomy == "category" and not wanted:
        wanted = [default_category(db)]
    present = [row["id"] for row in model.terms_of(db, post_id, taxonomy)]
    for term in present:
        if term not in wanted:
            db.execute("DELETE FROM post_terms WHERE post_id = ? AND term_id = ?", (post_id, term))
    for term in wanted:
        if term not in present:
            db.execute("INSERT INTO post_terms (post_id, term_id) VALUES (?, ?)", (post_id, term))


def trash_post(db: sqlite3.Connection, post: model.Row) -> None:
    """Moves a post to the trash, which frees its slug."""
    slug = free_slug(db, post["type"], post["slug"] + _TRASHED)
    update_row(db, "posts", post["id"], {"status": "trash", "slug": slug})


def slug_outside_trash(db: sqlite3.Connection, post: model.Row) -> str:
    """Returns the slug a post has when it comes back from the trash; its own when it was not there."""
    return free_slug(db, post["type"], post["slug"].removesuffix(_TRASHED), post["id"])


def delete_post(db: sqlite3.Connection, post_id: int) -> None:
    """Deletes a post with its comments; its images stay, its sub-pages move up."""
    parent = db.execute("SELECT parent FROM posts WHERE id = ?", (post_id,)).fetchone()[0]
    db.execute("DELETE FROM comments WHERE post_id = ?", (post_id,))
    db.execute("DELETE FROM post_terms WHERE post_id = ?", (post_id,))
    db.execute("UPDATE media SET post_id = 0 WHERE post_id = ?", (post_id,))
    db.execute("UPDATE posts SET parent = ? WHERE parent = ?", (parent, post_id))
    db.execute("DELETE FROM posts WHERE id = ?", (post_id,))


def free_slug(db: sqlite3.Connection, kind: str, slug: str, own: int = 0) -> str:
    """Returns the slug, numbered if a post or page has it already: they share one level of addresses.

    Args:
        db: The state.
        kind: `post` or `page`; for terms the taxonomy.
        slug: The slug wanted.
        own: Id of the row that may keep it.
    """
    query = "SELECT 1 FROM posts WHERE slug = ? AND id != ?"
    if kind not in ("post", "page"):
        query = f"SELECT 1 FROM terms WHERE taxonomy = '{kind}' AND slug = ? AND id != ?"
    candidate, suffix = slug, 1
    while db.execute(query, (candidate, own)).fetchone():
        suffix += 1
        candidate = f"{slug}-{suffix}"
    return candidate


def insert_term(db: sqlite3.Connection, values: Mapping[str, Any]) -> int:
    """Adds a category or tag and returns its id."""
    slug = free_slug(db, values["taxonomy"], slugify(values.get("slug") or values["name"]) or "term")
    return insert_row(db, "terms", {**values, "slug": slug})


def delete_term(db: sqlite3.Connection, term: model.Row) -> None:
    """Deletes a term; sub-categories move up, and posts left without a category get the default."""
    posts = [r[0] for r in db.execute("SELECT post_id FROM post_terms WHERE term_id = ?", (term["id"],))]
    db.execute("DELETE FROM post_terms WHERE term_id = ?", (term["id"],))
    db.execute("UPDATE terms SET parent = ? WHERE parent = ?", (term["parent"], term["id"]))
    db.execute("DELETE FROM terms WHERE id = ?", (term["id"],))
    if term["taxonomy"] == "category":
        for post_id in posts:
            left = [row["id"] for row in model.terms_of(db, post_id, "category")]
            set_terms(db, post_id, "category", left)


def default_category(db: sqlite3.Connection) -> int:
    """Returns the category of posts that have no other."""
    return int(model.option(db, "default_category"))


def delete_comment(db: sqlite3.Connection, comment: model.Row) -> None:
    """Deletes a comment; its answers move up."""
    db.execute("UPDATE comments SET parent = ? WHERE parent = ?", (comment["parent"], comment["id"]))
    db.execute("DELETE FROM comments WHERE id = ?", (comment["id"],))
