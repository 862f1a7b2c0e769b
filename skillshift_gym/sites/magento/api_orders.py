"""Orders: lists, cancel, hold, comments, addresses."""

from __future__ import annotations

from functools import partial
from typing import Any

from .api_errors import invalid_value
from .api_kinds import FLAG, INTEGER, TEXT
from .api_order_tables import ADDRESS, HISTORY, ITEM, ORDER, missing
from .api_request import Rest, table
from .api_resource import Json, sent
from .api_search import Filter, search
from .operations import orders
from .operations.refused import Refused
from .schema import ORDER_STATUS

_STATUS = TEXT._replace(options=ORDER_STATUS)


def get(rest: Rest, id: int) -> Json:
    """An order."""
    return ORDER.get(rest.db, id)


def item(rest: Rest, id: int) -> Json:
    """An item of an order."""
    return ITEM.get(rest.db, id)


def cancel(rest: Rest, id: int) -> bool:
    """Cancels an order; false when it cannot be canceled any more."""
    row = ORDER.row(rest.db, id)
    if "cancel" not in orders.allowed({**dict(row), "total_paid": row["total_paid"] or 0}):
        return False
    orders.cancel(rest.db, id, rest.now)
    return True


def act(rest: Rest, id: int, deed: Any, refusal: str = "") -> bool:
    """Holds, releases or e-mails an order."""
    ORDER.row(rest.db, id)
    try:
        deed(rest.db, id, rest.now)
    except Refused as error:
        raise Refused(refusal or str(error)) from None
    return True


def comments(rest: Rest, id: int) -> Json:
    """The comments of an order's history."""
    ORDER.row(rest.db, id)
    return search(rest, HISTORY, Filter("parent_id", str(id), "eq"))


def comment(rest: Rest, id: int) -> bool:
    """Adds a comment."""
    ORDER.row(rest.db, id)
    given = sent(
        rest.member("statusHistory"), comment=TEXT, status=_STATUS, is_customer_notified=FLAG, is_visible_on_front=FLAG
    )
    orders.comment(
        rest.db, id, rest.now, given.get("comment", ""), given.get("status", ""), notify=bool(given.get("is_customer_notified")),
        visible=bool(given.get("is_visible_on_front")),
    )  # fmt: skip
    return True


def status(rest: Rest, id: int) -> str:
    """The status of an order."""
    return str(ORDER.row(rest.db, id)["status"])


def save_address(rest: Rest, parent_id: int) -> Json:
    """Changes an order's address: the one whose `entity_id`, or else whose `address_type`, the body names."""
    ORDER.row(rest.db, parent_id)
    entity = rest.member("entity")
    named = sent(entity, entity_id=INTEGER, address_type=TEXT)
    column = "entity_id" if named.get("entity_id") else "address_type"
    found = [a for a in ADDRESS.select(rest.db, "parent_id = ?", (parent_id,)) if a[column] == named.get(column)]
    if not found:
        raise missing(parent_id) if column == "entity_id" else invalid_value(column, named.get(column))
    orders.update_address(rest.db, found[0]["entity_id"], ADDRESS.read(entity))
    return ADDRESS.get(rest.db, found[0]["entity_id"])


_TABLE: dict[str, Any] = {
    "GET /orders": partial(search, resource=ORDER),
    "GET /orders/items": partial(search, resource=ITEM),
    "GET /orders/items/<id>": item,
    "GET /orders/<id>": get,
    "POST /orders/<id>/cancel": cancel,
    "POST /orders/<id>/hold": partial(act, deed=orders.hold, refusal="A hold action is not available."),
    "POST /orders/<id>/unhold": partial(act, deed=orders.unhold, refusal="You cannot remove the hold."),
    "POST /orders/<id>/emails": partial(act, deed=orders.send_email),
    "GET /orders/<id>/comments": comments,
    "POST /orders/<id>/comments": comment,
    "GET /orders/<id>/statuses": status,
    "PUT /orders/<parent_id>": save_address,
}
ENDPOINTS = table("Magento_Sales::sales", _TABLE)
