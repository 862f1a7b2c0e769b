"""Categories, products with their variants, and stock."""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta
from typing import Any

from ..draws import choice, number, sample
from ..slugs import slugify
from .content import column, lists
from .rows import insert
from .schema import DISABLED, ENABLED

SIZES = {
    "women": ["XS", "S", "M", "L", "XL"],
    "men": ["S", "M", "L", "XL", "XXL"],
    "kids": ["104", "116", "128", "140"],
}
# All sizes that products of a kind may have.
LADDERS = (("XS", "S", "M", "L", "XL", "XXL"), ("104", "116", "128", "140", "152"))
COLORS_EACH = 3
_TOPS = {"women": "Women", "men": "Men", "kids": "Kids"}
_ROOT = 2


def add(db: sqlite3.Connection) -> None:
    """Fills the catalogue."""
    categories = _add_categories(db)
    for line, (who, category, what, material, price, names) in enumerate(lists("catalog")["clothes"]):
        for place, name in enumerate(names.split()):
            _add_clothes(db, categories[_TOPS[who], category], who, name, what, material, int(price), (line, place))
    for line, (category, what, material, price, weight, *gear) in enumerate(lists("catalog")["gear"]):
        for place, name in enumerate(gear):
            _add_gear(
                db, categories["Gear", category], f"{name} {what}", what, material, int(price), weight, (line, place)
            )


def _add_categories(db: sqlite3.Connection) -> dict[tuple[str, str], int]:
    insert(db, "catalog_category", _category(1, 0, "Root Catalog", 0, 0))
    insert(db, "catalog_category", _category(_ROOT, 1, "Default Category", 1, 1))
    tree: dict[str, list[str]] = {"New Arrivals": []}
    for who, category, *_ in lists("catalog")["clothes"]:
        tree.setdefault(_TOPS[who], []).append(category)
    for category, *_ in lists("catalog")["gear"]:
        tree.setdefault("Gear", []).append(category)
    found: dict[tuple[str, str], int] = {}
    key = 3
    for position, (top, children) in enumerate(tree.items(), 1):
        parent = insert(db, "catalog_category", _category(key, _ROOT, top, position, 2))
        key += 1
        for place, child in enumerate(dict.fromkeys(children), 1):
            found[top, child] = insert(db, "catalog_category", _category(key, parent, child, place, 3))
            key += 1
    return found


def _category(key: int, parent: int, name: str, position: int, level: int) -> dict[str, Any]:
    return {
        "entity_id": key, "parent_id": parent, "name": name, "url_key": slugify(name), "description": "", "is_active": 1,
        "include_in_menu": 1, "position": position, "level": level,
    }  # fmt: skip


def _add_clothes(
    db: sqlite3.Connection,
    category: int,
    who: str,
    name: str,
    what: str,
    material: str,
    base: int,
    place: tuple[int, int],
) -> None:
    full = f"{name} {what}"
    sku = f"{who[0].upper()}{place[0] + 1:02d}{chr(65 + place[1])}"
    price = _price(full, base)
    shared = {
        "attribute_set": "Clothing", "material": material, "manufacturer": choice(f"brand:{sku}", column("catalog", "brands")),
        "kind": what.removeprefix("Kids "), "tax_class_id": 2, "description": _description(full, material), "special_price": None,
        "short_description": f"{what} in {material.lower()}.", "meta_title": full, "meta_description": "",
        "created_at": _created(sku), "updated_at": _created(sku), "weight": f"{0.2 + number(f'weight:{sku}', 8) / 10:.1f}",
    }  # fmt: skip
    parent = _add(
        db, shared, sku=sku, type_id="configurable", name=full, price=price, status=ENABLED, visibility=4, color="", size="",
        parent_id=None, url_key=slugify(full),
    )  # fmt: skip
    _stock(db, parent, 0, managed=False)
    _file(db, category, parent)
    for color in sample(f"colors:{sku}", column("catalog", "colors"), COLORS_EACH):
        for size in SIZES[who]:
            own = f"{sku}-{size}-{color}"
            variant = _add(
                db, shared, sku=own, type_id="simple", name=f"{full}-{size}-{color}", price=price, status=ENABLED, visibility=1,
                color=color, size=size, parent_id=parent, url_key=slugify(f"{full} {size} {color}"),
            )  # fmt: skip
            _stock(db, variant, _quantity(own))


def _add_gear(
    db: sqlite3.Connection,
    category: int,
    name: str,
    what: str,
    material: str,
    base: int,
    weight: str,
    place: tuple[int, int],
) -> None:
    sku = f"G{place[0] + 1:02d}-{place[1] + 1:02d}"
    shared = {
        "attribute_set": "Gear", "material": material, "manufacturer": choice(f"brand:{sku}", column("catalog", "brands")),
        "kind": what, "tax_class_id": 2, "description": _description(name, material), "special_price": None,
        "short_description": f"{what} in {material.lower()}.", "meta_title": name, "meta_description": "",
        "created_at": _created(sku), "updated_at": _created(sku), "weight": weight,
    }  # fmt: skip
    status = DISABLED if number(f"status:{sku}", 14) == 0 else ENABLED
    product = _add(
        db, shared, sku=sku, type_id="simple", name=name, price=_price(name, base), status=status, visibility=4, color="",
        size="", parent_id=None, url_key=slugify(name),
    )  # fmt: skip
    _stock(db, product, _quantity(sku))
    _file(db, category, product)


def _add(db: sqlite3.Connection, shared: dict[str, Any], **own: Any) -> int:
    return insert(db, "catalog_product", {**shared, **own})


def _stock(db: sqlite3.Connection, product: int, qty: int, *, managed: bool = True) -> None:
    values = {
        "product_id": product, "qty": qty, "is_in_stock": int(qty > 0 or not managed), "manage_stock": int(managed), "min_qty": 0,
    }  # fmt: skip
    insert(db, "cataloginventory_stock_item", values)


def _file(db: sqlite3.Connection, category: int, product: int) -> None:
    insert(db, "catalog_category_product", {"category_id": category, "product_id": product})


def _price(name: str, base: int) -> int:
    """Returns a price around the base, in cents."""
    return (base + number(f"price:{name}", 15) - 7) * 100 if base > 20 else base * 100 + 50 * number(f"price:{name}", 4)


def _quantity(sku: str) -> int:
    """Returns the units in stock: mostly a hundred, few of some, none of fewer."""
    drawn = number(f"stock:{sku}", 60)
    if drawn == 0:
        return 0
    return 1 + number(f"low:{sku}", 24) if drawn < 3 else 60 + number(f"full:{sku}", 90)


def _created(sku: str) -> str:
    return (datetime(2022, 9, 1, 8) + timedelta(hours=number(f"created:{sku}", 24 * 600))).isoformat()


def _description(name: str, material: str) -> str:
    praise = choice(
        f"praise:{name}",
        [
            "made for weather that cannot make up its mind",
            "cut with room to move and pockets where hands expect them",
            "tested on wet rope, dry rock and one determined goat",
            "light in the pack and quiet in the wind",
            "plain, repairable and kind to the washing line",
        ],
    )
    return f"The {name} is {praise}. Material: {material.lower()}."
