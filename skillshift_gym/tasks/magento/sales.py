"""Questions about orders and customers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...sites.magento.schema import ORDER_STATUS
from ...sites.magento.text import day, money
from ..build import Variant
from ..checks import AnswerCheck, Check
from ..family import DEFAULT_BUDGET, Params
from ..oracle import Step, say
from .data import EVER, Case, Span, months, orders, quarters, rows, runs
from .steps import days, filtered, menu, push

COUNTS = "monthly counts of successful orders"
ITEMS = "items sold in the most recent orders"
TOTALS = "total paid in the last orders of a status"
EXTREMES = "an attribute of the newest or oldest order in a status"
_STATUSES = tuple(ORDER_STATUS)


def placed(status: str, span: Span = EVER) -> list[dict[str, Any]]:
    """Returns the orders of a status in a span, newest first; of all statuses with an empty one."""
    return [o for o in orders() if (not status or o["status"] == status) and span.holds(o["created_at"])]


def listed(version: str, status: str, span: Span, *, oldest: bool = False, many: bool = False) -> list[Step]:
    """Returns the steps that list the orders of a status in a span.

    Args:
        version: `v1` or `v2`.
        status: The status.
        span: The span.
        oldest: Whether the oldest come first.
        many: Whether more than a page of twenty has to be seen.
    """
    filters = {"status": ORDER_STATUS[status], **({} if span.is_all else days("created_at", span.start, span.end))}
    steps = [*menu(version, "orders.grid"), *filtered(version, "orders", filters, ("status",))]
    steps += [push("grid.sort{orders.created_at}")] if oldest else []
    return steps + (
        [Step("select_option", "*", "", ("200",), 0, "grid.limit{orders}"), push("grid.limit_apply{orders}")]
        if many
        else []
    )


def count_variants() -> list[Variant]:
    """Returns the five families that ask for the number of completed orders month by month."""
    goals = (
        "How many orders were completed each month {words}? Answer month by month as MM:COUNT.",
        "Give me the number of orders with status Complete placed in each month {words}, in the form MM:COUNT.",
    )
    spans = [s for s in runs(2, 6) if s.start[:4] == s.end[:4]]
    groups = [[s for s in spans if len(_counts(s)) == length] for length in (2, 3, 4, 5, 6)]
    return [
        Variant(
            goals,
            [Case((f"{s.start} {s.end}",), {"span": s, "words": s.words, "counts": _counts(s)}) for s in group],
            lambda c: c.params,
            lambda p: (AnswerCheck("list", p["counts"], (("universe", _all_counts()),)),),
            lambda p, version: [*listed(version, "complete", p["span"], many=len(placed("complete", p["span"])) > 20), say(", ".join(p["counts"]))],
            budget=12,
        )
        for group in groups
    ]  # fmt: skip


def item_variants() -> list[Variant]:
    """Returns the four families that ask how many items the last orders or shipments hold."""
    last = [
        Case((f"orders {k}",), {"k": k, "total": sum(o["total_qty_ordered"] for o in orders()[:k])})
        for k in range(2, 6)
    ]
    sent = rows("SELECT * FROM sales_shipment ORDER BY created_at DESC, entity_id DESC")
    shipped = [
        Case((f"shipments {k}",), {"k": k, "total": sum(s["total_qty"] for s in sent[:k])}) for k in range(2, 19)
    ]
    newest = (
        "How many items were ordered in the {k} most recent orders altogether?",
        "Add up the items of the last {k} orders.",
    )
    parcels = (
        "How many items were sold in the {k} most recent shipments altogether?",
        "Add up the quantities of the last {k} shipments.",
    )

    def variant(goals: tuple[str, str], cases: list[Case], endpoint: str) -> Variant:
        return Variant(
            goals, cases, lambda c: c.params, lambda p: (AnswerCheck("number", p["total"]),),
            lambda p, version: [*([] if endpoint == "dashboard" else menu(version, endpoint)), say(str(p["total"]))],
        )  # fmt: skip

    return [variant(newest, last, "dashboard"), *(variant(parcels, shipped, "shipments.grid") for _ in range(3))]


def total_variants() -> list[Variant]:
    """Returns the five families that add up the last orders of a status, or compare two statuses."""
    spans = [EVER, *months(), *quarters()]
    sums = [
        Case((f"{status} {n} {span.start} {span.end}",), {"status": status, "label": ORDER_STATUS[status], "n": n, "span": span, "when": when(span), "sum": _sum(status, span, n)})
        for status in _STATUSES for span in spans for n in range(2, 6) if len(placed(status, span)) >= n
    ]  # fmt: skip
    goals = (
        "What is the total (grand total) of the last {n} orders with the status {label}{when}? Answer in dollars.",
        "Add up the grand totals of the {n} most recent {label} orders{when}, in dollars.",
    )
    two = (
        "How much do the grand totals of the last {n} {label} orders and of the last {n} {other} orders{when} differ, in dollars?",
        "What is the difference in dollars between the last {n} {label} orders and the last {n} {other} orders{when}, by grand total?",
    )
    differences = [
        Case((f"{a} {b} {n} {s.start} {s.end}",), {
            "status": a, "label": ORDER_STATUS[a], "second": b, "other": ORDER_STATUS[b], "n": n, "span": s, "when": when(s),
            "sum": abs(_sum(a, s, n) - _sum(b, s, n)),
        })
        for a, b in (("complete", "canceled"), ("pending", "complete"), ("canceled", "pending"), ("processing", "pending"))
        for s in spans for n in range(2, 5) if min(len(placed(a, s)), len(placed(b, s))) >= n and _sum(a, s, n) != _sum(b, s, n)
    ]  # fmt: skip

    def first(cases: list[Case], status: str) -> list[Case]:
        return [c for c in cases if c.params["status"] == status]

    def plain(cases: list[Case]) -> list[Case]:
        return [c for c in cases if c.params["span"].is_all]

    made = [(goals, first(sums, s)) for s in ("complete", "pending", "canceled")] + [
        (two, first(differences, s)) for s in ("complete", "pending")
    ]
    return [
        Variant(
            g, cases, lambda c: c.params, lambda p: (AnswerCheck("number", p["sum"] / 100, (("tolerance", 0.005),)),), _sum_oracle,
            bench=plain(cases), budget=20 if g is two else DEFAULT_BUDGET,
        )
        for g, cases in made
    ]  # fmt: skip


def extreme_variants() -> list[Variant]:
    """Returns the six families that ask for something of the newest or oldest order in a status."""
    asked = (
        ("newest", ("Who is billed for the newest order with status {label}{when}?", "Name the customer (bill-to) of the most recent {label} order{when}."), "billing_name"),
        ("oldest", ("What is the number of the oldest order with status {label}{when}?", "Give me the order number of the earliest {label} order{when}."), "increment_id"),
        ("newest", ("What is the grand total of the newest order with status {label}{when}, in dollars?", "How many dollars is the most recent {label} order{when}, by its grand total?"), "grand_total"),
        ("oldest", ("On which date was the oldest order with status {label}{when} placed?", "When was the earliest {label} order{when} placed? Give me the date."), "created_at"),
        ("newest", ("Tell me the order number and the grand total of the newest {label} order{when}.", "Which number and which grand total has the most recent order with status {label}{when}?"), "number_total"),
        ("oldest", ("Who is billed for the oldest order with status {label}{when}?", "Name the customer (bill-to) of the earliest {label} order{when}."), "billing_name"),
    )  # fmt: skip
    spans = [EVER, *months(), *quarters()]
    found = []
    for which, goals, attribute in asked:
        cases = [_extreme(which, status, span) for status in _STATUSES for span in spans if placed(status, span)]
        # A day with two orders has no newest one that a person would agree on; orders of a span are told apart by time.
        bench = [c for c in cases if c.params["span"].is_all]
        found.append(
            Variant(
                goals,
                _unique(cases),
                lambda c: c.params,
                _extreme_checks(attribute),
                _extreme_oracle(attribute),
                bench=_unique(bench),
            )
        )
    return found


def _counts(span: Span) -> tuple[str, ...]:
    found = [m for m in months() if span.start <= m.start and m.end <= span.end]
    return tuple(f"{m.start[5:7]}:{len(placed('complete', m))}" for m in found)


def _all_counts() -> tuple[str, ...]:
    return tuple(f"{month:02d}:{count}" for month in range(1, 13) for count in range(40))


def _sum(status: str, span: Span, n: int) -> int:
    return sum(o["grand_total"] for o in placed(status, span)[:n])


def _sum_oracle(p: Params, version: str) -> list[Step]:
    steps = listed(version, p["status"], p["span"])
    if "second" in p:
        steps += listed(version, p["second"], p["span"])
    return [*steps, say(money(p["sum"]))]


def _extreme(which: str, status: str, span: Span) -> Case:
    found = placed(status, span)
    row = found[0] if which == "newest" else found[-1]
    params = {
        **row, "which": which, "label": ORDER_STATUS[status], "state": status, "span": span, "when": when(span),
    }  # fmt: skip
    return Case((row["increment_id"],), params)


def _unique(cases: list[Case]) -> list[Case]:
    """Returns the first case of each order."""
    return list({c.marks: c for c in reversed(cases)}.values())[::-1]


def _extreme_checks(attribute: str) -> Callable[[Params], tuple[Check, ...]]:
    def checks(p: Params) -> tuple[Check, ...]:
        amount = AnswerCheck("number", p["grand_total"] / 100, (("tolerance", 0.005),))
        if attribute == "billing_name":
            return (names(p["billing_name"]),)
        if attribute == "grand_total":
            return (amount,)
        if attribute == "created_at":
            return (AnswerCheck("date", p["created_at"][:10]),)
        number = AnswerCheck("includes", p["increment_id"])
        return (
            (number,)
            if attribute == "increment_id"
            else (number, AnswerCheck("includes", f"{p['grand_total'] / 100:,.2f}"))
        )

    return checks


def _extreme_oracle(attribute: str) -> Callable[[Params, str], list[Step]]:
    def oracle(p: Params, version: str) -> list[Step]:
        answers = {
            "billing_name": p["billing_name"], "increment_id": p["increment_id"], "grand_total": money(p["grand_total"]),
            "created_at": day(p["created_at"]), "number_total": f"{p['increment_id']}, {money(p['grand_total'])}",
        }  # fmt: skip
        steps = listed(version, p["state"], p["span"], oldest=p["which"] == "oldest")
        return [*steps, say(answers[attribute])]

    return oracle


def names(name: str) -> AnswerCheck:
    """Returns the check that an answer names one customer and no other."""
    known = tuple(sorted({f"{o['customer_firstname']} {o['customer_lastname']}" for o in orders()}))
    return AnswerCheck("list", (name,), (("universe", known),))


def when(span: Span) -> str:
    """Returns how a goal speaks of the orders of a span; nothing for all time."""
    return f" placed {span.words}" if span.words else ""
