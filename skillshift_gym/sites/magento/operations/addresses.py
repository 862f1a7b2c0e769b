"""Addresses of customers: of those of one customer, at most one is the default of a kind."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from . import entities

DEFAULTS = ("default_billing", "default_shipping")


def create(db: sqlite3.Connection, owner: int, values: Mapping[str, Any], now: datetime) -> int:
    """Adds an address to a customer; returns its id."""
    key = entities.create(db, "address", {**values, "parent_id": owner}, now)
    _only_default(db, owner, key, values)
    return key


def save(db: sqlite3.Connection, key: int, values: Mapping[str, Any], now: datetime) -> int:
    """Changes an address; returns the customer's id."""
    owner = int(entities.entity(db, "address", key)["parent_id"])
    entities.save(db, "address", key, values, now)
    _only_default(db, owner, key, values)
    return owner


def _only_default(db: sqlite3.Connection, owner: int, key: int, values: Mapping[str, Any]) -> None:
    """Takes the default from the customer's other addresses."""
    for column in DEFAULTS:
        if values.get(column):
            db.execute(
                f"UPDATE customer_address SET {column} = 0 WHERE parent_id = ? AND entity_id != ? AND {column} = 1",
                (owner, key),
            )
