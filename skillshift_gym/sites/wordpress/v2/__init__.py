"""The target version: a block theme, after Twenty Twenty-Four."""

from __future__ import annotations

from pathlib import Path

from ..theme import Theme

THEME = Theme(Path(__file__).parent, "twentytwentyfour")
