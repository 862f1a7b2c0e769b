"""Writing rows: the same few statements for every table."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Any


def insert(db: sqlite3.Connection, table: str, values: Mapping[str, Any]) -> int:
    """Adds a row and returns its key."""
    columns = ", ".join(values)
    marks = ", ".join("?" * len(values))
    return int(db.execute(f"INSERT INTO {table} ({columns}) VALUES ({marks})", tuple(values.values())).lastrowid or 0)


def update(db: sqlite3.Connection, table: str, key: int, values: Mapping[str, Any]) -> None:
    """Changes columns of the row with a key."""
    if values:
        assignments = ", ".join(f"{column} = ?" for column in values)
        db.execute(f"UPDATE {table} SET {assignments} WHERE rowid = ?", (*values.values(), key))


def delete(db: sqlite3.Connection, table: str, key: int) -> None:
    """Removes the row with a key."""
    db.execute(f"DELETE FROM {table} WHERE rowid = ?", (key,))


def get(db: sqlite3.Connection, table: str, key: int) -> sqlite3.Row | None:
    """Returns the row with a key, None when there is none."""
    row: sqlite3.Row | None = db.execute(f"SELECT * FROM {table} WHERE rowid = ?", (key,)).fetchone()
    return row
