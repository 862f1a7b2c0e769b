"""WALT tools and workflow-use workflows: one JSON file each, steps with css and xpath, inputs by placeholder.

Kept: every byte of the file; name, description, version, steps, inputs and unknown keys as fields. Not taken into the
program: element hashes and texts, waits for time, selectors outside of the locators' CSS and XPath; a step without
counterpart is a `stop`. A skill made here, or changed, is written from its program, or from its fields.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...errors import SkillError, SkillShiftError
from ...files import parse_json
from ..locator import Locator
from ..naming import slug
from ..program import Act, Agent, Name, Text, parse
from ..skill import Skill
from .base import Format, Note, Piece, Reading, safe_file
from .lines import argument
from .steps import program_of

_TYPES = {
    "string": "text",
    "number": "number",
    "integer": "number",
    "bool": "boolean",
    "boolean": "boolean",
    "array": "list",
}
_BACK = {
    "text": "string",
    "choice": "string",
    "date": "string",
    "number": "number",
    "boolean": "boolean",
    "list": "array",
}
_OWN = ("name", "description", "steps", "input_schema", "inputs", "workflow_analysis")


class Tools(Format):
    """Tools as JSON files.

    Args:
        name: `walt` or `workflow-use`; they differ in the ending of their files.
        ending: What file names end in.
    """

    def __init__(self, name: str, ending: str) -> None:
        self.name, self.ending = name, ending

    def pieces(self, files: Mapping[str, str]) -> Iterator[Piece | Note]:
        """Yields each JSON file."""
        for file, text in files.items():
            if file.endswith(".json") or len(files) == 1:
                yield Piece(text, file.rpartition("/")[2], 1, file)

    def read(self, piece: Piece) -> Reading:
        """Returns what a tool says."""
        data = parse_json(piece.text)
        if not isinstance(data, dict) or not isinstance(data.get("steps"), list):
            raise SkillError("expected an object with steps")
        inputs = data.get("input_schema", data.get("inputs", [])) or []
        names = _names(inputs)
        program, notes = program_of(data["steps"], names)
        fields = {"steps": data["steps"], "inputs": inputs, "extra": {k: v for k, v in data.items() if k not in _OWN}}
        fields |= {"analysis": data["workflow_analysis"]} if isinstance(data.get("workflow_analysis"), str) else {}
        fields["extra"] |= {
            "name": data.get("name", ""),
            "inputs_key": "inputs" if "inputs" in data else "input_schema",
        }
        values = {
            "name": slug(str(data.get("name", "tool"))),
            "kind": "tool",
            "description": str(data.get("description") or ""),
            "parameters": [_parameter(i, names[i["name"]]) for i in inputs],
            "program": program,
            "fields": fields,
        }
        return Reading(
            values,
            [
                note._replace(file=piece.file, text=f"step {note.line}: {note.text}", line=_line(piece.text, note.line))
                for note in notes
            ],
        )

    def write(self, skill: Skill) -> tuple[str, list[Note]]:
        """Returns a tool from a skill's fields, or from its program when it was not one."""
        notes: list[Note] = []
        extra = dict(skill.fields.get("extra", {}))
        key = extra.pop("inputs_key", "input_schema")
        name = extra.pop("name", skill.name)
        if skill.kind == "tool":
            steps, inputs = skill.fields["steps"], skill.fields.get("inputs", ())
            analysis = {"workflow_analysis": skill.fields["analysis"]} if "analysis" in skill.fields else {}
            if program_of(steps, _names(inputs))[0] != skill.program:
                notes.append(Note("", 0, "", "the program was changed and its steps were not; the steps are written"))
        else:
            steps, notes = _steps(skill)
            inputs, analysis = [_input(p.model_dump()) for p in skill.parameters], {}
        name = name if slug(name) == skill.name else skill.name
        data = {**analysis, "name": name, "description": skill.description, **extra, "steps": steps, key: inputs}
        return json.dumps(data, indent=2, ensure_ascii=False) + "\n", notes

    def join(self, pieces: Sequence[tuple[Skill, str]]) -> dict[str, str]:
        """Returns one file for each tool."""
        files: dict[str, str] = {}
        for skill, text in pieces:
            wish = skill.source.place if skill.source and skill.source.format == self.name else ""
            file = safe_file(wish, skill.name + self.ending)
            files[file if file not in files else skill.name + self.ending] = text
        return files


def _names(inputs: Any) -> dict[str, str]:
    """Returns placeholder -> name of the parameter."""
    if not isinstance(inputs, list | tuple):
        raise SkillError("inputs: expected a list")
    for item in inputs:
        if not isinstance(item, Mapping) or not isinstance(item.get("name"), str):
            raise SkillError("inputs: expected objects with a name")
    return {item["name"]: argument(item["name"]) for item in inputs}


def _parameter(item: Mapping[str, Any], name: str) -> dict[str, Any]:
    choices = [str(c) for c in item.get("enum") or [] if c is not None]
    kind = "choice" if choices else _TYPES.get(str(item.get("type", "string")), "text")
    about = str(item.get("description") or "")
    form = item.get("format")
    about = f"{about} ({form})".strip() if form and str(form) not in about else about
    required = item.get("required", True) is not False
    default = None if required else item.get("default")
    fits = default is None or isinstance(default, str | int | float | bool)
    return {
        "name": name,
        "type": kind,
        "description": about,
        "choices": choices,
        "required": required,
        "default": default if fits else None,
    }


def _input(parameter: Mapping[str, Any]) -> dict[str, Any]:
    enum = list(parameter["choices"]) or None
    about = {"description": parameter["description"]} if parameter["description"] else {}
    default = {} if parameter["default"] is None else {"default": parameter["default"]}
    return {
        "name": parameter["name"],
        "type": _BACK[parameter["type"]],
        "format": "date" if parameter["type"] == "date" else None,
        **about,
        "required": parameter["required"],
        "enum": enum,
        **default,
    }


def _steps(skill: Skill) -> tuple[list[dict[str, Any]], list[Note]]:
    if not skill.callable:
        raise SkillError(f"a {skill.kind} has no program, so no steps")
    steps, notes = [], []
    try:
        statements = parse(skill.program).statements
    except SkillShiftError as error:
        raise SkillError(str(error)) from None
    for statement in statements:
        step = _step(statement)
        if step is None:
            notes.append(
                Note("", statement.line, type(statement).__name__.lower(), "steps have no counterpart; left out")
            )
        else:
            steps.append(step)
            if isinstance(statement, Act) and statement.target and statement.target.locator:
                lost = set(statement.target.locator.to_json()) - {"css", "xpath", "tag"}
                notes += (
                    [Note("", statement.line, statement.verb, f"locators lose {', '.join(sorted(lost))}")]
                    if lost
                    else []
                )
    return steps, notes


_ACTS = {"click": "click", "fill": "input", "select": "select_change", "press": "key_press", "key": "key_press"}


def _step(statement: Any) -> dict[str, Any] | None:
    if isinstance(statement, Agent):
        return {"type": "agent", "task": statement.instruction.template, "max_steps": statement.steps}
    if not isinstance(statement, Act):
        return None
    said = [_said(v) for v in statement.values]
    if statement.verb == "goto":
        return {"type": "navigation", "url": said[0], "url_operation": None}
    if statement.verb == "scroll":
        return {"type": "scroll", "scrollX": statement.values[0], "scrollY": statement.values[1]}
    if statement.verb not in _ACTS or len(said) > 1:
        return None
    step: dict[str, Any] = {"type": _ACTS[statement.verb]}
    if statement.verb != "key":
        where = _selectors(statement.target.locator) if statement.target and not statement.target.name else {}
        if not where:
            return None
        step |= where
    key = {"fill": "value", "select": "selectedText", "press": "key", "key": "key"}.get(statement.verb)
    return step | ({key: said[0]} if key else {})


def _selectors(locator: Locator | None) -> dict[str, str]:
    if locator is None:
        return {}
    css = locator.css or (f"#{locator.id}" if locator.id.replace("-", "a").isidentifier() else "")
    css = (
        css
        or (f'[name="{locator.name}"]' if locator.name else "")
        or (f'[data-testid="{locator.test_id}"]' if locator.test_id else "")
    )
    found = {"cssSelector": css, "xpath": locator.xpath, "elementTag": locator.tag}
    return {k: v for k, v in found.items() if v} if css or locator.xpath else {}


def _said(value: Any) -> str:
    if isinstance(value, Name):
        return f"{{{value.name}}}"
    return value.template if isinstance(value, Text) else str(value)


def _line(text: str, number: int) -> int:
    """Returns the line of a file on which a step's type stands."""
    places = [i for i, line in enumerate(text.split("\n"), 1) if '"type":' in line.replace(" :", ":")]
    return places[number - 1] if number <= len(places) else 1
