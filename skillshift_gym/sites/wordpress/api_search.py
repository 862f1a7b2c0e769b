"""The search endpoint of the REST API: posts, pages and terms in one shape."""

from __future__ import annotations

from . import api_schema as schema
from .api_params import Param
from .api_query import Select, params
from .api_read import narrow, page
from .api_request import Rest, Result
from .search import clause

SEARCH = params(
    ("relevance",),
    "relevance",
    {
        "context": Param(default="view", enum=("view", "embed")),
        "type": Param(default="post", enum=("post", "term", "post-format")),
        "subtype": Param("array", ["any"], ("post", "page", "category", "post_tag", "any"), items="string"),
    },
)


def search(rest: Rest) -> Result:
    """Returns search results among posts and pages, or among terms."""
    if rest.values["type"] == "post":
        select = Select(rest, _post_results(rest.origin))
        conditions, values, order, order_values = clause(rest.values.get("search", ""))
        select.where(" AND ".join(conditions) or "1", *values)
        select.order_by(f"{order}date DESC, id DESC", *order_values)
    else:
        select = Select(rest, _term_results(rest.origin))
        select.where("? = 'term'", rest.values["type"])
        select.matching("title")
        select.order_by("title COLLATE NOCASE, id")
    if "any" not in rest.values["subtype"]:
        select.among("subtype", "subtype")
    narrow(select)
    return page(rest, select, schema.result, "rest_search_invalid_page_number")


def _post_results(origin: str) -> str:
    return (
        f"(SELECT id, title, excerpt, content, date, '{origin}/' || slug || '/' AS url, 'post' AS type, "
        "type AS subtype, '/' || type || 's' AS route FROM posts WHERE status = 'publish') AS posts"
    )


def _term_results(origin: str) -> str:
    kind = "CASE terms.taxonomy WHEN 'category' THEN '{}' ELSE '{}' END"
    return (
        f"(SELECT terms.id AS id, terms.name AS title, '{origin}/' || {kind.format('category', 'tag')} || '/' || "
        "COALESCE(above.slug || '/', '') || terms.slug || '/' AS url, 'term' AS type, terms.taxonomy AS subtype, "
        f"{kind.format('/categories', '/tags')} AS route "
        "FROM terms LEFT JOIN terms AS above ON above.id = terms.parent)"
    )
