"""The fields of each kind of skill: one line says which are content and which decide when the skill is surfaced.

A declaration maps each field to a side and a type. Content is what the policy reads once it has the skill; a rewriter may
change it. The retrieval side decides when the skill is shown; it stays as it is. `!` marks a field that must be there.

| type | value |
|---|---|
| `text`, `texts` | one text, a list of texts |
| `number`, `count`, `flag` | a number, a whole number from 0, true or false |
| words with a bar between | one of these words |
| `[a, b?]` | a list of objects with these texts; `?` marks one that may be missing |
| `data` | any JSON value |
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from .values import text_problem

Side = str  # "content" or "retrieval"

# How the parts that every record has are classed: what a policy chooses by is not rewritten.
COMMON = '{"name": "retrieval", "description": "retrieval", "parameters": "retrieval", "program": "content"}'

DECLARATIONS = {
    # AWM: a title with (thought, action) pairs; the Mind2Web branch has a line of description
    "workflow": '{"title": "retrieval text!", "doc": "content text", "steps": "content [why?, act]!"}',
    # ASI: a function with a docstring
    "function": '{"doc": "content text", "returns": "content text", "examples": "content texts", "tests": "retrieval count"}',
    # SkillWeaver: a program of one page, with its log of use and the site's knowledge file
    "page_program": '{"start_route": "content text", "doc": "content text", "usage_log": "content text", '
    '"site_knowledge": "content text", "test_count": "retrieval count", "references": "retrieval texts", '
    '"events": "retrieval data"}',
    # WALT and workflow-use: JSON steps
    "tool": '{"steps": "content data!", "inputs": "content data", "analysis": "content text", "extra": "retrieval data"}',
    # SkillRL and SkillMaster: a principle of one part of the bank, or a recorded mistake
    "principle": '{"skill_id": "retrieval text", "title": "retrieval text!", "principle": "content text!", '
    '"when_to_apply": "content text", "category": "retrieval text!", "extra": "retrieval data"}',
    "mistake": '{"mistake_id": "retrieval text", "description": "content text!", "why_it_happens": "content text", '
    '"how_to_avoid": "content text", "extra": "retrieval data"}',
    # ReSkill
    "trigger_rule": '{"skill_id": "retrieval text", "title": "retrieval text!", "when_to_use": "content text", "action": "content text!", '
    '"examples": "content texts", "trigger_type": "retrieval general|beginning|action_pattern!", '
    '"trigger_pattern": "retrieval text", "state": "retrieval active|testing|rejected", '
    '"birth_step": "retrieval count", "metadata": "retrieval data", "assertions": "retrieval [kind, value]"}',
    # Skill1, ARISE and SAPO: a text with a utility
    "strategy": '{"strategy": "content text!", "steps": "content texts", "check": "content text", '
    '"scenario": "retrieval text", "problem_type": "retrieval text", "utility": "retrieval number", '
    '"uses": "retrieval count", "gain": "retrieval number", "tier": "retrieval cache|reservoir", '
    '"outcome": "retrieval success|failure", "trajectory": "retrieval texts"}',
    # Evolving-RL
    "playbook": '{"overview": "content text", "when_to_use": "content text", "inputs": "content texts", '
    '"workflow": "content [goal, action, strategy?, done_when?]!", "decision_rules": "content texts", '
    '"error_handling": "content [error, cause?, response]", "output_demands": "content texts", '
    '"task_type": "retrieval text", "success_signal": "retrieval text", "abstraction_level": "retrieval text", '
    '"category": "retrieval text"}',
    # ours: what was recorded, and why some values became parameters
    "recorded": '{"start_route": "content text", "goal": "retrieval text", "site": "retrieval text", '
    '"site_version": "retrieval text", "review": "retrieval [value, parameter, reason]"}',
}
KINDS = tuple(DECLARATIONS)

ASSERTIONS = (
    "action_present",
    "action_absent",
    "action_before",
    "no_repetition",
    "final_action",
    "min_steps",
    "max_steps",
    "count",
    "observation_contains",
)
_TYPE = re.compile(r"(content|retrieval) (\[[a-z_, ?]+\]|[a-z_]+(?:\|[a-z_]+)*)(!?)")


class Field(NamedTuple):
    """One declared field: its side, its type as written, and whether it must be there."""

    side: Side
    type: str
    required: bool


@lru_cache(maxsize=64)
def declared(line: str) -> Mapping[str, Field]:
    """Returns the fields of a declaration.

    Raises:
        ValueError: The line is no declaration.
    """
    found = {}
    for name, text in json.loads(line).items():
        match = _TYPE.fullmatch(text)
        if match is None:
            raise ValueError(f"field {name!r}: expected 'content TYPE' or 'retrieval TYPE', got {text!r}")
        found[name] = Field(match[1], match[2], bool(match[3]))
    return found


def sides(kind: str) -> dict[str, Side]:
    """Returns field -> side for a kind, the parts that every record has included: the declaration that CODA asks for."""
    return {**json.loads(COMMON), **{name: field.side for name, field in declared(DECLARATIONS[kind]).items()}}


def field_problems(kind: str, values: Mapping[str, Any]) -> list[str]:
    """Returns where the fields of a record violate the declaration of its kind."""
    fields = declared(DECLARATIONS[kind])
    problems = [
        f"fields.{name}: no field of kind {kind!r}; expected some of {', '.join(fields)}"
        for name in values
        if name not in fields
    ]
    for name, field in fields.items():
        if name in values:
            problem = type_problem(field.type, values[name])
            problem = problem or ("expected something, got nothing" if field.required and not values[name] else "")
            problems += [f"fields.{name}: {problem}"] if problem else []
        elif field.required:
            problems.append(f"fields.{name}: missing; kind {kind!r} needs it")
    return problems + ([] if problems else (_CROSS[kind](values) if kind in _CROSS else []))


def type_problem(kind: str, value: Any) -> str:
    """Returns why a value is not of a declared type, empty when it is."""
    if kind in _SIMPLE:
        return _SIMPLE[kind](value)
    if kind.startswith("["):
        return _records(kind[1:-1].split(", "), value)
    words = kind.split("|")
    return "" if value in words else f"expected {' or '.join(words)}, got {str(value)[:40]!r}"


def _texts(value: Any) -> str:
    if not isinstance(value, list | tuple):
        return f"expected a list of texts, got {type(value).__name__}"
    return next((f"[{i}]: {problem}" for i, v in enumerate(value) if (problem := text_problem(v))), "")


def _number(value: Any) -> str:
    good = isinstance(value, int | float) and not isinstance(value, bool)
    return "" if good else f"expected a number, got {type(value).__name__}"


def _count(value: Any) -> str:
    good = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return "" if good else f"expected a whole number from 0, got {str(value)[:40]}"


def _records(names: list[str], value: Any) -> str:
    if not isinstance(value, list | tuple):
        return f"expected a list of objects, got {type(value).__name__}"
    known = {name.rstrip("?") for name in names}
    for i, record in enumerate(value):
        if not isinstance(record, Mapping):
            return f"[{i}]: expected an object, got {type(record).__name__}"
        if wrong := sorted(set(record) - known):
            return f"[{i}]: no part {wrong[0][:40]!r}; expected some of {', '.join(sorted(known))}"
        for name in names:
            if name not in record and not name.endswith("?"):
                return f"[{i}]: {name} is missing"
        for name, part in record.items():
            if problem := text_problem(part):
                return f"[{i}].{name}: {problem}"
    return ""


def _trigger(values: Mapping[str, Any]) -> list[str]:
    problems = []
    pattern = values.get("trigger_pattern", "")
    if (values["trigger_type"] == "action_pattern") != bool(pattern):
        problems.append("fields.trigger_pattern: expected a pattern for action_pattern, and for no other type")
    elif len(pattern) > 200:
        problems.append(f"fields.trigger_pattern: expected at most 200 characters, got {len(pattern)}")
    for i, assertion in enumerate(values.get("assertions", ())):
        if assertion["kind"] not in ASSERTIONS:
            problems.append(f"fields.assertions[{i}].kind: expected one of {', '.join(ASSERTIONS)}")
    return problems


_SIMPLE: dict[str, Callable[[Any], str]] = {
    "text": text_problem,
    "texts": _texts,
    "number": _number,
    "count": _count,
    "flag": lambda v: "" if isinstance(v, bool) else f"expected true or false, got {type(v).__name__}",
    "data": lambda v: "",
}
_CROSS: dict[str, Callable[[Mapping[str, Any]], list[str]]] = {"trigger_rule": _trigger}
