"""Pieces of oracles that several kinds share."""

from __future__ import annotations

from collections.abc import Sequence

from ...months import MONTHS
from ...sites.wordpress.pagination import paginate
from ..oracle import Step, click, fill, press, say
from .data import PER_PAGE, Post, Term, posts

DONE = say("Done.")


def open_post(post: Post) -> Step:
    """Returns a click on a link to a post, by its title."""
    return click("link", post.title, within=f"post.open{{{post.id}}}")


def search(words: str) -> list[Step]:
    """Returns the steps that search the blog."""
    return [fill("", words, "searchbox", within="search.text"), press("", "Enter", "searchbox", within="search.text")]


def find_post(post: Post) -> list[Step]:
    """Returns the steps from any page to a post, by a search for its title."""
    return [*search(post.title), open_post(post)]


def open_term(term: Term, kind: str) -> Step:
    """Returns a click on a link to a category's or tag's archive; a tag cloud puts the number of posts in its name."""
    return click("link", term.name if kind == "category" else "", within=f"{kind}.open{{{term.slug}}}")


def open_month(month: str) -> Step:
    """Returns a click on a month of the archives list."""
    return click("link", month_name(month), within=f"archive.open{{{month}}}")


def month_name(month: str) -> str:
    """Returns `March 2024` for `2024-03`."""
    year, number = month.split("-")
    return f"{MONTHS[int(number) - 1]} {year}"


def turn_pages(first: int, last: int) -> list[Step]:
    """Returns the clicks on page numbers of the feed from one page to another, along the numbers that are shown."""
    end = -(-len(posts()) // PER_PAGE)
    steps, page = [], first
    while page != last:
        shown = shown_pages(page, end)
        nearer = min(shown, key=lambda n: (abs(n - last), n))
        page = nearer if abs(nearer - last) < abs(page - last) else page + (1 if last > page else -1)
        steps.append(click("link", "", within=f"feed.page{{{page}}}"))
    return steps


def shown_pages(page: int, end: int) -> Sequence[int]:
    """Returns the page numbers that the pagination of a page of the feed links to."""
    pagination = paginate("/", page, end)
    return [link.number for link in pagination.links if link.url] if pagination else []


def feed_path(post: Post) -> str:
    """Returns the path of the page of the feed that lists a post."""
    page = post.place // PER_PAGE + 1
    return "/" if page == 1 else f"/page/{page}/"


def ordinal(place: int, total: int) -> str:
    """Returns how a person names a place, from 0, in a list of a known length."""
    from_end = total - place
    if total > 3 and from_end <= 3:
        return ("last", "second-to-last", "third-to-last")[from_end - 1]
    words = ["first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eighth", "ninth", "tenth"]
    number = place + 1
    suffix = "th" if 11 <= number % 100 <= 13 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return words[place] if place < len(words) else f"{number}{suffix}"
