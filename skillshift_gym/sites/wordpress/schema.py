"""Tables of the blog, and which of their columns tasks may judge.

The shape follows WordPress: posts and pages share a table, categories and tags are terms of two taxonomies.
Dates are ISO strings in the site's local time, without zone: `2024-03-15T09:30:00`.
"""

from __future__ import annotations

from datetime import datetime

EPOCH = datetime(2025, 12, 1, 9, 0, 0)

SCHEMA = """
CREATE TABLE users (
    id INTEGER PRIMARY KEY, login TEXT UNIQUE, name TEXT, slug TEXT UNIQUE, email TEXT, url TEXT, description TEXT,
    role TEXT
);
CREATE TABLE terms (
    id INTEGER PRIMARY KEY, taxonomy TEXT, name TEXT, slug TEXT, description TEXT, parent INTEGER,
    UNIQUE (taxonomy, slug)
);
CREATE TABLE media (
    id INTEGER PRIMARY KEY, slug TEXT UNIQUE, title TEXT, alt_text TEXT, caption TEXT, file TEXT, mime_type TEXT,
    width INTEGER, height INTEGER, author_id INTEGER, date TEXT, post_id INTEGER, motif TEXT
);
CREATE TABLE posts (
    id INTEGER PRIMARY KEY, type TEXT, slug TEXT, title TEXT, content TEXT, excerpt TEXT, status TEXT,
    comment_status TEXT, author_id INTEGER, parent INTEGER, menu_order INTEGER, featured_media INTEGER,
    sticky INTEGER, date TEXT, modified TEXT, UNIQUE (type, slug)
);
CREATE INDEX posts_by_date ON posts (type, status, date DESC, id DESC);
CREATE TABLE post_terms (
    id INTEGER PRIMARY KEY, post_id INTEGER, term_id INTEGER, UNIQUE (post_id, term_id)
);
CREATE INDEX post_terms_by_term ON post_terms (term_id, post_id);
CREATE TABLE comments (
    id INTEGER PRIMARY KEY, post_id INTEGER, parent INTEGER, author_name TEXT, author_email TEXT, author_url TEXT,
    content TEXT, status TEXT, user_id INTEGER, date TEXT
);
CREATE INDEX comments_by_post ON comments (post_id, status, date, id);
CREATE TABLE options (id INTEGER PRIMARY KEY, name TEXT UNIQUE, value TEXT);
CREATE TABLE application_passwords (id INTEGER PRIMARY KEY, user_id INTEGER, name TEXT, hash TEXT);
"""

BUSINESS = {
    "comments": ("post_id", "parent", "author_name", "author_email", "author_url", "content", "status", "user_id"),
    "media": ("slug", "title", "alt_text", "caption", "file", "post_id"),
    "options": ("name", "value"),
    "post_terms": ("post_id", "term_id"),
    "posts": (
        "type",
        "slug",
        "title",
        "content",
        "excerpt",
        "status",
        "comment_status",
        "author_id",
        "parent",
        "featured_media",
        "sticky",
        "date",
    ),
    "terms": ("taxonomy", "name", "slug", "description", "parent"),
    "users": ("login", "name", "slug", "email", "url", "description", "role"),
}
