"""The `_fields` parameter: keeps only some members of a response."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def filtered(data: Any, fields: Iterable[str]) -> Any:
    """Returns objects with only the fields named; `content.rendered` names a member of a member."""
    tree: dict[str, Any] = {}
    for name in fields:
        node = tree
        for part in name.split("."):
            node = node.setdefault(part, {})
    return [_pruned(item, tree) for item in data] if isinstance(data, list) else _pruned(data, tree)


def _pruned(data: Any, tree: dict[str, Any]) -> Any:
    if not tree or not isinstance(data, dict):
        return data
    return {name: _pruned(value, tree[name]) for name, value in data.items() if name in tree}
