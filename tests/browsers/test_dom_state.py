from __future__ import annotations

from itertools import count

import pytest

from skillshift_gym.actions import Primitive, primitive
from skillshift_gym.browsers.derived import Recent
from skillshift_gym.browsers.dom import DomBrowser
from skillshift_gym.errors import MalformedAction, MissingElement, SnapshotError, StaleElement
from skillshift_gym.testing import FakeSite

PAGE = """<input id=q><input type=checkbox id=c><details id=d><summary id=s>x</summary><a id=a href=/r>x</a></details>
    <a id=b href=/r target=_blank>x</a><form action=/r><input name=n id=n required><button id=go>x</button></form>"""
BUSY = ["fill #q abc", "check #c", "click #s", "click #b", "tab 0", "goto /d?2", "fill #n 1", "scroll 20"]


def state(session):
    browser = session.browser
    return (browser.tabs, browser.active_tab, browser.snapshot()[1:], browser.overlay_state(), browser.save().cookies)


def test_restore(play):
    session = play(PAGE, *BUSY)
    session.browser.overlay_show("<p>x</p>")
    session.browser.page()
    saved, before = session.browser.save(), state(session)
    session.do("back", "fill #q other", "click #s", "tab 1", "tab_close", "goto /r")
    session.browser.restore(saved)
    assert state(session) == before
    session.do("click #go")
    session.browser.restore(saved)
    assert state(session) == before


def test_restore_in_another_browser(play):
    session, other = play(PAGE, *BUSY), play(PAGE)
    other.browser.restore(session.browser.save())
    assert state(other) == state(session)
    assert other.do("back").value("#q") == session.do("back").value("#q") == "abc"
    assert other.sent[-1] == "GET /d"


def test_restored_bids_are_still_those_seen(play):
    session = play(PAGE)
    saved = session.browser.save()
    session.browser.restore(saved)
    session.browser.perform(primitive("fill", session.bid("#q"), "x"))
    assert session.value("#q") == "x"


@pytest.mark.parametrize("saved", [None, "x", ()])
def test_what_cannot_be_restored(play, saved):
    with pytest.raises(SnapshotError):
        play(PAGE).browser.restore(saved)


def test_another_site_cannot_be_restored(play):
    browser = DomBrowser()
    browser.reset(FakeSite({}, "https://else.test"))
    with pytest.raises(SnapshotError, match=r"saved on https://fake\.test"):
        browser.restore(play(PAGE).browser.save())


def test_close_twice(play):
    browser = play(PAGE).browser
    browser.close()
    browser.close()
    with pytest.raises(SnapshotError):
        browser.goto("/d")


def test_page_of_an_unchanged_tab_is_the_same(play):
    browser = play(PAGE).browser
    assert browser.page() is browser.page()


def test_pages_are_shared_by_state(play):
    session, other = play(PAGE), play(PAGE)
    other.browser.restore(session.browser.save())
    assert other.browser.page() is session.browser.page()
    pages = [s.do("fill #q abc").browser.page() for s in (session, other)]
    assert pages[0] is pages[1]
    assert other.do("fill #q other").browser.page() is not pages[0]
    assert session.browser.page() is pages[0]
    assert session.do("clear #q", "fill #q abc").browser.page() is pages[0]


def test_states_of_a_shared_document_do_not_mix(play):
    session, other = play(PAGE), play(PAGE)
    other.browser.restore(session.browser.save())
    session.do("fill #q one", "click #s")
    other.do("fill #q two")
    assert (session.value("#q"), session.opened) == ("one", "d")
    assert (other.value("#q"), other.opened) == ("two", "")


def test_the_store_of_pages_is_bounded():
    recent: Recent[int, int] = Recent(2)
    made = count()
    values = [recent.get(key, lambda: next(made)) for key in (1, 2, 1, 3, 1, 2)]
    assert values == [0, 1, 0, 2, 0, 3] and len(recent) == 2


@pytest.mark.parametrize("name", ["goto", "new_tab", "tab_focus"])
def test_bids_of_a_page_that_is_gone(play, name):
    session = play(PAGE, "click #b", "tab 0")
    bid = session.bid("#q")
    arguments: dict[str, tuple[str | int, ...]] = {"goto": ("/r",), "tab_focus": (1,)}
    session.browser.perform(primitive(name, *arguments.get(name, ())))
    with pytest.raises(StaleElement):
        session.browser.perform(primitive("click", bid))


@pytest.mark.parametrize("bid", ["999", "-1", "007", "x", "1.0", "٣", "\ud800", "1e3", " 1"])
def test_bids_that_name_nothing(play, bid):
    with pytest.raises(MissingElement, match="there is no element"):
        play(PAGE).browser.perform(primitive("click", bid))


def test_unknown_primitive(play):
    with pytest.raises(MalformedAction):
        play(PAGE).browser.perform(Primitive("noop", (1,)))


def test_filters_reach_the_document():
    class Mark:
        key = "mark"

        def __call__(self, root, url):
            root.set("data-url", url)

    browser = DomBrowser()
    browser.reset(FakeSite({"/d": "<p>"}), (Mark(),))
    browser.goto("/d#x")
    assert browser.snapshot().document[0].attrs == {"data-url": "https://fake.test/d"}
    assert browser.snapshot().document.url == "https://fake.test/d#x"
