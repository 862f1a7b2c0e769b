"""Documents of orders: the order itself, its items, addresses and history."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from typing import Any

from .api_errors import ApiError
from .api_kinds import INTEGER, LINES, TEXT, TIME, amount
from .api_resource import Json, Resource, amounts, fields

CURRENCIES = fields(
    TEXT, *(f"{name}_currency_code='USD'" for name in ("base", "global", "order", "store")), place="member"
)
_METHODS = {
    "Flat Rate - Fixed": "flatrate_flatrate",
    "Best Way - Table Rate": "tablerate_bestway",
    "Free Shipping - Free": "freeshipping_freeshipping",
}
_PAYMENTS = {
    "Check / Money order": "checkmo",
    "Bank Transfer Payment": "banktransfer",
    "Cash On Delivery": "cashondelivery",
}


def missing(key: object) -> ApiError:
    """Returns the error of an order or one of its documents that does not exist."""
    return ApiError("The entity that was requested doesn't exist. Verify the entity and try again.", 404)


def address_of(kind: str, order: str) -> str:
    """Returns the SQL of the id of an order's address."""
    return f"(SELECT a.entity_id FROM sales_order_address a WHERE a.parent_id = {order} AND a.address_type = '{kind}')"


ADDRESS = Resource(
    "sales_order_address",
    "entity_id",
    (
        *fields(INTEGER, "entity_id", "parent_id"),
        *fields(TEXT, "address_type", "email"),
        *fields(TEXT, "firstname", "lastname", "city", "region", "postcode", "country_id", "telephone", sets=True),
        *fields(TEXT, "company", sets=True),
        *fields(LINES, "street", sets=True),
    ),
    missing,
    ignored="customer_address_id customer_id fax middlename prefix region_code region_id suffix vat_id",
)
ITEM = Resource(
    "sales_order_item i",
    "i.item_id",
    (
        *fields(INTEGER, "item_id=i.item_id", "order_id=i.order_id", "product_id=i.product_id", "store_id=1", "is_virtual=0"),
        *fields(TEXT, "sku=i.sku", "name=i.name", "product_type='simple'"),
        *fields(INTEGER, *(f"qty_{deed}=i.qty_{deed}" for deed in ("ordered", "invoiced", "shipped", "refunded", "canceled"))),
        *amounts(
            "price=i.price", "original_price=i.price", "row_total=i.row_total", "tax_amount=i.tax_amount", "discount_amount=i.discount_amount",
            "row_invoiced=i.price * i.qty_invoiced", "amount_refunded=i.price * i.qty_refunded", "row_total_incl_tax=i.row_total + i.tax_amount",
        ),
        *fields(TIME, "created_at=(SELECT created_at FROM sales_order WHERE entity_id = i.order_id)"),
    ),
    missing,
)  # fmt: skip
HISTORY = Resource(
    "sales_order_status_history",
    "entity_id",
    (
        *fields(INTEGER, "entity_id", "parent_id", "is_customer_notified", "is_visible_on_front"),
        *fields(TEXT, "comment=NULLIF(comment, '')", "status", "entity_name='order'"),
        *fields(TIME, "created_at"),
    ),
    missing,
)


def _more(db: sqlite3.Connection, row: Mapping[str, Any]) -> Json:
    key = row["entity_id"]
    items = ITEM.documents(db, "i.order_id = ?", key)
    addresses = {a["address_type"]: a for a in ADDRESS.documents(db, "parent_id = ?", key)}
    shipping = {
        "address": addresses.get("shipping"), "method": _METHODS.get(row["shipping_description"], "flatrate_flatrate"),
        "total": {name: row[name] and amount(row[name]) for name in ("base_shipping_amount", "shipping_amount")},
    }  # fmt: skip
    return {
        "items": items,
        "billing_address": addresses.get("billing"),
        "payment": _payment(row),
        "status_histories": HISTORY.documents(db, "parent_id = ?", key)[::-1],
        "extension_attributes": {"shipping_assignments": [{"shipping": shipping, "items": items}]},
    }


def _payment(row: Mapping[str, Any]) -> Json:
    return {
        "account_status": None, "additional_information": [row["payment_method"]], "amount_ordered": amount(row["grand_total"]),
        "amount_paid": amount(row["total_paid"] or 0), "cc_last4": None, "entity_id": row["entity_id"],
        "method": _PAYMENTS.get(row["payment_method"], "checkmo"), "parent_id": row["entity_id"],
        "shipping_amount": amount(row["shipping_amount"]),
    }  # fmt: skip


ORDER = Resource(
    "sales_order o",
    "o.entity_id",
    (
        *amounts(
            "grand_total=o.grand_total", "subtotal=o.subtotal", "shipping_amount=o.shipping_amount", "discount_amount=-o.discount_amount",
            "tax_amount=o.tax_amount", "subtotal_incl_tax=o.subtotal + o.tax_amount", "shipping_incl_tax=o.shipping_amount",
            "total_paid=NULLIF(o.total_paid, 0)", "total_invoiced=NULLIF(o.total_paid, 0)", "total_refunded=NULLIF(o.total_refunded, 0)",
            "total_offline_refunded=NULLIF(o.total_refunded, 0)", "total_due=o.grand_total - o.total_paid",
            "total_canceled=CASE o.status WHEN 'canceled' THEN o.grand_total END",
        ),
        *CURRENCIES,
        *fields(
            INTEGER, "entity_id=o.entity_id", "customer_id=NULLIF(o.customer_id, 0)", "customer_group_id=o.customer_group_id",
            "customer_is_guest=o.customer_id = 0", "total_qty_ordered=o.total_qty_ordered", "store_id=1", "is_virtual=0",
            f"billing_address_id={address_of('billing', 'o.entity_id')}",
            "total_item_count=(SELECT COUNT(*) FROM sales_order_item i WHERE i.order_id = o.entity_id)",
        ),
        *fields(
            TEXT, "increment_id=o.increment_id", "state=o.state", "status=o.status", "coupon_code=NULLIF(o.coupon_code, '')",
            "customer_email=o.customer_email", "customer_firstname=o.customer_firstname", "customer_lastname=o.customer_lastname",
            "shipping_description=o.shipping_description", "hold_before_status=NULLIF(o.hold_before_status, '')",
            "store_name='Main Website\nMain Website Store\nDefault Store View'",
        ),
        *fields(TEXT, "payment_method=o.payment_method", place="hidden"),
        *fields(TIME, "created_at=o.created_at", "updated_at=o.updated_at"),
    ),
    missing,
    _more,
)  # fmt: skip
