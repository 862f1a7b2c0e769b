"""Cart price rules to be drafted."""

from __future__ import annotations

from ...keyed import keyed
from ...sites.magento.schema import ACTIONS
from ...sites.magento.text import money, plain
from ..build import Variant
from ..checks import Check, StateCheck
from ..family import Params
from ..oracle import Step
from .data import Case, rows
from .steps import DONE, filled, menu, on, push

RULE = "draft a cart price rule"


def rule_variants() -> list[Variant]:
    """Returns the five families that draft a cart price rule for all customers."""
    names = (
        "Spring Sale", "Fall Discount", "Mother’s Day", "Pride Month", "Thanks a Million", "Midsummer", "Boat Shed Birthday", "First Snow", "Back to the Hills",
        "Leap Day", "Harvest Week", "Long Weekend", "Rainy Season", "Trail Opening", "Winter Solstice", "Founders’ Day", "Friends of Fernmoor", "Mud Season",
        "Lantern Night", "Ferry Festival", "Sunday Special", "Quiet Week", "Early Bird", "Last Chance", "Gear Swap", "Summit Days", "New Moon", "High Tide",
        "Low Tide", "Market Day",
    )  # fmt: skip
    asked: tuple[tuple[str, tuple[str, str]], ...] = (
        ("by_percent", ("Draft a new cart price rule “{name}” that offers {words} off for all customers.", "Create the cart price rule “{name}”: {words} discount for every customer group.")),
        ("cart_fixed", ("Draft a new cart price rule “{name}” that takes {words} off the whole cart for all customers.", "Create the cart price rule “{name}”: {words} off the whole cart for every customer group.")),
        ("by_percent", ("Set up a “{name}” cart price rule with a discount of {words} on products for all customers.", "We want a cart price rule “{name}” with {words} off the product price, for all customer groups.")),
        ("by_fixed", ("Draft the cart price rule “{name}”: a fixed {words} off each product, for all customers.", "Create a cart price rule called “{name}” that takes a fixed {words} off products for every customer group.")),
        ("cart_fixed", ("Prepare a cart price rule “{name}” with a fixed discount of {words} for the whole cart, for all customers.", "For “{name}”, make a cart price rule: {words} off the whole cart, all customer groups.")),
    )  # fmt: skip
    found_variants = []
    for place, (action, goals) in enumerate(asked):
        cases = []
        for name in names[place * 6 : place * 6 + 6] + names[: place * 6] + names[place * 6 + 6 :]:
            drawn = keyed("rule", place, name)
            amount = (
                (10, 15, 20, 25, 30, 45)[drawn % 6] if action == "by_percent" else (5, 8, 10, 12, 15, 20)[drawn % 6]
            )
            words = f"{amount} percent" if action == "by_percent" else money(100 * amount)
            cases.append(Case((name,), {"name": name, "action": action, "amount": 100 * amount, "words": words}))
        found_variants.append(Variant(goals, cases, lambda c: c.params, _rule_checks, _rule_oracle, budget=20))
    return found_variants


def _rule_checks(p: Params) -> tuple[Check, ...]:
    row = {
        "name": p["name"], "simple_action": p["action"], "discount_amount": p["amount"], "customer_group_ids": "0,1,2,3", "website_ids": "1",
        "coupon_type": 1, "is_active": 1,
    }  # fmt: skip
    return (StateCheck((("salesrule", "insert", row),)), on("salesrules.grid"))


def _rule_oracle(p: Params, version: str) -> list[Step]:
    groups = tuple(r["customer_group_code"] for r in rows("SELECT * FROM customer_group ORDER BY customer_group_id"))
    values: dict[str, str | tuple[str, ...]] = {
        "name": p["name"], "website_ids": ("Main Website",), "customer_group_ids": groups, "simple_action": (ACTIONS[p["action"]],),
        "discount_amount": plain(p["amount"]),
    }  # fmt: skip
    return [
        *menu(version, "salesrules.grid"),
        push("grid.add{salesrules}"),
        *filled(version, "salesrule", values),
        push("form.save{salesrule}"),
        DONE,
    ]
