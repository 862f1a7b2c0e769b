"""Python of other systems, read as a tree and never executed: functions, values, branches, loops.

A comment `#: STATEMENT` gives a statement of the step language as it is; it stands for whatever Python is on its line. That
is how a program keeps what Python of the format does not say.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from typing import NamedTuple

from ..locator import quoted
from ..templates import literal
from .base import Note
from .lines import Inexpressible, argument, checked, stop, whole


class Line(NamedTuple):
    """A statement, and the line it comes from."""

    number: float
    text: str


class Translator:
    """Makes statements of the step language out of Python statements.

    Args:
        names: Python name -> name in the program; grows with assignments.
        call: Returns the statements of a call that stands alone; empty for one that may be left out.
        read: Returns the right side of `let` for an expression, or None.
        test: Returns a condition for an expression.
        given: Line -> statement that a comment gives.
    """

    def __init__(
        self,
        names: dict[str, str],
        call: Callable[[ast.Call, Translator], str],
        *,
        read: Callable[[ast.expr, Translator], str | None] = lambda *_: None,
        test: Callable[[ast.expr, Translator], str | None] = lambda *_: None,
        given: dict[int, str],
    ) -> None:
        self.names = names
        self._call, self._read, self._test = call, read, test
        self._given = given
        self.aliases: dict[str, ast.expr] = {}
        self.notes: list[Note] = []
        self.lines: list[Line] = []

    def program(self, body: Sequence[ast.stmt]) -> str:
        """Returns the program of a body; what has no counterpart is noted."""
        if body and isinstance(body[-1], ast.Return):
            if body[-1].value is not None:
                self.note(body[-1], "a call returns no value; left out")
            body = body[:-1]
        self._block(body)
        own = [Line(number, line) for number, line in self._given.items()]
        lines = [line.text for line in sorted([*self.lines, *own], key=lambda x: x.number) if line.text]
        try:
            return whole(lines)
        except Inexpressible as error:
            self.notes.append(Note("", 1, "", f"the program as a whole is none ({error}); a call gives up at once"))
            return stop(f"line 1: {error}")

    def template(self, node: ast.expr) -> str:
        """Returns the template of an expression.

        Raises:
            Inexpressible: It is computed.
        """
        if (
            isinstance(node, ast.Constant)
            and isinstance(node.value, str | int | float)
            and not isinstance(node.value, bool)
        ):
            return literal(str(node.value))
        if isinstance(node, ast.Name) and node.id in self.names:
            return f"{{{self.names[node.id]}}}"
        if isinstance(node, ast.JoinedStr):
            return "".join(self.template(part) for part in node.values)
        if isinstance(node, ast.FormattedValue) and node.format_spec is None:
            return self.template(node.value)
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
            return self.template(node.left) + self.template(node.right)
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Name)
            and node.func.id == "str"
            and len(node.args) == 1
        ):
            return self.template(node.args[0])
        raise Inexpressible(f"a computed value: {_source(node)}")

    def text(self, node: ast.expr) -> str:
        """Returns an expression as TEXT of a program."""
        return quoted(self.template(node))

    def value(self, node: ast.expr) -> str:
        """Returns an expression as a value of a program."""
        if isinstance(node, ast.Name) and node.id in self.names:
            return self.names[node.id]
        return self.text(node)

    def _block(self, body: Sequence[ast.stmt]) -> None:
        for node in body:
            if node.lineno in self._given:
                continue
            before = len(self.lines)
            try:
                self._statement(node)
            except (Inexpressible, RecursionError) as error:
                del self.lines[before:]
                reason = str(error) if isinstance(error, Inexpressible) else "nested too deeply"
                self.lines.append(Line(node.lineno, stop(f"line {node.lineno}: {reason}")))
                self.note(node, f"has no counterpart ({reason}); a call gives up here")

    def note(self, node: ast.stmt | ast.expr, reason: str) -> None:
        """Notes what is not taken over as it is."""
        self.notes.append(Note("", node.lineno, _source(node), reason))

    def _statement(self, node: ast.stmt) -> None:
        if isinstance(node, ast.Expr):
            self._expression(node.value)
        elif isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
            self._assign(node.targets[0].id, node.value)
        elif isinstance(node, ast.If):
            self._if(node)
        elif isinstance(node, ast.For | ast.AsyncFor):
            self._for(node)
        elif isinstance(node, ast.With | ast.AsyncWith):
            self._block(node.body)
        elif isinstance(node, ast.Return):
            raise Inexpressible("an early return")
        elif not isinstance(node, ast.Pass | ast.Import | ast.ImportFrom):
            raise Inexpressible(type(node).__name__.lower())

    def _expression(self, node: ast.expr) -> None:
        node = node.value if isinstance(node, ast.Await) else node
        if isinstance(node, ast.Constant):
            return
        if not isinstance(node, ast.Call):
            raise Inexpressible(f"an expression: {_source(node)}")
        if line := self._call(node, self):
            self._add(node, line)

    def _add(self, node: ast.stmt | ast.expr, line: str) -> None:
        self.lines.append(Line(node.lineno, checked(line)))

    def _assign(self, name: str, node: ast.expr) -> None:
        inner = node.value if isinstance(node, ast.Await) else node
        source = self._read(inner, self)
        if source is None and not isinstance(inner, ast.Call):
            source = self.value(inner)
        if source is None:
            self.aliases[name] = inner
            return
        self._add(node, f"let {self._variable(name)} = {source}")

    def _variable(self, name: str) -> str:
        wish = argument(name)
        if any(own == wish for other, own in self.names.items() if other != name):
            raise Inexpressible(f"two names that differ only in case or signs: {name}")
        self.names[name] = wish
        return wish

    def _if(self, node: ast.If) -> None:
        condition = self.condition(node.test)
        self.lines.append(Line(node.lineno, f"if {condition}"))
        self._block(node.body)
        if node.orelse:
            self.lines.append(Line(node.orelse[0].lineno - 0.5, "else"))
            self._block(node.orelse)
        self.lines.append(Line((node.end_lineno or node.lineno) + 0.5, "end"))

    def condition(self, node: ast.expr) -> str:
        """Returns the condition of an expression."""
        if (
            isinstance(node, ast.UnaryOp)
            and isinstance(node.op, ast.Not)
            and not isinstance(node.operand, ast.BoolOp | ast.UnaryOp)
        ):
            return f"not {self.condition(node.operand)}"
        if isinstance(node, ast.BoolOp) and isinstance(node.op, ast.And):
            return " and ".join(self.condition(part) for part in node.values)
        if isinstance(node, ast.Name) and node.id in self.names:
            return f"given {self.names[node.id]}"
        node = node.value if isinstance(node, ast.Await) else node
        if found := self._test(node, self):
            return found
        raise Inexpressible(f"a computed condition: {_source(node)}")

    def _for(self, node: ast.For | ast.AsyncFor) -> None:
        if not (isinstance(node.target, ast.Name) and isinstance(node.iter, ast.Name) and node.iter.id in self.names):
            raise Inexpressible("a loop over something that is not a list parameter")
        if node.orelse:
            raise Inexpressible("for-else")
        items = self.names[node.iter.id]
        self.lines.append(Line(node.lineno, f"for {self._variable(node.target.id)} in {items} limit 30"))
        self._block(node.body)
        self.lines.append(Line((node.end_lineno or node.lineno) + 0.5, "end"))


def _source(node: ast.AST) -> str:
    try:
        return ast.unparse(node).split("\n")[0][:120]
    except (RecursionError, ValueError):
        return type(node).__name__
