"""Customers with their addresses, and customer groups."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from functools import partial
from typing import Any

from .api_crud import Crud, endpoints, save
from .api_errors import invalid_type, no_entity
from .api_kinds import DAY, FLAG, INTEGER, LINES, TEXT, TIME, choice
from .api_request import Rest, table
from .api_resource import Field, Json, Resource, fields, sent
from .operations import addresses, entities

_PERMISSION = "Magento_Customer::manage"


def _region(value: Any) -> str:
    region = value.get("region") if isinstance(value, dict) else value
    if region is not None and not isinstance(region, str):
        raise ValueError
    return region or ""


# Regions are objects in the addresses of customers.
_REGION = TEXT._replace(
    expected="RegionInterface", read=_region, show=lambda name: {"region_code": name, "region": name, "region_id": 0}
)
ADDRESS = Resource(
    "customer_address",
    "entity_id",
    (
        *fields(INTEGER, "id=entity_id", "customer_id=parent_id"),
        Field("region", "region", _REGION, "region"),
        *fields(TEXT, "country_id", sets=True),
        *fields(LINES, "street", sets=True),
        *fields(TEXT, "company", "telephone", "postcode", "city", "firstname", "lastname", sets=True),
        *fields(FLAG, *addresses.DEFAULTS, sets=True),
    ),
    lambda key: no_entity("addressId", key),
    ignored="region_id fax middlename prefix suffix vat_id",
)


def _default(kind: str) -> str:
    return f"(SELECT CAST(a.entity_id AS TEXT) FROM customer_address a WHERE a.parent_id = c.entity_id AND a.default_{kind} = 1)"


def _more(db: sqlite3.Connection, row: Mapping[str, Any]) -> Json:
    query = "SELECT 1 FROM newsletter_subscriber WHERE customer_id = ? AND subscriber_status = 1"
    subscribed = db.execute(query, (row["id"],)).fetchone() is not None
    shown = ADDRESS.documents(db, "parent_id = ?", row["id"])
    for address in shown:
        for name in addresses.DEFAULTS:
            if not address[name]:
                del address[name]  # Magento only names those that are
    return {"addresses": shown, "extension_attributes": {"is_subscribed": subscribed}}


CUSTOMER = Resource(
    "customer_entity c",
    "c.entity_id",
    (
        *fields(INTEGER, "id=c.entity_id"),
        Field("group_id", "c.group_id", INTEGER, "group_id"),
        *fields(TEXT, f"default_billing={_default('billing')}", f"default_shipping={_default('shipping')}"),
        *fields(TIME, "created_at=c.created_at", "updated_at=c.updated_at"),
        *fields(TEXT, "created_in='Default Store View'"),
        Field("dob", "NULLIF(c.dob, '')", DAY, "dob"),
        *(Field(name, f"c.{name}", TEXT, name) for name in ("email", "firstname", "lastname")),
        Field("gender", "c.gender", choice(range(4)), "gender"),
        *fields(INTEGER, "store_id=1", "website_id=1", "disable_auto_group_change=0"),
        *fields(INTEGER, "entity_id=c.entity_id", place="hidden"),
    ),
    lambda key: no_entity("customerId", key),
    _more,
    ignored="addresses confirmation middlename prefix suffix taxvat",
)
GROUP = Resource(
    "customer_group",
    "customer_group_id",
    (
        *fields(INTEGER, "id=customer_group_id"),
        Field("code", "customer_group_code", TEXT, "customer_group_code"),
        Field("tax_class_id", "tax_class_id", choice((3,)), "tax_class_id"),
        *fields(TEXT, "tax_class_name='Retail Customer'"),
    ),
    lambda key: no_entity("id", key),
)


def _complete(rest: Rest, body: Json, values: Json, id: int | None) -> Json:
    if "group_id" in values:
        GROUP.row(rest.db, values["group_id"])
    return values


CUSTOMERS = Crud("/customers", "customer", "id", _PERMISSION, "customer", CUSTOMER, _complete)
GROUPS = Crud("/customerGroups", "group", "id", "Magento_Customer::group", "group", GROUP)


def save_customer(rest: Rest, id: int | None = None) -> Json:
    """Adds or changes a customer; addresses that are sent replace those that were."""
    key: int = save(rest, CUSTOMERS, id)["id"]
    given = rest.member("customer").get("addresses")
    if given is not None:
        _save_addresses(rest, key, given)
    return CUSTOMER.get(rest.db, key)


def address(rest: Rest, id: int) -> Json:
    """An address."""
    return ADDRESS.get(rest.db, id)


def delete_address(rest: Rest, id: int) -> bool:
    """Deletes an address."""
    ADDRESS.row(rest.db, id)
    entities.delete(rest.db, "address", [id])
    return True


def default(rest: Rest, id: int, kind: str) -> Json | None:
    """The default billing or shipping address of a customer, null without one."""
    CUSTOMER.row(rest.db, id)
    found = ADDRESS.documents(rest.db, f"parent_id = ? AND default_{kind} = 1", id)
    return found[0] if found else None


def _save_addresses(rest: Rest, owner: int, given: Any) -> None:
    if not isinstance(given, list) or not all(isinstance(item, dict) for item in given):
        raise invalid_type("addresses", given, "AddressInterface[]")
    present = {row["id"] for row in ADDRESS.select(rest.db, "parent_id = ?", (owner,))}
    named = [sent(item, id=INTEGER).get("id") or None for item in given]
    kept = {key for key in named if key is not None}
    if kept - present:
        raise no_entity("addressId", min(kept - present))
    entities.delete(rest.db, "address", sorted(present - kept))
    for item, address_id in zip(given, named, strict=True):
        values = ADDRESS.read(item)
        if address_id is not None:
            addresses.save(rest.db, address_id, values, rest.now)
        else:
            addresses.create(rest.db, owner, values, rest.now)


_OWN: dict[str, Any] = {
    "POST /customers": save_customer,
    "PUT /customers/<id>": save_customer,
    "GET /customers/addresses/<id>": address,
    "GET /customers/<id>/billingAddress": partial(default, kind="billing"),
    "GET /customers/<id>/shippingAddress": partial(default, kind="shipping"),
    "DELETE /addresses/<id>": delete_address,
}
ENDPOINTS = (
    *(e for e in endpoints(CUSTOMERS) if f"{e.method} {e.path}" not in _OWN),
    *table(_PERMISSION, _OWN),
    *endpoints(GROUPS),
)
