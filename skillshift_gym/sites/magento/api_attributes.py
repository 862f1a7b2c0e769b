"""Attributes of products whose values are chosen from options, and attribute sets: what the API names by numbers."""

from __future__ import annotations

from functools import partial

from .api_errors import ApiError
from .api_kinds import INTEGER, TEXT, coded
from .api_request import Rest, table
from .api_resource import Json, Resource, fields
from .api_search import search
from .content import column
from .schema import DISABLED, ENABLED, TAX_CLASS, VISIBILITY
from .seed_catalog import SIZES

# Attribute -> value of the column -> id of the option.
OPTIONS: dict[str, dict[str, int]] = {
    "color": {value: 49 + i for i, value in enumerate(column("catalog", "colors"))},
    "size": {v: 166 + i for i, v in enumerate(dict.fromkeys(size for group in SIZES.values() for size in group))},
    "manufacturer": {value: 201 + i for i, value in enumerate(column("catalog", "brands"))},
}
ATTRIBUTE_IDS = {"color": 93, "size": 144, "manufacturer": 83}
SETS = {"Clothing": 4, "Gear": 9}
_LABELS: dict[str, dict[str, int]] = {
    **OPTIONS,
    "status": {"Enabled": ENABLED, "Disabled": DISABLED},
    "visibility": {label: key for key, label in VISIBILITY.items()},
    "tax_class_id": {label: key for key, label in TAX_CLASS.items()},
}

CHOSEN = {
    code: coded({"": "", **{value: str(key) for value, key in options.items()}})._replace(blank="")
    for code, options in OPTIONS.items()
}
SET = coded(SETS, "int")


def options(rest: Rest, code: str) -> list[Json]:
    """The options of an attribute; none of one whose values are written freely."""
    if code not in _LABELS and code not in ("name", "price", "description", "material", "kind", "url_key"):
        text = 'The attribute with a "%1" attributeCode doesn\'t exist. Verify the attribute and try again.'
        raise ApiError(text, 404, [code])
    chosen = [{"label": label, "value": str(key)} for label, key in _LABELS.get(code, {}).items()]
    return [{"label": " ", "value": ""}, *chosen] if code in OPTIONS else chosen


def _missing(key: object) -> ApiError:
    return ApiError("The entity that was requested doesn't exist. Verify the entity and try again.", 404)


_ROWS = " UNION ALL ".join(f"SELECT {key} AS id, '{name}' AS name" for name, key in SETS.items())
_SET = Resource(
    f"({_ROWS})",
    "id",
    (
        *fields(INTEGER, "attribute_set_id=id", "sort_order=id", "entity_type_id=4"),
        *fields(TEXT, "attribute_set_name=name"),
    ),
    _missing,
)
_SETS = {
    "GET /products/attribute-sets/sets/list": partial(search, resource=_SET),
    "GET /eav/attribute-sets/list": partial(search, resource=_SET),
}
ENDPOINTS = (
    *table("Magento_Catalog::attributes_attributes", {"GET /products/attributes/<code>/options": options}),
    *table("Magento_Catalog::sets", _SETS),
)
