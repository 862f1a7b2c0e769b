from __future__ import annotations

import pytest

from skillshift_gym.browsers.cookies import CookieJar
from skillshift_gym.testing import html_response, redirect

HOST = "https://a.fake.test"


def jar_after(*headers: str, url: str = f"{HOST}/x/y", date: str = "") -> CookieJar:
    jar = CookieJar()
    for header in headers:
        dates = (("Date", date),) if date else ()
        jar.receive(url, html_response("", headers=(("Set-Cookie", header), *dates)))
    return jar


KEPT = {
    "plain": (["a=1"], "/x/z", {"a": "1"}),
    "default path": (["a=1"], "/z", {}),
    "default path is a folder": (["a=1"], "/xy", {}),
    "path": (["a=1; Path=/"], "/z", {"a": "1"}),
    "path prefix": (["a=1; Path=/z"], "/z/1", {"a": "1"}),
    "path prefix ends at a slash": (["a=1; Path=/z"], "/zz", {}),
    "relative path": (["a=1; Path=z"], "/x/1", {"a": "1"}),
    "replaced": (["a=1", "a=2"], "/x/", {"a": "2"}),
    "two paths": (["a=1; Path=/", "a=2; Path=/x"], "/x/", {"a": "2"}),
    "white space": ([" a = 1 ; path = / "], "/", {"a": "1"}),
    "value with an equals sign": (["a=b=c; Path=/"], "/", {"a": "b=c"}),
    "empty value": (["a=; Path=/"], "/", {"a": ""}),
    "no name": (["=1; Path=/"], "/", {}),
    "no equals sign": (["a; Path=/"], "/", {}),
    "Max-Age": (["a=1; Path=/; Max-Age=10"], "/", {"a": "1"}),
    "Max-Age 0": (["a=1; Path=/", "a=1; Path=/; Max-Age=0"], "/", {}),
    "negative Max-Age": (["a=1; Path=/; Max-Age=-1"], "/", {}),
    "broken Max-Age": (["a=1; Path=/; Max-Age=x"], "/", {"a": "1"}),
    "Max-Age before Expires": (["a=1; Path=/; Max-Age=9; Expires=Thu, 01 Jan 1970 00:00:00 GMT"], "/", {"a": "1"}),
    "Expires": (["a=1; Path=/", "a=; Path=/; Expires=Thu, 01-Jan-1970 00:00:00 GMT"], "/", {}),
    "Expires later": (["a=1; Path=/; Expires=Fri, 01 Jan 2100 00:00:00 GMT"], "/", {"a": "1"}),
    "broken Expires": (["a=1; Path=/; Expires=soon"], "/", {"a": "1"}),
    "deletion keeps other paths": (["a=1; Path=/", "a=2; Path=/x", "a=; Path=/x; Max-Age=0"], "/x/", {"a": "1"}),
    "parent domain": (["a=1; Path=/; Domain=fake.test"], "/", {"a": "1"}),
    "dotted domain": (["a=1; Path=/; Domain=.fake.test"], "/", {"a": "1"}),
    "foreign domain": (["a=1; Path=/; Domain=other.test"], "/", {}),
    "top-level domain": (["a=1; Path=/; Domain=test"], "/", {}),
    "Secure": (["a=1; Path=/; Secure; HttpOnly; SameSite=Lax"], "/", {"a": "1"}),
    "__Host-": (["__Host-a=1; Path=/; Secure"], "/", {"__Host-a": "1"}),
    "__Host- without Secure": (["__Host-a=1; Path=/"], "/", {}),
    "__Host- with a path": (["__Host-a=1; Path=/x; Secure"], "/x/", {}),
    "order": (["b=1; Path=/", "a=2; Path=/"], "/", {"b": "1", "a": "2"}),
}


@pytest.mark.parametrize(("headers", "path", "sent"), KEPT.values(), ids=KEPT)
def test_cookies_sent(headers, path, sent):
    assert jar_after(*headers).sent(HOST + path) == sent


def test_hosts():
    jar = jar_after("a=1; Path=/", "b=1; Path=/; Domain=fake.test")
    assert jar.sent("https://b.fake.test/") == {"b": "1"}


def test_a_secure_cookie_needs_https():
    assert jar_after("a=1; Path=/; Secure").sent("http://a.fake.test/") == {}
    assert jar_after("a=1; Path=/; Secure", url="http://a.fake.test/").sent(HOST) == {}


def test_the_date_of_the_response_is_the_clock():
    jar = jar_after("a=1; Path=/; Expires=Fri, 01 Jan 2021 00:00:00 GMT", date="Sat, 01 Jan 2022 00:00:00 GMT")
    assert jar.sent(HOST) == {}


def test_cookies_of_a_session(play):
    pages = {
        "/p": lambda r: redirect("/r", headers=(("Set-Cookie", "a=1"), ("Set-Cookie", "b=2; Path=/p"))),
        "/out": lambda r: redirect("/r", headers=(("Set-Cookie", "a=; Max-Age=0"),)),
    }
    session = play("<p>", "goto /p", "goto /out", pages=pages)
    assert [dict(r.cookies) for r in session.site.requests] == [{}, {"a": "1"}, {"a": "1"}, {}]


def test_tabs_share_cookies(play):
    pages = {"/p": lambda r: html_response("", headers=(("Set-Cookie", "a=1"),))}
    session = play("<a id=a href=/p target=_blank>x</a>", "click #a", "tab 0", "goto /r", pages=pages)
    assert session.site.requests[-1].cookies == {"a": "1"}


def test_a_new_context_has_no_cookies(play):
    pages = {"/p": lambda r: html_response("", headers=(("Set-Cookie", "a=1"),))}
    session = play("<p>", "goto /p", pages=pages)
    session.browser.reset(session.site)
    session.browser.goto("/r")
    assert session.site.requests[-1].cookies == {}
