"""Customer groups, customers and their addresses."""

from __future__ import annotations

import sqlite3
from datetime import datetime, timedelta
from typing import Any

from ..draws import choice, number
from ..slugs import slugify
from .content import column, lists
from .rows import insert

GROUPS = {0: "NOT LOGGED IN", 1: "General", 2: "Wholesale", 3: "Retailer"}


def add(db: sqlite3.Connection) -> None:
    """Adds groups and customers."""
    for key, code in GROUPS.items():
        insert(db, "customer_group", {"customer_group_id": key, "customer_group_code": code, "tax_class_id": 3})
    people = lists("people")["customers"]
    for place, (name, gender, city, region, postcode) in enumerate(people):
        first, last = name.split(" ", 1)
        joined = datetime(2022, 10, 3, 7) + timedelta(hours=place * 196 + number(f"joined:{name}", 150))
        host = choice(f"host:{name}", column("people", "hosts"))
        customer = insert(
            db,
            "customer_entity",
            {
                "email": f"{slugify(first)}.{slugify(last)}@{host}", "firstname": first, "lastname": last,
                "group_id": (1, 1, 1, 1, 1, 2, 3)[number(f"group:{name}", 7)], "dob": _born(name), "gender": 1 if gender == "m" else 2,
                "is_active": 1, "created_at": joined.isoformat(), "updated_at": joined.isoformat(),
            },
        )  # fmt: skip
        insert(
            db,
            "customer_address",
            {
                **address(name, city, region, postcode),
                "parent_id": customer,
                "default_billing": 1,
                "default_shipping": 1,
            },
        )
        if number(f"second:{name}", 4) == 0:
            other = people[(place + 11) % len(people)]
            second = {
                **address(f"{name} II", *other[2:]),
                "firstname": first,
                "lastname": last,
                "company": "c/o Reception",
            }
            insert(
                db, "customer_address", {**second, "parent_id": customer, "default_billing": 0, "default_shipping": 0}
            )


def address(name: str, city: str, region: str, postcode: str) -> dict[str, Any]:
    """Returns the address of a person: street and telephone are drawn, the telephone is unique."""
    first, last = name.split(" ", 1)
    street = f"{1 + number(f'house:{name}', 180)} {choice(f'street:{name}', column('people', 'streets'))}"
    return {
        "firstname": first, "lastname": last, "company": "", "street": street, "city": city, "region": region,
        "postcode": postcode, "country_id": "US", "telephone": f"555-{number(f'phone:{name}', 10**7):07d}"[:7] + f"-{number(f'line:{name}', 10**4):04d}",
    }  # fmt: skip


def _born(name: str) -> str:
    return (datetime(1952, 1, 1) + timedelta(days=number(f"born:{name}", 365 * 50))).date().isoformat()
