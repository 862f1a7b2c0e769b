"""SkillWeaver modules: async functions on a page, a JSON file of metadata, a text file of site knowledge.

Kept: every byte of the module, docstring with the log of use, start route, version, test count, references and events of
the metadata, the knowledge file (with each skill, as its text). What the page API says that a program cannot is a `stop`.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...errors import SkillError
from ...files import parse_json
from ..naming import slug
from ..program import Act
from ..skill import Skill
from .base import Format, Note, Piece, Reading
from .code import arguments_of, body_of, docstring, lost_parameters, module
from .modules import comments, function_of, functions, parameters_of, tree
from .page_code import written
from .pages import Pages
from .python import Translator

_KNOWN = ("version", "test_count", "references", "events", "site_knowledge", "start_route", "doc", "usage_log")


class PagePrograms(Format):
    """A module with its metadata and knowledge."""

    name = "skillweaver"

    def pieces(self, files: Mapping[str, str]) -> Iterator[Piece | Note]:
        """Yields each function of each module, with what the other files say about it."""
        said: dict[str, Any] = {}
        for file, text in files.items():
            if file.endswith(".json"):
                try:
                    said |= _metadata(text)
                except ValueError as error:
                    yield Note(file, 1, "", f"not taken over: {error}")
        knowledge = "\n".join(t for f, t in files.items() if f.endswith((".txt", ".md")))
        for file, text in files.items():
            if not file.endswith(".py") and len(files) > 1:
                continue
            try:
                for piece in functions(text, file):
                    own = said.get(piece.place) if isinstance(said.get(piece.place), Mapping) else {}
                    yield piece._replace(extra={**(own or {}), "site_knowledge": knowledge})
            except ValueError as error:
                yield Note(file, 1, "", f"not taken over: {error}")

    def read(self, piece: Piece) -> Reading:
        """Returns what a function says."""
        node = function_of(piece)
        if not node.args.args:
            raise SkillError("expected a function whose first parameter is the page")
        parameters, names = parameters_of(node, skip=1)
        pages = Pages({node.args.args[0].arg})
        to = Translator(names, pages.call, read=pages.read, test=pages.test, given=comments(piece.text))
        program = to.program(node.body)
        doc = ast.get_docstring(node, clean=False) or ""
        notes = [n._replace(file=piece.file, line=n.line + piece.line - 1) for n in to.notes]
        first = re.match(r'goto "((?:[^"\\]|\\.)*)"', program)
        if not first or not first[1].startswith("/"):
            notes.append(Note(piece.file, piece.line, node.name, "does not begin with a relative navigation"))
        notes += [Note(piece.file, 0, key, "unknown metadata; left out") for key in piece.extra if key not in _KNOWN]
        values = {
            "name": slug(node.name),
            "kind": "page_program",
            "description": doc.strip().split("\n")[0],
            "parameters": parameters,
            "program": program,
            "fields": {"start_route": first[1] if first else "", "doc": doc, **_fields(piece.extra)},
        }
        version = piece.extra.get("version")
        return Reading(values | ({"version": version} if isinstance(version, int) and version > 0 else {}), notes)

    def write(self, skill: Skill) -> tuple[str, list[Note]]:
        """Returns a function."""
        if not skill.callable:
            raise SkillError(f"a {skill.kind} has no program, so no function")
        lines, notes = body_of(skill, _awaited, _again)
        doc = str(skill.fields.get("doc") or skill.description)
        own = arguments_of(skill)
        head = f"async def {skill.name}(page{', ' if own else ''}{own}):"
        notes += [Note("", 0, f, "a function has no such field; left out") for f in skill.fields if f not in _KNOWN]
        return "\n".join([head, *(f"    {line}" for line in [*docstring(doc), *lines]), ""]), [
            *notes,
            *lost_parameters(skill),
        ]

    def join(self, pieces: Sequence[tuple[Skill, str]]) -> dict[str, str]:
        """Returns the module, its metadata and the site's knowledge."""
        said: dict[str, Any] = {}
        for skill, text in pieces:
            name = function_of(Piece(text)).name
            own: dict[str, Any] = {
                k: skill.fields[k] for k in ("test_count", "references", "events") if k in skill.fields
            }
            said[name] = {"version": skill.version, **own}
        files = {"code.py": module(text for _, text in pieces)}
        files["metadata.json"] = json.dumps({"functions": said}, indent=2, ensure_ascii=False) + "\n"
        knowledge = dict.fromkeys(str(skill.fields.get("site_knowledge", "")) for skill, _ in pieces)
        text = "\n".join(filter(None, knowledge))
        if text:
            files["knowledge.txt"] = text
        return files

    def outside(self, skill: Skill) -> Mapping[str, Any]:
        """Returns what the metadata and the knowledge file say."""
        return {**skill.fields, "version": skill.version}


def _metadata(text: str) -> dict[str, Any]:
    data = parse_json(text)
    inner = data.get("functions", data) if isinstance(data, dict) else None
    if not isinstance(inner, dict):
        raise SkillError("expected an object of functions")
    return inner


def _fields(said: Mapping[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = {"site_knowledge": said["site_knowledge"]} if said.get("site_knowledge") else {}
    if isinstance(said.get("test_count"), int):
        found["test_count"] = said["test_count"]
    if isinstance(said.get("references"), list | tuple):
        found["references"] = [str(r) for r in said["references"]]
    if "events" in said:
        found["events"] = said["events"]
    return found


def _awaited(act: Act) -> str | None:
    line = written(act)
    return f"await {line}" if line else None


def _again(line: str, skill: Skill) -> str:
    pages = Pages({"page"})
    to = Translator({p.name: p.name for p in skill.parameters}, pages.call, read=pages.read, given={})
    return to.program(tree(f"async def f():\n    {line}").body[0].body)  # type: ignore[attr-defined]
