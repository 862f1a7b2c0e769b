from __future__ import annotations

import pytest

from skillshift_gym.errors import HiddenElement

SHOWN = {
    "plain": ("<p id=a><b id=b>x</b></p>", "a b"),
    "head": ("<head id=h><title id=t>x</title><meta id=m></head><p id=a>x", "a"),
    "script and style": ("<div id=a><script id=s></script><style id=t></style><template id=u></template></div>", "a"),
    "noscript": ("<noscript id=a><p id=b>x</p></noscript>", ""),
    "datalist": ("<datalist id=a><option id=b>x</datalist>", ""),
    "hidden input": ("<input type=hidden id=a><input id=b>", "b"),
    "hidden": ("<div id=a hidden><p id=b>x</p></div>", ""),
    "hidden=false": ("<p id=a hidden=false>x", ""),
    "hidden and display": ("<p id=a hidden style='display:block'>x", "a"),
    "display:none": ("<div id=a style='color:red; DISPLAY : None '><p id=b style='display:block'>x</p></div>", ""),
    "display important": ("<p id=a style='display:none !important'>x", ""),
    "last declaration": ("<p id=a style='display:none;display:block'>x", "a"),
    "visibility": (
        "<div id=a style='visibility:hidden'><p id=b>x</p><p id=c style='visibility:visible'>x</p></div>",
        "c",
    ),
    "visibility:collapse": ("<p id=a style='visibility:collapse'>x", ""),
    "visibility inside display:none": (
        "<div style='display:none'><p id=c style='visibility:visible'>x</p></div>",
        "",
    ),
    "content-visibility": ("<div id=a style='content-visibility:hidden'><p id=b>x</p></div>", "a"),
    "opacity": ("<p id=a style='opacity:0'>x", "a"),
    "inert and aria-hidden": ("<p id=a inert aria-hidden=true>x", "a"),
    "details": ("<details id=a><summary id=b><i id=c>x</i></summary><p id=d>x</p></details>", "a b c"),
    "details open": ("<details id=a open><summary id=b>x</summary><p id=d>x</p></details>", "a b d"),
    "details without summary": ("<details id=a><p id=d>x</p></details>", "a"),
    "second summary": ("<details id=a><summary id=b>x</summary><summary id=c>x</summary></details>", "a b"),
    "nested details": (
        "<details id=a open><summary id=b>x</summary><details id=c><summary id=d>x</summary><p id=e>x</p></details></details>",
        "a b c d",
    ),
    "details in closed details": (
        "<details id=a><summary id=b>x</summary><details open id=c><summary id=d>x</summary></details></details>",
        "a b",
    ),
    "dialog": ("<dialog id=a><p id=b>x</p></dialog>", ""),
    "dialog open": ("<dialog id=a open><p id=b>x</p></dialog>", "a b"),
    "popover": ("<div id=a popover><p id=b>x</p></div>", ""),
    "popover with display": ("<div id=a popover style='display:block'>x</div>", "a"),
    "area": ("<map id=a><area id=b href=/r></map>", "a"),
    "options": ("<select id=a><option id=b>x</select><select hidden><option id=c>x</select>", "a b"),
    "template element style": ("<template id=a style='display:block'></template>", "a"),
    "svg title": ("<svg id=a><title id=b>x</title></svg>", "a"),
}


@pytest.mark.parametrize(("html", "shown"), SHOWN.values(), ids=SHOWN)
def test_what_is_rendered(play, html, shown):
    assert play(html).shown == shown


def test_until_found_counts_as_not_visible(play):
    assert play("<div id=a hidden=until-found><p id=b>x</p></div>").shown == ""


CLOSED = "<details><summary id=s>x</summary><div><a id=a href=/r>x</a></div></details>"
HINTS = {
    "details": (CLOSED, "#a", "it is inside a closed details; click its summary '3' first"),
    "popover": (
        "<button popovertarget=p>x</button><div id=p popover><a id=a href=/r>x</a></div>",
        "#a",
        "is closed; click '2' to open it",
    ),
    "dialog itself": (
        "<button commandfor=p command=show-modal>x</button><dialog id=p>x</dialog>",
        "#p",
        "it is closed; click '2' to open it",
    ),
    "hidden ancestor": (
        "<div hidden><a id=a href=/r>x</a></div>",
        "#a",
        "it is inside element '2' (div), which is not",
    ),
    "label": (
        "<input type=checkbox id=c style='display:none'><label for=c>x</label>",
        "#c",
        "it is not displayed; try its label '3'",
    ),
    "visibility": ("<p style='visibility:hidden'><b id=a>x</b>", "#a", "is not displayed"),
}


@pytest.mark.parametrize(("html", "who", "message"), HINTS.values(), ids=HINTS)
def test_why_an_element_is_hidden(refuse, html, who, message):
    error, _ = refuse(html, f"click {who}")
    assert isinstance(error, HiddenElement) and message in str(error)


@pytest.mark.parametrize("action", ["hover #a", "focus #a", "press #a Enter", "dblclick #a", "Control+click #a"])
def test_hidden_elements_cannot_be_used(refuse, action):
    error, session = refuse(CLOSED, action)
    assert isinstance(error, HiddenElement) and session.sent == []


@pytest.mark.parametrize("action", ["fill #a x", "check #a", "select #a x", "clear #a"])
def test_hidden_fields_cannot_be_changed(refuse, action):
    error, _ = refuse("<div hidden><input id=a></div>", action)
    assert isinstance(error, HiddenElement)
