"""A program with other locators."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from .locator import Locator
from .program import Act, ForEach, If, Let, Program, Read, Require, Statement, Target, Term, Wait


def rewritten(program: Program, locators: Mapping[Locator, Locator]) -> str:
    """Returns the text of a program in which some locators have been replaced; the semantic id stays the recorded one."""
    return str(mapped(program, lambda old: replace(locators[old], sid=old.sid) if old in locators else old))


def mapped(program: Program, change: Callable[[Locator], Locator]) -> Program:
    """Returns a program with every locator put through a function."""
    return Program(tuple(_statement(s, change) for s in program.statements))


def _statement(statement: Statement, change: Callable[[Locator], Locator]) -> Statement:
    match statement:
        case Act():
            return replace(statement, target=_target(statement.target, change))
        case Let(source=Read() as read):
            return replace(statement, source=replace(read, target=_target(read.target, change)))
        case Require() | Wait():
            return replace(statement, condition=tuple(_term(t, change) for t in statement.condition))
        case If():
            then, otherwise = (tuple(_statement(s, change) for s in b) for b in (statement.then, statement.otherwise))
            return replace(
                statement,
                condition=tuple(_term(t, change) for t in statement.condition),
                then=then,
                otherwise=otherwise,
            )
        case ForEach():
            body = tuple(_statement(s, change) for s in statement.body)
            return replace(statement, target=_target(statement.target, change), body=body)
    return statement


def _term(term: Term, change: Callable[[Locator], Locator]) -> Term:
    return replace(term, target=_target(term.target, change))


def _target(target: Target | None, change: Callable[[Locator], Locator]) -> Target | None:
    if target is None or target.locator is None:
        return target
    return replace(target, locator=change(target.locator))
