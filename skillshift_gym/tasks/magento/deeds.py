"""What is to be done to orders, pages and rules, and lists to be shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar
from urllib.parse import parse_qsl, urlsplit

from ...keyed import keyed
from ...sites.magento.schema import ORDER_STATUS
from ...sites.magento.text import parse_day
from ..build import Variant
from ..checks import AnswerCheck, Check, Outcome, StateCheck, Verdict
from ..family import Params
from ..oracle import Step, say
from .data import EVER, Case, Span, months, orders, rows
from .steps import DONE, at, days, filled, filtered, found, menu, on, push, text_of

EVERYONE = "show all customers"
PHONE = "customer name and e-mail by phone number"
CANCEL = "cancel an order by number"
TITLE = "change the title of a page"
ADDRESS = "change the address of an order"
SHOWN = "show the orders in a status"
_STREETS = ("Fern Hollow", "Cooper Wharf", "North Gate", "Tanner Yard", "Bell Close", "Heron Walk")
_TOWNS = (
    ("Osprey Bay", "Maine", "04654"), ("Linden Falls", "New York", "12986"), ("Copper Ridge", "Colorado", "81427"), ("Saint Brannock", "Oregon", "97145"),
    ("Wexley", "Vermont", "05158"), ("Tidewater", "Virginia", "24091"),
)  # fmt: skip
_TITLES = {
    "about-us": ("Who We Are", "Our Story"), "delivery": ("Shipping", "Where Is My Parcel"), "returns": ("Returns", "Send It Back"),
    "privacy": ("Data Protection", "Your Data"), "size-guide": ("Find Your Size", "Size Chart"), "contact": ("Get in Touch", "Write to Us"),
    "repairs": ("Repair Service", "The Mending Bench"), "home": ("Welcome", "Fernmoor Outfitters"), "no-route": ("Lost?", "Page Missing"),
    "careers": ("Jobs", "Work with Us"), "gift-cards": ("Vouchers", "Give a Card"), "wholesale": ("Trade Customers", "For Shops"),
    "store-finder": ("Our Shops", "Visit Us"), "care-guide": ("Care Instructions", "Wash and Wax"), "cookie-policy": ("Cookies", "About Cookies"),
    "terms-of-sale": ("Terms and Conditions", "The Small Print"), "press": ("Press Room", "For Journalists"), "rental": ("Hire Gear", "Borrow a Tent"),
    "trail-journal": ("Journal", "Stories from the Trail"),
}  # fmt: skip


def everyone_variants() -> list[Variant]:
    """Returns the family that shows all customers; instances start at different pages."""
    starts = (
        "dashboard", "orders.grid", "products.grid", "reviews.grid", "pages.grid", "salesrules.grid", "reports.search", "invoices.grid",
        "shipments.grid", "blocks.grid", "searchterms.grid", "subscribers.grid", "groups.grid", "reports.lowstock",
    )  # fmt: skip
    cases = [Case((s,), {"start": s}) for s in starts]
    goals = ("Show all customers.", "Open the list of all customers.")
    return [
        Variant(
            goals, cases, lambda c: c.params, lambda p: (on("customers.grid"),), lambda p, version: [*menu(version, "customers.grid"), DONE],
            lambda p: at(p["start"]), lambda p: None, bench=cases[:1],
        )
    ]  # fmt: skip


def phone_variants() -> list[Variant]:
    """Returns the five families that ask who has a telephone number."""
    people = rows(
        "SELECT c.*, a.telephone FROM customer_entity c JOIN customer_address a ON a.parent_id = c.entity_id AND a.default_billing = 1 "
        "ORDER BY c.entity_id"
    )
    cases = [
        Case(
            (p["telephone"],),
            {"phone": p["telephone"], "name": f"{p['firstname']} {p['lastname']}", "email": p["email"]},
        )
        for p in people
    ]
    known = tuple(c.params["name"] for c in cases)
    asked = (
        ("Find the customer name and e-mail address with the phone number {phone}.", "Whose phone number is {phone}? Tell me the name and the e-mail address."),
        ("Who called from {phone}? I need name and e-mail.", "A customer with the number {phone} rang. Give me name and e-mail address."),
        ("Which customer has the telephone {phone}? Answer with full name and e-mail address.", "Look up the customer with the telephone {phone}: name and e-mail address."),
        ("Tell me the full name and the e-mail address of the customer whose phone is {phone}.", "The number {phone} is on my display. Which customer is that, and what is the e-mail address?"),
        ("Give me the e-mail address and the name that belong to the phone number {phone}.", "E-mail address and name for the phone number {phone}, please."),
    )  # fmt: skip

    def checks(p: Params) -> tuple[Check, ...]:
        return (AnswerCheck("list", (p["name"],), (("universe", known),)), AnswerCheck("includes", p["email"]))

    def oracle(p: Params, version: str) -> list[Step]:
        return [
            *menu(version, "customers.grid"),
            *filtered(version, "customers", {"telephone": p["phone"]}),
            say(f"{p['name']}, {p['email']}"),
        ]

    return [Variant(goals, cases, lambda c: c.params, checks, oracle) for goals in asked]


def cancel_variants() -> list[Variant]:
    """Returns the five families that cancel an order."""
    pending = [o for o in orders() if o["status"] == "pending"]
    cases = [Case((o["increment_id"],), {"id": o["entity_id"], "number": o["increment_id"]}) for o in pending]
    asked = (
        ("Cancel order {number}.", "Please cancel the order with the number {number}."),
        ("The customer of order {number} changed their mind. Cancel it.", "Order {number} is not wanted any more; cancel it."),
        ("Find order {number} and cancel it.", "Look up the order {number} and cancel it."),
        ("Cancel the order #{number}, it was placed by mistake.", "Order #{number} was placed twice. Cancel that one."),
        ("We cannot deliver order {number}. Please cancel it.", "Cancel {number}: we cannot deliver this order."),
    )  # fmt: skip

    def checks(p: Params) -> tuple[Check, ...]:
        items = [r for r in rows("SELECT * FROM sales_order_item ORDER BY item_id") if r["order_id"] == p["id"]]
        lines = tuple(
            ("sales_order_item", "update", {"key": i["item_id"], "qty_canceled": i["qty_ordered"]}) for i in items
        )
        return (
            StateCheck(
                (("sales_order", "update", {"key": p["id"], "state": "canceled", "status": "canceled"}), *lines)
            ),
        )

    def oracle(p: Params, version: str) -> list[Step]:
        steps = found(version, "orders", "increment_id", p["number"], p["id"])
        return [*menu(version, "orders.grid"), *steps, push("order.deed{cancel}"), DONE]

    return [Variant(goals, cases, lambda c: c.params, checks, oracle) for goals in asked]


def title_variants() -> list[Variant]:
    """Returns the five families that change the title of a page."""
    pages = rows("SELECT * FROM cms_page ORDER BY page_id")
    asked = (
        ("Change the title of the page “{title}” to “{new}”.", "The page “{title}” should be called “{new}”. Change its title."),
        ("Rename the page with the URL key {key} to “{new}”.", "Change the title of the page with the URL key {key} to “{new}”."),
        ("Please give the “{title}” page the title “{new}”.", "Set the page title of “{title}” to “{new}”."),
        ("Our page “{title}” needs a new title: “{new}”.", "From now on the page “{title}” has the title “{new}”. Change it."),
        ("Edit the page “{title}” so that its title reads “{new}”.", "Make “{new}” the title of the page “{title}”."),
    )  # fmt: skip
    found_variants = []
    for place, goals in enumerate(asked):
        cases = [
            Case(
                (p["identifier"],),
                {
                    "id": p["page_id"],
                    "title": p["title"],
                    "key": p["identifier"],
                    "new": _TITLES[p["identifier"]][place % 2],
                },
            )
            for p in pages
        ]
        found_variants.append(
            Variant(
                goals, cases, lambda c: c.params, lambda p: (StateCheck((("cms_page", "update", {"key": p["id"], "title": p["new"]}),)),),
                lambda p, version: [
                    *menu(version, "pages.grid"), push(f"grid.open{{pages.{p['id']}}}"), *filled(version, "page", {"title": p["new"]}),
                    push("form.save{page}"), DONE,
                ],
            )
        )  # fmt: skip
    return found_variants


def address_variants() -> list[Variant]:
    """Returns the five families that change the shipping or billing address of the order shown."""
    asked = (
        ("shipping", ("Change the shipping address of this order to {street}, {city}, {region}, {postcode}.", "This order has to go to {street}, {city}, {region}, {postcode}. Change its shipping address.")),
        ("shipping", ("Modify the delivery address of this order: {street}, {city}, {region} {postcode}.", "Deliver this order to {street}, {city}, {region} {postcode} instead.")),
        ("billing", ("Change the billing address of this order to {street}, {city}, {region}, {postcode}.", "The bill of this order belongs to {street}, {city}, {region}, {postcode}. Change its billing address.")),
        ("shipping", ("The customer moved: ship this order to {street}, {city}, {region}, {postcode}.", "Update where this order is shipped to: {street}, {city}, {region}, {postcode}.")),
        ("billing", ("Correct the billing address of this order: {street}, {city}, {region} {postcode}.", "This order is billed to the wrong address. It should be {street}, {city}, {region} {postcode}.")),
    )  # fmt: skip
    return [_address(kind, goals, number) for number, (kind, goals) in enumerate(asked)]


def _address(kind: str, goals: tuple[str, str], number: int) -> Variant:
    own = {
        a["parent_id"]: a
        for a in rows("SELECT * FROM sales_order_address ORDER BY entity_id")
        if a["address_type"] == kind
    }
    cases = []
    for o in [o for o in orders() if o["status"] in ("pending", "processing")]:
        drawn, old = keyed("address", number, o["increment_id"]), own[o["entity_id"]]
        towns = [t for t in _TOWNS if not set(t) & {old["city"], old["region"], old["postcode"]}]
        city, region, postcode = towns[drawn % len(towns)]
        params = {
            "id": o["entity_id"], "address": old["entity_id"], "kind": kind, "street": f"{3 + drawn // 6 % 90} {_STREETS[drawn // 600 % 6]}",
            "city": city, "region": region, "postcode": postcode,
        }  # fmt: skip
        cases.append(Case((o["increment_id"],), params))
    fields = ("street", "city", "region", "postcode")
    return Variant(
        goals, cases, lambda c: c.params,
        lambda p: (StateCheck((("sales_order_address", "update", {"key": p["address"], **{f: p[f] for f in fields}}),)),),
        lambda p, version: [
            push(f"order.address{{{p['kind']}}}"), *filled(version, "order_address", {f: p[f] for f in fields}), push("form.save{order_address}"), DONE,
        ],
        lambda p: at("orders.view", id=p["id"]), lambda p: {**p, "street": f"Back House, {p['street']}"},
    )  # fmt: skip


def shown_variants() -> list[Variant]:
    """Returns the five families that show the orders in a status."""
    cases = []
    for status, label in ORDER_STATUS.items():
        for span in (EVER, *months()):
            if any(o["status"] == status and span.holds(o["created_at"]) for o in orders()):
                when = f" placed {span.words}" if span.words else ""
                cases.append(
                    Case((f"{status} {span.start}",), {"status": status, "label": label, "span": span, "when": when})
                )
    asked = (
        ("Get the orders{when} that are {label}.", "Show the orders{when} with the status “{label}”."),
        ("List all orders{when} in status {label}.", "Which orders{when} are {label}? Show me the list."),
        ("Show me every order{when} whose status is “{label}”.", "Filter the orders{when} by the status {label}."),
        ("Open the list of {label} orders{when}.", "I want to see the {label} orders{when}."),
        ("Display the orders{when} with status {label} only.", "Only the {label} orders{when}, please: show the list."),
    )  # fmt: skip
    bench = [c for c in cases if c.params["span"].is_all]
    return [Variant(goals, cases, lambda c: c.params, _shown_checks, _shown_oracle, bench=bench) for goals in asked]


@dataclass(frozen=True)
class OrdersShown(Check):
    """The grid of orders shows those of a status in a span and no others.

    Attributes:
        status: The status.
        label: Its label.
        span: The span.
    """

    kind: ClassVar[str] = "page"
    status: str
    label: str
    span: Span

    def judge(self, outcome: Outcome) -> Verdict:
        """Returns whether the last page asks for them and shows them."""
        page = outcome.page
        asked = {
            k: v
            for k, v in parse_qsl(urlsplit(page.url).query)
            if k not in ("page", "limit", "sort", "dir", "selected")
        }
        given = {k: parse_day(v) if k.startswith("created_at") else v for k, v in asked.items()}
        wanted = {"status": self.status}
        if not self.span.is_all:
            wanted |= {"created_at[from]": self.span.start, "created_at[to]": self.span.end}
        cells = [
            s for s in page.document.indices_by_sid if s.startswith("grid.cell{orders.") and s.endswith(".status}")
        ]
        ok = given == wanted and bool(cells) and all(text_of(page, s) == self.label for s in cells)
        return Verdict(
            ok,
            ""
            if ok
            else f"the page does not show: the orders with status {self.label} {self.span.words} and no others",
        )


def _shown_checks(p: Params) -> tuple[Check, ...]:
    return (on("orders.grid"), OrdersShown(p["status"], p["label"], p["span"]))


def _shown_oracle(p: Params, version: str) -> list[Step]:
    span: Span = p["span"]
    filters = {"status": p["label"], **({} if span.is_all else days("created_at", span.start, span.end))}
    return [*menu(version, "orders.grid"), *filtered(version, "orders", filters, ("status",)), DONE]
