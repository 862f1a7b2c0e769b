"""Lists with a form each: reviews, rules, pages, blocks, search terms, groups; and the parts that other forms share."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any, NamedTuple

from ...protocol import Response
from ...web import Call
from .. import forms, grids
from ..form_tables import FORMS
from ..forms import Form
from ..operations import entities
from ..operations.refused import Refused
from . import listing
from .base import Missing, View, address, attempt, page
from .listing import Listing


class Record(NamedTuple):
    """A list with its form.

    Attributes:
        listing: The list.
        entity: Name of the row in `operations.entities`.
        form: Its form.
        titles: Title of the form of a new row, in versions 1.9 and 2.4; one that exists is titled by its `name` column.
        name: Column that names a row.
    """

    listing: Listing
    entity: str
    form: Form
    titles: tuple[str, str]
    name: str

    @property
    def prefix(self) -> str:
        """First part of its endpoints."""
        return self.listing.prefix


def _record(
    grid: Any,
    prefix: str,
    titles: tuple[str, str],
    add: tuple[str, str],
    entity: str,
    form: str,
    new: tuple[str, str],
    name: str,
) -> Record:
    return Record(Listing(grid, prefix, titles, add, f"{prefix}.edit"), entity, FORMS[form], new, name)


RECORDS = {
    record.prefix: record
    for record in (
        _record(grids.REVIEWS, "reviews", ("All Reviews", "Reviews"), ("", ""), "review", "review", ("New Review", "New Review"), "title"),
        _record(
            grids.SALES_RULES, "salesrules", ("Shopping Cart Price Rules", "Cart Price Rules"), ("Add New Rule", "Add New Rule"),
            "salesrule", "salesrule", ("New Rule", "New Cart Price Rule"), "name",
        ),
        _record(
            grids.CATALOG_RULES, "catalogrules", ("Catalog Price Rules", "Catalog Price Rule"), ("Add New Rule", "Add New Rule"),
            "catalogrule", "catalogrule", ("New Rule", "New Catalog Price Rule"), "name",
        ),
        _record(grids.CMS_PAGES, "pages", ("Manage Pages", "Pages"), ("Add New Page", "Add New Page"), "cms_page", "page", ("New Page", "New Page"), "title"),
        _record(
            grids.CMS_BLOCKS, "blocks", ("Static Blocks", "Blocks"), ("Add New Block", "Add New Block"), "cms_block", "block",
            ("New Block", "New Block"), "title",
        ),
        _record(
            grids.SEARCH_TERMS, "searchterms", ("Search", "Search Terms"), ("Add New Search Term", "Add New Search Term"), "searchterm",
            "searchterm", ("New Search", "New Search Term"), "query_text",
        ),
        _record(
            grids.GROUPS, "groups", ("Customer Groups", "Customer Groups"), ("Add New Customer Group", "Add New Customer Group"), "group",
            "group", ("New Customer Group", "New Customer Group"), "customer_group_code",
        ),
    )
}  # fmt: skip
PENDING = RECORDS["reviews"].listing._replace(
    titles=("Pending Reviews", "Pending Reviews"), fixed={"status_id": "2"}, endpoint="reviews.pending"
)
SUBSCRIBERS = Listing(grids.SUBSCRIBERS, "subscribers", ("Newsletter Subscribers", "Newsletter Subscribers"))


def views() -> dict[str, View]:
    """Returns endpoint -> view of all lists with a form."""
    found: dict[str, View] = {
        "reviews.pending": partial(listing.listed, listing=PENDING),
        "subscribers.grid": partial(listing.listed, listing=SUBSCRIBERS),
        "subscribers.mass": partial(listing.act, listing=SUBSCRIBERS),
    }
    for prefix, record in RECORDS.items():
        found |= {
            f"{prefix}.grid": partial(listing.listed, listing=record.listing),
            f"{prefix}.mass": partial(listing.act, listing=record.listing),
            f"{prefix}.new": partial(new, record=record),
            f"{prefix}.edit": partial(edit, record=record),
            f"{prefix}.create": partial(create, record=record),
            f"{prefix}.save": partial(save, record=record),
            f"{prefix}.delete": partial(delete, record=record),
        }
    return found


def new(call: Call, record: Record) -> Response:
    """The empty form."""
    title = record.titles[call.site.version == "v2"]
    return _form(
        call, record, title, entities.ENTITIES[record.entity].blank, address(call, f"{record.prefix}.create"), ""
    )


def edit(call: Call, record: Record, id: int) -> Response:
    """The form of a row."""
    row = dict(existing(call, record.entity, id, f"{record.prefix}.grid"))
    action, remove = (address(call, f"{record.prefix}.{deed}", id=id) for deed in ("save", "delete"))
    kept = id in entities.ENTITIES[record.entity].kept
    return _form(call, record, str(row[record.name]), row, action, "" if kept else remove)


def create(call: Call, record: Record) -> Response:
    """Adds a row."""

    def deed() -> int:
        return entities.create(call.db, record.entity, forms.parse(record.form, call.site.version, call.form), call.now)

    return saved(call, record.form, record.prefix, deed, address(call, f"{record.prefix}.new"))


def save(call: Call, record: Record, id: int) -> Response:
    """Saves a row."""

    def deed() -> int:
        entities.save(call.db, record.entity, id, forms.parse(record.form, call.site.version, call.form), call.now)
        return id

    return saved(call, record.form, record.prefix, deed, address(call, f"{record.prefix}.edit", id=id))


def delete(call: Call, record: Record, id: int) -> Response:
    """Deletes a row."""
    grid = address(call, f"{record.prefix}.grid")
    return attempt(call, lambda: entities.delete(call.db, record.entity, [id]), success=(grid, record.form.deleted))


def saved(call: Call, form: Form, prefix: str, deed: Callable[[], int], failure: str) -> Response:
    """Saves and goes to the list, or with `back` in the form to the form of what was saved."""
    words = form.saved[call.site.version == "v2"]
    stay = address(call, f"{prefix}.edit", id=0).replace("/0/", "/{key}/", 1)
    return attempt(
        call, deed, success=(stay if call.form.get("back") else address(call, f"{prefix}.grid"), words), failure=failure
    )


def existing(call: Call, entity: str, key: int, grid: str) -> Mapping[str, Any]:
    """Returns a row as a mapping.

    Raises:
        Missing: There is none; the grid says so.
    """
    try:
        return dict(entities.entity(call.db, entity, key))
    except Refused as refusal:
        raise Missing(str(refusal), grid) from None


def _form(call: Call, record: Record, title: str, row: Mapping[str, Any], action: str, remove: str) -> Response:
    sections = forms.shown(call.db, record.form, call.site.version, row)
    extra = {}
    if record.entity == "review":
        extra["product"] = call.db.execute(
            "SELECT * FROM catalog_product WHERE entity_id = ?", (row["product_id"],)
        ).fetchone()
        extra["customer"] = call.db.execute(
            "SELECT * FROM customer_entity WHERE entity_id = ?", (row["customer_id"],)
        ).fetchone()
    return page(
        call, "form.html", title, form=record.form, sections=sections, row=row, action=action, remove=remove,
        back=address(call, f"{record.prefix}.grid"), prefix=record.prefix, **extra,
    )  # fmt: skip
