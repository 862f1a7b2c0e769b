"""Publishes the written articles and pages: ids, slugs, images and terms."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping
from html import escape

from .bodies import compose
from .content import Article, Content, Page, Picture, pages
from .keyed import number
from .text import slugify

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
        post_id = self._next_id(article.title)
        featured = media[0][0] if media and number(f"{article.title}:featured", 10) else 0
        content = compose(article, self._pool(article.categories[0]), figures)
        self._insert_post(post_id, "post", slugify(article.title), article, content, featured, 0)
        self._db.executemany("UPDATE media SET post_id = ? WHERE id = ?", [(post_id, m) for m, _ in media])
        terms = [self._categories[c] for c in article.categories] + [self._tags[t] for t in article.tags]
        self._db.executemany(
            "INSERT INTO post_terms (post_id, term_id) VALUES (?, ?)", [(post_id, term) for term in terms]
        )
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
        row = (media_id, slug, title, picture.alt, picture.caption, file, "image/svg+xml", width, height)
        row += (self._users[article.author], article.date, 0, picture.motif)  # type: ignore[assignment]
        self._db.execute(f"INSERT INTO media VALUES ({', '.join('?' * 13)})", row)
        caption = f"<figcaption>{escape(picture.caption, quote=False)}</figcaption>" if picture.caption else ""
        source = f'src="/wp-content/uploads/{file}" alt="{escape(picture.alt)}" width="{width}" height="{height}"'
        return f'<figure class="wp-block-image"><img {source}>{caption}</figure>'

    def _media_slug(self, picture: Picture) -> str:
        slug = "-".join(slugify(picture.alt).split("-")[:6])
        count = self._media_slugs[slug] = self._media_slugs.get(slug, 0) + 1
        return slug if count == 1 else f"{slug}-{count}"

    def _add_page(self, page: Page) -> None:
        parent = self._db.execute("SELECT id FROM posts WHERE slug = ?", (page.parent,)).fetchone()
        values = Article(page.date, page.author, [], [], False, page.title, "")
        self._insert_post(
            self._next_id(page.title), "page", page.slug, values, page.content, 0, parent[0] if parent else 0
        )

    def _insert_post(
        self, post_id: int, kind: str, slug: str, article: Article, content: str, featured: int, parent: int
    ) -> None:
        author = self._users[article.author]
        comments = "open" if article.open else "closed"
        row = (post_id, kind, slug, article.title, content, article.lead, "publish", comments, author, parent)
        self._db.execute(
            f"INSERT INTO posts VALUES ({', '.join('?' * 15)})", (*row, 0, featured, 0, article.date, article.date)
        )
