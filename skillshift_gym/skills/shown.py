"""The text about callable skills that an agent is shown. What a bank says of itself is data: one line each, cut, never marked up."""

from __future__ import annotations

from collections.abc import Iterable

from .program import ProgramError, parse
from .skill import Skill

MAX_DESCRIPTION = 200


def document(skills: Iterable[Skill]) -> str:
    """Returns the description of skills that an agent is shown: signature, one line of text, an example."""
    return "\n".join(f"{s.signature}\n    {_about(s)}" for s in skills)


def example_of(skill: Skill) -> str:
    """Returns a call with the arguments of the recording, empty when they are not all known."""
    try:
        known = parse(skill.program).examples
    except ProgramError:
        return ""
    needed = [p for p in skill.parameters if p.required]
    if any(p.name not in known for p in needed):
        return ""
    return f"{skill.name}({', '.join(repr(known[p.name]) for p in needed)})"


def _about(skill: Skill) -> str:
    text = " ".join("".join(c if c.isprintable() else " " for c in skill.description).split())
    text = text if len(text) <= MAX_DESCRIPTION else text[: MAX_DESCRIPTION - 1] + "…"
    example = example_of(skill)
    return " ".join(filter(None, [text, f"Example: {example}" if example else ""]))
