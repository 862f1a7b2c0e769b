"""Page numbers as WordPress prints them: the ends, the neighbours of the current page, dots between."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import urlencode

_ENDS = 1
_NEIGHBOURS = 2


class PageLink(NamedTuple):
    """A number, or dots when `number` is 0; without `url` it is no link."""

    number: int
    url: str


class Pagination(NamedTuple):
    """The links under a listing; `previous` and `next` are empty at the ends."""

    links: tuple[PageLink, ...]
    previous: str
    next: str


def page_url(base: str, page: int, search: str | None = None) -> str:
    """Returns the address of a page of a listing.

    Args:
        base: Path of the first page, with a slash at the end.
        page: Number of the page, from 1.
        search: The words searched for, if it is a search.
    """
    path = base if page == 1 else f"{base}page/{page}/"
    return path if search is None else f"{path}?{urlencode({'s': search})}"


def paginate(base: str, page: int, pages: int, search: str | None = None) -> Pagination | None:
    """Returns the links of a listing, None when there is only one page."""
    if pages < 2:
        return None
    links: list[PageLink] = []
    for number in range(1, pages + 1):
        if number <= _ENDS or number > pages - _ENDS or abs(number - page) <= _NEIGHBOURS:
            links.append(PageLink(number, "" if number == page else page_url(base, number, search)))
        elif links[-1].number:
            links.append(PageLink(0, ""))
    before = page_url(base, page - 1, search) if page > 1 else ""
    after = page_url(base, page + 1, search) if page < pages else ""
    return Pagination(tuple(links), before, after)
