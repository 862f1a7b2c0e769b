"""Reads the hand-written content of the shop: files of lists, a line `= name` begins a list, bars part the cells."""

from __future__ import annotations

from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent / "content"


@cache
def lists(name: str) -> dict[str, list[list[str]]]:
    """Returns the lists of a content file: list name -> rows of cells."""
    found: dict[str, list[list[str]]] = {}
    for line in (FOLDER / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if line.startswith("= "):
            current = found.setdefault(line[2:], [])
        elif line.strip():
            current.append([cell.strip() for cell in line.split("|")])
    return found


def column(name: str, part: str) -> list[str]:
    """Returns the first cells of a list."""
    return [row[0] for row in lists(name)[part]]
