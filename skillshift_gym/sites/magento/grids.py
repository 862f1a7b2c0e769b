"""The grids of the shop, with the columns and headings of both versions."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from .grid import Column, Grid
from .schema import (
    ORDER_STATUS,
    PRODUCT_TYPE,
    REVIEW_STATUS,
    SUBSCRIBER_STATUS,
    VISIBILITY,
)

ACTIVE = {1: "Active", 0: "Inactive"}
ENABLED = {1: "Enabled", 2: "Disabled"}
SWITCH = {1: "Enabled", 0: "Disabled"}


def groups(db: sqlite3.Connection) -> Mapping[int, str]:
    """Returns customer group id -> name."""
    rows = db.execute("SELECT * FROM customer_group ORDER BY customer_group_id")
    return {row["customer_group_id"]: row["customer_group_code"] for row in rows}


_NAME = "{0}.firstname || ' ' || {0}.lastname"
_ORDER_SOURCE = (
    "sales_order o JOIN sales_order_address b ON b.parent_id = o.entity_id AND b.address_type = 'billing' "
    "JOIN sales_order_address s ON s.parent_id = o.entity_id AND s.address_type = 'shipping'"
)

ORDERS = Grid(
    "orders",
    _ORDER_SOURCE,
    "o.entity_id",
    (
        Column("increment_id", "Order #", "ID", sql="o.increment_id"),
        Column("store", "", "Purchase Point", "options", "'1'", {1: "Main Website Store"}),
        Column("created_at", "Purchased On", "Purchase Date", "date", "o.created_at"),
        Column("billing_name", "Bill to Name", "Bill-to Name", sql=_NAME.format("b")),
        Column("shipping_name", "Ship to Name", "Ship-to Name", sql=_NAME.format("s")),
        Column("base_grand_total", "G.T. (Base)", "Grand Total (Base)", "price", "o.grand_total"),
        Column("grand_total", "G.T. (Purchased)", "Grand Total (Purchased)", "price", "o.grand_total"),
        Column("status", "Status", "Status", "options", "o.status", ORDER_STATUS),
    ),
    sort="created_at",
    keyword=("o.increment_id", _NAME.format("b"), _NAME.format("s"), "o.customer_email"),
    extra={"customer_id": "o.customer_id", "customer_email": "o.customer_email"},
)

_DOCUMENT_SOURCE = (
    "{0} d JOIN sales_order o ON o.entity_id = d.order_id "
    "JOIN sales_order_address b ON b.parent_id = o.entity_id AND b.address_type = 'billing' "
    "JOIN sales_order_address s ON s.parent_id = o.entity_id AND s.address_type = 'shipping'"
)


def _documents(name: str, table: str, title: str, who: tuple[str, str, str], last: Column) -> Grid:
    """Returns the grid of invoices, shipments or credit memos."""
    heading_v1, heading_v2, alias = who
    return Grid(
        name,
        _DOCUMENT_SOURCE.format(table),
        "d.entity_id",
        (
            Column("increment_id", f"{title} #", title, sql="d.increment_id"),
            Column("created_at", f"{title} Date" if title == "Invoice" else f"Date {'Shipped' if title == 'Shipment' else 'Created'}",
                   f"{title} Date" if title == "Invoice" else ("Ship Date" if title == "Shipment" else "Created"), "date", "d.created_at"),
            Column("order_increment_id", "Order #", "Order #", sql="o.increment_id"),
            Column("order_created_at", "Order Date", "Order Date", "date", "o.created_at"),
            Column("name", heading_v1, heading_v2, sql=_NAME.format(alias)),
            last,
        ),
        sort="created_at",
        keyword=("d.increment_id", "o.increment_id", _NAME.format(alias)),
        extra={"order_id": "d.order_id"},
    )  # fmt: skip


INVOICES = _documents(
    "invoices", "sales_invoice", "Invoice", ("Bill to Name", "Bill-to Name", "b"),
    Column("grand_total", "Amount", "Grand Total (Base)", "price", "d.grand_total"),
)  # fmt: skip
SHIPMENTS = _documents(
    "shipments", "sales_shipment", "Shipment", ("Ship to Name", "Ship-to Name", "s"),
    Column("total_qty", "Total Qty", "Total Quantity", "number", "d.total_qty"),
)  # fmt: skip
CREDITMEMOS = _documents(
    "creditmemos", "sales_creditmemo", "Credit Memo", ("Bill to Name", "Bill-to Name", "b"),
    Column("grand_total", "Refunded", "Refunded", "price", "d.grand_total"),
)  # fmt: skip

PRODUCTS = Grid(
    "products",
    "catalog_product p JOIN cataloginventory_stock_item t ON t.product_id = p.entity_id",
    "p.entity_id",
    (
        Column("entity_id", "ID", "ID", "number", "p.entity_id"),
        Column("name", "Name", "Name", sql="p.name"),
        Column("type_id", "Type", "Type", "options", "p.type_id", PRODUCT_TYPE),
        Column("attribute_set", "Attrib. Set Name", "Attribute Set", "options", "p.attribute_set", {"Clothing": "Clothing", "Gear": "Gear"}),
        Column("sku", "SKU", "SKU", sql="p.sku"),
        Column("price", "Price", "Price", "price", "p.price"),
        Column("qty", "Qty", "Quantity", "number", "t.qty"),
        Column("visibility", "Visibility", "Visibility", "options", "p.visibility", VISIBILITY),
        Column("status", "Status", "Status", "options", "p.status", ENABLED),
    ),
    sort="entity_id",
    keyword=("p.name", "p.sku"),
    extra={"color": "p.color", "size": "p.size"},
)  # fmt: skip

CUSTOMERS = Grid(
    "customers",
    "customer_entity c LEFT JOIN customer_address a ON a.parent_id = c.entity_id AND a.default_billing = 1",
    "c.entity_id",
    (
        Column("entity_id", "ID", "ID", "number", "c.entity_id"),
        Column("name", "Name", "Name", sql=_NAME.format("c")),
        Column("email", "Email", "Email", sql="c.email"),
        Column("group_id", "Group", "Group", "options", "c.group_id", groups),
        Column("telephone", "Telephone", "Phone", sql="COALESCE(a.telephone, '')"),
        Column("postcode", "ZIP", "ZIP", sql="COALESCE(a.postcode, '')"),
        Column("country_id", "Country", "Country", "options", "COALESCE(a.country_id, '')", {"US": "United States"}),
        Column("region", "State/Province", "State/Province", sql="COALESCE(a.region, '')"),
        Column("created_at", "Customer Since", "Customer Since", "date", "c.created_at"),
    ),
    sort="entity_id",
    keyword=(_NAME.format("c"), "c.email", "COALESCE(a.telephone, '')"),
)

REVIEWS = Grid(
    "reviews",
    "review r JOIN catalog_product p ON p.entity_id = r.product_id",
    "r.review_id",
    (
        Column("review_id", "ID", "ID", "number", "r.review_id"),
        Column("created_at", "Created On", "Created", "date", "r.created_at"),
        Column("status_id", "Status", "Status", "options", "r.status_id", REVIEW_STATUS),
        Column("title", "Title", "Title", sql="r.title"),
        Column("nickname", "Nickname", "Nickname", sql="r.nickname"),
        Column("detail", "Review", "Review", sql="r.detail"),
        Column("type", "Type", "Type", "options", "CASE WHEN r.customer_id THEN 1 ELSE 2 END", {1: "Customer", 2: "Guest"}),
        Column("name", "Product Name", "Product", sql="p.name"),
        Column("sku", "Product SKU", "SKU", sql="p.sku"),
    ),
    sort="review_id",
    extra={"product_id": "r.product_id", "rating": "r.rating"},
)  # fmt: skip

SALES_RULES = Grid(
    "salesrules",
    "salesrule r",
    "r.rule_id",
    (
        Column("rule_id", "ID", "ID", "number", "r.rule_id"),
        Column("name", "Rule Name", "Rule", sql="r.name"),
        Column("coupon_code", "Coupon Code", "Coupon Code", sql="r.coupon_code"),
        Column("from_date", "Date Start", "Start", "date", "r.from_date"),
        Column("to_date", "Date Expire", "End", "date", "r.to_date"),
        Column("is_active", "Status", "Status", "options", "r.is_active", ACTIVE),
        Column("website", "Website", "Web Site", "options", "r.website_ids", {1: "Main Website"}),
        Column("sort_order", "Priority", "Priority", "number", "r.sort_order"),
    ),
    sort="sort_order",
    direction="asc",
    extra={"coupon_type": "r.coupon_type"},
)

CATALOG_RULES = Grid(
    "catalogrules",
    "catalogrule r",
    "r.rule_id",
    (
        Column("rule_id", "ID", "ID", "number", "r.rule_id"),
        Column("name", "Rule Name", "Rule", sql="r.name"),
        Column("from_date", "Date Start", "Start", "date", "r.from_date"),
        Column("to_date", "Date Expire", "End", "date", "r.to_date"),
        Column("is_active", "Status", "Status", "options", "r.is_active", ACTIVE),
        Column("website", "Website", "Web Site", "options", "r.website_ids", {1: "Main Website"}),
    ),
    sort="rule_id",
    direction="asc",
)

CMS_PAGES = Grid(
    "pages",
    "cms_page g",
    "g.page_id",
    (
        Column("page_id", "", "ID", "number", "g.page_id"),
        Column("title", "Title", "Title", sql="g.title"),
        Column("identifier", "URL Key", "URL Key", sql="g.identifier"),
        Column("page_layout", "Layout", "Layout", "options", "g.page_layout", {"1column": "1 column", "2columns-left": "2 columns with left bar"}),
        Column("store", "Store View", "Store View", "options", "'0'", {0: "All Store Views"}),
        Column("is_active", "Status", "Status", "options", "g.is_active", SWITCH),
        Column("creation_time", "Date Created", "Created", "date", "g.creation_time"),
        Column("update_time", "Last Modified", "Modified", "date", "g.update_time"),
    ),
    sort="title",
    direction="asc",
    keyword=("g.title", "g.identifier", "g.content"),
)  # fmt: skip

CMS_BLOCKS = Grid(
    "blocks",
    "cms_block g",
    "g.block_id",
    (
        Column("block_id", "", "ID", "number", "g.block_id"),
        Column("title", "Title", "Title", sql="g.title"),
        Column("identifier", "Identifier", "Identifier", sql="g.identifier"),
        Column("store", "Store View", "Store View", "options", "'0'", {0: "All Store Views"}),
        Column("is_active", "Status", "Status", "options", "g.is_active", SWITCH),
        Column("creation_time", "Date Created", "Created", "date", "g.creation_time"),
        Column("update_time", "Last Modified", "Modified", "date", "g.update_time"),
    ),
    sort="title",
    direction="asc",
    keyword=("g.title", "g.identifier", "g.content"),
)

SEARCH_TERMS = Grid(
    "searchterms",
    "search_query q",
    "q.query_id",
    (
        Column("query_text", "Search Query", "Search Query", sql="q.query_text"),
        Column("store", "Store", "Store", "options", "'1'", {1: "Default Store View"}),
        Column("num_results", "Results", "Results", "number", "q.num_results"),
        Column("popularity", "Number of Uses", "Uses", "number", "q.popularity"),
        Column("redirect", "Redirect", "Redirect URL", sql="q.redirect"),
        Column("display_in_terms", "Display in Suggested Terms", "Suggested Terms", "options", "q.display_in_terms", {1: "Yes", 0: "No"}),
    ),
    sort="query_text",
    direction="asc",
)  # fmt: skip

SUBSCRIBERS = Grid(
    "subscribers",
    "newsletter_subscriber n LEFT JOIN customer_entity c ON c.entity_id = n.customer_id",
    "n.subscriber_id",
    (
        Column("subscriber_id", "ID", "ID", "number", "n.subscriber_id"),
        Column("email", "Email", "Email", sql="n.subscriber_email"),
        Column("type", "Type", "Type", "options", "CASE WHEN n.customer_id THEN 2 ELSE 1 END", {1: "Guest", 2: "Customer"}),
        Column("firstname", "Customer First Name", "Customer First Name", sql="COALESCE(c.firstname, '')"),
        Column("lastname", "Customer Last Name", "Customer Last Name", sql="COALESCE(c.lastname, '')"),
        Column("status", "Status", "Status", "options", "n.subscriber_status", SUBSCRIBER_STATUS),
    ),
    sort="subscriber_id",
)  # fmt: skip

GROUPS = Grid(
    "groups",
    "customer_group g",
    "g.customer_group_id",
    (
        Column("customer_group_id", "ID", "ID", "number", "g.customer_group_id"),
        Column("customer_group_code", "Group Name", "Group", sql="g.customer_group_code"),
        Column("tax_class_id", "Tax Class", "Tax Class", "options", "g.tax_class_id", {3: "Retail Customer"}),
    ),
    sort="customer_group_id",
    direction="asc",
)

GRIDS = {
    grid.name: grid
    for grid in (
        ORDERS, INVOICES, SHIPMENTS, CREDITMEMOS, PRODUCTS, CUSTOMERS, REVIEWS, SALES_RULES, CATALOG_RULES, CMS_PAGES,
        CMS_BLOCKS, SEARCH_TERMS, SUBSCRIBERS, GROUPS,
    )
}  # fmt: skip
