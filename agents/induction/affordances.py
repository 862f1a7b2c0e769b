"""What a site lets a user do, read from its pages: places to go to, kinds of pages, questions, entities, deeds.

Nothing of a task is read, and no name of a site is known. Words come from headings, labels and buttons; values are those that
the pages show.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from skillshift_gym.agents.induction.binding import DAY, MONTH, SLUG, Input, slug_of
from skillshift_gym.agents.induction.site_forms import (
    Field,
    Form,
    Link,
    column_of,
    rows_of,
    singular,
    skeleton,
    text_at,
    topic,
)
from skillshift_gym.months import MONTHS
from skillshift_gym.page import Page
from skillshift_gym.reading import words
from skillshift_gym.skills.addresses import stable_parts
from skillshift_gym.skills.naming import slug
from skillshift_gym.vocabulary import UI_WORDS, stems

_FEW = 3  # pages of a kind, keys of an entity
_MOST_INPUTS = 24
_LISTED = 60  # pages of a kind that are named one by one
_AGREE = 0.8  # share of a kind's pages whose address follows from their label
_MONTH = re.compile(r"(" + "|".join(MONTHS) + r") (\d{4})")
_LEAVES = UI_WORDS["leave"] - {"reset"}
_BREAKS = frozenset(["log", "logout", "login", "password", "sign"])


class Route(NamedTuple):
    """A kind of pages whose address follows from what they are called.

    Attributes:
        about: What a page of the kind is called, such as `category`.
        address: The address with `{name}`.
        parameter: The input that tells which.
        examples: Label -> path, of pages seen.
        pattern: The address with the gap that tells what kind of label fills it.
        abouts: All that a page of the kind is called on the site, `about` first.
    """

    about: str
    address: str
    parameter: Input
    examples: tuple[tuple[str, str], ...]
    pattern: str
    abouts: tuple[str, ...]


class Entities(NamedTuple):
    """A list of entities that a form narrows down, each of which can be opened.

    Attributes:
        about: What one is called, such as `order`.
        keys: Inputs that tell which, as the list's filters.
        rows: Values of the keys, row by row, as far as rows have all of them.
    """

    about: str
    keys: tuple[Input, ...]
    rows: tuple[tuple[str, ...], ...]


def leaves(text: str) -> bool:
    """Tells whether a link or button would end the session: such candidates are left out."""
    return not _BREAKS.isdisjoint(words(text))


def removes(text: str) -> bool:
    """Tells whether a button takes something away for good."""
    return not _LEAVES.isdisjoint(words(text))


def menu_words(page: Page, index: int) -> str:
    """Returns what the outermost folded part that a link stands in is called, empty without one."""
    parts = [e for e in page.document.ancestors(index) if e.tag == "details"]
    heads = [c for c in page.document.child_elements(parts[-1].index) if c.tag == "summary"] if parts else []
    return text_at(page, heads[0].index) if heads else ""


def routes_of(links: Iterable[tuple[str, str]]) -> list[Route]:
    """Returns the kinds of pages among links: those whose address can be told from a label.

    Args:
        links: Label and path of all links seen.
    """
    kinds: dict[str, dict[str, dict[str, None]]] = {}
    for label, path in links:
        for kind in _kinds(path):
            kinds.setdefault(kind, {}).setdefault(path, {})[label] = None
    found = [
        r for kind, paths in sorted(kinds.items()) if len(paths) >= _FEW and (r := _route(kind, paths)) is not None
    ]
    heads = [head for r in found if (head := r.address.partition("{")[0]) != "/"]
    return [r for r in found if not any(r.address.startswith(h) and r.address.partition("{")[0] != h for h in heads)]


def kind_of(path: str, routes: Iterable[Route]) -> Route | None:
    """Returns the kind that a path is of, None when it is of none."""
    kinds = _kinds(path)
    return next((r for r in routes if r.pattern in kinds), None)


def _kinds(path: str) -> list[str]:
    """Returns the addresses with a gap that a path may be one of."""
    parts = [p for p in path.split("/") if p]
    if re.fullmatch(r"/\d{4}/\d{2}/", path):
        return ["/{month}/"]
    if not parts or not path.endswith("/"):
        return []
    middle = "/".join(parts[:-1])
    if parts[-1].isdigit():
        return [f"/{middle}/{{number}}/".replace("//", "/")]
    return [f"/{parts[0]}/{{name}}/"] if len(parts) > 1 else ["/{name}/"]


def _route(kind: str, paths: Mapping[str, Mapping[str, None]]) -> Route | None:
    examples = {path: label for path, labels in paths.items() if (label := _telling(kind, path, labels))}
    if len(examples) < _AGREE * len(paths) or len(examples) < _FEW:
        return None
    name = re.findall(r"\{(\w+)\}", kind)[0]
    before = [p for p in kind.split("{")[0].split("/") if p]
    about = singular(before[-1]) if before else {"month": "archive"}.get(name, "article")
    samples = tuple(examples.values())[:_MOST_INPUTS]
    label = "page" if name == "number" else "month" if name == "month" else about
    form = {"month": MONTH, "name": SLUG}.get(name, "")
    listed = tuple((v, slug_of(v)) for v in examples.values()) if form == SLUG and len(examples) <= _LISTED else ()
    one = Input(slug(label, (), "value"), label, form, choices=listed, samples=samples)
    shown = tuple((v, k) for k, v in examples.items())
    return Route(about, kind.replace(f"{{{name}}}", f"{{{one.name}}}"), one, shown, kind, (about,))


def _telling(kind: str, path: str, labels: Iterable[str]) -> str:
    """Returns the label that an address follows from, empty when none does."""
    last = [p for p in path.split("/") if p][-1]
    for label in (re.sub(r" \([^()]*\)$", "", x) for x in labels):
        month = _MONTH.fullmatch(label)
        if "{month}" in kind and month and path == f"/{month[2]}/{MONTHS.index(month[1]) + 1:02d}/":
            return label
        if "{number}" in kind and words(label)[-1:] == (last,) and len(words(label)) < _FEW:
            return last
        if "{name}" in kind and slug_of(label) == last:
            return label
    return ""


def inputs_of(form: Form, page: Page, *, keys: Sequence[str] = ()) -> list[Input]:
    """Returns the inputs of a form, named after their labels; those without a label are left out.

    Args:
        form: The form.
        page: The page that it stands on.
        keys: Names of fields that tell which entity is meant.
    """
    rows, found = rows_of(page, form) if form.query else [], list[Input]()
    for field in form.fields:
        if not words(field.label) or len(found) >= _MOST_INPUTS:
            continue
        name = slug(field.label, [i.name for i in found], "value")
        found.append(_input(field, name, page, rows, keys))
    return found


def _input(field: Field, name: str, page: Page, rows: Sequence[Sequence[int]], keys: Sequence[str]) -> Input:
    column = column_of(page, field)
    cells = [text_at(page, row[column]) for row in rows if 0 <= column < len(row)]
    samples = tuple(dict.fromkeys(c for c in cells if c))[:_MOST_INPUTS]
    dated = bool(field.hint) or any(
        re.match(rf"(?:{'|'.join(m[:3] for m in MONTHS)})[a-z]* \d+, \d{{4}}", s) for s in samples
    )
    return Input(
        name, field.label, DAY if dated else "", field.required and not field.value, field.value, field.options, () if dated else samples,
        field.name, field.name in keys, field.many,
    )  # fmt: skip


def entities_of(form: Form, page: Page, about: str) -> Entities | None:
    """Returns the entities of a list, None when its rows cannot be told apart or opened."""
    rows = rows_of(page, form)
    opened = [row for row in rows if link_in(page, row) >= 0]
    if len(opened) < _FEW:
        return None
    plain = [f for f in form.fields if f.tag == "input" and not _is_end(f.label) and not f.hint and words(f.label)]
    columns = {
        f.name: [text_at(page, row[column_of(page, f)]) for row in opened]
        for f in plain
        if 0 <= column_of(page, f) < len(opened[0])
    }
    telling = [n for n, cells in columns.items() if all(cells) and len(set(cells)) >= 0.9 * len(cells)][:_FEW]
    if not telling:
        return None
    keys = [i._replace(required=False) for i in inputs_of(form, page, keys=telling) if i.field in telling]
    return Entities(about, tuple(keys), tuple(zip(*(columns[n] for n in telling), strict=True)))


def _is_end(label: str) -> bool:
    return words(label)[-1:] in (("from",), ("to",))


def link_in(page: Page, row: Sequence[int]) -> int:
    """Returns the index of the last visible link in a row, -1 without one."""
    found = [
        e.index
        for cell in row
        for e in page.document.descendants(cell)
        if e.tag == "a" and page.outline.rendered[e.index]
    ]
    return found[-1] if found else -1


def plain_topics(heading: str, link: Link | None, menu: str, below: Sequence[str] = ()) -> list[str]:
    """Returns what a page is about in words: by its headings, by the link to it, and by that link with its menu."""
    found = [topic(heading), *(topic(h) for h in below if stems(topic(heading)) < stems(h))]
    if link is not None:
        found.append(topic(link.label))
        if stems(singular(menu)) & stems(heading) and not stems(singular(menu)) & stems(link.label):
            found.append(f"{topic(link.label)} {singular(menu.lower())}")
    return [t for t in dict.fromkeys(found) if t]


def family(path: str) -> str:
    """Returns what links of one kind share: the path without numbers, what is made anew each session, and its last part."""
    parts = skeleton("/" + "/".join(stable_parts(path)) + "/").split("/")[1:-1]
    return "/".join([*parts[:-1], "*"])
