"""Archives: categories, tags, months, and the entries of the sections that list them."""

from __future__ import annotations

from typing import Any, NamedTuple

from ...sites.wordpress.overview import CLOUD_TAGS, RECENT
from ..build import Variant
from ..checks import Check, UrlCheck
from ..family import Params
from ..oracle import Step, click
from .data import Term, categories, months, posts, tags
from .steps import DONE, month_name, open_month, open_term, ordinal

CATEGORY = "go to a category page"
TAG = "go to a tag's archive"
MONTH = "archives: a given month"
SECTION = "n-th entry of a section"


def category_variants() -> list[Variant]:
    """Returns the eight families that open a category."""
    top = [c for c in categories() if not c.parent]
    children = [c for c in categories() if c.parent]
    shared = {t.name for t in tags()}
    doubles = [c for c in categories() if c.name in shared]
    single = [c for c in children if c.name not in shared]  # for goals that do not say "category"
    return [
        _term("category", ("Go to the category {name}.", "Open the page of the {name} category."), categories()),
        _term("category", ("Show me all posts filed under {name}.", "List what the blog has under {name}."), single),
        _term("category", ("Open the main section {name}.", "Go to the top-level category {name}."), top),
        _term("category", ("Go to {name}, the subcategory of {parent}.", "Within {parent}, open the category {name}."), children),
        _term("category", ("Open the category (not the tag) {name}.", "There is a tag and a category {name}; go to the category."), doubles),
        _term("category", ("I would like to browse {name}. Open that category.", "Take me to the {name} posts."), single),
        _term("category", ("Which articles are in {name}? Open the category’s page.", "Show the archive of the category {name}."), categories()),
        _term("category", ("Open {name} from the list of categories.", "Use the category list to go to {name}."), categories()),
    ]  # fmt: skip


def tag_variants() -> list[Variant]:
    """Returns the eight families that open a tag's archive, for tags that both tag clouds show."""
    cloud = shown_tags()
    shared = {c.name for c in categories()}
    doubles = [t for t in cloud if t.name in shared]
    return [
        _term("tag", ("Go to the tag {name}.", "Open the archive of the tag {name}."), cloud),
        _term("tag", ("Show every post tagged {name}.", "List the posts that carry the tag {name}."), cloud),
        _term("tag", ("Open {name} from the tag cloud.", "In the tag cloud, click {name}."), cloud),
        _term("tag", ("Which posts are tagged “{name}”? Open the tag’s page.", "Take me to the page of the tag “{name}”."), cloud),
        _term("tag", ("Open the tag (not the category) {name}.", "There is a category and a tag {name}; go to the tag."), doubles),
        _term("tag", ("I follow the tag {name}. Open it.", "Show me what is new under the tag {name}."), cloud),
        _term("tag", ("Browse the {name} tag.", "Find the posts with the label {name} by their tag."), cloud),
        _term("tag", ("Go to the tag archive for {name}.", "Open the list of posts for the tag {name}."), cloud),
    ]  # fmt: skip


def month_variants() -> list[Variant]:
    """Returns the eight families that open the archive of a month."""
    every = [m for m, _ in months()]
    by_year: dict[str, list[str]] = {}
    for month in every:
        by_year.setdefault(month[:4], []).append(month)
    alone = [found[0] for year, found in by_year.items() if len(found) == 1]
    return [
        _month(("Open the archive of {name}.", "Go to {name} in the archives."), every),
        _month(("Show all posts of {name}.", "What was published in {name}? Open that month’s archive."), every),
        _month(("Use the archives list to open {name}.", "In the archives, choose {name}."), every),
        _month(("Open the archive of the month after {before}.", "Which month follows {before}? Open its archive."), [m for m in every if _shifted(m, -1) in every]),
        _month(("Open the archive of the month before {after}.", "Which month precedes {after}? Open its archive."), [m for m in every if _shifted(m, 1) in every]),
        _month(("Open the archive of {short}.", "Show the posts from {short}."), every),
        _month(("I remember a post from {name}. Open that month.", "Take me back to {name} on this blog."), every),
        _month(("Browse the blog’s archive for {name}.", "List the articles written in {name}."), [m for m in every if m not in alone]),
    ]  # fmt: skip


class Entry(NamedTuple):
    """An entry of a section: which section, its place from 0, and where it leads."""

    section: str
    place: int
    path: str
    target: Any


def section_variants() -> list[Variant]:
    """Returns the six families that open an entry of Recent Posts, Archives or Categories by its place."""
    recent = [Entry("recent posts", i, p.path, p) for i, p in enumerate(posts()[:RECENT])]
    archive = [Entry("archives", i, f"/{m[:4]}/{m[5:]}/", m) for i, (m, _) in enumerate(months())][:30]
    # Places that only a count of all entries, sub-categories included, can reach.
    tops = sum(not c.parent for c in categories())
    listed = [Entry("categories", i, c.path, c) for i, c in enumerate(listed_categories())][tops:]
    goals = ("Open the {nth} entry of the {section} list.", "In the list of {section}, open entry number {number}.")
    named = ("What is the {nth} item under {section}? Open it.", "Click the {nth} link in the section of {section}.")
    return [
        Variant(words, pool, _entry_params, lambda p: (UrlCheck(p["path"]),), _entry_oracle, lambda p: "/about/")
        for pool in (recent, archive, listed)
        for words in (goals, named)
    ]


def shown_tags() -> list[Term]:
    """Returns the tags that the tag clouds of both versions show: the most used ones."""
    return sorted(sorted(tags(), key=lambda t: (-t.count, t.name))[:CLOUD_TAGS], key=lambda t: t.name)


def listed_categories() -> list[Term]:
    """Returns the categories in the order of the Categories section: children under their parent."""
    tops = [c for c in categories() if not c.parent]
    return [c for top in tops for c in (top, *(k for k in categories() if k.parent == top.name))]


def _term(kind: str, goals: tuple[str, ...], pool: list[Term] | tuple[Term, ...]) -> Variant:
    return Variant(
        goals,
        pool,
        lambda term: {"term": term, "name": term.name, "parent": term.parent, "path": term.path},
        _path_checks,
        lambda params, version: [open_term(params["term"], kind), DONE],
    )


def _path_checks(params: Params) -> tuple[Check, ...]:
    return (UrlCheck(params["path"]),)


def _month(goals: tuple[str, ...], pool: list[str]) -> Variant:
    def params(month: str) -> Params:
        return {
            "month": month,
            "name": month_name(month),
            "short": f"{month[5:]}/{month[:4]}",
            "before": month_name(_shifted(month, -1)),
            "after": month_name(_shifted(month, 1)),
            "path": f"/{month[:4]}/{month[5:]}/",
        }

    return Variant(goals, pool, params, _path_checks, lambda p, version: [open_month(p["month"]), DONE])


def _shifted(month: str, by: int) -> str:
    index = int(month[:4]) * 12 + int(month[5:]) - 1 + by
    return f"{index // 12}-{index % 12 + 1:02}"


def _entry_params(entry: Entry) -> Params:
    return {**entry._asdict(), "nth": ordinal(entry.place, 10**6), "number": entry.place + 1}


def _entry_oracle(params: Params, version: str) -> list[Step]:
    target = params["target"]
    if params["section"] == "archives":
        return [open_month(target), DONE]
    if params["section"] == "categories":
        return [open_term(target, "category"), DONE]
    return [click("link", target.title, within=f"recent.open{{{target.id}}}"), DONE]
