"""The seeded comments: who says what under which post, in threads of up to three levels."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from itertools import count
from typing import NamedTuple

from ..draws import choice, number
from .bodies import fill, remark
from .content import Article, Content, cells, tables
from .operations import insert_row
from .schema import EPOCH

_DEPTH = 3
_HELD = 5
_NEWEST_POSTS_ALWAYS = 12


class _Remark(NamedTuple):
    """A comment before it has an id; `parent` is its parent's key."""

    date: str
    key: str
    parent: str
    post_id: int
    kind: str
    topical: Sequence[str]


def add(
    db: sqlite3.Connection, content: Content, published: Sequence[tuple[int, Article]], users: Mapping[str, int]
) -> None:
    """Adds the comments of all published articles, ids ascending with their dates."""
    pools = tables("comments")
    tops = {c.slug: c.parent or c.slug for c in content.categories}
    remarks: list[_Remark] = []
    for age, (post_id, article) in enumerate(reversed(published)):
        if age < _NEWEST_POSTS_ALWAYS or number(f"{article.title}:talk", 20) < 8:
            remarks += _thread(post_id, article, content.remarks[tops[article.categories[0]]])
    remarks.sort()
    ids: dict[str, int] = {}
    comment_id = 1
    for r in remarks:
        comment_id += 1 + number(r.key, 3)
        ids[r.key] = comment_id
        _insert(db, comment_id, r, ids.get(r.parent, 0), pools, users)
    _hold(db, pools, [r for r in remarks if r.kind == "first"], comment_id)


def _thread(post_id: int, article: Article, topical: Sequence[str]) -> list[_Remark]:
    """Returns the comments of one article."""
    found: list[_Remark] = []
    start = datetime.fromisoformat(article.date)

    def say(parent: str, key: str, depth: int, since: datetime) -> None:
        when = min(since + _delay(key, depth), EPOCH - timedelta(minutes=60 + number(key, 600)))
        if when <= since:
            return
        kind = "first" if depth == 1 else "desk" if number(f"{key}:desk", 9) == 0 else "replies"
        found.append(_Remark(when.isoformat(), key, parent, post_id, kind, topical if depth == 1 else ()))
        replies = number(f"{key}:replies", 3) if depth < _DEPTH else 0
        for i in range(replies if number(f"{key}:answered", 5) < 2 else 0):
            say(key, f"{key}.{i}", depth + 1, when)

    for i in range(1 + number(f"{article.title}:comments", 3)):
        say("", f"{article.title}#{i}", 1, start)
    return found


def _delay(key: str, depth: int) -> timedelta:
    """Returns how long a comment lets wait: mostly hours, sometimes days."""
    hours = number(f"{key}:hours", 20) + (number(f"{key}:days", 9) * 24 if depth == 1 else 0)
    return timedelta(hours=hours, seconds=60 + number(f"{key}:seconds", 3600))


def _insert(
    db: sqlite3.Connection,
    comment_id: int,
    r: _Remark,
    parent: int,
    pools: Mapping[str, Sequence[str]],
    users: Mapping[str, int],
) -> None:
    user_id = 0
    name, email, url = cells(choice(f"{r.key}:who", pools["commenters"]))
    if r.kind == "desk":
        user_id = choice(f"{r.key}:who", list(users.values()))
        name, email, url = db.execute("SELECT name, email, url FROM users WHERE id = ?", (user_id,)).fetchone()
    text = _new_remark(db, r, pools)
    row = {"author_name": name, "author_email": email, "author_url": url, "content": text, "user_id": user_id}
    _add(db, comment_id, r.post_id, r.date, {**row, "parent": parent, "status": "approved"})


def _add(db: sqlite3.Connection, comment_id: int, post_id: int, date: str, values: dict[str, object]) -> None:
    insert_row(db, "comments", {"id": comment_id, "post_id": post_id, "date": date, **values})


def _new_remark(db: sqlite3.Connection, r: _Remark, pools: Mapping[str, Sequence[str]]) -> str:
    """Returns what nobody has said yet: tasks find a comment by its text."""
    drawn = (remark(f"{r.key}{attempt or ''}", pools, r.kind, r.topical) for attempt in count())
    return next(t for t in drawn if not db.execute("SELECT 1 FROM comments WHERE content = ?", (t,)).fetchone())


def _hold(db: sqlite3.Connection, pools: Mapping[str, Sequence[str]], remarks: Sequence[_Remark], last_id: int) -> None:
    """Adds the newest comments, which wait for moderation and come from nobody known."""
    for i, (text, r) in enumerate(zip(pools["held"], reversed(remarks), strict=False), 1):
        row = {
            "author_name": f"Passer-by {i}",
            "author_email": f"passer-by-{i}@example.net",
            "content": fill(text, r.key),
        }
        date = (EPOCH - timedelta(minutes=30 - i)).isoformat()
        values = {**row, "author_url": "", "user_id": 0, "parent": 0, "status": "hold"}
        _add(db, last_id + i, r.post_id, date, values)
