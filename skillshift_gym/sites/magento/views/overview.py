"""The dashboard, reports, the configuration, and pages that only say what they are."""

from __future__ import annotations

from functools import partial

from ...protocol import Response
from ...web import Call
from ..operations import entities
from ..report_tables import REPORTS
from ..reports import PERIODS, ReportQuery, run
from ..schema import ORDER_STATUS
from ..text import parse_day
from . import listing
from .base import Missing, View, address, attempt, page, saying

# Section -> title, and group -> fields: path -> label.
CONFIG: dict[str, tuple[str, dict[str, dict[str, str]]]] = {
    "general": (
        "General",
        {
            "Store Information": {
                "general/store_information/name": "Store Name",
                "general/store_information/phone": "Store Phone Number",
                "general/store_information/hours": "Store Hours of Operation",
                "general/store_information/street_line1": "Street Address",
                "general/store_information/city": "City",
                "general/store_information/region_id": "Region/State",
                "general/store_information/postcode": "ZIP/Postal Code",
                "general/store_information/country_id": "Country",
            },
            "Locale Options": {"general/locale/timezone": "Timezone", "general/locale/weight_unit": "Weight Unit"},
        },
    ),
    "trans_email": (
        "Store Email Addresses",
        {
            title: {f"trans_email/{ident}/name": "Sender Name", f"trans_email/{ident}/email": "Sender Email"}
            for title, ident in (("General Contact", "ident_general"), ("Sales Representative", "ident_sales"), ("Customer Support", "ident_support"))
        },
    ),
    "contacts": ("Contacts", {"Email Options": {"contact/email/recipient_email": "Send Emails To"}}),
    "catalog": (
        "Catalog",
        {
            "Storefront": {
                "catalog/frontend/grid_per_page": "Products per Page on Grid Default Value",
                "catalog/frontend/list_per_page": "Products per Page on List Default Value",
            },
            "Product Reviews": {"catalog/review/allow_guest": "Allow Guests to Write Reviews"},
        },
    ),
    "sales": (
        "Sales",
        {"Minimum Order Amount": {"sales/minimum_order/active": "Enable", "sales/minimum_order/amount": "Minimum Amount"}},
    ),
    "currency": ("Currency Setup", {"Currency Options": {"currency/options/base": "Base Currency"}}),
}  # fmt: skip
SWITCHES = frozenset(["catalog/review/allow_guest", "sales/minimum_order/active"])
_LISTS = {
    "orders": "SELECT o.entity_id AS id, o.customer_firstname || ' ' || o.customer_lastname AS name, o.total_qty_ordered AS items, "
    "o.grand_total AS total FROM sales_order o ORDER BY o.created_at DESC LIMIT 5",
    "last_search": "SELECT query_id AS id, query_text AS name, num_results AS results, popularity AS uses FROM search_query "
    "ORDER BY updated_at DESC, query_id LIMIT 5",
    "top_search": "SELECT query_id AS id, query_text AS name, num_results AS results, popularity AS uses FROM search_query "
    "ORDER BY popularity DESC, query_id LIMIT 5",
    "bestsellers": "SELECT i.name, MAX(i.price) AS price, SUM(i.qty_ordered) AS qty FROM sales_order_item i JOIN sales_order o "
    "ON o.entity_id = i.order_id WHERE o.status != 'canceled' GROUP BY i.name ORDER BY qty DESC, i.name LIMIT 5",
    "viewed": "SELECT p.entity_id AS id, p.name, p.price, SUM(v.views) AS views FROM report_viewed_product v JOIN catalog_product p "
    "ON p.entity_id = v.product_id GROUP BY p.entity_id ORDER BY views DESC, p.name LIMIT 5",
    "new_customers": "SELECT c.entity_id AS id, c.firstname || ' ' || c.lastname AS name, COUNT(o.entity_id) AS orders, "
    "COALESCE(SUM(o.grand_total), 0) AS total FROM customer_entity c LEFT JOIN sales_order o ON o.customer_id = c.entity_id "
    "GROUP BY c.entity_id ORDER BY c.created_at DESC LIMIT 5",
    "customers": "SELECT c.entity_id AS id, c.firstname || ' ' || c.lastname AS name, COUNT(o.entity_id) AS orders, "
    "SUM(o.grand_total) AS total FROM customer_entity c JOIN sales_order o ON o.customer_id = c.entity_id "
    "GROUP BY c.entity_id ORDER BY orders DESC, c.entity_id LIMIT 5",
}  # fmt: skip


def views() -> dict[str, View]:
    """Returns endpoint -> view."""
    return {
        "dashboard": dashboard,
        **{f"reports.{name}": partial(report, name=name) for name in REPORTS},
        "config.edit": configuration,
        "config.save": save_configuration,
        "export": export,
        "plain": plain,
    }


def dashboard(call: Call) -> Response:
    """The first page: sales, last orders, search terms, bestsellers, most viewed and new customers."""
    lists = {name: call.db.execute(sql).fetchall() for name, sql in _LISTS.items()}
    sums = call.db.execute(
        "SELECT SUM(grand_total) AS lifetime, SUM(grand_total) / COUNT(*) AS average, SUM(tax_amount) AS tax, "
        "SUM(shipping_amount) AS shipping, SUM(total_qty_ordered) AS quantity FROM sales_order WHERE status != 'canceled'"
    ).fetchone()
    return page(call, "dashboard.html", "Dashboard", lists=lists, sums=sums)


def report(call: Call, name: str) -> Response:
    """A report; one with dates asks for them first."""
    shown = REPORTS[name]
    args = call.args
    start, end = (parse_day(args.get(part, "")) or "" for part in ("from", "to"))
    statuses = tuple(s for s in args.getlist("order_statuses[]") if s in ORDER_STATUS)
    chosen = args.get("period_type", "day")
    query = ReportQuery(
        chosen if chosen in PERIODS else "day", start, end,
        statuses if args.get("show_order_statuses") == "1" else (), args.get("show_empty_rows") == "1",
    )  # fmt: skip
    return page(
        call, "report.html", shown.heading(call.site.version), report=shown, query=query, table=run(call.db, shown, query),
        periods=PERIODS, statuses=ORDER_STATUS, given=args, chosen_statuses=statuses,
    )  # fmt: skip


def configuration(call: Call, section: str) -> Response:
    """A section of the configuration."""
    if section not in CONFIG:
        raise Missing("This section does not exist.", "dashboard")
    title, fields = CONFIG[section]
    values = dict(call.db.execute("SELECT path, value FROM core_config_data").fetchall())
    return page(
        call, "config.html", title, section=section, config=CONFIG, fields=fields, values=values, switches=SWITCHES,
        action=address(call, "config.save", section=section),
    )  # fmt: skip


def save_configuration(call: Call, section: str) -> Response:
    """Saves a section of the configuration."""
    if section not in CONFIG:
        raise Missing("This section does not exist.", "dashboard")
    known = {path for fields in CONFIG[section][1].values() for path in fields}
    values = {path: call.form[path].strip() for path in sorted(known) if path in call.form}
    words = saying(call, "The configuration has been saved.", "You saved the configuration.")
    where = address(call, "config.edit", section=section)
    return attempt(call, lambda: entities.save_config(call.db, values, call.now), success=(where, words))


def export(call: Call, name: str) -> Response:
    """A grid as CSV."""
    return listing.export(call, name)


def plain(call: Call, name: str) -> Response:
    """A page outside of what this shop models; it says so."""
    title = name.replace("-", " ").title()
    return page(call, "plain.html", title, text=f"{title} is not part of this demonstration shop.")
