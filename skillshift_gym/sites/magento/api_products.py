"""Products, their stock and their variants."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from functools import partial
from typing import Any

from . import api_attributes
from .api_attributes import ATTRIBUTE_IDS, CHOSEN, OPTIONS, SET
from .api_errors import ApiError, invalid_type, no_entity, required
from .api_kinds import DECIMAL, FLAG, INTEGER, MONEY, TEXT, TIME, choice, whole
from .api_request import Rest, table
from .api_resource import Field, Json, Resource, custom, fields, sent
from .api_search import search
from .operations import entities, products
from .operations.refused import Refused
from .schema import DISABLED, ENABLED, PRODUCT_TYPE, TAX_CLASS, VISIBILITY

_PRICE = MONEY._replace(show=lambda value: f"{value / 100:.6f}")  # as custom attributes hold it
_FILED = "p.entity_id IN (SELECT product_id FROM catalog_category_product WHERE {})"
# What the contract's stock items have and the shop's do not.
_STOCK_RULES = {
    "is_qty_decimal": False, "show_default_notification_message": False, "use_config_min_qty": True, "use_config_min_sale_qty": 1,
    "min_sale_qty": 1, "use_config_max_sale_qty": True, "max_sale_qty": 10000, "use_config_backorders": True, "backorders": 0,
    "use_config_notify_stock_qty": True, "notify_stock_qty": 1, "use_config_qty_increments": True, "qty_increments": 0,
    "use_config_enable_qty_inc": True, "enable_qty_increments": False, "use_config_manage_stock": True, "low_stock_date": None,
    "is_decimal_divided": False, "stock_status_changed_auto": 0,
}  # fmt: skip


def missing(key: object) -> ApiError:
    """Returns the error of a product that does not exist."""
    return ApiError("The product that was requested doesn't exist. Verify the product and try again.", 404)


STOCK = Resource(
    "cataloginventory_stock_item",
    "product_id",
    (
        *fields(INTEGER, "item_id", "product_id", "stock_id=1"),
        *fields(INTEGER, "qty", "min_qty", sets=True),
        *fields(FLAG, "is_in_stock", "manage_stock", sets=True),
    ),
    missing,
    lambda db, row: _STOCK_RULES,
    ignored=" ".join(_STOCK_RULES),
)


def _more(db: sqlite3.Connection, row: Mapping[str, Any]) -> Json:
    """Returns the nested parts of a product."""
    query = (
        "SELECT l.category_id, c.position FROM catalog_category_product l JOIN catalog_category c ON c.entity_id = l.category_id "
        "WHERE l.product_id = ? ORDER BY 1"
    )
    links = [{"position": place, "category_id": str(key)} for key, place in db.execute(query, (row["id"],))]
    extension: Json = {"website_ids": [1], "category_links": links}
    if row["type_id"] == "configurable":
        extension |= _configuration(db, row["id"])
    return {
        "extension_attributes": extension, "product_links": [], "options": [], "media_gallery_entries": [], "tier_prices": [],
        "custom_attributes": [{"attribute_code": "category_ids", "value": [link["category_id"] for link in links]}],
    }  # fmt: skip


def _configuration(db: sqlite3.Connection, key: int) -> Json:
    children = products.variants(db, key)
    options = [
        {
            "id": key * 10 + place, "attribute_id": str(ATTRIBUTE_IDS[code]), "label": code.capitalize(), "position": place, "product_id": key,
            "values": [{"value_index": OPTIONS[code][v]} for v in dict.fromkeys(c[code] for c in children) if v in OPTIONS[code]],
        }
        for place, code in enumerate(("color", "size"))
    ]  # fmt: skip
    return {
        "configurable_product_options": options,
        "configurable_product_links": [child["entity_id"] for child in children],
    }


PRODUCT = Resource(
    "catalog_product p",
    "p.entity_id",
    (
        *fields(INTEGER, "id=p.entity_id"),
        Field("sku", "p.sku", TEXT, "sku"),
        Field("name", "p.name", TEXT, "name"),
        Field("attribute_set_id", "p.attribute_set", SET, "attribute_set"),
        Field("price", "p.price", MONEY, "price"),
        Field("status", "p.status", choice((ENABLED, DISABLED)), "status"),
        Field("visibility", "p.visibility", choice(VISIBILITY), "visibility"),
        Field("type_id", "p.type_id", TEXT._replace(options=PRODUCT_TYPE), "type_id"),
        *fields(TIME, "created_at=p.created_at", "updated_at=p.updated_at"),
        Field("weight", "p.weight", DECIMAL, "weight"),
        *fields(INTEGER, "entity_id=p.entity_id", place="hidden"),
        Field("category_id", "category_id", INTEGER, place="hidden", within=_FILED),
        Field("special_price", "p.special_price", _PRICE, "special_price", "custom"),
        Field("tax_class_id", "p.tax_class_id", choice(TAX_CLASS)._replace(show=str), "tax_class_id", "custom"),
        *(
            Field(name, f"p.{name}", TEXT, name, "custom")
            for name in (
                "url_key", "description", "short_description", "meta_title", "meta_description", "material", "kind",
            )
        ),
        *(Field(code, f"p.{code}", kind, code, "custom") for code, kind in CHOSEN.items()),
    ),
    missing,
    _more,
    ignored="product_links options media_gallery_entries tier_prices",
)  # fmt: skip


def find(db: sqlite3.Connection, sku: str) -> int:
    """Returns the id of a product.

    Raises:
        ApiError: There is none.
    """
    found = db.execute("SELECT entity_id FROM catalog_product WHERE sku = ?", (sku,)).fetchone()
    if found is None:
        raise missing(sku)
    return int(found[0])


def get(rest: Rest, sku: str) -> Json:
    """A product with its stock."""
    return _whole(rest, find(rest.db, sku))


def save(rest: Rest, sku: str = "") -> Json:
    """Adds a product, or changes the one with its SKU."""
    body = rest.member("product")
    sku = sku or sent(body, sku=TEXT).get("sku", "")
    if not sku:
        raise required("sku")
    values = {**PRODUCT.read(body), "sku": sku}
    extension = body.get("extension_attributes") or {}
    if not isinstance(extension, dict):
        raise invalid_type("extension_attributes", extension, "ProductExtensionInterface")
    levels = STOCK.read(extension["stock_item"]) if isinstance(extension.get("stock_item"), dict) else {}
    categories = _categories(rest, body, extension)
    row = rest.db.execute("SELECT entity_id FROM catalog_product WHERE sku = ?", (sku,)).fetchone()
    if row is None:
        return _whole(rest, products.create(rest.db, rest.now, values, levels, categories or ()))
    products.save(rest.db, row["entity_id"], rest.now, values, levels, categories)
    return _whole(rest, row["entity_id"])


def delete(rest: Rest, sku: str) -> bool:
    """Deletes a product."""
    products.delete(rest.db, [find(rest.db, sku)])
    return True


def children(rest: Rest, sku: str) -> list[Json]:
    """The variants of a product."""
    return PRODUCT.documents(rest.db, "p.parent_id = ?", find(rest.db, sku))


def stock(rest: Rest, sku: str) -> Json:
    """The stock of a product."""
    return STOCK.get(rest.db, find(rest.db, sku))


def save_stock(rest: Rest, sku: str, item_id: int | None = None) -> int:
    """Changes the stock of a product; returns the id of its stock item."""
    key = find(rest.db, sku)
    own = products.stock(rest.db, key)["item_id"]
    if item_id not in (None, own):
        raise ApiError('The stock item with the "%1" ID wasn\'t found. Verify the ID and try again.', 404, [item_id])
    products.save(rest.db, key, rest.now, {}, STOCK.read(rest.member("stockItem")))
    return int(own)


def _whole(rest: Rest, key: int) -> Json:
    found = PRODUCT.get(rest.db, key)
    return {
        **found,
        "extension_attributes": {**found["extension_attributes"], "stock_item": STOCK.get(rest.db, key)},
    }


def _categories(rest: Rest, body: Json, extension: Json) -> list[int] | None:
    """Returns the ids of the categories that a body gives, None when it gives none."""
    links = extension.get("category_links")
    sent = custom(body.get("custom_attributes")).get("category_ids") if links is None else links
    if sent is None:
        return None
    try:
        keys = [whole(link["category_id"] if isinstance(link, dict) else link) for link in sent]
    except (ValueError, TypeError, KeyError, OverflowError):
        raise invalid_type("category_links", sent, "CategoryLinkInterface[]") from None
    for key in keys:
        try:
            entities.entity(rest.db, "category", key)
        except Refused:
            raise no_entity("id", key) from None
    return keys


_PRODUCTS: dict[str, Any] = {
    "GET /products": partial(search, resource=PRODUCT),
    "POST /products": save,
    "GET /products/<sku>": get,
    "PUT /products/<sku>": save,
    "DELETE /products/<sku>": delete,
    "GET /configurable-products/<sku>/children": children,
}
_STOCK: dict[str, Any] = {
    "GET /stockItems/<sku>": stock,
    "PUT /stockItems/<sku>": save_stock,
    "PUT /products/<sku>/stockItems/<item_id>": save_stock,
}
ENDPOINTS = (
    *table("Magento_Catalog::products", _PRODUCTS),
    *table("Magento_CatalogInventory::cataloginventory", _STOCK),
    *api_attributes.ENDPOINTS,
)
