"""What changed between two banks, and a skill in words for people."""

from __future__ import annotations

from collections.abc import Iterator
from difflib import unified_diff
from typing import NamedTuple

from .bank import Bank
from .skill import Skill
from .values import canonical, shown


class Change(NamedTuple):
    """One difference: `added`, `removed`, `changed` or `moved`, the skill, and its lines as of `diff -u`."""

    what: str
    name: str
    lines: tuple[str, ...] = ()


def diff(old: Bank, new: Bank) -> list[Change]:
    """Returns what makes one bank another; empty exactly when their hashes are equal."""
    before, after = old.all, new.all
    found = [Change("removed", name) for name in before if name not in after]
    found += [Change("added", name, tuple(described(after[name]))) for name in after if name not in before]
    for name in before:
        if name in after and before[name].hash != after[name].hash:
            lines = unified_diff([*described(before[name])], [*described(after[name])], "old", "new", lineterm="", n=1)
            found.append(Change("changed", name, tuple(list(lines)[2:]) or ("evidence or source only",)))
    if not found and old.hash != new.hash:
        found.append(Change("moved", "the order of skills"))
    return found


def described(skill: Skill) -> Iterator[str]:
    """Yields a skill in lines; text is shown escaped, whatever it says."""
    yield f"{skill.signature if skill.callable else skill.name}  [{skill.kind} v{skill.version}, {skill.status}]"
    if skill.description:
        yield f"  {shown(skill.description)}"
    for parameter in skill.parameters:
        if parameter.description or parameter.choices:
            choices = f" ({', '.join(parameter.choices)})" if parameter.choices else ""
            yield f"  {parameter.name}: {shown(parameter.description)}{shown(choices)}"
    for name, value in skill.fields.items():
        if value not in ("", (), None):
            yield from _field(name, value if isinstance(value, str) else canonical(value))
    if skill.callable:
        yield "  program:"
        yield from (f"    {shown(line)}" for line in skill.program.split("\n"))
    for evidence in skill.evidence:
        yield f"  evidence: {shown(' '.join(filter(None, (evidence.task, evidence.condition, evidence.split))))}"


def _field(name: str, text: str) -> Iterator[str]:
    first, *rest = shown(text).split("\n")
    yield f"  {name}: {first}"
    yield from (f"    {line}" for line in rest)
