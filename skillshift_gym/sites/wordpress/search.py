"""Words to SQL: how WordPress searches posts, shared by the front ends and the REST API."""

from __future__ import annotations

import shlex


def clause(text: str) -> tuple[list[str], list[str], str, list[str]]:
    """Returns the conditions of a search with their values, and the start of its ORDER BY with its values."""
    words = _search_words(text)
    where, values = [], []
    for word in words:
        columns = ("posts.title", "posts.excerpt", "posts.content")
        if word.startswith("-") and len(word) > 1:
            where += [f"{c} NOT LIKE ? ESCAPE '\\'" for c in columns]
            values += [_like(word[1:])] * 3
        else:
            where.append("(" + " OR ".join(f"{c} LIKE ? ESCAPE '\\'" for c in columns) + ")")
            values += [_like(word)] * 3
    return where, values, *_relevance(text.strip(), [w for w in words if not w.startswith("-")])


def _search_words(text: str) -> list[str]:
    try:
        return shlex.split(text.replace("'", "\\'"))
    except ValueError:
        return text.replace('"', " ").split()


def _like(word: str) -> str:
    escaped = word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{escaped}%"


def _relevance(text: str, words: list[str]) -> tuple[str, list[str]]:
    """Returns the ORDER BY prefix of a search and its values."""
    like = "posts.title LIKE ? ESCAPE '\\'"
    if not words:
        return "", []
    if len(words) == 1:
        return f"({like}) DESC, ", [_like(words[0])]
    phrase = _like(text.replace('"', ""))
    every = " AND ".join([like] * len(words))
    some = " OR ".join([like] * len(words))
    likes = [_like(w) for w in words]
    case = (
        f"CASE WHEN {like} THEN 1 WHEN {every} THEN 2 WHEN {some} THEN 3 "
        "WHEN posts.excerpt LIKE ? ESCAPE '\\' THEN 4 WHEN posts.content LIKE ? ESCAPE '\\' THEN 5 ELSE 6 END, "
    )
    return case, [phrase, *likes, *likes, phrase, phrase]
