"""Products: save, variants, stock, status, categories."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from ...slugs import slugify
from .. import rows
from ..schema import DISABLED, ENABLED
from .refused import Refused

# What a form may set; money in cents, keys of options as numbers.
FIELDS = (
    "sku", "name", "price", "special_price", "weight", "status", "visibility", "tax_class_id", "description", "short_description",
    "url_key", "meta_title", "meta_description", "manufacturer", "kind", "material", "color", "size",
)  # fmt: skip
STOCK_FIELDS = ("qty", "is_in_stock", "manage_stock", "min_qty")
_BLANK: dict[str, Any] = {
    "type_id": "simple", "attribute_set": "Clothing", "special_price": None, "weight": "", "status": ENABLED, "visibility": 4,
    "tax_class_id": 2, "description": "", "short_description": "", "url_key": "", "meta_title": "", "meta_description": "",
    "manufacturer": "", "kind": "", "material": "", "color": "", "size": "", "parent_id": None,
}  # fmt: skip


def product(db: sqlite3.Connection, product_id: int) -> sqlite3.Row:
    """Returns a product.

    Raises:
        Refused: There is none.
    """
    found = rows.get(db, "catalog_product", product_id)
    if found is None:
        raise Refused("This product no longer exists.")
    return found


def stock(db: sqlite3.Connection, product_id: int) -> sqlite3.Row:
    """Returns a product's stock."""
    found: sqlite3.Row = db.execute(
        "SELECT * FROM cataloginventory_stock_item WHERE product_id = ?", (product_id,)
    ).fetchone()
    return found


def create(
    db: sqlite3.Connection,
    now: datetime,
    values: Mapping[str, Any],
    levels: Mapping[str, int] | None = None,
    categories: Iterable[int] = (),
) -> int:
    """Adds a product and returns its id.

    Args:
        db: The database.
        now: The time.
        values: Some of `FIELDS`, `type_id`, `attribute_set` and `parent_id`.
        levels: Some of `STOCK_FIELDS`.
        categories: Ids of its categories.
    """
    given = {**_BLANK, **values}
    _require(db, given, None)
    given["url_key"] = given["url_key"] or slugify(given["name"])
    stamp = now.isoformat()
    key = rows.insert(db, "catalog_product", {**given, "created_at": stamp, "updated_at": stamp})
    managed = given["type_id"] == "simple"
    base = {"qty": 0, "is_in_stock": int(not managed), "manage_stock": int(managed), "min_qty": 0}
    rows.insert(db, "cataloginventory_stock_item", {"product_id": key, **base, **(levels or {})})
    set_categories(db, key, categories)
    return key


def save(
    db: sqlite3.Connection, product_id: int, now: datetime, values: Mapping[str, Any], levels: Mapping[str, int] | None = None,
    categories: Iterable[int] | None = None,
) -> None:  # fmt: skip
    """Changes a product; what is not given stays. A row that is saved unchanged stays unchanged."""
    row = product(db, product_id)
    _require(db, {**dict(row), **values}, product_id)
    changed = {name: value for name, value in values.items() if name in FIELDS and row[name] != value}
    if changed:
        rows.update(db, "catalog_product", product_id, {**changed, "updated_at": now.isoformat()})
    if levels:
        rows.update(db, "cataloginventory_stock_item", stock(db, product_id)["item_id"], dict(levels))
    if categories is not None:
        set_categories(db, product_id, categories)


def set_categories(db: sqlite3.Connection, product_id: int, categories: Iterable[int]) -> None:
    """Makes these the product's categories."""
    wanted = {c for c in categories if rows.get(db, "catalog_category", c) is not None}
    present = {
        r["category_id"]: r["id"]
        for r in db.execute("SELECT * FROM catalog_category_product WHERE product_id = ?", (product_id,))
    }
    for category, key in present.items():
        if category not in wanted:
            rows.delete(db, "catalog_category_product", key)
    for category in sorted(wanted - set(present)):
        rows.insert(db, "catalog_category_product", {"category_id": category, "product_id": product_id})


def categories_of(db: sqlite3.Connection, product_id: int) -> list[int]:
    """Returns the ids of a product's categories."""
    found = db.execute(
        "SELECT category_id FROM catalog_category_product WHERE product_id = ? ORDER BY category_id", (product_id,)
    )
    return [row["category_id"] for row in found]


def variants(db: sqlite3.Connection, product_id: int) -> list[sqlite3.Row]:
    """Returns the simple products of a configurable one, with their stock."""
    return db.execute(
        "SELECT p.*, t.qty, t.is_in_stock FROM catalog_product p JOIN cataloginventory_stock_item t ON t.product_id = p.entity_id "
        "WHERE p.parent_id = ? ORDER BY p.entity_id", (product_id,),
    ).fetchall()  # fmt: skip


def add_variants(
    db: sqlite3.Connection, product_id: int, now: datetime, colors: Sequence[str], sizes: Sequence[str], qty: int = 0
) -> int:
    """Adds every missing combination of colours and sizes to a configurable product; returns how many."""
    parent = product(db, product_id)
    if parent["type_id"] != "configurable":
        raise Refused("Only a configurable product has variants.")
    present = {(row["color"], row["size"]) for row in variants(db, product_id)}
    missing = [(color, size) for color in colors for size in sizes if (color, size) not in present]
    for color, size in missing:
        values = {
            name: parent[name]
            for name in FIELDS
            if name not in ("sku", "name", "url_key", "color", "size", "visibility")
        }
        values |= {
            "sku": f"{parent['sku']}-{size}-{color}", "name": f"{parent['name']}-{size}-{color}", "color": color, "size": size,
            "visibility": 1, "parent_id": product_id, "attribute_set": parent["attribute_set"],
            "url_key": slugify(f"{parent['name']} {size} {color}"),
        }  # fmt: skip
        create(db, now, values, {"qty": qty, "is_in_stock": int(qty > 0)})
    return len(missing)


def set_status(db: sqlite3.Connection, product_ids: Iterable[int], status: int, now: datetime) -> int:
    """Enables or disables products; returns how many there were."""
    if status not in (ENABLED, DISABLED):
        raise Refused("Please choose a status.")
    count = 0
    for product_id in product_ids:
        save(db, product_id, now, {"status": status})
        count += 1
    return count


def update_many(
    db: sqlite3.Connection,
    product_ids: Iterable[int],
    now: datetime,
    values: Mapping[str, Any],
    levels: Mapping[str, int],
) -> int:
    """Gives several products the same values; returns how many there were."""
    count = 0
    for product_id in product_ids:
        save(db, product_id, now, values, levels)
        count += 1
    return count


def delete(db: sqlite3.Connection, product_ids: Iterable[int]) -> int:
    """Deletes products with their stock and categories; returns how many there were."""
    count = 0
    for product_id in product_ids:
        if rows.get(db, "catalog_product", product_id) is None:
            continue
        db.execute("DELETE FROM cataloginventory_stock_item WHERE product_id = ?", (product_id,))
        db.execute("DELETE FROM catalog_category_product WHERE product_id = ?", (product_id,))
        db.execute("DELETE FROM review WHERE product_id = ?", (product_id,))
        db.execute("UPDATE catalog_product SET parent_id = NULL WHERE parent_id = ?", (product_id,))
        rows.delete(db, "catalog_product", product_id)
        count += 1
    return count


def _require(db: sqlite3.Connection, values: Mapping[str, Any], own: int | None) -> None:
    for name, label in (("name", "Name"), ("sku", "SKU")):
        if not str(values.get(name) or "").strip():
            raise Refused(f'The "{label}" attribute value is empty. Set the attribute and try again.')
    if values.get("price") is None or values["price"] < 0:
        raise Refused("Please enter a valid price.")
    twin = db.execute("SELECT entity_id FROM catalog_product WHERE sku = ?", (values["sku"],)).fetchone()
    if twin is not None and twin["entity_id"] != own:
        raise Refused("The value specified in the SKU field is not unique.")
