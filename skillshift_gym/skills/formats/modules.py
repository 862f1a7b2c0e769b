"""Python modules of other systems, read as trees and never executed: functions, signatures, `#:` comments."""

from __future__ import annotations

import ast
import io
import tokenize
import warnings
from collections.abc import Iterator
from typing import Any

from ...errors import SkillError
from .base import Piece
from .lines import argument

MAX_SOURCE = 500_000
Function = ast.FunctionDef | ast.AsyncFunctionDef
_TYPES = {"str": "text", "int": "number", "float": "number", "bool": "boolean", "list": "list"}


def tree(text: str) -> ast.Module:
    """Returns the tree of a Python text.

    Raises:
        ValueError: It is no Python, or too large or too deep.
    """
    if len(text) > MAX_SOURCE:
        raise SkillError(f"expected at most {MAX_SOURCE:,} characters, got {len(text):,}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return ast.parse(text)
    except SyntaxError as error:
        raise SkillError(f"line {error.lineno}: not Python: {error.msg}") from None
    except (RecursionError, MemoryError):
        raise SkillError("not Python that can be read: nested too deeply") from None


def functions(text: str, file: str) -> Iterator[Piece]:
    """Yields the top-level functions of a module, each with the lines above it; the last one with those below."""
    nodes = [n for n in tree(text).body if isinstance(n, Function)]
    lines = text.splitlines(keepends=True)
    begin = 0
    for node in nodes:
        end = len(lines) if node is nodes[-1] else node.end_lineno or 0
        yield Piece("".join(lines[begin:end]), node.name, begin + 1, file)
        begin = end


def function_of(piece: Piece) -> Function:
    """Returns the one function of a piece."""
    found = [n for n in tree(piece.text).body if isinstance(n, Function)]
    if len(found) != 1:
        raise SkillError(f"expected one function, got {len(found)}")
    return found[0]


def parameters_of(function: Function, skip: int = 0) -> tuple[list[dict[str, Any]], dict[str, str]]:
    """Returns the typed parameters of a function, and Python name -> name in the program.

    Raises:
        ValueError: It takes what no call can give.
    """
    given = function.args
    if given.vararg or given.kwarg or given.posonlyargs:
        raise SkillError("*args, **kwargs and positional-only parameters cannot be given in a call")
    arguments = [*given.args, *given.kwonlyargs][skip:]
    padded: list[ast.expr | None] = [None] * (len(given.args) - len(given.defaults))
    defaults = [*padded, *given.defaults, *given.kw_defaults][skip:]
    names = {a.arg: argument(a.arg) for a in arguments}
    if len(set(names.values())) < len(names):
        raise SkillError("two parameters differ only in case or signs")
    found = []
    for own, default in zip(arguments, defaults, strict=True):
        value = default.value if isinstance(default, ast.Constant) else None
        value = value if isinstance(value, str | int | float | bool) else None
        kind = _TYPES.get(_annotation(own.annotation), "text")
        found.append({"name": names[own.arg], "type": kind, "required": default is None, "default": value})
    return found, names


def _annotation(node: ast.expr | None) -> str:
    if isinstance(node, ast.Subscript):
        node = node.value
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value.split("[")[0]
    return node.id if isinstance(node, ast.Name) else ""


def comments(text: str) -> dict[int, str]:
    """Returns line -> statement, of the comments that begin with `#:`."""
    found = {}
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.COMMENT and token.string.startswith("#:"):
                found[token.start[0]] = token.string[2:].strip()
    except (tokenize.TokenError, SyntaxError):
        pass
    return found
