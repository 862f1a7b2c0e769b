from __future__ import annotations

import pytest

from skillshift_gym.errors import NavigationFailed

FOLLOWED = {
    "plain": ("<a id=a href=/r>x</a>", "click #a", "GET /r"),
    "relative": ("<a id=a href=r>x</a>", "click #a", "GET /r"),
    "dot segments": ("<a id=a href=x/../../r/./s>x</a>", "click #a", "GET /r/s"),
    "query only": ("<a id=a href='?q=1'>x</a>", "click #a", "GET /d?q=1"),
    "empty href": ("<a id=a href=''>x</a>", "click #a", "GET /d"),
    "absolute": ("<a id=a href='https://fake.test/r'>x</a>", "click #a", "GET /r"),
    "scheme relative": ("<a id=a href='//fake.test/r'>x</a>", "click #a", "GET /r"),
    "upper case host and port": ("<a id=a href='HTTPS://FAKE.test:443/r'>x</a>", "click #a", "GET /r"),
    "white space around and inside": ("<a id=a href=' /\n r '>x</a>", "click #a", "GET /%20r"),
    "backslashes": ("<a id=a href='\\r\\s'>x</a>", "click #a", "GET /r/s"),
    "escapes": ("<a id=a href='/a b?c=d e&amp;f=é&quot;'>x</a>", "click #a", "GET /a%20b?c=d%20e&f=%C3%A9%22"),
    "escapes are kept": ("<a id=a href='/a%20b%2Fc'>x</a>", "click #a", "GET /a%20b%2Fc"),
    "fragment is not sent": ("<a id=a href='/r#x'>x</a>", "click #a", "GET /r"),
    "base": ("<base href=/dir/><a id=a href=r>x</a>", "click #a", "GET /dir/r"),
    "broken base": ("<base href='http://['><a id=a href=r>x</a>", "click #a", "GET /r"),
    "child of the link": ("<a href=/r><b><span id=a>x</span></b></a>", "click #a", "GET /r"),
    "download is ignored": ("<a id=a href=/r download>x</a>", "click #a", "GET /r"),
    "Enter": ("<a id=a href=/r>x</a>", "press #a Enter", "GET /r"),
    "label inside a link": ("<a href=/r><label id=a>x</label></a>", "click #a", "GET /r"),
    "label of a control inside a link": ("<a href=/r><label id=a for=c>x</label></a><input id=c>", "click #a", None),
    "text field inside a link": ("<a href=/r><input id=a></a>", "click #a", "GET /r"),
    "text area inside a link": ("<a href=/r><textarea id=a></textarea></a>", "click #a", "GET /r"),
    "checkbox inside a link": ("<a href=/r><input type=checkbox id=a></a>", "click #a", None),
    "submit button inside a link": (
        "<form action=/s><a href=/r><button id=a>x</button></a></form>",
        "click #a",
        "GET /s?",
    ),
    "type=button inside a link": (
        "<form><a href=/r><button type=button id=a>x</button></a></form>",
        "click #a",
        "GET /r",
    ),
    "details inside a link": ("<a href=/r><details><summary id=a>x</summary></details></a>", "click #a", None),
    "no href": ("<a id=a>x</a>", "click #a", None),
    "script": ("<a id=a href='javascript:void(0)'>x</a>", "click #a", None),
    "fragment": ("<a id=a href='#x'>x</a>", "click #a", None),
    "Space scrolls": ("<a id=a href=/r>x</a>", "press #a Space", None),
    "right click": ("<a id=a href=/r>x</a>", "click #a right", None),
    "button inside a link": ("<a href=/r><button id=a>x</button></a>", "click #a", "GET /r"),
    "double click": ("<a id=a href=/r>x</a>", "dblclick #a", "GET /r"),
}


@pytest.mark.parametrize(("html", "action", "request_sent"), FOLLOWED.values(), ids=FOLLOWED)
def test_request_of_a_click(play, html, action, request_sent):
    assert play(html, action).sent == ([request_sent] if request_sent else [])


@pytest.mark.parametrize(
    "href", ["https://other.test/", "http://fake.test/", "mailto:a@b.c", "data:text/html,x", "http://[", "https://"]
)
def test_a_link_out_of_the_site_fails_and_nothing_changes(refuse, href):
    error, session = refuse(f"<a id=a href='{href}'>x</a>", "click #a")
    assert isinstance(error, NavigationFailed)
    assert session.url == "/d" and session.sent == []


OPENED = {
    "_blank": ("<a id=a href=/r target=_blank>x</a>", ["click #a"], ["/d", "/r"], 1),
    "named": ("<a id=a href=/r target=w>x</a>", ["click #a"], ["/d", "/r"], 1),
    "named, twice": ("<a id=a href=/r target=w>x</a>", ["click #a", "tab 0", "click #a"], ["/d", "/r"], 1),
    "_self": ("<a id=a href=/r target=_self>x</a>", ["click #a"], ["/r"], 0),
    "_TOP": ("<a id=a href=/r target=_TOP>x</a>", ["click #a"], ["/r"], 0),
    "base target": ("<base target=_blank><a id=a href=/r>x</a>", ["click #a"], ["/d", "/r"], 1),
    "Control": ("<a id=a href=/r>x</a>", ["Control+click #a"], ["/d", "/r"], 0),
    "Meta": ("<a id=a href=/r>x</a>", ["Meta+click #a"], ["/r"], 0),
    "middle": ("<a id=a href=/r>x</a>", ["middle+click #a"], ["/d", "/r"], 0),
    "Shift": ("<a id=a href=/r>x</a>", ["Shift+click #a"], ["/d", "/r"], 1),
    "Control+Shift": ("<a id=a href=/r>x</a>", ["Control+Shift+click #a"], ["/d", "/r"], 1),
    "Control+Enter": ("<a id=a href=/r>x</a>", ["press #a Control+Enter"], ["/d", "/r"], 0),
    "fragment in a new tab": ("<a id=a href='#x' target=_blank>x</a>", ["click #a"], ["/d", "/d#x"], 1),
    "Shift+Enter in a field": ("<form action=/r><input id=a></form>", ["press #a Shift+Enter"], ["/d", "/r?"], 1),
    "submit with Control": ("<form action=/r><button id=a>x</button></form>", ["Control+click #a"], ["/d", "/r?"], 0),
    "middle click on a button": ("<form action=/r><button id=a>x</button></form>", ["middle+click #a"], ["/d"], 0),
    "form target": ("<form action=/r target=_blank><button id=a>x</button></form>", ["click #a"], ["/d", "/r?"], 1),
    "formtarget": ("<form action=/r><button formtarget=w id=a>x</button></form>", ["click #a"], ["/d", "/r?"], 1),
    "new_tab": ("<p>", ["new_tab"], ["/d", "about:blank"], 1),
    "new_tab and relative goto": ("<p>", ["new_tab", "goto /r"], ["/d", "/r"], 1),
    "tab_close": ("<a id=a href=/r target=_blank>x</a>", ["click #a", "tab_close"], ["/d"], 0),
}


@pytest.mark.parametrize(("html", "actions", "urls", "active"), OPENED.values(), ids=OPENED)
def test_tab_of_a_page(play, html, actions, urls, active):
    browser = play(html, *actions).browser
    assert [tab.url.removeprefix("https://fake.test") for tab in browser.tabs] == urls
    assert browser.active_tab == active


def test_a_failed_page_opens_no_tab(refuse):
    _, session = refuse("<a id=a href='https://other.test' target=_blank>x</a>", "click #a")
    assert len(session.browser.tabs) == 1


@pytest.mark.parametrize(("action", "message"), [("tab 3", "there is no tab 3"), ("tab_close", "last tab")])
def test_tabs_that_do_not_exist(refuse, action, message):
    error, _ = refuse("<p>", action)
    assert isinstance(error, NavigationFailed) and message in str(error)


def test_tabs_keep_their_own_state(play):
    session = play("<input id=q><a id=a href=/r target=_blank>x</a>", "fill #q abc", "click #a", "tab 0")
    assert session.value("#q") == "abc"
    assert session.browser.tabs[1].title == "r"


REFERRERS = {
    "link": ("<a id=a href=/r>x</a>", "click #a", "https://fake.test/d"),
    "form": ("<form action=/r><button id=a>x</button></form>", "click #a", "https://fake.test/d"),
    "noreferrer": ("<a id=a href=/r rel='x noreferrer'>x</a>", "click #a", None),
    "goto": ("<a id=a href=/r>x</a>", "goto /r", None),
}


@pytest.mark.parametrize(("html", "action", "referrer"), REFERRERS.values(), ids=REFERRERS)
def test_referrer(play, html, action, referrer):
    (request,) = play(html, action).site.requests
    assert dict(request.headers).get("referer") == referrer


def test_fragment_of_the_referrer_is_withheld(play):
    session = play("<a id=f href='#x'>x</a><a id=a href=/r>x</a>", "click #f", "click #a")
    assert session.site.requests[-1].headers == (("referer", "https://fake.test/d"),)


def test_a_fragment_keeps_the_live_state(play):
    session = play("<input id=q><a id=a href='#q'>x</a>", "fill #q abc", "click #a")
    assert (session.url, session.value("#q"), session.sent) == ("/d#q", "abc", [])


def test_a_fragment_opens_the_details_around_its_target(play):
    session = play("<a id=a href='#t'>x</a><details id=o><details id=i><p id=t>x</p></details></details>", "click #a")
    assert session.opened == "o i"


def test_tab_goes_on_from_the_target_of_a_fragment(play):
    session = play("<a id=a href='#t'>x</a><input id=b><p id=t>x</p><input id=c>", "click #a", "keys Tab")
    assert session.focus == "c"
