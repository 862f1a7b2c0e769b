"""Lists of posts: facts of a post by its place, pages of the feed, and moving on from the top post."""

from __future__ import annotations

from datetime import date
from typing import NamedTuple

from ..build import Variant
from ..checks import AnswerCheck, Check, UrlCheck
from ..family import Params
from ..oracle import Step, click, say
from .data import PER_PAGE, Post, categories, posts, posts_on
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
    """Returns the five families that go to a page of the feed; others than the benchmark start nearer to it."""
    last = -(-len(posts()) // PER_PAGE)
    goals = (
        "Go to page {page} of the blog’s list of posts.",
        "Show page {page} of all posts, as the page numbers count.",
    )
    return [
        Variant(
            goals,
            range(7, last),
            _page_params,
            _page_checks,
            _page_oracle,
            lambda p: p["start"],
            _other_page,
            bench=(page,),
        )
        for page in range(2, 7)
    ]  # fmt: skip


def move_variants() -> list[Variant]:
    """Returns the four families that open the top post of a list and go on from there."""
    shown = [(c.path, _newest_in(c.name)) for c in categories() if c.count > 2]
    shown += [(f"/page/{n}/", list(posts_on(n))) for n in range(2, -(-len(posts()) // PER_PAGE))]
    lists = [_Top(start, found[0], found[-1]) for start, found in shown if found[-1].place > found[0].place + 2]
    inner = [t for t in lists if 0 < t.post.place < len(posts()) - 1]
    commented = [t for t in lists if t.post.comments]
    return [
        _move(("Open the top post of this list, then go to the next (newer) post.", "From the first post listed here, move on to the post that was published after it."), inner, "next"),
        _move(("Open the top post of this list, then go to the previous (older) post.", "From the first post listed here, move on to the post that was published before it."), inner, "previous"),
        _move(("Open the top post of this list, then go back to the blog’s home page.", "Look at the first post listed here and return to the home page of the blog."), inner, "home"),
        _move(("Go to the comments of the top post of this list.", "Show me what readers say under the first post listed here."), commented, "comments"),
    ]  # fmt: skip


class _Top(NamedTuple):
    """The first page of a list, its first and its last post."""

    start: str
    post: Post
    last: Post


def _facts(place: int, facts: tuple[str, str]) -> Variant:
    name = ordinal(place if place >= 0 else PER_PAGE + place, PER_PAGE)
    index = place if place >= 0 else PER_PAGE + place
    pool = [Place(n, index, posts_on(n)[index]) for n in range(1, len(posts()) // PER_PAGE + 1)]
    pool = [p for p in pool if len(p.post.categories) == 1]
    goals = (
        f"What are the {facts[0]} and the {facts[1]} of the {name} post in the list on this page?",
        f"Tell me the {facts[0]} and {facts[1]} of the {name} article listed here.",
    )

    def params(entity: Place) -> Params:
        return {"page": entity.page, "post": entity.post, "facts": facts}

    return Variant(
        goals,
        pool,
        params,
        _fact_checks,
        _fact_oracle,
        _fact_start,
        _other_place,
        [p for p in pool if p.page == 1] or pool,
    )


def _fact_start(params: Params) -> str:
    return "/" if params["page"] == 1 else f"/page/{params['page']}/"


def _fact_checks(params: Params) -> tuple[Check, ...]:
    post, facts, shown = params["post"], params["facts"], posts_on(params["page"])
    expected: list[str] = []
    others: list[str] = []
    if "title" in facts:
        expected.append(post.title)
        others += [p.title for p in shown]
    if "category" in facts:
        expected.append(post.categories[0])
        others += [c for p in shown for c in p.categories]
    found: list[Check] = [AnswerCheck("list", tuple(expected), (("universe", tuple(dict.fromkeys(others))),))]
    if "publish date" in facts:
        found.append(AnswerCheck("date", post.date))
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


def _page_params(page: int) -> Params:
    return {"page": page, "start": "/" if page < 7 else f"/page/{max(2, page - 1 - page % 4)}/"}


def _other_page(params: Params) -> Params:
    """Returns another page, on the way to which the right one is not passed."""
    page = int(params["page"])
    on_the_way = {page, int(params["start"].strip("/").removeprefix("page/") or 1)}
    others = [n for n in (page - 1, page + 1, page + 2) if n not in on_the_way]
    return {**params, "page": next(n for n in others if not _passes(params, n, page))}


def _passes(params: Params, target: int, page: int) -> bool:
    steps = _page_oracle({**params, "page": target}, "")
    return any(step.within == f"feed.page{{{page}}}" for step in steps)


def _page_checks(params: Params) -> tuple[Check, ...]:
    return (UrlCheck(f"/page/{params['page']}/"),)


def _page_oracle(params: Params, version: str) -> list[Step]:
    start = params["start"].strip("/").removeprefix("page/")
    return [*turn_pages(int(start or 1), params["page"]), DONE]


def _newest_in(category: str) -> list[Post]:
    names = {category, *(c.name for c in categories() if c.parent == category)}
    return [p for p in posts() if names & set(p.categories)][:PER_PAGE]


def _move(goals: tuple[str, ...], pool: list[_Top], move: str) -> Variant:
    return Variant(
        goals,
        pool,
        lambda top: {**top._asdict(), "move": move},
        _move_checks,
        _move_oracle,
        lambda params: str(params["start"]),
        # Going home does not depend on the post: no value of that goal can be altered.
        lambda params: None if move == "home" else {**params, "post": params["last"]},
    )


def _move_checks(params: Params) -> tuple[Check, ...]:
    post: Post = params["post"]
    neighbour = {"next": -1, "previous": 1}.get(params["move"], 0)
    return (UrlCheck("/" if params["move"] == "home" else posts()[post.place + neighbour].path),)


def _move_oracle(params: Params, version: str) -> list[Step]:
    post: Post = params["post"]
    if params["move"] == "comments":
        return [open_post(post), DONE]
    if params["move"] == "home":
        return [open_post(post), click("link", "Home", within="nav.home"), DONE]
    neighbour = posts()[post.place + (1 if params["move"] == "previous" else -1)]
    return [open_post(post), click("link", "", within=f"post.{params['move']}{{{neighbour.id}}}"), DONE]
