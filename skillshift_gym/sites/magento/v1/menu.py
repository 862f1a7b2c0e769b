"""The menu of version 1.9, a horizontal bar."""

from __future__ import annotations

from ..front import Entry, plain

MENU = (
    Entry("Dashboard", "dashboard"),
    Entry(
        "Sales",
        children=(
            Entry("Orders", "orders.grid"),
            Entry("Invoices", "invoices.grid"),
            Entry("Shipments", "shipments.grid"),
            Entry("Credit Memos", "creditmemos.grid"),
            plain("Transactions"),
            plain("Billing Agreements"),
            plain("Terms and Conditions"),
            plain("Tax"),
        ),
    ),
    Entry(
        "Catalog",
        children=(
            Entry("Manage Products", "products.grid"),
            Entry("Manage Categories", "categories.grid"),
            plain("Attributes"),
            plain("URL Rewrite Management"),
            Entry("Search Terms", "searchterms.grid"),
            Entry(
                "Reviews and Ratings",
                children=(
                    Entry("Pending Reviews", "reviews.pending"),
                    Entry("All Reviews", "reviews.grid"),
                    plain("Manage Ratings"),
                ),
            ),
            plain("Tags"),
            plain("Google Sitemap"),
        ),
    ),
    Entry(
        "Customers",
        children=(
            Entry("Manage Customers", "customers.grid"),
            Entry("Customer Groups", "groups.grid"),
            plain("Online Customers"),
        ),
    ),
    Entry(
        "Promotions",
        children=(
            Entry("Catalog Price Rules", "catalogrules.grid"),
            Entry("Shopping Cart Price Rules", "salesrules.grid"),
        ),
    ),
    Entry(
        "Newsletter",
        children=(
            plain("Newsletter Templates"),
            plain("Newsletter Queue"),
            Entry("Newsletter Subscribers", "subscribers.grid"),
        ),
    ),
    Entry(
        "CMS",
        children=(
            Entry("Pages", "pages.grid"),
            Entry("Static Blocks", "blocks.grid"),
            plain("Widgets"),
            plain("Polls"),
        ),
    ),
    Entry(
        "Reports",
        children=(
            Entry(
                "Sales",
                children=(
                    Entry("Orders", "reports.sales"),
                    Entry("Tax", "reports.tax"),
                    Entry("Invoiced", "reports.invoiced"),
                    Entry("Shipping", "reports.shipping"),
                    Entry("Refunds", "reports.refunded"),
                    Entry("Coupons", "reports.coupons"),
                ),
            ),
            Entry(
                "Shopping Cart",
                children=(Entry("Products in carts", "reports.cart"), Entry("Abandoned carts", "reports.abandoned")),
            ),
            Entry(
                "Products",
                children=(
                    Entry("Bestsellers", "reports.bestsellers"),
                    Entry("Products Ordered", "reports.sold"),
                    Entry("Most Viewed", "reports.viewed"),
                    Entry("Low stock", "reports.lowstock"),
                ),
            ),
            Entry(
                "Customers",
                children=(
                    Entry("New Accounts", "reports.accounts"),
                    Entry("Customers by orders total", "reports.totals"),
                    Entry("Customers by number of orders", "reports.orders"),
                ),
            ),
            Entry(
                "Reviews",
                children=(
                    Entry("Customers Reviews", "reports.reviews_customer"),
                    Entry("Products Reviews", "reports.reviews_product"),
                ),
            ),
            Entry("Search Terms", "reports.search"),
            plain("Refresh Statistics"),
        ),
    ),
    Entry(
        "System",
        children=(
            plain("My Account"),
            plain("Notifications"),
            plain("Import/Export"),
            plain("Manage Currency"),
            plain("Transactional Emails"),
            plain("Permissions"),
            plain("Cache Management"),
            plain("Index Management"),
            plain("Manage Stores"),
            Entry("Configuration", "config.edit", values={"section": "general"}),
        ),
    ),
)
