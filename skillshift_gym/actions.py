"""The action grammar: parse, format and document primitives in BrowserGym's spelling.

An action is one call with literal arguments, such as `click('12')`. It is read with `ast` and never evaluated. A call
of a name that is no primitive is a skill call. The text an agent is shown (`document`) is generated from `GRAMMAR`.
"""

from __future__ import annotations

import ast
import difflib
import warnings
from collections.abc import Iterable
from functools import lru_cache
from typing import Any, NamedTuple

from .errors import MalformedAction
from .grammar import BUTTONS, GRAMMAR, MODIFIERS, Parameter, Signature

MAX_ACTION_LENGTH = 10_000


class Primitive(NamedTuple):
    """One browser action with all its arguments in order, defaults filled in."""

    name: str
    args: tuple[Any, ...] = ()


class SkillCall(NamedTuple):
    """A call of a named skill: positional arguments, then (name, value) pairs."""

    name: str
    args: tuple[Any, ...] = ()
    kwargs: tuple[tuple[str, Any], ...] = ()


@lru_cache(maxsize=4096)
def parse(text: str) -> Primitive | SkillCall:
    """Returns the primitive or skill call written in one line.

    Raises:
        MalformedAction: The text is not a call of the grammar.
    """
    calls = parse_lines(text)
    if len(calls) != 1:
        raise MalformedAction(f"expected one action, got {len(calls)}: {_excerpt(text)}")
    return calls[0]


@lru_cache(maxsize=1024)
def parse_lines(text: str) -> tuple[Primitive | SkillCall, ...]:
    """Returns the calls written one after another, each a statement of its own.

    Raises:
        MalformedAction: The text is empty, too long, or holds anything but calls with literal arguments.
    """
    if len(text) > MAX_ACTION_LENGTH:
        raise MalformedAction(f"expected at most {MAX_ACTION_LENGTH} characters, got {len(text)}")
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # an invalid escape in a string is the agent's business
            tree = ast.parse(text.strip())
        calls = tuple(_call(statement) for statement in tree.body)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        raise MalformedAction(f"expected a call such as click('12'), got {_excerpt(text)} ({error})") from None
    if not calls:
        raise MalformedAction("expected a call such as click('12'), got an empty action")
    return calls


def format_action(action: Primitive | SkillCall) -> str:
    """Returns the canonical text of an action: `parse(format_action(a)) == a`."""
    if isinstance(action, SkillCall):
        arguments = [_literal(a) for a in action.args] + [f"{key}={_literal(value)}" for key, value in action.kwargs]
    else:
        parameters = GRAMMAR[action.name].parameters
        arguments = [_literal(value) for value in action.args]
        while arguments and _is_default(parameters[len(arguments) - 1], action.args[len(arguments) - 1]):
            arguments.pop()
    return f"{action.name}({', '.join(arguments)})"


def document(names: Iterable[str] = ()) -> str:
    """Returns the description of the primitives that an agent is shown.

    Args:
        names: Primitives to describe; all of them when empty.
    """
    chosen = list(names) or list(GRAMMAR)
    lines = []
    for name in chosen:
        signature = GRAMMAR[name]
        parameters = ", ".join(_describe(p) for p in signature.parameters)
        lines.append(f"{name}({parameters})\n    {signature.text} Example: {signature.example}")
    return "\n".join(lines)


def primitive(name: str, *args: Any) -> Primitive:
    """Returns a checked primitive, defaults filled in.

    Raises:
        MalformedAction: The arguments do not fit the signature.
    """
    return _bind(GRAMMAR[name], args, {})


def takes_bid(call: Primitive | SkillCall) -> bool:
    """Tells whether a call acts on an element of the page."""
    signature = GRAMMAR.get(call.name)
    return signature is not None and bool(signature.parameters) and signature.parameters[0].kind == "bid"


def suggestion(name: str, skills: Iterable[str] = ()) -> str:
    """Returns what to try in place of an unknown name.

    Args:
        name: The name.
        skills: Names of the skills that can be called.
    """
    known = [*GRAMMAR, *skills]
    close = difflib.get_close_matches(name, known, n=1)
    return f"did you mean {close[0]!r}?" if close else f"expected one of {', '.join(known)}"


def _call(statement: ast.stmt) -> Primitive | SkillCall:
    if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call)):
        raise MalformedAction(f"expected a call such as click('12'), got {_excerpt(ast.unparse(statement))}")
    call = statement.value
    if not isinstance(call.func, ast.Name):
        raise MalformedAction(f"expected a plain name before the bracket, got {_excerpt(ast.unparse(call.func))}")
    if any(isinstance(a, ast.Starred) for a in call.args) or any(k.arg is None for k in call.keywords):
        raise MalformedAction("expected plain arguments, got an unpacking")
    args = tuple(_freeze(ast.literal_eval(a)) for a in call.args)
    kwargs = {str(k.arg): _freeze(ast.literal_eval(k.value)) for k in call.keywords}
    signature = GRAMMAR.get(call.func.id)
    if signature is None:
        return SkillCall(call.func.id, args, tuple(kwargs.items()))
    return _bind(signature, args, kwargs)


def _bind(signature: Signature, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Primitive:
    names = [p.name for p in signature.parameters]
    if len(args) > len(names):
        raise MalformedAction(f"{signature.name}: expected at most {len(names)} arguments, got {len(args)}")
    unknown = [key for key in kwargs if key not in names[len(args) :]]
    if unknown:
        raise MalformedAction(f"{signature.name}: unexpected argument {unknown[0]!r}; it takes {', '.join(names)}")
    given = {**dict(zip(names, args, strict=False)), **kwargs}
    return Primitive(
        signature.name, tuple(_value(signature, p, given.get(p.name, p.default)) for p in signature.parameters)
    )


def _value(signature: Signature, parameter: Parameter, value: Any) -> Any:
    """Returns the value in its canonical type."""
    if value is ...:
        raise MalformedAction(
            f"{signature.name}: the argument {parameter.name!r} is missing; example: {signature.example}"
        )
    converted = _CONVERT[parameter.kind](value)
    if converted is None:
        raise MalformedAction(
            f"{signature.name}: expected {_KINDS[parameter.kind]} for {parameter.name!r}, got {_excerpt(repr(value))}"
        )
    return converted


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9


def _text(value: Any) -> str | None:
    """Returns a string with lone surrogates replaced, as browsers do when text leaves a field."""
    if not isinstance(value, str):
        return None
    try:
        value.encode()
    except UnicodeEncodeError:
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return value


def _bid(value: Any) -> str | None:
    if isinstance(value, int) and not isinstance(value, bool) and 0 <= value < 10**9:
        return str(value)
    return value if isinstance(value, str) and 0 < len(value) <= 20 else None


def _options(value: Any) -> tuple[str, ...] | None:
    values = value if isinstance(value, tuple) else (value,)
    texts = tuple(_text(v) for v in values)
    return None if None in texts else texts  # type: ignore[return-value]


def _modifiers(value: Any) -> tuple[str, ...] | None:
    return value if isinstance(value, tuple) and all(v in MODIFIERS for v in value) else None


_CONVERT = {
    "str": _text,
    "key": lambda v: v if isinstance(v, str) and 0 < len(v) <= 60 else None,
    "bid": _bid,
    "int": lambda v: v if _is_number(v) and isinstance(v, int) else None,
    "float": lambda v: float(v) if _is_number(v) else None,
    "options": _options,
    "button": lambda v: v if v in BUTTONS else None,
    "modifiers": _modifiers,
}
_KINDS = {
    "str": "a string",
    "key": "a key name such as 'Enter' or 'Control+a'",
    "bid": "an element's bid such as '12'",
    "int": "a whole number",
    "float": "a number",
    "options": "a string or a list of strings",
    "button": "one of 'left', 'middle', 'right'",
    "modifiers": f"a list of {', '.join(MODIFIERS)}",
}


def _freeze(value: Any) -> Any:
    """Returns a literal with lists, tuples and sets as tuples; nothing mutable is shared between actions."""
    if isinstance(value, list | tuple):
        return tuple(_freeze(v) for v in value)
    if isinstance(value, set | frozenset):
        return tuple(sorted((_freeze(v) for v in value), key=repr))
    if isinstance(value, dict):
        return tuple((_freeze(k), _freeze(v)) for k, v in value.items())
    return value


def _literal(value: Any) -> str:
    return "[" + ", ".join(_literal(v) for v in value) + "]" if isinstance(value, tuple) else repr(value)


def _is_default(parameter: Parameter, value: Any) -> bool:
    return parameter.default is not ... and bool(parameter.default == value)


def _describe(parameter: Parameter) -> str:
    default = "" if parameter.default is ... else f" = {_literal(parameter.default)}"
    return f"{parameter.name}: {_KIND_NAMES.get(parameter.kind, 'str')}{default}"


_KIND_NAMES = {"int": "int", "float": "float", "options": "str | list[str]", "modifiers": "list[str]"}


def _excerpt(text: str, limit: int = 80) -> str:
    return text if len(text) <= limit else text[:limit] + "..."
