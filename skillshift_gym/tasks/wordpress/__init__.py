"""The 79 WordPress families, kind by kind as the published index counts them."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

from ...sites.protocol import Request, Site
from ..build import Variant, build
from ..family import Family, Task
from . import archives, finding, listings, reading
from .data import Post, Term, posts

# Kind -> its families, in the order of the published index; their number is the published count.
KINDS: dict[str, Callable[[], list[Variant]]] = {
    finding.FIND: finding.find_variants,
    listings.FACTS: listings.fact_variants,
    finding.SEARCH: finding.search_variants,
    archives.CATEGORY: archives.category_variants,
    listings.MOVES: listings.move_variants,
    reading.COMMENT: reading.comment_variants,
    archives.SECTION: archives.section_variants,
    archives.TAG: archives.tag_variants,
    listings.PAGES: listings.page_variants,
    reading.IMAGES: reading.image_variants,
    archives.MONTH: archives.month_variants,
}


def families() -> list[Family]:
    """Returns all families, numbered from 0."""
    found: list[Family] = []
    for kind, variants in KINDS.items():
        found += build("wordpress", len(found), kind, variants(), marks)
    return found


def marks(entity: Any) -> tuple[object, ...]:
    """Returns what an instance must not share with a benchmark one: what bears the answer, and a searched keyword."""
    if isinstance(entity, Post | Term):
        return (entity.slug,)
    if isinstance(entity, finding.Query):
        return (entity.post.slug, f"word {entity.word}")
    if isinstance(entity, archives.Entry):
        return (f"{entity.section} {entity.place}",)
    if isinstance(entity, listings.Jump):
        return (entity.page,)
    if isinstance(entity, listings.Top):
        return (entity.target.slug,)
    return (entity.post.slug,) if hasattr(entity, "post") else (entity,)


def extra_write(task: Task, site: Site) -> Request:
    """Returns a request that changes the blog in a way no task asks for: a comment on the oldest post that takes any."""
    oldest = next(p for p in reversed(posts()) if p.comment_status == "open" and p != task.params.get("post"))
    form = {
        "comment": "Passing by.",
        "author": "Someone Else",
        "email": "someone.else@example.org",
        "url": "",
        "comment_post_ID": oldest.id,
        "comment_parent": 0,
        "submit": "Post Comment",
    }
    url = f"{site.origin}/wp-comments-post.php"
    return Request("POST", url, urlencode(form).encode(), "application/x-www-form-urlencoded")
