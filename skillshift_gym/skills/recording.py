"""What a recorder writes down of an element, and of an answer that a page shows."""

from __future__ import annotations

import re
from dataclasses import replace

from .finder import Finder
from .healing import near
from .locator import MAX_TEXT, Locator
from .program import Act, Let, Name, Read, Statement, Target, Text
from .templates import literal

_FIELDS = {"test id": "test_id", "id": "id", "name": "name", "css": "css", "xpath": "xpath"}

_LEFT_OVER = 3


def locator_of(finder: Finder, index: int) -> Locator:
    """Returns the locator of a visible element: every mark that finds it and no other, and what healing compares."""
    page = finder.page
    marks = finder.record(index)
    element = page.element(index)
    texts = {_FIELDS[kind]: mark.text for kind, mark in marks.items() if kind in _FIELDS}
    role = marks.get("role+name")
    nth = -1
    if role is not None:
        texts |= {"role": role.role, "label": role.text}
        nth = role.nth if len(finder.named(role.role, role.text)) > 1 else -1
    texts |= {"tag": element.tag, "classes": element.attrs.get("class", ""), "href": element.attrs.get("href", "")}
    texts |= {"near": near(finder, index), "sid": page.document.sids.get(index, "")}
    short = {key: literal(text) for key, text in texts.items() if len(text) < MAX_TEXT // 2}
    return Locator(nth=nth, **short)


def reading_of(finder: Finder, answer: str) -> list[Statement]:
    """Returns what reads the parts of an answer from a page and says them; nothing when the page does not show them.

    A part is the whole text of one innermost element, or the value of one control. Of the letters of the answer, no more
    than a few may be left over.
    """
    parts = sorted(
        ((text, place) for text, place in _shown(finder).items() if place is not None),
        key=lambda p: (-len(p[0]), p[1][1]),
    )
    left = literal(answer)
    reads: list[Let] = []
    for text, (kind, index) in parts:
        match = re.search(rf"(?<![\w{{]){re.escape(literal(text))}(?![\w}}])", left)
        if match is None:
            continue
        name = f"answer_{len(reads) + 1}"
        locator = locator_of(finder, index)
        if kind == "text":
            locator = replace(locator, role="", label="", nth=-1)  # its name is the answer
        reads.append(Let(name, Read(kind, Target(locator))))
        left = f"{left[: match.start()]}{{{name}}}{left[match.end() :]}"
    if not reads or len(re.findall(r"\w", re.sub(r"\{\w+\}", "", left))) > _LEFT_OVER:
        return []
    if left == "{answer_1}":
        return [replace(reads[0], name="answer"), Act("say", None, (Name("answer"),))]
    return [*reads, Act("say", None, (Text(left),))]


def _shown(finder: Finder) -> dict[str, tuple[str, int] | None]:
    """Returns text -> how and where the page shows it, None where several elements say the same."""
    page, document = finder.page, finder.page.document
    main = {i for m in finder.named("main") for i in (m, *(e.index for e in document.descendants(m)))}
    found: dict[str, list[tuple[str, int]]] = {}
    for element in page.interactive:
        if element.value and element.role != "option":
            found.setdefault(element.value, []).append(("value", int(element.bid)))
    for node in document.elements:
        if page.outline.rendered[node.index] and node.tag != "option" and not document.child_elements(node.index):
            text = " ".join(document.text(node.index).split())
            found.setdefault(text, []).append(("text", node.index))
    return {text: _only(places, main) for text, places in found.items() if len(text) > 1}


def _only(places: list[tuple[str, int]], main: set[int]) -> tuple[str, int] | None:
    """Returns the one place, the one control, or the one in the main content; None when there are several."""
    for chosen in (places, [p for p in places if p[0] == "value"], [p for p in places if p[1] in main]):
        if len(chosen) == 1:
            return chosen[0]
    return None
