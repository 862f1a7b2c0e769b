"""The source version: a classic magazine theme, after News Portal."""

from __future__ import annotations

from pathlib import Path

from ..theme import Theme

THEME = Theme(Path(__file__).parent, "news-portal", featured=4)
