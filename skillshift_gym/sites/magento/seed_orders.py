"""Orders of eighteen months in all states, with their invoices, shipments and credit memos."""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta
from typing import Any

from ..draws import choice, number, sample
from ..slugs import slugify
from .content import lists
from .rows import insert, update
from .schema import EPOCH
from .seed_customers import address

COUNT = 332
TAX_PERCENT = 8
_START = datetime(2023, 1, 2, 6)
_SHIPPING = [("Flat Rate - Fixed", 500), ("Best Way - Table Rate", 1500), ("Free Shipping - Free", 0)]
_PAYMENT = ["Check / Money order", "Bank Transfer Payment", "Cash On Delivery"]
_CARRIERS = [("ups", "United Parcel Service"), ("usps", "United States Postal Service"), ("fedex", "Federal Express")]
_PLACED = ["street", "city", "region", "postcode", "country_id", "telephone", "company", "firstname", "lastname"]


def add(db: sqlite3.Connection) -> None:
    """Adds the orders, oldest first."""
    customers = db.execute(
        "SELECT c.*, a.street, a.city, a.region, a.postcode, a.country_id, a.telephone, a.company FROM customer_entity c "
        "JOIN customer_address a ON a.parent_id = c.entity_id AND a.default_billing = 1 ORDER BY c.entity_id"
    ).fetchall()
    goods = _goods(db)
    span = int((EPOCH - _START).total_seconds() // 60) - 900
    # More recent months are busier.
    minutes = sorted(
        max(number(f"order:{i}", span), number(f"again:{i}", span)) if i % 3 == 0 else number(f"order:{i}", span)
        for i in range(COUNT)
    )
    for place, offset in enumerate(minutes):
        created = _START + timedelta(minutes=offset)
        known = [c for c in customers if c["created_at"] < created.isoformat()]
        buyer = (
            _guest(place)
            if number(f"guest-order:{place}", 11) == 0
            else dict(choice(f"buyer:{place}", _regulars(known)))
        )
        _add_order(db, place, created, buyer, goods)


def _regulars(known: list[sqlite3.Row]) -> list[sqlite3.Row]:
    """Returns the customers, those who buy often more than once."""
    return [
        c
        for c in known
        for _ in range(1 + (number(f"loyal9:{c['email']}", 9) == 0) * 4 + number(f"keen:{c['email']}", 3))
    ]


def _guest(place: int) -> dict[str, Any]:
    name, _, city, region, postcode = choice(f"guest:{place}", lists("people")["guests"])
    return {
        **address(name, city, region, postcode), "entity_id": None, "email": f"{slugify(name)}@postlane.example", "group_id": 0,
    }  # fmt: skip


def _goods(db: sqlite3.Connection) -> list[sqlite3.Row]:
    """Returns the sellable items, popular products more than once."""
    rows = db.execute(
        "SELECT p.*, COALESCE(c.name, p.name) AS sold_as, COALESCE(p.parent_id, p.entity_id) AS product FROM catalog_product p "
        "LEFT JOIN catalog_product c ON c.entity_id = p.parent_id WHERE p.type_id = 'simple' AND p.status = 1 ORDER BY p.entity_id"
    ).fetchall()
    loved = set(sample("bestsellers", sorted({row["product"] for row in rows}), 36))
    return [row for row in rows for _ in range(_weight(row, loved))]


def _weight(row: sqlite3.Row, loved: set[int]) -> int:
    single = 1 if row["parent_id"] else 4
    return single * (1 + (3 + number(f"love:{row['product']}", 6) if row["product"] in loved else 0))


def _add_order(
    db: sqlite3.Connection, place: int, created: datetime, buyer: dict[str, Any], goods: list[sqlite3.Row]
) -> None:
    key = f"o{place}"
    lines = _lines(key, goods)
    shipping, cost = choice(f"ship:{key}", _SHIPPING)
    subtotal = sum(line["row_total"] for line in lines)
    coupon = choice(f"code:{key}", ["HELLO5", "CANDLE8", "TEAMFERN", "HUT7"]) if number(f"coupon:{key}", 7) == 0 else ""
    discount = {"HELLO5": 500, "CANDLE8": 800, "TEAMFERN": subtotal // 5, "HUT7": subtotal * 7 // 100}.get(coupon, 0)
    discount = min(discount, subtotal)
    tax = (subtotal - discount) * TAX_PERCENT // 100 if number(f"taxed:{key}", 3) else 0
    values = {
        "increment_id": f"{place + 1:09d}", "state": "new", "status": "pending", "created_at": created.isoformat(),
        "updated_at": created.isoformat(), "customer_id": buyer["entity_id"] if "is_active" in buyer else 0, "customer_email": buyer["email"],
        "customer_firstname": buyer["firstname"], "customer_lastname": buyer["lastname"], "customer_group_id": buyer["group_id"],
        "subtotal": subtotal, "shipping_amount": cost, "discount_amount": discount, "tax_amount": tax,
        "grand_total": subtotal + cost + tax - discount, "total_paid": 0, "total_refunded": 0,
        "total_qty_ordered": sum(line["qty_ordered"] for line in lines), "coupon_code": coupon, "shipping_description": shipping,
        "payment_method": choice(f"pay:{key}", _PAYMENT), "hold_before_status": "",
    }  # fmt: skip
    order = insert(db, "sales_order", values)
    for kind in ("billing", "shipping"):
        sent = {column: buyer[column] for column in _PLACED}
        insert(db, "sales_order_address", {**sent, "parent_id": order, "address_type": kind, "email": buyer["email"]})
    for line in lines:
        insert(
            db,
            "sales_order_item",
            {**line, "order_id": order, "tax_amount": line["row_total"] * TAX_PERCENT // 100 if tax else 0},
        )
    _settle(db, order, key, created, values)


def _lines(key: str, goods: list[sqlite3.Row]) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = []
    for item in sample(f"items:{key}", goods, 1 + number(f"lines:{key}", 4)):
        if any(line["sku"] == item["sku"] for line in found):
            continue
        qty = (1, 1, 1, 2, 3)[number(f"qty:{key}:{item['sku']}", 5)]
        options = f"Size: {item['size']}, Color: {item['color']}" if item["size"] else ""
        found.append(
            {
                "product_id": item["entity_id"], "sku": item["sku"], "name": item["sold_as"], "options": options,
                "price": item["price"], "qty_ordered": qty, "qty_invoiced": 0, "qty_shipped": 0, "qty_refunded": 0,
                "qty_canceled": 0, "row_total": qty * item["price"], "discount_amount": 0,
            }
        )  # fmt: skip
    return found


def _settle(db: sqlite3.Connection, order: int, key: str, created: datetime, values: dict[str, Any]) -> None:
    """Brings an order to the status it has today; about one in eight still waits."""
    drawn = number(f"fate:{key}", 100)
    if drawn < 13:
        _close(db, order, "canceled", "canceled", created, qty_canceled="qty_ordered")
    elif drawn < 19:
        _invoice(db, order, created, values)
        _refund(db, order, created, values)
    elif drawn < 23:
        update(db, "sales_order", order, {"state": "holded", "status": "holded", "hold_before_status": "pending"})
    elif drawn < 35:
        _invoice(db, order, created, values)
        _close(db, order, "processing", "processing", created)
    elif drawn >= 48:
        _invoice(db, order, created, values)
        _ship(db, order, key, created, values)
        _close(db, order, "complete", "complete", created)
    _note(db, order, "pending", "", created)


def _close(db: sqlite3.Connection, order: int, state: str, status: str, created: datetime, **items: str) -> None:
    later = (created + timedelta(days=2)).isoformat()
    update(db, "sales_order", order, {"state": state, "status": status, "updated_at": min(later, EPOCH.isoformat())})
    for column, value in items.items():
        db.execute(f"UPDATE sales_order_item SET {column} = {value} WHERE order_id = ?", (order,))


def _invoice(db: sqlite3.Connection, order: int, created: datetime, values: dict[str, Any]) -> None:
    number_ = f"{db.execute('SELECT COUNT(*) FROM sales_invoice').fetchone()[0] + 1:09d}"
    insert(
        db, "sales_invoice",
        {
            "increment_id": number_, "order_id": order, "state": 2, "grand_total": values["grand_total"],
            "total_qty": values["total_qty_ordered"], "created_at": (created + timedelta(hours=3)).isoformat(),
        },
    )  # fmt: skip
    update(db, "sales_order", order, {"total_paid": values["grand_total"]})
    db.execute("UPDATE sales_order_item SET qty_invoiced = qty_ordered WHERE order_id = ?", (order,))


def _ship(db: sqlite3.Connection, order: int, key: str, created: datetime, values: dict[str, Any]) -> None:
    number_ = f"{db.execute('SELECT COUNT(*) FROM sales_shipment').fetchone()[0] + 1:09d}"
    sent = (created + timedelta(hours=26)).isoformat()
    shipment = insert(
        db, "sales_shipment",
        {"increment_id": number_, "order_id": order, "total_qty": values["total_qty_ordered"], "created_at": sent},
    )  # fmt: skip
    db.execute("UPDATE sales_order_item SET qty_shipped = qty_ordered WHERE order_id = ?", (order,))
    if number(f"track:{key}", 3) == 0:
        code, title = choice(f"carrier:{key}", _CARRIERS)
        track = f"{code[:2].upper()}{number(f'number:{key}', 10**10):010d}"
        insert(
            db, "sales_shipment_track",
            {"parent_id": shipment, "order_id": order, "carrier_code": code, "title": title, "track_number": track, "created_at": sent},
        )  # fmt: skip


def _refund(db: sqlite3.Connection, order: int, created: datetime, values: dict[str, Any]) -> None:
    number_ = f"{db.execute('SELECT COUNT(*) FROM sales_creditmemo').fetchone()[0] + 1:09d}"
    insert(
        db, "sales_creditmemo",
        {
            "increment_id": number_, "order_id": order, "state": 2, "grand_total": values["grand_total"],
            "created_at": (created + timedelta(days=6)).isoformat(),
        },
    )  # fmt: skip
    update(db, "sales_order", order, {"total_refunded": values["grand_total"]})
    _close(db, order, "closed", "closed", created, qty_refunded="qty_ordered")


def _note(db: sqlite3.Connection, order: int, status: str, comment: str, created: datetime) -> None:
    values = {
        "parent_id": order, "status": status, "comment": comment, "is_customer_notified": 1, "is_visible_on_front": 0,
        "created_at": created.isoformat(),
    }  # fmt: skip
    insert(db, "sales_order_status_history", values)
