"""Saving and deleting what is one row: reviews, rules, pages, blocks, customers, addresses, groups, categories, ..."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, NamedTuple

from .. import rows
from .refused import Refused


class Entity(NamedTuple):
    """A kind of row that forms edit.

    Attributes:
        table: Its table.
        blank: Column -> value in a new row; these columns, and no others, may be set.
        required: Column -> label of what may not be empty.
        unique: Columns whose value no other row has.
        stamps: Columns that hold the time of creation and of the last change, empty without one.
        gone: What the administrator reads when the row no longer exists.
        kept: Keys that cannot be deleted.
    """

    table: str
    blank: Mapping[str, Any]
    required: Mapping[str, str]
    unique: Mapping[str, str] = {}
    stamps: tuple[str, str] = ("", "")
    gone: str = "This entity no longer exists."
    kept: tuple[int, ...] = ()


_RULE = {
    "name": "", "description": "", "is_active": 1, "from_date": "", "to_date": "", "website_ids": "1", "customer_group_ids": "",
    "sort_order": 0, "simple_action": "by_percent", "discount_amount": 0, "stop_rules_processing": 0, "conditions": "",
}  # fmt: skip
_RULE_LABELS = {"name": "Rule Name", "website_ids": "Websites", "customer_group_ids": "Customer Groups"}
_PERSON = {"firstname": "First Name", "lastname": "Last Name"}

ENTITIES = {
    "review": Entity(
        "review",
        {"product_id": 0, "status_id": 2, "customer_id": 0, "nickname": "", "title": "", "detail": "", "rating": 5},
        {"nickname": "Nickname", "title": "Summary of Review", "detail": "Review"},
        stamps=("created_at", ""), gone="The review was removed by another user or does not exist.",
    ),
    "salesrule": Entity(
        "salesrule",
        {
            **_RULE, "coupon_type": 1, "coupon_code": "", "uses_per_coupon": 0, "uses_per_customer": 0, "discount_qty": 0,
            "discount_step": 0, "apply_to_shipping": 0, "simple_free_shipping": 0, "times_used": 0,
        },
        _RULE_LABELS, gone="This rule no longer exists.",
    ),
    "catalogrule": Entity("catalogrule", _RULE, _RULE_LABELS, gone="This rule no longer exists."),
    "cms_page": Entity(
        "cms_page",
        {
            "title": "", "identifier": "", "content_heading": "", "content": "", "is_active": 1, "page_layout": "1column",
            "meta_keywords": "", "meta_description": "",
        },
        {"title": "Page Title"}, {"identifier": "A page URL key for specified store already exists."},
        ("creation_time", "update_time"), "This page no longer exists.",
    ),
    "cms_block": Entity(
        "cms_block", {"title": "", "identifier": "", "content": "", "is_active": 1},
        {"title": "Block Title", "identifier": "Identifier"}, {"identifier": "A block identifier with the same properties already exists."},
        ("creation_time", "update_time"), "This block no longer exists.",
    ),
    "customer": Entity(
        "customer_entity",
        {"email": "", "firstname": "", "lastname": "", "group_id": 1, "dob": "", "gender": 0, "is_active": 1},
        {**_PERSON, "email": "Email"}, {"email": "A customer with the same email already exists."},
        ("created_at", "updated_at"), "This customer no longer exists.",
    ),
    "address": Entity(
        "customer_address",
        {
            "parent_id": 0, "firstname": "", "lastname": "", "company": "", "street": "", "city": "", "region": "", "postcode": "",
            "country_id": "US", "telephone": "", "default_billing": 0, "default_shipping": 0,
        },
        {**_PERSON, "street": "Street Address", "city": "City", "telephone": "Phone Number"}, gone="This address no longer exists.",
    ),
    "group": Entity(
        "customer_group", {"customer_group_code": "", "tax_class_id": 3}, {"customer_group_code": "Group Name"},
        {"customer_group_code": "Customer Group already exists."}, gone="This group no longer exists.", kept=(0, 1),
    ),
    "category": Entity(
        "catalog_category",
        {
            "parent_id": 2, "name": "", "url_key": "", "description": "", "is_active": 1, "include_in_menu": 1, "position": 0,
            "level": 2,
        },
        {"name": "Category Name"}, gone="This category no longer exists.", kept=(1, 2),
    ),
    "searchterm": Entity(
        "search_query", {"query_text": "", "num_results": 0, "popularity": 0, "redirect": "", "display_in_terms": 1},
        {"query_text": "Search Query"}, {"query_text": "You already have an identical search term query."}, ("", "updated_at"),
        "This search no longer exists.",
    ),
    "subscriber": Entity(
        "newsletter_subscriber", {"subscriber_email": "", "customer_id": 0, "subscriber_status": 1}, {"subscriber_email": "Email"},
    ),
    "config": Entity("core_config_data", {"path": "", "value": ""}, {"path": "Path"}),
}  # fmt: skip


def entity(db: sqlite3.Connection, name: str, key: int) -> sqlite3.Row:
    """Returns a row.

    Raises:
        Refused: There is none.
    """
    kind = ENTITIES[name]
    found = rows.get(db, kind.table, key)
    if found is None:
        raise Refused(kind.gone)
    return found


def create(db: sqlite3.Connection, name: str, values: Mapping[str, Any], now: datetime) -> int:
    """Adds a row and returns its key; what is not given is blank.

    Raises:
        Refused: Something required is empty, or something unique is taken.
    """
    kind = ENTITIES[name]
    given = {**kind.blank, **_known(kind, values)}
    _require(db, kind, given, None)
    return rows.insert(db, kind.table, {**given, **{stamp: now.isoformat() for stamp in kind.stamps if stamp}})


def save(db: sqlite3.Connection, name: str, key: int, values: Mapping[str, Any], now: datetime) -> None:
    """Changes a row; what is not given stays.

    Raises:
        Refused: There is no such row, something required is empty, or something unique is taken.
    """
    kind, row = ENTITIES[name], entity(db, name, key)
    given = _known(kind, values)
    _require(db, kind, {**dict(row), **given}, key)
    changed = {column: value for column, value in given.items() if row[column] != value}
    if changed:
        stamp = {kind.stamps[1]: now.isoformat()} if kind.stamps[1] else {}
        rows.update(db, kind.table, key, {**changed, **stamp})


def delete(db: sqlite3.Connection, name: str, keys: Iterable[int]) -> int:
    """Deletes rows and what hangs on them; returns how many there were."""
    kind = ENTITIES[name]
    count = 0
    for key in keys:
        if key in kind.kept:
            raise Refused("This item cannot be deleted.")
        if rows.get(db, kind.table, key) is None:
            continue
        for statement in _CASCADE.get(name, ()):
            db.execute(statement, (key,))
        rows.delete(db, kind.table, key)
        count += 1
    return count


def save_config(db: sqlite3.Connection, values: Mapping[str, str], now: datetime) -> None:
    """Stores configuration: path -> value."""
    known = {row["path"]: row["config_id"] for row in db.execute("SELECT * FROM core_config_data")}
    for path, value in values.items():
        if path in known:
            save(db, "config", known[path], {"value": value}, now)
        else:
            create(db, "config", {"path": path, "value": value}, now)


_CASCADE = {
    "customer": ("DELETE FROM customer_address WHERE parent_id = ?", "DELETE FROM quote WHERE customer_id = ?"),
    "category": (
        "DELETE FROM catalog_category_product WHERE category_id = ?", "DELETE FROM catalog_category WHERE parent_id = ?",
    ),
    "group": ("UPDATE customer_entity SET group_id = 1 WHERE group_id = ?",),
}  # fmt: skip


def _known(kind: Entity, values: Mapping[str, Any]) -> dict[str, Any]:
    return {column: value for column, value in values.items() if column in kind.blank}


def _require(db: sqlite3.Connection, kind: Entity, values: Mapping[str, Any], own: int | None) -> None:
    for column, label in kind.required.items():
        if not str(values.get(column) or "").strip():
            raise Refused(f'"{label}" is a required value.')
    for column, message in kind.unique.items():
        twin = db.execute(f"SELECT rowid FROM {kind.table} WHERE {column} = ?", (values[column],)).fetchone()
        if twin is not None and twin[0] != own:
            raise Refused(message)
