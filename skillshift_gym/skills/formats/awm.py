"""AWM text: workflows as titles with (thought, action) pairs, in the WebArena and the Mind2Web form.

Kept: every byte of the text. A workflow is words for a prompt, as in the paper: it has no program, and its element ids are
those of one session (`skillshift bank lint` says so). An action of several lines is one step for each line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...errors import SkillError
from ..naming import slug
from ..program import parse
from ..skill import Skill
from .base import Format, Note, Piece, Reading

_NUMBERED = re.compile(r"^Workflow \d+:[ \t]*(.*)$", re.MULTILINE)
_HEADED = re.compile(r"^## (.*)$", re.MULTILINE)
_STEP = re.compile(r"(?:<think>\n?(.*?)\n?</think>\s*)?<action>\n?(.*?)\n?</action>", re.DOTALL)
_OPERATION = re.compile(r"^\s*\[[^\]]*\].*->.*$", re.MULTILINE)


class Workflows(Format):
    """A file of workflows."""

    name = "awm"

    def pieces(self, files: Mapping[str, str]) -> Iterator[Piece | Note]:
        """Yields each workflow; what stands above the first belongs to it."""
        for file, text in files.items():
            heads = [m.start() for m in (_NUMBERED if _NUMBERED.search(text) else _HEADED).finditer(text)]
            if not heads:
                yield Note(file, 1, "", "no workflow: expected lines 'Workflow N: title' or '## title'")
                continue
            begins = [0, *heads[1:]]
            for begin, end in zip(begins, [*begins[1:], len(text)], strict=True):
                yield Piece(text[begin:end], "", text.count("\n", 0, begin) + 1, file)

    def read(self, piece: Piece) -> Reading:
        """Returns what a workflow says."""
        head = list((_NUMBERED if _NUMBERED.search(piece.text) else _HEADED).finditer(piece.text))
        if not head or not head[-1][1].strip():
            raise SkillError("expected a line 'Workflow N: title' or '## title'")
        body = piece.text[head[-1].end() :]
        steps = [_pair(m[1], line) for m in _STEP.finditer(body) for line in _lines(m[2])]
        first = _STEP.search(body) or _OPERATION.search(body)
        steps = steps or [{"act": m[0].strip()} for m in _OPERATION.finditer(body)]
        if not steps:
            raise SkillError("expected <action> blocks or lines '[role] name -> OPERATION'")
        doc = body[: first.start()].strip() if first else ""
        title = head[-1][1].strip()
        fields = {"title": title, "steps": steps} | ({"doc": doc} if doc else {})
        return Reading({"name": slug(title), "kind": "workflow", "description": title, "fields": fields})

    def write(self, skill: Skill) -> tuple[str, list[Note]]:
        """Returns a workflow; that of a callable skill is its program in words."""
        notes: list[Note] = []
        steps: Sequence[Mapping[str, Any]] = skill.fields.get("steps", ()) if skill.kind == "workflow" else ()
        if not steps and skill.callable:
            steps = [{"act": line} for line in str(parse(skill.program)).split("\n") if line]
            notes.append(Note("", 0, skill.signature, "a workflow is words: it cannot be called"))
        if not steps:
            raise SkillError(f"a {skill.kind} without steps is no workflow")
        title = str(skill.fields.get("title", skill.name))
        doc = str(skill.fields.get("doc", ""))
        lines = [f"## {title}", *([doc] if doc else [])]
        if all(_OPERATION.fullmatch(step["act"]) for step in steps):
            return "\n".join([*lines, *(step["act"] for step in steps), "", ""]), notes
        lines[0] = f"Workflow 1: {title}"
        for step in steps:
            lines += ["<think>", step["why"], "</think>"] if step.get("why") else []
            lines += ["<action>", step["act"], "</action>", ""]
        return "\n".join([*lines, ""]), notes

    def join(self, pieces: Sequence[tuple[Skill, str]]) -> dict[str, str]:
        """Returns one text."""
        return {
            "workflows.txt": "".join(
                text if last or text.endswith("\n") else f"{text}\n\n" for text, last in _marked(pieces)
            )
        }


def _marked(pieces: Sequence[tuple[Skill, str]]) -> Iterator[tuple[str, bool]]:
    for place, (_, text) in enumerate(pieces, 1):
        yield text, place == len(pieces)


def _lines(action: str) -> list[str]:
    return [line for line in action.split("\n") if line.strip()]


def _pair(why: str | None, act: str) -> dict[str, str]:
    return {"why": why, "act": act} if why else {"act": act}
