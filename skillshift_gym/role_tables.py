"""Roles that follow from the tag or the input type alone.

Source: "HTML Accessibility API Mappings 1.0", section 3.5.
"""

from __future__ import annotations

GENERIC = "generic"
NONE = "none"

BY_TAG = {
    "article": "article",
    "b": GENERIC,
    "blockquote": "blockquote",
    "button": "button",
    "caption": "caption",
    "code": "code",
    "datalist": "listbox",
    "dd": "definition",
    "del": "deletion",
    "address": "group",
    "details": "group",
    "dialog": "dialog",
    "dt": "term",
    "em": "emphasis",
    "fieldset": "group",
    "figure": "figure",
    "form": "form",  # named or not, as in Chromium's tree
    "h1": "heading",
    "h2": "heading",
    "h3": "heading",
    "h4": "heading",
    "h5": "heading",
    "h6": "heading",
    "hr": "separator",
    "ins": "insertion",
    "legend": "legend",
    "li": "listitem",
    "main": "main",
    "mark": "mark",
    "menu": "list",
    "meter": "meter",
    "nav": "navigation",
    "ol": "list",
    "optgroup": "group",
    "option": "option",
    "output": "status",
    "p": "paragraph",
    "progress": "progressbar",
    "search": "search",
    "strong": "strong",
    "sub": "subscript",
    "sup": "superscript",
    "table": "table",
    "tbody": "rowgroup",
    "textarea": "textbox",
    "tfoot": "rowgroup",
    "thead": "rowgroup",
    "time": "time",
    "tr": "row",
    "ul": "list",
}
BY_INPUT_TYPE = {
    "button": "button",
    "checkbox": "checkbox",
    "color": "button",
    "file": "button",
    "hidden": NONE,
    "image": "button",
    "number": "spinbutton",
    "radio": "radio",
    "range": "slider",
    "reset": "button",
    "search": "searchbox",
    "submit": "button",
}
