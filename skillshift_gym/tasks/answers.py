"""Matchers of answers: pure functions of a sentence, each with a stated rule.

An answer is what an agent says in `send_msg_to_user`. A matcher never asks a model. Texts are compared after Unicode
normalisation (NFKC), with typographic quotes and dashes made plain, case folded and white space collapsed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from datetime import date

_PLAIN = str.maketrans({"‘": "'", "’": "'", "“": '"', "”": '"', "–": "-", "—": "-", "‑": "-", "\u00a0": " "})
_MONTHS = [
    "january",
    "february",
    "march",
    "april",
    "may",
    "june",
    "july",
    "august",
    "september",
    "october",
    "november",
    "december",
]
_MONTH = "|".join(f"{m[:3]}(?:{m[3:]})?" if len(m) > 3 else m for m in _MONTHS) + "|sept"
_DATES = (
    re.compile(r"\b(?P<y>\d{4})-(?P<m>\d{1,2})-(?P<d>\d{1,2})\b"),
    re.compile(r"\b(?P<m>\d{1,2})/(?P<d>\d{1,2})/(?P<y>\d{4})\b"),
    re.compile(rf"\b(?P<n>{_MONTH})\.? (?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? (?P<y>\d{{4}})\b"),
    re.compile(rf"\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<n>{_MONTH})\.?,? (?P<y>\d{{4}})\b"),
)
_NUMBER = re.compile(r"(?<![\w.,])[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?![\w]|[.,]\d)")
_YES = frozenset(("yes", "yeah", "yep", "true", "correct"))
_NO = frozenset(("no", "nope", "false", "none"))


def normalise(text: str) -> str:
    """Returns the text in the form in which answers are compared."""
    plain = unicodedata.normalize("NFKC", text).translate(_PLAIN)
    return " ".join(plain.casefold().split())


def is_exact(answer: str, expected: str) -> bool:
    """Tells whether the answer is the expected text; surrounding quotes and a final full stop do not count."""
    return _bare(answer) == _bare(expected)


def includes(answer: str, expected: str) -> bool:
    """Tells whether the answer holds the expected words, in order, between word boundaries."""
    words = re.escape(normalise(expected))
    return re.search(rf"(?<!\w){words}(?!\w)", normalise(answer)) is not None


def has_number(answer: str, expected: float, *, unit: str = "", tolerance: float = 0.0) -> bool:
    """Tells whether the only number in the answer is the expected one.

    Args:
        answer: The sentence; thousands separators are understood.
        expected: The number.
        unit: A word or sign that must stand next to the number when given, such as `$` or `km`.
        tolerance: Greatest absolute difference allowed.
    """
    text = normalise(answer)
    found = [(float(m.group().replace(",", "")), m.span()) for m in _NUMBER.finditer(text)]
    if len(found) != 1 or abs(found[0][0] - expected) > tolerance + 1e-9:
        return False
    start, end = found[0][1]
    near = normalise(unit)
    return (
        not unit
        or text[:start].rstrip().endswith(near)
        or re.match(rf"{re.escape(near)}(?!\w)", text[end:].lstrip()) is not None
    )


def has_date(answer: str, expected: date) -> bool:
    """Tells whether the only date in the answer is the expected one, however it is written."""
    return dates_in(answer) == {expected}


def dates_in(text: str) -> set[date]:
    """Returns the calendar dates written in a text; a slashed date is read month first."""
    found: set[date] = set()
    for pattern in _DATES:
        for match in pattern.finditer(normalise(text)):
            parts = match.groupdict()
            month = int(parts["m"]) if parts.get("m") else _month(parts["n"])
            try:
                found.add(date(int(parts["y"]), month, int(parts["d"])))
            except ValueError:
                continue
    return found


def lists_exactly(answer: str, expected: Sequence[str], universe: Sequence[str] = ()) -> bool:
    """Tells whether the answer names every expected item, in any order, and no other item of the universe."""
    others = [item for item in universe if normalise(item) not in {normalise(e) for e in expected}]
    rest = normalise(answer)
    for item in sorted(expected, key=len, reverse=True):
        words = re.escape(normalise(item))
        rest, count = re.subn(rf"(?<!\w){words}(?!\w)", " ; ", rest)
        if not count:
            return False
    return not any(includes(rest, other) for other in others)


def says_yes_or_no(answer: str, expected: bool) -> bool:
    """Tells whether the answer starts with the expected yes or no; a hedge ("yes and no") is neither."""
    words = re.findall(r"\w+", normalise(answer))
    if not words or words[0] not in (_YES if expected else _NO):
        return False
    opposite = {"no", "nope"} if expected else {"yes", "yeah", "yep"}
    return not (len(words) > 2 and words[1] in ("and", "or", "but") and words[2] in opposite)


def _bare(text: str) -> str:
    return normalise(text).strip("\"'").rstrip(".").strip("\"'")


def _month(name: str) -> int:
    return next(i for i, month in enumerate(_MONTHS, 1) if month.startswith(name[:3]))
