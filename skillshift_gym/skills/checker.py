"""The static checker: what is likely to break, or to be wrong, before a program runs."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from ..goal_values import values_of
from .addresses import made_anew
from .locator import Locator
from .outcome import MAX_PRIMITIVES
from .program import Act, Agent, Example, ForEach, If, Let, Name, Program, Require, Statement, Text, Wait
from .skill import Parameter
from .templates import plain, slots
from .walk import names_in, targets_in, texts_in

LARGE_LIMIT = 50
RULES = {
    "undeclared_name": "a name is read that nothing gives a value",
    "undeclared_example": "an example is given of something that is no parameter",
    "unused_parameter": "a parameter is never used",
    "too_many_primitives": "a call has fewer primitives than the program takes at least",
    "may_be_cut_short": "a call has fewer primitives than the program may take",
    "does_nothing": "no statement does anything",
    "volatile_id": "an id looks made anew each time, or stands for one entity",
    "volatile_address": "an address holds a part that looks made anew each session",
    "position_only": "a target is found by its place alone",
    "hard_coded_host": "an address names one host",
    "large_limit": "a bound is larger than a call can use",
    "literal_of_the_goal": "a text is what the goal asked for, and should be a parameter",
}
VOLATILE = ("volatile_id", "volatile_address")  # what works today, and not in the next session
_HOST = re.compile(r"(?:https?:)?//[^/\s{}]+", re.IGNORECASE)
# A number of four digits and more, or letters and digits mixed in a run of eight and more: made anew for every page or entity.
_VOLATILE = re.compile(r".*\d{4}.*|(?=[a-z]*\d)(?=\d*[a-z])[a-z0-9]{8,}", re.IGNORECASE)
_HASH = re.compile(r"[0-9a-f]{8,}", re.IGNORECASE)
_WORDY = re.compile(r"[a-z]{3,}", re.IGNORECASE)
_PLACE = re.compile(r":nth-of-type\(\d+\)")
_LEADS = re.compile(r"(?:href|action|src)\s*(?:[\^$*]?=|,)\s*[\"']([^\"']*)")  # in css and xpath


class Finding(NamedTuple):
    """Something to look at.

    Attributes:
        line: Line of the program, 0 for the whole.
        rule: One of `RULES`.
        message: What it is and what to try.
        serious: Whether the program cannot run as it should, rather than may break.
    """

    line: int
    rule: str
    message: str
    serious: bool = False


def check(program: Program, parameters: Sequence[Parameter], goal: str = "") -> list[Finding]:
    """Returns what is wrong with a program, by line.

    Args:
        program: The program.
        parameters: The skill's parameters.
        goal: The goal it was recorded for, whose values should be parameters.
    """
    declared = {p.name for p in parameters}
    found = [*_names(program, declared), *_size(program)]
    said = sorted(v for v in values_of(goal).enterable if len(v) > 2) if goal else []
    for statement in program.walk():
        found += [*_targets(statement), *_hosts(statement), *_addresses(statement)]
        found += [*_bounds(statement), *_literals(statement, said)]
    return sorted(found, key=lambda f: (f.line, f.rule, f.message))


def cost(statements: Sequence[Statement]) -> int:
    """Returns how many primitives statements may take at most."""
    total = 0
    for statement in statements:
        match statement:
            case Act():
                total += 1
            case Wait(_, rounds):
                total += rounds
            case Agent(_, steps):
                total += steps
            case If(_, then, otherwise):
                total += max(cost(then), cost(otherwise))
            case ForEach():
                total += statement.limit * cost(statement.body)
    return total


def _names(program: Program, declared: set[str]) -> Iterator[Finding]:
    yield from _unknown(program.statements, set(declared))
    for name in sorted(declared - set(program.parameters)):
        yield Finding(0, "unused_parameter", f"parameter {name!r} is never used; drop it or use it")
    for statement in program.walk():
        if isinstance(statement, Example) and statement.name not in declared:
            yield Finding(statement.line, "undeclared_example", f"{statement.name!r} is no parameter", True)


def _unknown(block: Sequence[Statement], known: set[str]) -> Iterator[Finding]:
    """Yields the names that nothing gives a value before they are read; what only one branch gives may be missing."""
    for statement in block:
        for name in dict.fromkeys(names_in(statement)):
            if name not in known:
                yield Finding(
                    statement.line, "undeclared_name", f"{name!r} is neither a parameter nor given a value before", True
                )
        if isinstance(statement, Let):
            known.add(statement.name)
        elif isinstance(statement, If):
            then, otherwise = set(known), set(known)
            yield from _unknown(statement.then, then)
            yield from _unknown(statement.otherwise, otherwise)
            known |= then & otherwise
        elif isinstance(statement, ForEach):
            yield from _unknown(statement.body, {*known, statement.name})


def _size(program: Program) -> Iterator[Finding]:
    least = sum(isinstance(s, Act) for s in program.statements)
    if least > MAX_PRIMITIVES:
        yield Finding(
            0,
            "too_many_primitives",
            f"it takes {least} primitives at least, a call has {MAX_PRIMITIVES}; cut it in two",
            True,
        )
    elif (most := cost(program.statements)) > MAX_PRIMITIVES:
        yield Finding(
            0, "may_be_cut_short", f"it may take {most} primitives, a call has {MAX_PRIMITIVES}; lower its limits"
        )
    if not any(not isinstance(s, Example | Let) for s in program.walk()):
        yield Finding(0, "does_nothing", "it has no statement that does anything", True)


def _targets(statement: Statement) -> Iterator[Finding]:
    for target in targets_in(statement):
        if target.locator is not None:
            yield from (f._replace(line=statement.line) for f in locator_findings(target.locator))


def locator_findings(locator: Locator) -> Iterator[Finding]:
    """Yields what is fragile about a locator."""
    for key in ("test_id", "id", "name"):
        if _is_volatile(text := getattr(locator, key)):
            yield Finding(0, "volatile_id", f"{key} {text!r} looks made anew each time; drop it and keep role and name")
    parts = re.findall(r"[#.]([\w-]+)", _PLACE.sub("", locator.css))
    if volatile := [p for p in parts if _is_volatile(p)]:
        yield Finding(0, "volatile_id", f"css holds {volatile[0]!r}, which looks made anew each time")
    if volatile := [v for v in re.findall(r"@id\s*=\s*[\"']([^\"']*)", locator.xpath) if _is_volatile(v)]:
        yield Finding(0, "volatile_id", f"xpath holds {volatile[0]!r}, which looks made anew each time")
    for key in ("css", "xpath"):
        if volatile := [part for a in _LEADS.findall(getattr(locator, key)) if (part := made_anew(a))]:
            yield Finding(0, "volatile_address", f"{key} holds {volatile[0]!r}, which looks made anew each session")
    marked = re.search(r"[#.\[]", _PLACE.sub("", locator.css)) or "@" in locator.xpath or "text" in locator.xpath
    if not (locator.test_id or locator.id or locator.name or locator.role or marked):
        yield Finding(0, "position_only", "it is found by its place alone; add a role and a name")


def _is_volatile(text: str) -> bool:
    """Tells whether an id has a part that stands for an entity or was drawn at random."""
    if slots(text):
        return False
    return any(
        _VOLATILE.fullmatch(p) or (_HASH.fullmatch(p) and not _WORDY.fullmatch(p))
        for p in re.split(r"[-_:.\[\]]", text)
    )


def _hosts(statement: Statement) -> Iterator[Finding]:
    if isinstance(statement, Act) and statement.verb == "goto":
        text = next((v.template for v in statement.values if isinstance(v, Text)), "")
        if match := _HOST.match(text):
            yield Finding(statement.line, "hard_coded_host", f"{match.group()} is one host; begin the address with /")


def _addresses(statement: Statement) -> Iterator[Finding]:
    for text in _places(statement):
        if part := made_anew(text):
            advice = "begin at the home page and click the links, or make it a parameter"
            yield Finding(statement.line, "volatile_address", f"{part!r} looks made anew each session; {advice}")


def _places(statement: Statement) -> Iterator[str]:
    """Yields the texts of a statement that are addresses: what is gone to or kept for that, and what the url is compared with."""
    if isinstance(statement, Act) and statement.verb == "goto":
        yield from (v.template for v in statement.values if isinstance(v, Text))
    elif isinstance(statement, Let) and isinstance(statement.source, Text):
        text = statement.source.template
        yield from (text,) if text.startswith("/") or _HOST.match(text) else ()
    elif isinstance(statement, Require | Wait | If):
        yield from (t.value.template for t in statement.condition if t.name == "url" and isinstance(t.value, Text))


def _bounds(statement: Statement) -> Iterator[Finding]:
    if isinstance(statement, ForEach) and statement.limit > LARGE_LIMIT:
        yield Finding(
            statement.line, "large_limit", f"limit {statement.limit} is more than a call can use; at most {LARGE_LIMIT}"
        )


def _literals(statement: Statement, said: Sequence[str]) -> Iterator[Finding]:
    if isinstance(statement, Example):
        return
    texts = [plain(v.template) for v in texts_in(statement) if not isinstance(v, Name)]
    texts += [plain(t.locator.label) for t in targets_in(statement) if t.locator is not None]
    for value in said:
        if any(re.search(rf"(?<!\w){re.escape(value)}(?!\w)", text) for text in texts):
            yield Finding(
                statement.line, "literal_of_the_goal", f"{value!r} is what the goal asks for; make it a parameter"
            )
