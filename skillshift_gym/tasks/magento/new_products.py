"""New products."""

from __future__ import annotations

from collections.abc import Callable

from ...keyed import keyed
from ...sites.magento.content import column
from ...sites.magento.text import money, plain
from ...sites.slugs import slugify
from ..build import Variant
from ..checks import Check, StateCheck
from ..family import Params
from ..oracle import Step
from .data import Case
from .steps import DONE, filled, menu, on, push

NEW = "add a simple product"


def new_variants() -> list[Variant]:
    """Returns the five families that add a simple product."""
    goals = (
        "Add a simple product named “{name}” with {qty} in stock, available in size {size} and color {color}, priced at {price}. Use the SKU {sku}.",
        "Create the simple product “{name}” (SKU {sku}): price {price}, quantity {qty}, size {size}, color {color}.",
    )
    first = ("Harebell", "Glenmore", "Cairn", "Strath", "Fulmar", "Tansy", "Bryony", "Ptarmigan", "Machair", "Rannoch")
    what = ("Windshirt", "Parka", "Vest", "Hoodie", "Kilt", "Anorak", "Pullover")
    cases = []
    for place, name in enumerate(f"{a} {b}" for b in what for a in first):
        drawn = keyed("new", name)
        cases.append(
            Case(
                (name,),
                {
                    "name": name, "sku": f"N{place + 1:02d}-{slugify(name.split()[0])[:4].upper()}", "qty": 10 + drawn % 70,
                    "size": ("S", "M", "L", "XL")[drawn // 70 % 4], "color": column("catalog", "colors")[drawn // 280 % 10],
                    "cents": 2500 + 50 * (drawn // 2800 % 150), "price": money(2500 + 50 * (drawn // 2800 % 150)),
                },
            )
        )  # fmt: skip
    groups: list[Callable[[int], bool]] = [lambda i, k=k: i % 5 == k for k in range(5)]  # type: ignore[misc]
    return [
        Variant(
            goals, [c for i, c in enumerate(cases) if mine(i)], lambda c: c.params, _new_checks, _new_oracle, budget=25
        )
        for mine in groups
    ]


def _new_checks(p: Params) -> tuple[Check, ...]:
    row = {
        "name": p["name"],
        "sku": p["sku"],
        "price": p["cents"],
        "size": p["size"],
        "color": p["color"],
        "type_id": "simple",
    }
    stock = {"qty": p["qty"], "is_in_stock": 1}
    expected = (("catalog_product", "insert", row), ("cataloginventory_stock_item", "insert", stock))
    return (StateCheck(expected), on("products.grid"))


def _new_oracle(p: Params, version: str) -> list[Step]:
    values: dict[str, str | tuple[str, ...]] = {
        "name": p["name"], "sku": p["sku"], "price": plain(p["cents"]), "qty": str(p["qty"]), "color": (p["color"],), "size": (p["size"],),
    }  # fmt: skip
    return [
        *menu(version, "products.grid"), push("grid.add{products}"), push("form.next{product}"), *filled(version, "product", values),
        push("form.save{product}"), DONE,
    ]  # fmt: skip
