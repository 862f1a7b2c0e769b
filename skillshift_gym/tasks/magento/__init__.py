"""The 114 Magento families, kind by kind as the published index counts them."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

from ...sites.magento.urls import url
from ...sites.protocol import Request, Site
from ..build import Variant, build
from ..family import Family, Task
from . import buyers, catalog, deeds, marketing, new_products, reporting, rules, sales
from .data import Case, orders

# Kind -> its families, in the order of the published index; their number is the published count.
KINDS: dict[str, Callable[[], list[Variant]]] = {
    marketing.BEST: marketing.best_variants,
    marketing.TERMS: marketing.term_variants,
    marketing.SEARCHES: marketing.search_variants,
    buyers.COMPLETED: buyers.completed_variants,
    marketing.STATUSES: marketing.status_variants,
    sales.COUNTS: sales.count_variants,
    sales.ITEMS: sales.item_variants,
    deeds.EVERYONE: deeds.everyone_variants,
    catalog.LEFT: catalog.left_variants,
    sales.TOTALS: sales.total_variants,
    sales.EXTREMES: sales.extreme_variants,
    deeds.PHONE: deeds.phone_variants,
    buyers.CANCELLED: buyers.cancelled_variants,
    marketing.PERIODS: marketing.period_variants,
    catalog.PRICE: catalog.price_variants,
    catalog.VARIANTS: catalog.variants_variants,
    deeds.CANCEL: deeds.cancel_variants,
    deeds.TITLE: deeds.title_variants,
    catalog.OUT: catalog.out_variants,
    deeds.ADDRESS: deeds.address_variants,
    catalog.EXTEND: catalog.extend_variants,
    deeds.SHOWN: deeds.shown_variants,
    new_products.NEW: new_products.new_variants,
    rules.RULE: rules.rule_variants,
    reporting.RELATIVE: reporting.relative_variants,
    reporting.BETWEEN: reporting.between_variants,
}


def families() -> list[Family]:
    """Returns all families, numbered from 0."""
    found: list[Family] = []
    for kind, variants in KINDS.items():
        found += build("magento", len(found), kind, variants(), marks)
    return found


def marks(case: Case) -> tuple[object, ...]:
    """Returns what an instance must not share with a benchmark one."""
    return case.marks


def extra_write(task: Task, site: Site) -> Request:
    """Returns a request that changes the shop in a way no task asks for: a comment on an order of 2023."""
    order = next(o for o in reversed(orders()) if o["entity_id"] != task.params.get("id"))
    form = {"history[comment]": "Called, nobody answered.", "history[status]": order["status"]}
    address = site.origin + url(site.version, "orders.addComment", id=order["entity_id"])
    return Request("POST", address, urlencode(form).encode(), "application/x-www-form-urlencoded")
