"""Statements of the step language, made from what other formats say."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from ...errors import SkillShiftError
from ..locator import Locator, quoted
from ..naming import slug
from ..program import parse
from ..selectors import compounds
from ..templates import literal
from ..xpaths import compiled

_PLACEHOLDER = re.compile(r"\{([^{}]{1,100})\}")


class Inexpressible(ValueError):
    """Something has no counterpart in the step language; the text says why."""


def checked(statement: str) -> str:
    """Returns a statement in canonical form.

    Raises:
        Inexpressible: It is none.
    """
    try:
        return str(parse(statement)).rstrip("\n")
    except SkillShiftError as error:
        raise Inexpressible(str(error).split(": ", 1)[-1]) from None


def whole(lines: Iterable[str]) -> str:
    """Returns the program of some lines, blocks included."""
    return checked("\n".join(lines))


def argument(name: str) -> str:
    """Returns the name of a parameter or variable for a foreign name."""
    return slug(name, default="input")


def stop(reason: str) -> str:
    """Returns the statement that stands for what has no counterpart: a call gives up there, and does nothing wrong."""
    plain = "".join(c if c.isprintable() else " " for c in reason)[:200]
    return f"stop {quoted(literal(plain))}"


def locator(**fields: Any) -> Locator:
    """Returns a locator of templates.

    Raises:
        Inexpressible: It finds nothing, or a part is no template.
    """
    try:
        return Locator(**{name: value for name, value in fields.items() if value not in ("", None)})
    except SkillShiftError as error:
        raise Inexpressible(str(error)) from None


def template(text: str, names: Mapping[str, str]) -> str:
    """Returns a text of a format with `{placeholders}` as a template; unknown ones stay as they are written.

    Args:
        text: The text.
        names: Placeholder -> name of the parameter.
    """
    parts = _PLACEHOLDER.split(text)
    return "".join(
        f"{{{names[part]}}}" if place % 2 and part in names else literal(f"{{{part}}}" if place % 2 else part)
        for place, part in enumerate(parts)
    )


def css(selector: str) -> str:
    """Returns a selector as it is, empty when it is outside of what locators can say."""
    try:
        compounds(selector)
    except (ValueError, RecursionError):
        return ""
    return selector


def xpath(path: str) -> str:
    """Returns an XPath with its root written out, empty when it is outside of what locators can say."""
    path = path.strip()
    if path.startswith('id("'):
        path = "//*[@id=" + path[3:].replace(")", "]", 1)
    elif path.startswith("html/"):
        path = "/" + path
    try:
        compiled(path)
    except (ValueError, RecursionError):
        return ""
    return path


def attribute(name: str, value: str) -> str:
    """Returns the template of a selector for an attribute; the value is a template."""
    if '"' in value or "]" in value:
        raise Inexpressible(f"{name} with quotes or brackets")
    return f'[{name}="{value}"]'
