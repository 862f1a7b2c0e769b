"""Reviews of products, by customers and guests."""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta

from ..draws import choice, number, sample
from .content import column, lists
from .rows import insert
from .schema import EPOCH

COUNT = 360


def add(db: sqlite3.Connection) -> None:
    """Adds the reviews, oldest first; most pending ones are recent."""
    products = [
        row[0] for row in db.execute("SELECT entity_id FROM catalog_product WHERE visibility = 4 ORDER BY entity_id")
    ]
    favourites = sample("reviewed", products, 110)
    customers = db.execute("SELECT entity_id, firstname FROM customer_entity ORDER BY entity_id").fetchall()
    start = datetime(2023, 1, 3, 8)
    span = int((EPOCH - start).total_seconds() // 60) - 600
    moments = sorted(number(f"review:{i}", span) for i in range(COUNT))
    for i, minutes in enumerate(moments):
        rating = (5, 5, 5, 4, 4, 4, 3, 3, 2, 1)[number(f"rating:{i}", 10)]
        title, detail = choice(f"text:{i}", lists("reviews")[str(rating)])
        customer = choice(f"reviewer:{i}", customers) if number(f"guest:{i}", 4) else None
        values = {
            "created_at": (start + timedelta(minutes=minutes)).isoformat(), "product_id": choice(f"of:{i}", favourites),
            "status_id": _status(i, rating), "customer_id": customer["entity_id"] if customer else 0,
            "nickname": customer["firstname"] if customer else choice(f"nick:{i}", column("reviews", "nicknames")),
            "title": title, "detail": detail.replace("{part}", choice(f"part:{i}", column("reviews", "parts"))), "rating": rating,
        }  # fmt: skip
        insert(db, "review", values)


def _status(place: int, rating: int) -> int:
    """Returns 2 (pending) for one in four of the newest, 3 (not approved) for some of the harsh ones, else 1."""
    if place > COUNT - 90 and number(f"pending:{place}", 4) == 0:
        return 2
    return 3 if rating <= 2 and number(f"refused:{place}", 6) == 0 else 1
