"""Dates and times as HTML writes them: milliseconds since 1970, for months the number of months since 1970."""

from __future__ import annotations

import re

from ..months import MONTHS

_DATE = re.compile(r"(\d{4,})-(\d\d)-(\d\d)", re.ASCII)
_MONTH = re.compile(r"(\d{4,})-(\d\d)", re.ASCII)
_WEEK = re.compile(r"(\d{4,})-W(\d\d)", re.ASCII)
_TIME = re.compile(r"(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?", re.ASCII)
_DAYS = (31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)
DAY = 86_400_000
_LAST_YEAR = 275_760


def parse_moment(kind: str, text: str) -> int | None:
    """Returns the number of a date or time of an input type, None when the text is not valid for it."""
    parser = _PARSERS.get(kind)
    return parser(text) if parser else None


def format_moment(kind: str, number: int) -> str:
    """Returns the canonical text of a date or time; the inverse of `parse_moment`."""
    if kind == "month":
        return f"{1970 + number // 12:04}-{number % 12 + 1:02}"
    days, rest = divmod(number, DAY)
    if kind == "date":
        return _date_text(days)
    if kind == "week":
        return _week_text(days)
    return _time_text(rest) if kind == "time" else f"{_date_text(days)}T{_time_text(rest)}"


def localised_moment(kind: str, number: int) -> str:
    """Returns a date or time as an English browser prints it in its messages."""
    text = format_moment(kind, number)
    if kind == "datetime-local":
        date, _, time = text.partition("T")
        return f"{_localised_date(date)}, {_localised_time(time)}"
    if kind == "month":
        year, month = text.split("-")
        return f"{MONTHS[int(month) - 1]} {year}"
    if kind == "week":
        year, week = text.split("-W")
        return f"Week {week}, {year}"
    return _localised_time(text) if kind == "time" else _localised_date(text)


def normalised_datetime(text: str) -> str:
    """Returns a local date and time in its shortest form, empty when it is not valid."""
    date, mark, time = text.partition("T") if "T" in text else text.partition(" ")
    milliseconds = _parse_time(time)
    if not mark or _parse_date(date) is None or milliseconds is None:
        return ""
    return f"{date}T{_time_text(milliseconds)}"


def _localised_date(date: str) -> str:
    year, month, day = date.split("-")
    return f"{month}/{day}/{year}"


def _localised_time(time: str) -> str:
    hour, _, rest = time.partition(":")
    return f"{(int(hour) + 11) % 12 + 1}:{rest}\u202f{'AM' if int(hour) < 12 else 'PM'}"


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
