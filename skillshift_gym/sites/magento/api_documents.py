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
from .api_orders import sent
from .api_request import Endpoint, Rest
from .api_resource import Json, Resource, amounts, fields
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
_ITEM_MEMBERS = ("sku", "name", "product_id", "price", "base_price", "row_total", "base_row_total", "tax_amount")


def _items(db: sqlite3.Connection, row: Mapping[str, Any], qty: str) -> Json:
    items = [
        {
            "entity_id": i["item_id"],
            "parent_id": row["entity_id"],
            "order_item_id": i["item_id"],
            "qty": i[qty],
            **{name: i[name] for name in _ITEM_MEMBERS},
        }
        for i in ITEM.documents(db, "i.order_id = ?", row["order_id"])
    ]
    return {"items": items, "comments": []}


def _shipment(db: sqlite3.Connection, row: Mapping[str, Any]) -> Json:
    tracks = TRACK.documents(db, "parent_id = ?", row["entity_id"])
    return {**_items(db, row, "qty_shipped"), "tracks": tracks, "packages": []}


def _invoiced(db: sqlite3.Connection, row: Mapping[str, Any]) -> Json:
    return _items(db, row, "qty_invoiced")


def _refunded(db: sqlite3.Connection, row: Mapping[str, Any]) -> Json:
    return _items(db, row, "qty_refunded")


def _resource(table: str, own: tuple[Any, ...], more: Callable[[sqlite3.Connection, Mapping[str, Any]], Json]) -> Resource:
    source = f"{table} d JOIN sales_order o ON o.entity_id = d.order_id"
    return Resource(source, "d.entity_id", (*_SHARED, *own), missing, more)


_QTY = fields(INTEGER, "total_qty=d.total_qty")
INVOICE = _resource("sales_invoice", (*_MONEY, *_QTY), _invoiced)
SHIPMENT = _resource(
    "sales_shipment", (*_QTY, *fields(INTEGER, "customer_id=NULLIF(o.customer_id, 0)")), _shipment
)
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
    amounts_ = sent(
        arguments if isinstance(arguments, dict) else {}, shipping_amount=MONEY, adjustment_positive=MONEY, adjustment_negative=MONEY
    )  # fmt: skip
    expected = {"shipping_amount": order["shipping_amount"], "adjustment_positive": 0, "adjustment_negative": 0}
    if any(value not in (None, expected[name]) for name, value in amounts_.items()):
        raise ApiError("The shop refunds what was paid, without adjustments.")


_INVOICE, _SHIPMENT, _CREDITMEMO = (f"Magento_Sales::{n}" for n in ("sales_invoice", "shipment", "sales_creditmemo"))
_TABLE: dict[tuple[str, str], Any] = {
    ("GET /invoices", _INVOICE): partial(search, resource=INVOICE),
    ("GET /invoices/<id>", _INVOICE): partial(get, resource=INVOICE),
    ("GET /shipments", _SHIPMENT): partial(search, resource=SHIPMENT),
    ("GET /shipment/<id>", _SHIPMENT): partial(get, resource=SHIPMENT),
    ("POST /shipment/track", _SHIPMENT): add_track,
    ("GET /creditmemos", _CREDITMEMO): partial(search, resource=CREDITMEMO),
    ("GET /creditmemo/<id>", _CREDITMEMO): partial(get, resource=CREDITMEMO),
    ("POST /order/<id>/invoice", _INVOICE): partial(create, name="Invoice", deed=orders.invoice),
    ("POST /order/<id>/ship", _SHIPMENT): partial(create, name="Shipment", deed=orders.ship),
    ("POST /order/<id>/refund", _CREDITMEMO): partial(create, name="Creditmemo", deed=orders.refund),
}
ENDPOINTS = tuple(Endpoint(*key.split(" "), permission, do) for (key, permission), do in _TABLE.items())
