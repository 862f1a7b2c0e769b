"""Categories and the products in them."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from functools import partial
from typing import Any

from .api_errors import ApiError, no_entity, required
from .api_kinds import FLAG, INTEGER, TEXT
from .api_products import find
from .api_request import Rest, table
from .api_resource import Field, Json, Resource, fields, sent
from .api_search import search
from .operations import categories, entities, products
from .operations.refused import Refused
from .schema import EPOCH

_ROOT = 2
_DEPTH = 100


def _missing(key: object) -> ApiError:
    return no_entity("id", key)


def _more(db: sqlite3.Connection, row: Mapping[str, Any]) -> Json:
    below = db.execute("SELECT entity_id FROM catalog_category WHERE parent_id = ? ORDER BY position", (row["id"],))
    path = [row["id"]]
    while path[0] and len(path) < _DEPTH:
        above = db.execute("SELECT parent_id FROM catalog_category WHERE entity_id = ?", (path[0],)).fetchone()
        path.insert(0, above["parent_id"] if above else 0)
    stamp = EPOCH.isoformat(" ")
    return {
        "children": ",".join(str(r["entity_id"]) for r in below), "created_at": stamp, "updated_at": stamp,
        "path": "/".join(map(str, path[1:])), "available_sort_by": [],
    }  # fmt: skip


CATEGORY = Resource(
    "catalog_category",
    "entity_id",
    (
        *fields(INTEGER, "id=entity_id"),
        *fields(INTEGER, "parent_id"),
        *fields(TEXT, "name", sets=True),
        *fields(FLAG, "is_active", "include_in_menu", sets=True),
        *fields(INTEGER, "position", sets=True),
        *fields(INTEGER, "level"),
        *fields(INTEGER, "entity_id", place="hidden"),
        Field("url_key", "url_key", TEXT, "url_key", "custom"),
        Field("description", "description", TEXT, "description", "custom"),
    ),
    _missing,
    _more,
    ignored="children created_at updated_at path available_sort_by",
)


def tree(rest: Rest) -> Json:
    """The tree of categories below `rootCategoryId`, `depth` levels of it."""
    root, depth = rest.number("rootCategoryId", _ROOT), rest.number("depth", _DEPTH)
    query = "SELECT category_id, COUNT(*) FROM catalog_category_product GROUP BY 1"
    counts = dict(rest.db.execute(query).fetchall())
    children: dict[int, list[sqlite3.Row]] = {}
    for row in CATEGORY.select(rest.db, tail="ORDER BY position, entity_id"):
        children.setdefault(row["parent_id"], []).append(row)

    def node(row: sqlite3.Row, left: int) -> Json:
        below = [node(child, left - 1) for child in children.get(row["id"], ())] if left else []
        own = {name: row[name] for name in ("id", "parent_id", "name", "is_active", "position", "level")}
        own["is_active"] = bool(own["is_active"])
        return {**own, "product_count": counts.get(row["id"], 0), "children_data": below}

    return node(CATEGORY.row(rest.db, root), min(depth, _DEPTH))


def get(rest: Rest, id: int) -> Json:
    """A category."""
    return CATEGORY.get(rest.db, id)


def create(rest: Rest) -> Json:
    """Adds a category below its `parent_id`, at the end."""
    body = rest.member("category")
    named = sent(body, id=INTEGER, parent_id=INTEGER)
    if named.get("id"):
        return save(rest, named["id"])
    parent = CATEGORY.row(rest.db, named.get("parent_id", _ROOT))["id"]
    return CATEGORY.get(rest.db, categories.create(rest.db, parent, CATEGORY.read(body), rest.now))


def save(rest: Rest, id: int) -> Json:
    """Changes a category."""
    CATEGORY.row(rest.db, id)
    entities.save(rest.db, "category", id, CATEGORY.read(rest.member("category")), rest.now)
    return CATEGORY.get(rest.db, id)


def delete(rest: Rest, id: int) -> bool:
    """Deletes a category."""
    CATEGORY.row(rest.db, id)
    try:
        entities.delete(rest.db, "category", [id])
    except Refused:
        raise ApiError("Cannot delete category with id %1", 400, [id]) from None
    return True


def listed(rest: Rest, id: int) -> list[Json]:
    """The products of a category."""
    CATEGORY.row(rest.db, id)
    query = (
        "SELECT p.sku FROM catalog_category_product l JOIN catalog_product p ON p.entity_id = l.product_id "
        "WHERE l.category_id = ? ORDER BY l.id"
    )
    return [
        {"sku": row["sku"], "position": place, "category_id": str(id)}
        for place, row in enumerate(rest.db.execute(query, (id,)))
    ]


def add(rest: Rest, id: int) -> bool:
    """Files a product under a category."""
    CATEGORY.row(rest.db, id)
    sku = rest.member("productLink").get("sku")
    if not isinstance(sku, str):
        raise required("sku")
    key = find(rest.db, sku)
    products.set_categories(rest.db, key, [*products.categories_of(rest.db, key), id])
    return True


def remove(rest: Rest, id: int, sku: str) -> bool:
    """Takes a product out of a category."""
    CATEGORY.row(rest.db, id)
    key = find(rest.db, sku)
    present = products.categories_of(rest.db, key)
    if id not in present:
        raise ApiError("The category doesn't contain the specified product.")
    products.set_categories(rest.db, key, [category for category in present if category != id])
    return True


_TABLE: dict[str, Any] = {
    "GET /categories": tree,
    "POST /categories": create,
    "GET /categories/list": partial(search, resource=CATEGORY),
    "GET /categories/<id>": get,
    "PUT /categories/<id>": save,
    "DELETE /categories/<id>": delete,
    "GET /categories/<id>/products": listed,
    "POST /categories/<id>/products": add,
    "PUT /categories/<id>/products": add,
    "DELETE /categories/<id>/products/<sku>": remove,
}
ENDPOINTS = table("Magento_Catalog::categories", _TABLE)
