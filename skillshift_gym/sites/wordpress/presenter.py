"""What templates are given: the model's rows as small values with addresses and worded dates."""

from __future__ import annotations

import re
from collections.abc import Mapping
from datetime import datetime
from functools import lru_cache
from html import unescape
from typing import NamedTuple

from markupsafe import Markup, escape

from ..templates import sid
from .model import Row

UPLOADS = "/wp-content/uploads/"
EXCERPT_WORDS = 55
_IMAGE = re.compile(rf'<img(?= )(?=[^>]*? src="{UPLOADS}([^"]+)")')
_TAG = re.compile(r"<[^>]*>")
_BLANK_LINES = re.compile(r"\n\s*\n")


class Term(NamedTuple):
    """A category or tag.

    Attributes:
        posts: Number of posts in its archive, so with those of sub-categories.
        colour: Number of the top-level category it belongs to, from 1; 0 for tags.
    """

    id: int
    name: str
    slug: str
    url: str
    description: str
    posts: int
    children: tuple[Term, ...] = ()
    colour: int = 0


class Author(NamedTuple):
    """A user who writes posts."""

    id: int
    name: str
    slug: str
    url: str
    description: str


class Month(NamedTuple):
    """A month with posts; `month` is `2024-03`."""

    month: str
    name: str
    url: str
    posts: int


class Picture(NamedTuple):
    """An image of the media library; `motif` and `slug` say how it is drawn."""

    id: int
    url: str
    alt: str
    caption: str
    width: int
    height: int
    motif: str
    slug: str


class Entry(NamedTuple):
    """A post or page in a listing or on its own."""

    id: int
    kind: str
    title: str
    url: str
    iso: str
    date: str
    excerpt: str
    author: Author
    categories: tuple[Term, ...]
    tags: tuple[Term, ...]
    comments: int
    comments_open: bool
    picture: Picture | None


def row_id(text: str) -> int:
    """Returns the number of a row as an address or a form gives it, 0 when it cannot be one."""
    return int(text) if text.isdecimal() and len(text) < 19 else 0


@lru_cache(4096)
def long_date(iso: str) -> str:
    """Returns a date as `March 15, 2024`."""
    moment = datetime.fromisoformat(iso)
    return f"{moment:%B} {moment.day}, {moment.year}"


def comment_time(iso: str) -> str:
    """Returns a moment as `March 15, 2024 at 9:30 am`."""
    moment = datetime.fromisoformat(iso)
    return f"{long_date(iso)} at {moment.hour % 12 or 12}:{moment:%M} {'am' if moment.hour < 12 else 'pm'}"


@lru_cache(1024)
def month_name(month: str) -> str:
    """Returns a month (`2024-03`) as `March 2024`."""
    return f"{datetime.fromisoformat(month + '-01'):%B %Y}"


def post_url(row: Row) -> str:
    """Returns the permalink of a post or page."""
    return f"/{row['slug']}/"


def author(row: Row) -> Author:
    """Returns a user as an author."""
    return Author(row["id"], row["name"], row["slug"], f"/author/{row['slug']}/", row["description"])


def month(row: Row) -> Month:
    """Returns a row of `model.months`."""
    key = row["month"]
    return Month(key, month_name(key), f"/{key[:4]}/{key[5:]}/", row["count"])


def picture(row: Row) -> Picture:
    """Returns an image."""
    columns = ("alt_text", "caption", "width", "height", "motif", "slug")
    return Picture(row["id"], UPLOADS + row["file"], *(row[column] for column in columns))


def excerpt(row: Row) -> str:
    """Returns the excerpt of a post: the one written for it, or the first words of its content."""
    if row["excerpt"]:
        return plain(row["excerpt"])
    words = plain(row["content"]).split()
    return " ".join(words[:EXCERPT_WORDS]) + (" […]" if len(words) > EXCERPT_WORDS else "")


def plain(html: str) -> str:
    """Returns the text of an HTML fragment."""
    return " ".join(unescape(_TAG.sub(" ", html)).split())


def content(html: str, pictures: Mapping[str, Picture]) -> Markup:
    """Returns the content of a post, its images marked with their semantic ids.

    Args:
        html: The stored content.
        pictures: Images by the address they are served at.
    """

    def mark(match: re.Match[str]) -> str:
        found = pictures.get(UPLOADS + match[1])
        return "<img" + str(sid("image", found.id) if found else "")

    return Markup(_IMAGE.sub(mark, html))


def paragraphs(text: str) -> Markup:
    """Returns a plain text as paragraphs, line breaks kept."""
    blocks = [escape(block.strip()) for block in _BLANK_LINES.split(text.strip()) if block.strip()]
    return Markup("").join(
        Markup("<p>{}</p>").format(Markup("<br>").join(line.strip() for line in block.split("\n"))) for block in blocks
    )
