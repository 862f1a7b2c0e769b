from __future__ import annotations

import pytest

from skillshift_gym.errors import BadValue, DisabledElement, WrongElementType

CHECKBOX = "<input type=checkbox id=c>"
RADIOS = "<input type=radio name=r id=a checked><input type=radio name=r id=b>"
CHECKED = {
    "check": (CHECKBOX, ["check #c"], "c"),
    "check twice": (CHECKBOX, ["check #c", "check #c"], "c"),
    "uncheck": (CHECKBOX, ["check #c", "uncheck #c"], ""),
    "uncheck an empty one": (CHECKBOX, ["uncheck #c"], ""),
    "click": (CHECKBOX, ["click #c"], "c"),
    "click twice": (CHECKBOX, ["click #c", "click #c"], ""),
    "double click": (CHECKBOX, ["dblclick #c"], ""),
    "Space": (CHECKBOX, ["press #c Space"], "c"),
    "Enter does not toggle": (CHECKBOX, ["press #c Enter"], ""),
    "middle click": (CHECKBOX, ["middle+click #c"], ""),
    "radio": (RADIOS, ["click #b"], "b"),
    "click on the checked radio": (RADIOS, ["click #a"], "a"),
    "arrow in a group": (RADIOS, ["press #a ArrowDown"], "b"),
    "arrow around a group": (RADIOS, ["press #a ArrowUp"], "b"),
    "radios of two forms": (
        "<form><input type=radio name=r id=a checked></form><form><input type=radio name=r id=b></form>",
        ["click #b"],
        "a b",
    ),
    "radios without a name": ("<input type=radio id=a checked><input type=radio id=b>", ["click #b"], "a b"),
    "radios by the form attribute": (
        "<form id=f><input type=radio name=r id=a checked></form><input type=radio name=r id=b form=f>",
        ["click #b"],
        "b",
    ),
    "arrow past a disabled radio": (
        "<input type=radio name=r id=a checked><input type=radio name=r id=b disabled><input type=radio name=r id=c>",
        ["press #a ArrowRight"],
        "c",
    ),
    "label for": (CHECKBOX + "<label id=l for=c>x</label>", ["click #l"], "c"),
    "label around": ("<label>" + CHECKBOX + "<b id=l>x</b></label>", ["click #l"], "c"),
    "click on the control in its label": ("<label>" + CHECKBOX + "</label>", ["click #c"], "c"),
    "link inside a label": ("<label>" + CHECKBOX + "<a id=l href='#'>x</a></label>", ["click #l"], ""),
    "button inside a label": (
        "<label for=c><button type=button id=l>x</button></label>" + CHECKBOX,
        ["click #l"],
        "",
    ),
    "text field inside a label": ("<label for=c><input id=l></label>" + CHECKBOX, ["click #l"], ""),
    "label for nothing": ("<label for=z>" + CHECKBOX + "<b id=l>x</b></label>", ["click #l"], ""),
    "label of a radio": (RADIOS + "<label id=l for=b>x</label>", ["click #l"], "b"),
    "check by the label": (CHECKBOX + "<label id=l for=c>x</label>", ["check #l"], "c"),
    "first of two controls in a label": (
        "<label id=l>" + CHECKBOX + "<input type=checkbox id=d> <b id=t>text</b></label>",
        ["click #t"],
        "c",
    ),
    "nested label keeps to itself": (
        CHECKBOX + "<input type=checkbox id=d><label for=c><i>x</i><label id=l for=d>y</label></label>",
        ["click #l"],
        "d",
    ),
}


@pytest.mark.parametrize(("html", "actions", "checked"), CHECKED.values(), ids=CHECKED)
def test_checkedness(play, html, actions, checked):
    assert play(html, *actions).checked == checked


LABELS = {
    "text field": ("<label id=l for=q>x</label><input id=q>", "q"),
    "select": ("<label id=l for=q>x</label><select id=q><option>x</select>", "q"),
    "button": ("<label id=l for=q>x</label><button id=q>x</button>", "q"),
    "output": ("<label id=l for=q>x</label><output id=q>x</output>", ""),
    "no control": ("<label id=l for=q>x</label><p id=q>x", ""),
}


@pytest.mark.parametrize(("html", "focus"), LABELS.values(), ids=LABELS)
def test_click_on_a_label_focuses(play, html, focus):
    assert play(html, "click #l").focus == focus


def test_click_on_the_label_of_a_submit_button(play):
    html = "<label id=l for=b>x</label><form action=/r><button id=b name=b>x</button></form>"
    assert play(html, "click #l").sent == ["GET /r?b="]


COLOURS = (
    "<select id=s><option>Red<option value=g>  Green\n tea <option disabled>Blue<option value=x label=Pink>y</select>"
)
MANY = "<select id=s multiple><option>a<option>b<option>c</select>"
SELECTED = {
    "label": (COLOURS, ["select #s Red"], "Red"),
    "value": (COLOURS, ["select #s g"], "Green\n tea"),
    "label with white space": (COLOURS, ["select #s Green tea"], "Green\n tea"),
    "label attribute": (COLOURS, ["select #s Pink"], "y"),
    "first of several": (MANY.replace(" multiple", ""), ["select #s c|b"], "b"),
    "several": (MANY, ["select #s c|a"], "a|c"),
    "several replace the old ones": (MANY, ["select #s a", "select #s b"], "b"),
    "none": (MANY, ["select #s a", "select #s"], ""),
    "ArrowDown": (COLOURS, ["press #s ArrowDown"], "Green\n tea"),
    "ArrowDown past a disabled one": (COLOURS, ["press #s ArrowDown", "keys ArrowDown"], "y"),
    "ArrowUp at the top": (COLOURS, ["press #s ArrowUp"], "Red"),
    "End": (COLOURS, ["press #s End"], "y"),
    "Home": (COLOURS, ["press #s End", "keys Home"], "Red"),
    "typing": (COLOURS, ["focus #s", "type gr"], "Green\n tea"),
    "click in a listbox": ("<select id=s size=3><option>a<option id=o>b</select>", ["click #o"], "b"),
    "Control-click in a listbox": (
        "<select id=s multiple><option selected>a<option id=o>b</select>",
        ["Control+click #o"],
        "a|b",
    ),
    "click in a multiple listbox": (
        "<select id=s multiple><option selected>a<option id=o>b</select>",
        ["click #o"],
        "b",
    ),
}


@pytest.mark.parametrize(("html", "actions", "selected"), SELECTED.values(), ids=SELECTED)
def test_selectedness(play, html, actions, selected):
    assert play(html, *actions).selected("#s") == selected


REFUSED = {
    "unknown option": (COLOURS, "select #s Black", BadValue, "available: 'Red', 'Green tea', 'Pink'"),
    "disabled option": (COLOURS, "select #s Blue", BadValue, "is disabled"),
    "disabled group": ("<select id=s><optgroup disabled><option>x</select>", "select #s x", BadValue, "is disabled"),
    "no option for a single select": (COLOURS, "select #s", BadValue, "takes one option"),
    "disabled select": ("<select id=s disabled><option>x</select>", "select #s x", DisabledElement, "is disabled"),
    "no select": ("<input id=s>", "select #s x", WrongElementType, "expected a select"),
    "option of a drop-down list": (
        "<select><option id=s>x</select>",
        "click #s",
        WrongElementType,
        "select_option('2', 'x')",
    ),
    "radio unchecked": (RADIOS, "uncheck #a", WrongElementType, "choosing another"),
    "text field checked": ("<input id=c>", "check #c", WrongElementType, "expected a checkbox"),
    "role checked": ("<p role=checkbox id=c>x", "check #c", WrongElementType, "try click('2')"),
    "disabled checkbox": ("<input type=checkbox id=c disabled>", "check #c", DisabledElement, "is disabled"),
    "disabled checkbox clicked": ("<input type=checkbox id=c disabled>", "click #c", DisabledElement, "is disabled"),
    "label of a disabled checkbox": (
        "<label id=l><input type=checkbox disabled> <b>x</b></label>",
        "click #l",
        DisabledElement,
        "is disabled",
    ),
    "disabled button": ("<button disabled><i id=b>x</i></button>", "click #b", DisabledElement, "is disabled"),
    "button of a disabled fieldset": (
        "<fieldset disabled><button id=b>x</button></fieldset>",
        "click #b",
        DisabledElement,
        "the group around it is disabled",
    ),
}


@pytest.mark.parametrize(("html", "action", "kind", "message"), REFUSED.values(), ids=REFUSED)
def test_refused_action(refuse, html, action, kind, message):
    error, _ = refuse(html, action)
    assert type(error) is kind and message in str(error)
