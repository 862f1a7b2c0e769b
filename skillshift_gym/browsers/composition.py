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
    elements = list(loaded.elements)
    parent = _container(loaded)
    shift = len(elements)
    sids = dict(loaded.sids)
    roots = [child for holder in added.child_elements(0) for child in added.child_elements(holder.index)]
    _extend(elements, parent, roots, added)
    moved = {e.index: shift + place for place, e in enumerate(_subtrees(added, roots))}
    sids.update({moved[index]: sid for index, sid in added.sids.items() if index in moved})
    return Document(loaded.url, elements, sids)


def _container(loaded: Document) -> int:
    """Returns the body, or the root when elements follow the body."""
    bodies = loaded.tagged("body")
    return bodies[0].index if bodies and bodies[0].end == len(loaded) else 0


def _subtrees(document: Document, roots: list[Element]) -> list[Element]:
    return [e for root in roots for e in (root, *document.descendants(root.index))]


def _extend(elements: list[Element], parent: int, roots: list[Element], added: Document) -> None:
    """Appends the subtrees of another document, as the last children of an element."""
    shift = len(elements)
    chosen = _subtrees(added, roots)
    moved = {e.index: shift + place for place, e in enumerate(chosen)}
    for source in chosen:
        copy = Element(moved[source.index], source.tag, source.attrs, moved.get(source.parent, parent))
        copy.children = [moved[c] if isinstance(c, int) else c for c in source.children]
        copy.end = copy.index + source.end - source.index
        elements.append(copy)
    holder = parent
    while holder >= 0:
        old = elements[holder]
        elements[holder] = grown = Element(old.index, old.tag, old.attrs, old.parent)
        grown.children = [*old.children, *(moved[r.index] for r in roots)] if holder == parent else old.children
        grown.end = len(elements)
        holder = old.parent
