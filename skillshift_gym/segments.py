"""Text with holes: what stays the same is joined once, what changes with the state of a page is filled in."""

from __future__ import annotations

from collections.abc import Callable


class Segments:
    """A text of fixed pieces and holes.

    Attributes:
        pieces: Fixed text (str) or the key of a hole (int), in order.
    """

    def __init__(self) -> None:
        self.pieces: list[str | int] = []
        self._open: list[str] = []

    def text(self, text: str) -> None:
        """Adds fixed text."""
        self._open.append(text)

    def hole(self, key: int) -> None:
        """Adds a hole."""
        self.close()
        self.pieces.append(key)

    def close(self) -> Segments:
        """Joins the fixed text added last and returns the segments."""
        if self._open:
            self.pieces.append("".join(self._open))
            self._open.clear()
        return self

    def fill(self, value: Callable[[int], str]) -> str:
        """Returns the text with every hole filled."""
        return "".join([p if isinstance(p, str) else value(p) for p in self.pieces])
