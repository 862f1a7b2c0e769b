"""Actions on the selected rows of a grid."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from .operations import entities, orders, products
from .operations.refused import Refused
from .schema import REVIEW_STATUS

Act = Callable[[sqlite3.Connection, Sequence[int], str, datetime], int]


class MassAction(NamedTuple):
    """An action on selected rows.

    Attributes:
        key: Its name in forms.
        v1: Its caption in version 1.9.
        v2: Its caption in version 2.4.
        act: Carries it out on the ids with the chosen value; returns how many rows it concerned.
        done: What the administrator reads, with a slot for the number.
        choices: Value -> label, where a further choice belongs to it.
    """

    key: str
    v1: str
    v2: str
    act: Act
    done: str
    choices: Mapping[str, str] = {}

    def caption(self, version: str) -> str:
        """Returns its caption in a version."""
        return self.v1 if version == "v1" else self.v2


def _each(deed: Callable[[sqlite3.Connection, int, datetime], None]) -> Act:
    """Returns an act on each order that allows it; when none does, it is refused."""

    def act(db: sqlite3.Connection, keys: Sequence[int], value: str, now: datetime) -> int:
        count = 0
        for key in keys:
            try:
                deed(db, key, now)
            except Refused:
                continue
            count += 1
        if not count:
            raise Refused("No selected order allows this.")
        return count

    return act


def _delete(name: str) -> Act:
    return lambda db, keys, value, now: entities.delete(db, name, keys)


def _set(name: str, column: str) -> Act:
    def act(db: sqlite3.Connection, keys: Sequence[int], value: str, now: datetime) -> int:
        if not value.isdecimal():
            raise Refused("Please choose a value.")
        for key in keys:
            entities.save(db, name, key, {column: int(value)}, now)
        return len(keys)

    return act


def _status(db: sqlite3.Connection, keys: Sequence[int], value: str, now: datetime) -> int:
    if value not in ("1", "2"):
        raise Refused("Please choose a status.")
    return products.set_status(db, keys, int(value), now)


_TOTAL = "Total of {0} record(s) have been {1}."


def _total(done: str) -> str:
    return _TOTAL.format("{0}", done)


def _switch(name: str) -> tuple[MassAction, ...]:
    """Returns delete, disable and enable."""
    return (
        MassAction("delete", "Delete", "Delete", _delete(name), _total("deleted")),
        MassAction(
            "disable",
            "Disable",
            "Disable",
            lambda db, k, v, n: _set(name, "is_active")(db, k, "0", n),
            _total("disabled"),
        ),
        MassAction(
            "enable", "Enable", "Enable", lambda db, k, v, n: _set(name, "is_active")(db, k, "1", n), _total("enabled")
        ),
    )


MASS: dict[str, tuple[MassAction, ...]] = {
    "orders": (
        MassAction("cancel_order", "Cancel", "Cancel", _each(orders.cancel), "We canceled {0} order(s)."),
        MassAction("hold_order", "Hold", "Hold", _each(orders.hold), "You have put {0} order(s) on hold."),
        MassAction("unhold_order", "Unhold", "Unhold", _each(orders.unhold), "{0} order(s) have been released from on hold status."),
    ),
    "products": (
        MassAction("delete", "Delete", "Delete", lambda db, k, v, n: products.delete(db, k), "A total of {0} record(s) have been deleted."),
        MassAction("status", "Change status", "Change status", _status, "A total of {0} record(s) have been updated.", {"1": "Enabled", "2": "Disabled"}),
        MassAction("attributes", "Update Attributes", "Update attributes", lambda db, k, v, n: len(k), ""),
    ),
    "customers": (
        MassAction("delete", "Delete", "Delete", _delete("customer"), _total("deleted")),
        MassAction("group", "Assign a Customer Group", "Assign a Customer Group", _set("customer", "group_id"), _total("updated"), {"1": "General", "2": "Wholesale", "3": "Retailer"}),
    ),
    "reviews": (
        MassAction("delete", "Delete", "Delete", _delete("review"), _total("deleted")),
        MassAction("update_status", "Update Status", "Update Status", _set("review", "status_id"), "A total of {0} record(s) have been updated.", {str(k): v for k, v in REVIEW_STATUS.items()}),
    ),
    "pages": _switch("cms_page"),
    "blocks": _switch("cms_block"),
    "searchterms": (MassAction("delete", "Delete", "Delete", _delete("searchterm"), "Total of {0} record(s) were deleted."),),
    "subscribers": (
        MassAction("unsubscribe", "Unsubscribe", "Unsubscribe", lambda db, k, v, n: _set("subscriber", "subscriber_status")(db, k, "3", n), "A total of {0} record(s) were updated."),
        MassAction("delete", "Delete", "Delete", _delete("subscriber"), "Total of {0} record(s) were deleted."),
    ),
}  # fmt: skip
