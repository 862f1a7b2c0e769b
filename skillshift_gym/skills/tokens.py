"""Taking words off a line, and what is said when another one was expected."""

from __future__ import annotations

from .lexer import Token
from .program import MAX_ROUNDS, RESERVED, ProgramError, Text
from .templates import NAME, check_template


class Words:
    """The words of a line, taken one by one.

    Attributes:
        tokens: What is left, the next one last.
    """

    def __init__(self) -> None:
        self.tokens: list[Token] = []

    def text(self) -> Text:
        """Takes a text in quotes."""
        token = self.take()
        if token.kind != "text":
            raise error(f"expected a text in quotes, got {token.value or 'the end of the line'!r}", token)
        wrong = check_template(token.value)
        if wrong:
            raise error(wrong, token)
        return Text(token.value)

    def name(self, expected: str = "expected a name") -> str:
        """Takes a name."""
        token = self.take()
        if token.kind != "word" or not NAME.fullmatch(token.value) or token.value in RESERVED:
            raise error(
                f"{expected} (a-z, digits, _; none of {', '.join(sorted(RESERVED))}), got {token.value or 'the end of the line'!r}",
                token,
            )
        return token.value

    def number(self, low: int, high: int) -> int:
        """Takes a whole number of a range."""
        token = self.take()
        if token.kind != "number" or not low <= int(token.value) <= high:
            raise error(
                f"expected a whole number from {low} to {high}, got {token.value or 'the end of the line'!r}", token
            )
        return int(token.value)

    def at_most(self) -> int:
        """Takes the bound that ends a line."""
        self.word("at")
        self.word("most")
        number = self.number(1, MAX_ROUNDS)
        self.end()
        return number

    def word(self, word: str) -> None:
        """Takes a word of the language."""
        token = self.take()
        if token.kind != "word" or token.value != word:
            raise error(f"expected {word!r}, got {token.value or 'the end of the line'!r}", token)

    def sign(self, sign: str) -> None:
        """Takes a sign."""
        token = self.take()
        if token.kind != "sign" or token.value != sign:
            raise error(f"expected {sign!r}, got {token.value or 'the end of the line'!r}", token)

    def end(self) -> None:
        """Makes sure that the line ends."""
        if self.peek().kind != "end":
            raise error(f"expected the end of the line, got {self.peek().value!r}", self.peek())

    def peek(self) -> Token:
        """Returns the next word."""
        return self.tokens[-1]

    def take(self) -> Token:
        """Takes the next word; the end of the line is never used up."""
        return self.tokens.pop() if len(self.tokens) > 1 else self.tokens[-1]


def error(message: str, token: Token) -> ProgramError:
    """Returns the error of a word."""
    return ProgramError(message, token.line, token.column)
