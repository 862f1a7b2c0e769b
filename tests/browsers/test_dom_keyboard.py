from __future__ import annotations

import pytest

from skillshift_gym.errors import BadValue, WrongElementType

FIELD = "<input id=q value=abc>"
TYPED = {
    "after a click": (FIELD, ["click #q", "type X"], "abcX"),
    "after focus": (FIELD, ["focus #q", "type X"], "Xabc"),
    "after Tab": (FIELD, ["keys Tab", "type X"], "X"),
    "after Tab into a textarea": ("<textarea id=q>abc</textarea>", ["keys Tab", "type X"], "Xabc"),
    "after fill": (FIELD, ["fill #q one", "type X"], "oneX"),
    "focus again after fill": (FIELD + "<input id=p>", ["fill #q one", "focus #p", "focus #q", "type X"], "oneX"),
    "focus again after typing": (
        FIELD + "<input id=p>",
        ["click #q", "type X", "focus #p", "focus #q", "type Y"],
        "abcXY",
    ),
    "focus again after a click": (FIELD + "<input id=p>", ["click #q", "focus #p", "focus #q", "type Y"], "abcY"),
    "press twice": (FIELD + "<input id=p>", ["press #q X", "press #p a", "press #q Y"], "YXabc"),
    "textarea again": (
        "<textarea id=q>abc</textarea><input id=p>",
        ["click #q", "focus #p", "focus #q", "type Y"],
        "abcY",
    ),
    "textarea after fill": (
        "<textarea id=q>abc</textarea><input id=p>",
        ["fill #q one", "focus #p", "focus #q", "type Y"],
        "oneY",
    ),
    "press": (FIELD, ["click #q", "press #q X"], "abcX"),
    "Shift": (FIELD, ["click #q", "keys Shift+KeyX"], "abcX"),
    "Shift and a digit": (FIELD, ["click #q", "keys Shift+Digit1"], "abc!"),
    "Shift and a character": (FIELD, ["click #q", "keys Shift+x"], "abcx"),
    "plus": (FIELD, ["click #q", "keys +"], "abc+"),
    "code of a key": (FIELD, ["click #q", "keys KeyX"], "abcx"),
    "Control types nothing": (FIELD, ["click #q", "keys Control+x"], "abc"),
    "Backspace": (FIELD, ["click #q", "keys Backspace"], "ab"),
    "Delete at the end": (FIELD, ["click #q", "keys Delete"], "abc"),
    "Delete at the start": (FIELD, ["focus #q", "keys Delete"], "bc"),
    "Backspace at the start": (FIELD, ["focus #q", "keys Backspace"], "abc"),
    "select all": (FIELD, ["click #q", "keys Control+a", "type X"], "X"),
    "select all and delete": (FIELD, ["click #q", "keys ControlOrMeta+a", "keys Delete"], ""),
    "ArrowLeft": (FIELD, ["click #q", "keys ArrowLeft", "type X"], "abXc"),
    "ArrowRight": (FIELD, ["focus #q", "keys ArrowRight", "type X"], "aXbc"),
    "Home": (FIELD, ["click #q", "keys Home", "type X"], "Xabc"),
    "End": (FIELD, ["focus #q", "keys End", "type X"], "abcX"),
    "ArrowLeft leaves a selection at its start": (FIELD, ["keys Tab", "keys ArrowLeft", "type X"], "Xabc"),
    "ArrowRight leaves a selection at its end": (FIELD, ["keys Tab", "keys ArrowRight", "type X"], "abcX"),
    "Shift and ArrowLeft": (FIELD, ["click #q", "keys Shift+ArrowLeft", "type X"], "abX"),
    "Shift and Home": (FIELD, ["click #q", "keys Shift+Home", "type X"], "X"),
    "maxlength": ("<input id=q maxlength=4 value=abc>", ["click #q", "type XYZ"], "abcX"),
    "readonly": ("<input id=q readonly value=abc>", ["click #q", "type X"], "abc"),
    "readonly and Backspace": ("<input id=q readonly value=abc>", ["click #q", "keys Backspace"], "abc"),
    "Enter in a textarea": ("<textarea id=q></textarea>", ["click #q", "type a\nb"], "a\nb"),
    "number": ("<input type=number id=q>", ["click #q", "type 1x.5e1"], "1.5e1"),
    "unfinished number": ("<input type=number id=q>", ["click #q", "type 1.", "type 5"], "1.5"),
    "no number": ("<input type=number id=q>", ["click #q", "type -"], ""),
    "email": ("<input type=email id=q>", ["click #q", "type  a@b "], "a@b"),
    "Escape in a search field": ("<input type=search id=q value=abc>", ["click #q", "keys Escape"], ""),
    "nothing has the focus": (FIELD, ["type X"], "abc"),
    "ArrowUp in a number field": ("<input type=number id=q value=3>", ["press #q ArrowUp"], "4"),
    "ArrowDown in a number field": ("<input type=number id=q value=3 step=2>", ["press #q ArrowDown"], "1"),
    "ArrowUp off the grid": ("<input type=number id=q min=0 step=5>", ["fill #q 7", "keys ArrowUp"], "10"),
    "ArrowUp at the limit": ("<input type=number id=q max=3 value=3>", ["press #q ArrowUp"], "3"),
    "ArrowUp in an empty number field": ("<input type=number id=q>", ["press #q ArrowUp"], "1"),
    "ArrowUp up to the minimum": ("<input type=number id=q min=10>", ["press #q ArrowUp"], "10"),
    "ArrowRight in a range": ("<input type=range id=q>", ["press #q ArrowRight"], "51"),
    "ArrowDown in a range": ("<input type=range id=q>", ["press #q ArrowDown"], "49"),
    "Home in a range": ("<input type=range id=q>", ["press #q Home"], "0"),
    "PageUp in a range": ("<input type=range id=q>", ["press #q PageUp"], "60"),
}


@pytest.mark.parametrize(("html", "actions", "value"), TYPED.values(), ids=TYPED)
def test_value_after_keys(play, html, actions, value):
    assert play(html, *actions).value("#q") == value


def test_typing_a_line_break_submits(play):
    session = play("<form action=/r><input id=q name=q></form>", "click #q", "type abc\nrest")
    assert session.sent == ["GET /r?q=abc"]


def test_text_goes_where_the_keys_lead(play):
    session = play("<input id=a><input id=b>", "click #a", "type one", "keys Tab", "type two")
    assert (session.value("#a"), session.value("#b")) == ("one", "two")


@pytest.mark.parametrize("keys", ["Bogus", "Control+", "Hyper+a", "é", "ab"])
def test_unknown_keys(refuse, keys):
    error, _ = refuse("<p>", f"keys {keys}")
    assert isinstance(error, BadValue) and "unknown key" in str(error)


@pytest.mark.parametrize(
    "keys", ["F5", "Control+c", "Alt+ArrowLeft", "CapsLock", "Shift", "Meta+a", "NumpadEnter", "Digit1", "Control++"]
)
def test_keys_that_do_nothing_here(play, keys):
    session = play(FIELD, f"keys {keys}")
    assert (session.value("#q"), session.sent, session.url) == ("abc", [], "/d")


def test_typing_into_a_date_field_says_how(refuse):
    error, _ = refuse("<input type=date id=q>", "focus #q", "type 2020")
    assert isinstance(error, WrongElementType) and "use fill('2', ...)" in str(error)


SCROLLED = {
    "down": (["scroll 30"], 30),
    "clamped at the top": (["scroll -30"], 0),
    "clamped at the end": (["scroll 100000"], 24 * 4),
    "PageDown": (["keys PageDown"], 24 * 4),
    "ArrowDown and ArrowUp": (["keys ArrowDown", "keys ArrowDown", "keys ArrowUp"], 40),
    "End and Home": (["keys End", "keys Home"], 0),
}


@pytest.mark.parametrize(("actions", "offset"), SCROLLED.values(), ids=SCROLLED)
def test_scrolling(play, actions, offset):
    assert play("<p>x<p>x", *actions).browser.snapshot().scroll_y == offset
