"""Text as WordPress treats it: slugs, excerpts and paragraphs."""

from __future__ import annotations

import html
import re
import unicodedata

EXCERPT_WORDS = 55
_TAG = re.compile(r"<[^>]*>")
_FIGURE = re.compile(r"<figure\b.*?</figure>", re.DOTALL)


def slugify(text: str) -> str:
    """Returns the slug of a title or name: lower-case ASCII words joined by hyphens."""
    plain = unicodedata.normalize("NFKD", text.replace("’", "").replace("'", "")).encode("ascii", "ignore").decode()
    return "-".join(re.findall(r"[a-z0-9]+", plain.replace("&", " ").lower()))


def strip_tags(markup: str) -> str:
    """Returns the text of a piece of HTML without its figures, white space collapsed."""
    return " ".join(html.unescape(_TAG.sub(" ", _FIGURE.sub(" ", markup))).split())


def excerpt(markup: str) -> str:
    """Returns the excerpt that stands in where none was written: the first words of the content."""
    words = strip_tags(markup).split()
    return " ".join(words[:EXCERPT_WORDS]) + (" […]" if len(words) > EXCERPT_WORDS else "")


def paragraphs(text: str) -> str:
    """Returns plain text as HTML paragraphs: blank lines part them, single line ends are kept."""
    blocks = [block.strip() for block in re.split(r"\n\s*\n", text.replace("\r\n", "\n")) if block.strip()]
    return "\n".join(f"<p>{html.escape(block, quote=False)}</p>".replace("\n", "<br />\n") for block in blocks)
