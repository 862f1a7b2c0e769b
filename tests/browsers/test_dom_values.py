from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillshift_gym.browsers.numeric import format_number, parse_number
from skillshift_gym.browsers.ranges import format_value, parse_value
from skillshift_gym.errors import BadValue, DisabledElement, WrongElementType

INITIAL = {
    "newlines": ("<input id=q value='a\nb'>", "ab"),
    "url": ("<input type=url id=q value=' x '>", "x"),
    "email": ("<input type=email id=q value=' x '>", "x"),
    "emails": ("<input type=email multiple id=q value=' x , y '>", "x,y"),
    "number": ("<input type=number id=q value=1e2>", "1e2"),
    "not a number": ("<input type=number id=q value=1.>", ""),
    "endless number": ("<input type=number id=q value=1e999>", ""),
    "range": ("<input type=range id=q>", "50"),
    "range of a value": ("<input type=range id=q value=7>", "7"),
    "range above": ("<input type=range id=q value=700>", "100"),
    "range off step": ("<input type=range id=q min=0 max=10 step=3 value=5>", "6"),
    "range off step at the end": ("<input type=range id=q min=0 max=10 step=3 value=10>", "9"),
    "range between": ("<input type=range id=q min=1 max=2 step=any>", "1.5"),
    "reversed range": ("<input type=range id=q min=5 max=1>", "5"),
    "color": ("<input type=color id=q value=#ABCDEF>", "#abcdef"),
    "date": ("<input type=date id=q value=2020-02-29>", "2020-02-29"),
    "no date": ("<input type=date id=q value=2021-02-29>", ""),
    "no month": ("<input type=month id=q value=2021-13>", ""),
    "week": ("<input type=week id=q value=2020-W53>", "2020-W53"),
    "no week": ("<input type=week id=q value=2021-W53>", ""),
    "time": ("<input type=time id=q value=23:59:59.5>", "23:59:59.5"),
    "no time": ("<input type=time id=q value=24:00>", ""),
    "datetime-local": ("<input type=datetime-local id=q value='2020-01-01 10:00:00'>", "2020-01-01T10:00"),
    "hidden keeps newlines": ("<input type=hidden id=q value='a\nb'>", "a\nb"),
    "checkbox": ("<input type=checkbox id=q>", "on"),
    "file": ("<input type=file id=q value=x>", ""),
    "textarea": ("<textarea id=q>\n\na\r\nb</textarea>", "\na\nb"),
    "output": ("<output id=q>a<b>b</b></output>", "ab"),
    "type in capitals": ("<input type=DATE id=q value=x>", ""),
}


@pytest.mark.parametrize(("html", "value"), INITIAL.values(), ids=INITIAL)
def test_initial_value(play, html, value):
    assert play(html).value("#q") == value


FILLED = {
    "text": ("<input id=q value=old>", "new", "new"),
    "empty": ("<input id=q value=old>", "", ""),
    "newlines": ("<input id=q>", "a\r\nb\nc", "a b c"),
    "last newline": ("<input id=q>", "a\n", "a"),
    "textarea": ("<textarea id=q>old</textarea>", "a\r\nb", "a\nb"),
    "maxlength": ("<input id=q maxlength=3>", "abcdef", "abc"),
    "maxlength of a textarea": ("<textarea id=q maxlength=3></textarea>", "a\nbc", "a\nb"),
    "maxlength counts UTF-16": ("<input id=q maxlength=3>", "a\U0001f600\U0001f600", "a\U0001f600"),
    "broken maxlength": ("<input id=q maxlength=x>", "abcdef", "abcdef"),
    "number": ("<input type=number id=q>", " 7 ", "7"),
    "number with a plus sign": ("<input type=number id=q>", "+5", "5"),
    "number with a final point": ("<input type=number id=q>", "5.", "5"),
    "number without a zero": ("<input type=number id=q>", ".5", ".5"),
    "number out of range": ("<input type=number id=q max=3>", "5", "5"),
    "email": ("<input type=email id=q>", " a@b ", "a@b"),
    "date": ("<input type=date id=q>", "2020-01-31", "2020-01-31"),
    "date emptied": ("<input type=date id=q value=2020-01-31>", "", ""),
    "month": ("<input type=month id=q>", "2020-01", "2020-01"),
    "week": ("<input type=week id=q>", "2020-W01", "2020-W01"),
    "time": ("<input type=time id=q>", "10:00", "10:00"),
    "datetime-local": ("<input type=datetime-local id=q>", "2020-01-01T10:00:00", "2020-01-01T10:00"),
    "color": ("<input type=color id=q>", "#ABCDEF", "#abcdef"),
    "range": ("<input type=range id=q>", "5.5", "6"),
    "search": ("<input type=search id=q>", "abc", "abc"),
    "password": ("<input type=password id=q>", "abc", "abc"),
    "a label": ("<label id=l>x <input id=q></label>", "abc", "abc"),
}


@pytest.mark.parametrize(("html", "text", "value"), FILLED.values(), ids=FILLED)
def test_filled_value(play, html, text, value):
    session = play(html, f"fill {'#l' if '=l' in html else '#q'} {text}")
    assert (session.value("#q"), session.focus) == (value, "q")


REFUSED = {
    "number": ("<input type=number id=q value=1>", "abc", BadValue, "takes a number"),
    "hexadecimal": ("<input type=number id=q value=1>", "0x10", BadValue, "takes a number"),
    "date": ("<input type=date id=q value=2020-01-01>", "2020-02-30", BadValue, "yyyy-mm-dd"),
    "time": ("<input type=time id=q>", "25:00", BadValue, "hh:mm"),
    "week": ("<input type=week id=q>", "2020-W54", BadValue, "yyyy-Www"),
    "color": ("<input type=color id=q>", "", BadValue, "#rrggbb"),
    "range": ("<input type=range id=q>", "500", BadValue, "from 0 to 100"),
    "readonly": ("<input id=q readonly>", "a", DisabledElement, "read-only"),
    "readonly date": ("<input type=date id=q readonly>", "2020-01-01", DisabledElement, "read-only"),
    "disabled": ("<input id=q disabled>", "a", DisabledElement, "disabled"),
    "checkbox": ("<input type=checkbox id=q>", "a", WrongElementType, "check('2')"),
    "select": ("<select id=q><option>x</select>", "a", WrongElementType, "available: 'x'"),
    "button": ("<input type=submit id=q>", "a", WrongElementType, "click('2')"),
    "file": ("<input type=file id=q>", "a", WrongElementType, "expected a text field"),
    "contenteditable": ("<div contenteditable id=q>x</div>", "a", WrongElementType, "expected a text field"),
}


@pytest.mark.parametrize(("html", "text", "kind", "message"), REFUSED.values(), ids=REFUSED)
def test_refused_value(refuse, html, text, kind, message):
    error, session = refuse(html, f"fill #q {text}")
    assert type(error) is kind and message in str(error)
    assert session.focus == ""


def test_clear(play):
    assert play("<input id=q value=old>", "clear #q").value("#q") == ""


@pytest.mark.parametrize("kind", ["range", "color"])
def test_what_cannot_be_empty_cannot_be_cleared(refuse, kind):
    error, _ = refuse(f"<input type={kind} id=q>", "clear #q")
    assert isinstance(error, WrongElementType)


@given(st.integers(-62_135_596_800_000, 8_640_000_000_000))
def test_dates_and_times_survive_a_round_trip(milliseconds):
    for kind in ("datetime-local", "date", "week", "time"):
        text = format_value(kind, Fraction(milliseconds))
        number = parse_value(kind, text)
        assert number is not None and format_value(kind, number) == text


@given(st.fractions(-(10**12), 10**12, max_denominator=1000))
def test_numbers_survive_a_round_trip(number):
    assert parse_number(format_number(number)) == Fraction(str(float(number)))


@pytest.mark.parametrize("text", ["1" * 5000, "0." + "0" * 5000 + "1", "1e-999999999", "1e999999999", "٣"])
def test_extreme_numbers(text):
    number = parse_number(text)
    assert number is None or number == 0
