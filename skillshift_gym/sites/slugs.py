"""Slugs: the form in which addresses hold titles and names."""

from __future__ import annotations

import re
import unicodedata


def slugify(text: str) -> str:
    """Returns the slug of a title or name: lower-case ASCII words joined by hyphens."""
    plain = unicodedata.normalize("NFKD", text.replace("’", "").replace("'", "")).encode("ascii", "ignore").decode()
    return "-".join(re.findall(r"[a-z0-9]+", plain.lower()))
