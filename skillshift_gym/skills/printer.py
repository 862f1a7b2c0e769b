"""The canonical text of a program: two spaces a level, one space between words, fields of locators in a fixed order."""

from __future__ import annotations

import re
from collections.abc import Iterable

from .locator import quoted
from .program import (
    VERBS,
    Act,
    Agent,
    Condition,
    Example,
    ForEach,
    If,
    Let,
    Name,
    Program,
    Read,
    Require,
    Statement,
    Stop,
    Target,
    Term,
    Text,
    Value,
    Wait,
)

_PRIVATE = re.compile(r' (?:sid|near|href|class|tag)=(?:"(?:[^"\\]|\\.)*"|[\w-]+)')


def written(program: Program) -> str:
    """Returns the text of a program; `parse(written(p)) == p`."""
    return "".join(f"{line}\n" for line in _block(program.statements, 0))


def shown_target(target: Target) -> str:
    """Returns the text of a target."""
    if target.locator is None:
        return target.name
    return f"{target.locator} in {target.name}" if target.name else str(target.locator)


def shown_statement(statement: Statement) -> str:
    """Returns the line of a statement, without what only the judge and healing read."""
    return _PRIVATE.sub("", _line(statement))


def _block(statements: Iterable[Statement], depth: int) -> Iterable[str]:
    for statement in statements:
        yield "  " * depth + _line(statement)
        if isinstance(statement, If):
            yield from _block(statement.then, depth + 1)
            if statement.otherwise:
                yield "  " * depth + "else"
                yield from _block(statement.otherwise, depth + 1)
            yield "  " * depth + "end"
        elif isinstance(statement, ForEach):
            yield from _block(statement.body, depth + 1)
            yield "  " * depth + "end"


def _line(statement: Statement) -> str:
    match statement:
        case Act():
            return _act(statement)
        case Let(name, Read(kind, target)):
            return f"let {name} = {kind}" + (f" {shown_target(target)}" if target is not None else "")
        case Let(name, source):
            return f"let {name} = {_value(source)}"  # type: ignore[arg-type]
        case Require(condition):
            return f"require {_condition(condition)}"
        case Wait(condition, rounds):
            return f"wait until {_condition(condition)} at most {rounds}"
        case Agent(instruction, steps):
            return f"agent {_value(instruction)} at most {steps}"
        case Stop(reason):
            return f"stop {_value(reason)}"
        case Example(name, value):
            return f"example {name} = {_value(value)}"
        case If(condition):
            return f"if {_condition(condition)}"
        case ForEach(name, target, items, limit):
            return f"for {name} in {f'each {shown_target(target)}' if target is not None else items} limit {limit}"


def _act(act: Act) -> str:
    words = [act.verb, *([shown_target(act.target)] if act.target is not None else [])]
    if VERBS[act.verb].rest.startswith("with"):
        words.append("with")
        return " ".join(words) + " " + ", ".join(_value(v) for v in act.values)
    return " ".join([*words, *(_value(v) for v in act.values)])


def _value(value: Value | int) -> str:
    if isinstance(value, Text):
        return quoted(value.template)
    return value.name if isinstance(value, Name) else str(value)


def _condition(condition: Condition) -> str:
    return " and ".join(_term(term) for term in condition)


def _term(term: Term) -> str:
    words = ["not"] if term.negated else []
    if term.kind in ("exists", "checked"):
        assert term.target is not None
        words += [term.kind, shown_target(term.target)]
    elif term.kind == "given":
        words += ["given", term.name]
    else:
        assert term.value is not None
        words += [term.name, term.kind, _value(term.value)]
    return " ".join(words)
