"""Cart price rules and their coupons.

In the contract a coupon is an entity of its own; in the shop it is a column of its rule, so a coupon has its rule's id.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from functools import partial
from typing import Any

from .api_crud import Crud, endpoints
from .api_errors import ApiError, no_entity, required
from .api_kinds import DAY, FLAG, IDS, INTEGER, MONEY, TEXT, coded
from .api_request import Rest, table
from .api_resource import Field, Json, Resource, fields, sent
from .api_search import search
from .operations import entities
from .schema import ACTIONS

_PERMISSION = "Magento_SalesRule::quote"
_NO_COUPON, _SPECIFIC = 1, 2
_COMBINE = "Magento\\SalesRule\\Model\\Rule\\Condition\\"


def _more(db: sqlite3.Connection, row: Mapping[str, Any]) -> Json:
    combined: Json = {"conditions": [], "aggregator_type": "all", "operator": None, "value": "1"}
    return {
        "store_labels": [], "condition": {"condition_type": f"{_COMBINE}Combine", **combined},
        "action_condition": {"condition_type": f"{_COMBINE}Product\\Combine", **combined}, "product_ids": [],
        "is_advanced": True, "is_rss": False, "use_auto_generation": False,
    }  # fmt: skip


RULE = Resource(
    "salesrule",
    "rule_id",
    (
        *fields(INTEGER, "rule_id"),
        *fields(TEXT, "name", "description", sets=True),
        *fields(IDS, "website_ids", "customer_group_ids", sets=True),
        *(Field(name, f"NULLIF({name}, '')", DAY, name) for name in ("from_date", "to_date")),
        *fields(INTEGER, "uses_per_customer", "sort_order", "discount_step", "uses_per_coupon", sets=True),
        *fields(FLAG, "is_active", "stop_rules_processing", "apply_to_shipping", sets=True),
        *fields(TEXT._replace(options=ACTIONS), "simple_action", sets=True),
        *fields(MONEY._replace(blank=0), "discount_amount", sets=True),
        *fields(INTEGER, "discount_qty", sets=True),
        *fields(INTEGER, "times_used"),
        *fields(coded({_NO_COUPON: "NO_COUPON", _SPECIFIC: "SPECIFIC_COUPON"}), "coupon_type", sets=True),
        *fields(coded({0: "0", 1: "1"}), "simple_free_shipping", sets=True),
    ),
    lambda key: no_entity("rule_id", key),
    _more,
    ignored="store_labels condition action_condition product_ids is_advanced is_rss use_auto_generation",
)
COUPON = Resource(
    "(SELECT * FROM salesrule WHERE coupon_code != '')",
    "rule_id",
    (
        *fields(INTEGER, "coupon_id=rule_id", "rule_id"),
        *fields(TEXT, "code=coupon_code"),
        *fields(INTEGER, "usage_limit=uses_per_coupon", "usage_per_customer=uses_per_customer", "times_used", "type=0"),
        *fields(DAY, "expiration_date=NULLIF(to_date, '')"),
        *fields(FLAG, "is_primary=1"),
    ),
    lambda key: no_entity("coupon_id", key),
)


def _complete(rest: Rest, body: Json, values: Json, id: int | None) -> Json:
    """Refuses conditions, which the shop keeps in words, and groups that do not exist; empties a code without a type."""
    for name in ("condition", "action_condition"):
        asked = body.get(name)
        if isinstance(asked, dict) and asked.get("conditions"):
            raise ApiError("The shop keeps the conditions of a rule in words: %1 has to be empty.", 400, [name])
    for key in values.get("customer_group_ids", "").split(","):
        if (
            key
            and rest.db.execute("SELECT 1 FROM customer_group WHERE customer_group_id = ?", (key,)).fetchone() is None
        ):
            raise no_entity("customer_group_ids", int(key))
    return values | ({"coupon_code": ""} if values.get("coupon_type") == _NO_COUPON else {})


RULES = Crud("/salesRules", "rule", "rule_id", _PERMISSION, "salesrule", RULE, _complete)


def coupon(rest: Rest, id: int) -> Json:
    """A coupon."""
    return COUPON.get(rest.db, id)


def save_coupon(rest: Rest, id: int | None = None) -> Json:
    """Gives a rule its coupon code, or changes it."""
    given = sent(rest.member("coupon"), rule_id=INTEGER, code=TEXT)
    code = given.get("code", "").strip()
    rule = given.get("rule_id") if id is None else COUPON.row(rest.db, id)["rule_id"]
    if not code or rule is None:
        raise required("rule_id" if code else "code")
    row = RULE.row(rest.db, rule)
    if row["coupon_type"] != _SPECIFIC:
        raise ApiError("Specified rule does not allow coupons")
    taken = rest.db.execute("SELECT rule_id FROM salesrule WHERE coupon_code = ? COLLATE NOCASE", (code,)).fetchone()
    if taken is not None and taken["rule_id"] != rule:
        raise ApiError("Coupon with the same code already exists.")
    entities.save(rest.db, "salesrule", rule, {"coupon_code": code}, rest.now)
    return COUPON.get(rest.db, rule)


def delete_coupon(rest: Rest, id: int) -> bool:
    """Takes a rule's coupon code away."""
    entities.save(rest.db, "salesrule", COUPON.row(rest.db, id)["rule_id"], {"coupon_code": ""}, rest.now)
    return True


_TABLE: dict[str, Any] = {
    "GET /coupons/search": partial(search, resource=COUPON),
    "GET /coupons/<id>": coupon,
    "POST /coupons": save_coupon,
    "PUT /coupons/<id>": save_coupon,
    "DELETE /coupons/<id>": delete_coupon,
}
ENDPOINTS = (*endpoints(RULES), *table(_PERMISSION, _TABLE))
