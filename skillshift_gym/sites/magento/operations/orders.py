"""Orders: cancel, hold, invoice, ship, refund, comment, change an address."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from .. import rows
from .refused import Refused

CARRIERS = {
    "custom": "Custom Value",
    "dhl": "DHL",
    "fedex": "Federal Express",
    "ups": "United Parcel Service",
    "usps": "United States Postal Service",
}
ADDRESS_FIELDS = ("firstname", "lastname", "company", "street", "city", "region", "postcode", "country_id", "telephone")
_REQUIRED = {
    "firstname": "First Name",
    "lastname": "Last Name",
    "street": "Street Address",
    "city": "City",
    "telephone": "Phone Number",
}


def order(db: sqlite3.Connection, order_id: int) -> sqlite3.Row:
    """Returns an order.

    Raises:
        Refused: There is none.
    """
    found = rows.get(db, "sales_order", order_id)
    if found is None:
        raise Refused("This order no longer exists.")
    return found


def allowed(row: Mapping[str, Any] | sqlite3.Row) -> frozenset[str]:
    """Returns what can be done to an order: of cancel, hold, unhold, invoice, ship, creditmemo, edit, reorder."""
    status, paid = row["status"], row["total_paid"]
    found = {
        "pending": {"cancel", "hold", "invoice", "ship", "edit"},
        "processing": {"hold", "creditmemo"},
        "complete": {"creditmemo"},
        "holded": {"unhold"},
    }.get(status, set())
    if status == "processing":
        found = found | ({"ship"} if paid else {"invoice"})
    return frozenset(found | {"reorder", "comment", "email"})


def cancel(db: sqlite3.Connection, order_id: int, now: datetime) -> None:
    """Cancels an order that is pending."""
    row = _require(db, order_id, "cancel", "You have not canceled the item.")
    db.execute("UPDATE sales_order_item SET qty_canceled = qty_ordered WHERE order_id = ?", (order_id,))
    _set_status(db, row, "canceled", "canceled", now)


def hold(db: sqlite3.Connection, order_id: int, now: datetime) -> None:
    """Puts an order on hold."""
    row = _require(db, order_id, "hold", "You have not put the order on hold.")
    rows.update(db, "sales_order", order_id, {"hold_before_status": row["status"]})
    _set_status(db, row, "holded", "holded", now)


def unhold(db: sqlite3.Connection, order_id: int, now: datetime) -> None:
    """Releases an order from hold."""
    row = _require(db, order_id, "unhold", "The order was not on hold.")
    status = row["hold_before_status"] or "pending"
    rows.update(db, "sales_order", order_id, {"hold_before_status": ""})
    _set_status(db, row, "new" if status == "pending" else status, status, now)


def invoice(db: sqlite3.Connection, order_id: int, now: datetime, comment: str = "") -> int:
    """Invoices everything that was ordered; returns the invoice's id."""
    row = _require(db, order_id, "invoice", "The order does not allow an invoice to be created.")
    key = rows.insert(
        db, "sales_invoice",
        {
            "increment_id": _next(db, "sales_invoice"), "order_id": order_id, "state": 2, "grand_total": row["grand_total"],
            "total_qty": row["total_qty_ordered"], "created_at": now.isoformat(),
        },
    )  # fmt: skip
    db.execute("UPDATE sales_order_item SET qty_invoiced = qty_ordered WHERE order_id = ?", (order_id,))
    rows.update(db, "sales_order", order_id, {"total_paid": row["grand_total"]})
    _go_on(db, order_id, now, comment)
    return key


def ship(
    db: sqlite3.Connection, order_id: int, now: datetime, tracks: Sequence[tuple[str, str, str]] = (), comment: str = ""
) -> int:
    """Ships everything that was ordered; returns the shipment's id.

    Args:
        db: The database.
        order_id: The order.
        now: The time.
        tracks: (carrier code, title, number) of each parcel.
        comment: A note for the history, empty for none.
    """
    row = _require(db, order_id, "ship", "Cannot do shipment for the order.")
    key = rows.insert(
        db, "sales_shipment",
        {
            "increment_id": _next(db, "sales_shipment"), "order_id": order_id, "total_qty": row["total_qty_ordered"],
            "created_at": now.isoformat(),
        },
    )  # fmt: skip
    db.execute("UPDATE sales_order_item SET qty_shipped = qty_ordered WHERE order_id = ?", (order_id,))
    for code, title, number in tracks:
        add_track(db, key, code, title, number, now)
    _go_on(db, order_id, now, comment)
    return key


def add_track(db: sqlite3.Connection, shipment_id: int, code: str, title: str, number: str, now: datetime) -> int:
    """Adds a tracking number to a shipment; returns its id."""
    shipment = rows.get(db, "sales_shipment", shipment_id)
    if shipment is None:
        raise Refused("This shipment no longer exists.")
    if not number.strip():
        raise Refused("Please enter a tracking number.")
    values = {
        "parent_id": shipment_id, "order_id": shipment["order_id"], "carrier_code": code if code in CARRIERS else "custom",
        "title": title.strip() or CARRIERS.get(code, ""), "track_number": number.strip(), "created_at": now.isoformat(),
    }  # fmt: skip
    return rows.insert(db, "sales_shipment_track", values)


def refund(db: sqlite3.Connection, order_id: int, now: datetime, comment: str = "") -> int:
    """Refunds everything that was paid, offline; returns the credit memo's id."""
    row = _require(db, order_id, "creditmemo", "Cannot create credit memo for the order.")
    key = rows.insert(
        db, "sales_creditmemo",
        {
            "increment_id": _next(db, "sales_creditmemo"), "order_id": order_id, "state": 2, "grand_total": row["total_paid"],
            "created_at": now.isoformat(),
        },
    )  # fmt: skip
    db.execute("UPDATE sales_order_item SET qty_refunded = qty_ordered WHERE order_id = ?", (order_id,))
    rows.update(db, "sales_order", order_id, {"total_refunded": row["total_paid"]})
    _set_status(db, row, "closed", "closed", now)
    if comment.strip():
        _note(db, order_id, "closed", comment, now)
    return key


def comment(
    db: sqlite3.Connection,
    order_id: int,
    now: datetime,
    text: str,
    status: str = "",
    *,
    notify: bool = False,
    visible: bool = False,
) -> None:
    """Adds a comment to an order's history; with `notify` it is e-mailed to the customer."""
    row = order(db, order_id)
    if not text.strip():
        raise Refused("Please enter a comment.")
    _note(db, order_id, status or row["status"], text.strip(), now, notify=notify, visible=visible)


def update_address(db: sqlite3.Connection, address_id: int, values: Mapping[str, str]) -> int:
    """Changes an order's address; returns the order's id."""
    row = rows.get(db, "sales_order_address", address_id)
    if row is None:
        raise Refused("This address no longer exists.")
    given = {name: values[name].strip() for name in ADDRESS_FIELDS if name in values}
    missing = [label for name, label in _REQUIRED.items() if name in given and not given[name]]
    if missing:
        raise Refused(f'"{missing[0]}" is a required value.')
    rows.update(db, "sales_order_address", address_id, given)
    return int(row["parent_id"])


def send_email(db: sqlite3.Connection, order_id: int, now: datetime) -> None:
    """E-mails the order confirmation again: nothing of the business changes."""
    order(db, order_id)
    rows.update(db, "sales_order", order_id, {"updated_at": now.isoformat()})


def _require(db: sqlite3.Connection, order_id: int, deed: str, refusal: str) -> sqlite3.Row:
    row = order(db, order_id)
    if deed not in allowed(row):
        raise Refused(refusal)
    return row


def _go_on(db: sqlite3.Connection, order_id: int, now: datetime, comment_text: str) -> None:
    """Brings an order to processing, or to complete when it is paid and shipped."""
    row = order(db, order_id)
    shipped = db.execute("SELECT COUNT(*) FROM sales_shipment WHERE order_id = ?", (order_id,)).fetchone()[0]
    status = "complete" if shipped and row["total_paid"] else "processing"
    _set_status(db, row, status, status, now)
    if comment_text.strip():
        _note(db, order_id, status, comment_text.strip(), now)


def _set_status(db: sqlite3.Connection, row: sqlite3.Row, state: str, status: str, now: datetime) -> None:
    rows.update(db, "sales_order", row["entity_id"], {"state": state, "status": status, "updated_at": now.isoformat()})


def _note(
    db: sqlite3.Connection,
    order_id: int,
    status: str,
    text: str,
    now: datetime,
    *,
    notify: bool = False,
    visible: bool = False,
) -> None:
    values = {
        "parent_id": order_id, "status": status, "comment": text, "is_customer_notified": int(notify),
        "is_visible_on_front": int(visible), "created_at": now.isoformat(),
    }  # fmt: skip
    rows.insert(db, "sales_order_status_history", values)


def _next(db: sqlite3.Connection, table: str) -> str:
    return f"{int(db.execute(f'SELECT MAX(increment_id) FROM {table}').fetchone()[0] or 0) + 1:09d}"
