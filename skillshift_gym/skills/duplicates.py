"""What a skill says, so that two that say the same are found: the canonical program, else the normalised words."""

from __future__ import annotations

import unicodedata

from .fields import sides
from .skill import Skill, canonical_program
from .values import digest, texts_in


def key_of(skill: Skill) -> str:
    """Returns the hash of what a skill says, empty when it says nothing."""
    if skill.callable:
        return digest(["program", canonical_program(skill.program)])
    own = sides(skill.kind)
    said = {name: value for name, value in skill.fields.items() if own[name] == "content"}
    words = [normalised(text) for name in sorted(said) for text in texts_in(said[name])]
    return digest(["text", skill.kind, *words]) if any(words) else ""


def normalised(text: str) -> str:
    """Returns a text without case, punctuation and spacing."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    return " ".join("".join(c if c.isalnum() else " " for c in folded).split())
