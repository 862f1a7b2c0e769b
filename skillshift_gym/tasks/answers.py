"""Matchers of answers: pure functions of a sentence, each with a stated rule.

An answer is what an agent says in `send_msg_to_user`. A matcher never asks a model. Texts are compared after Unicode
normalisation (NFKC), with typographic quotes and dashes made plain, case folded and white space collapsed.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from datetime import date

from ..months import MONTHS

_PLAIN = str.maketrans(
    {
        **dict.fromkeys("‘’‚′", "'"),
        **dict.fromkeys("“”„″", '"'),
        **dict.fromkeys("‐‑‒–—−", "-"),
        **dict.fromkeys("\u00ad\u200b\ufeff"),  # soft hyphen and zero-width characters: not seen, so not compared
    }
)
_MONTHS = [month.lower() for month in MONTHS]
_MONTH = "|".join(f"{m[:3]}(?:{m[3:]})?" if len(m) > 3 else m for m in _MONTHS) + "|sept"
_DAY = r"\d{1,2}(?:st|nd|rd|th)?"
_OR = r" ?(?:or|and|to|-|/|&) ?(?:the )?"  # two days of one month: two dates
_YEAR = r"(?:\s*,\s*|[ -])(?P<y>\d{4})(?!\d)"
_DATES = (
    re.compile(r"(?<![\d./-])(?P<y>\d{4})(?P<s>[-/.])(?P<m>\d{1,2})(?P=s)(?P<d>\d{1,2})(?!\d)"),
    re.compile(r"(?<![\d./-])(?P<m>\d{1,2})/(?P<d>\d{1,2})/(?P<y>\d{4})(?!\d)"),
    re.compile(rf"\b(?P<n>{_MONTH})\.?[ -](?:the )?(?P<d>{_DAY})(?:{_OR}(?P<e>{_DAY}))?(?: of)?{_YEAR}"),
    re.compile(rf"(?<!\d)(?:(?P<e>{_DAY}){_OR})?(?P<d>{_DAY})\.?(?: of)?[ -](?P<n>{_MONTH})\.?{_YEAR}"),
)
_DAYS = (  # a month and a day, with a year or without
    re.compile(rf"\b(?P<n>{_MONTH})\.?[ -](?:the )?(?P<d>{_DAY})(?![\d:])"),
    re.compile(rf"(?<![\d:])(?P<d>{_DAY})\.?(?: of)?[ -](?P<n>{_MONTH})\b"),
)
_OTHER_YEAR = re.compile(r"\bor (?:in )?\d{4}\b")
_NUMBER = re.compile(r"(?<![\w.,])[-+]?(?:(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?|\.\d+)(?!\w|[.,]\d)")
_YES = frozenset(("yes", "yeah", "yep", "true", "correct"))
_NO = frozenset(("no", "nope", "false", "none"))
_CLAUSE = re.compile(r"[.,;:!?/()]+|\b(?:and|or|but)\b| - ")
_FILLERS = frozenset(("actually", "also", "i", "maybe", "mean", "perhaps", "rather", "sorry", "wait", "well"))
_UNKNOWN = frozenset(("answer", "clue", "idea", "information"))


def normalise(text: str) -> str:
    """Returns the text in the form in which answers are compared; doing it again changes nothing."""
    for _ in range(2):  # case folding can leave what NFKC would still compose
        text = unicodedata.normalize("NFKC", text).translate(_PLAIN).casefold()
    return " ".join(unicodedata.normalize("NFKC", text).split())


def is_exact(answer: str, expected: str) -> bool:
    """Tells whether the answer is the expected text; surrounding quotes and a final full stop do not count."""
    return _bare(answer) == _bare(expected)


def includes(answer: str, expected: str) -> bool:
    """Tells whether the answer holds the expected words, in order, between word boundaries.

    A number is whole: `3` is neither in `3.5` nor in `1,003`.
    """
    words = normalise(expected)
    return bool(words) and re.search(_bounded(words), normalise(answer)) is not None


def has_number(answer: str, expected: float, *, unit: str = "", tolerance: float = 0.0) -> bool:
    """Tells whether the only number in the answer is the expected one.

    Args:
        answer: The sentence; thousands separators are understood.
        expected: The number.
        unit: A word or sign that must stand next to the number when given, such as `$` or `km`; `5km`, `-$5` and
            `$-5` are understood.
        tolerance: Greatest absolute difference allowed.
    """
    text, near = normalise(answer), normalise(unit)
    if near:
        text = _apart(text, near)
    found = [(float(m.group().replace(",", "")), m.span()) for m in _NUMBER.finditer(text)]
    if len(found) != 1 or abs(found[0][0] - expected) > tolerance + 1e-9:
        return False
    start, end = found[0][1]
    return (
        not near
        or re.search(rf"{_bounded(near)}\Z", text[:start].rstrip()) is not None
        or re.match(_bounded(near), text[end:].lstrip()) is not None
    )


def leave_out(answer: str, texts: Sequence[str]) -> str:
    """Returns the answer without some texts, such as a title that ends in a number before a date."""
    rest = normalise(answer)
    for text in sorted(texts, key=len, reverse=True):
        rest = re.sub(rf"(?<!\w){re.escape(normalise(text))}(?!\w)", " ; ", rest)
    return rest


def has_date(answer: str, expected: date) -> bool:
    """Tells whether the only date in the answer is the expected one, however it is written.

    A hedge names more than one: `5 or 6 March 2024`, `March 5 or April 6, 2024`, `March 5, 2024 or 2023`.
    """
    text = normalise(answer)
    days = {(_month(m["n"]), _number(m["d"])) for pattern in _DAYS for m in pattern.finditer(text)}
    return (
        dates_in(answer) == {expected} and days <= {(expected.month, expected.day)} and _OTHER_YEAR.search(text) is None
    )


def dates_in(text: str) -> set[date]:
    """Returns the calendar dates written in a text; a slashed date is read month first."""
    found: set[date] = set()
    for pattern in _DATES:
        for match in pattern.finditer(normalise(text)):
            parts = match.groupdict()
            month = int(parts["m"]) if parts.get("m") else _month(parts["n"])
            for day in filter(None, (parts["d"], parts.get("e"))):
                try:
                    found.add(date(int(parts["y"]), month, _number(day)))
                except ValueError:
                    continue
    return found


def lists_exactly(answer: str, expected: Sequence[str], universe: Sequence[str] = ()) -> bool:
    """Tells whether the answer names every expected item, in any order, and no other item of the universe.

    Where an item is part of another one, the longer one is read: an answer that says `Art history` does not name `Art`.
    """
    wanted = {normalise(item) for item in expected}
    known = sorted(wanted | {normalise(item) for item in universe}, key=lambda item: (-len(item), item))
    pattern = "|".join(_bounded(item) for item in known if item)
    named = set(re.findall(pattern, normalise(answer))) if pattern else set()
    return named == wanted


def says_yes_or_no(answer: str, expected: bool) -> bool:
    """Tells whether the answer starts with the expected yes or no.

    A hedge is neither: `yes and no`, `yes/no`, `Yes. Actually, no.`, `no idea`.
    """
    clauses = [words for words in (re.findall(r"\w+", c) for c in _CLAUSE.split(normalise(answer))) if words]
    ours, opposite = (_YES, _NO) if expected else (_NO, _YES)
    if not clauses or clauses[0][0] not in ours or set(clauses[0][1:2]) & (opposite | _UNKNOWN):
        return False
    return not any(set(c) & opposite and set(c) <= opposite | _FILLERS for c in clauses[1:])


def _bare(text: str) -> str:
    return normalise(text).strip("\"'").rstrip(".").strip("\"'")


def _month(name: str) -> int:
    return next(i for i, month in enumerate(_MONTHS, 1) if month.startswith(name[:3]))


def _number(day: str) -> int:
    return int(day.rstrip("stndrh"))


def _bounded(words: str) -> str:
    """Returns the pattern of a text that is not part of a longer word or number."""
    left = r"(?<!\w)" if re.match(r"\w", words) else ""
    right = r"(?!\w)" if re.search(r"\w\Z", words) else ""
    if words[0].isdigit():
        left += r"(?<!\d[.,])"
    if words[-1].isdigit():
        right += r"(?![.,]\d)"
    return left + re.escape(words) + right


def _apart(text: str, unit: str) -> str:
    """Returns the text with spaces between the unit and numbers, and a sign next to the digits."""
    words = re.escape(unit)
    text = re.sub(rf"(?<=\d){words}(?!\w)", lambda m: f" {unit}", text)
    return re.sub(rf"(?<!\w)([-+]?){words} ?([-+]?)(?=\.?\d)", lambda m: f"{unit} {m[1]}{m[2]}", text)
