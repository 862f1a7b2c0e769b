"""Scrolling without a layout: an offset between 0 and a bound that grows with the document."""

from __future__ import annotations

from .keys import Keystroke
from .live import Live

PIXELS_PER_ELEMENT = 24
_LINE, _PAGE = 40, 600
_BY_KEY = {"ArrowDown": _LINE, "ArrowUp": -_LINE, "PageDown": _PAGE, "PageUp": -_PAGE, " ": _PAGE}


def scroll_by(live: Live, delta: float) -> None:
    """Scrolls by pixels; the offset stays between 0 and 24 pixels per element of the document."""
    live.scroll_y = max(0, min(live.scroll_y + round(delta), PIXELS_PER_ELEMENT * len(live.document)))


def scroll_by_key(live: Live, stroke: Keystroke) -> None:
    """Scrolls as a key does that no control took."""
    if stroke.key in ("Home", "End"):
        scroll_by(live, -1e9 if stroke.key == "Home" else 1e9)
    elif stroke.key in _BY_KEY:
        scroll_by(live, -_PAGE if stroke.key == " " and stroke.shift else _BY_KEY[stroke.key])
