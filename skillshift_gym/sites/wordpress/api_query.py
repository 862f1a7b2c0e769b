"""Collections of the REST API: parameters to SQL."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from . import search
from .api_errors import ApiError
from .api_params import Invalid, Param, Params, invalid
from .api_request import Rest, Result
from .model import Row

CONTEXT = Param(default="view", enum=("view", "embed", "edit"))
IDS = Param("array")


def params(orderby: Sequence[str], default: str, more: Params, order: str = "desc") -> Params:
    """Returns the parameters of a collection: those that all have, and some more."""
    return {
        "context": CONTEXT,
        "page": Param("integer", 1, minimum=1),
        "per_page": Param("integer", 10, minimum=1, maximum=100),
        "search": Param(),
        "exclude": IDS,
        "include": IDS,
        "offset": Param("integer", minimum=0),
        "order": Param(default=order, enum=("asc", "desc")),
        "orderby": Param(default=default, enum=tuple(orderby)),
        **more,
    }


class Select:
    """A selection of the rows of a table, built from parameters.

    Args:
        rest: The request.
        table: Name of the table.
        columns: What is read of it.
    """

    def __init__(self, rest: Rest, table: str, columns: str = "*") -> None:
        self.rest = rest
        self._table = table
        self._columns = columns
        self._where = ["1"]
        self._values: list[Any] = []
        self._order: list[str] = []
        self._order_values: list[Any] = []

    def where(self, condition: str, *values: Any) -> None:
        """Adds a condition."""
        self._where.append(condition)
        self._values += values

    def among(self, column: str, name: str, *, exclude: bool = False) -> None:
        """Keeps (or drops) the rows whose column is in a list parameter, if it was sent and is not empty."""
        wanted = self.rest.values.get(name)
        if wanted:
            marks = ", ".join("?" * len(wanted))
            self.where(f"{column} {'NOT ' if exclude else ''}IN ({marks})", *wanted)

    def having_terms(self, name: str, *, exclude: bool = False) -> None:
        """Keeps (or drops) posts that bear a term of a list parameter or a sub-category of one."""
        wanted = self.rest.values.get(name)
        if wanted:
            marks = ", ".join("?" * len(wanted))
            self.where(
                f"id {'NOT ' if exclude else ''}IN (SELECT post_id FROM post_terms JOIN terms ON terms.id = term_id "
                f"WHERE terms.id IN ({marks}) OR terms.parent IN ({marks}))",
                *wanted,
                *wanted,
            )

    def between(self, before: str, after: str, column: str) -> None:
        """Keeps the rows before and after the moments of two parameters."""
        for name, sign in ((before, "<"), (after, ">")):
            if name in self.rest.values:
                self.where(f"{column} {sign} ?", self.rest.values[name])

    def matching(self, *columns: str) -> None:
        """Keeps the rows that hold the text of `search` in one of the columns."""
        text = self.rest.values.get("search", "").strip()
        if text:
            self.where("(" + " OR ".join(f"instr(lower({c}), lower(?))" for c in columns) + ")", *[text] * len(columns))

    def order(self, columns: Mapping[str, str]) -> None:
        """Orders as `orderby` and `order` say, ties by id.

        Args:
            columns: Value of `orderby` -> SQL expression, where they differ.
        """
        key, order = self.rest.values["orderby"], self.rest.values["order"]
        if key in ("include", "include_slugs"):
            name = "include" if key == "include" else "slug"
            column = "id" if key == "include" else "slug"
            wanted = self.rest.values.get(name)
            if not wanted:
                text = f"You need to define an include parameter to order by {key}."
                raise ApiError("rest_orderby_include_missing_include", text, 400)
            cases = " ".join("WHEN ? THEN ?" for _ in wanted)
            self.order_by(f"CASE {column} {cases} END", *(v for i, w in enumerate(wanted) for v in (w, i)))
        else:
            self.order_by(f"{columns.get(key, key)} {order}, id {order}")

    def relevance(self) -> None:
        """Orders by how well a post matches the search."""
        if not self.rest.values.get("search"):
            text = "You need to define a search term to order by relevance."
            raise ApiError("rest_no_search_term_defined", text, 400)
        order, values = search.clause(self.rest.values["search"])[2:]
        self.order_by(f"{order}date DESC, id DESC", *values)

    def order_by(self, expression: str, *values: Any) -> None:
        """Orders by an SQL expression."""
        self._order.append(expression)
        self._order_values += values

    def rows(self) -> tuple[list[Row], int]:
        """Returns the rows of the page wanted and the number of all rows."""
        values, where = self.rest.values, " AND ".join(self._where)
        total = self.rest.db.execute(f"SELECT COUNT(*) FROM {self._table} WHERE {where}", self._values).fetchone()[0]
        offset = values.get("offset", (values["page"] - 1) * values["per_page"])
        rows = self.rest.db.execute(
            f"SELECT {self._columns} FROM {self._table} WHERE {where} ORDER BY {', '.join(self._order)} LIMIT ? OFFSET ?",
            (*self._values, *self._order_values, values["per_page"], offset),
        ).fetchall()
        return rows, total


def collection(rest: Rest, data: list[Any], total: int, beyond: str = "") -> Result:
    """Returns one page of a collection with its headers.

    Args:
        rest: The request.
        data: The items of the page.
        total: Number of items in all pages.
        beyond: Error code of a page after the last, empty where WordPress answers with nothing.
    """
    page, pages = rest.values["page"], -(-total // rest.values["per_page"])
    if beyond and total and page > pages:
        text = "The page number requested is larger than the number of pages available."
        raise ApiError(beyond, text, 400)
    links = []
    if page > 1 and pages:
        links.append(f'<{_page_url(rest, min(page - 1, pages))}>; rel="prev"')
    if page < pages:
        links.append(f'<{_page_url(rest, page + 1)}>; rel="next"')
    headers = [("X-WP-Total", str(total)), ("X-WP-TotalPages", str(pages))]
    return Result(data, 200, (*headers, *([("Link", ", ".join(links))] if links else [])))


def readable_statuses(rest: Rest, name: str, public: Sequence[str], message: str, code: str) -> None:
    """Refuses a status that only editors may ask for."""
    asked = rest.values[name] if isinstance(rest.values[name], list) else [rest.values[name]]
    if not rest.privileged and any(status not in public for status in asked):
        raise invalid({name: Invalid(code, message)})


def _page_url(rest: Rest, page: int) -> str:
    """Returns the address of another page of the collection asked for."""
    kept = [part for part in rest.call.query.split("&") if part and not part.startswith("page=")]
    return f"{rest.origin}{rest.call.path}?{'&'.join([*kept, f'page={page}'])}"
