"""Rules, search terms, pages, blocks, configuration, subscribers, carts and views."""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta

from ..draws import number, sample
from .content import lists
from .rows import insert
from .schema import EPOCH

_STAMP = "2023-01-02T10:00:00"


def add(db: sqlite3.Connection) -> None:
    """Fills everything around the sales."""
    _add_rules(db)
    _add_content(db)
    _add_searches(db)
    _add_subscribers(db)
    _add_carts(db)
    _add_views(db)


def _add_rules(db: sqlite3.Connection) -> None:
    for row in lists("marketing")["salesrules"]:
        name, description, active, start, end, coupon_type, code, action, amount, free = row
        insert(
            db,
            "salesrule",
            {
                "name": name, "description": description, "is_active": int(active), "from_date": start, "to_date": end,
                "coupon_type": int(coupon_type), "coupon_code": code, "uses_per_coupon": 0, "uses_per_customer": 0,
                "website_ids": "1", "customer_group_ids": "2" if "Wholesale" in name else "0,1,2,3", "sort_order": 0,
                "simple_action": action, "discount_amount": int(amount) * 100, "discount_qty": 0, "discount_step": 0,
                "apply_to_shipping": 0, "simple_free_shipping": int(free), "stop_rules_processing": 0, "conditions": "",
                "times_used": number(f"used:{name}", 60),
            },
        )  # fmt: skip
    for name, description, active, start, end, action, amount in lists("marketing")["catalogrules"]:
        insert(
            db,
            "catalogrule",
            {
                "name": name, "description": description, "is_active": int(active), "from_date": start, "to_date": end,
                "website_ids": "1", "customer_group_ids": "2" if "Wholesale" in name else "0,1,2,3", "sort_order": 0,
                "simple_action": action, "discount_amount": int(amount) * 100, "stop_rules_processing": 0, "conditions": "",
            },
        )  # fmt: skip


def _add_content(db: sqlite3.Connection) -> None:
    for title, identifier, heading, content in lists("marketing")["pages"]:
        values = {
            "title": title, "identifier": identifier, "content_heading": heading, "content": f"<p>{content}</p>", "is_active": 1,
            "page_layout": "1column", "meta_keywords": "", "meta_description": "", "creation_time": _STAMP, "update_time": _STAMP,
        }  # fmt: skip
        insert(db, "cms_page", values)
    for title, identifier, content in lists("marketing")["blocks"]:
        values = {
            "title": title, "identifier": identifier, "content": f"<p>{content}</p>", "is_active": 1, "creation_time": _STAMP,
            "update_time": _STAMP,
        }  # fmt: skip
        insert(db, "cms_block", values)
    for path, value in lists("marketing")["config"]:
        insert(db, "core_config_data", {"path": path, "value": value})


def _add_searches(db: sqlite3.Connection) -> None:
    for text, results, uses in lists("marketing")["searches"]:
        last = EPOCH - timedelta(hours=number(f"search:{text}", 900))
        insert(
            db,
            "search_query",
            {
                "query_text": text, "num_results": int(results), "popularity": int(uses), "redirect": "", "display_in_terms": 1,
                "updated_at": last.isoformat(),
            },
        )  # fmt: skip


def _add_subscribers(db: sqlite3.Connection) -> None:
    for row in db.execute("SELECT entity_id, email FROM customer_entity ORDER BY entity_id").fetchall():
        drawn = number(f"letter:{row['email']}", 10)
        if drawn < 6:
            status = 3 if drawn == 0 else 1
            values = {"subscriber_email": row["email"], "customer_id": row["entity_id"], "subscriber_status": status}
            insert(db, "newsletter_subscriber", values)
    for name in ("reader.one", "reader.two", "letters", "post.box.9"):
        values = {"subscriber_email": f"{name}@inkwell.example", "customer_id": 0, "subscriber_status": 2}
        insert(db, "newsletter_subscriber", values)


def _add_carts(db: sqlite3.Connection) -> None:
    products = db.execute(
        "SELECT entity_id, price FROM catalog_product WHERE type_id = 'simple' ORDER BY entity_id"
    ).fetchall()
    customers = [row[0] for row in db.execute("SELECT entity_id FROM customer_entity ORDER BY entity_id")]
    for customer in sample("carts", customers, 26):
        began = EPOCH - timedelta(hours=5 + number(f"cart:{customer}", 24 * 40))
        items = sample(f"cart:{customer}", products, 1 + number(f"lines:{customer}", 4))
        counts = [1 + number(f"count:{customer}:{item['entity_id']}", 3) for item in items]
        quote = insert(
            db,
            "quote",
            {
                "customer_id": customer, "items_count": len(items), "items_qty": sum(counts),
                "subtotal": sum(c * i["price"] for c, i in zip(counts, items, strict=True)), "coupon_code": "",
                "created_at": began.isoformat(), "updated_at": (began + timedelta(minutes=number(f"left:{customer}", 300))).isoformat(),
            },
        )  # fmt: skip
        for item, count in zip(items, counts, strict=True):
            insert(
                db,
                "quote_item",
                {"quote_id": quote, "product_id": item["entity_id"], "qty": count, "price": item["price"]},
            )


def _add_views(db: sqlite3.Connection) -> None:
    """Adds one row a product and month, on a drawn day."""
    shown = [
        row[0] for row in db.execute("SELECT entity_id FROM catalog_product WHERE visibility = 4 ORDER BY entity_id")
    ]
    month = datetime(2023, 1, 1)
    while month < EPOCH:
        last = 27 if (month.year, month.month) != (EPOCH.year, EPOCH.month) else EPOCH.day - 2
        for product in shown:
            key = f"views:{product}:{month:%Y-%m}"
            day = month + timedelta(days=number(key, last))
            views = 1 + number(f"{key}:count", 30) + number(f"fame:{product}", 50)
            insert(
                db,
                "report_viewed_product",
                {"product_id": product, "viewed_on": day.date().isoformat(), "views": views},
            )
        month = (month + timedelta(days=32)).replace(day=1)
