from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from skillshift_gym.actions import BUTTONS, MODIFIERS, Primitive
from skillshift_gym.browsers.dom import DomBrowser
from skillshift_gym.errors import ActionError
from skillshift_gym.testing import FakeSite

CONTROLS = "".join(
    f"<input type={kind} name={kind} min=1 max=9 step=2 maxlength=3 pattern=[a- required>"
    for kind in [
        "text",
        "search",
        "tel",
        "url",
        "email",
        "password",
        "number",
        "range",
        "color",
        "date",
        "month",
        "week",
        "time",
        "datetime-local",
        "checkbox",
        "radio",
        "file",
        "hidden",
        "submit",
        "reset",
        "button",
        "image",
        "nonsense",
    ]
)
NASTY = f"""<base href="http://["><title>n</title><input autofocus form=zz>
    <form id=f action="/d?x#y" method=post enctype=multipart/form-data>{CONTROLS}
    <fieldset disabled><legend><input name=l></legend><button>x</button></fieldset>
    <select name=s multiple required><optgroup disabled><option>a</optgroup><option value="">b</select>
    <select name=t><option disabled>a<option label="">b</select><textarea name=u minlength=2 required>\n\n</textarea>
    <button formmethod=dialog>x</button><button formaction="http://[">x</button><button formnovalidate>x</button></form>
    <a href="http://[">x</a><a href="javascript:x">x</a><a href="#é%ff">x</a><a href="" target=w>x</a><a>x</a>
    <a href="https://other.test">x</a><a href="/loop">x</a><a href="/none" target=_blank>x</a><a href="/d?p">x</a>
    <details name=g open><summary>x<a href="#f">x</a><button>x</button></summary><details name=g><summary>y</summary>
    </details></details><label><label for=f>x</label><input type=checkbox></label><label>x</label>
    <button commandfor=m command=show-modal>x</button><button popovertarget=p>x</button><button command=close commandfor=m>
    <dialog id=m><form method=dialog><input required><button>x</button></form><div popover id=p><p tabindex=9>x</div>
    </dialog><dialog open closedby=any>x</dialog><div popover=manual id=q>x</div><button popovertarget=q>x</button>
    <div inert><input></div><p hidden=until-found><input></p><datalist><option>x</datalist><output>x</output>
    <table><tr><td><option>x</table><summary>x</summary><legend>x</legend><area href=/><iframe></iframe>"""
VALUES = st.one_of(
    st.sampled_from(
        [
            "�",
            "\x00",
            "http://[",
            "javascript:alert(1)",
            "data:,x",
            "//",
            "/d",
            "#",
            "?",
            "a@b",
            "1",
            "-1",
            "1e999",
            "2020-01-01",
            "#ffffff",
            "on",
            "a",
            "b",
            "\n",
            "\t",
            "é",
        ]
    ),
    st.text(max_size=20),
    st.characters(codec=None).map(lambda character: character * 3),
    st.just("x" * 10_000),
)
KEYS = st.one_of(
    st.sampled_from(
        [
            "Enter",
            "Tab",
            "Shift+Tab",
            "Escape",
            "Space",
            "Backspace",
            "Delete",
            "Control+a",
            "ArrowDown",
            "ArrowUp",
            "ArrowLeft",
            "Home",
            "End",
            "PageDown",
            "a",
            "+",
            "1",
        ]
    ),
    VALUES,
)
BIDS = st.one_of(st.integers(0, 140).map(str), st.sampled_from(["", "x", "\ud800", "99999999999999"]))
MODIFIED = st.lists(st.sampled_from(MODIFIERS), max_size=2).map(tuple)
PRIMITIVES = st.one_of(
    st.builds(
        lambda *a: Primitive(a[0], a[1:]),
        st.sampled_from(["click", "dblclick"]),
        BIDS,
        st.sampled_from(BUTTONS),
        MODIFIED,
    ),
    st.builds(
        lambda *a: Primitive(a[0], a[1:]), st.sampled_from(["hover", "focus", "clear", "check", "uncheck"]), BIDS
    ),
    st.builds(lambda *a: Primitive("fill", a), BIDS, VALUES),
    st.builds(lambda *a: Primitive("press", a), BIDS, KEYS),
    st.builds(lambda *a: Primitive("select_option", a), BIDS, st.lists(VALUES, max_size=2).map(tuple)),
    st.builds(lambda *a: Primitive("keyboard_press", a), KEYS),
    st.builds(lambda *a: Primitive("keyboard_type", a), VALUES),
    st.builds(lambda *a: Primitive("goto", a), VALUES),
    st.builds(lambda *a: Primitive("scroll", a), st.just(0.0), st.floats(-1e9, 1e9)),
    st.builds(lambda a: Primitive("tab_focus", (a,)), st.integers(-2, 5)),
    st.sampled_from(["go_back", "go_forward", "new_tab", "tab_close"]).map(lambda name: Primitive(name, ())),
)


def play_through(primitives):
    """Performs what can be performed and returns everything that can be seen, and a saved context."""
    site = FakeSite({"/d": NASTY, "/none": lambda r: FakeSite({}).request(r)})
    browser = DomBrowser()
    browser.reset(site)
    browser.goto("https://fake.test/d")
    seen: list[Any] = []
    for primitive in primitives:
        browser.page()
        try:
            browser.perform(primitive)
        except ActionError as error:
            seen.append(str(error))
        seen.append((browser.tabs, browser.active_tab, *browser.snapshot()[1:]))
    return [*seen, *site.requests], browser


@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.lists(PRIMITIVES, max_size=12))
def test_only_action_errors_and_always_the_same(primitives):
    seen, browser = play_through(primitives)
    again, _ = play_through(primitives)
    assert seen == again
    saved, before = browser.save(), browser.snapshot()
    browser.restore(saved)
    assert browser.snapshot() == before


@pytest.mark.parametrize("html", ["", "\0", "<", "<html>", "<!-- x", "<frameset>", "<svg><a href=x>y</svg>"])
def test_odd_documents(play, html):
    session = play(html, "goto /r", "back", "keys Tab", "keys Enter", "type x", "goto #x")
    assert session.url.endswith("#x")


def test_values_reach_the_site_as_unicode(play):
    session = play("<form action=/r><input id=q name=q><button id=go>", "fill #q a\ud800\0b", "click #go")
    assert session.sent == ["GET /r?q=a%EF%BF%BD%00b"]
