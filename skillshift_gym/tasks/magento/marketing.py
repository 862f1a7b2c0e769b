"""Questions about reviews, search terms and best sellers, and reports to be shown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from ...sites.magento.schema import REVIEW_STATUS
from ..build import Variant
from ..checks import AnswerCheck, Check
from ..family import DEFAULT_BUDGET, Params
from ..oracle import Step, say
from .data import EVER, Case, Span, months, quarters, rows, runs, years
from .reporting import opened
from .steps import days, filtered, found, menu, push

BEST = "best-selling product, brand or type of a period"
TERMS = "number of reviews that mention a term"
SEARCHES = "top n search terms"
STATUSES = "number of reviews in a status"
PERIODS = "number of reviews in a period"
_REVIEWS = "SELECT * FROM review ORDER BY review_id"
_NUMBERS = {2: "two", 3: "three", 4: "four", 5: "five", 6: "six", 7: "seven", 8: "eight", 9: "nine", 10: "ten"}


def best_variants() -> list[Variant]:
    """Returns the four families that ask for what sold best in a period."""
    spans = [*years(), *quarters(), *months(), *runs(2, 5)]
    cases = [case for span in spans if (case := _best(span)) is not None]
    asked: tuple[tuple[tuple[str, str], str, tuple[Span, ...]], ...] = (
        (("What was the best-selling product {words}? Give me its name.", "Which product sold best {words}?"), "name", years()),
        (("Which product was sold most often {words}? Give me its name.", "Name the top-selling product {words}."), "name", quarters()),
        (("What type of product was the best seller {words}, for example a jacket or a tent?", "The best-selling product {words}: what type of product is it?"), "kind", quarters()),
        (("Which brand makes the best-selling product {words}?", "Tell me the manufacturer of the product that sold best {words}."), "manufacturer", quarters()),
    )  # fmt: skip
    return [
        Variant(
            goals,
            cases,
            lambda c: c.params,
            lambda p, a=attribute: _best_checks(p, a),  # type: ignore[misc]
            lambda p, version, a=attribute: _best_oracle(p, version, a),  # type: ignore[misc]
            alter=lambda p, a=attribute: {**p, a: next(n for n in _known(a) if n != p[a])},  # type: ignore[misc]
            bench=[c for c in cases if c.params["span"] in bench],
            budget=20 if attribute == "manufacturer" else DEFAULT_BUDGET,
        )
        for goals, attribute, bench in asked
    ]


def term_variants() -> list[Variant]:
    """Returns the five families that count reviews that mention a term."""
    words = (
        "zip", "hood", "collar", "strap", "stitching", "pocket", "cuff", "waistband", "buckle", "lining", "fabric", "colour", "price",
        "comfortable", "warm", "fit", "small", "rain", "wash", "dry", "season", "returned", "delivery", "size", "cheap", "sturdy",
    )  # fmt: skip
    cases = []
    for word in words:
        count = sum(word in r["detail"].lower() for r in rows(_REVIEWS))
        if count:
            cases.append(Case((word,), {"term": word, "count": count}))
    asked = (
        ("How many reviews mention the term “{term}”?", "Count the reviews whose text contains “{term}”."),
        ("Tell me the number of reviews that say “{term}”.", "In how many reviews does “{term}” occur in the text?"),
        ("How often do customers write “{term}” in their reviews? Give me the number of reviews.", "How many reviews have “{term}” in their text?"),
        ("I need the number of reviews that our store received so far with the word “{term}”.", "Number of reviews with “{term}” in the review text?"),
        ("How many of all reviews talk about “{term}”, word for word?", "Find out how many reviews contain “{term}”."),
    )  # fmt: skip
    return [
        Variant(goals, cases, lambda c: c.params, _count_checks, lambda p, v: _count_reviews(v, {"detail": p["term"]}, (), p["count"]), alter=_one_more)
        for goals in asked
    ]  # fmt: skip


def search_variants() -> list[Variant]:
    """Returns the three families that ask for the top search terms."""
    terms = [r["query_text"] for r in rows("SELECT * FROM search_query ORDER BY popularity DESC, query_id")]
    asked = (
        ("What are the top {number} search terms in my store?", "List the {number} search terms with the most hits."),
        ("Which {number} search terms are used most?", "Name the {number} most popular search terms of the store."),
        ("Tell me the {number} search queries that customers use most often.", "Top {number} search terms, please."),
    )  # fmt: skip
    cases = [Case((n,), {"n": n, "number": word, "terms": tuple(terms[:n])}) for n, word in _NUMBERS.items()]

    def checks(p: Params) -> tuple[Check, ...]:
        return (AnswerCheck("list", p["terms"], (("universe", tuple(terms)),)),)

    def oracle(p: Params, version: str) -> list[Step]:
        return [*menu(version, "reports.search"), say("; ".join(p["terms"]))]

    return [Variant(goals, cases, lambda c: c.params, checks, oracle) for goals in asked]


def status_variants() -> list[Variant]:
    """Returns the three families that count reviews in a status."""
    cases = []
    for status, label in REVIEW_STATUS.items():
        for span in (EVER, *months()):
            own = [r for r in rows(_REVIEWS) if r["status_id"] == status and span.holds(r["created_at"])]
            if own:
                when = f" created {span.words}" if span.words else ""
                cases.append(
                    Case(
                        (f"{status} {span.start}",),
                        {
                            "status": status,
                            "label": label.lower(),
                            "option": label,
                            "span": span,
                            "when": when,
                            "count": len(own),
                        },
                    )
                )
    asked = (
        ("How many reviews{when} have the status “{option}”?", "Count the reviews{when} that are {label}."),
        ("Tell me the number of {label} reviews{when}.", "How many reviews{when} are {label}?"),
        ("What is the number of reviews{when} with the status “{option}”?", "Number of reviews{when} in status {option}?"),
    )  # fmt: skip
    return [
        Variant(
            goals, cases, lambda c: c.params, _count_checks,
            lambda p, v: _count_reviews(v, {"status_id": p["option"], **_dates(p["span"])}, ("status_id",), p["count"]), alter=_one_more,
            bench=[c for c in cases if c.params["span"].is_all],
        )
        for goals in asked
    ]  # fmt: skip


def period_variants() -> list[Variant]:
    """Returns the five families that count the reviews of a period."""
    asked: tuple[tuple[tuple[str, str], Sequence[Span]], ...] = (
        (("How many reviews did our store receive {words}?", "Count the reviews created {words}."), months()),
        (("Tell me the number of reviews written {words}.", "How many reviews were written {words}?"), quarters()),
        (("How many reviews came in {words}?", "Number of reviews {words}?"), runs(2, 2)),
        (("How many reviews did customers leave {words}?", "Find out how many reviews there are {words}."), runs(3, 4)),
        (("How many reviews has our store received {words}?", "How many reviews are there in total {words}?"), (Span("", "", "so far"), *runs(5, 7))),
    )  # fmt: skip
    found_variants = []
    for goals, spans in asked:
        cases = []
        for span in spans:
            whole = not span.start
            count = sum(whole or span.holds(r["created_at"]) for r in rows(_REVIEWS))
            cases.append(
                Case(
                    (f"{span.start} {span.end}",),
                    {"span": EVER if whole else span, "words": span.words, "count": count},
                )
            )
        first = [c for c in cases if c.params["words"] == "so far"]
        found_variants.append(
            Variant(
                goals,
                cases,
                lambda c: c.params,
                _count_checks,
                lambda p, v: _count_reviews(v, _dates(p["span"]), (), p["count"]),
                alter=_one_more,
                bench=first,
            )
        )
    return found_variants


def _best(span: Span) -> Case | None:
    """Returns the product that sold best in a span, None where two share the place."""
    sold: Counter[str] = Counter()
    for row in rows(
        "SELECT i.name, i.qty_ordered, o.created_at FROM sales_order_item i JOIN sales_order o ON o.entity_id = i.order_id "
        "WHERE o.status != 'canceled'"
    ):
        if span.holds(row["created_at"]):
            sold[row["name"]] += row["qty_ordered"]
    (name, count), (_, second) = sold.most_common(2)
    if count == second:
        return None
    product = next(
        p for p in rows("SELECT * FROM catalog_product WHERE parent_id IS NULL ORDER BY entity_id") if p["name"] == name
    )
    return Case(
        (f"{span.start} {span.end}",),
        {**product, "id": product["entity_id"], "span": span, "words": span.words, "count": count},
    )


def _best_checks(p: Params, attribute: str) -> tuple[Check, ...]:
    return (AnswerCheck("list", (p[attribute],), (("universe", _known(attribute)),)),)


def _known(attribute: str) -> tuple[str, ...]:
    """Returns all values of an attribute of the products."""
    found_rows = rows("SELECT * FROM catalog_product WHERE parent_id IS NULL ORDER BY entity_id")
    return tuple(sorted({r[attribute] for r in found_rows}))


def _best_oracle(p: Params, version: str, attribute: str) -> list[Step]:
    span: Span = p["span"]
    period = "Year" if span.start[:4] == span.end[:4] else ""
    steps = opened(version, "bestsellers", span.start, span.end, period)
    if attribute == "manufacturer":
        steps += [
            *menu(version, "products.grid"),
            *found(version, "products", "name", p["name"], p["id"]),
            push("form.section{product.attributes}"),
        ]
    return [*steps, say(p[attribute])]


def _dates(span: Span) -> dict[str, str]:
    return {} if span.is_all else days("created_at", span.start, span.end)


def _count_reviews(version: str, filters: dict[str, str], options: tuple[str, ...], count: int) -> list[Step]:
    return [
        *menu(version, "reviews.grid"),
        *(filtered(version, "reviews", filters, options) if filters else []),
        say(str(count)),
    ]


def _one_more(p: Params) -> Params:
    return {**p, "count": p["count"] + 1}


def _count_checks(p: Params) -> tuple[Check, ...]:
    return (AnswerCheck("number", p["count"]),)
