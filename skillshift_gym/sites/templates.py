"""Jinja environments of the front ends, and the private semantic ids."""

from __future__ import annotations

import re
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from jinja2.ext import Extension
from markupsafe import Markup, escape

from ..document import SID_ATTRIBUTE

_PLAIN = re.compile(r"[\w.{}/-]+")  # needs no escaping, which costs more than the rest
_LINE_BREAK = re.compile(r"(?<=[>}])[ \t]*\n\s*|[ \t]*\n\s*(?=[<{])")


class Compact(Extension):
    """Drops the line breaks beside tags from templates.

    White space between tags is read differently by different parsers (parse stability) and costs a text node each.
    A line break becomes a comment, so the line numbers of template errors stay right.
    """

    def preprocess(self, source: str, name: str | None, filename: str | None = None) -> str:
        """Returns the template's text without the line breaks."""
        return _LINE_BREAK.sub(lambda match: "{#" + "\n" * match[0].count("\n") + "#}", source.strip())


def sid(name: str, key: object | None = None) -> Markup:
    """Returns the attribute that marks what an element means, equal in both versions of a site.

    Write it straight after the tag name or another attribute: `<a{{ sid("post.open", post.id) }} href="...">`. The
    site layer strips it before anyone sees the document.

    Args:
        name: Dotted name of the function, such as `issue.close`.
        key: Entity the element acts on, if any: `sid("issue.close", 42)` is `issue.close{42}`.
    """
    value = name if key is None else f"{name}{{{key}}}"
    return Markup(f' {SID_ATTRIBUTE}="{value if _PLAIN.fullmatch(value) else escape(value)}"')


def environment(folder: Path) -> Environment:
    """Returns the environment of a front end's template folder."""
    jinja = Environment(
        loader=FileSystemLoader(folder),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
    )
    jinja.add_extension(Compact)
    jinja.globals["sid"] = sid
    return jinja
