"""Values of typed inputs: parsing, canonical form and sanitisation as the HTML standard defines them."""

from __future__ import annotations

import math
import re
from decimal import Decimal
from fractions import Fraction

from ..document import Element
from .structure import input_type

_NUMBER = re.compile(r"-?(?:\d+(?:\.\d+)?|\.\d+)(?:[eE][+-]?\d+)?", re.ASCII)
_COLOR = re.compile(r"#[0-9a-fA-F]{6}")
_DATE = re.compile(r"(\d{4,})-(\d\d)-(\d\d)", re.ASCII)
_MONTH = re.compile(r"(\d{4,})-(\d\d)", re.ASCII)
_WEEK = re.compile(r"(\d{4,})-W(\d\d)", re.ASCII)
_TIME = re.compile(r"(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?", re.ASCII)
_SPACE = " \t\n\r\f"
_NO_NEWLINES = str.maketrans("", "", "\r\n")
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
DAY = 86_400_000
_LAST_YEAR = 275_760


def parse_number(text: str) -> Fraction | None:
    """Returns the exact value of a valid floating-point number, None for anything else."""
    if not _NUMBER.fullmatch(text):
        return None
    rounded = float(text)
    if not math.isfinite(rounded):
        return None
    return Fraction(Decimal(text)) if rounded else Fraction(0)


def parse_value(kind: str, text: str) -> Fraction | None:
    """Returns the number that an input of this type stands for, None when the text is not valid for it.

    Dates and times are milliseconds since 1970, months are counted since 1970.
    """
    if kind in ("number", "range"):
        return parse_number(text)
    parser = _PARSERS.get(kind)
    number = parser(text) if parser else None
    return None if number is None else Fraction(number)


def format_value(kind: str, number: Fraction) -> str:
    """Returns the canonical text of a number for an input of this type; the inverse of `parse_value`."""
    if kind in ("number", "range"):
        return format_number(number)
    whole = math.floor(number)
    if kind == "month":
        return f"{1970 + whole // 12:04}-{whole % 12 + 1:02}"
    days, rest = divmod(whole, DAY)
    if kind == "date":
        return _date_text(days)
    if kind == "week":
        return _week_text(days)
    return _time_text(rest) if kind == "time" else f"{_date_text(days)}T{_time_text(rest)}"


def format_number(number: Fraction) -> str:
    """Returns a number as a browser prints it."""
    if number.denominator == 1 and abs(number) < 10**21:
        return str(number.numerator)
    text = repr(float(number))
    return text.removesuffix(".0").replace("e-0", "e-").replace("e+0", "e+")


def sanitise(element: Element, text: str) -> str:
    """Returns what an `input` makes of a value: the value sanitisation algorithm of its type."""
    kind = input_type(element)
    if kind in ("text", "search", "tel", "password"):
        return text.translate(_NO_NEWLINES)
    if kind in ("url", "email"):
        return _address(element, text.translate(_NO_NEWLINES).strip(_SPACE))
    if kind == "range":
        return format_number(_in_range(element, parse_number(text)))
    if kind == "color":
        return text.lower() if _COLOR.fullmatch(text) else "#000000"
    if kind == "datetime-local":
        return _datetime(text)
    if kind == "number" or kind in _PARSERS:
        return text if parse_value(kind, text) is not None else ""
    return "" if kind == "file" else text


def range_limits(element: Element) -> tuple[Fraction, Fraction]:
    """Returns the minimum and maximum of a `range` input."""
    low, high = parse_number(element.attrs.get("min", "")), parse_number(element.attrs.get("max", ""))
    low = Fraction(0) if low is None else low
    return low, Fraction(100) if high is None else high


def utf16_length(text: str) -> int:
    """Returns the length of a text as the DOM counts it."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def _address(element: Element, text: str) -> str:
    if "multiple" in element.attrs and input_type(element) == "email":
        return ",".join(part.strip(_SPACE) for part in text.split(","))
    return text


def _in_range(element: Element, number: Fraction | None) -> Fraction:
    low, high = range_limits(element)
    if number is None:
        number = low if high < low else low + (high - low) / 2
    number = max(low, min(number, high)) if high >= low else low
    step = parse_number(element.attrs.get("step", "1"))
    if element.attrs.get("step", "").lower() == "any":
        return number
    step = step if step is not None and step > 0 else Fraction(1)
    base = low if "min" in element.attrs else (parse_number(element.attrs.get("value", "")) or Fraction(0))
    steps = math.floor((number - base) / step + Fraction(1, 2))
    while base + steps * step > high and base + (steps - 1) * step >= low:
        steps -= 1
    return base + steps * step


def _datetime(text: str) -> str:
    date, mark, time = text.partition("T") if "T" in text else text.partition(" ")
    milliseconds = _parse_time(time)
    if not mark or _parse_date(date) is None or milliseconds is None:
        return ""
    return f"{date}T{_time_text(milliseconds)}"


def _parse_date(text: str) -> int | None:
    match = _DATE.fullmatch(text)
    if not match or len(match[1]) > 6:
        return None
    year, month, day = int(match[1]), int(match[2]), int(match[3])
    if not (0 < year <= _LAST_YEAR and 0 < month <= 12 and 0 < day <= _month_length(year, month)):
        return None
    return _days(year, month, day) * DAY


def _parse_month(text: str) -> int | None:
    match = _MONTH.fullmatch(text)
    if not match or _parse_date(f"{text}-01") is None:
        return None
    return (int(match[1]) - 1970) * 12 + int(match[2]) - 1


def _parse_week(text: str) -> int | None:
    match = _WEEK.fullmatch(text)
    if not match or len(match[1]) > 6 or not 0 < int(match[1]) <= _LAST_YEAR:
        return None
    first, following = _first_monday(int(match[1])), _first_monday(int(match[1]) + 1)
    monday = first + (int(match[2]) - 1) * 7
    return monday * DAY if first <= monday < following else None


def _parse_time(text: str) -> int | None:
    match = _TIME.fullmatch(text)
    if not match:
        return None
    hour, minute, second = int(match[1]), int(match[2]), int(match[3] or 0)
    if hour > 23 or minute > 59 or second > 59:
        return None
    return ((hour * 60 + minute) * 60 + second) * 1000 + int((match[4] or "0").ljust(3, "0"))


def _parse_datetime(text: str) -> int | None:
    date, mark, time = text.partition("T")
    days, milliseconds = _parse_date(date), _parse_time(time)
    return None if not mark or days is None or milliseconds is None else days + milliseconds


_PARSERS = {
    "date": _parse_date,
    "month": _parse_month,
    "week": _parse_week,
    "time": _parse_time,
    "datetime-local": _parse_datetime,
}


def _month_length(year: int, month: int) -> int:
    leap = year % 4 == 0 and (year % 100 != 0 or year % 400 == 0)
    return 29 if month == 2 and leap else _DAYS[month - 1]


def _days(year: int, month: int, day: int) -> int:
    """Returns the days from 1970-01-01; years are counted from March so that the leap day comes last."""
    year -= month <= 2
    era, year_of_era = divmod(year, 400)
    day_of_year = (153 * ((month + 9) % 12) + 2) // 5 + day - 1
    return era * 146_097 + year_of_era * 365 + year_of_era // 4 - year_of_era // 100 + day_of_year - 719_468


def _first_monday(year: int) -> int:
    """Returns the Monday of ISO week 1: the week that holds January 4th."""
    fourth = _days(year, 1, 4)
    return fourth - (fourth + 3) % 7


def _date_text(days: int) -> str:
    era, day_of_era = divmod(days + 719_468, 146_097)
    year_of_era = (day_of_era - day_of_era // 1460 + day_of_era // 36_524 - day_of_era // 146_096) // 365
    day_of_year = day_of_era - (365 * year_of_era + year_of_era // 4 - year_of_era // 100)
    shifted = (5 * day_of_year + 2) // 153
    month = shifted + 3 if shifted < 10 else shifted - 9
    year = year_of_era + era * 400 + (month <= 2)
    return f"{year:04}-{month:02}-{day_of_year - (153 * shifted + 2) // 5 + 1:02}"


def _week_text(days: int) -> str:
    year = int(_date_text(days + 3 - (days + 3) % 7).split("-")[0])
    return f"{year:04}-W{(days - _first_monday(year)) // 7 + 1:02}"


def _time_text(milliseconds: int) -> str:
    minutes, rest = divmod(milliseconds, 60_000)
    text = f"{minutes // 60:02}:{minutes % 60:02}"
    if rest:
        text += f":{rest // 1000:02}"
    return f"{text}.{rest % 1000:03}" if rest % 1000 else text
