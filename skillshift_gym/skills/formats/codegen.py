"""Scripts that `playwright codegen` writes, in Python (sync, async or pytest form): one script, one skill.

Kept: every byte of the script. The browser's start and end, waits for time and pictures are left out; what the page API says
that a program cannot is a `stop`. A script has no parameters: `skillshift bank lint` says which of its values should be some.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from ...errors import SkillError
from ..naming import slug
from ..skill import Skill
from .base import Format, Note, Piece, Reading, safe_file
from .code import arguments_of, body_of
from .modules import Function, comments, parameters_of, tree
from .page_code import written
from .pages import Pages
from .python import Translator

_GIVEN = ("page", "playwright", "browser", "context")


class Scripts(Format):
    """Scripts of Playwright's recorder."""

    name = "playwright"

    def pieces(self, files: Mapping[str, str]) -> Iterator[Piece | Note]:
        """Yields each script."""
        for file, text in files.items():
            if file.endswith(".py") or len(files) == 1:
                yield Piece(text, file.rpartition("/")[2], 1, file)

    def read(self, piece: Piece) -> Reading:
        """Returns what a script does."""
        module = tree(piece.text)
        function = next((n for n in module.body if isinstance(n, Function) and n.name != "main"), None)
        body = function.body if function else module.body
        parameters: list[dict[str, Any]] = []
        names: dict[str, str] = {}
        if function:
            function.args.args = [a for a in function.args.args if a.arg not in _GIVEN]
            function.args.defaults = function.args.defaults[-len(function.args.args) :] if function.args.args else []
            parameters, names = parameters_of(function)
        pages = Pages({"page", *_pages(body)})
        to = Translator(names, pages.call, read=pages.read, test=pages.test, given=comments(piece.text))
        program = to.program(body)
        name = (
            function.name
            if function and function.name not in ("run", "test_example")
            else piece.place.removesuffix(".py")
        )
        fields = {"goal": (ast.get_docstring(function) or "") if function else ""}
        values = {"name": slug(name or "script"), "kind": "recorded", "parameters": parameters, "program": program}
        notes = [n._replace(file=piece.file) for n in to.notes]
        return Reading(values | {"description": fields["goal"].split("\n")[0], "fields": fields}, notes)

    def write(self, skill: Skill) -> tuple[str, list[Note]]:
        """Returns a script."""
        if not skill.callable:
            raise SkillError(f"a {skill.kind} has no program, so no script")
        lines, notes = body_of(skill, written, _again)
        own = arguments_of(skill)
        goal = str(skill.fields.get("goal") or skill.description)
        text = [
            "from playwright.sync_api import Page",
            "",
            "",
            f"def {skill.name}(page: Page{', ' if own else ''}{own}) -> None:",
            *(f"    {line}" for line in [*([repr(goal)] if goal else []), *lines]),
            "",
        ]
        return "\n".join(text), notes

    def join(self, pieces: Sequence[tuple[Skill, str]]) -> dict[str, str]:
        """Returns one script for each skill."""
        files: dict[str, str] = {}
        for skill, text in pieces:
            wish = skill.source.place if skill.source and skill.source.format == self.name else ""
            file = safe_file(wish, f"{skill.name}.py")
            files[file if file not in files else f"{skill.name}.py"] = text
        return files


def _pages(body: Sequence[ast.stmt]) -> set[str]:
    """Returns the names that are given a new page."""
    return {
        node.targets[0].id
        for statement in body
        for node in ast.walk(statement)
        if isinstance(node, ast.Assign)
        and isinstance(node.targets[0], ast.Name)
        and "new_page" in ast.unparse(node.value)[-12:]
    }


def _again(line: str, skill: Skill) -> str:
    pages = Pages({"page"})
    to = Translator({p.name: p.name for p in skill.parameters}, pages.call, read=pages.read, given={})
    return to.program(tree(line).body)
