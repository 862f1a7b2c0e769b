from __future__ import annotations

import pytest

from skillshift_gym.errors import BadValue

SHORT = "Please lengthen this text to 5 characters or more (you are currently using 3 characters)."
INVALID = {
    "required": ("<input id=q required>", [], "Please fill out this field."),
    "required textarea": ("<textarea id=q required></textarea>", [], "Please fill out this field."),
    "required checkbox": (
        "<input type=checkbox id=q required>",
        [],
        "Please check this box if you want to proceed.",
    ),
    "required radio": (
        "<input type=radio name=r id=q><input type=radio name=r required>",
        [],
        "Please select one of these options.",
    ),
    "required select": (
        "<select id=q required><option value=''>choose<option>x</select>",
        [],
        "Please select an item in the list.",
    ),
    "required and readonly select": (
        "<select id=q required readonly><option value=''>x</select>",
        [],
        "Please select an item in the list.",
    ),
    "required listbox": ("<select id=q required size=3><option>x</select>", [], "Please select an item in the list."),
    "required file": ("<input type=file id=q required>", [], "Please select a file."),
    "required date": ("<input type=date id=q required>", [], "Please fill out this field."),
    "minlength": ("<input id=q minlength=5>", ["fill #q abc"], SHORT),
    "minlength textarea": ("<textarea id=q minlength=5></textarea>", ["fill #q abc"], SHORT),
    "minlength, one": (
        "<input id=q minlength=5>",
        ["fill #q a"],
        "Please lengthen this text to 5 characters or more (you are currently using 1 character).",
    ),
    "pattern": ("<input id=q pattern='[a-z]+'>", ["fill #q a1"], "Please match the requested format."),
    "pattern is anchored": ("<input id=q pattern='a|b'>", ["fill #q ab"], "Please match the requested format."),
    "email without at": (
        "<input type=email id=q>",
        ["fill #q x"],
        "Please include an '@' in the email address. 'x' is missing an '@'.",
    ),
    "email without local part": (
        "<input type=email id=q>",
        ["fill #q @x"],
        "Please enter a part followed by '@'. '@x' is incomplete.",
    ),
    "email without domain": (
        "<input type=email id=q>",
        ["fill #q x@"],
        "Please enter a part following '@'. 'x@' is incomplete.",
    ),
    "email with a space": (
        "<input type=email id=q>",
        ["fill #q a b@c"],
        "A part followed by '@' should not contain the symbol ' '.",
    ),
    "email with a bad domain": (
        "<input type=email id=q>",
        ["fill #q a@b_c"],
        "A part following '@' should not contain the symbol '_'.",
    ),
    "email with dots": (
        "<input type=email id=q>",
        ["fill #q a@b..c"],
        "'.' is used at a wrong position in 'b..c'.",
    ),
    "email with two ats": (
        "<input type=email id=q>",
        ["fill #q a@b@c"],
        "A part following '@' should not contain the symbol '@'.",
    ),
    "one of many emails": (
        "<input type=email multiple id=q>",
        ["fill #q a@b, c"],
        "Please include an '@' in the email address. 'c' is missing an '@'.",
    ),
    "url": ("<input type=url id=q>", ["fill #q x"], "Please enter a URL."),
    "min": ("<input type=number id=q min=3>", ["fill #q 2"], "Value must be greater than or equal to 3."),
    "max": ("<input type=number id=q max=3>", ["fill #q 4"], "Value must be less than or equal to 3."),
    "step": (
        "<input type=number id=q>",
        ["fill #q 1.5"],
        "Please enter a valid value. The two nearest valid values are 1 and 2.",
    ),
    "step from min": (
        "<input type=number id=q min=1 step=3>",
        ["fill #q 3"],
        "Please enter a valid value. The two nearest valid values are 1 and 4.",
    ),
    "step at the limit": (
        "<input type=number id=q min=1 max=3 step=3>",
        ["fill #q 3"],
        "Please enter a valid value. The nearest valid value is 1.",
    ),
    "min date": (
        "<input type=date id=q min=2020-02-01>",
        ["fill #q 2020-01-31"],
        "Value must be 02/01/2020 or later.",
    ),
    "max date": (
        "<input type=date id=q max=2020-02-01>",
        ["fill #q 2020-02-02"],
        "Value must be 02/01/2020 or earlier.",
    ),
    "min time": ("<input type=time id=q min=09:00>", ["fill #q 08:59"], "Value must be 9:00\u202fAM or later."),
    "min month": ("<input type=month id=q min=2020-02>", ["fill #q 2020-01"], "Value must be February 2020 or later."),
    "max week": (
        "<input type=week id=q max=2020-W02>",
        ["fill #q 2020-W03"],
        "Value must be Week 02, 2020 or earlier.",
    ),
    "min datetime-local": (
        "<input type=datetime-local id=q min=2020-02-01T13:00>",
        ["fill #q 2020-01-31T12:00"],
        "Value must be 02/01/2020, 1:00\u202fPM or later.",
    ),
    "date step": (
        "<input type=date id=q min=2020-01-01 step=7>",
        ["fill #q 2020-01-03"],
        "Please enter a valid value. The two nearest valid values are 01/01/2020 and 01/08/2020.",
    ),
    "bad number": ("<input type=number id=q>", ["focus #q", "type -"], "Please enter a number."),
}


@pytest.mark.parametrize(("control", "actions", "message"), INVALID.values(), ids=INVALID)
def test_an_invalid_control_keeps_the_form(refuse, control, actions, message):
    error, session = refuse(f"<form action=/r>{control}<button id=go>x</button></form>", *actions, "click #go")
    assert isinstance(error, BadValue)
    assert str(error).endswith(message)
    assert (session.sent, session.focus) == ([], "q")


VALID = {
    "not required": ("<input>", []),
    "minlength of an untouched value": ("<input value=a minlength=5>", []),
    "maxlength of an untouched value": ("<input value=abcdef maxlength=5>", []),
    "minlength of an empty value": ("<input id=q value=a minlength=5>", ["fill #q"]),
    "required and disabled": ("<input required disabled>", []),
    "required and readonly": ("<input required readonly>", []),
    "required and readonly checkbox": ("<input type=checkbox required readonly>", []),
    "required and hidden": ("<input type=hidden required>", []),
    "required in a datalist": ("<datalist><input required></datalist>", []),
    "required in a disabled fieldset": ("<fieldset disabled><input required></fieldset>", []),
    "required range": ("<input type=range required>", []),
    "required color": ("<input type=color required>", []),
    "required radio chosen elsewhere": ("<input type=radio name=r required><input type=radio name=r checked>", []),
    "required select without placeholder": ("<select required><option>x</select>", []),
    "empty option in a group is no placeholder": (
        "<select required><optgroup><option value=''>x</optgroup></select>",
        [],
    ),
    "required white space": ("<input id=q required>", ["fill #q  "]),
    "pattern of an empty value": ("<input pattern=a>", []),
    "broken pattern": ("<input value=x pattern='['>", []),
    "pattern with a named group": ("<input value=xx pattern='(?<a>x)\\k<a>'>", []),
    "pattern with a code point": ("<input value=é pattern='\\u{e9}'>", []),
    "pattern on a number": ("<input type=number value=1 pattern=2>", []),
    "email": ("<input type=email id=q>", ["fill #q a.b+c@d-e.f"]),
    "email without a dot": ("<input type=email id=q>", ["fill #q a@b"]),
    "emails": ("<input type=email multiple id=q>", ["fill #q a@b , c@d"]),
    "url": ("<input type=url id=q>", ["fill #q x:y"]),
    "step any": ("<input type=number id=q step=any>", ["fill #q 1.25"]),
    "decimal step": ("<input type=number id=q step=0.1>", ["fill #q 0.3"]),
    "step counted from the value": ("<input type=number value=1.5>", []),
    "negative": ("<input type=number id=q>", ["fill #q -3"]),
    "reversed time range": ("<input type=time min=22:00 max=06:00 value=23:00>", []),
    "title on a button": ("<button required>x</button>", []),
    "output": ("<output required></output>", []),
}


@pytest.mark.parametrize(("control", "actions"), VALID.values(), ids=VALID)
def test_a_valid_control_is_sent(play, control, actions):
    assert len(play(f"<form action=/r>{control}<button id=go>x</button></form>", *actions, "click #go").sent) == 1


@pytest.mark.parametrize(
    "html",
    [
        "<form action=/r novalidate><input required><button id=go>x</button></form>",
        "<form action=/r><input required><button id=go formnovalidate>x</button></form>",
    ],
)
def test_validation_switched_off(play, html):
    assert play(html, "click #go").sent == ["GET /r?"]


def test_the_title_explains_the_pattern(refuse):
    error, _ = refuse("<form><input id=q pattern=a title='only a' value=b><button id=go></form>", "click #go")
    assert str(error).endswith("Please match the requested format. only a")


def test_the_first_control_that_can_have_the_focus_is_named(refuse):
    html = "<form><input id=p style='display:none' required><input id=q required><button id=go></form>"
    error, session = refuse(html, "click #go")
    assert session.focus == "q" and "'q'" in str(error)


def test_controls_associated_by_id_are_validated(refuse):
    error, _ = refuse("<input id=q form=f required><form id=f action=/r><button id=go></form>", "click #go")
    assert isinstance(error, BadValue)


def test_enter_validates_too(refuse):
    error, session = refuse("<form action=/r><input id=q required></form>", "press #q Enter")
    assert isinstance(error, BadValue) and session.sent == []
