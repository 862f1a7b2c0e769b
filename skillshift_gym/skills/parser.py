"""The parser of the step language: by hand, one statement a line, errors with line and column."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

from ..errors import UsageError
from .lexer import Token, words_of
from .locator import KEYS, Locator
from .program import (
    MAX_CHARACTERS,
    MAX_DEPTH,
    MAX_LIMIT,
    MAX_STATEMENTS,
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
    ProgramError,
    Read,
    Require,
    Statement,
    Stop,
    Target,
    Term,
    Value,
    Wait,
)  # fmt: skip
from .tokens import Words, error


@lru_cache(maxsize=1024)
def parsed(text: str) -> Program:
    """Returns the program of a text.

    Raises:
        ProgramError: The text is no program.
    """
    if not isinstance(text, str):
        raise ProgramError(f"expected a text, got {type(text).__name__}")
    if len(text) > MAX_CHARACTERS:
        raise ProgramError(f"expected at most {MAX_CHARACTERS} characters, got {len(text)}")
    hostile = next(
        (i for i, c in enumerate(text) if (c < " " and c not in "\n\r\t") or "\ud800" <= c <= "\udfff"), None
    )
    if hostile is not None:
        before = text[:hostile]
        column = hostile - (before.rfind("\n") + 1) + 1
        raise ProgramError(f"expected printable text, got {text[hostile]!r}", before.count("\n") + 1, column)
    lines = [words_of(line, number) for number, line in enumerate(text.split("\n"), 1)]
    return _Parser([line for line in lines if len(line) > 1]).program()


class _Parser(Words):
    """Reads statements from lines of words."""

    def __init__(self, lines: list[list[Token]]) -> None:
        super().__init__()
        self._lines = lines
        self._next = 0
        self._count = 0

    def program(self) -> Program:
        statements = self._block(0)
        if self._next < len(self._lines):
            token = self._lines[self._next][0]
            raise error(f"expected a statement, got {token.value!r} without a block that it closes", token)
        return Program(statements)

    def _block(self, depth: int) -> tuple[Statement, ...]:
        found: list[Statement] = []
        while self._next < len(self._lines) and self._lines[self._next][0].value not in ("else", "end"):
            found.append(self._statement(depth))
        return tuple(found)

    def _statement(self, depth: int) -> Statement:
        self.tokens = list(reversed(self._lines[self._next]))
        self._next += 1
        self._count += 1
        head = self.take()
        if self._count > MAX_STATEMENTS:
            raise error(f"expected at most {MAX_STATEMENTS} statements", head)
        if depth >= MAX_DEPTH:
            raise error(f"expected blocks of at most depth {MAX_DEPTH}", head)
        if head.kind == "word" and head.value in VERBS:
            return self._act(head)
        read = _STATEMENTS.get(head.value) if head.kind == "word" else None
        if read is None:
            raise error(f"expected a statement ({', '.join([*VERBS, *_STATEMENTS])}), got {head.value!r}", head)
        return read(self, head.line, depth)

    def _act(self, head: Token) -> Act:
        verb = VERBS[head.value]
        target = self._target() if verb.target else None
        values: tuple[Value | int, ...] = ()
        if verb.rest.startswith("with"):
            self.word("with")
            values = (self._value(),)
            while verb.rest == "with values" and self.peek().value == "," and self.peek().kind == "sign":
                self.take()
                values = (*values, self._value())
        elif verb.rest:
            values = self._rest(verb.rest)
        self.end()
        return Act(head.value, target, values, head.line)

    def _rest(self, kind: str) -> tuple[Value | int, ...]:
        if kind == "text":
            return (self.text(),)
        if kind == "value":
            return (self._value(),)
        if kind == "number":
            return (self.number(0, 99),)
        return self.number(-100_000, 100_000), self.number(-100_000, 100_000)

    def _let(self, line: int, depth: int) -> Let:
        name = self.name()
        self.sign("=")
        source: Value | Read
        first, second = self.peek(), self.tokens[-2] if len(self.tokens) > 1 else self.peek()
        if first.kind == "word" and first.value == "url":
            self.take()
            source = Read("url")
        elif first.kind == "word" and first.value in ("text", "value", "count") and second.kind != "end":
            source = Read(self.take().value, self._target())
        else:
            source = self._value()
        self.end()
        return Let(name, source, line)

    def _require(self, line: int, depth: int) -> Require:
        condition = self._condition()
        self.end()
        return Require(condition, line)

    def _wait(self, line: int, depth: int) -> Wait:
        self.word("until")
        condition = self._condition()
        return Wait(condition, self.at_most(), line)

    def _agent(self, line: int, depth: int) -> Agent:
        instruction = self.text()
        return Agent(instruction, self.at_most(), line)

    def _stop(self, line: int, depth: int) -> Stop:
        reason = self.text()
        self.end()
        return Stop(reason, line)

    def _example(self, line: int, depth: int) -> Example:
        name = self.name()
        self.sign("=")
        value = self.text()
        self.end()
        return Example(name, value, line)

    def _if(self, line: int, depth: int) -> If:
        condition = self._condition()
        self.end()
        then = self._block(depth + 1)
        otherwise: tuple[Statement, ...] = ()
        if self._close("else", line, optional=True):
            otherwise = self._block(depth + 1)
        self._close("end", line)
        return If(condition, then, otherwise, line)

    def _for(self, line: int, depth: int) -> ForEach:
        name = self.name()
        self.word("in")
        target, items = None, ""
        if self.peek().value == "each" and self.peek().kind == "word":
            self.take()
            target = self._target()
        else:
            items = self.name()
        self.word("limit")
        limit = self.number(1, MAX_LIMIT)
        self.end()
        body = self._block(depth + 1)
        self._close("end", line)
        return ForEach(name, target, items, limit, body, line)

    def _close(self, word: str, opened: int, *, optional: bool = False) -> bool:
        """Takes the line that closes or halves a block."""
        if self._next < len(self._lines) and self._lines[self._next][0].value == word:
            self.tokens = list(reversed(self._lines[self._next]))
            self._next += 1
            self.take()
            self.end()
            return True
        if optional:
            return False
        token = self._lines[min(self._next, len(self._lines) - 1)][0]
        raise error(f"expected {word!r} for the block of line {opened}, got the end", token)

    def _condition(self) -> Condition:
        terms = [self._term()]
        while self.peek().kind == "word" and self.peek().value == "and":
            self.take()
            terms.append(self._term())
        return tuple(terms)

    def _term(self) -> Term:
        negated = self.peek().kind == "word" and self.peek().value == "not"
        if negated:
            self.take()
        head = self.peek()
        if head.kind == "word" and head.value in ("exists", "checked"):
            return Term(self.take().value, negated, target=self._target())
        if head.kind == "word" and head.value == "given":
            self.take()
            return Term("given", negated, name=self.name())
        name = self.take().value if head.value == "url" and head.kind == "word" else self.name()
        test = self.take()
        if test.kind != "word" or test.value not in ("contains", "is"):
            raise error(f"expected 'contains' or 'is', got {test.value!r}", test)
        return Term(test.value, negated, name=name, value=self._value())

    def _target(self) -> Target:
        if self.peek().value != "{" or self.peek().kind != "sign":
            return Target(None, self.name("expected a locator in braces or the name of a for-each"))
        locator = self._locator()
        if self.peek().value == "in" and self.peek().kind == "word":
            self.take()
            return Target(locator, self.name())
        return Target(locator)

    def _locator(self) -> Locator:
        start = self.take()
        found: dict[str, str | int] = {}
        while not (self.peek().kind == "sign" and self.peek().value == "}"):
            key = self.take()
            if key.kind != "word" or key.value not in KEYS or key.value in found:
                problem = "twice" if key.value in found else "unknown"
                raise error(f"expected one of {', '.join(KEYS)} or a closing brace, got {key.value!r} ({problem})", key)
            self.sign("=")
            if key.value == "nth":
                found["nth"] = self.number(0, 9_999)
            else:
                word = self.peek()
                found[key.value] = self.take().value if word.kind == "word" else self.text().template
        self.take()
        try:
            return Locator.from_json(found)
        except UsageError as wrong:
            raise error(str(wrong), start) from None

    def _value(self) -> Value:
        return self.text() if self.peek().kind == "text" else Name(self.name("expected a text in quotes or a name"))


_STATEMENTS: dict[str, Callable[[_Parser, int, int], Statement]] = {
    "let": _Parser._let,
    "require": _Parser._require,
    "wait": _Parser._wait,
    "agent": _Parser._agent,
    "stop": _Parser._stop,
    "example": _Parser._example,
    "if": _Parser._if,
    "for": _Parser._for,
}
