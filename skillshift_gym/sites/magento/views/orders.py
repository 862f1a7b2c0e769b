"""Orders with their invoices, shipments and credit memos."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import datetime
from functools import partial
from typing import Any

from ...protocol import Response
from ...web import Call
from .. import forms, grids, rows
from ..form_tables import FORMS
from ..operations import orders
from ..operations.refused import Refused
from ..schema import ORDER_STATUS
from . import listing
from .base import Missing, View, address, attempt, done, page, saying
from .listing import Listing

ORDERS = Listing(grids.ORDERS, "orders", ("Orders", "Orders"), open="orders.view")
INVOICES = Listing(grids.INVOICES, "invoices", ("Invoices", "Invoices"), open="invoices.view")
SHIPMENTS = Listing(grids.SHIPMENTS, "shipments", ("Shipments", "Shipments"), open="shipments.view")
CREDITMEMOS = Listing(grids.CREDITMEMOS, "creditmemos", ("Credit Memos", "Credit Memos"), open="creditmemos.view")
DOCUMENTS = {
    "invoices": ("sales_invoice", "Invoice"),
    "shipments": ("sales_shipment", "Shipment"),
    "creditmemos": ("sales_creditmemo", "Credit Memo"),
}
_ADDRESS = FORMS["order_address"]
_DEEDS: dict[str, tuple[Callable[[sqlite3.Connection, int, datetime], Any], tuple[str, str]]] = {
    "cancel": (orders.cancel, ("The order has been cancelled.", "You canceled the order.")),
    "hold": (orders.hold, ("The order has been put on hold.", "You put the order on hold.")),
    "unhold": (
        orders.unhold,
        ("The order has been released from holding status.", "You released the order from holding status."),
    ),
    "email": (orders.send_email, ("The order email has been sent.", "You sent the order email.")),
}
_MADE = {
    "invoice": ("The invoice has been created.", "The invoice has been created."),
    "ship": ("The shipment has been created.", "The shipment has been created."),
    "creditmemo": ("The credit memo has been created.", "You created the credit memo."),
}


def views() -> dict[str, View]:
    """Returns endpoint -> view."""
    found: dict[str, View] = {"orders.mass": partial(listing.act, listing=ORDERS)}
    for shown in (ORDERS, INVOICES, SHIPMENTS, CREDITMEMOS):
        found[f"{shown.prefix}.grid"] = partial(listing.listed, listing=shown)
    for name in DOCUMENTS:
        found[f"{name}.view"] = partial(document, kind=name)
    for deed in _DEEDS:
        found[f"orders.{deed}"] = partial(act, deed=deed)
    for kind in _MADE:
        found[f"orders.{kind}"] = partial(new_document, kind=kind)
        found[f"orders.{kind}Save"] = partial(create_document, kind=kind)
    return found | {
        "orders.view": view,
        "orders.reorder": reorder,
        "orders.addComment": add_comment,
        "orders.address": edit_address,
        "orders.addressSave": save_address,
        "shipments.addTrack": add_track,
    }


def view(call: Call, id: int) -> Response:
    """An order."""
    row = _order(call, id)
    title = f"Order # {row['increment_id']}" if call.site.version == "v1" else f"#{row['increment_id']}"
    return page(call, "order.html", title, **context(call, row))


def context(call: Call, row: sqlite3.Row) -> dict[str, Any]:
    """Returns everything that belongs to an order."""
    db, key = call.db, row["entity_id"]

    def of(table: str, column: str = "order_id", order: str = "rowid") -> list[sqlite3.Row]:
        return db.execute(f"SELECT * FROM {table} WHERE {column} = ? ORDER BY {order}", (key,)).fetchall()

    addresses = {a["address_type"]: a for a in of("sales_order_address", "parent_id")}
    return {
        "order": row,
        "addresses": addresses,
        "items": of("sales_order_item"),
        "history": of("sales_order_status_history", "parent_id", "entity_id DESC"),
        "invoices": of("sales_invoice"),
        "shipments": of("sales_shipment"),
        "tracks": of("sales_shipment_track"),
        "creditmemos": of("sales_creditmemo"),
        "allowed": orders.allowed(row),
        "group": grids.groups(db).get(row["customer_group_id"], ""),
        "statuses": ORDER_STATUS,
        "carriers": orders.CARRIERS,
    }


def act(call: Call, id: int, deed: str) -> Response:
    """Cancels, holds, releases or e-mails an order."""
    do, words = _DEEDS[deed]
    return attempt(
        call, lambda: do(call.db, id, call.now), success=(address(call, "orders.view", id=id), saying(call, *words))
    )


def reorder(call: Call, id: int) -> Response:
    """New orders are not placed here."""
    return done(
        call,
        address(call, "orders.view", id=id),
        "New orders are placed in the shop, not in this demonstration.",
        "notice",
    )


def add_comment(call: Call, id: int) -> Response:
    """Adds a comment to the history."""
    form = call.form

    def deed() -> None:
        orders.comment(
            call.db, id, call.now, form.get("history[comment]", ""), form.get("history[status]", ""),
            notify="history[is_customer_notified]" in form, visible="history[is_visible_on_front]" in form,
        )  # fmt: skip

    words = saying(call, "The order comment has been added.", "You added the comment.")
    return attempt(call, deed, success=(address(call, "orders.view", id=id), words))


def edit_address(call: Call, id: int) -> Response:
    """The form of an order's address."""
    row = rows.get(call.db, "sales_order_address", id)
    if row is None:
        raise Missing("This address no longer exists.", "orders.grid")
    kind = row["address_type"].capitalize()
    order = _order(call, row["parent_id"])
    title = f"Edit Order {order['increment_id']} {kind} Address"
    return page(
        call, "form.html", title, form=_ADDRESS, sections=forms.shown(call.db, _ADDRESS, call.site.version, dict(row)), row=row,
        action=address(call, "orders.addressSave", id=id), remove="", back=address(call, "orders.view", id=row["parent_id"]), prefix="orders",
    )  # fmt: skip


def save_address(call: Call, id: int) -> Response:
    """Saves an order's address."""
    row = rows.get(call.db, "sales_order_address", id)
    if row is None:
        raise Missing("This address no longer exists.", "orders.grid")

    def deed() -> int:
        return orders.update_address(call.db, id, forms.parse(_ADDRESS, call.site.version, call.form))

    words = _ADDRESS.saved[call.site.version == "v2"]
    return attempt(
        call,
        deed,
        success=(address(call, "orders.view", id=row["parent_id"]), words),
        failure=address(call, "orders.address", id=id),
    )


def new_document(call: Call, id: int, kind: str) -> Response:
    """The form of a new invoice, shipment or credit memo."""
    row = _order(call, id)
    if kind not in orders.allowed(row):
        return done(call, address(call, "orders.view", id=id), "The order does not allow this.", "error")
    titles = {
        "invoice": "New Invoice",
        "ship": "New Shipment",
        "creditmemo": "New Memo" if call.site.version == "v2" else "New Credit Memo",
    }
    title = f"{titles[kind]} for Order #{row['increment_id']}" if call.site.version == "v1" else titles[kind]
    return page(
        call,
        "order_document.html",
        title,
        kind=kind,
        action=address(call, f"orders.{kind}Save", id=id),
        **context(call, row),
    )


def create_document(call: Call, id: int, kind: str) -> Response:
    """Creates an invoice, a shipment or a credit memo of everything."""
    note = call.form.get("comment_text", "")

    def deed() -> int:
        if kind == "ship":
            return orders.ship(call.db, id, call.now, _tracks(call), note)
        return (orders.invoice if kind == "invoice" else orders.refund)(call.db, id, call.now, note)

    return attempt(
        call,
        deed,
        success=(address(call, "orders.view", id=id), saying(call, *_MADE[kind])),
        failure=address(call, f"orders.{kind}", id=id),
    )


def document(call: Call, id: int, kind: str) -> Response:
    """An invoice, a shipment or a credit memo."""
    table, name = DOCUMENTS[kind]
    row = rows.get(call.db, table, id)
    if row is None:
        raise Missing(f"This {name.lower()} no longer exists.", f"{kind}.grid")
    title = f"{name} #{row['increment_id']}" if call.site.version == "v1" else f"#{row['increment_id']}"
    return page(
        call, "document.html", title, kind=kind, name=name, document=row, **context(call, _order(call, row["order_id"]))
    )


def add_track(call: Call, id: int) -> Response:
    """Adds a tracking number to a shipment."""
    form = call.form

    def deed() -> int:
        return orders.add_track(
            call.db, id, form.get("carrier", ""), form.get("title", ""), form.get("number", ""), call.now
        )

    words = saying(call, "The tracking number has been added.", "You added the tracking number.")
    return attempt(call, deed, success=(address(call, "shipments.view", id=id), words))


def _tracks(call: Call) -> list[tuple[str, str, str]]:
    """Returns the tracking numbers that a form sent; lines without a number are passed over."""
    found = []
    for place in range(1, 6):
        code, title, number = (
            call.form.get(f"tracking[{place}][{part}]", "") for part in ("carrier_code", "title", "number")
        )
        if number.strip():
            found.append((code, title, number))
    return found


def _order(call: Call, id: int) -> sqlite3.Row:
    try:
        return orders.order(call.db, id)
    except Refused as refusal:
        raise Missing(str(refusal), "orders.grid") from None
