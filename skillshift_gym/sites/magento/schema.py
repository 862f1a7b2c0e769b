"""Tables of the shop, and which of their columns tasks may judge.

The shape follows Magento with the entity-attribute tables folded into columns. Money is in integer cents. Dates are
ISO strings in the shop's local time, without zone: `2024-03-15T09:30:00`; fields ending in `_date` or `_on` are days.
"""

from __future__ import annotations

from datetime import datetime

EPOCH = datetime(2024, 6, 28, 9, 0, 0)

# Values that Magento keeps as numbers, and their labels.
ENABLED, DISABLED = 1, 2
VISIBILITY = {1: "Not Visible Individually", 2: "Catalog", 3: "Search", 4: "Catalog, Search"}
REVIEW_STATUS = {1: "Approved", 2: "Pending", 3: "Not Approved"}
ORDER_STATUS = {
    "pending": "Pending",
    "processing": "Processing",
    "complete": "Complete",
    "closed": "Closed",
    "canceled": "Canceled",
    "holded": "On Hold",
}
PRODUCT_TYPE = {"simple": "Simple Product", "configurable": "Configurable Product"}
SUBSCRIBER_STATUS = {1: "Subscribed", 2: "Not Activated", 3: "Unsubscribed"}
TAX_CLASS = {0: "None", 2: "Taxable Goods"}
ACTIONS = {  # of price rules
    "by_percent": "Percent of product price discount",
    "by_fixed": "Fixed amount discount",
    "cart_fixed": "Fixed amount discount for whole cart",
    "buy_x_get_y": "Buy X get Y free",
}
COUPON_TYPE = {1: "No Coupon", 2: "Specific Coupon"}

SCHEMA = """
CREATE TABLE admin_user (user_id INTEGER PRIMARY KEY, username TEXT UNIQUE, firstname TEXT, lastname TEXT, email TEXT, hash TEXT);
CREATE TABLE core_config_data (config_id INTEGER PRIMARY KEY, path TEXT UNIQUE, value TEXT);
CREATE TABLE customer_group (customer_group_id INTEGER PRIMARY KEY, customer_group_code TEXT UNIQUE, tax_class_id INTEGER);
CREATE TABLE customer_entity (
    entity_id INTEGER PRIMARY KEY, email TEXT UNIQUE, firstname TEXT, lastname TEXT, group_id INTEGER, dob TEXT,
    gender INTEGER, is_active INTEGER, created_at TEXT, updated_at TEXT
);
CREATE TABLE customer_address (
    entity_id INTEGER PRIMARY KEY, parent_id INTEGER, firstname TEXT, lastname TEXT, company TEXT, street TEXT, city TEXT,
    region TEXT, postcode TEXT, country_id TEXT, telephone TEXT, default_billing INTEGER, default_shipping INTEGER
);
CREATE INDEX customer_address_parent ON customer_address (parent_id);
CREATE TABLE catalog_category (
    entity_id INTEGER PRIMARY KEY, parent_id INTEGER, name TEXT, url_key TEXT, description TEXT, is_active INTEGER,
    include_in_menu INTEGER, position INTEGER, level INTEGER
);
CREATE TABLE catalog_product (
    entity_id INTEGER PRIMARY KEY, sku TEXT UNIQUE, type_id TEXT, attribute_set TEXT, name TEXT, price INTEGER,
    special_price INTEGER, weight TEXT, status INTEGER, visibility INTEGER, tax_class_id INTEGER, description TEXT,
    short_description TEXT, url_key TEXT, meta_title TEXT, meta_description TEXT, manufacturer TEXT, kind TEXT,
    material TEXT, color TEXT, size TEXT, parent_id INTEGER, created_at TEXT, updated_at TEXT
);
CREATE INDEX catalog_product_parent ON catalog_product (parent_id);
CREATE TABLE catalog_category_product (id INTEGER PRIMARY KEY, category_id INTEGER, product_id INTEGER, UNIQUE (category_id, product_id));
CREATE INDEX catalog_category_product_product ON catalog_category_product (product_id);
CREATE TABLE cataloginventory_stock_item (
    item_id INTEGER PRIMARY KEY, product_id INTEGER UNIQUE, qty INTEGER, is_in_stock INTEGER, manage_stock INTEGER, min_qty INTEGER
);
CREATE TABLE sales_order (
    entity_id INTEGER PRIMARY KEY, increment_id TEXT UNIQUE, state TEXT, status TEXT, created_at TEXT, updated_at TEXT,
    customer_id INTEGER, customer_email TEXT, customer_firstname TEXT, customer_lastname TEXT, customer_group_id INTEGER,
    subtotal INTEGER, shipping_amount INTEGER, discount_amount INTEGER, tax_amount INTEGER, grand_total INTEGER,
    total_paid INTEGER, total_refunded INTEGER, total_qty_ordered INTEGER, coupon_code TEXT, shipping_description TEXT,
    payment_method TEXT, hold_before_status TEXT
);
CREATE INDEX sales_order_created ON sales_order (created_at);
CREATE TABLE sales_order_address (
    entity_id INTEGER PRIMARY KEY, parent_id INTEGER, address_type TEXT, firstname TEXT, lastname TEXT, company TEXT,
    street TEXT, city TEXT, region TEXT, postcode TEXT, country_id TEXT, telephone TEXT, email TEXT
);
CREATE INDEX sales_order_address_parent ON sales_order_address (parent_id);
CREATE TABLE sales_order_item (
    item_id INTEGER PRIMARY KEY, order_id INTEGER, product_id INTEGER, sku TEXT, name TEXT, options TEXT, price INTEGER,
    qty_ordered INTEGER, qty_invoiced INTEGER, qty_shipped INTEGER, qty_refunded INTEGER, qty_canceled INTEGER,
    row_total INTEGER, tax_amount INTEGER, discount_amount INTEGER
);
CREATE INDEX sales_order_item_order ON sales_order_item (order_id);
CREATE TABLE sales_order_status_history (
    entity_id INTEGER PRIMARY KEY, parent_id INTEGER, status TEXT, comment TEXT, is_customer_notified INTEGER,
    is_visible_on_front INTEGER, created_at TEXT
);
CREATE INDEX sales_order_status_history_parent ON sales_order_status_history (parent_id);
CREATE TABLE sales_invoice (
    entity_id INTEGER PRIMARY KEY, increment_id TEXT UNIQUE, order_id INTEGER, state INTEGER, grand_total INTEGER, total_qty INTEGER, created_at TEXT
);
CREATE TABLE sales_shipment (entity_id INTEGER PRIMARY KEY, increment_id TEXT UNIQUE, order_id INTEGER, total_qty INTEGER, created_at TEXT);
CREATE TABLE sales_shipment_track (
    entity_id INTEGER PRIMARY KEY, parent_id INTEGER, order_id INTEGER, carrier_code TEXT, title TEXT, track_number TEXT, created_at TEXT
);
CREATE TABLE sales_creditmemo (
    entity_id INTEGER PRIMARY KEY, increment_id TEXT UNIQUE, order_id INTEGER, state INTEGER, grand_total INTEGER, created_at TEXT
);
CREATE TABLE review (
    review_id INTEGER PRIMARY KEY, created_at TEXT, product_id INTEGER, status_id INTEGER, customer_id INTEGER, nickname TEXT,
    title TEXT, detail TEXT, rating INTEGER
);
CREATE TABLE salesrule (
    rule_id INTEGER PRIMARY KEY, name TEXT, description TEXT, is_active INTEGER, from_date TEXT, to_date TEXT,
    coupon_type INTEGER, coupon_code TEXT, uses_per_coupon INTEGER, uses_per_customer INTEGER, website_ids TEXT,
    customer_group_ids TEXT, sort_order INTEGER, simple_action TEXT, discount_amount INTEGER, discount_qty INTEGER,
    discount_step INTEGER, apply_to_shipping INTEGER, simple_free_shipping INTEGER, stop_rules_processing INTEGER,
    conditions TEXT, times_used INTEGER
);
CREATE TABLE catalogrule (
    rule_id INTEGER PRIMARY KEY, name TEXT, description TEXT, is_active INTEGER, from_date TEXT, to_date TEXT,
    website_ids TEXT, customer_group_ids TEXT, sort_order INTEGER, simple_action TEXT, discount_amount INTEGER,
    stop_rules_processing INTEGER, conditions TEXT
);
CREATE TABLE cms_page (
    page_id INTEGER PRIMARY KEY, title TEXT, identifier TEXT UNIQUE, content_heading TEXT, content TEXT, is_active INTEGER,
    page_layout TEXT, meta_keywords TEXT, meta_description TEXT, creation_time TEXT, update_time TEXT
);
CREATE TABLE cms_block (
    block_id INTEGER PRIMARY KEY, title TEXT, identifier TEXT UNIQUE, content TEXT, is_active INTEGER, creation_time TEXT, update_time TEXT
);
CREATE TABLE search_query (
    query_id INTEGER PRIMARY KEY, query_text TEXT UNIQUE, num_results INTEGER, popularity INTEGER, redirect TEXT,
    display_in_terms INTEGER, updated_at TEXT
);
CREATE TABLE newsletter_subscriber (
    subscriber_id INTEGER PRIMARY KEY, subscriber_email TEXT UNIQUE, customer_id INTEGER, subscriber_status INTEGER
);
CREATE TABLE quote (
    entity_id INTEGER PRIMARY KEY, customer_id INTEGER, items_count INTEGER, items_qty INTEGER, subtotal INTEGER,
    coupon_code TEXT, created_at TEXT, updated_at TEXT
);
CREATE TABLE quote_item (item_id INTEGER PRIMARY KEY, quote_id INTEGER, product_id INTEGER, qty INTEGER, price INTEGER);
CREATE TABLE report_viewed_product (id INTEGER PRIMARY KEY, product_id INTEGER, viewed_on TEXT, views INTEGER);
CREATE INDEX report_viewed_product_day ON report_viewed_product (viewed_on);
"""

_ADDRESS = ("firstname", "lastname", "company", "street", "city", "region", "postcode", "country_id", "telephone")

BUSINESS = {
    "core_config_data": ("path", "value"),
    "customer_group": ("customer_group_code", "tax_class_id"),
    "customer_entity": ("email", "firstname", "lastname", "group_id", "dob", "gender", "is_active"),
    "customer_address": ("parent_id", *_ADDRESS, "default_billing", "default_shipping"),
    "catalog_category": (
        "parent_id", "name", "url_key", "description", "is_active", "include_in_menu", "position", "level",
    ),
    "catalog_product": (
        "sku", "type_id", "attribute_set", "name", "price", "special_price", "weight", "status", "visibility",
        "tax_class_id", "description", "short_description", "url_key", "meta_title", "meta_description", "manufacturer",
        "kind", "material", "color", "size", "parent_id",
    ),
    "catalog_category_product": ("category_id", "product_id"),
    "cataloginventory_stock_item": ("product_id", "qty", "is_in_stock", "manage_stock", "min_qty"),
    "sales_order": (
        "increment_id", "state", "status", "customer_id", "customer_email", "customer_firstname", "customer_lastname",
        "grand_total", "total_paid", "total_refunded", "coupon_code", "shipping_description", "payment_method",
    ),
    "sales_order_address": ("parent_id", "address_type", *_ADDRESS, "email"),
    "sales_order_item": (
        "order_id", "sku", "qty_ordered", "qty_invoiced", "qty_shipped", "qty_refunded", "qty_canceled",
    ),
    "sales_order_status_history": ("parent_id", "status", "comment", "is_customer_notified", "is_visible_on_front"),
    "sales_invoice": ("increment_id", "order_id", "state", "grand_total", "total_qty"),
    "sales_shipment": ("increment_id", "order_id", "total_qty"),
    "sales_shipment_track": ("parent_id", "order_id", "carrier_code", "title", "track_number"),
    "sales_creditmemo": ("increment_id", "order_id", "state", "grand_total"),
    "review": ("product_id", "status_id", "customer_id", "nickname", "title", "detail", "rating"),
    "salesrule": (
        "name", "description", "is_active", "from_date", "to_date", "coupon_type", "coupon_code", "uses_per_coupon",
        "uses_per_customer", "website_ids", "customer_group_ids", "sort_order", "simple_action", "discount_amount",
        "discount_qty", "discount_step", "apply_to_shipping", "simple_free_shipping", "stop_rules_processing",
        "conditions",
    ),
    "catalogrule": (
        "name", "description", "is_active", "from_date", "to_date", "website_ids", "customer_group_ids", "sort_order",
        "simple_action", "discount_amount", "stop_rules_processing", "conditions",
    ),
    "cms_page": (
        "title", "identifier", "content_heading", "content", "is_active", "page_layout", "meta_keywords",
        "meta_description",
    ),
    "cms_block": ("title", "identifier", "content", "is_active"),
    "search_query": ("query_text", "num_results", "popularity", "redirect", "display_in_terms"),
    "newsletter_subscriber": ("subscriber_email", "customer_id", "subscriber_status"),
}  # fmt: skip
