"""Python functions made from programs: a call where the format has one, a `#:` comment where it has none."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from ...errors import SkillError, SkillShiftError
from ..program import Act, Name, Text, Value, parse
from ..skill import Skill
from ..templates import plain, slots
from .base import Note

_ANNOTATIONS = {
    "text": "str",
    "choice": "str",
    "date": "str",
    "number": "float",
    "boolean": "bool",
    "list": "list[str]",
}
Call = Callable[[Act], str | None]
Reread = Callable[[str], str]


def body_of(skill: Skill, call: Call, again: Callable[[str, Skill], str]) -> tuple[list[str], list[Note]]:
    """Returns the lines of a function's body, and what Python does not do.

    Args:
        skill: The skill.
        call: Returns the Python of a primitive, None when there is none.
        again: Returns the statement that a Python line is read as.
    """
    lines, notes = [], []
    for number, (statement, depth) in enumerate(_statements(skill.program), 1):
        act = _act(statement)
        written = call(act) if act and not depth else None
        if written is None:
            lines.append(f"#: {statement}")
            notes.append(Note("", number, statement, "is kept as a comment; Python does not do it"))
        elif again(written, skill) == statement:
            lines.append(written)
        else:
            lines.append(f"{written}  #: {statement}")
    return [*lines, *([] if any(not x.startswith("#:") for x in lines) else ["pass"])], notes


def _statements(program: str) -> Iterator[tuple[str, int]]:
    """Yields each line of a program and the depth it stands at."""
    try:
        text = str(parse(program))
    except SkillShiftError as error:
        raise SkillError(str(error)) from None
    depth = 0
    for line in text.split("\n"):
        word = line.split()[:1]
        depth -= word == ["end"]
        if word:
            yield line.strip(), depth
        depth += word in (["if"], ["for"])


def _act(statement: str) -> Act | None:
    try:
        found = parse(statement).statements
    except SkillShiftError:
        return None
    return found[0] if len(found) == 1 and isinstance(found[0], Act) else None


def arguments_of(skill: Skill) -> str:
    """Returns the parameters of a function, those with defaults last."""
    required = [f"{p.name}: {_ANNOTATIONS[p.type]}" for p in skill.parameters if p.required]
    return ", ".join(
        [*required, *(f"{p.name}: {_ANNOTATIONS[p.type]} = {p.default!r}" for p in skill.parameters if not p.required)]
    )


def lost_parameters(skill: Skill) -> list[Note]:
    """Returns what a Python signature does not say of a skill's parameters."""
    notes = []
    for p in skill.parameters:
        if p.type in ("choice", "date") or p.description:
            notes.append(Note("", 0, p.name, "a signature has no choices, dates and descriptions; left out"))
    order = [p.name for p in sorted(skill.parameters, key=lambda p: not p.required)]
    if order != [p.name for p in skill.parameters]:
        notes.append(Note("", 0, ", ".join(order), "parameters with defaults come last"))
    return notes


def said(value: Value | int) -> str:
    """Returns the Python of a value."""
    if isinstance(value, Name):
        return value.name
    if isinstance(value, Text):
        return f"f{value.template!r}" if slots(value.template) else repr(plain(value.template))
    return repr(value)


def string(template: str) -> str:
    """Returns the Python of a template."""
    return said(Text(template))


def module(functions: Iterable[str]) -> str:
    """Returns the module of some functions, those that begin at once with two empty lines before them."""
    text = ""
    for function in functions:
        begins = function.startswith(("def ", "async def ")) and text
        text += ("" if text.endswith("\n") or not text else "\n") + ("\n\n" if begins else "") + function
    return text


def docstring(text: str) -> list[str]:
    """Returns the lines of a docstring that is read back as it is."""
    return [f"{text!r}"] if text else []
