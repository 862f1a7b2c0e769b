"""Reads the hand-written content of the blog.

One text file per top-level category. A line's first character says what it is:

    = Food | food | description          the top-level category
    == Bakeries | bakeries | description a child; the articles that follow belong to it
    * paragraph                          body paragraph of the category, with {slots}
    > sentence                           what readers of the section comment, with {slots}
    @ 2021-03-14 07:52 tobias #bread     an article: date, author, tags, +other-category
    ! bread | alt text | caption         an image of the article

The two lines after `@` are the article's title and lead.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent / "content"
_OPEN_SINCE = "2019"
SECTIONS = ("city", "food", "harbour", "outdoors", "culture", "household", "people", "nature", "events")


class Category(NamedTuple):
    """A category; `parent` is a slug, empty at the top."""

    name: str
    slug: str
    description: str
    parent: str


class Picture(NamedTuple):
    """An image of an article."""

    motif: str
    alt: str
    caption: str


@dataclass
class Article:
    """A post as it was written, before its body is composed."""

    date: str
    author: str
    categories: list[str]
    tags: list[str]
    title: str
    lead: str
    pictures: list[Picture] = field(default_factory=list)

    @property
    def open(self) -> bool:
        """Whether readers may still comment."""
        return self.date >= _OPEN_SINCE


@dataclass
class Page:
    """A page as it was written; `parent` is a slug, `-` at the top."""

    date: str
    author: str
    slug: str
    parent: str
    title: str
    content: str = ""


@dataclass
class Content:
    """Everything in the section files.

    Attributes:
        categories: In the order written, parents before their children.
        articles: In the order written.
        paragraphs: Category slug -> its body paragraphs.
        remarks: Slug of the top-level category -> sentences for comments.
    """

    categories: list[Category] = field(default_factory=list)
    articles: list[Article] = field(default_factory=list)
    paragraphs: dict[str, list[str]] = field(default_factory=dict)
    remarks: dict[str, list[str]] = field(default_factory=dict)


def lines(name: str) -> Iterator[str]:
    """Yields the lines of a content file that are not empty."""
    for line in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.strip():
            yield line.strip()


def cells(line: str) -> list[str]:
    """Returns the cells of a line parted by bars."""
    return [cell.strip() for cell in line.split("|")]


def tables(name: str) -> dict[str, list[str]]:
    """Returns a content file of several lists: a line `= name` begins a list, every other line is an item."""
    found: dict[str, list[str]] = {}
    for line in lines(name):
        if line.startswith("= "):
            current = found.setdefault(line[2:], [])
        else:
            current.append(line)
    return found


def read() -> Content:
    """Returns the content of all section files."""
    content = Content()
    for section in SECTIONS:
        _read_section(content, section)
    return content


def pages() -> list[Page]:
    """Returns the pages: a header line `@ date time author slug parent`, a title, then lines of HTML."""
    found: list[Page] = []
    source = lines("pages")
    for line in source:
        if line.startswith("@ "):
            day, time, author, slug, parent = line[2:].split()
            found.append(Page(f"{day}T{time}:00", author, slug, parent, next(source)))
        else:
            found[-1].content += ("\n" if found[-1].content else "") + line
    return found


def _read_section(content: Content, section: str) -> None:
    current = ""
    source = lines(section)
    for line in source:
        kind, _, rest = line.partition(" ")
        if kind in ("=", "=="):
            name, current, description = cells(rest)
            content.categories.append(Category(name, current, description, "" if kind == "=" else section))
        elif kind == "*":
            content.paragraphs.setdefault(current, []).append(rest)
        elif kind == ">":
            content.remarks.setdefault(section, []).append(rest)
        elif kind == "!":
            content.articles[-1].pictures.append(Picture(*cells(rest)))
        elif kind == "@":
            content.articles.append(_article(rest.split(), current, next(source), next(source)))
        else:
            raise ValueError(f"{section}.txt: not a line of content: {line[:60]}")


def _article(words: list[str], category: str, title: str, lead: str) -> Article:
    day, time, author, *marks = words
    return Article(
        date=f"{day}T{time}:{len(title) * 7 % 60:02d}",
        author=author,
        categories=[category, *(m[1:] for m in marks if m.startswith("+"))],
        tags=[m[1:] for m in marks if m.startswith("#")],
        title=title,
        lead=lead,
    )
