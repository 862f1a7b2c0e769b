"""Invoices, shipments with their tracking numbers, and credit memos.

The shop invoices, ships and refunds whole orders, so a request for some of the items, or for another amount, is refused.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from .api_errors import ApiError, invalid_type, required
from .api_kinds import INTEGER, MONEY, TEXT, TIME
from .api_order_tables import CURRENCIES, ITEM, ORDER, address_of, missing
from .api_request import Rest, table
from .api_resource import Json, Resource, amounts, fields, sent
from .api_search import search
from .operations import orders
from .operations.refused import Refused

TRACK = Resource(
    "sales_shipment_track",
    "entity_id",
    (
        *fields(INTEGER, "entity_id", "parent_id", "order_id"),
        *fields(TEXT, "carrier_code", "title", "track_number"),
        *fields(TIME, "created_at", "updated_at=created_at"),
    ),
    missing,
)
_SHARED = (
    *fields(
        INTEGER, "entity_id=d.entity_id", "order_id=d.order_id", "store_id=1", f"billing_address_id={address_of('billing', 'd.order_id')}",
        f"shipping_address_id={address_of('shipping', 'd.order_id')}",
    ),
    *fields(TEXT, "increment_id=d.increment_id"),
    *fields(TIME, "created_at=d.created_at", "updated_at=d.created_at"),
)  # fmt: skip
_MONEY = (
    *amounts(
        "grand_total=d.grand_total", "subtotal=o.subtotal", "shipping_amount=o.shipping_amount", "tax_amount=o.tax_amount",
        "discount_amount=-o.discount_amount", "subtotal_incl_tax=o.subtotal + o.tax_amount",
    ),
    *CURRENCIES,
    *fields(INTEGER, "state=d.state"),
)  # fmt: skip
_SHIPPED = ("sku", "name", "product_id", "price", "row_total")
_BILLED = (*_SHIPPED, "base_price", "base_row_total", "tax_amount")


def _items(db: sqlite3.Connection, row: Mapping[str, Any], qty: str, members: tuple[str, ...] = _BILLED) -> Json:
    items = [
        {
            "entity_id": i["item_id"],
            "parent_id": row["entity_id"],
            "order_item_id": i["item_id"],
            "qty": i[qty],
            **{name: i.get(name) for name in members},
        }
        for i in ITEM.documents(db, "i.order_id = ?", row["order_id"])
    ]
    return {"items": items, "comments": []}


def _shipment(db: sqlite3.Connection, row: Mapping[str, Any]) -> Json:
    tracks = TRACK.documents(db, "parent_id = ?", row["entity_id"])
    return {**_items(db, row, "qty_shipped", _SHIPPED), "tracks": tracks, "packages": []}


def _invoiced(db: sqlite3.Connection, row: Mapping[str, Any]) -> Json:
    return _items(db, row, "qty_invoiced")


def _refunded(db: sqlite3.Connection, row: Mapping[str, Any]) -> Json:
    return _items(db, row, "qty_refunded")


def _resource(
    table: str, own: tuple[Any, ...], more: Callable[[sqlite3.Connection, Mapping[str, Any]], Json]
) -> Resource:
    source = f"{table} d JOIN sales_order o ON o.entity_id = d.order_id"
    return Resource(source, "d.entity_id", (*_SHARED, *own), missing, more)


_QTY = fields(INTEGER, "total_qty=d.total_qty")
INVOICE = _resource("sales_invoice", (*_MONEY, *_QTY), _invoiced)
SHIPMENT = _resource("sales_shipment", (*_QTY, *fields(INTEGER, "customer_id=NULLIF(o.customer_id, 0)")), _shipment)
CREDITMEMO = _resource("sales_creditmemo", _MONEY, _refunded)


def get(rest: Rest, id: int, resource: Resource) -> Json:
    """A document."""
    return resource.get(rest.db, id)


def create(rest: Rest, id: int, name: str, deed: Callable[..., int]) -> int:
    """Creates a document of a whole order; returns its id."""
    order = ORDER.row(rest.db, id)
    _require_whole(rest, order)
    words = rest.body.get("comment") or {}
    note = sent(words, comment=TEXT).get("comment", "") if isinstance(words, dict) else ""
    extra = {"tracks": _tracks(rest)} if deed is orders.ship else {}
    try:
        return deed(rest.db, id, rest.now, comment=note, **extra)
    except Refused as refusal:
        raise Refused(f"{name} Document Validation Error(s):\n{refusal}") from None


def add_track(rest: Rest) -> Json:
    """Adds a tracking number to a shipment."""
    entity = rest.member("entity")
    given = sent(entity, parent_id=INTEGER, carrier_code=TEXT, title=TEXT, track_number=TEXT)
    if "parent_id" not in given:
        raise required("parent_id")
    SHIPMENT.row(rest.db, given["parent_id"])
    code, title, number = (given.get(name, "") for name in ("carrier_code", "title", "track_number"))
    return TRACK.get(rest.db, orders.add_track(rest.db, given["parent_id"], code, title, number, rest.now))


def _tracks(rest: Rest) -> list[tuple[str, str, str]]:
    tracks = rest.body.get("tracks") or []
    if not isinstance(tracks, list) or not all(isinstance(track, dict) for track in tracks):
        raise invalid_type("tracks", tracks, "ShipmentTrackCreationInterface[]")
    parts = ("carrier_code", "title", "track_number")
    given = [sent(track, **dict.fromkeys(parts, TEXT)) for track in tracks]
    return [(t.get(parts[0], ""), t.get(parts[1], ""), t.get(parts[2], "")) for t in given]


def _require_whole(rest: Rest, order: sqlite3.Row) -> None:
    """Refuses a request for less than the order, or for other amounts."""
    items, arguments = rest.body.get("items") or [], rest.body.get("arguments") or {}
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise invalid_type("items", items, "array")
    asked = [sent(item, order_item_id=INTEGER, qty=INTEGER) for item in items]
    ordered = {i["item_id"]: i["qty_ordered"] for i in ITEM.select(rest.db, "i.order_id = ?", (order["entity_id"],))}
    if asked and {a.get("order_item_id"): a.get("qty") for a in asked} != ordered:
        raise ApiError("The shop invoices, ships and refunds whole orders only.")
    asked_amounts = sent(
        arguments if isinstance(arguments, dict) else {}, shipping_amount=MONEY, adjustment_positive=MONEY, adjustment_negative=MONEY
    )  # fmt: skip
    expected = {"shipping_amount": order["shipping_amount"], "adjustment_positive": 0, "adjustment_negative": 0}
    if any(value not in (None, expected[name]) for name, value in asked_amounts.items()):
        raise ApiError("The shop refunds what was paid, without adjustments.")


_INVOICES: dict[str, Any] = {
    "GET /invoices": partial(search, resource=INVOICE),
    "GET /invoices/<id>": partial(get, resource=INVOICE),
    "POST /order/<id>/invoice": partial(create, name="Invoice", deed=orders.invoice),
}
_SHIPMENTS: dict[str, Any] = {
    "GET /shipments": partial(search, resource=SHIPMENT),
    "GET /shipment/<id>": partial(get, resource=SHIPMENT),
    "POST /shipment/track": add_track,
    "POST /order/<id>/ship": partial(create, name="Shipment", deed=orders.ship),
}
_CREDITMEMOS: dict[str, Any] = {
    "GET /creditmemos": partial(search, resource=CREDITMEMO),
    "GET /creditmemo/<id>": partial(get, resource=CREDITMEMO),
    "POST /order/<id>/refund": partial(create, name="Creditmemo", deed=orders.refund),
}
ENDPOINTS = (
    *table("Magento_Sales::sales_invoice", _INVOICES),
    *table("Magento_Sales::shipment", _SHIPMENTS),
    *table("Magento_Sales::sales_creditmemo", _CREDITMEMOS),
)
