"""Names that version 2.4 gives to its grids, forms and menu entries; templates find them as globals."""

from __future__ import annotations

GRIDS = {
    "orders": "sales_order_grid",
    "invoices": "sales_order_invoice_grid",
    "shipments": "sales_order_shipment_grid",
    "creditmemos": "sales_order_creditmemo_grid",
    "products": "product_listing",
    "customers": "customer_listing",
    "reviews": "reviewGrid",
    "salesrules": "promo_quote_grid",
    "catalogrules": "promo_catalog_grid",
    "pages": "cms_page_listing",
    "blocks": "cms_block_listing",
    "searchterms": "search_term_grid",
    "subscribers": "subscriberGrid",
    "groups": "customer_group_listing",
}
FORMS = {
    "product": "product_form",
    "salesrule": "sales_rule_form",
    "catalogrule": "catalog_rule_form",
    "page": "cms_page_form",
    "block": "cms_block_form",
    "customer": "customer_form",
    "category": "category_form",
}
# Folds whose `data-index` is not the section's name.
FOLDS = {
    "product.general": "product-details",
    "product.prices": "advanced-pricing",
    "product.inventory": "advanced-inventory",
    "product.meta": "search-engine-optimization",
    "product.variants": "configurable",
    "page.meta": "search_engine_optimisation",
    "page.information": "general",
    "salesrule.information": "rule_information",
    "catalogrule.information": "rule_information",
}
# Where saving is a button with a menu, and where "Save and Continue Edit" stands beside it.
SPLIT = ("product", "page", "block")
BESIDE = ("customer", "salesrule", "catalogrule")
DELETES = {
    "customer": "Delete Customer",
    "review": "Delete Review",
    "group": "Delete Customer Group",
    "page": "Delete Page",
    "block": "Delete Block",
    "searchterm": "Delete Search",
}
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
TOPS = {
    "Dashboard": "magento-backend-dashboard",
    "Sales": "magento-sales-sales",
    "Catalog": "magento-catalog-catalog",
    "Customers": "magento-customer-customer",
    "Marketing": "magento-backend-marketing",
    "Content": "magento-backend-content",
    "Reports": "magento-reports-report",
    "Stores": "magento-backend-stores",
    "System": "magento-backend-system",
}
LEAVES = {
    "orders.grid": "magento-sales-sales-order",
    "invoices.grid": "magento-sales-sales-invoice",
    "shipments.grid": "magento-sales-sales-shipment",
    "creditmemos.grid": "magento-sales-sales-creditmemo",
    "products.grid": "magento-catalog-catalog-products",
    "categories.grid": "magento-catalog-catalog-categories",
    "customers.grid": "magento-customer-customer-manage",
    "groups.grid": "magento-customer-customer-group",
    "catalogrules.grid": "magento-catalogrule-promo-catalog",
    "salesrules.grid": "magento-salesrule-promo-quote",
    "subscribers.grid": "magento-newsletter-newsletter-subscriber",
    "searchterms.grid": "magento-search-search-terms",
    "reviews.grid": "magento-review-catalog-reviews-ratings-reviews-all",
    "reviews.pending": "magento-review-catalog-reviews-ratings-pending",
    "pages.grid": "magento-cms-cms-page",
    "blocks.grid": "magento-cms-cms-block",
    "config.edit": "magento-config-system-config",
    "reports.cart": "magento-reports-report-shopcart-product",
    "reports.search": "magento-search-report-search-term",
    "reports.abandoned": "magento-reports-report-shopcart-abandoned",
    "reports.reviews_customer": "magento-review-report-review-customer",
    "reports.reviews_product": "magento-review-report-review-product",
    "reports.sales": "magento-reports-report-salesroot-sales",
    "reports.tax": "magento-reports-report-salesroot-tax",
    "reports.invoiced": "magento-reports-report-salesroot-invoiced",
    "reports.shipping": "magento-reports-report-salesroot-shipping",
    "reports.refunded": "magento-reports-report-salesroot-refunded",
    "reports.coupons": "magento-reports-report-salesroot-coupons",
    "reports.totals": "magento-reports-report-customers-totals",
    "reports.orders": "magento-reports-report-customers-orders",
    "reports.accounts": "magento-reports-report-customers-accounts",
    "reports.viewed": "magento-reports-report-products-viewed",
    "reports.bestsellers": "magento-reports-report-products-bestsellers",
    "reports.lowstock": "magento-reports-report-products-lowstock",
    "reports.sold": "magento-reports-report-products-sold",
}
# First part of an address below `/admin/` (or the second after `admin`) -> entry of the menu it belongs to.
PLACES = {
    "dashboard": "Dashboard",
    "sales": "Sales",
    "order_shipment": "Sales",
    "catalog": "Catalog",
    "customer": "Customers",
    "catalog_rule": "Marketing",
    "sales_rule": "Marketing",
    "newsletter": "Marketing",
    "review": "Marketing",
    "search": "Marketing",
    "cms": "Content",
    "reports": "Reports",
    "system_config": "Stores",
}
COUNTRIES = {"US": "United States", "CA": "Canada", "GB": "United Kingdom", "DE": "Germany"}
NAMES = {
    "GRIDS": GRIDS, "FORMS": FORMS, "FOLDS": FOLDS, "SPLIT": SPLIT, "BESIDE": BESIDE, "DELETES": DELETES, "REPORTS": REPORTS,
    "TOPS": TOPS, "LEAVES": LEAVES, "PLACES": PLACES, "COUNTRIES": COUNTRIES,
}  # fmt: skip
