"""A reply read as JSON of a schema: the part of JSON Schema that the package's own requests use."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from skillshift_gym.agents.llm.model import ReplyError, Schema
from skillshift_gym.files import parse_json

_TYPES: dict[str, Callable[[Any], bool]] = {
    "object": lambda v: isinstance(v, dict),
    "array": lambda v: isinstance(v, list),
    "string": lambda v: isinstance(v, str),
    "boolean": lambda v: isinstance(v, bool),
    "integer": lambda v: isinstance(v, int) and not isinstance(v, bool),
    "number": lambda v: isinstance(v, int | float) and not isinstance(v, bool),
}
_SHOWN = 80  # characters of a reply that an error shows


def decode(text: str, schema: Schema) -> Any:
    """Returns a reply as JSON values.

    Args:
        text: The reply; a fence of three backticks around it is taken off.
        schema: JSON schema with `type`, `enum`, `properties`, `required`, `items` and `additionalProperties: false`.

    Raises:
        ReplyError: It is no JSON, or not of the schema.
    """
    try:
        value = parse_json(_bare(text))
    except ValueError as error:
        raise ReplyError(f"expected JSON, got {_short(text)} ({error})") from None
    wrong = violation(value, schema)
    if wrong:
        raise ReplyError(wrong)
    return value


def data_of(text: str, finish: str, schema: Schema | None) -> Any:
    """Returns a reply as JSON of a schema, None without one and for a reply that is none or was cut short."""
    if schema is None or finish == "length":
        return None
    try:
        return decode(text, schema)
    except ReplyError:
        return None


def violation(value: Any, schema: Schema, where: str = "reply") -> str:
    """Returns how a value differs from a schema, empty when it does not."""
    kind = schema.get("type")
    if kind is not None and not _TYPES[kind](value):
        return f"{where}: expected {kind}, got {_short(repr(value))}"
    if "enum" in schema and value not in schema["enum"]:
        return f"{where}: expected one of {', '.join(map(str, schema['enum']))}, got {_short(repr(value))}"
    return _inside(value, schema, where)


def _inside(value: Any, schema: Schema, where: str) -> str:
    if isinstance(value, list) and "items" in schema:
        parts = (violation(item, schema["items"], f"{where}[{i}]") for i, item in enumerate(value))
        return next(filter(None, parts), "")
    if not isinstance(value, dict):
        return ""
    properties = schema.get("properties", {})
    lacking = [name for name in schema.get("required", ()) if name not in value]
    strange = [n for n in value if n not in properties] if schema.get("additionalProperties") is False else []
    if lacking or strange:
        return f"{where}: expected {', '.join(properties)}, got {_short(', '.join(value) or 'nothing')}"
    parts = (violation(value[n], properties[n], f"{where}.{n}") for n in value if n in properties)
    return next(filter(None, parts), "")


def _bare(text: str) -> str:
    text = text.strip()
    if text.startswith("```") and text.endswith("```") and "\n" in text:
        return text[text.index("\n") + 1 : -3]
    return text


def _short(text: str) -> str:
    return (text if len(text) <= _SHOWN else text[:_SHOWN] + "…") or "nothing"
