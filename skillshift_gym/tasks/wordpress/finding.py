"""Finding posts: by a given title, and by a search."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

from ...sites.wordpress import model
from ..build import Variant
from ..checks import UrlCheck
from ..family import Params
from ..oracle import Step
from .data import PER_PAGE, Post, db, posts
from .steps import DONE, find_post, open_post, ordinal, search

FIND = "find the article with a given title"
SEARCH = "search a keyword, open the n-th result"
_WORD = re.compile(r"[a-z]{4,}")


def find_variants() -> list[Variant]:
    """Returns the eight families that open an article by its title."""
    return [
        _find(("Find the article titled “{title}” and open it.", "Open the post called “{title}”."), lambda p: p.place > 20),
        _find(
            ("Take me to the article “{title}”; there are others with a similar title.", "Several posts have similar titles. Open the one titled exactly “{title}”."),
            lambda p: p.title in _similar(),
        ),
        _find(
            ("Open the {year} article “{title}”.", "Find “{title}”, published in {year}."), lambda p: p.date < "2022"
        ),
        _find(
            ("In the {category} section there is an article titled “{title}”. Open it.", "Show me “{title}” from the category {category}."),
            lambda p: len(p.categories) == 1,
        ),
        _find(
            ("Open {author}’s article “{title}”.", "Find the post “{title}” by {author}."), lambda p: p.place > 40
        ),
        _find(
            ("I am looking for the article that asks “{title}” Open it.", "Open the post with the question “{title}” as its title."),
            lambda p: p.title.endswith("?"),
        ),
        _find(
            ("I want to read “{title}” and the comments under it. Open the article.", "Open “{title}”, one of the posts that readers commented on."),
            lambda p: p.comments > 0,
        ),
        _find(
            ("Go to the page of the article “{title}”.", "Where is the article “{title}”? Open its page."),
            lambda p: len(p.title.split()) >= 7,
        ),
    ]  # fmt: skip


class Query(NamedTuple):
    """A keyword and the place of a result on the first page of its results."""

    word: str
    place: int
    total: int
    post: Post


def search_variants() -> list[Variant]:
    """Returns the eight families that open a result of a search."""
    words = (
        "Search the blog for “{word}” and open the {nth} result.",
        "Use the search for “{word}”, then open the {nth} post that it finds.",
    )
    variants = []
    for chooses in _PLACES:
        # One keyword for each post: the post bears the answer.
        pool = list({q.post.slug: q for q in map(chooses, _keywords()) if q is not None}.values())
        variants.append(
            Variant(words, pool, _query_params, lambda p: (UrlCheck(p["path"], _COMMENTED),), _search_oracle)
        )
    return variants  # fmt: skip


def post_params(post: Post) -> Params:
    """Returns what goals may say of a post."""
    return {
        "post": post,
        "title": post.title,
        "year": post.date[:4],
        "category": post.categories[0],
        "author": post.author,
        "path": post.path,
    }


# Query fields that the site adds to a post's address after a comment; they do not make it another page.
_COMMENTED = ("unapproved", "moderation-hash", "replytocom")


def _find(goals: tuple[str, ...], fits: Callable[[Post], bool]) -> Variant:
    pool = [p for p in posts() if fits(p) and p.place >= PER_PAGE and is_quotable(p) and _is_found(p)]
    return Variant(
        goals,
        pool,
        post_params,
        lambda params: (UrlCheck(params["path"], _COMMENTED),),
        lambda params, version: [*find_post(params["post"]), DONE],
    )


def is_quotable(post: Post) -> bool:
    """Tells whether a goal can quote the title: a title with quotes of its own would leave its end unclear."""
    return not set('“”"') & set(post.title)


@cache
def _is_found(post: Post) -> bool:
    """Tells whether a search for the title shows the post on its first page."""
    return any(row["id"] == post.id for row in model.search(db(), post.title).posts)


@cache
def _similar() -> frozenset[str]:
    """Returns the titles that share most of their words with another title."""
    words = {p.title: frozenset(_WORD.findall(p.title.lower())) for p in posts()}
    return frozenset(
        a for a, ours in words.items() for b, theirs in words.items()
        if a != b and len(ours & theirs) >= 2 and 2 * len(ours & theirs) >= len(ours)
    )  # fmt: skip


@cache
def _keywords() -> Sequence[tuple[str, tuple[Post, ...]]]:
    """Returns words of titles and the posts a search for them finds, where that is one page of three or more."""
    by_id = {p.id: p for p in posts()}
    counted = Counter(w for p in posts() for w in set(_WORD.findall(p.title.lower())))
    found = []
    for word in sorted(counted):
        listing = model.search(db(), word)
        if 3 <= listing.total <= PER_PAGE and all(row["id"] in by_id for row in listing.posts):
            found.append((word, tuple(by_id[row["id"]] for row in listing.posts)))
    return found


def _place(place: int) -> Callable[[tuple[str, tuple[Post, ...]]], Query | None]:
    def choose(keyword: tuple[str, tuple[Post, ...]]) -> Query | None:
        word, results = keyword
        index = place if place >= 0 else len(results) + place
        if not 0 <= index < len(results) or ordinal(index, len(results)) != _names[place]:
            return None
        return Query(word, index, len(results), results[index])

    return choose


_names = {
    0: "first",
    1: "second",
    2: "third",
    3: "fourth",
    4: "fifth",
    -1: "last",
    -2: "second-to-last",
    -3: "third-to-last",
}
_PLACES = tuple(_place(place) for place in _names)


def _query_params(query: Query) -> Params:
    return {
        "word": query.word,
        "nth": ordinal(query.place, query.total),
        "post": query.post,
        "path": query.post.path,
    }


def _search_oracle(params: Params, version: str) -> list[Step]:
    return [*search(params["word"]), open_post(params["post"]), DONE]
