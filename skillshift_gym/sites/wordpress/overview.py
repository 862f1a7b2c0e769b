"""What every page shows, and what listings look up: facts about the whole blog, computed once per revision."""

from __future__ import annotations

import sqlite3
from collections import OrderedDict
from functools import cached_property

from markupsafe import Markup

from ..web import Call
from . import model, presenter
from .model import Row
from .presenter import Author, Entry, Month, Picture, Term

RECENT = 5
CLOUD_TAGS = 45
CLOUD_SIZES = 5
KEPT_REVISIONS = 16


class RecentComment:
    """An entry of the recent comments."""

    def __init__(self, row: Row) -> None:
        self.id: int = row["id"]
        self.author: str = row["author_name"]
        self.title: str = row["post_title"]
        self.url = f"/{row['post_slug']}/#comment-{row['id']}"
        self.iso: str = row["date"]
        self.date = presenter.long_date(row["date"])


class Overview:
    """The facts of one state.

    Attributes:
        title: Name of the site.
        tagline: What it says about itself.
        authors: Users by id.
        terms: Categories and tags by id.
        categories: Top-level categories by name; the others are their children.
        pictures: Images by the address they are served at.
        pages: Published pages in menu order.
        months: Months with posts, newest first.
        chromes: Version -> rendered parts that are equal on all pages.
    """

    def __init__(self, db: sqlite3.Connection) -> None:
        self.title = model.option(db, "blogname")
        self.tagline = model.option(db, "blogdescription")
        self.chromes: dict[str, dict[str, Markup]] = {}
        self.authors: dict[int, Author] = {r["id"]: presenter.author(r) for r in db.execute("SELECT * FROM users")}
        self._read_media(db)
        self._read_terms(db)
        self._comments: dict[int, int] = dict(
            db.execute("SELECT post_id, COUNT(*) FROM comments WHERE status = 'approved' GROUP BY 1").fetchall()
        )
        self.pages = self.entries(model.pages(db))
        self.months: list[Month] = [presenter.month(r) for r in model.months(db)]
        self.recent_posts = self.entries(model.recent_posts(db, RECENT))
        self.recent_comments = [RecentComment(r) for r in model.recent_comments(db, RECENT)]

    def entries(self, rows: list[Row]) -> list[Entry]:
        """Returns posts or pages as templates want them."""
        return [self.entry(row) for row in rows]

    def entry(self, row: Row) -> Entry:
        """Returns a post or page as templates want it."""
        post_id, terms = row["id"], self._terms_of.get(row["id"], ())
        return Entry(
            post_id,
            row["type"],
            row["title"],
            presenter.post_url(row),
            row["date"],
            presenter.long_date(row["date"]),
            presenter.excerpt(row),
            self.authors[row["author_id"]],
            tuple(t for t in terms if t.colour),
            tuple(t for t in terms if not t.colour),
            self._comments.get(post_id, 0),
            row["comment_status"] == "open",
            self._picture_of.get(row["featured_media"]),
        )

    @cached_property
    def cloud(self) -> list[tuple[Term, int]]:
        """The tags used most, by name, each with its size from 1 to `CLOUD_SIZES`."""
        used = sorted((t for t in self.tags if t.posts), key=lambda t: (-t.posts, t.name))[:CLOUD_TAGS]
        most = max((t.posts for t in used), default=1)
        least = min((t.posts for t in used), default=1)
        step = max(most - least, 1)
        return [(t, 1 + (CLOUD_SIZES - 1) * (t.posts - least) // step) for t in sorted(used, key=lambda t: t.name)]

    def _read_media(self, db: sqlite3.Connection) -> None:
        self._picture_of: dict[int, Picture] = {
            r["id"]: presenter.picture(r) for r in db.execute("SELECT * FROM media")
        }
        self.pictures = {p.url: p for p in self._picture_of.values()}

    def _read_terms(self, db: sqlite3.Connection) -> None:
        rows = db.execute("SELECT * FROM terms ORDER BY name, id").fetchall()
        posts = _posts_of_terms(db)
        self.categories: list[Term] = []
        tops = [r for r in rows if r["taxonomy"] == "category" and not r["parent"]]
        for colour, top in enumerate(tops, 1):
            base = f"/category/{top['slug']}/"
            below = [r for r in rows if r["parent"] == top["id"]]
            children = tuple(_term(r, f"{base}{r['slug']}/", posts, colour=colour) for r in below)
            self.categories.append(_term(top, base, posts, children, colour))
        self.tags: list[Term] = [_term(r, f"/tag/{r['slug']}/", posts) for r in rows if r["taxonomy"] == "post_tag"]
        children = tuple(child for top in self.categories for child in top.children)
        self.terms = {t.id: t for t in sorted([*self.categories, *children, *self.tags], key=lambda t: t.name)}
        self._terms_of: dict[int, tuple[Term, ...]] = {}
        for term_id, term in self.terms.items():
            for post_id in posts.get(term_id, ()):
                self._terms_of[post_id] = (*self._terms_of.get(post_id, ()), term)


_OVERVIEWS: OrderedDict[str, Overview] = OrderedDict()


def overview(call: Call) -> Overview:
    """Returns the overview of the state a call reads."""
    revision = call.site.revision
    found = _OVERVIEWS.get(revision)
    if found is None:
        found = _OVERVIEWS[revision] = Overview(call.db)
        while len(_OVERVIEWS) > KEPT_REVISIONS:
            _OVERVIEWS.popitem(last=False)
    return found


def _posts_of_terms(db: sqlite3.Connection) -> dict[int, set[int]]:
    """Returns term id -> ids of the published posts that bear it."""
    found: dict[int, set[int]] = {}
    # A subquery, because a join would read the posts themselves instead of their index.
    query = (
        "SELECT term_id, post_id FROM post_terms "
        "WHERE post_id IN (SELECT id FROM posts WHERE type = 'post' AND status = 'publish')"
    )
    for term_id, post_id in db.execute(query):
        found.setdefault(term_id, set()).add(post_id)
    return found


def _term(row: Row, url: str, posts: dict[int, set[int]], children: tuple[Term, ...] = (), colour: int = 0) -> Term:
    ids = (row["id"], *(child.id for child in children))
    count = len(set().union(*(posts.get(term_id, ()) for term_id in ids)))
    return Term(row["id"], row["name"], row["slug"], url, row["description"], count, children, colour)
