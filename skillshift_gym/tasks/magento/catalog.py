"""Products: what is left, prices, stock, variants and new ones."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ...keyed import keyed, shuffled
from ...sites.magento.content import column
from ...sites.magento.seed_catalog import SIZES
from ...sites.magento.text import money, plain
from ..build import Variant
from ..checks import AnswerCheck, Check, StateCheck
from ..family import Params
from ..oracle import Step, say
from .data import Case, rows
from .steps import DONE, at, choose, enter, filled, filtered, found, menu, push

LEFT = "attributes of the products that have some units left"
PRICE = "raise or lower the price of a product"
VARIANTS = "change the price of all variants with an attribute"
OUT = "set a product out of stock"
EXTEND = "add colours or sizes to a configurable product"
_SIMPLE = (
    "SELECT p.*, t.item_id, t.qty, t.is_in_stock FROM catalog_product p JOIN cataloginventory_stock_item t ON t.product_id = p.entity_id "
    "WHERE p.type_id = 'simple' AND p.parent_id IS NULL AND p.status = 1 ORDER BY p.entity_id"
)
_CONFIGURABLE = "SELECT * FROM catalog_product WHERE type_id = 'configurable' ORDER BY entity_id"
_VARIANTS = (
    "SELECT p.*, t.qty FROM catalog_product p JOIN cataloginventory_stock_item t ON t.product_id = p.entity_id "
    "WHERE t.manage_stock = 1 ORDER BY p.entity_id"
)


def left_variants() -> list[Variant]:
    """Returns the three families that ask for the products with a number of units left."""
    stocked = rows(_VARIANTS)
    names = tuple(p["name"] for p in stocked)
    cases: list[Case] = []
    for low in range(1, 25):
        for high in (low, low + 1):
            own = [p for p in stocked if low <= p["qty"] <= high]
            if 1 <= len(own) <= 4:
                words = f"{low} unit{'s' if low > 1 else ''}" if low == high else f"{low} to {high} units"
                cases.append(Case((f"{low} {high}",), {"low": low, "high": high, "words": words, "products": own}))

    def variant(goals: tuple[str, str], attribute: str, chosen: Sequence[Case]) -> Variant:
        universe = names if attribute == "name" else tuple(p[attribute] for p in stocked)

        def checks(p: Params) -> tuple[Check, ...]:
            return (AnswerCheck("list", tuple(x[attribute] for x in p["products"]), (("universe", universe),)),)

        def oracle(p: Params, version: str) -> list[Step]:
            limits = {"qty[from]": str(p["low"]), "qty[to]": str(p["high"])}
            said = ", ".join(x[attribute] for x in p["products"])
            return [*menu(version, "products.grid"), *filtered(version, "products", limits), say(said)]

        return Variant(goals, chosen, lambda c: c.params, checks, oracle)

    exact = [c for c in cases if c.params["low"] == c.params["high"]]
    return [
        variant(("Which products have exactly {words} left in stock? Give me their names.", "Name every product of which {words} are left."), "name", exact),
        variant(("Give me the SKUs of all products with {words} left in stock.", "Which SKUs have {words} left?"), "sku", cases),
        variant(("List the names of the products that have {words} left.", "Which products are down to {words}? List the names."), "name", cases),
    ]  # fmt: skip


def price_variants() -> list[Variant]:
    """Returns the six families that change the price of the product whose form is open."""
    gear = [p for p in rows(_SIMPLE)] + [p for p in rows(_CONFIGURABLE) if p["entity_id"] % 3 == 0]
    asked: tuple[tuple[tuple[str, str], str, int], ...] = (
        (("Raise the price of this product by {words}.", "Make this product {words} more expensive."), "percent", 1),
        (("Lower the price of this product by {words}.", "Reduce what this product costs by {words}."), "percent", -1),
        (("Increase the price of this product by {words}.", "Add {words} to the price of this product."), "dollars", 1),
        (("Reduce the price of this product by {words}.", "Take {words} off the price of this product."), "dollars", -1),
        (("This product sells too well: put its price up by {words}.", "Mark this product up by {words}."), "percent", 1),
        (("This product does not sell: cut its price by {words}.", "Mark this product down by {words}."), "dollars", -1),
    )  # fmt: skip
    return [_price(goals, unit, sign, number, gear) for number, (goals, unit, sign) in enumerate(asked)]


def _price(goals: tuple[str, str], unit: str, sign: int, number: int, products: Sequence[dict[str, Any]]) -> Variant:
    cases = []
    for p in products:
        drawn = keyed("price", number, p["sku"])
        share = (5, 10, 12, 15, 20, 25)[drawn % 6]
        step = (100, 150, 200, 250, 300, 475)[drawn % 6]
        change = p["price"] * share if unit == "percent" else step * 100
        if change % 100 == 0 and p["price"] + sign * change // 100 > 0:
            words = f"{share} percent" if unit == "percent" else money(step)
            new = p["price"] + sign * change // 100
            cases.append(Case((p["sku"],), {"id": p["entity_id"], "name": p["name"], "words": words, "new": new}))
    return Variant(
        goals,
        cases,
        lambda c: c.params,
        lambda p: (StateCheck((("catalog_product", "update", {"key": p["id"], "price": p["new"]}),)),),
        lambda p, version: [*filled(version, "product", {"price": plain(p["new"])}), push("form.save{product}"), DONE],
        lambda p: at("products.edit", id=p["id"]),
        _another_price,
    )


def _another_price(p: Params) -> Params:
    return {**p, "new": p["new"] + 100}


def variants_variants() -> list[Variant]:
    """Returns the family that changes the price of a product's variants in one colour."""
    goals = (
        "Set the price of all {color} variants of the {name} to {price}.",
        "Every {name} in {color}, in all sizes, should cost {price} from now on.",
    )
    cases = []
    for p in rows(_CONFIGURABLE):
        own = [v for v in rows(_VARIANTS) if v["parent_id"] == p["entity_id"]]
        color = own[keyed("color", p["sku"]) % len(own)]["color"]
        new = p["price"] - 100 * (3 + keyed("new", p["sku"]) % 9)
        chosen = [v for v in own if v["color"] == color]
        cases.append(
            Case(
                (p["sku"],),
                {
                    "name": p["name"],
                    "sku": p["sku"],
                    "color": color,
                    "new": new,
                    "price": money(new),
                    "keys": tuple(v["entity_id"] for v in chosen),
                },
            )
        )
    return [
        Variant(goals, cases, lambda c: c.params, lambda p: (StateCheck(tuple(("catalog_product", "update", {"key": key, "price": p["new"]}) for key in p["keys"])),), _variants_oracle, budget=20)
    ]  # fmt: skip


def _variants_oracle(p: Params, version: str) -> list[Step]:
    steps = [
        *menu(version, "products.grid"),
        *filtered(version, "products", {"name": f"-{p['color']}", "sku": f"{p['sku']}-"}),
    ]
    steps.append(push("grid.select_all{products}"))
    if version == "v1":
        steps += [choose("grid.mass{products}", "Update Attributes"), push("grid.mass_submit{products}")]
    else:
        steps += [push("grid.mass_open{products}"), push("grid.mass_submit{products.attributes}")]
    if version == "v1":
        steps.append(push("form.section{product.prices}"))
    return [
        *steps,
        push("many.change{price}"),
        enter("field{product.price}", plain(p["new"])),
        push("form.save{product}"),
        DONE,
    ]


def out_variants() -> list[Variant]:
    """Returns the five families that set a product out of stock."""
    products = [p for p in rows(_SIMPLE) if p["is_in_stock"]]
    cases = [
        Case((p["sku"],), {"id": p["entity_id"], "stock": p["item_id"], "name": p["name"], "sku": p["sku"]})
        for p in products
    ]
    asked = (
        ("Set the product “{name}” out of stock.", "“{name}” is sold out. Mark it as out of stock."),
        ("The {name} cannot be delivered any more: change its stock status to out of stock.", "Change the stock availability of the {name} to out of stock."),
        ("We have no more of SKU {sku}. Set it out of stock.", "Mark the product with the SKU {sku} as out of stock."),
        ("Make the “{name}” unavailable by setting its stock status to Out of Stock.", "Out of stock: the “{name}”. Please change it."),
        ("All “{name}” were damaged in the flood. Set that product to out of stock.", "Nobody should be able to order “{name}”; set it out of stock."),
    )  # fmt: skip
    return [
        Variant(
            goals, cases, lambda c, by="sku" if "{sku}" in goals[0] else "name": {**c.params, "by": by},  # type: ignore[misc]
            lambda p: (StateCheck((("cataloginventory_stock_item", "update", {"key": p["stock"], "is_in_stock": 0}),)),), _out_oracle,
        )
        for goals in asked
    ]  # fmt: skip


def _out_oracle(p: Params, version: str) -> list[Step]:
    return [
        *menu(version, "products.grid"), *found(version, "products", p["by"], p[p["by"]], p["id"]),
        *filled(version, "product", {"is_in_stock": ("Out of Stock",)}), push("form.save{product}"), DONE,
    ]  # fmt: skip


def extend_variants() -> list[Variant]:
    """Returns the five families that add a colour or a size to the configurable product whose form is open."""
    asked = (
        ("color", ("Add the color {new} to this product, in all its sizes.", "This product also comes in {new} now. Add that color.")),
        ("color", ("Offer this product in {new} as well; keep all sizes.", "Create variants of this product in the color {new}, one for each size.")),
        ("size", ("Add the size {new} to this product, in all its colors.", "This product also comes in {new} now. Add that size.")),
        ("size", ("Offer this product in size {new} as well; keep all colors.", "Create variants of this product in size {new}, one for each color.")),
        ("color", ("We got a batch in {new}. Add that color to this product with a quantity of {qty} each.", "Add {new} as a color to this product, {qty} pieces in each size.")),
    )  # fmt: skip
    return [_extend(kind, goals, number) for number, (kind, goals) in enumerate(asked)]


def _extend(kind: str, goals: tuple[str, str], number: int) -> Variant:
    cases = []
    for p in rows(_CONFIGURABLE):
        own = [v for v in rows(_VARIANTS) if v["parent_id"] == p["entity_id"]]
        colors, sizes = list(dict.fromkeys(v["color"] for v in own)), list(dict.fromkeys(v["size"] for v in own))
        group = next(g for g in SIZES.values() if set(sizes) <= set(g))
        free = [c for c in column("catalog", "colors") if c not in colors] if kind == "color" else _outer(group)
        new = shuffled(free, "extend", number, p["sku"])[0]
        qty = 10 + keyed("qty", number, p["sku"]) % 40 if "{qty}" in goals[0] else 0
        pairs = [(new, s) for s in sizes] if kind == "color" else [(c, new) for c in colors]
        cases.append(
            Case(
                (p["sku"],),
                {"id": p["entity_id"], "sku": p["sku"], "kind": kind, "new": new, "qty": qty, "pairs": pairs},
            )
        )
    return Variant(
        goals,
        cases,
        lambda c: c.params,
        _extend_checks,
        _extend_oracle,
        lambda p: at("products.edit", id=p["id"]),
        _another_extension,
    )


def _outer(group: Sequence[str]) -> list[str]:
    """Returns a size beyond those of a group."""
    return {"XS": ["XXL"], "S": ["XS"], "104": ["152"]}[group[0]]


def _extend_checks(p: Params) -> tuple[Check, ...]:
    products = tuple(
        ("catalog_product", "insert", {"color": color, "size": size, "parent_id": p["id"], "type_id": "simple"})
        for color, size in p["pairs"]
    )
    stock = (("cataloginventory_stock_item", "insert", {"qty": p["qty"]}),) * len(p["pairs"])
    return (StateCheck((*products, *stock)),)


def _extend_oracle(p: Params, version: str) -> list[Step]:
    amount = [enter("variant.quantity", str(p["qty"]))] if p["qty"] else []
    return [
        push("form.section{product.variants}"),
        push(f"variant.{p['kind']}{{{p['new']}}}"),
        *amount,
        push("variant.create"),
        DONE,
    ]


def _another_extension(p: Params) -> Params | None:
    if p["kind"] == "size":
        return None
    other = next(c for c in column("catalog", "colors") if c != p["new"] and all(c != pair[0] for pair in p["pairs"]))
    taken = {v["color"] for v in rows(_VARIANTS) if v["parent_id"] == p["id"]}
    other = next(c for c in column("catalog", "colors") if c not in taken | {p["new"]})
    return {**p, "new": other}
