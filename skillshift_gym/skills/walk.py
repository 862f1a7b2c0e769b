"""Walking through a program: its statements, the targets and the names that each of them uses."""

from __future__ import annotations

from collections.abc import Iterator

from .program import Act, Agent, ForEach, If, Let, Read, Require, Statement, Stop, Target, Text, Value, Wait
from .templates import slots


def targets_in(statement: Statement) -> Iterator[Target]:
    """Yields the targets a statement itself names, not those of its block."""
    if isinstance(statement, Act | ForEach) and statement.target is not None:
        yield statement.target
    if isinstance(statement, Let) and isinstance(statement.source, Read) and statement.source.target is not None:
        yield statement.source.target
    if isinstance(statement, Require | Wait | If):
        yield from (t.target for t in statement.condition if t.target is not None)


def names_in(statement: Statement) -> Iterator[str]:
    """Yields the names a statement itself reads, in order."""
    for target in targets_in(statement):
        yield from (target.name,) if target.name else ()
        yield from target.locator.slots if target.locator is not None else ()
    for text in texts_in(statement):
        yield from slots(text.template) if isinstance(text, Text) else (text.name,)
    if isinstance(statement, Require | Wait | If):
        yield from (t.name for t in statement.condition if t.name and t.name != "url")
    if isinstance(statement, ForEach) and statement.items:
        yield statement.items


def texts_in(statement: Statement) -> Iterator[Value]:
    """Yields the texts and names a statement itself uses as values."""
    if isinstance(statement, Act):
        yield from (v for v in statement.values if not isinstance(v, int))
    elif isinstance(statement, Let):
        yield from () if isinstance(statement.source, Read) else (statement.source,)
    elif isinstance(statement, Require | Wait | If):
        yield from (t.value for t in statement.condition if t.value is not None)
    elif isinstance(statement, Agent):
        yield statement.instruction
    elif isinstance(statement, Stop):
        yield statement.reason


def walk(block: tuple[Statement, ...]) -> Iterator[Statement]:
    """Yields every statement of a block, those of an inner block after its head."""
    for statement in block:
        yield statement
        if isinstance(statement, If):
            yield from walk(statement.then)
            yield from walk(statement.otherwise)
        elif isinstance(statement, ForEach):
            yield from walk(statement.body)
