"""Programs of the step language as immutable values; `grammar.md` beside this file is the grammar."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import NamedTuple

from ..errors import SkillError
from .locator import Locator
from .templates import plain

MAX_CHARACTERS = 20_000
MAX_STATEMENTS = 200
MAX_DEPTH = 8
MAX_ROUNDS = 10
MAX_LIMIT = 100


class ProgramError(SkillError):
    """A text is no program.

    Attributes:
        line: Line of the mistake, from 1.
        column: Column of the mistake, from 1.
    """

    def __init__(self, message: str, line: int = 1, column: int = 1) -> None:
        super().__init__(f"line {line}, column {column}: {message}")
        self.line = line
        self.column = column


class Verb(NamedTuple):
    """How a primitive is written.

    Attributes:
        primitive: Its name in the action grammar.
        target: Whether a target follows the verb.
        rest: What follows then: `text`, `value`, `with value`, `with values`, `number`, `two numbers`, or nothing.
    """

    primitive: str
    target: bool = False
    rest: str = ""


VERBS = {
    "goto": Verb("goto", rest="text"),
    **{name: Verb(name, target=True) for name in ("click", "dblclick", "hover", "focus", "clear", "check", "uncheck")},
    "fill": Verb("fill", target=True, rest="with value"),
    "select": Verb("select_option", target=True, rest="with values"),
    "press": Verb("press", target=True, rest="text"),
    "key": Verb("keyboard_press", rest="text"),
    "type": Verb("keyboard_type", rest="value"),
    "scroll": Verb("scroll", rest="two numbers"),
    "back": Verb("go_back"),
    "forward": Verb("go_forward"),
    "newtab": Verb("new_tab"),
    "closetab": Verb("tab_close"),
    "tab": Verb("tab_focus", rest="number"),
    "say": Verb("send_msg_to_user", rest="value"),
    "infeasible": Verb("report_infeasible", rest="value"),
}
BY_PRIMITIVE = {verb.primitive: name for name, verb in VERBS.items()}
RESERVED = frozenset(["url", "not", "and", "in", "each", "end", "else", "is", "contains", "exists", "checked", "given"])


@dataclass(frozen=True)
class Text:
    """A text with slots."""

    template: str


@dataclass(frozen=True)
class Name:
    """The value of a parameter or variable."""

    name: str


Value = Text | Name


@dataclass(frozen=True)
class Target:
    """An element: the one a locator finds, inside the element of a for-each if one is named, or that element itself.

    Attributes:
        locator: The locator, None for the element of a for-each.
        name: The for-each's name, empty for the whole page.
    """

    locator: Locator | None
    name: str = ""


@dataclass(frozen=True)
class Read:
    """What is read from the page: its `url`, or the `text`, `value` or `count` of a target."""

    kind: str
    target: Target | None = None


@dataclass(frozen=True)
class Term:
    """One test: `exists`, `checked` (of a target), `given` (a name), `contains` or `is` (of a name or the url, and a value)."""

    kind: str
    negated: bool = False
    target: Target | None = None
    name: str = ""
    value: Value | None = None


Condition = tuple[Term, ...]


@dataclass(frozen=True)
class Act:
    """A primitive."""

    verb: str
    target: Target | None = None
    values: tuple[Value | int, ...] = ()
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Let:
    """Gives a variable a value."""

    name: str
    source: Value | Read
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Require:
    """A guard."""

    condition: Condition
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Wait:
    """Waits some rounds for a condition."""

    condition: Condition
    rounds: int
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Agent:
    """Some primitives of whoever may help."""

    instruction: Text
    steps: int
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Stop:
    """Gives up."""

    reason: Text
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class Example:
    """An argument of the recording."""

    name: str
    value: Text
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class If:
    """A branch."""

    condition: Condition
    then: tuple[Statement, ...]
    otherwise: tuple[Statement, ...] = ()
    line: int = field(default=0, compare=False)


@dataclass(frozen=True)
class ForEach:
    """A loop over the elements a target finds, or (without a target) over the list that a name holds."""

    name: str
    target: Target | None
    items: str
    limit: int
    body: tuple[Statement, ...]
    line: int = field(default=0, compare=False)


Statement = Act | Let | Require | Wait | Agent | Stop | Example | If | ForEach


@dataclass(frozen=True)
class Program:
    """A program."""

    statements: tuple[Statement, ...]

    def __str__(self) -> str:
        from .printer import written

        return written(self)

    @cached_property
    def parameters(self) -> tuple[str, ...]:
        """Names it takes from outside, in order of first use."""
        from .walk import names_in

        made: set[str] = set()
        used: dict[str, None] = {}
        for statement in self.walk():
            used.update(dict.fromkeys(n for n in names_in(statement) if n not in made))
            if isinstance(statement, Let | ForEach):
                made.add(statement.name)
        return tuple(used)

    @cached_property
    def examples(self) -> dict[str, str]:
        """Arguments of the recording, by name."""
        return {s.name: plain(s.value.template) for s in self.walk() if isinstance(s, Example)}

    def walk(self) -> Iterator[Statement]:
        """Yields every statement, those of a block after its head."""
        from .walk import walk

        yield from walk(self.statements)

    def locators(self) -> Iterator[Locator]:
        """Yields every locator, in order."""
        from .walk import targets_in

        for statement in self.walk():
            yield from (t.locator for t in targets_in(statement) if t.locator is not None)


def parse(text: str) -> Program:
    """Returns the program that a text is.

    Raises:
        ProgramError: It is none.
    """
    from .parser import parsed

    return parsed(text)
