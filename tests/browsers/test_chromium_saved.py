"""Saved contexts, overlays and pictures of Chromium."""

from __future__ import annotations

import pickle

import numpy as np
import pytest

from skillshift_gym.actions import primitive
from skillshift_gym.browsers.chromium import ChromiumBrowser
from skillshift_gym.errors import NavigationFailed, SnapshotError
from skillshift_gym.testing import FakeSite, html_response

FORM = """<input id=q><input type=checkbox id=c><select id=l multiple><option id=l1>a<option>b<option id=l3>c</select>
    <details id=d><summary id=s>x</summary></details><a id=b href=/r target=_blank>x</a><a id=w href=/r target=w>x</a>
    <form id=p action=/p method=post><input name=n id=n required><button id=go>x</button></form><a id=f href="#n">f</a>
    <dialog id=m><input id=i><button id=k>k</button></dialog><button id=o commandfor=m command=show-modal>x</button>
    <button id=u popovertarget=v>x</button><div id=v popover>x</div>"""


def document(body, title="t"):
    return f"<!DOCTYPE html><html><head><title>{title}</title></head><body>{body}</body></html>"


PAGES = {
    "/d": document(FORM, "d"),
    "/r": document("<p>r</p>", "r"),
    "/p": lambda r: html_response(document("<input id=z>", "posted"), headers=(("Set-Cookie", "a=1; Path=/; Secure"),)),
}


class Session:
    def __init__(self, site=None):
        self.site = site or FakeSite(PAGES)
        self.browser = ChromiumBrowser()
        self.browser.reset(self.site)
        self.browser.goto("/d")

    def do(self, name, who=None, *arguments):
        target = () if who is None else (str(self.browser.page().document.ids[who]),)
        self.browser.page()
        self.browser.perform(primitive(name, *target, *arguments))
        return self

    def click(self, who):
        return self.do("click", who, "left", ())

    def state(self):
        browser = self.browser
        seen = browser.snapshot()
        return browser.tabs, browser.active_tab, browser.document_number, browser.overlay_state(), *seen


@pytest.fixture
def session():
    made = Session()
    yield made
    made.browser.close()


def busy(session):
    session.do("fill", "q", "abc").do("check", "c").do("select_option", "l", ("a", "c")).click("s").click("b")
    session.browser.perform(primitive("tab_focus", 0))
    session.browser.goto("/d?2")
    return session.do("fill", "n", "one").do("press", "n", "ArrowLeft")


def test_a_context_comes_back_as_it_was(session):
    busy(session).click("o")
    session.browser.overlay_show("<div role=dialog><input id=x><button id=y>y</button></div>")
    session.browser.page()
    saved, before, sent = session.browser.save(), session.state(), len(session.site.requests)
    session.do("keyboard_press", None, "Escape")
    session.browser.goto("/r")
    session.browser.restore(saved)
    assert session.state() == before
    assert len(session.site.requests) == sent + 1
    session.browser.restore(saved)
    assert session.state() == before


def test_the_history_comes_back_with_its_form_states(session):
    saved = busy(session).browser.save()
    other = Session(session.site)
    other.browser.restore(saved)
    assert (
        other.do("keyboard_type", None, "X").browser.snapshot().controls[other.browser.page().document.ids["n"]].value
        == "onXe"
    )
    other.do("go_back")
    snapshot = other.browser.snapshot()
    ids = snapshot.document.ids
    assert (snapshot.controls[ids["q"]].value, snapshot.controls[ids["c"]].checked) == ("abc", True)
    assert snapshot.controls[ids["l"]].selected == (ids["l1"], ids["l3"])
    other.do("go_forward")
    assert other.browser.page().url == "https://fake.test/d?2"
    other.do("go_back")
    with pytest.raises(NavigationFailed, match="no previous"):
        other.do("go_back")
    other.browser.close()


def test_cookies_and_pages_that_were_posted_come_back_without_a_request(session):
    session.do("fill", "n", "1").click("go").do("fill", "z", "typed")
    saved, sent = session.browser.save(), len(session.site.requests)
    session.browser.restore(saved)
    assert len(session.site.requests) == sent
    assert session.browser.page().title == "posted" and session.browser.tabs[0].url == "https://fake.test/p"
    assert session.browser.snapshot().controls[4].value == "typed"
    session.do("go_back")
    assert dict(session.site.requests[-1].cookies) == {"a": "1"}
    with pytest.raises(NavigationFailed, match="not sent again"):
        session.do("go_forward")
    assert session.browser.page().title == "d"


def test_steps_at_one_address_and_steps_within_a_document(session):
    site = FakeSite({**PAGES, "/d": lambda r: html_response(PAGES["/d"].replace("/p", "/d"))})
    session = Session(site)
    session.click("f").do("fill", "n", "1").click("go")
    saved, before = session.browser.save(), session.state()
    session.browser.restore(saved)
    assert session.state() == before
    session.do("go_back")
    assert session.browser.tabs[0].url == "https://fake.test/d#n"
    session.do("go_back")
    assert session.browser.tabs[0].url == "https://fake.test/d"
    session.browser.close()


def test_popovers_and_restored_bids(session):
    session.click("u")
    saved, before = session.browser.save(), session.state()
    session.browser.restore(saved)
    assert session.state() == before
    session.browser.perform(primitive("fill", str(session.browser.snapshot().document.ids["q"]), "x"))


def test_a_saved_context_can_be_pickled(session):
    session.do("fill", "q", "abc")
    session.browser.restore(pickle.loads(pickle.dumps(session.browser.save())))
    assert session.browser.snapshot().controls[4].value == "abc"


def test_what_cannot_be_restored_is_refused(session):
    for saved in (None, "x", ()):
        with pytest.raises(SnapshotError):
            session.browser.restore(saved)
    foreign = ChromiumBrowser()
    foreign.reset(FakeSite({}, "https://else.test"))
    with pytest.raises(SnapshotError, match=r"saved on https://fake\.test"):
        foreign.restore(session.browser.save())
    foreign.close()
    session.click("w")
    with pytest.raises(SnapshotError, match="under a name"):
        session.browser.save()


def test_closed_browsers_say_so(session):
    session.browser.close()
    session.browser.close()
    with pytest.raises(SnapshotError, match="call reset first"):
        session.browser.goto("/d")


def test_an_overlay_keeps_focus_caret_and_typed_text(session):
    session.click("s").do("fill", "q", "abc").do("press", "q", "ArrowLeft")
    before = session.browser.snapshot()
    session.browser.overlay_show("<div role=dialog><input autofocus id=x><p>text</p></div>stray")
    shown = session.browser.snapshot()
    assert (shown.focus, shown.opened, shown.controls[4].value) == (before.focus, before.opened, "abc")
    assert shown.document.ids["x"] == len(before.document) + 1 and "stray" not in session.browser.page().html
    assert shown.document[shown.document.ids["x"]].attrs == {"autofocus": "", "id": "x"}
    assert session.do("keyboard_type", None, "X").browser.snapshot().controls[4].value == "abXc"
    session.browser.overlay_clear()
    assert session.browser.snapshot().document is before.document and session.browser.overlay_state() == ""


def test_pictures_are_the_same_every_time(session):
    session.do("focus", "q")
    first, second = session.browser.screenshot(), session.browser.screenshot()
    assert first.shape == (720, 1280, 3) and first.dtype == np.uint8 and first.std() > 1
    assert np.array_equal(first, second)
    assert not np.array_equal(first, session.do("fill", "q", "abc").browser.screenshot())
