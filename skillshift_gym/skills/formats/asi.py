"""ASI functions: Python over BrowserGym's primitives, one module a site.

Kept: every byte of the module; name, docstring, parameters with types and defaults. An element id of one session, given or
as a parameter, has no counterpart: such a line is a `stop`. A locator is written, and read, as the text of the element
argument: `click('{role=button label="Save"}')`.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence

from ...errors import SkillError
from ...grammar import GRAMMAR
from ..naming import slug
from ..program import BY_PRIMITIVE, VERBS, Act
from ..skill import Skill
from .base import Format, Note, Piece, Reading
from .code import arguments_of, body_of, docstring, lost_parameters, module, said
from .lines import Inexpressible
from .modules import comments, function_of, functions, parameters_of, tree
from .python import Translator


class Functions(Format):
    """A module of functions."""

    name = "asi"

    def pieces(self, files: Mapping[str, str]) -> Iterator[Piece | Note]:
        """Yields each function of each module."""
        for file, text in files.items():
            try:
                found = list(functions(text, file))
            except ValueError as error:
                yield Note(file, 1, "", f"not taken over: {error}")
                continue
            yield from found
            if not found:
                yield Note(file, 1, "", "no function at the top level")

    def read(self, piece: Piece) -> Reading:
        """Returns what a function says."""
        node = function_of(piece)
        parameters, names = parameters_of(node)
        to = Translator(names, _call, given=comments(piece.text))
        program = to.program(node.body)
        doc = ast.get_docstring(node, clean=False) or ""
        values = {
            "name": slug(node.name),
            "kind": "function",
            "description": doc.strip().split("\n")[0],
            "parameters": parameters,
            "program": program,
            "fields": {"doc": doc},
        }
        return Reading(values, [n._replace(file=piece.file, line=n.line + piece.line - 1) for n in to.notes])

    def write(self, skill: Skill) -> tuple[str, list[Note]]:
        """Returns a function."""
        if not skill.callable:
            raise SkillError(f"a {skill.kind} has no program, so no function")
        lines, notes = body_of(skill, _written, _again)
        doc = str(skill.fields.get("doc") or skill.description)
        own = {"doc"} if skill.kind == "function" else set()
        notes += [
            Note("", 0, name, "a function has no such field; left out") for name in skill.fields if name not in own
        ]
        text = [f"def {skill.name}({arguments_of(skill)}):", *(f"    {line}" for line in [*docstring(doc), *lines]), ""]
        return "\n".join(text), [*notes, *lost_parameters(skill)]

    def join(self, pieces: Sequence[tuple[Skill, str]]) -> dict[str, str]:
        """Returns one module."""
        return {"actions.py": module(text for _, text in pieces)}


def _call(node: ast.Call, to: Translator) -> str:
    name = node.func.id if isinstance(node.func, ast.Name) else ""
    if name in ("noop", "print") or not name:
        if name:
            to.note(node, "left out")
            return ""
        raise Inexpressible("a call of an attribute")
    if name not in GRAMMAR or name not in BY_PRIMITIVE:
        raise Inexpressible(f"a call of {name}()")
    parameters = [p.name for p in GRAMMAR[name].parameters]
    given = dict(zip(parameters, node.args, strict=False)) | {k.arg: k.value for k in node.keywords if k.arg}
    if len(node.args) > len(parameters) or set(given) - set(parameters):
        raise Inexpressible(f"{name}() with other arguments than {', '.join(parameters)}")
    if {"button", "modifiers"} & set(given):
        raise Inexpressible("a click with another button or with modifiers")
    verb = BY_PRIMITIVE[name]
    parts = [verb]
    if VERBS[verb].target:
        parts.append(_element(given.pop("bid", None), to))
    return " ".join([*parts, *_rest(VERBS[verb].rest, list(given.values()), to)])


def _element(node: ast.expr | None, to: Translator) -> str:
    said = to.template(node) if isinstance(node, ast.Constant | ast.JoinedStr) else ""
    if isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.startswith("{"):
        return node.value
    raise Inexpressible(f"the element id of one session: {said or (ast.unparse(node) if node else 'none')}")


def _rest(form: str, nodes: list[ast.expr], to: Translator) -> list[str]:
    if form == "with values":
        first = nodes[0] if nodes else None
        nodes = first.elts if isinstance(first, ast.List | ast.Tuple) else nodes
        return ["with", ", ".join(to.value(n) for n in nodes)]
    if form == "with value":
        return ["with", *(to.value(n) for n in nodes)]
    if form in ("number", "two numbers"):
        return [to.template(n) if isinstance(n, ast.Constant) else ast.unparse(n) for n in nodes]
    return [to.text(n) if form == "text" else to.value(n) for n in nodes]


def _written(act: Act) -> str | None:
    verb = VERBS[act.verb]
    if act.target and (act.target.name or act.target.locator is None):
        return None
    where = [repr(str(act.target.locator))] if act.target else []
    values = [said(v) for v in act.values]
    if verb.rest == "with values" and len(values) > 1:
        values = [f"[{', '.join(values)}]"]
    return f"{verb.primitive}({', '.join([*where, *values])})"


def _again(line: str, skill: Skill) -> str:
    to = Translator({p.name: p.name for p in skill.parameters}, _call, given={})
    return to.program(tree(line).body)
