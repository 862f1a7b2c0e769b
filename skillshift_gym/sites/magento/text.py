"""How the shop writes money, dates and names."""

from __future__ import annotations

from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation

from ...months import MONTHS


def money(cents: int | None) -> str:
    """Returns an amount as the admin prints it, `$1,234.50`; empty for None."""
    if cents is None:
        return ""
    return f"{'-' if cents < 0 else ''}${abs(cents) / 100:,.2f}"


def plain(cents: int | None) -> str:
    """Returns an amount as a form field holds it, `1234.50`; empty for None."""
    return "" if cents is None else f"{cents / 100:.2f}"


def cents(text: str) -> int | None:
    """Returns the cents of an amount that a person wrote, such as `$1,234.5`; None when it is no amount."""
    try:
        value = Decimal(text.strip().replace("$", "").replace(",", ""))
    except InvalidOperation:
        return None
    if not value.is_finite() or abs(value) >= 10**10:
        return None
    return int((value * 100).quantize(Decimal(1), ROUND_HALF_UP))


def moment(iso: str) -> str:
    """Returns a time as the admin prints it, `Mar 5, 2024 9:30:00 AM`."""
    t = datetime.fromisoformat(iso)
    return f"{MONTHS[t.month - 1][:3]} {t.day}, {t.year} {t.hour % 12 or 12}:{t:%M:%S} {'AM' if t.hour < 12 else 'PM'}"


def day(iso: str) -> str:
    """Returns a day as the admin prints it, `Mar 5, 2024`; empty for an empty one."""
    return f"{MONTHS[int(iso[5:7]) - 1][:3]} {int(iso[8:10])}, {iso[:4]}" if iso else ""


def slashed(iso: str) -> str:
    """Returns a day as date fields hold it, `3/5/2024`; empty for an empty one."""
    return f"{int(iso[5:7])}/{int(iso[8:10])}/{iso[:4]}" if iso else ""


def parse_day(text: str) -> str | None:
    """Returns the ISO day of `3/5/2024`, `03/05/24` or `2024-03-05`; empty for an empty text, None for anything else."""
    text = text.strip()
    if not text:
        return ""
    for form in ("%m/%d/%Y", "%m/%d/%y", "%Y-%m-%d"):
        try:
            return datetime.strptime(text, form).date().isoformat()
        except ValueError:
            continue
    return None
