"""The blog's content as tasks read it: from the seeded database, not from its pages."""

from __future__ import annotations

import sqlite3
from dataclasses import dataclass
from functools import cache

from ...sites.wordpress import model, seed

PER_PAGE = model.POSTS_PER_PAGE


@dataclass(frozen=True)
class Term:
    """A category or tag.

    Attributes:
        slug: Slug of its archive.
        name: Name shown.
        parent: Name of the parent category, empty without one.
        path: Path of its archive.
        count: Published posts in its archive.
    """

    slug: str
    name: str
    parent: str
    path: str
    count: int


@dataclass(frozen=True)
class Post:
    """A published post.

    Attributes:
        id: Its id.
        slug: Slug of its address.
        title: Its title.
        date: ISO date of publication.
        author: Name of its author.
        categories: Names of its categories.
        tags: Names of its tags.
        motifs: What its images show.
        place: Position in the feed, 0 for the newest.
        comments: Approved comments.
        comment_status: `open` or `closed`.
    """

    id: int
    slug: str
    title: str
    date: str
    author: str
    categories: tuple[str, ...]
    tags: tuple[str, ...]
    motifs: tuple[str, ...]
    place: int
    comments: int
    comment_status: str

    @property
    def path(self) -> str:
        """Path of its address."""
        return f"/{self.slug}/"


def db() -> sqlite3.Connection:
    """Returns a read-only connection to the seeded blog."""
    return seed.image().connection


@cache
def posts() -> tuple[Post, ...]:
    """Returns all published posts, newest first."""
    rows = model.feed(db(), per_page=10**6).posts
    return tuple(_post(row, place) for place, row in enumerate(rows))


@cache
def categories() -> tuple[Term, ...]:
    """Returns the categories, by name."""
    rows = model.terms(db(), "category")
    by_id = {row["id"]: row for row in rows}
    found = []
    for row in rows:
        parent = by_id.get(row["parent"])
        path = f"/category/{parent['slug']}/{row['slug']}/" if parent else f"/category/{row['slug']}/"
        total = model.feed(db(), term=row["id"]).total
        found.append(Term(row["slug"], row["name"], parent["name"] if parent else "", path, total))
    return tuple(found)


@cache
def tags() -> tuple[Term, ...]:
    """Returns the tags, by name."""
    rows = model.terms(db(), "post_tag")
    return tuple(Term(r["slug"], r["name"], "", f"/tag/{r['slug']}/", r["count"]) for r in rows)


@cache
def months() -> tuple[tuple[str, int], ...]:
    """Returns (`2024-03`, number of posts), newest first."""
    return tuple((row["month"], row["count"]) for row in model.months(db()))


def posts_on(page: int) -> tuple[Post, ...]:
    """Returns the posts of a page of the feed, from 1."""
    return posts()[(page - 1) * PER_PAGE : page * PER_PAGE]


def _post(row: sqlite3.Row, place: int) -> Post:
    motifs = db().execute("SELECT motif FROM media WHERE post_id = ? ORDER BY id", (row["id"],))
    return Post(
        id=row["id"],
        slug=row["slug"],
        title=row["title"],
        date=row["date"][:10],
        author=model.user_by_id(db(), row["author_id"])["name"],  # type: ignore[index]
        categories=tuple(t["name"] for t in model.terms_of(db(), row["id"], "category")),
        tags=tuple(t["name"] for t in model.terms_of(db(), row["id"], "post_tag")),
        motifs=tuple(m[0] for m in motifs),
        place=place,
        comments=model.comment_count(db(), row["id"]),
        comment_status=row["comment_status"],
    )
