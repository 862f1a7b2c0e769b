"""Builds the seeded shop from the content files; everything drawn is drawn by keyed hash.

The administrator signs in as `admin` with the password `admin1234`; the REST API takes the same.
"""

from __future__ import annotations

import hashlib
import sqlite3
from functools import cache

from ..state import Image
from . import seed_catalog, seed_customers, seed_marketing, seed_orders, seed_reviews
from .schema import BUSINESS, SCHEMA

LOGIN, PASSWORD = "admin", "admin1234"


def password_hash(password: str) -> str:
    """Returns the stored form of an administrator's password."""
    return hashlib.sha256(password.encode()).hexdigest()


@cache
def image() -> Image:
    """Returns the seeded database."""
    db = sqlite3.connect(":memory:")
    db.row_factory = sqlite3.Row
    db.executescript(SCHEMA)
    db.execute(
        "INSERT INTO admin_user VALUES (1, ?, 'Astrid', 'Fern', 'astrid@fernmoor.example', ?)",
        (LOGIN, password_hash(PASSWORD)),
    )
    seed_catalog.add(db)
    seed_customers.add(db)
    seed_orders.add(db)
    seed_reviews.add(db)
    seed_marketing.add(db)
    return Image.of(db, BUSINESS)
