"""Questions about the customers who ordered or cancelled most."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from ..build import Variant
from ..checks import AnswerCheck, Check
from ..family import Params
from ..oracle import Step, say
from .data import EVER, Case, Span, orders, quarters, rows, runs, years
from .sales import listed, names, placed, when
from .steps import push

COMPLETED = "customer with the n-th most completed orders"
CANCELLED = "the customer with the most cancellations"
PLACES = ("most", "second most", "third most", "fourth most", "fifth most")


def completed_variants() -> list[Variant]:
    """Returns the three families that ask who has the n-th most completed orders."""
    spans = [EVER, *years(), *quarters(), *runs(1, 8)]
    cases = [c for span in spans for c in _ranked("complete", span)]
    goals = (
        "Which customer has the {place} completed orders{when}? Tell me the full name.",
        "Give me the name of the customer with the {place} complete orders{when}.",
    )
    return [
        _about_customer(goals, [c for c in cases if c.params["rank"] == rank], [c for c in cases if c.params["rank"] == rank and not c.params["when"]])
        for rank in range(3)
    ]  # fmt: skip


def cancelled_variants() -> list[Variant]:
    """Returns the five families that ask about the customer who cancelled most."""
    spans = [EVER, *years(), *quarters(), *runs(1, 9)]
    cases = [c for span in spans for c in _ranked("canceled", span) if c.params["rank"] == 0]
    asked: tuple[tuple[tuple[str, str], tuple[str, ...]], ...] = (
        (("Who has cancelled the most orders{when}? Tell me the full name.", "Name the customer with the most cancellations{when}."), ("name",)),
        (("Tell me the e-mail address of the customer with the most cancelled orders{when}.", "Which e-mail address belongs to the customer who cancelled most{when}?"), ("email",)),
        (("How many orders were cancelled by the customer with the most cancellations{when}, and who is it?", "Name the customer with the most cancelled orders{when} and the number of those orders."), ("name", "count")),
        (("Tell me name and e-mail address of the customer who cancelled the most orders{when}.", "Who cancelled most{when}? I need the name and the e-mail address."), ("name", "email")),
        (("What is the telephone number of the customer with the most cancellations{when}?", "Tell me the phone number of the customer who has cancelled most{when}."), ("phone",)),
    )  # fmt: skip
    long = {EVER, *years(), *quarters()}
    first = [c for c in cases if c.params["span"] in long]  # too few customers for more than one family
    return [_about_canceller(goals, cases, [] if place else first, facts) for place, (goals, facts) in enumerate(asked)]


def _ranked(status: str, span: Span) -> list[Case]:
    """Returns the customers whose number of orders in a status no other one has, down to the fifth place."""
    counts = Counter(o["customer_email"] for o in placed(status, span))
    by_count: dict[int, list[str]] = {}
    for email, count in counts.items():
        by_count.setdefault(count, []).append(email)
    cases = []
    for rank, count in enumerate(sorted(by_count, reverse=True)[: len(PLACES)]):
        if len(by_count[count]) > 1:
            break
        email = by_count[count][0]
        own = placed(status, span)
        row = next(o for o in own if o["customer_email"] == email)
        phone = rows(
            f"SELECT telephone FROM sales_order_address WHERE parent_id = {row['entity_id']} AND address_type = 'billing'"
        )
        cases.append(
            Case(
                (email, f"{email} {span.start} {span.end}"),
                {
                    "status": status, "span": span, "rank": rank, "place": PLACES[rank], "when": when(span), "email": email, "count": count,
                    "name": f"{row['customer_firstname']} {row['customer_lastname']}", "order": row["entity_id"],
                    "phone": phone[0]["telephone"], "many": len(own) > 20,
                },
            )
        )  # fmt: skip
    return cases


def _about_customer(goals: tuple[str, str], cases: list[Case], bench: list[Case]) -> Variant:
    return Variant(
        goals, cases, lambda c: c.params, lambda p: (names(p["name"]),),
        lambda p, version: [*listed(version, "complete", p["span"], many=p["many"]), say(p["name"])], alter=_another, bench=bench, budget=12,
    )  # fmt: skip


def _about_canceller(goals: tuple[str, str], cases: list[Case], bench: list[Case], facts: Sequence[str]) -> Variant:
    def checks(p: Params) -> tuple[Check, ...]:
        made: dict[str, Callable[[], Check]] = {
            "name": lambda: names(p["name"]), "email": lambda: AnswerCheck("includes", p["email"]),
            "phone": lambda: AnswerCheck("includes", p["phone"]), "count": lambda: AnswerCheck("number", p["count"]),
        }  # fmt: skip
        return tuple(made[fact]() for fact in facts)

    def oracle(p: Params, version: str) -> list[Step]:
        opened = [push(f"grid.open{{orders.{p['order']}}}")] if {"email", "phone"} & set(facts) else []
        return [
            *listed(version, "canceled", p["span"], many=p["many"]),
            *opened,
            say(", ".join(str(p[f]) for f in facts)),
        ]

    return Variant(goals, cases, lambda c: c.params, checks, oracle, alter=_another, bench=bench, budget=14)


def _another(p: Params) -> Params:
    """Returns the parameters of another customer, who placed the order before."""
    row = next(o for o in orders() if o["customer_email"] != p["email"])
    name = f"{row['customer_firstname']} {row['customer_lastname']}"
    return {**p, "name": name, "email": row["customer_email"], "phone": "555-000-0000"}
