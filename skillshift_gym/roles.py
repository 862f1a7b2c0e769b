"""Roles of HTML elements, by the HTML Accessibility API Mappings and WAI-ARIA.

Sources: "HTML Accessibility API Mappings 1.0", section 3.5 (element mappings); "WAI-ARIA 1.2", section 5.3.
"""

from __future__ import annotations

from collections.abc import Callable

from .document import Document, Element
from .role_tables import BY_INPUT_TYPE, BY_TAG, GENERIC, NONE

NAME_FROM_CONTENT = frozenset(
    [
        "button",
        "cell",
        "checkbox",
        "columnheader",
        "gridcell",
        "heading",
        "link",
        "menuitem",
        "menuitemcheckbox",
        "menuitemradio",
        "option",
        "radio",
        "rowheader",
        "switch",
        "tab",
        "tooltip",
        "treeitem",
    ]
)
INTERACTIVE = frozenset(
    [
        "button",
        "checkbox",
        "combobox",
        "link",
        "listbox",
        "menuitem",
        "menuitemcheckbox",
        "menuitemradio",
        "option",
        "radio",
        "searchbox",
        "slider",
        "spinbutton",
        "switch",
        "tab",
        "textbox",
        "treeitem",
    ]
)
LANDMARKS = frozenset(["banner", "complementary", "contentinfo", "form", "main", "navigation", "region", "search"])

# Roles that structure prose: their content is shown, they get no line of their own.
TRANSPARENT = frozenset(
    [
        "generic",
        "none",
        "presentation",
        "paragraph",
        "strong",
        "emphasis",
        "code",
        "deletion",
        "insertion",
        "subscript",
        "superscript",
        "time",
        "mark",
        "rowgroup",
        "term",
        "definition",
        "caption",
        "legend",
    ]
)
_VALID_ROLES = (
    NAME_FROM_CONTENT
    | INTERACTIVE
    | LANDMARKS
    | TRANSPARENT
    | frozenset(
        [
            "alert",
            "alertdialog",
            "application",
            "article",
            "blockquote",
            "dialog",
            "directory",
            "document",
            "feed",
            "figure",
            "grid",
            "group",
            "img",
            "image",
            "list",
            "listitem",
            "log",
            "marquee",
            "math",
            "menu",
            "menubar",
            "meter",
            "note",
            "progressbar",
            "radiogroup",
            "scrollbar",
            "separator",
            "status",
            "table",
            "tablist",
            "tabpanel",
            "timer",
            "toolbar",
            "tree",
            "treegrid",
        ]
    )
)
_GLOBAL_ARIA = ("aria-label", "aria-labelledby", "aria-describedby", "aria-live", "aria-current", "aria-controls")
_SECTIONING = ("article", "aside", "main", "nav", "section")


def role_of(document: Document, element: Element) -> str:
    """Returns the element's role: its valid `role` attribute, else the role of its HTML semantics."""
    explicit = element.attrs.get("role")
    if explicit:
        for token in explicit.lower().split():
            if token in ("none", "presentation"):
                return native_role(document, element) if _keeps_semantics(document, element) else NONE
            if token in _VALID_ROLES:
                return "img" if token == "image" else token
    return native_role(document, element)


def native_role(document: Document, element: Element) -> str:
    """Returns the role of the element's HTML semantics."""
    special = _SPECIAL.get(element.tag)
    return special(document, element) if special else BY_TAG.get(element.tag, GENERIC)


def roles_of(document: Document, rendered: bytes) -> list[str]:
    """Returns the role of every element, an empty one where it is not rendered."""
    roles = []
    for element, shown in zip(document.elements, rendered, strict=True):
        if not shown:
            roles.append("")
        elif element.attrs or element.tag in _SPECIAL:
            roles.append(role_of(document, element))
        else:
            roles.append(BY_TAG.get(element.tag, GENERIC))
    return roles


def is_focusable(element: Element) -> bool:
    """Tells whether the element can take the focus when it is rendered and enabled."""
    if element.tag in ("a", "area"):
        return "href" in element.attrs or "tabindex" in element.attrs
    if element.tag == "input":
        return element.attrs.get("type", "").lower() != "hidden"
    return element.tag in ("button", "select", "textarea", "summary") or "tabindex" in element.attrs


def _keeps_semantics(document: Document, element: Element) -> bool:
    return is_focusable(element) or any(name in element.attrs for name in _GLOBAL_ARIA)


def _is_named(element: Element) -> bool:
    return any(element.attrs.get(name, "").strip() for name in ("aria-label", "aria-labelledby", "title"))


def _link(document: Document, element: Element) -> str:
    return "link" if "href" in element.attrs else GENERIC


def _input(document: Document, element: Element) -> str:
    kind = element.attrs.get("type", "text").lower()
    role = BY_INPUT_TYPE.get(kind, "textbox")
    if role in ("textbox", "searchbox") and kind in ("text", "search", "tel", "url", "email", ""):
        options = document.ids.get(element.attrs.get("list", ""))
        if options is not None and document[options].tag == "datalist":
            return "combobox"
    return role


def _select(document: Document, element: Element) -> str:
    size = element.attrs.get("size", "")
    return "listbox" if "multiple" in element.attrs or (size.isdigit() and int(size) > 1) else "combobox"


def _image(document: Document, element: Element) -> str:
    return NONE if element.attrs.get("alt") == "" and not _is_named(element) else "img"


def _page_landmark(role: str) -> Callable[[Document, Element], str]:
    def role_in_scope(document: Document, element: Element) -> str:
        nested = any(a.tag in _SECTIONING for a in document.ancestors(element.index))
        return GENERIC if nested else role

    return role_in_scope


def _aside(document: Document, element: Element) -> str:
    nested = any(a.tag in ("article", "aside", "nav", "section") for a in document.ancestors(element.index))
    return GENERIC if nested and not _is_named(element) else "complementary"


def _named(role: str) -> Callable[[Document, Element], str]:
    return lambda document, element: role if _is_named(element) else GENERIC


def _summary(document: Document, element: Element) -> str:
    if element.parent < 0 or document[element.parent].tag != "details":
        return GENERIC
    first = next((e for e in document.child_elements(element.parent) if e.tag == "summary"), None)
    return "button" if first is element else GENERIC


def _header_cell(document: Document, element: Element) -> str:
    scope = element.attrs.get("scope", "").lower()
    if scope in ("row", "rowgroup"):
        return "rowheader"
    section = document[document[element.parent].parent].tag if element.parent >= 0 else ""
    row = document.child_elements(element.parent) if element.parent >= 0 else []
    in_data_row = section == "tbody" and any(e.tag == "td" for e in row)
    return "rowheader" if in_data_row and not scope else "columnheader"


def _data_cell(document: Document, element: Element) -> str:
    by_row: dict[int, str] = document.memo.setdefault("cell roles", {})  # the cells of a row share it
    role = by_row.get(element.parent)
    if role is None:
        table = document.closest(element.index, "table")
        role = "gridcell" if table and table.attrs.get("role") in ("grid", "treegrid") else "cell"
        by_row[element.parent] = role
    return role


_SPECIAL: dict[str, Callable[[Document, Element], str]] = {
    "a": _link,
    "area": _link,
    "aside": _aside,
    "footer": _page_landmark("contentinfo"),
    "header": _page_landmark("banner"),
    "img": _image,
    "input": _input,
    "section": _named("region"),
    "select": _select,
    "summary": _summary,
    "td": _data_cell,
    "th": _header_cell,
}
