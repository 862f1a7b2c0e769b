"""Banks of SkillRL and SkillMaster: general skills, skills of a task type, and mistakes, in one JSON file.

Kept: ids, all texts, unknown keys of a record, the part and the task type; the file is written anew, so its spacing is ours.
Keys of the file beside the three parts are noted and left out. These are words for a prompt: nothing in them is called.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...errors import SkillError
from ...files import parse_json
from ..naming import slug
from ..skill import Skill
from .base import Format, Note, Piece, Reading

_GENERAL, _TYPED, _MISTAKES = "general_skills", "task_specific_skills", "common_mistakes"
_PRINCIPLE = ("skill_id", "title", "principle", "when_to_apply")
_MISTAKE = ("mistake_id", "description", "why_it_happens", "how_to_avoid")


class Principles(Format):
    """A bank of three parts.

    Args:
        name: `skillrl` or `skillmaster`; the form is one.
    """

    def __init__(self, name: str) -> None:
        self.name = name

    def pieces(self, files: Mapping[str, str]) -> Iterator[Piece | Note]:
        """Yields each record."""
        for file, text in files.items():
            try:
                data = parse_json(text)
                if not isinstance(data, dict):
                    raise SkillError("expected an object of three parts")
                for place, record in _records(data):
                    yield Piece(json.dumps(record, ensure_ascii=False), place, 1, file)
            except ValueError as error:
                yield Note(file, 1, "", f"not taken over: {error}")
                continue
            for key in data:
                if key not in (_GENERAL, _TYPED, _MISTAKES):
                    yield Note(file, 1, str(key), "not one of the three parts; left out")

    def read(self, piece: Piece) -> Reading:
        """Returns what a record says."""
        record = parse_json(piece.text)
        if not isinstance(record, dict):
            raise SkillError("expected an object")
        mistake = piece.place == _MISTAKES or (not piece.place and "mistake_id" in record)
        known = _MISTAKE if mistake else _PRINCIPLE
        fields = {key: record[key] for key in known if key in record}
        extra = {key: value for key, value in record.items() if key not in known}
        fields |= {"extra": extra} if extra else {}
        head = str(record.get("description" if mistake else "title", ""))
        if not mistake:
            fields["category"] = piece.place.partition("/")[2] or str(piece.extra.get("category", "general"))
        wish = str(record.get(known[0]) or head)
        return Reading(
            {"name": slug(wish), "kind": "mistake" if mistake else "principle", "description": head, "fields": fields}
        )

    def write(self, skill: Skill) -> tuple[str, list[Note]]:
        """Returns a record."""
        if skill.kind not in ("principle", "mistake"):
            raise SkillError(f"a {skill.kind} is neither a principle nor a mistake")
        known = _MISTAKE if skill.kind == "mistake" else _PRINCIPLE
        record: dict[str, Any] = {
            known[0]: skill.name,
            **{key: skill.fields[key] for key in known if key in skill.fields},
        }
        return json.dumps({**record, **skill.fields.get("extra", {})}, ensure_ascii=False), []

    def join(self, pieces: Sequence[tuple[Skill, str]]) -> dict[str, str]:
        """Returns one file."""
        data: dict[str, Any] = {_GENERAL: [], _TYPED: {}, _MISTAKES: []}
        for skill, text in pieces:
            category = str(skill.fields.get("category", ""))
            if skill.kind == "mistake":
                data[_MISTAKES].append(json.loads(text))
            elif category == "general":
                data[_GENERAL].append(json.loads(text))
            else:
                data[_TYPED].setdefault(category, []).append(json.loads(text))
        return {"skills.json": json.dumps(data, indent=2, ensure_ascii=False) + "\n"}

    def outside(self, skill: Skill) -> Mapping[str, Any]:
        """Returns the task type, which stands above a record."""
        return {"category": skill.fields.get("category", "general")}


def _records(data: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for record in _list(data.get(_GENERAL, []), _GENERAL):
        yield f"{_GENERAL}/general", record
    typed = data.get(_TYPED, {})
    if not isinstance(typed, dict):
        raise SkillError(f"{_TYPED}: expected an object of task types")
    for category, records in typed.items():
        for record in _list(records, f"{_TYPED}.{category}"):
            yield f"{_TYPED}/{category}", record
    for record in _list(data.get(_MISTAKES, []), _MISTAKES):
        yield _MISTAKES, record


def _list(value: Any, where: str) -> list[Any]:
    if not isinstance(value, list):
        raise SkillError(f"{where}: expected a list")
    return value
