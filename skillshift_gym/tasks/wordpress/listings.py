"""Lists of posts: facts of a post by its place, pages of the feed, and moving on from the top post."""

from __future__ import annotations

from datetime import date
from functools import cache
from typing import NamedTuple

from ..build import Variant
from ..checks import AnswerCheck, Check, UrlCheck
from ..family import Params
from ..oracle import Step, click, say
from .data import PER_PAGE, Post, categories, posts, posts_on, tags
from .steps import DONE, open_post, ordinal, turn_pages

FACTS = "two facts of the n-th post of the homepage"
PAGES = "page of the blog feed"
MOVES = "next, previous, home, comments of the top post"
_FACTS = (("title", "publish date"), ("title", "category"), ("category", "publish date"))


class Place(NamedTuple):
    """A post by its place on a page of the feed."""

    page: int
    place: int
    post: Post


def fact_variants() -> list[Variant]:
    """Returns the eight families that ask for two facts of a post in the list."""
    wanted = ((0, 0), (2, 1), (4, 2), (-1, 0), (-2, 1), (3, 0), (-3, 2), (5, 1))
    return [_facts(place, _FACTS[facts]) for place, facts in wanted]


def page_variants() -> list[Variant]:
    """Returns the five families that go to a page of the feed; all but the benchmark start nearer to it."""
    last = -(-len(posts()) // PER_PAGE)
    goals = (
        "Go to page {page} of the blog’s list of posts.",
        "Show page {page} of all posts, as the page numbers count.",
    )
    return [
        Variant(
            goals,
            [Jump(max(1, page - back), page) for page in range(7, last)],
            lambda jump: jump._asdict(),
            lambda params: (UrlCheck(f"/page/{params['page']}/"),),
            _jump_oracle,
            lambda params: _feed_page(params["start"]),
            _other_page,
            bench=(Jump(1, back),),
        )
        for back in range(2, 7)
    ]


def move_variants() -> list[Variant]:
    """Returns the four families that go on from the top post of a list, or home from a post."""
    shown = [(c.path, _newest_in(c.name)) for c in categories() if c.count > 2]
    shown += [(_feed_page(n), list(posts_on(n))) for n in range(2, -(-len(posts()) // PER_PAGE))]
    lists = [(s, found[0], found[-1]) for s, found in shown if found[-1].place > found[0].place + 2 and found[0].place]
    newer, older = (
        [Top(start, top, last, posts()[top.place + step]) for start, top, last in lists] for step in (-1, 1)
    )
    commented = [Top(start, top, last, top) for start, top, last in lists if top.comments and last.comments]
    inside = [Top(p.path, p, p, p) for p in posts() if p.place % 7 == 3]
    return [
        _move(("Open the top post of this list, then go to the next (newer) post.", "From the first post listed here, move on to the post that was published after it."), newer, "next"),
        _move(("Open the top post of this list, then go to the previous (older) post.", "From the first post listed here, move on to the post that was published before it."), older, "previous"),
        _move(("Go from this article back to the home page of the blog.", "I have read this post. Take me to the blog’s home page."), inside, "home"),
        _move(("Go to the comments of the top post of this list.", "Show me what readers say under the first post listed here: jump to its comments."), commented, "comments"),
    ]  # fmt: skip


class Top(NamedTuple):
    """A list with its first and last post, and the post that bears the answer."""

    start: str
    post: Post
    last: Post
    target: Post


class Jump(NamedTuple):
    """From one page of the feed to another."""

    start: int
    page: int


def _facts(place: int, facts: tuple[str, str]) -> Variant:
    index = place % PER_PAGE
    name = ordinal(index, PER_PAGE)
    pool = [Place(n, index, posts_on(n)[index]) for n in range(1, len(posts()) // PER_PAGE + 1)]
    if "category" in facts:
        pool = [p for p in pool if len(p.post.categories) == 1]
    goals = (
        f"What are the {facts[0]} and the {facts[1]} of the {name} post in the list on this page?",
        f"Tell me the {facts[0]} and {facts[1]} of the {name} article listed here.",
    )
    return Variant(
        goals,
        pool,
        lambda entity: {"page": entity.page, "post": entity.post, "facts": facts},
        _fact_checks,
        _fact_oracle,
        lambda params: _feed_page(params["page"]),
        _other_place,
        [p for p in pool if p.page == 1] or pool,
    )


def _feed_page(page: int) -> str:
    return "/" if page == 1 else f"/page/{page}/"


def _fact_checks(params: Params) -> tuple[Check, ...]:
    post, facts, shown = params["post"], params["facts"], posts_on(params["page"])
    expected: list[str] = []
    others: list[str] = []
    if "title" in facts:
        expected.append(post.title)
        # A title that is also the name of a category or tag may stand in a right answer as such.
        others += [p.title for p in shown if p.title not in _term_names()]
    if "category" in facts:
        expected.append(post.categories[0])
        others += [c for p in shown for c in p.categories]
    found: list[Check] = [AnswerCheck("list", tuple(expected), (("universe", tuple(dict.fromkeys(others))),))]
    if "publish date" in facts:
        found.append(AnswerCheck("date", post.date, (("without", tuple(expected)),)))
    return tuple(found)


def _fact_oracle(params: Params, version: str) -> list[Step]:
    post: Post = params["post"]
    day = date.fromisoformat(post.date)
    facts = {
        "title": f"“{post.title}”",
        "category": post.categories[0],
        "publish date": f"{day:%B} {day.day}, {day.year}",
    }
    first, second = params["facts"]
    return [say(f"{facts[first]}; {facts[second]}")]


def _other_place(params: Params) -> Params:
    """Returns the question about another post of the same list."""
    shown = posts_on(params["page"])
    index = shown.index(params["post"])
    return {**params, "post": shown[index - 1 if index else 1]}


@cache
def _term_names() -> frozenset[str]:
    return frozenset(t.name for t in (*categories(), *tags()))


def _other_page(params: Params) -> Params:
    """Returns another page, on the way to which the right one is not passed."""
    page = int(params["page"])
    others = [n for n in (page - 1, page + 1, page + 2) if n not in (page, params["start"])]
    return {**params, "page": next(n for n in others if not _passes(params, n))}


def _passes(params: Params, target: int) -> bool:
    steps = _jump_oracle({**params, "page": target}, "")
    return any(step.within == f"feed.page{{{params['page']}}}" for step in steps)


def _jump_oracle(params: Params, version: str) -> list[Step]:
    return [*turn_pages(params["start"], params["page"]), DONE]


def _newest_in(category: str) -> list[Post]:
    names = {category, *(c.name for c in categories() if c.parent == category)}
    return [p for p in posts() if names & set(p.categories)][:PER_PAGE]


def _move(goals: tuple[str, ...], pool: list[Top], move: str) -> Variant:
    return Variant(
        goals,
        pool,
        lambda top: {**top._asdict(), "move": move},
        _move_checks,
        _move_oracle,
        lambda params: str(params["start"]),
        _other_top,
    )


def _other_top(params: Params) -> Params | None:
    """Returns the move from the last post of the list; going home does not depend on the post, nothing can be altered."""
    if params["move"] == "home":
        return None
    last: Post = params["last"]
    step = {"next": -1, "previous": 1}.get(params["move"], 0)
    return {**params, "post": last, "target": posts()[last.place + step]}


def _move_checks(params: Params) -> tuple[Check, ...]:
    if params["move"] == "home":
        return (UrlCheck("/"),)
    return (UrlCheck(params["target"].path, fragment=params["move"] == "comments"),)


def _move_oracle(params: Params, version: str) -> list[Step]:
    post: Post = params["post"]
    if params["move"] == "comments":
        return [click("link", "", within=f"post.comments{{{post.id}}}"), DONE]
    if params["move"] == "home":
        return [click("link", "Home", within="nav.home"), DONE]
    neighbour = posts()[post.place + (1 if params["move"] == "previous" else -1)]
    return [open_post(post), click("link", "", within=f"post.{params['move']}{{{neighbour.id}}}"), DONE]
