"""The `fields` parameter: `items[sku,extension_attributes[stock_item[qty]]],total_count` keeps only these members."""

from __future__ import annotations

import re
from typing import Any

Wanted = dict[str, "Wanted"]
_TOKEN = re.compile(r"\s*([\w%.-]+|[\[\],])\s*")
_DEEPEST = 20


def project(value: Any, text: str) -> Any:
    """Returns the answer with only the members named; an empty list when the parameter makes no sense."""
    wanted = parse(text)
    return [] if wanted is None else _kept(value, wanted)


def parse(text: str) -> Wanted | None:
    """Returns member -> members below it, none of them for all; None when the text makes no sense."""
    tokens = _TOKEN.findall(text)
    if "".join(tokens) != "".join(text.split()):
        return None
    levels: list[Wanted] = [{}]
    last = ""
    for token in tokens:
        if token == "[":
            if not last or len(levels) > _DEEPEST:
                return None
            levels.append(levels[-1][last])
        elif token == "]":
            if len(levels) == 1:
                return None
            levels.pop()
        elif token != ",":
            levels[-1].setdefault(token, {})
        last = token if token not in "[]," else ""
    return levels[0] if len(levels) == 1 else None


def _kept(value: Any, wanted: Wanted) -> Any:
    if isinstance(value, list):
        return [_kept(item, wanted) for item in value]
    if not wanted or not isinstance(value, dict):
        return value
    return {name: _kept(below, wanted[name]) for name, below in value.items() if name in wanted}
