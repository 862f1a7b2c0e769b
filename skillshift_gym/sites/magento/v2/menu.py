"""The menu of version 2.4, a vertical bar whose entries open flyouts of groups."""

from __future__ import annotations

from ..front import Entry, plain

MENU = (
    Entry("Dashboard", "dashboard"),
    Entry(
        "Sales",
        children=(
            Entry(
                "Operations",
                children=(
                    Entry("Orders", "orders.grid"),
                    Entry("Invoices", "invoices.grid"),
                    Entry("Shipments", "shipments.grid"),
                    Entry("Credit Memos", "creditmemos.grid"),
                    plain("Billing Agreements"),
                    plain("Transactions"),
                ),
            ),
        ),
    ),
    Entry(
        "Catalog",
        children=(
            Entry("Inventory", children=(Entry("Products", "products.grid"), Entry("Categories", "categories.grid"))),
        ),
    ),
    Entry(
        "Customers",
        children=(
            Entry(
                "Customers",
                children=(
                    Entry("All Customers", "customers.grid"),
                    plain("Now Online"),
                    Entry("Customer Groups", "groups.grid"),
                ),
            ),
        ),
    ),
    Entry(
        "Marketing",
        children=(
            Entry(
                "Promotions",
                children=(
                    Entry("Catalog Price Rule", "catalogrules.grid"),
                    Entry("Cart Price Rules", "salesrules.grid"),
                ),
            ),
            Entry(
                "Communications",
                children=(
                    plain("Email Templates"),
                    plain("Newsletter Template"),
                    plain("Newsletter Queue"),
                    Entry("Newsletter Subscribers", "subscribers.grid"),
                ),
            ),
            Entry(
                "SEO & Search",
                children=(
                    plain("URL Rewrites"),
                    Entry("Search Terms", "searchterms.grid"),
                    plain("Search Synonyms"),
                    plain("Site Map"),
                ),
            ),
            Entry(
                "User Content",
                children=(Entry("All Reviews", "reviews.grid"), Entry("Pending Reviews", "reviews.pending")),
            ),
        ),
    ),
    Entry(
        "Content",
        children=(
            Entry(
                "Elements", children=(Entry("Pages", "pages.grid"), Entry("Blocks", "blocks.grid"), plain("Widgets"))
            ),
            Entry("Design", children=(plain("Configuration"), plain("Themes"), plain("Schedule"))),
        ),
    ),
    Entry(
        "Reports",
        children=(
            Entry(
                "Marketing",
                children=(
                    Entry("Products in Cart", "reports.cart"),
                    Entry("Search Terms", "reports.search"),
                    Entry("Abandoned Carts", "reports.abandoned"),
                ),
            ),
            Entry(
                "Reviews",
                children=(
                    Entry("By Customers", "reports.reviews_customer"),
                    Entry("By Products", "reports.reviews_product"),
                ),
            ),
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
                "Customers",
                children=(
                    Entry("Order Total", "reports.totals"),
                    Entry("Order Count", "reports.orders"),
                    Entry("New", "reports.accounts"),
                ),
            ),
            Entry(
                "Products",
                children=(
                    Entry("Views", "reports.viewed"),
                    Entry("Bestsellers", "reports.bestsellers"),
                    Entry("Low Stock", "reports.lowstock"),
                    Entry("Ordered", "reports.sold"),
                ),
            ),
            Entry("Statistics", children=(plain("Refresh Statistics"),)),
        ),
    ),
    Entry(
        "Stores",
        children=(
            Entry(
                "Settings",
                children=(
                    plain("All Stores"),
                    Entry("Configuration", "config.edit", values={"section": "general"}),
                    plain("Terms and Conditions"),
                    plain("Order Status"),
                ),
            ),
            Entry("Taxes", children=(plain("Tax Rules"), plain("Tax Zones and Rates"))),
            Entry("Currency", children=(plain("Currency Rates"), plain("Currency Symbols"))),
            Entry("Attributes", children=(plain("Product"), plain("Attribute Set"), plain("Rating"))),
        ),
    ),
    Entry(
        "System",
        children=(
            Entry("Data Transfer", children=(plain("Import"), plain("Export"))),
            Entry("Tools", children=(plain("Cache Management"), plain("Index Management"))),
            Entry("Permissions", children=(plain("All Users"), plain("User Roles"))),
        ),
    ),
)
