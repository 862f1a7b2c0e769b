"""Builds the seeded blog from the content files.

The editor's application password for the REST API is `demo app pass word 0001 0001` (login `editor`); as in WordPress,
spaces do not count.
"""

from __future__ import annotations

import hashlib
import sqlite3
from functools import cache

from ..draws import number
from ..slugs import slugify
from ..state import Image
from . import discussion
from .content import Category, cells, lines, read, tables
from .press import Press
from .schema import BUSINESS, SCHEMA

LOGIN = "editor"
APPLICATION_PASSWORD = "demo app pass word 0001 0001"


def password_hash(password: str) -> str:
    """Returns the stored form of an application password."""
    return hashlib.sha256("".join(password.split()).encode()).hexdigest()


@cache
def image() -> Image:
    """Returns the seeded database."""
    db = sqlite3.connect(":memory:")
    db.executescript(SCHEMA)
    content = read()
    users = _add_users(db)
    _add_options(db)
    categories = _add_categories(db, content.categories)
    tags = _add_tags(db)
    published = Press(db, content, users, categories, tags).publish()
    discussion.add(db, content, published, users)
    return Image.of(db, BUSINESS)


def _add_users(db: sqlite3.Connection) -> dict[str, int]:
    users: dict[str, int] = {}
    for user_id, line in enumerate(lines("authors"), 1):
        key, login, name, slug, email, url, role, description = cells(line)
        row = (user_id, login, name, slug, email, url, description, role)
        db.execute("INSERT INTO users VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        users[key] = user_id
        if login == LOGIN:
            db.execute(
                "INSERT INTO application_passwords VALUES (1, ?, 'Desk', ?)",
                (user_id, password_hash(APPLICATION_PASSWORD)),
            )
    return users


def _add_options(db: sqlite3.Connection) -> None:
    rows = [cells(line) for line in tables("options")["options"]]
    db.executemany("INSERT INTO options (name, value) VALUES (?, ?)", rows)


def _add_categories(db: sqlite3.Connection, categories: list[Category]) -> dict[str, int]:
    ids: dict[str, int] = {}
    term_id = 1
    for c in categories:
        row = (term_id, "category", c.name, c.slug, c.description, ids.get(c.parent, 0))
        db.execute("INSERT INTO terms VALUES (?, ?, ?, ?, ?, ?)", row)
        ids[c.slug] = term_id
        term_id += 1 + number(c.slug, 3)
    return ids


def _add_tags(db: sqlite3.Connection) -> dict[str, int]:
    ids: dict[str, int] = {}
    term_id = 101
    for name in lines("tags"):
        slug = slugify(name)
        db.execute("INSERT INTO terms VALUES (?, 'post_tag', ?, ?, '', 0)", (term_id, name, slug))
        ids[slug] = term_id
        term_id += 1 + number(name, 3)
    return ids
