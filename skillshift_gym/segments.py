"""Text with holes: what stays the same is joined once, what changes with the state of a page is filled in."""

from __future__ import annotations

from collections.abc import Callable, Sequence

# Pieces stay short, so that one odd character does not double the memory of a whole page's text.
_PIECE = 4_096


class Segments:
    """A text of fixed pieces and holes.

    Attributes:
        pieces: Fixed text (str) or the key of a hole (int), in order.
    """

    def __init__(self) -> None:
        self.pieces: list[str | int] = []
        self._open: list[str] = []
        self._length = 0

    def text(self, text: str) -> None:
        """Adds fixed text."""
        self._open.append(text)
        self._length += len(text)
        if self._length > _PIECE:
            self.close()

    def hole(self, key: int) -> None:
        """Adds a hole."""
        self.close()
        self.pieces.append(key)

    def close(self) -> Segments:
        """Joins the fixed text added last and returns the segments."""
        if self._open:
            self.pieces.append("".join(self._open))
            self._open.clear()
            self._length = 0
        return self

    def values(self, value: Callable[[int], str]) -> tuple[str, ...]:
        """Returns the text of every hole, in order."""
        return tuple([value(piece) for piece in self.pieces if not isinstance(piece, str)])

    def fill(self, values: Sequence[str]) -> str:
        """Returns the whole text, the holes filled with `values` in order."""
        rest = iter(values)
        return "".join([piece if isinstance(piece, str) else next(rest) for piece in self.pieces])
