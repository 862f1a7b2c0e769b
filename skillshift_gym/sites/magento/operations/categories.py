"""Categories: a new one goes to the end of its parent's."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from . import entities


def create(db: sqlite3.Connection, parent_id: int, values: Mapping[str, Any], now: datetime) -> int:
    """Adds a category below another one; returns its id."""
    parent = entities.entity(db, "category", parent_id)
    count = db.execute("SELECT COUNT(*) FROM catalog_category WHERE parent_id = ?", (parent_id,)).fetchone()[0]
    own = {"parent_id": parent_id, "level": parent["level"] + 1, "position": count + 1}
    return entities.create(db, "category", {**values, **own}, now)
