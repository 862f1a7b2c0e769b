"""What a skill is for, as a goal with slots: `Cancel order {number}.` fits a goal and gives the arguments of a call.

Several wordings of one goal are set off by ` | `.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from ..goal_values import QUOTED, Values, values_of
from ..reading import words
from ..vocabulary import stem
from .program import ProgramError, parse
from .skill import Parameter, Skill
from .templates import literal, slots

_PIECE = re.compile(r"\{([a-z][a-z0-9_]{0,63})\}")
_OPEN, _CLOSE = "“\"‘'", "”\"’'"
_PLAIN = str.maketrans({**dict.fromkeys("“”‘’'", '"'), "\u00a0": " "})
# Kinds of values of a goal, the more telling first: a parameter is bound to the kind that its example was of.
_KINDS = ("quoted", "codes", "slugs", "amounts", "parts", "numbers", "proper")
_SINGLE = ("email", "url", "person")
BETWEEN = " | "
_PARTIAL = 0.8  # a text that only shares words with the goal never counts as much as one that says it


@lru_cache(maxsize=4096)
def template_of(skill: Skill) -> str:
    """Returns the goal that a skill serves, with a slot for each argument that the goal gives.

    It is the description where that names parameters in braces, else the goal of the recording with the recorded arguments
    taken out, else the description.
    """
    own = {p.name for p in skill.parameters}
    if own & set(slots(skill.description)):
        return skill.description
    goal = skill.fields.get("goal")
    if not isinstance(goal, str) or not goal:
        return skill.description
    text = literal(goal)
    for name, value in sorted(examples_of(skill).items(), key=lambda x: (-len(x[1]), x[0])):
        held = re.search(rf"(?<![\w{{]){re.escape(literal(value))}(?![\w}}])", text) if value else None
        if held is not None and name in own:
            text = f"{text[: held.start()]}{{{name}}}{text[held.end() :]}"
    return text


@lru_cache(maxsize=4096)
def examples_of(skill: Skill) -> Mapping[str, str]:
    """Returns the arguments of the recording, none for a program that cannot be read."""
    try:
        return parse(skill.program).examples
    except ProgramError:
        return {}


@lru_cache(maxsize=65_536)
def matched(template: str, goal: str) -> Mapping[str, str] | None:
    """Returns the values of a template's slots in a goal that says what the template says, None for another goal.

    Case, the kind of quotation marks, spaces and the closing full stop do not count. Of several wordings the first that
    fits gives the values.
    """
    for wording in template.split(BETWEEN):
        match = _pattern(wording).fullmatch(_flat(goal))
        if match is not None:
            found = {name: goal_part(goal, match, name) for name in slots(wording)}
            if all(v.strip() for v in found.values()):
                return found
    return None


def goal_part(goal: str, match: re.Match[str], name: str) -> str:
    """Returns a slot's value as the goal spells it."""
    start, end = match.span(name)
    return " ".join(goal.split())[start:end].strip(_OPEN + _CLOSE)


@lru_cache(maxsize=4096)
def _pattern(template: str) -> re.Pattern[str]:
    seen: set[str] = set()

    def piece(part: str) -> str:
        name = _PIECE.fullmatch(part)
        if name is None:
            return re.escape(_flat(part.replace("{{", "{").replace("}}", "}"), edges=False))
        if name[1] in seen:
            return f"(?P={name[1]})"
        seen.add(name[1])
        return f"(?P<{name[1]}>.+?)"

    pieces = re.split(r"(?<!\{)(\{[a-z][a-z0-9_]{0,63}\})(?!\})", " ".join(template.split()).rstrip(". "))
    return re.compile("".join(map(piece, pieces)), re.IGNORECASE)


def _flat(text: str, *, edges: bool = True) -> str:
    """Returns a text with one kind of quotation mark and of space; same length but for spaces at the edges."""
    flat = re.sub(r"\s+", " ", text).translate(_PLAIN)
    return flat.rstrip(". ").lstrip() if edges else flat


def fit(template: str, goal: str) -> float:
    """Returns how much a template and a goal speak of the same: 1 for a template that matches, else below 0.8.

    Below 1 it is the geometric mean of the shares of stems, outside quotes and slots, that each has of the other.
    """
    if matched(template, goal) is not None:
        return 1.0
    return _PARTIAL * max(_overlap(_stems(_PIECE.sub(" ", w)), _stems(goal)) for w in template.split(BETWEEN))


def _overlap(said: frozenset[str], wanted: frozenset[str]) -> float:
    both = len(said & wanted)
    return both / (len(said) * len(wanted)) ** 0.5 if both else 0.0


@lru_cache(maxsize=16_384)
def _stems(text: str) -> frozenset[str]:
    return frozenset(stem(w) for w in words(QUOTED.sub(" ", text)) if not w.isdigit())


def arguments(skill: Skill, goal: str) -> dict[str, str] | None:
    """Returns the arguments that a goal gives for a call, None when one that is needed is not to be had."""
    template = template_of(skill)
    found = dict(matched(template, goal) or {})
    values, recorded = values_of(goal), values_of(str(skill.fields.get("goal", "")))
    taken: list[str] = list(found.values())
    for parameter in skill.parameters:
        if parameter.name in found:
            continue
        value = _value(parameter, goal, values, _kind(examples_of(skill).get(parameter.name, ""), recorded), taken)
        if value:
            found[parameter.name] = value
            taken.append(value)
        elif parameter.required:
            return None
    known = {p.name for p in skill.parameters}
    return {name: value for name, value in found.items() if name in known}


def _kind(example: str, recorded: Values) -> str:
    """Returns the kind of the recorded goal's values that an example was of, empty when of none."""
    for kind in _SINGLE:
        if example and getattr(recorded, kind) == example:
            return kind
    return next((kind for kind in _KINDS if example in getattr(recorded, kind)), "")


def _value(parameter: Parameter, goal: str, values: Values, kind: str, taken: list[str]) -> str:
    """Returns the value of a goal for a parameter, empty without one: of its kind, else of any kind that its type allows."""
    if parameter.type == "choice":
        said = goal.lower()
        return next((c for c in parameter.choices if re.search(rf"\b{re.escape(c.lower())}\b", said)), "")
    named = next((k for k in _SINGLE if k in parameter.name), "")
    kinds = [kind or named] if kind or named else list(_KINDS)
    if parameter.type == "number":
        kinds = ["numbers", "amounts", "codes"]
    for chosen in kinds:
        held: Any = getattr(values, chosen)
        for value in (held,) if isinstance(held, str) else held:
            if value and value not in taken:
                return str(value)
    return ""
