"""Lists: `searchCriteria` parsed, echoed and turned into SQL."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from .api_errors import ApiError, invalid_type, required
from .api_request import Rest, snake
from .api_resource import Json, Resource

_PARTS = re.compile(r"\[([^\]]*)\]")
_MOST_FILTERS = 300
_COMPARED = {
    "eq": "=", "neq": "!=", "gt": ">", "gteq": ">=", "moreq": ">=", "from": ">=", "lt": "<", "lteq": "<=", "to": "<=",
}  # fmt: skip
_ONE_OF = {"in": "IN", "nin": "NOT IN"}
_PATTERNS = {"like": "LIKE", "nlike": "NOT LIKE"}
_NULLS = {"null": "IS NULL", "notnull": "IS NOT NULL"}
_SETS = {"finset": ">", "nfinset": "="}


class Filter(NamedTuple):
    """One condition."""

    field: str
    value: str
    condition_type: str


class Criteria(NamedTuple):
    """What a list is asked for.

    Attributes:
        groups: All groups must be met; of a group, one filter.
        sorts: (field, `ASC` or `DESC`), first the most important.
        size: Rows a page, 0 for all.
        page: Number of the page from 1.
        echo: The criteria as the answer repeats them.
    """

    groups: tuple[tuple[Filter, ...], ...]
    sorts: tuple[tuple[str, str], ...]
    size: int
    page: int
    echo: Json


def search(rest: Rest, resource: Resource, *fixed: Filter) -> Json:
    """Answers a list request.

    Args:
        rest: The request.
        resource: What is listed.
        fixed: Conditions of the path; with them the query's criteria may be missing.
    """
    criteria = parse(rest.args.items(multi=True), fixed)
    where, values = condition(resource, criteria)
    total = rest.db.execute(f"SELECT COUNT(*) FROM {resource.source} WHERE {where}", values).fetchone()[0]
    rows = resource.select(rest.db, where, values, _tail(resource, criteria))
    items = [resource.document(rest.db, row) for row in rows]
    return {"items": items, "search_criteria": criteria.echo, "total_count": total}


def parse(pairs: Iterable[tuple[str, str]], fixed: tuple[Filter, ...] = ()) -> Criteria:
    """Returns the criteria of a query."""
    tree = _tree(pairs)
    if tree is None and not fixed:
        raise required("searchCriteria")
    tree = tree or {}
    groups = [[_filter(f) for f in _list(group, "filters")] for group in _list(tree, "filter_groups")]
    groups = [group for group in groups if group] + [[f] for f in fixed]
    if sum(map(len, groups)) > _MOST_FILTERS:
        raise ApiError("The search criteria have too many filters.")
    sorts = tuple(_sort(s) for s in _list(tree, "sort_orders"))
    size, page = _number(tree, "page_size"), _number(tree, "current_page")
    echo: Json = {"filter_groups": [{"filters": [f._asdict() for f in group]} for group in groups]}
    if sorts:
        echo["sort_orders"] = [{"field": field, "direction": direction} for field, direction in sorts]
    echo |= {name: value for name, value in (("page_size", size), ("current_page", page)) if value is not None}
    return Criteria(tuple(map(tuple, groups)), sorts, size or 0, max(page or 1, 1), echo)


def condition(resource: Resource, criteria: Criteria) -> tuple[str, list[Any]]:
    """Returns the SQL of the criteria's filters, and its values."""
    groups, values = [], []
    for group in criteria.groups:
        compiled = [_compiled(resource, f) for f in group]
        groups.append(f"({' OR '.join(sql for sql, _ in compiled)})")
        values += [value for _, own in compiled for value in own]
    return " AND ".join(groups) or "1", values


def _compiled(resource: Resource, asked: Filter) -> tuple[str, list[Any]]:
    field = resource.field(asked.field)
    kind, value, name = field.kind, asked.value, asked.condition_type
    sql = f"{field.sql} COLLATE NOCASE" if kind.folded else field.sql
    if name in _COMPARED:
        found: tuple[str, list[Any]] = f"{sql} {_COMPARED[name]} ?", [kind.stored(value)]
    elif name in _ONE_OF:
        several = json.dumps([kind.stored(part.strip()) for part in value.split(",")])
        found = f"{sql} {_ONE_OF[name]} (SELECT value FROM json_each(?))", [several]
    elif name in _PATTERNS:
        found = f"{kind.like.format(field.sql)} {_PATTERNS[name]} ? ESCAPE '\\'", [value]
    elif name in _SETS:
        found = f"instr(',' || {field.sql} || ',', ',' || ? || ',') {_SETS[name]} 0", [value]
    elif name in _NULLS:
        found = f"{field.sql} {_NULLS[name]}", []
    else:
        raise ApiError('The condition type "%1" is not supported.', 400, [name])
    return field.within.format(found[0]), found[1]


def _tail(resource: Resource, criteria: Criteria) -> str:
    order = [f"{resource.field(name).sql} {direction}" for name, direction in criteria.sorts]
    limit = f" LIMIT {criteria.size} OFFSET {criteria.size * (criteria.page - 1)}" if criteria.size else ""
    return f"ORDER BY {', '.join([*order, resource.key])}{limit}"


def _tree(pairs: Iterable[tuple[str, str]]) -> Json | None:
    """Returns the bracketed fields below `searchCriteria` as nested mappings, None without any."""
    found: Json | None = None
    for name, value in pairs:
        root, _, _ = name.partition("[")
        if snake(root) != "search_criteria":
            continue
        found = found if found is not None else {}
        parts = [snake(part) for part in _PARTS.findall(name)]
        node: Json = found
        for part in parts[:-1]:
            below = node.get(part)
            node[part] = below if isinstance(below, dict) else {}
            node = node[part]
        if parts:
            node[parts[-1] or str(len(node))] = value
    return found


def _list(tree: Mapping[str, Any], name: str) -> list[Json]:
    below = tree.get(name)
    return [item for item in below.values() if isinstance(item, dict)] if isinstance(below, dict) else []


def _filter(tree: Json) -> Filter:
    value, field = tree.get("value", ""), tree.get("field")
    if not isinstance(field, str) or not field:
        raise required("field")
    value = ",".join(map(str, value.values())) if isinstance(value, dict) else value
    return Filter(field, value, str(tree.get("condition_type") or "eq"))


def _sort(tree: Json) -> tuple[str, str]:
    field, direction = tree.get("field"), str(tree.get("direction") or "DESC").upper()
    if not isinstance(field, str) or not field:
        raise required("field")
    if direction not in ("ASC", "DESC"):
        raise ApiError("The sort order has to be specified as ASC for ascending order or DESC for descending order.")
    return field, direction


def _number(tree: Json, name: str) -> int | None:
    value = tree.get(name)
    if value is None or value == "":
        return None
    if not isinstance(value, str) or not re.fullmatch(r"-?[0-9]{1,9}", value):
        raise invalid_type(name, value, "int")
    return max(int(value), 0)
