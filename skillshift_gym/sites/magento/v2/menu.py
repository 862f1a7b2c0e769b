"""The menu of version 2.4, a vertical bar whose entries open flyouts of groups."""

from __future__ import annotations

from ..front import Entry


def _plain(label: str) -> Entry:
    """Returns an entry that leads to a page outside of what the shop models."""
    name = "-".join(label.lower().replace("&", "and").replace("/", "-").split())
    return Entry(label, "plain", values={"name": name})


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
                    _plain("Billing Agreements"),
                    _plain("Transactions"),
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
                    _plain("Now Online"),
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
                    _plain("Email Templates"),
                    _plain("Newsletter Template"),
                    _plain("Newsletter Queue"),
                    Entry("Newsletter Subscribers", "subscribers.grid"),
                ),
            ),
            Entry(
                "SEO & Search",
                children=(
                    _plain("URL Rewrites"),
                    Entry("Search Terms", "searchterms.grid"),
                    _plain("Search Synonyms"),
                    _plain("Site Map"),
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
                "Elements", children=(Entry("Pages", "pages.grid"), Entry("Blocks", "blocks.grid"), _plain("Widgets"))
            ),
            Entry("Design", children=(_plain("Configuration"), _plain("Themes"), _plain("Schedule"))),
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
            Entry("Statistics", children=(_plain("Refresh Statistics"),)),
        ),
    ),
    Entry(
        "Stores",
        children=(
            Entry(
                "Settings",
                children=(
                    _plain("All Stores"),
                    Entry("Configuration", "config.edit", values={"section": "general"}),
                    _plain("Terms and Conditions"),
                    _plain("Order Status"),
                ),
            ),
            Entry("Taxes", children=(_plain("Tax Rules"), _plain("Tax Zones and Rates"))),
            Entry("Currency", children=(_plain("Currency Rates"), _plain("Currency Symbols"))),
            Entry("Attributes", children=(_plain("Product"), _plain("Attribute Set"), _plain("Rating"))),
        ),
    ),
    Entry(
        "System",
        children=(
            Entry("Data Transfer", children=(_plain("Import"), _plain("Export"))),
            Entry("Tools", children=(_plain("Cache Management"), _plain("Index Management"))),
            Entry("Permissions", children=(_plain("All Users"), _plain("User Roles"))),
        ),
    ),
)
