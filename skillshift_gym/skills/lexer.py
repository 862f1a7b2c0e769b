"""The words of a line of a program."""

from __future__ import annotations

import re
from typing import NamedTuple

from .program import ProgramError

_TOKEN = re.compile(
    r"[ \t]*(?:(?P<comment>#.*)|(?P<text>\"(?:[^\"\\]|\\.)*\")|(?P<number>-?\d+(?![\w-]))|(?P<word>[A-Za-z_][\w-]*)|(?P<sign>[{}=,]))",
    re.ASCII,
)
_ESCAPE = re.compile(r"\\(.)", re.DOTALL)
_ESCAPED = {"n": "\n", "t": "\t", "r": "\r", '"': '"', "\\": "\\"}
MAX_DIGITS = 9


class Token(NamedTuple):
    """A word of a line.

    Attributes:
        kind: `text`, `number`, `word`, `sign` or `end`.
        value: The text without quotes and escapes, else what is written.
        line: Its line, from 1.
        column: Its column, from 1.
    """

    kind: str
    value: str
    line: int
    column: int


def words_of(line: str, number: int) -> list[Token]:
    """Returns the words of a line, then one of kind `end`.

    Raises:
        ProgramError: A character fits nowhere.
    """
    tokens, place = [], 0
    line = line.rstrip(" \t\r")
    while place < len(line):
        match = _TOKEN.match(line, place)
        if match is None:
            column = place + len(line[place:]) - len(line[place:].lstrip(" \t")) + 1
            raise ProgramError(
                f"expected a word, a number, a text in quotes or a locator, got {line[column - 1 : column + 20]!r}",
                number,
                column,
            )
        kind = str(match.lastgroup)
        column = match.start(kind) + 1
        if kind != "comment":
            tokens.append(Token(kind, _value(kind, match[kind], number, column), number, column))
        place = match.end()
    return [*tokens, Token("end", "", number, len(line) + 1)]


def _value(kind: str, written: str, line: int, column: int) -> str:
    if kind == "number" and len(written) > MAX_DIGITS:
        raise ProgramError(f"expected a number of at most {MAX_DIGITS} digits, got {len(written)}", line, column)
    if kind != "text":
        return written
    for match in _ESCAPE.finditer(written[1:-1]):
        if match[1] not in _ESCAPED:
            raise ProgramError(
                f'expected one of \\" \\\\ \\n \\t \\r, got {match.group()!r}', line, column + 1 + match.start()
            )
    return _ESCAPE.sub(lambda m: _ESCAPED[m[1]], written[1:-1])
