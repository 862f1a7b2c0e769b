"""Customers with their addresses, and categories."""

from __future__ import annotations

from functools import partial
from typing import Any

from ...protocol import Response
from ...web import Call, redirect
from .. import forms, grids
from ..form_tables import FORMS
from ..operations import addresses, categories, entities
from ..operations.refused import Refused
from . import listing
from .base import View, address, attempt, page
from .listing import Listing
from .records import existing, saved

CUSTOMERS = Listing(
    grids.CUSTOMERS,
    "customers",
    ("Manage Customers", "Customers"),
    ("Add New Customer", "Add New Customer"),
    "customers.edit",
)
_FORM, _ADDRESS, _CATEGORY = FORMS["customer"], FORMS["address"], FORMS["category"]
_DEFAULT = 2


def views() -> dict[str, View]:
    """Returns endpoint -> view."""
    return {
        "customers.grid": partial(listing.listed, listing=CUSTOMERS),
        "customers.mass": partial(listing.act, listing=CUSTOMERS),
        "customers.new": new,
        "customers.edit": edit,
        "customers.create": create,
        "customers.save": save,
        "customers.delete": delete,
        "customers.address": edit_address,
        "customers.addressSave": save_address,
        "customers.addressNew": new_address,
        "customers.addressCreate": create_address,
        "customers.addressDelete": delete_address,
        "categories.grid": lambda call: redirect(address(call, "categories.edit", id=_DEFAULT)),
        "categories.edit": edit_category,
        "categories.new": lambda call: new_category(call, _DEFAULT),
        "categories.newBelow": new_category,
        "categories.create": create_category,
        "categories.save": save_category,
        "categories.delete": delete_category,
    }


def new(call: Call) -> Response:
    """The empty form of a customer."""
    return _customer(call, "New Customer", entities.ENTITIES["customer"].blank, None)


def edit(call: Call, id: int) -> Response:
    """The form of a customer, with addresses and orders."""
    row = existing(call, "customer", id, "customers.grid")
    return _customer(call, f"{row['firstname']} {row['lastname']}", row, id)


def create(call: Call) -> Response:
    """Adds a customer."""

    def deed() -> int:
        return entities.create(call.db, "customer", forms.parse(_FORM, call.site.version, call.form), call.now)

    return saved(call, _FORM, "customers", deed, address(call, "customers.new"))


def save(call: Call, id: int) -> Response:
    """Saves a customer."""

    def deed() -> int:
        entities.save(call.db, "customer", id, forms.parse(_FORM, call.site.version, call.form), call.now)
        return id

    return saved(call, _FORM, "customers", deed, address(call, "customers.edit", id=id))


def delete(call: Call, id: int) -> Response:
    """Deletes a customer."""
    return attempt(
        call,
        lambda: entities.delete(call.db, "customer", [id]),
        success=(address(call, "customers.grid"), _FORM.deleted),
    )


def edit_address(call: Call, id: int) -> Response:
    """The form of a customer's address."""
    row = existing(call, "address", id, "customers.grid")
    return _address(call, "Edit Address", row, row["parent_id"], address(call, "customers.addressSave", id=id), id)


def new_address(call: Call, id: int) -> Response:
    """The empty form of an address of a customer."""
    owner = existing(call, "customer", id, "customers.grid")
    blank = {**entities.ENTITIES["address"].blank, "firstname": owner["firstname"], "lastname": owner["lastname"]}
    return _address(call, "Add New Address", blank, id, address(call, "customers.addressCreate", id=id), None)


def save_address(call: Call, id: int) -> Response:
    """Saves a customer's address."""
    row = existing(call, "address", id, "customers.grid")

    def deed() -> None:
        addresses.save(call.db, id, forms.parse(_ADDRESS, call.site.version, call.form), call.now)

    words = _ADDRESS.saved[call.site.version == "v2"]
    return attempt(
        call,
        deed,
        success=(address(call, "customers.edit", id=row["parent_id"]), words),
        failure=address(call, "customers.address", id=id),
    )


def create_address(call: Call, id: int) -> Response:
    """Adds an address to a customer."""
    existing(call, "customer", id, "customers.grid")

    def deed() -> None:
        addresses.create(call.db, id, forms.parse(_ADDRESS, call.site.version, call.form), call.now)

    words = _ADDRESS.saved[call.site.version == "v2"]
    return attempt(
        call,
        deed,
        success=(address(call, "customers.edit", id=id), words),
        failure=address(call, "customers.addressNew", id=id),
    )


def delete_address(call: Call, id: int) -> Response:
    """Deletes a customer's address."""
    owner = existing(call, "address", id, "customers.grid")["parent_id"]
    back = address(call, "customers.edit", id=owner)
    return attempt(call, lambda: entities.delete(call.db, "address", [id]), success=(back, _ADDRESS.deleted))


def edit_category(call: Call, id: int) -> Response:
    """The form of a category, beside the tree."""
    row = existing(call, "category", id, "dashboard")
    kept = id in entities.ENTITIES["category"].kept
    action, remove = address(call, "categories.save", id=id), "" if kept else address(call, "categories.delete", id=id)
    return _category(call, f"{row['name']} (ID: {id})", row, action, remove)


def new_category(call: Call, id: int) -> Response:
    """The empty form of a category below another one."""
    parent = existing(call, "category", id, "dashboard")
    blank = {**entities.ENTITIES["category"].blank, "parent_id": id, "level": parent["level"] + 1}
    return _category(call, "New Subcategory", blank, address(call, "categories.create"), "")


def create_category(call: Call) -> Response:
    """Adds a category below the one that the form names."""

    def deed() -> int:
        parent = int(call.form.get("parent", "") or _DEFAULT)
        return categories.create(call.db, parent, forms.parse(_CATEGORY, call.site.version, call.form), call.now)

    return _saved_category(call, deed, address(call, "categories.edit", id=_DEFAULT))


def save_category(call: Call, id: int) -> Response:
    """Saves a category."""

    def deed() -> int:
        entities.save(call.db, "category", id, forms.parse(_CATEGORY, call.site.version, call.form), call.now)
        return id

    return _saved_category(call, deed, address(call, "categories.edit", id=id))


def delete_category(call: Call, id: int) -> Response:
    """Deletes a category."""
    back = address(call, "categories.edit", id=_DEFAULT)
    return attempt(call, lambda: entities.delete(call.db, "category", [id]), success=(back, _CATEGORY.deleted))


def _customer(call: Call, title: str, row: Any, key: int | None) -> Response:
    db = call.db
    addresses = db.execute(
        "SELECT * FROM customer_address WHERE parent_id = ? ORDER BY entity_id", (key or -1,)
    ).fetchall()
    placed = db.execute(
        "SELECT * FROM sales_order WHERE customer_id = ? ORDER BY created_at DESC", (key or -1,)
    ).fetchall()
    deeds = ("save", "delete") if key else ()
    urls = {deed: address(call, f"customers.{deed}", id=key) for deed in deeds}
    return page(
        call, "customer.html", title, form=_FORM, row=row, sections=forms.shown(db, _FORM, call.site.version, row),
        action=urls.get("save") or address(call, "customers.create"), remove=urls.get("delete", ""), back=address(call, "customers.grid"),
        prefix="customers", addresses=addresses, orders=placed, key=key, groups=grids.groups(db),
    )  # fmt: skip


def _address(call: Call, title: str, row: Any, owner: int, action: str, key: int | None) -> Response:
    return page(
        call, "form.html", title, form=_ADDRESS, row=row, sections=forms.shown(call.db, _ADDRESS, call.site.version, row), action=action,
        remove=address(call, "customers.addressDelete", id=key) if key else "", back=address(call, "customers.edit", id=owner),
        prefix="customers",
    )  # fmt: skip


def _category(call: Call, title: str, row: Any, action: str, remove: str) -> Response:
    tree = call.db.execute(
        "SELECT * FROM catalog_category WHERE level > 0 ORDER BY level, parent_id, position"
    ).fetchall()
    counts = dict(
        call.db.execute("SELECT category_id, COUNT(*) FROM catalog_category_product GROUP BY category_id").fetchall()
    )
    return page(
        call, "category.html", title, form=_CATEGORY, row=row, sections=forms.shown(call.db, _CATEGORY, call.site.version, row),
        action=action, remove=remove, tree=tree, counts=counts, prefix="categories",
    )  # fmt: skip


def _saved_category(call: Call, deed: Any, failure: str) -> Response:
    def checked() -> Any:
        try:
            return deed()
        except ValueError:
            raise Refused("This category no longer exists.") from None

    words = _CATEGORY.saved[call.site.version == "v2"]
    there = address(call, "categories.edit", id=0).replace("/0/", "/{key}/", 1)
    return attempt(call, checked, success=(there, words), failure=failure)
