"""Jinja environments of the front ends, and the private semantic ids."""

from __future__ import annotations

from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup, escape

from ..document import SID_ATTRIBUTE


def sid(name: str, key: object | None = None) -> Markup:
    """Returns the attribute that marks what an element means, equal in both versions of a site.

    Write it straight after the tag name or another attribute: `<a{{ sid("post.open", post.id) }} href="...">`. The
    site layer strips it before anyone sees the document.

    Args:
        name: Dotted name of the function, such as `issue.close`.
        key: Entity the element acts on, if any: `sid("issue.close", 42)` is `issue.close{42}`.
    """
    value = name if key is None else f"{name}{{{key}}}"
    return Markup(f' {SID_ATTRIBUTE}="{escape(value)}"')


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
    jinja.globals["sid"] = sid
    return jinja
