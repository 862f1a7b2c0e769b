"""Tools that the model wrote: its reply as WALT's JSON, read by WALT's format, and by address where that does."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import quote, quote_plus

from skillshift_gym.agents.induction.exploring import route_of
from skillshift_gym.agents.written.functions import judged, refuse
from skillshift_gym.agents.written.programs import given_of
from skillshift_gym.agents.written.writer import Rejected, line_of
from skillshift_gym.page import Page
from skillshift_gym.skills.addresses import made_anew
from skillshift_gym.skills.checker import VOLATILE, check
from skillshift_gym.skills.formats import read_files, write_files
from skillshift_gym.skills.program import Act, Example, Program, Stop, Text, parse
from skillshift_gym.skills.skill import Skill
from skillshift_gym.skills.templates import literal

_VALUES = {"input": "value", "select_change": "selectedText", "key_press": "key"}
_USED = {"navigation": ("url",), "click": ("cssSelector", "xpath")}


def tool_of(
    reply: Mapping[str, Any], name: str, done: Sequence[Act], evidence: Sequence[Any]
) -> tuple[Skill, dict[str, str]]:
    """Returns the tool of a reply, and the arguments of its test.

    Args:
        reply: The reply.
        name: Name of the tool.
        done: What was done in the demonstration, as it was recorded.
        evidence: Episodes that it comes from.

    Raises:
        Rejected: It is none.
    """
    data = {
        "name": name,
        "description": line_of(reply["description"]),
        "steps": [_step(step) for step in reply["steps"]],
        "input_schema": [_input(one) for one in reply["inputs"]],
    }
    found = read_files("walt", {f"{name}.tool.json": json.dumps(data)})
    if not found.skills:
        raise Rejected("not a tool that can be read")
    skill = found.skills[0]
    given = given_of(skill, reply["arguments"])
    return _checked(skill, name, done, given, evidence), given


def _step(step: Mapping[str, str]) -> dict[str, str]:
    kind = step["type"]
    used = {key: step[key] for key in _USED.get(kind, _USED["click"]) if step[key]}
    value = {_VALUES[kind]: step["value"]} if kind in _VALUES else {}
    return {"type": kind, **used, **value}


def _input(one: Mapping[str, Any]) -> dict[str, Any]:
    default = {"default": one["default"]} if one["default"] and not one["required"] else {}
    said = {key: one[key] for key in ("name", "type", "required", "description")}
    return {**said, "enum": list(one["enum"]) or None, **default}


def _checked(skill: Skill, name: str, done: Sequence[Act], given: Mapping[str, str], evidence: Sequence[Any]) -> Skill:
    program = parse(skill.program)
    acts = [s for s in program.statements if isinstance(s, Act)]
    findings = check(program, skill.parameters)
    wrong = next((f"{f.rule}: {f.message}" for f in findings if f.serious or f.rule in VOLATILE), "")
    stop = next((s.reason.template for s in program.walk() if isinstance(s, Stop)), "")
    unused = next((f.message for f in findings if f.rule == "unused_parameter"), "")
    first = acts[0].values[0] if acts and acts[0].verb == "goto" else None
    refuse(
        {
            stop: bool(stop),
            wrong: bool(wrong),
            unused: bool(unused),
            "no description": not skill.description,
            "does not begin with a relative navigation": not isinstance(first, Text) or first.template[:1] != "/",
        }
    )
    own = given_in(judged(acts, given, done), given)
    fields = {"steps": skill.fields["steps"], "inputs": skill.fields["inputs"]}
    return skill.revised(
        name=name, source=None, program=str(own), fields=fields, status="testing", evidence=tuple(evidence)
    )


def given_in(acts: Sequence[Act], given: Mapping[str, str]) -> Program:
    """Returns acts as a program, with the arguments of the test as examples."""
    return Program((*(Example(name, Text(literal(value))) for name, value in given.items()), *acts))


def shown_steps(done: Skill | Sequence[Act]) -> str:
    """Returns a tool, or what was done, as the JSON that a model is shown."""
    if isinstance(done, Skill):
        parts = {"inputs": done.fields["inputs"], "steps": done.fields["steps"]}
        return json.dumps(json.loads(json.dumps(parts, default=dict)), ensure_ascii=False)
    skill = Skill(name="trajectory", kind="function", program=str(Program(tuple(done))))
    steps = json.loads(next(iter(write_files("walt", [skill]).files.values())))["steps"]
    return "\n".join(json.dumps(step, ensure_ascii=False) for step in steps)


def addressed(skill: Skill, page: Page, given: Mapping[str, Any]) -> Skill | None:
    """Returns a tool that goes to the page that another one came to, None when that page's address does not say it all.

    Args:
        skill: The tool, of steps.
        page: The page that it ended on.
        given: The arguments that it was called with.
    """
    route = literal(route_of(page.url))
    if not given or len(parse(skill.program).statements) - len(given) < 2 or made_anew(route):
        return None
    for name, value in sorted(given.items(), key=lambda item: -len(item[1])):
        said = next((v for v in (quote_plus(value), quote(value), value) if value and v in route), "")
        if not said:
            return None
        route = route.replace(said, f"{{{name}}}", 1)
    steps = ({"type": "navigation", "url": route},)
    program = given_in([Act("goto", None, (Text(route),))], given)
    return skill.revised(program=str(program), fields={**skill.fields, "steps": steps})
