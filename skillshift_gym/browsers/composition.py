"""Documents made of a loaded one: under another fragment, and with an overlay at the end of the body."""

from __future__ import annotations

from ..document import Document, Element, parse_document
from .derived import FACTS, Recent, facts_of

_KEPT = 16
_STORE = "browsers.composed"


def composed(loaded: Document, url: str, overlay: str) -> Document:
    """Returns the document as shown: indices of the loaded elements are the same in every form of it.

    Args:
        loaded: The document as the site sent it.
        url: Address to show it under.
        overlay: HTML whose elements follow all others, empty for none.
    """
    if not overlay and url == loaded.url:
        return loaded
    store: Recent[tuple[str, str], Document] | None = loaded.memo.get(_STORE)
    if store is None:
        store = loaded.memo[_STORE] = Recent(_KEPT)
    return store.get((url, overlay), lambda: _compose(loaded, url, overlay))


def _compose(loaded: Document, url: str, overlay: str) -> Document:
    if overlay and url != loaded.url:
        return _compose(composed(loaded, loaded.url, overlay), url, "")
    if overlay:
        return _with_overlay(loaded, overlay)
    twin = Document(url, loaded.elements, loaded.sids)
    twin.memo[FACTS] = facts_of(loaded)
    return twin


def _with_overlay(loaded: Document, overlay: str) -> Document:
    added = parse_document(overlay, loaded.url)
    roots = [child for holder in added.child_elements(0) for child in added.child_elements(holder.index)]
    subtrees = [e for root in roots for e in (root, *added.descendants(root.index))]
    places = {e.index: len(loaded) + place for place, e in enumerate(subtrees)}
    holder = _holder(loaded)
    elements = [*loaded.elements, *(_moved(e, places, holder) for e in subtrees)]
    _grow(elements, holder, [places[root.index] for root in roots])
    sids = loaded.sids | {places[index]: sid for index, sid in added.sids.items() if index in places}
    return Document(loaded.url, elements, sids)


def _holder(loaded: Document) -> int:
    """Returns the body, or the root when elements follow the body."""
    bodies = loaded.tagged("body")
    return bodies[0].index if bodies and bodies[0].end == len(loaded) else 0


def _moved(source: Element, places: dict[int, int], holder: int) -> Element:
    """Returns an element as a part of another document."""
    element = Element(places[source.index], source.tag, source.attrs, places.get(source.parent, holder))
    element.children = [places[child] if isinstance(child, int) else child for child in source.children]
    element.end = element.index + source.end - source.index
    return element


def _grow(elements: list[Element], holder: int, children: list[int]) -> None:
    """Gives an element more children at the end; it and its ancestors are replaced, not changed."""
    while holder >= 0:
        old = elements[holder]
        elements[holder] = grown = Element(old.index, old.tag, old.attrs, old.parent)
        grown.children, grown.end = [*old.children, *children], len(elements)
        holder, children = old.parent, []
