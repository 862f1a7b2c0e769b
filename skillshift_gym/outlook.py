"""What stands where on a page: menus, folded parts, rows of tables."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache

from .reading import Reading, words
from .tables import tables_of
from .vocabulary import UI_WORDS


@lru_cache(maxsize=256)
def folded(reading: Reading) -> Mapping[str, int]:
    """Returns bid -> rank among the buttons that unfold something, in order.

    A button that is named after the link before it is left out: the link leads to what it would unfold.
    """
    pairs = zip([None, *reading.elements], reading.elements, strict=False)
    closed = [
        e["bid"]
        for before, e in pairs
        if e.get("states", {}).get("expanded") == "false"
        and not (before and before["role"] == "link" and set(words(before["name"])) < set(words(e["name"])))
    ]
    return {bid: i for i, bid in enumerate(closed)}


@lru_cache(maxsize=256)
def unfolded(reading: Reading) -> Mapping[str, frozenset[str]]:
    """Returns name of an unfolded part of a menu -> the bids inside it."""
    found: dict[str, frozenset[str]] = {}
    for e in reading.elements:
        if e.get("states", {}).get("expanded") == "true" and e["bid"] in menus(reading):
            inside = reading.bids_in(reading.parents[reading.position[e["bid"]]])
            found[e["name"]] = frozenset(inside) - {e["bid"]}
    return found


@lru_cache(maxsize=256)
def menus(reading: Reading) -> frozenset[str]:
    """Returns the bids inside navigation."""
    return reading.inside("navigation") | reading.inside("menubar")


@lru_cache(maxsize=256)
def rows_of(reading: Reading) -> Mapping[str, tuple[str, ...]]:
    """Returns bid -> cells of the table row that it stands in, rows of fields and headers left out."""
    found: dict[str, tuple[str, ...]] = {}
    for table in tables_of(reading):
        for row, start in zip(table.rows, table.positions, strict=True):
            found |= dict.fromkeys(reading.bids_in(start), row)
    return found


@lru_cache(maxsize=256)
def headers(reading: Reading) -> frozenset[str]:
    """Returns the bids inside headers of columns."""
    return reading.inside("columnheader")


@lru_cache(maxsize=256)
def form_parts(reading: Reading) -> tuple[str, ...]:
    """Returns the bids of what unfolds the parts of a form, those after the part that is unfolded first.

    A form has a button that keeps what it holds.
    """
    main = reading.main
    buttons = (e for e in reading.elements if e["role"] == "button" and e["bid"] in main)
    if all(UI_WORDS["keep"].isdisjoint(words(e["name"])[:1]) for e in buttons):
        return ()
    parts = [bid for bid in folded(reading) if bid in main]
    shown = [e["bid"] for e in reading.elements if e.get("states", {}).get("expanded") == "true" and e["bid"] in main]
    last = reading.position[shown[-1]] if shown else -1
    return tuple(sorted(parts, key=lambda bid: reading.position[bid] < last))
