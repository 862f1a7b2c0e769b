from __future__ import annotations

import pytest

CLICKED = {
    "text field": ("<input id=a>", "click #a", "a"),
    "link": ("<a id=a href='#'>x</a>", "click #a", "a"),
    "inside a button": ("<button id=a type=button><i id=b>x</i></button>", "click #b", "a"),
    "paragraph": ("<input id=a autofocus><p id=b>x", "click #b", ""),
    "tabindex": ("<p id=a tabindex=0>x", "click #a", "a"),
    "tabindex -1": ("<p id=a tabindex=-1>x", "click #a", "a"),
    "broken tabindex": ("<p id=a tabindex=x>x", "click #a", ""),
    "inside tabindex": ("<p id=a tabindex=0><b id=b>x</b>", "click #b", "a"),
    "contenteditable": ("<p contenteditable id=a>x", "click #a", "a"),
    "summary": ("<details><summary id=a>x</summary></details>", "click #a", "a"),
    "link without href": ("<a id=a>x</a>", "click #a", ""),
    "focus": ("<input id=a>", "focus #a", "a"),
    "focus on text": ("<input id=a autofocus><p id=b>x", "focus #b", "a"),
    "autofocus": ("<input><input id=a autofocus>", "keys Shift", "a"),
    "autofocus hidden": ("<input autofocus hidden><input id=a autofocus>", "keys Shift", "a"),
    "autofocus disabled": ("<input autofocus disabled><input id=a autofocus>", "keys Shift", "a"),
    "check": ("<input type=checkbox id=a>", "check #a", "a"),
    "select_option": ("<select id=a><option>x</select>", "select #a x", ""),
    "option of a listbox": ("<select id=a size=2><option id=b>x</select>", "click #b", "a"),
}


@pytest.mark.parametrize(("html", "action", "focus"), CLICKED.values(), ids=CLICKED)
def test_focus_after_an_action(play, html, action, focus):
    assert play(html, action).focus == focus


RADIOS = "<input id=a><input type=radio name=r id=b><input type=radio name=r id=c><input id=d>"
TABBED = {
    "document order": ("<input id=a><a id=b href='#'>x</a><button id=c>x</button>", 4, "a b c - a"),
    "tabindex first": ("<input id=a><input id=b tabindex=2><input id=c tabindex=1>", 3, "c b a -"),
    "negative tabindex": ("<input id=a><input id=b tabindex=-1><input id=c>", 2, "a c -"),
    "disabled and hidden": (
        "<input disabled><input hidden><input type=hidden><fieldset disabled><input></fieldset><input id=a>",
        1,
        "a -",
    ),
    "inert": ("<div inert><input></div><input id=a>", 1, "a -"),
    "radio group": (RADIOS, 3, "a b d -"),
    "radio group with a choice": (RADIOS.replace("id=c", "id=c checked"), 3, "a c d -"),
    "closed details": ("<details><summary id=a>x</summary><input></details><input id=b>", 2, "a b -"),
    "nothing": ("<p>x", 1, "- -"),
}


@pytest.mark.parametrize(("html", "steps", "stops"), TABBED.values(), ids=TABBED)
def test_tab_order(play, html, steps, stops):
    session = play(html)
    assert [session.do("keys Tab").focus or "-" for _ in range(len(stops.split()))] == stops.split()


SHIFT_TABBED = {
    "document order": ("<input id=a><input id=b>", "b a - b"),
    "radio group": (RADIOS, "d c a -"),
    "tabindex last": ("<input id=a><input id=b tabindex=1>", "a b -"),
}


@pytest.mark.parametrize(("html", "stops"), SHIFT_TABBED.values(), ids=SHIFT_TABBED)
def test_backwards_tab_order(play, html, stops):
    session = play(html)
    assert [session.do("keys Shift+Tab").focus or "-" for _ in stops.split()] == stops.split()


def test_tab_goes_on_from_the_last_click(play):
    assert play("<input id=a><p id=p>x</p><input id=b>", "click #p", "keys Tab").focus == "b"


def test_tab_stays_in_a_modal_dialog(play):
    session = play(
        """<input><dialog id=d><button id=a>x</button><button id=b>x</button></dialog>
        <button id=o commandfor=d command=show-modal>x</button>""",
        "click #o",
    )
    assert [session.do("keys Tab").focus or "-" for _ in range(3)] == ["b", "-", "a"]


def test_autofocus_gives_way_to_a_fragment(play):
    assert play("<input autofocus><p id=t>x", "goto /r", "goto /d#t").focus == ""
