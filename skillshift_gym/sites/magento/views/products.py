"""Products: the form with stock, categories and variants."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from functools import partial
from typing import Any

from ...protocol import Response
from ...web import Call
from .. import forms, grids
from ..form_tables import FORMS
from ..operations import products
from ..operations.refused import Refused
from ..schema import PRODUCT_TYPE
from ..seed_catalog import LADDERS
from . import listing
from .base import Missing, View, address, attempt, done, page
from .listing import Listing
from .records import saved

PRODUCTS = Listing(
    grids.PRODUCTS, "products", ("Manage Products", "Products"), ("Add Product", "Add Product"), "products.edit"
)
SETS = ("Clothing", "Gear")
_FORM = FORMS["product"]
# What "Update Attributes" offers for several products at once.
MANY = ("price", "special_price", "status", "visibility", "qty", "is_in_stock", "manufacturer", "material")
_BLANK: dict[str, Any] = {
    "name": "", "sku": "", "price": None, "special_price": None, "status": 1, "visibility": 4, "tax_class_id": 2, "weight": "", "url_key": "",
    "description": "", "short_description": "", "color": "", "size": "", "manufacturer": "", "material": "", "meta_title": "",
    "meta_description": "", "qty": "", "is_in_stock": 1, "min_qty": 0, "manage_stock": 1,
}  # fmt: skip


def views() -> dict[str, View]:
    """Returns endpoint -> view."""
    return {
        "products.grid": partial(listing.listed, listing=PRODUCTS),
        "products.mass": partial(listing.act, listing=PRODUCTS),
        "products.new": choose,
        "products.form": new,
        "products.create": create,
        "products.edit": edit,
        "products.save": save,
        "products.delete": delete,
        "products.variants": add_variants,
        "products.attributes": edit_many,
        "products.attributesSave": save_many,
    }


def choose(call: Call) -> Response:
    """Asks for the attribute set and the type of a new product; their answer comes in the query."""
    chosen, kind = call.args.get("set", ""), call.args.get("type", "simple")
    if chosen in SETS and kind in PRODUCT_TYPE:
        return new(call, chosen, kind)
    return page(
        call, "product_new.html", "New Product", sets=SETS, types=PRODUCT_TYPE, action=address(call, "products.new")
    )


def new(call: Call, set: str, type: str) -> Response:
    """The empty form."""
    if set not in SETS or type not in PRODUCT_TYPE:
        raise Missing("Please choose an attribute set and a product type.", "products.grid")
    row = {**_BLANK, "attribute_set": set, "type_id": type, "entity_id": None}
    return _form(call, "New Product", row, address(call, "products.create"), "")


def edit(call: Call, id: int) -> Response:
    """The form of a product."""
    row = _product(call, id)
    stock = dict(products.stock(call.db, id))
    action, remove = (address(call, f"products.{deed}", id=id) for deed in ("save", "delete"))
    title = f"{row['name']} ({row['attribute_set']})" if call.site.version == "v1" else row["name"]
    return _form(call, title, {**stock, **dict(row)}, action, remove)


def create(call: Call) -> Response:
    """Adds a product."""
    chosen, kind = call.form.get("set", ""), call.form.get("type", "simple")

    def deed() -> int:
        values, levels = _parse(call)
        if chosen not in SETS or kind not in PRODUCT_TYPE:
            raise Refused("Please choose an attribute set and a product type.")
        return products.create(
            call.db, call.now, {**values, "attribute_set": chosen, "type_id": kind}, levels, _categories(call)
        )

    failure = address(call, "products.form", set=chosen, type=kind) if chosen in SETS else address(call, "products.new")
    return saved(call, _FORM, "products", deed, failure)


def save(call: Call, id: int) -> Response:
    """Saves a product."""
    _product(call, id)

    def deed() -> int:
        values, levels = _parse(call)
        products.save(call.db, id, call.now, values, levels, _categories(call))
        return id

    return saved(call, _FORM, "products", deed, address(call, "products.edit", id=id))


def delete(call: Call, id: int) -> Response:
    """Deletes a product."""
    grid = address(call, "products.grid")
    return attempt(call, lambda: products.delete(call.db, [id]), success=(grid, _FORM.deleted))


def add_variants(call: Call, id: int) -> Response:
    """Creates the missing variants of the chosen colours and sizes."""
    _product(call, id)
    form = call.form
    qty = form.get("variant_qty", "").strip()

    def deed() -> None:
        colors, sizes = form.getlist("colors[]"), form.getlist("sizes[]")
        if not colors or not sizes:
            raise Refused("Please choose at least one color and one size.")
        if not products.add_variants(call.db, id, call.now, colors, sizes, int(qty) if qty.isdecimal() else 0):
            raise Refused("All these variants exist already.")

    back = address(call, "products.edit", id=id)
    return attempt(call, deed, success=(back, _FORM.saved[call.site.version == "v2"]))


def edit_many(call: Call) -> Response:
    """The form that gives several products the same values."""
    ids = _ids(call.args.get("ids", ""))
    if not ids:
        return done(call, address(call, "products.grid"), "Please select products for attributes update.", "error")
    sections = forms.shown(call.db, _FORM, call.site.version, _BLANK)
    offered = {s: [f for f in fields if f.key in MANY] for s, fields in sections.items()}
    return page(
        call, "product_attributes.html", "Update Attributes", form=_FORM, sections={s: f for s, f in offered.items() if f}, ids=ids,
        action=address(call, "products.attributesSave"), back=address(call, "products.grid"),
    )  # fmt: skip


def save_many(call: Call) -> Response:
    """Gives several products the values whose box `change[...]` is ticked."""
    ids = _ids(call.form.get("ids", ""))

    def deed() -> int:
        values, levels = _parse(call)
        chosen = {key for key in MANY if f"change[{key}]" in call.form}
        if not chosen:
            raise Refused("Please choose what to change.")
        own = {key: value for key, value in values.items() if key in chosen}
        return products.update_many(call.db, ids, call.now, own, {key: v for key, v in levels.items() if key in chosen})

    back = address(call, "products.grid")
    return attempt(call, deed, success=(back, f"A total of {len(ids)} record(s) were updated."))


def _form(call: Call, title: str, row: Mapping[str, Any], action: str, remove: str) -> Response:
    key = row["entity_id"]
    tree = call.db.execute(
        "SELECT * FROM catalog_category WHERE level > 0 ORDER BY level, parent_id, position"
    ).fetchall()
    return page(
        call, "product.html", title, form=_FORM, row=row, sections=forms.shown(call.db, _FORM, call.site.version, row), action=action,
        remove=remove, back=address(call, "products.grid"), prefix="products", tree=_below(tree, 1),
        chosen=products.categories_of(call.db, key) if key else [], variants=products.variants(call.db, key) if key else [],
        colors=[c for c in _FORM.input("color").choices(call.db) if c], sizes=_sizes(call.db, key), types=PRODUCT_TYPE,
    )  # fmt: skip


def _sizes(db: sqlite3.Connection, key: int | None) -> list[str]:
    """Returns the sizes a product's variants may have: those of the ladder that its own belong to."""
    own = {row["size"] for row in products.variants(db, key)} if key else set()
    return [size for ladder in LADDERS if not own or own & set(ladder) for size in ladder]


def _below(rows: list[sqlite3.Row], parent: int) -> list[tuple[sqlite3.Row, list[Any]]]:
    """Returns the categories below one, each with those below it."""
    return [(row, _below(rows, row["entity_id"])) for row in rows if row["parent_id"] == parent]


def _parse(call: Call) -> tuple[dict[str, Any], dict[str, int]]:
    """Returns what the form sets: columns of the product, and of its stock."""
    found = forms.parse(_FORM, call.site.version, call.form, whole="change[]" not in call.form)
    levels = {key: found.pop(key) for key in products.STOCK_FIELDS if key in found}
    return found, levels


def _categories(call: Call) -> list[int]:
    return [int(key) for key in call.form.getlist("category_ids[]") if key.isdecimal()]


def _ids(text: str) -> list[int]:
    return [int(key) for key in dict.fromkeys(text.split(",")) if key.isdecimal()]


def _product(call: Call, id: int) -> sqlite3.Row:
    try:
        return products.product(call.db, id)
    except Refused as refusal:
        raise Missing(str(refusal), "products.grid") from None
