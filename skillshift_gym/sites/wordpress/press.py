"""Publishes the written articles and pages: ids, slugs, images and terms."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from html import escape

from ..draws import number
from ..slugs import slugify
from .bodies import compose
from .content import Article, Content, Page, Picture, pages
from .operations import insert_row

_SIZES = ((1200, 800), (1024, 768), (1600, 900), (900, 1200))


class Press:
    """Publishes articles and pages in the order of their dates, under ids with gaps.

    Args:
        db: The database.
        content: What was written.
        users: Author key -> id.
        categories: Slug -> id.
        tags: Slug -> id.
    """

    def __init__(
        self,
        db: sqlite3.Connection,
        content: Content,
        users: Mapping[str, int],
        categories: Mapping[str, int],
        tags: Mapping[str, int],
    ) -> None:
        self._db = db
        self._content = content
        self._users = users
        self._categories = categories
        self._tags = tags
        self._id = 4
        self._media_slugs: dict[str, int] = {}
        self._parents = {c.slug: c.parent for c in content.categories}

    def publish(self) -> list[tuple[int, Article]]:
        """Adds everything; returns the articles with their ids, oldest first."""
        published = []
        by_date = {page.date: page for page in pages()}
        articles = {article.date: article for article in self._content.articles}
        for date in sorted([*by_date, *articles]):
            if date in articles:
                published.append((self._add_article(articles[date]), articles[date]))
            else:
                self._add_page(by_date[date])
        return published

    def _next_id(self, key: str) -> int:
        self._id += 1 + number(key, 4)
        return self._id

    def _add_article(self, article: Article) -> int:
        media = [(self._next_id(p.alt), p) for p in article.pictures]
        figures = [self._add_media(media_id, picture, article) for media_id, picture in media]
        values = {
            "content": compose(article, self._pool(article.categories[0]), figures),
            "excerpt": article.lead,
            "comment_status": "open" if article.open else "closed",
            "featured_media": media[0][0] if media and number(f"{article.title}:featured", 10) else 0,
        }
        post_id = self._insert("post", slugify(article.title), article, values)
        self._db.executemany("UPDATE media SET post_id = ? WHERE id = ?", [(post_id, m) for m, _ in media])
        terms = [self._categories[c] for c in article.categories] + [self._tags[t] for t in article.tags]
        for term in terms:
            insert_row(self._db, "post_terms", {"post_id": post_id, "term_id": term})
        return post_id

    def _pool(self, category: str) -> list[str]:
        """Returns the body paragraphs of a category; at the top, those of its children."""
        paragraphs = self._content.paragraphs
        if category in paragraphs:
            return paragraphs[category]
        return [p for child, pool in paragraphs.items() if self._parents[child] == category for p in pool]

    def _add_media(self, media_id: int, picture: Picture, article: Article) -> str:
        """Adds an image and returns its figure."""
        slug = self._media_slug(picture)
        file = f"{article.date[:4]}/{article.date[5:7]}/{slug}.svg"
        width, height = _SIZES[number(f"{slug}:size", len(_SIZES))]
        title = picture.caption or picture.alt
        row = {
            "id": media_id,
            "slug": slug,
            "title": title,
            "alt_text": picture.alt,
            "caption": picture.caption,
            "file": file,
            "mime_type": "image/svg+xml",
            "width": width,
            "height": height,
            "author_id": self._users[article.author],
            "date": article.date,
            "post_id": 0,
            "motif": picture.motif,
        }
        insert_row(self._db, "media", row)
        caption = f"<figcaption>{escape(picture.caption, quote=False)}</figcaption>" if picture.caption else ""
        source = f'src="/wp-content/uploads/{file}" alt="{escape(picture.alt)}" width="{width}" height="{height}"'
        return f'<figure class="wp-block-image"><img {source}>{caption}</figure>'

    def _media_slug(self, picture: Picture) -> str:
        slug = "-".join(slugify(picture.alt).split("-")[:6])
        count = self._media_slugs[slug] = self._media_slugs.get(slug, 0) + 1
        return slug if count == 1 else f"{slug}-{count}"

    def _add_page(self, page: Page) -> None:
        parent = self._db.execute("SELECT id FROM posts WHERE slug = ?", (page.parent,)).fetchone()
        values = {"content": page.content, "excerpt": "", "comment_status": "closed", "featured_media": 0}
        self._insert("page", page.slug, page, {**values, "parent": parent[0] if parent else 0})

    def _insert(self, kind: str, slug: str, written: Article | Page, values: Mapping[str, object]) -> int:
        """Adds a published post or page and returns its id."""
        common = {
            "id": self._next_id(written.title),
            "type": kind,
            "slug": slug,
            "title": written.title,
            "status": "publish",
            "author_id": self._users[written.author],
            "parent": 0,
            "menu_order": 0,
            "sticky": 0,
            "date": written.date,
            "modified": written.date,
        }
        return insert_row(self._db, "posts", {**common, **values})
