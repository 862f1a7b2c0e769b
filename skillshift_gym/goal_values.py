"""What a goal gives to enter or to look for: quoted phrases, codes, amounts, numbers, days, parts of an address."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

QUOTED = re.compile(r"“([^”]+)”|\"([^\"]+)\"|‘([^’]+)’")
_EMAIL = re.compile(r"[\w.+-]+@[\w-]+\.[\w.-]*\w")
_URL = re.compile(r"https?://[^\s,;]*[\w/]")
_PERSON = re.compile(r"\b(?:as|[Nn]ame:?|named) ((?:[A-Z](?![A-Z]+\b)[\w'-]+ ?)+)", re.UNICODE)
_FORWARD_FROM_END = {"last": 1, "bottom": 1, "second-to-last": 2, "penultimate": 2, "third-to-last": 3}
_ORDINALS = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
_NTH = re.compile(r"\b(\d{1,3})(?:st|nd|rd|th)\b|\bnumber (\d{1,3})\b(?!-)")
_TOP = ("top", "newest")
# A code has a digit and is longer than a plain number: `000000326`, `N46-TANS`, `555-745-4687`, `G10-04`.
_CODE = re.compile(r"(?<![\w$.,-])#?((?=[\w-]*\d)(?:\d{5,}|[A-Z\d]+(?:-[\w]+)+|[A-Z]{1,4}\d{2,}[A-Z\d]*))(?![\w-])")
_SLUG = re.compile(r"(?<![\w-])([a-z]+(?:-[a-z]+)+|(?<=key )[a-z]+)(?![\w-])")
_AMOUNT = re.compile(r"\$\s?(\d[\d,]*(?:\.\d+)?)|\b(\d+(?:\.\d+)?) ?(?:percent\b|%)")
_NUMBER = re.compile(r"(?<![\w$.,#-])(\d{1,4})(?![\w-]|[.,]\d)(?! ?(?:percent|%|days))")
_NUMERALS = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_CALENDAR = re.compile(r"\b[A-Z][a-z]{2,8} \d{1,2}, \d{4}\b|\b(?:in|of|from|since|[A-Z][a-z]{2,8}) \d{4}\b")
_PART = re.compile(r"(?:(?:\d+|[A-Z][\w'’-]*)(?: |$))+$")


class Values(NamedTuple):
    """What a goal gives an agent to enter or to look for.

    Attributes:
        quoted: Quoted phrases, in order.
        email: E-mail address.
        url: Web address.
        person: Name of a person to act as.
        place: Place in a list, from 0, or from the end when negative; None without one.
        number: Number that a page or entry is called by, None without one.
        proper: Capitalised phrases inside the sentence, in order.
        codes: Codes such as an order number, an article number or a telephone number, in order.
        slugs: Lower-case words joined by hyphens, as addresses have them.
        amounts: Sums of money and percentages, with two decimals.
        percent: The amount that is a percentage, None without one.
        numbers: Other whole numbers, in order.
        many: How many entries the goal asks for, None without a number.
        parts: Parts of an address, in order.
    """

    quoted: tuple[str, ...]
    email: str
    url: str
    person: str
    place: int | None
    number: int | None
    proper: tuple[str, ...]
    codes: tuple[str, ...] = ()
    slugs: tuple[str, ...] = ()
    amounts: tuple[str, ...] = ()
    percent: float | None = None
    numbers: tuple[str, ...] = ()
    many: int | None = None
    parts: tuple[str, ...] = ()

    @property
    def enterable(self) -> frozenset[str]:
        """Every text that the goal itself gives to enter, days apart."""
        alone = (self.email, self.url, self.person)
        return frozenset(
            (*self.quoted, *self.proper, *self.codes, *self.amounts, *self.numbers, *self.parts, *alone)
        ) - {""}


@lru_cache(maxsize=1024)
def values_of(goal: str) -> Values:
    """Returns the values a goal holds."""
    quoted = tuple(next(g for g in m.groups() if g) for m in QUOTED.finditer(goal))
    bare = QUOTED.sub(" ", goal)
    person = _PERSON.search(bare)
    plain = _CALENDAR.sub(" ", bare)
    parts = _parts(plain)
    numbers = () if parts else tuple(dict.fromkeys(_NUMBER.findall(plain)))
    percents = [m[2] for m in _AMOUNT.finditer(bare) if m[2]]
    return Values(
        quoted,
        _first(_EMAIL, bare),
        _first(_URL, bare).rstrip("."),
        person.group(1).strip() if person else "",
        _place(bare.lower()),
        _number(bare),
        _proper(bare),
        () if parts else tuple(dict.fromkeys(_CODE.findall(bare))),
        tuple(dict.fromkeys(_SLUG.findall(bare))),
        tuple(dict.fromkeys(f"{float((m[1] or m[2]).replace(',', '')):.2f}" for m in _AMOUNT.finditer(bare))),
        float(percents[0]) if percents else None,
        numbers,
        _count(plain, numbers),
        parts,
    )


def _count(text: str, numbers: tuple[str, ...]) -> int | None:
    for word in re.findall(r"[a-z]+", text.lower()):
        if word in _NUMERALS:
            return _NUMERALS.index(word) + 2
    return int(numbers[0]) if numbers else None


def _parts(text: str) -> tuple[str, ...]:
    """Returns the parts of an address: a list of names and numbers set off by commas that ends in digits."""
    found = list(re.finditer(r"[\w'’ -]+(?:, [\w'’ -]+){2,}", text))
    for match in found:
        pieces = [p.strip() for p in match.group().split(",")]
        first = _PART.search(pieces[0])
        if first is None or not re.search(r"\d{4,}", pieces[-1] + pieces[-2]):
            continue
        last = re.match(r"(?:[A-Z][\w'’-]*(?: |$)|\d+(?: |$))+", pieces[-1])
        pieces = [first.group().strip(), *pieces[1:-1], last.group().strip() if last else pieces[-1]]
        split = re.match(r"(\D+) (\d{4,})$", pieces[-1])
        return (*pieces[:-1], *(split.groups() if split else pieces[-1:]))
    return ()


def _first(pattern: re.Pattern[str], text: str) -> str:
    match = pattern.search(text)
    return match.group() if match else ""


def _place(goal: str) -> int | None:
    for word, back in sorted(_FORWARD_FROM_END.items(), key=lambda x: -len(x[0])):
        if re.search(rf"(?<![\w-]){word}(?![\w-])", goal):
            return -back
    for place, word in enumerate(_ORDINALS):
        if re.search(rf"\b{word}\b", goal):
            return place
    match = _NTH.search(goal)
    if match:
        return int(match.group(1) or match.group(2)) - 1
    return 0 if any(re.search(rf"\b{word}\b", goal) for word in _TOP) else None


def _number(goal: str) -> int | None:
    match = re.search(r"\bpage (\d{1,4})\b", goal)
    return int(match.group(1)) if match else None


def _proper(goal: str) -> tuple[str, ...]:
    """Returns runs of capitalised words (small joining words allowed inside), the first word of a sentence left out."""
    runs = re.findall(r"(?<![.?!:] )(?<!^)\b[A-Z][\w'’-]*(?: (?:of|and|the|to|in|on|a|for|\d{4}|[A-Z][\w'’-]*))*", goal)
    trimmed = (re.sub(r"(?: (?:of|and|the|to|in|on|a|for))+$", "", run) for run in runs)
    return tuple(dict.fromkeys(t for t in trimmed if len(t) > 2))
