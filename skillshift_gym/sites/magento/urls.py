"""Addresses of both versions: endpoint -> path, as the products have them.

Version 1.9 puts everything below `/index.php/admin/` and ends each address with a secret key, version 2.4 below `/admin/`.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from functools import cache
from urllib.parse import urlencode

# The secret of the session that the seed holds; in the product it changes with every sign-in.
KEY = hashlib.sha256(b"magento 1.9, session of the seed").hexdigest()[:32]
_BASES = {"v1": "/index.php/admin/", "v2": "/admin/"}
_VALUE = re.compile(r"<(?:\w+:)?(\w+)>")


def _documents(name: str, v1: str, v2: str, id_name: str) -> dict[str, tuple[str, str]]:
    return {
        f"{name}.grid": (v1, v2),
        f"{name}.view": (f"{v1}/view/{id_name}/<int:id>", f"{v2}/view/{id_name}/<int:id>"),
    }


def _crud(name: str, v1: str, v2: str, id_name: str) -> dict[str, tuple[str, str]]:
    """Returns the addresses of a list with its form: grid, new, edit, save (POST), delete (POST) and mass (POST)."""
    return {
        f"{name}.grid": (v1, v2),
        f"{name}.new": (f"{v1}/new", f"{v2}/new"),
        f"{name}.edit": (f"{v1}/edit/{id_name}/<int:id>", f"{v2}/edit/{id_name}/<int:id>"),
        f"{name}.create": (f"{v1}/save", f"{v2}/save"),
        f"{name}.save": (f"{v1}/save/{id_name}/<int:id>", f"{v2}/save/{id_name}/<int:id>"),
        f"{name}.delete": (f"{v1}/delete/{id_name}/<int:id>", f"{v2}/delete/{id_name}/<int:id>"),
        f"{name}.mass": (f"{v1}/massAction", f"{v2}/massAction"),
    }


def _order(deed: str) -> tuple[str, str]:
    return f"sales_order/{deed}/order_id/<int:id>", f"sales/order/{deed}/order_id/<int:id>"


ENDPOINTS: dict[str, tuple[str, str]] = {
    "dashboard": ("dashboard", "admin/dashboard"),
    "orders.grid": ("sales_order", "sales/order"),
    "orders.view": _order("view"),
    **{f"orders.{deed}": _order(deed) for deed in ("cancel", "hold", "unhold", "email", "reorder", "addComment")},
    "orders.mass": ("sales_order/massAction", "sales/order/massAction"),
    "orders.address": ("sales_order/address/address_id/<int:id>", "sales/order/address/address_id/<int:id>"),
    "orders.addressSave": ("sales_order/addressSave/address_id/<int:id>", "sales/order/addressSave/address_id/<int:id>"),
    "orders.invoice": ("sales_order_invoice/new/order_id/<int:id>", "sales/order_invoice/new/order_id/<int:id>"),
    "orders.invoiceSave": ("sales_order_invoice/save/order_id/<int:id>", "sales/order_invoice/save/order_id/<int:id>"),
    "orders.ship": ("sales_order_shipment/new/order_id/<int:id>", "admin/order_shipment/new/order_id/<int:id>"),
    "orders.shipSave": ("sales_order_shipment/save/order_id/<int:id>", "admin/order_shipment/save/order_id/<int:id>"),
    "orders.creditmemo": ("sales_order_creditmemo/new/order_id/<int:id>", "sales/order_creditmemo/new/order_id/<int:id>"),
    "orders.creditmemoSave": (
        "sales_order_creditmemo/save/order_id/<int:id>", "sales/order_creditmemo/save/order_id/<int:id>",
    ),
    **_documents("invoices", "sales_invoice", "sales/invoice", "invoice_id"),
    **_documents("shipments", "sales_shipment", "sales/shipment", "shipment_id"),
    "shipments.addTrack": (
        "sales_order_shipment/addTrack/shipment_id/<int:id>", "admin/order_shipment/addTrack/shipment_id/<int:id>",
    ),
    **_documents("creditmemos", "sales_creditmemo", "sales/creditmemo", "creditmemo_id"),
    **_crud("products", "catalog_product", "catalog/product", "id"),
    "products.form": ("catalog_product/new/set/<set>/type/<type>", "catalog/product/new/set/<set>/type/<type>"),
    "products.variants": ("catalog_product/variants/id/<int:id>", "catalog/product/variants/id/<int:id>"),
    "products.attributes": (
        "catalog_product_action_attribute/edit", "catalog/product_action_attribute/edit",
    ),
    "products.attributesSave": ("catalog_product_action_attribute/save", "catalog/product_action_attribute/save"),
    **_crud("categories", "catalog_category", "catalog/category", "id"),
    "categories.newBelow": ("catalog_category/add/parent/<int:id>", "catalog/category/add/parent/<int:id>"),
    **_crud("customers", "customer", "customer/index", "id"),
    "customers.address": ("customer/address/id/<int:id>", "customer/address/edit/id/<int:id>"),
    "customers.addressSave": ("customer/addressSave/id/<int:id>", "customer/address/save/id/<int:id>"),
    "customers.addressNew": ("customer/addressNew/id/<int:id>", "customer/address/new/parent_id/<int:id>"),
    "customers.addressCreate": ("customer/addressCreate/id/<int:id>", "customer/address/create/parent_id/<int:id>"),
    "customers.addressDelete": ("customer/addressDelete/id/<int:id>", "customer/address/delete/id/<int:id>"),
    **_crud("groups", "customer_group", "customer/group", "id"),
    **_crud("reviews", "catalog_product_review", "review/product", "id"),
    "reviews.pending": ("catalog_product_review/pending", "review/product/pending"),
    **_crud("salesrules", "promo_quote", "sales_rule/promo_quote", "id"),
    **_crud("catalogrules", "promo_catalog", "catalog_rule/promo_catalog", "id"),
    **_crud("pages", "cms_page", "cms/page", "page_id"),
    **_crud("blocks", "cms_block", "cms/block", "block_id"),
    **_crud("searchterms", "catalog_search", "search/term", "id"),
    "subscribers.grid": ("newsletter_subscriber", "newsletter/subscriber"),
    "subscribers.mass": ("newsletter_subscriber/massAction", "newsletter/subscriber/massAction"),
    "config.edit": ("system_config/edit/section/<section>", "admin/system_config/edit/section/<section>"),
    "config.save": ("system_config/save/section/<section>", "admin/system_config/save/section/<section>"),
    "reports.sales": ("report_sales/sales", "reports/report_sales/sales"),
    "reports.tax": ("report_sales/tax", "reports/report_sales/tax"),
    "reports.invoiced": ("report_sales/invoiced", "reports/report_sales/invoiced"),
    "reports.shipping": ("report_sales/shipping", "reports/report_sales/shipping"),
    "reports.refunded": ("report_sales/refunded", "reports/report_sales/refunded"),
    "reports.coupons": ("report_sales/coupons", "reports/report_sales/coupons"),
    "reports.bestsellers": ("report_sales/bestsellers", "reports/report_sales/bestsellers"),
    "reports.sold": ("report_product/sold", "reports/report_product/sold"),
    "reports.viewed": ("report_product/viewed", "reports/report_product/viewed"),
    "reports.lowstock": ("report_product/lowstock", "reports/report_product/lowstock"),
    "reports.cart": ("report_shopcart/product", "reports/report_shopcart/product"),
    "reports.abandoned": ("report_shopcart/abandoned", "reports/report_shopcart/abandoned"),
    "reports.search": ("report/search", "search/term/report"),
    "reports.reviews_customer": ("report_review/customer", "reports/report_review/customer"),
    "reports.reviews_product": ("report_review/product", "reports/report_review/product"),
    "reports.accounts": ("report_customer/accounts", "reports/report_customer/accounts"),
    "reports.totals": ("report_customer/totals", "reports/report_customer/totals"),
    "reports.orders": ("report_customer/orders", "reports/report_customer/orders"),
    "export": ("export/grid/<name>", "mui/export/gridToCsv/namespace/<name>"),
    "logout": ("index/logout", "admin/auth/logout"),
    "plain": ("page/about/<name>", "admin/page/about/<name>"),
}  # fmt: skip


def pattern(version: str, endpoint: str) -> str:
    """Returns the routing pattern of an endpoint, in Werkzeug's form."""
    path = ENDPOINTS[endpoint][0 if version == "v1" else 1]
    return f"{_BASES[version]}{path}/" + ("key/<key>/" if version == "v1" else "")


@cache
def _template(version: str, endpoint: str) -> str:
    """Returns the pattern of an endpoint as a format string, the session's key filled in."""
    return _VALUE.sub(lambda match: KEY if match[1] == "key" else f"{{{match[1]}}}", pattern(version, endpoint))


def url(version: str, endpoint: str, query: Mapping[str, object] | None = None, **values: object) -> str:
    """Returns the address of an endpoint.

    Args:
        version: `v1` or `v2`.
        endpoint: A key of `ENDPOINTS`.
        query: Fields of the query; those that are empty are left out.
        **values: Values of the pattern, such as `id=5`.
    """
    path = _template(version, endpoint).format(**values)
    fields = {name: value for name, value in (query or {}).items() if value not in ("", None)}
    return path + (f"?{urlencode(fields)}" if fields else "")


def home(version: str) -> str:
    """Returns the address that the admin starts at."""
    return _BASES[version]
