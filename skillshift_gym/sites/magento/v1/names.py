"""Names that version 1.9 gives to its grids, columns, tabs and reports; templates find them as globals."""

from __future__ import annotations

GRIDS = {
    "orders": "sales_order_grid",
    "invoices": "sales_invoice_grid",
    "shipments": "sales_shipment_grid",
    "creditmemos": "sales_creditmemo_grid",
    "products": "productGrid",
    "customers": "customerGrid",
    "reviews": "reviwGrid",
    "salesrules": "promo_quote_grid",
    "catalogrules": "promo_catalog_grid",
    "pages": "cmsPageGrid",
    "blocks": "cmsBlockGrid",
    "searchterms": "catalog_search_grid",
    "subscribers": "subscriberGrid",
    "groups": "customerGroupGrid",
}
COLUMNS = {
    "orders": {"increment_id": "real_order_id"},
    "products": {"type_id": "type", "attribute_set": "set_name"},
    "customers": {
        "group_id": "group",
        "telephone": "Telephone",
        "postcode": "billing_postcode",
        "country_id": "billing_country_id",
        "region": "billing_region",
        "created_at": "customer_since",
    },
    "reviews": {"status_id": "status"},
    "searchterms": {"query_text": "search_query"},
    "groups": {"customer_group_id": "time", "customer_group_code": "type", "tax_class_id": "class_name"},
}
ICONS = {
    "orders": "head-sales-order",
    "invoices": "head-sales-invoice",
    "shipments": "head-sales-shipment",
    "creditmemos": "head-sales-creditmemo",
    "products": "head-products",
    "categories": "head-categories",
    "customers": "head-customer",
    "groups": "head-customer-groups",
    "reviews": "head-review",
    "salesrules": "head-promo-quote",
    "catalogrules": "head-promo-catalog",
    "pages": "head-cms-page",
    "blocks": "head-cms-block",
    "searchterms": "head-catalog-search",
    "subscribers": "head-newsletter-list",
}
TABS = {
    "product": (
        "product_info_tabs",
        "Product Information",
        {
            "general": "group_7",
            "prices": "group_8",
            "meta": "group_9",
            "content": "group_11",
            "attributes": "group_13",
            "inventory": "inventory",
            "categories": "categories",
            "variants": "configurable",
        },
    ),
    "salesrule": (
        "promo_quote_edit_tabs",
        "Shopping Cart Price Rule",
        {"information": "main_section", "conditions": "conditions_section", "actions": "actions_section"},
    ),
    "catalogrule": (
        "promo_catalog_edit_tabs",
        "Catalog Price Rule",
        {"information": "main_section", "conditions": "conditions_section", "actions": "actions_section"},
    ),
    "page": (
        "page_tabs",
        "Page Information",
        {
            "information": "main_section",
            "content": "content_section",
            "design": "design_section",
            "meta": "meta_section",
        },
    ),
    "customer": (
        "customer_info_tabs",
        "Customer Information",
        {"account": "account", "addresses": "addresses", "orders": "orders"},
    ),
    "category": ("category_info_tabs", "Category Data", {"general": "group_4", "content": "group_5"}),
    "order": (
        "sales_order_view_tabs",
        "Order View",
        {
            "information": "order_info",
            "invoices": "order_invoices",
            "creditmemos": "order_creditmemos",
            "shipments": "order_shipments",
            "history": "order_history",
        },
    ),
    "many": (
        "attributes_update_tabs",
        "Products Information",
        {"general": "attributes", "prices": "prices", "inventory": "inventory", "attributes": "others"},
    ),
}
FORMS = {"product": "product_edit_form", "category": "category_edit_form"}
DELETES = {
    "review": "Delete Review",
    "customer": "Delete Customer",
    "page": "Delete Page",
    "block": "Delete Block",
    "group": "Delete Customer Group",
    "searchterm": "Delete Search",
    "category": "Delete Category",
    "address": "Delete Address",
}
CONTINUES = ("product", "salesrule", "catalogrule", "page", "block", "customer")
REPORTS = {
    "sold": "gridProductsSold",
    "lowstock": "gridLowstock",
    "cart": "gridProducts",
    "abandoned": "gridAbandoned",
    "search": "searchReportGrid",
    "reviews_customer": "customers_grid",
    "reviews_product": "gridProducts",
    "accounts": "gridAccounts",
    "totals": "gridTotals",
    "orders": "gridOrders",
}
MENUS = {
    "sales": "Sales",
    "catalog": "Catalog",
    "customer": "Customers",
    "promo": "Promotions",
    "newsletter": "Newsletter",
    "cms": "CMS",
    "report": "Reports",
    "system": "System",
    "dashboard": "Dashboard",
}
COUNTRIES = {"US": "United States", "CA": "Canada", "GB": "United Kingdom", "DE": "Germany"}
NAMES = {
    "GRIDS": GRIDS, "COLUMNS": COLUMNS, "ICONS": ICONS, "TABS": TABS, "FORMS": FORMS, "DELETES": DELETES,
    "CONTINUES": CONTINUES, "REPORTS": REPORTS, "MENUS": MENUS, "COUNTRIES": COUNTRIES,
}  # fmt: skip
