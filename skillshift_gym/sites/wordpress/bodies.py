"""Composes what was not written by hand for one article: the rest of a body, and readers' comments.

Everything comes from hand-written pools and is drawn by keyed hash, so the same article always gets the same text.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape

from ..draws import choice, draw, number, sample
from .content import Article, tables

_SLOT = re.compile(r"\{(\w+)\}")
Pools = Mapping[str, Sequence[str]]


def fill(text: str, key: str) -> str:
    """Returns a text with its slots filled; equal slots of one text get different values."""
    slots = _slots()
    unused: dict[str, list[str]] = {}

    def value(match: re.Match[str]) -> str:
        name = match[1]
        left = unused.setdefault(name, list(slots[name]))
        word = draw(f"{key}:{name}:{len(left)}", left)
        return word[0].upper() + word[1:] if _begins_sentence(text, match.start()) else word

    return _SLOT.sub(value, text)


def compose(article: Article, paragraphs: Sequence[str], figures: Sequence[str]) -> str:
    """Returns the HTML body of an article: the lead, its figures and drawn paragraphs.

    Args:
        article: The article.
        paragraphs: Pool of its category.
        figures: HTML of its images, in order.
    """
    key, general = article.title, _general()
    own = sample(f"{key}:own", paragraphs, 1 + number(f"{key}:count", 2))
    other = sample(f"{key}:middle", general["middle"], 1 + number(f"{key}:more", 2))
    blocks = [_p(article.lead)]
    blocks += [_p(fill(text, f"{key}:{text}")) for text in _interleaved(own, other)]
    blocks[-1:-1] = _extras(key, general)
    if number(f"{key}:end", 3):
        blocks.append(_p(fill(choice(f"{key}:close", general["end"]), f"{key}:close")))
    for position, figure in zip((1, 3), figures, strict=False):
        blocks.insert(position, figure)
    return "\n".join(blocks)


def remark(key: str, pools: Pools, kind: str, topical: Sequence[str] = ()) -> str:
    """Returns one comment.

    Args:
        key: Names the comment.
        pools: Sentences by kind.
        kind: The pool of the first sentence.
        topical: Sentences about the subject, sometimes put first or added.
    """
    pool = topical if topical and number(f"{key}:topic", 5) < 2 else pools[kind]
    sentences = [choice(f"{key}:first", pool)]
    if number(f"{key}:long", 3) < (1 if "{" in sentences[0] else 2):
        sentences.append(choice(f"{key}:more", pools["more"]))
    if topical and number(f"{key}:longer", 6) == 0:
        sentences += [s for s in sample(f"{key}:topics", topical, 2) if s not in sentences]
    return " ".join(fill(s, f"{key}:{i}") for i, s in enumerate(sentences))


def _begins_sentence(text: str, position: int) -> bool:
    before = text[:position].rstrip("“ ")
    return not before or before[-1] in ".!?"


def _interleaved(own: list[str], other: list[str]) -> list[str]:
    mixed = [text for pair in zip(own, other, strict=False) for text in pair]
    shorter = min(len(own), len(other))
    return mixed + own[shorter:] + other[shorter:]


def _extras(key: str, general: Pools) -> list[str]:
    """Returns what stands before the last paragraph: nothing, a quotation, or a heading with or without a list."""
    kind = number(f"{key}:extra", 5)
    heading = f"<h2>{escape(choice(f'{key}:heading', general['headings']), quote=False)}</h2>"
    if kind == 0:
        quote = fill(choice(f"{key}:quote", general["quotes"]), f"{key}:quote")
        return [f"<blockquote>{_p(quote)}</blockquote>"]
    if kind == 1:
        points = sample(f"{key}:points", general["points"], 3 + number(f"{key}:length", 2))
        items = "".join(f"<li>{escape(fill(point, f'{key}:{point}'), quote=False)}</li>" for point in points)
        return [f"{heading}\n<ul>{items}</ul>"]
    return [heading] if kind == 2 else []


def _p(text: str) -> str:
    return f"<p>{escape(text, quote=False)}</p>"


@cache
def _slots() -> Pools:
    return tables("slots")


@cache
def _general() -> Pools:
    return tables("general")
