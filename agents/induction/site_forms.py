"""What a page offers to those who look for procedures: its forms with their fields, its links, its lists of entities."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple
from urllib.parse import parse_qsl, urlencode, urlsplit

from skillshift_gym.browsers.structure import (
    control_type,
    form_controls,
    is_checkable,
    is_submitter,
    is_text_field,
    labels_by_control,
    option_label,
    option_value,
    options_by_select,
)
from skillshift_gym.document import Document
from skillshift_gym.page import Page
from skillshift_gym.reading import words

_HINT = re.compile(r"\bm{1,2}/d{1,2}/y{4}\b", re.IGNORECASE)
_CLOSED = ("details",)
_LANDMARKS = ("navigation", "main", "complementary", "region")


class Field(NamedTuple):
    """A field of a form.

    Attributes:
        index: Its index on the page.
        name: Its name in what is sent.
        label: Its accessible name.
        tag: `select` for a list, else what is typed into.
        value: What it holds before anyone fills it in: of a list, the label chosen.
        options: Label -> value of a list's entries, the empty one left out.
        many: Whether several entries may be chosen.
        required: Whether the page marks it as required.
        hint: How the page says that it is written, such as `m/d/yyyy`.
        opener: Index of what opens the part of the page that hides it, -1 when it is shown.
    """

    index: int  # type: ignore[assignment]  # not the method of tuples
    name: str
    label: str
    tag: str
    value: str
    options: tuple[tuple[str, str], ...]
    many: bool
    required: bool
    hint: str
    opener: int


class Form(NamedTuple):
    """A form.

    Attributes:
        index: Its index on the page.
        query: Whether it asks (the fields go into the address) rather than does.
        path: The path that it is sent to.
        hidden: Name -> value of what it sends unseen.
        fields: The fields that a user fills in.
        submit: Index of its first visible button, -1 without one.
        deed: What the button says.
    """

    index: int  # type: ignore[assignment]
    query: bool
    path: str
    hidden: tuple[tuple[str, str], ...]
    fields: tuple[Field, ...]
    submit: int
    deed: str

    @property
    def skeleton(self) -> tuple[object, ...]:
        """What tells a form from another one, whatever entity they are of."""
        return self.query, skeleton(self.path), self.deed, tuple(f.name for f in self.fields)


class Link(NamedTuple):
    """A link.

    Attributes:
        index: Its index on the page.
        label: Its accessible name, or the text inside when it is hidden.
        path: Where it leads on this site.
        shown: Whether it is visible.
        list: What the list that it stands in is called, empty without one.
    """

    index: int  # type: ignore[assignment]
    label: str
    path: str
    shown: bool
    list: str


def forms_of(page: Page) -> list[Form]:
    """Returns the forms of a page, in document order."""
    return [_form(page, form, controls) for form, controls in form_controls(page.document).items()]


def links_of(page: Page) -> list[Link]:
    """Returns the links of a page to other pages of the site, without those that only change the query."""
    here, found = urlsplit(page.url), []
    for element in page.document.tagged("a"):
        target = urlsplit(page.document.resolve(element.attrs.get("href", ""))) if "href" in element.attrs else None
        if target is None or target.netloc != here.netloc or target.path in ("", here.path) or target.query:
            continue
        shown = bool(page.outline.rendered[element.index])
        label = page.element(element.index).name or " ".join(page.document.text(element.index).split())
        around = (e.attrs["aria-label"] for e in page.document.ancestors(element.index) if "aria-label" in e.attrs)
        found.append(Link(element.index, label, target.path, shown, next(around, "")))
    return found


def part_of(page: Page, index: int) -> int:
    """Returns the landmark that an element stands in, -1 outside of all."""
    around = (e.index for e in page.document.ancestors(index) if page.outline.roles[e.index] in _LANDMARKS)
    return next(around, -1)


def heading_of(page: Page) -> str:
    """Returns the main heading of a page: the first of the first level, else the first of all."""
    found = [
        (page.element(i).states.get("level", ""), i) for i, role in enumerate(page.outline.roles) if role == "heading"
    ]
    shown = [(level, i) for level, i in found if page.outline.rendered[i]]
    first = next((i for level, i in shown if level == "1"), shown[0][1] if shown else -1)
    return page.element(first).name if first >= 0 else ""


def headings_below(page: Page) -> list[str]:
    """Returns the headings of a page's main content but for the main one."""
    found = [
        page.element(i).name for i, r in enumerate(page.outline.roles) if r == "heading" and page.outline.rendered[i]
    ]
    return [name for name in found if name != heading_of(page)]


def texts_of(page: Page) -> set[str]:
    """Returns the lines of a page's accessibility tree, without what changes with places alone."""
    return {re.sub(r"^\s*(?:\[\d+\] )?", "", line) for line in page.axtree.split("\n")}


def rows_of(page: Page, filters: Form) -> list[list[int]]:
    """Returns the rows of the table whose columns a form filters: the cells' indices, row by row, the filters left out."""
    document = page.document
    inside = [t for f in filters.fields if (t := document.closest(f.index, "table")) is not None]
    if not inside:
        return []
    own = {f.index for f in filters.fields}
    rows = [r for r in document.descendants(inside[0].index) if r.tag == "tr" and not any(i in r for i in own)]
    cells = ([c.index for c in document.child_elements(r.index) if c.tag == "td"] for r in rows)
    return [row for row in cells if len(row) > 1]


def column_of(page: Page, field: Field) -> int:
    """Returns the place of the cell that a filter stands in, -1 outside of a table."""
    cell = page.document.closest(field.index, "td", "th")
    if cell is None:
        return -1
    siblings = [c.index for c in page.document.child_elements(cell.parent)]
    return siblings.index(cell.index)


def text_at(page: Page, index: int) -> str:
    """Returns the text of an element, white space collapsed."""
    return " ".join(page.document.text(index).split())


def skeleton(path: str) -> str:
    """Returns a path with `#` for its numbers: what addresses of one kind share."""
    return re.sub(r"(?<=/)\d+(?=/|$)", "#", path)


def _form(page: Page, form: int, controls: Sequence[int]) -> Form:
    document = page.document
    element = document[form]
    target = urlsplit(document.resolve(element.attrs.get("action", "") or page.url))
    buttons = [i for i in controls if is_submitter(document[i]) and page.outline.rendered[i]]
    submit = buttons[0] if buttons else -1
    hidden = [document[i].attrs for i in controls if control_type(document[i]) == "hidden"]
    return Form(
        form,
        element.attrs.get("method", "get").lower() != "post",
        target.path,
        tuple((a.get("name", ""), a.get("value", "")) for a in hidden if a.get("name")),
        tuple(_fields(page, controls)),
        submit,
        page.element(submit).name if submit >= 0 else "",
    )


def _fields(page: Page, controls: Sequence[int]) -> Iterator[Field]:
    document = page.document
    for index in controls:
        element = document[index]
        typed = is_text_field(element) and control_type(element) != "password"
        if not (typed or element.tag == "select") or is_checkable(element) or "name" not in element.attrs:
            continue
        seen = page.element(index)
        label = seen.name or _label(page, index)
        options = tuple(_options(document, index)) if element.tag == "select" else ()
        value = seen.value if typed else _chosen(page, index)
        yield Field(
            index, element.attrs["name"], label.rstrip(" *:"), element.tag, value, options, "multiple" in element.attrs,
            "*" in label or "required" in element.attrs, _hint(page, index), _opener(page, index),
        )  # fmt: skip


def _options(document: Document, select: int) -> Iterator[tuple[str, str]]:
    for option in options_by_select(document)[select]:
        label, value = option_label(document, option), option_value(document, option)
        if label and value:
            yield label, value


def _chosen(page: Page, select: int) -> str:
    control = page.snapshot.controls.get(select)
    chosen = [option_label(page.document, i) for i in (control.selected if control else ())]
    return ", ".join(filter(None, chosen))


def _label(page: Page, index: int) -> str:
    """Returns the label of a field that is hidden, and so has no accessible name yet."""
    labels = labels_by_control(page.document).get(index, ())
    return page.document[index].attrs.get("aria-label") or next((text_at(page, label) for label in labels), "")


def _hint(page: Page, index: int) -> str:
    """Returns the hint that stands beside a field."""
    around = page.document[index].parent
    match = _HINT.search(text_at(page, around)) if around >= 0 else None
    return match.group().lower() if match else ""


def _opener(page: Page, index: int) -> int:
    """Returns the summary of the closed part that a field stands in, -1 without one."""
    if page.outline.rendered[index]:
        return -1
    for part in page.document.ancestors(index):
        if part.tag in _CLOSED and part.index not in page.snapshot.opened:
            return next((c.index for c in page.document.child_elements(part.index) if c.tag == "summary"), -1)
    return -1


def query_of(form: Form, values: Sequence[tuple[str, str]]) -> str:
    """Returns the address that a form asks for with some values; those are templates and stay as they are."""
    fixed = urlencode([(name, value) for name, value in form.hidden if value])
    return f"{form.path}?" + "&".join(filter(None, [fixed, *(f"{name}={value}" for name, value in values)]))


def asked(url: str) -> dict[str, str]:
    """Returns the query of an address."""
    return dict(parse_qsl(urlsplit(url).query, keep_blank_values=True))


def topic(text: str) -> str:
    """Returns what a heading is about: without the words that say what is done with it, or how much of it is shown."""
    kept = [w for w in re.findall(r"[\w'’#-]+", text) if w.lower() not in _AROUND]
    return " ".join(w if w.isupper() else w.lower() for w in kept)


_AROUND = frozenset(["manage", "all", "new", "add", "view", "list", "latest", "the", "of", "a", "an", "total", "your"])


def singular(text: str) -> str:
    """Returns a phrase whose last word is in the singular, roughly."""
    return re.sub(r"ies$", "y", text) if text.endswith("ies") else re.sub(r"(?<=[^s])s$", "", text)


def named(text: str) -> tuple[str, ...]:
    """Returns the words of a label that names are made of."""
    return words(text)
