from __future__ import annotations

import pytest

from skillshift_gym.errors import CoveredElement, DisabledElement

DETAILS = "<details id=d><summary id=s><b id=b>x</b><a id=a href='#'>x</a></summary><p id=p>x</p></details>"
GROUP = "<details name=g id=d open><summary id=s>x</summary></details><details name=g id=e><summary id=t>x</summary></details>"
MODAL = """<button id=o commandfor=d command=show-modal>x</button><input id=i>
    <dialog id=d><form method=dialog><input id=t><button id=c>x</button></form></dialog>"""
POPOVER = "<button id=o popovertarget=p>x</button><div id=p popover><input id=i></div><p id=z>x"
NESTED = """<button id=o popovertarget=p>x</button><div id=p popover><button id=n popovertarget=q>x</button></div>
    <div id=q popover><b id=b>x</b></div><button id=m popovertarget=r>x</button><div id=r popover>x</div>"""
OPENED = {
    "summary": (DETAILS, ["click #s"], "d"),
    "summary twice": (DETAILS, ["click #s", "click #s"], ""),
    "inside the summary": (DETAILS, ["click #b"], "d"),
    "link inside the summary": (DETAILS, ["click #a"], ""),
    "Enter": (DETAILS, ["press #s Enter"], "d"),
    "Space": (DETAILS, ["press #s Space"], "d"),
    "second summary": ("<details open id=d><summary>x</summary><summary id=s>y</summary></details>", ["click #s"], "d"),
    "summary not a child": ("<details open id=d><div><summary id=s>y</summary></div></details>", ["click #s"], "d"),
    "button inside a summary": (
        "<details id=d><summary><button id=s>x</button></summary></details>",
        ["click #s"],
        "",
    ),
    "label inside a summary": ("<details id=d><summary><label id=s>x</label></summary></details>", ["click #s"], ""),
    "group": (GROUP, ["click #t"], "e"),
    "group starts with one": (GROUP.replace("id=e", "id=e open"), [], "d"),
    "dialog open": ("<dialog open id=d>x</dialog>", [], "d"),
    "open dialog keeps Escape": ("<dialog open id=d>x</dialog>", ["keys Escape"], "d"),
    "show-modal": (MODAL, ["click #o"], "d"),
    "method=dialog": (MODAL, ["click #o", "click #c"], ""),
    "Escape": (MODAL, ["click #o", "keys Escape"], ""),
    "Enter in a dialog form": (MODAL, ["click #o", "press #t Enter"], ""),
    "closedby=none": (MODAL.replace("<dialog", "<dialog closedby=none"), ["click #o", "keys Escape"], "d"),
    "closedby=any": (
        "<dialog open closedby=any id=d>x</dialog><p id=z style='position:absolute;top:400px'>x",
        ["click #z"],
        "",
    ),
    "close": (
        MODAL.replace("<form method=dialog>", "<button id=x commandfor=d command=close>x</button><form>"),
        ["click #o", "click #x"],
        "",
    ),
    "request-close": (
        MODAL.replace("<form method=dialog>", "<button id=x commandfor=d command=request-close>x</button><form>"),
        ["click #o", "click #x"],
        "",
    ),
    "command without a type in a form": (
        "<form action=/r><button id=o commandfor=d command=show-modal>x</button></form><dialog id=d>x</dialog>",
        ["click #o"],
        "",
    ),
    "command, type=button in a form": (
        "<form><button type=button id=o commandfor=d command=show-modal>x</button></form><dialog id=d>x</dialog>",
        ["click #o"],
        "d",
    ),
    "unknown command": ("<button id=o commandfor=d command=fly>x</button><dialog id=d>x</dialog>", ["click #o"], ""),
    "popover": (POPOVER, ["click #o"], "p"),
    "popover toggled": (POPOVER, ["click #o", "click #o"], ""),
    "popover, click outside": (POPOVER, ["click #o", "click #z"], ""),
    "popover, click inside": (POPOVER, ["click #o", "click #i"], "p"),
    "popover, Escape": (POPOVER, ["click #o", "keys Escape"], ""),
    "show": (POPOVER.replace("=p>", "=p popovertargetaction=show>"), ["click #o", "click #o"], "p"),
    "hide": (POPOVER.replace("=p>", "=p popovertargetaction=hide>"), ["click #o"], ""),
    "manual": (POPOVER.replace(" popover>", " popover=manual>"), ["click #o", "click #z", "keys Escape"], "p"),
    "hint": (POPOVER.replace(" popover>", " popover=hint>"), ["click #o", "click #z"], ""),
    "toggle-popover": (POPOVER.replace("popovertarget=p", "commandfor=p command=toggle-popover"), ["click #o"], "p"),
    "show-popover": (
        POPOVER.replace("popovertarget=p", "commandfor=p command=show-popover"),
        ["click #o", "click #o"],
        "p",
    ),
    "hide-popover": (POPOVER.replace("popovertarget=p", "commandfor=p command=hide-popover"), ["click #o"], ""),
    "popovertarget on a submit button": (
        "<form><button id=o popovertarget=p>x</button></form><div id=p popover>x</div>",
        ["click #o"],
        "",
    ),
    "popovertarget on an input": (
        "<input type=button id=o popovertarget=p value=x><div id=p popover>x</div>",
        ["click #o"],
        "p",
    ),
    "popovertarget at no popover": ("<button id=o popovertarget=p>x</button><div id=p>x</div>", ["click #o"], ""),
    "another popover": (NESTED, ["click #o", "click #m"], "r"),
    "popover opened from a popover": (NESTED, ["click #o", "click #n"], "p q"),
    "click in the inner popover": (NESTED, ["click #o", "click #n", "click #b"], "p q"),
    "Escape closes the inner popover": (NESTED, ["click #o", "click #n", "keys Escape"], "p"),
    "hiding the outer popover": (NESTED, ["click #o", "click #n", "click #o"], ""),
    "a modal dialog hides popovers": (
        POPOVER + "<dialog id=d>x</dialog><button id=e commandfor=d command=show-modal>x</button>",
        ["click #o", "press #e Enter"],
        "d",
    ),
}


@pytest.mark.parametrize(("html", "actions", "opened"), OPENED.values(), ids=OPENED)
def test_what_is_open(play, html, actions, opened):
    assert play(html, *actions).opened == opened


FOCUSED = {
    "modal dialog": (MODAL, ["click #o"], "t"),
    "modal dialog closed": (MODAL, ["click #o", "keys Escape"], "o"),
    "modal dialog without a stop": (
        "<button id=o commandfor=d command=show-modal>x</button><dialog id=d>x</dialog>",
        ["click #o"],
        "d",
    ),
    "autofocus in a dialog": (MODAL.replace("<button id=c", "<button autofocus id=c"), ["click #o"], "c"),
    "popover": (POPOVER, ["click #o"], "o"),
    "autofocus in a popover": (POPOVER.replace("id=i", "id=i autofocus"), ["click #o"], "i"),
    "popover closed by Escape": (POPOVER, ["click #o", "click #i", "keys Escape"], "o"),
    "popover closed by a click": (POPOVER, ["click #o", "click #i", "click #z"], ""),
    "details closed around the focus": (
        "<details id=d open><summary id=s>x</summary><input id=i></details><label for=d>x</label>",
        ["click #i", "click #s"],
        "s",
    ),
}


@pytest.mark.parametrize(("html", "actions", "focus"), FOCUSED.values(), ids=FOCUSED)
def test_focus_of_layers(play, html, actions, focus):
    assert play(html, *actions).focus == focus


def test_a_modal_dialog_covers_the_rest(refuse):
    error, session = refuse(MODAL, "click #o", "click #i")
    assert isinstance(error, CoveredElement)
    assert error.clear_with == session.bid("#c") and "dialog" in error.by
    assert session.browser.snapshot().modal == session.index("#d")


@pytest.mark.parametrize("action", ["fill #i x", "hover #i", "focus #i", "press #i a"])
def test_nothing_behind_a_modal_dialog_can_be_used(refuse, action):
    error, _ = refuse(MODAL, "click #o", action)
    assert isinstance(error, CoveredElement)


def test_a_modal_dialog_without_a_closing_control(refuse):
    html = MODAL.replace(" method=dialog", "")
    error, _ = refuse(html, "click #o", "click #i")
    assert isinstance(error, CoveredElement) and error.clear_with is None and "Escape" in str(error)


def test_inert(refuse):
    error, _ = refuse("<div inert><button id=b>x</button></div>", "click #b")
    assert isinstance(error, DisabledElement) and "inert" in str(error)


def test_a_modal_dialog_escapes_the_inertness_around_it(play):
    html = "<button id=o commandfor=d command=show-modal>x</button><div inert><dialog id=d><input id=i></dialog></div>"
    assert play(html, "click #o", "fill #i abc").value("#i") == "abc"


def test_a_closed_dialog_form_sends_nothing(play):
    assert play(MODAL, "click #o", "click #c").sent == []
