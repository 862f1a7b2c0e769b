"""The reports of the shop."""

from __future__ import annotations

from .reports import Field, Report

_LIVE = "SUM(CASE WHEN o.status != 'canceled' THEN {0} ELSE 0 END)"
_ITEMS = "sales_order_item i JOIN sales_order o ON o.entity_id = i.order_id"

REPORTS = {
    report.name: report
    for report in (
        Report(
            "sales", "Total Ordered Report", "Orders Report", "sales_order o", "o.created_at",
            (
                Field("Orders", "count", "COUNT(*)"),
                Field("Sales Items", "count", _LIVE.format("o.total_qty_ordered")),
                Field("Sales Total", "money", _LIVE.format("o.grand_total")),
                Field("Invoiced", "money", "SUM(o.total_paid)"),
                Field("Refunded", "money", "SUM(o.total_refunded)"),
                Field("Sales Tax", "money", _LIVE.format("o.tax_amount")),
                Field("Sales Shipping", "money", _LIVE.format("o.shipping_amount")),
                Field("Sales Discount", "money", _LIVE.format("o.discount_amount")),
                Field("Canceled", "money", "SUM(CASE WHEN o.status = 'canceled' THEN o.grand_total ELSE 0 END)"),
            ),
            status="o.status", totals=True,
        ),
        Report(
            "tax", "Order Taxes Report Grouped by Tax Rate", "Tax Report", "sales_order o", "o.created_at",
            (
                Field("Tax", "text", "'State Sales Tax'"),
                Field("Rate", "text", "'8%'"),
                Field("Orders", "count", "COUNT(*)"),
                Field("Tax Amount", "money", "SUM(o.tax_amount)"),
            ),
            status="o.status", totals=True, condition="o.tax_amount > 0 AND o.status != 'canceled'",
        ),
        Report(
            "invoiced", "Total Invoiced vs. Paid Report", "Invoice Report", "sales_order o", "o.created_at",
            (
                Field("Orders", "count", "COUNT(*)"),
                Field("Invoiced Orders", "count", "SUM(o.total_paid > 0)"),
                Field("Total Invoiced", "money", "SUM(o.total_paid)"),
                Field("Paid Invoices", "money", "SUM(o.total_paid)"),
                Field("Unpaid Invoices", "money", "0"),
            ),
            status="o.status", totals=True,
        ),
        Report(
            "shipping", "Total Shipped Report", "Shipping Report", "sales_order o", "o.created_at",
            (
                Field("Carrier/Method", "text", "o.shipping_description"),
                Field("Orders", "count", "COUNT(*)"),
                Field("Total Sales Shipping", "money", "SUM(o.shipping_amount)"),
                Field("Total Shipping", "money", "SUM(o.shipping_amount)"),
            ),
            group=("o.shipping_description",), order="o.shipping_description", status="o.status", totals=True,
            condition="o.status IN ('processing', 'complete', 'closed')",
        ),
        Report(
            "refunded", "Total Refunded Report", "Refunds Report", "sales_order o", "o.created_at",
            (
                Field("Refunded Orders", "count", "COUNT(*)"),
                Field("Total Refunded", "money", "SUM(o.total_refunded)"),
                Field("Online Refunds", "money", "0"),
                Field("Offline Refunds", "money", "SUM(o.total_refunded)"),
            ),
            status="o.status", totals=True, condition="o.total_refunded > 0",
        ),
        Report(
            "coupons", "Coupons Usage Report", "Coupons Report", "sales_order o", "o.created_at",
            (
                Field("Coupon Code", "text", "o.coupon_code"),
                Field("Uses", "count", "COUNT(*)"),
                Field("Sales Subtotal Amount", "money", "SUM(o.subtotal)"),
                Field("Sales Discount Amount", "money", "SUM(o.discount_amount)"),
                Field("Sales Total Amount", "money", "SUM(o.grand_total)"),
            ),
            group=("o.coupon_code",), order="COUNT(*) DESC, o.coupon_code", status="o.status", totals=True,
            condition="o.coupon_code != '' AND o.status != 'canceled'",
        ),
        Report(
            "bestsellers", "Products Bestsellers Report", "Bestsellers Report", _ITEMS, "o.created_at",
            (
                Field("Product", "text", "i.name"),
                Field("Price", "money", "MAX(i.price)"),
                Field("Order Quantity", "count", "SUM(i.qty_ordered)"),
            ),
            group=("i.name",), order="SUM(i.qty_ordered) DESC, i.name", condition="o.status != 'canceled'", top=5,
        ),
        Report(
            "sold", "Products Ordered", "Ordered Products Report", _ITEMS, "o.created_at",
            (Field("Product Name", "text", "i.name"), Field("Quantity Ordered", "count", "SUM(i.qty_ordered)")),
            group=("i.name",), order="SUM(i.qty_ordered) DESC, i.name", condition="o.status != 'canceled'",
        ),
        Report(
            "viewed", "Products Most Viewed Report", "Product Views Report",
            "report_viewed_product v JOIN catalog_product p ON p.entity_id = v.product_id", "v.viewed_on",
            (
                Field("Product Name", "text", "p.name"),
                Field("Price", "money", "p.price"),
                Field("Number of Views", "count", "SUM(v.views)"),
            ),
            group=("p.entity_id",), order="SUM(v.views) DESC, p.name", top=5,
        ),
        Report(
            "lowstock", "Low stock", "Low Stock Report",
            "catalog_product p JOIN cataloginventory_stock_item t ON t.product_id = p.entity_id", "",
            (
                Field("Product Name", "text", "p.name"),
                Field("Product SKU", "text", "p.sku"),
                Field("Stock Qty", "count", "t.qty"),
            ),
            group=("p.entity_id",), order="t.qty, p.name", condition="t.manage_stock = 1 AND t.qty < 10",
        ),
        Report(
            "cart", "Products in carts", "Products in Carts", "quote_item q JOIN catalog_product p ON p.entity_id = q.product_id", "",
            (
                Field("Product Name", "text", "p.name"),
                Field("Price", "money", "MAX(q.price)"),
                Field("Carts", "count", "COUNT(*)"),
            ),
            group=("p.entity_id",), order="COUNT(*) DESC, p.name",
        ),
        Report(
            "abandoned", "Abandoned carts", "Abandoned Carts", "quote q JOIN customer_entity c ON c.entity_id = q.customer_id", "",
            (
                Field("Customer Name", "text", "c.firstname || ' ' || c.lastname"),
                Field("Email", "text", "c.email"),
                Field("Number of Items", "count", "q.items_count"),
                Field("Quantity of Items", "count", "q.items_qty"),
                Field("Subtotal", "money", "q.subtotal"),
                Field("Updated On", "text", "substr(q.updated_at, 1, 10)"),
            ),
            group=("q.entity_id",), order="q.updated_at DESC, q.entity_id",
        ),
        Report(
            "search", "Search Terms", "Search Terms Report", "search_query q", "",
            (
                Field("Search Query", "text", "q.query_text"),
                Field("Results", "count", "q.num_results"),
                Field("Hits", "count", "q.popularity"),
            ),
            group=("q.query_id",), order="q.popularity DESC, q.query_text",
        ),
        Report(
            "reviews_customer", "Customers Reviews", "Customer Reviews Report",
            "review r JOIN customer_entity c ON c.entity_id = r.customer_id", "",
            (Field("Customer Name", "text", "c.firstname || ' ' || c.lastname"), Field("Number Of Reviews", "count", "COUNT(*)")),
            group=("c.entity_id",), order="COUNT(*) DESC, c.lastname, c.firstname",
        ),
        Report(
            "reviews_product", "Products Reviews", "Product Reviews Report", "review r JOIN catalog_product p ON p.entity_id = r.product_id", "",
            (
                Field("Product Name", "text", "p.name"),
                Field("Number of Reviews", "count", "COUNT(*)"),
                Field("Avg. Rating", "text", "printf('%.2f', AVG(r.rating))"),
                Field("Last Review", "text", "substr(MAX(r.created_at), 1, 10)"),
            ),
            group=("p.entity_id",), order="COUNT(*) DESC, p.name",
        ),
        Report(
            "accounts", "New Accounts", "New Accounts Report", "customer_entity c", "c.created_at",
            (Field("Number of New Accounts", "count", "COUNT(*)"),), totals=True,
        ),
        Report(
            "totals", "Customers by orders total", "Order Total Report", "sales_order o", "o.created_at",
            (
                Field("Customer Name", "text", "o.customer_firstname || ' ' || o.customer_lastname"),
                Field("Number of Orders", "count", "COUNT(*)"),
                Field("Average Order Amount", "money", "SUM(o.grand_total) / COUNT(*)"),
                Field("Total Order Amount", "money", "SUM(o.grand_total)"),
            ),
            group=("o.customer_email",), order="SUM(o.grand_total) DESC, o.customer_email", condition="o.status != 'canceled'",
        ),
        Report(
            "orders", "Customers by number of orders", "Order Count Report", "sales_order o", "o.created_at",
            (
                Field("Customer Name", "text", "o.customer_firstname || ' ' || o.customer_lastname"),
                Field("Number of Orders", "count", "COUNT(*)"),
                Field("Average Order Amount", "money", "SUM(o.grand_total) / COUNT(*)"),
                Field("Total Order Amount", "money", "SUM(o.grand_total)"),
            ),
            group=("o.customer_email",), order="COUNT(*) DESC, o.customer_email", condition="o.status != 'canceled'",
        ),
    )
}  # fmt: skip
