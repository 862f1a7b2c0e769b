"""ReSkill bundles: one Markdown file a skill with a front matter, and a registry in JSON.

Kept: every byte of the Markdown; ids, triggers, state, versions, birth step and metadata. Of a bundle with both, the Markdown
counts; the registry adds the skills that have none. These are words for a prompt: nothing in them is called.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...errors import SkillError
from ...files import parse_json
from ..naming import slug
from ..skill import Skill
from .base import Format, Note, Piece, Reading, safe_file

_FRONT = re.compile(r"\A---\n(.*?)\n---\n(.*)\Z", re.DOTALL)
_EMPTY = {"(no guidance)", "(no action)"}
_KEYS = (
    "skill_id",
    "name",
    "content",
    "trigger_type",
    "trigger_pattern",
    "status",
    "created_at_step",
    "version",
    "metadata",
)


class Bundles(Format):
    """A folder of Markdown files with a registry, or one of them."""

    name = "reskill"

    def pieces(self, files: Mapping[str, str]) -> Iterator[Piece | Note]:
        """Yields each Markdown file, then what only the registry has."""
        seen = set()
        for file, text in files.items():
            if not file.endswith(".json"):
                front = _FRONT.match(text.replace("\r\n", "\n"))
                seen.add(_front(front[1]).get("skill_id", "") if front else "")
                yield Piece(text, file.rpartition("/")[2], 1, file)
        for file, text in files.items():
            if file.endswith(".json"):
                try:
                    records = _registry(text)
                except ValueError as error:
                    yield Note(file, 1, "", f"not taken over: {error}")
                    continue
                for record in records:
                    if not (isinstance(record, dict) and record.get("skill_id") in seen - {""}):
                        yield Piece(json.dumps(record, ensure_ascii=False), "", 1, file)

    def read(self, piece: Piece) -> Reading:
        """Returns what a Markdown file or a registry's record says."""
        data = parse_json(piece.text) if piece.text.lstrip().startswith("{") else _markdown(piece.text)
        if not isinstance(data, dict) or not isinstance(data.get("name"), str):
            raise SkillError("expected an object with a name")
        content = data.get("content")
        said = content if isinstance(content, dict) else {"action": str(content or "")}
        kind, pattern = str(data.get("trigger_type", "general")), data.get("trigger_pattern") or ""
        notes, metadata = [], dict(data.get("metadata") or {}) | {k: v for k, v in data.items() if k not in _KEYS}
        if (kind == "action_pattern") != bool(pattern):
            notes.append(
                Note(piece.file, 1, str(pattern), "a pattern without action_pattern, or the other way: now general")
            )
            metadata |= {"trigger_type": kind, "trigger_pattern": pattern}
            kind, pattern = "general", ""
        fields = {
            "skill_id": str(data.get("skill_id", "")),
            "title": data["name"],
            "when_to_use": str(said.get("when_to_use", "")),
            "action": str(said.get("action", "")),
            "examples": [str(example) for example in said.get("examples") or []],
            "trigger_type": kind,
            "state": str(data.get("status", "active")),
            "birth_step": _whole(data.get("created_at_step", 0)),
            "metadata": metadata,
        } | ({"trigger_pattern": str(pattern)} if pattern else {})
        status = {"testing": "testing", "rejected": "retired"}.get(fields["state"], "active")
        values = {"name": slug(data["name"]), "kind": "trigger_rule", "fields": fields, "status": status}
        version = max(1, _whole(data.get("version", 1)))
        return Reading(values | {"version": version, "description": fields["when_to_use"].split("\n")[0]}, notes)

    def write(self, skill: Skill) -> tuple[str, list[Note]]:
        """Returns a Markdown file."""
        if skill.kind != "trigger_rule":
            raise SkillError(f"a {skill.kind} is no trigger rule")
        said = skill.fields
        state = {"active": "active", "testing": "testing", "retired": "rejected"}[skill.status]
        front = {
            "name": said["title"],
            "trigger_type": said["trigger_type"],
            **({"trigger_pattern": _quoted(said["trigger_pattern"])} if said.get("trigger_pattern") else {}),
            "version": skill.version,
            "status": state,
            "created_at_step": said.get("birth_step", 0),
            "skill_id": said.get("skill_id", "") or skill.name,
            **({"metadata": json.dumps(said["metadata"], ensure_ascii=False)} if said.get("metadata") else {}),
        }
        lines = ["---", *(f"{key}: {value}" for key, value in front.items()), "---", ""]
        lines += ["## When to Use", said.get("when_to_use") or "(no guidance)", "", "## Action", said["action"], ""]
        lines += ["## Examples", *(f"- {e}" for e in said["examples"]), ""] if said.get("examples") else []
        return "\n".join(lines), [Note("", 0, "assertions", "have no place in a bundle; left out")] if said.get(
            "assertions"
        ) else []

    def join(self, pieces: Sequence[tuple[Skill, str]]) -> dict[str, str]:
        """Returns a Markdown file for each skill, and the registry of those that come from one."""
        files: dict[str, str] = {}
        registry = []
        for skill, text in pieces:
            if text.lstrip().startswith("{"):
                registry.append(json.loads(text))
                continue
            wish = skill.source.place if skill.source and skill.source.format == self.name else ""
            file = safe_file(wish, f"{skill.name}.md")
            files[file if file not in files else f"{skill.name}.md"] = text
        text = json.dumps({"skills": registry}, indent=2, ensure_ascii=False) + "\n"
        return files | ({"skill_registry.json": text} if registry else {})


def _registry(text: str) -> list[Any]:
    data = parse_json(text)
    found = data if isinstance(data, list) else data.get("skills", []) if isinstance(data, dict) else None
    found = list(found.values()) if isinstance(found, dict) else found
    if not isinstance(found, list):
        raise SkillError("expected a list of skills, or an object with one")
    return found


def _markdown(text: str) -> dict[str, Any]:
    match = _FRONT.match(text.replace("\r\n", "\n"))
    if match is None:
        raise SkillError("line 1: expected a front matter between two lines '---'")
    data: dict[str, Any] = _front(match[1])
    if "metadata" in data:
        data["metadata"] = parse_json(data["metadata"])
    heads = list(re.finditer(r"^## (.*)$", match[2], re.MULTILINE))
    ends = [*(h.start() for h in heads[1:]), len(match[2])]
    parts = {h[1].strip(): match[2][h.end() : end].strip() for h, end in zip(heads, ends, strict=False)}
    said = {
        key: "" if parts.get(head, "") in _EMPTY else parts.get(head, "")
        for key, head in (("when_to_use", "When to Use"), ("action", "Action"))
    }
    examples = [line.strip()[2:] for line in parts.get("Examples", "").split("\n") if line.strip().startswith("- ")]
    data.pop("description", None)  # the first sentence of when_to_use
    return {**data, "content": {**said, "examples": examples}}


def _front(text: str) -> dict[str, Any]:
    found = {}
    for line in text.split("\n"):
        key, colon, value = line.partition(":")
        value = value.strip()
        if value[:1] in "\"'" and value[-1:] == value[:1] and len(value) > 1:
            value = value[1:-1].replace('\\"', '"').replace("\\\\", "\\")
        if colon and key.strip():
            found[key.strip()] = value
    return found


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _whole(value: Any) -> int:
    try:
        return max(0, int(value))
    except (TypeError, ValueError, OverflowError):
        raise SkillError(f"expected a whole number, got {str(value)[:40]!r}") from None
