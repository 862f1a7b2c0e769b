"""Requests, redirects, cookies and tabs of Chromium."""

from __future__ import annotations

import asyncio
import threading

import pytest

from skillshift_gym.actions import primitive
from skillshift_gym.browsers.chromium import ChromiumBrowser
from skillshift_gym.errors import CoveredElement, NavigationFailed
from skillshift_gym.sites.protocol import Response
from skillshift_gym.testing import FakeSite, html_response, redirect


def document(body, head=""):
    return f"<!DOCTYPE html><html><head><title>t</title>{head}</head><body>{body}</body></html>"


@pytest.fixture
def browse():
    """Opens `/d` of a site in a new browser."""
    browsers = []

    def start(body, pages=None, **kwargs):
        site = FakeSite({"/d": document(body), "/r": document("<p>sent</p>"), **(pages or {})})
        browser = ChromiumBrowser(**kwargs)
        browsers.append(browser)
        browser.reset(site)
        browser.goto("/d")
        return browser, site

    yield start
    for browser in browsers:
        browser.close()


def click(browser, name, *modifiers):
    browser.perform(primitive("click", str(browser.page().document.ids[name]), "left", modifiers))


def test_a_redirect_sets_cookies_that_the_next_request_carries(browse):
    headers = (("Set-Cookie", "k=v; Path=/; Secure; HttpOnly"), ("Set-Cookie", "old=1; Path=/; Max-Age=0"))
    pages = {"/p": lambda request: redirect("/r?x", 303, headers)}
    browser, site = browse("<form action=/p method=post><input name=a value=é><button id=b>x</button></form>", pages)
    click(browser, "b")
    (post, get) = site.requests[1:]
    assert (post.method, post.body, post.content_type) == ("POST", b"a=%C3%A9", "application/x-www-form-urlencoded")
    assert (get.method, get.url, dict(get.cookies)) == ("GET", "https://fake.test/r?x", {"k": "v"})


def test_cookies_live_by_the_sites_clock(browse):
    expires = "Expires=Sun, 01 Jan 2006 00:00:00 GMT"
    headers = (("Date", "Sat, 01 Jan 2005 00:00:00 GMT"), ("Set-Cookie", f"a=1; Path=/; {expires}"))
    later = (("Date", "Mon, 01 Jan 2007 00:00:00 GMT"), ("Set-Cookie", f"a=1; Path=/; {expires}"))
    pages = {
        "/p": lambda request: html_response(document("x"), headers=headers),
        "/q": lambda request: html_response(document("x"), headers=later),
    }
    browser, site = browse("x", pages)
    for path in ("/p", "/r", "/q", "/r"):
        browser.goto(path)
    assert [dict(r.cookies) for r in site.requests[2:]] == [{"a": "1"}, {"a": "1"}, {}]


def test_another_context_has_other_cookies(browse):
    pages = {"/p": lambda request: html_response(document("x"), headers=(("Set-Cookie", "a=1; Path=/"),))}
    first, _ = browse("x", pages)
    first.goto("/p")
    second, site = browse("x", pages)
    second.goto("/r")
    assert dict(site.requests[-1].cookies) == {}


def test_multipart_data_has_a_boundary_that_is_the_same_every_time(browse):
    body = (
        "<form action=/r method=post enctype=multipart/form-data><input name=a value=1><button id=b>x</button></form>"
    )
    sent = []
    for _ in range(2):
        browser, site = browse(body)
        click(browser, "b")
        sent.append((site.requests[-1].body, site.requests[-1].content_type))
    assert sent[0] == sent[1] and b'name="a"\r\n\r\n1\r\n' in sent[0][0]


def test_the_first_request_of_a_new_tab_reaches_the_site(browse):
    browser, site = browse("<a id=a href=/r target=_blank>x</a>")
    for count in (2, 3):
        click(browser, "a")
        assert (len(browser.tabs), browser.active_tab, browser.page().url) == (count, count - 1, "https://fake.test/r")
        browser.perform(primitive("tab_focus", 0))
    assert [r.url for r in site.requests] == ["https://fake.test/d", *["https://fake.test/r"] * 2]
    assert site.requests[-1].headers == (("referer", "https://fake.test/d"),)


def test_a_new_tab_that_leads_nowhere_is_no_tab(browse):
    browser, _ = browse("<a id=a href=https://else.test/ target=_blank>x</a><a id=b href=/r target=_blank>x</a>")
    with pytest.raises(NavigationFailed, match="only reaches"):
        click(browser, "a")
    click(browser, "b")
    assert [tab.url for tab in browser.tabs] == ["https://fake.test/d", "https://fake.test/r"]


def test_endless_redirects(browse):
    browser, _ = browse("<input id=q>", {"/loop": lambda request: redirect("/loop")})
    with pytest.raises(NavigationFailed, match="more than 20 redirects"):
        browser.goto("/loop")
    assert browser.page().url == "https://fake.test/d"
    browser.goto("/r")
    assert browser.page().url == "https://fake.test/r"


def test_only_style_sheets_and_pictures_of_the_site_are_requested(browse):
    head = "<link rel=stylesheet href=/s.css><link rel=stylesheet href=https://else.test/s.css>"
    pages = {
        "/p": document(
            "<img src=/i.svg alt=i><iframe src=/r></iframe><script>location = '/r'</script><a href='javascript:location=1'>x</a>",
            head,
        ),
        "/s.css": lambda request: Response(200, (("Content-Type", "text/css"),), b"body { color: red }"),
    }
    browser, site = browse("x", pages)
    browser.goto("/p")
    browser.screenshot()
    assert sorted({r.url.removeprefix("https://fake.test") for r in site.requests[1:]}) == ["/i.svg", "/p", "/s.css"]


def test_an_error_of_the_site_reaches_the_caller(browse):
    def fail(request):
        raise ZeroDivisionError("a bug in the site")

    browser, _ = browse("<a id=a href=/p>x</a>", {"/p": fail})
    with pytest.raises(ZeroDivisionError):
        click(browser, "a")
    assert browser.page().url == "https://fake.test/d"


def test_what_covers_an_element_is_named(browse):
    cover = "<div id=c role=dialog aria-label=Cover style='position:fixed;inset:0'><button id=x>x</button></div>"
    browser, _ = browse(f"<a id=a href=/r>x</a>{cover}")
    with pytest.raises(CoveredElement, match="covered by element") as caught:
        click(browser, "a")
    assert caught.value.by == "Cover"
    assert browser.page().url == "https://fake.test/d"


def test_an_element_below_the_fold_is_brought_into_view(browse):
    browser, _ = browse("<p style='height:3000px'>x</p><a id=a href=/r>x</a>")
    click(browser, "a")
    assert browser.page().url == "https://fake.test/r"


def test_a_link_around_another_control_is_clicked_beside_it(browse):
    browser, site = browse("<a id=a href=/r>text before the button <button type=button>a long button</button></a>")
    click(browser, "a")
    assert site.requests[-1].url == "https://fake.test/r"


def test_an_element_without_a_size_is_clicked_too(browse):
    browser, site = browse("<a id=a href=/r></a>")
    click(browser, "a")
    assert site.requests[-1].url == "https://fake.test/r"


def test_inside_a_running_event_loop(browse):
    async def play():
        browser, _ = browse("<a id=a href=/r>x</a>")
        click(browser, "a")
        return browser.page().url

    assert asyncio.run(play()) == "https://fake.test/r"


def test_threads_share_one_chromium(browse):
    results = []

    def play(number):
        browser, site = browse("<input id=q><a id=a href=/r>x</a>")
        for text in ("one", f"text {number}"):
            browser.perform(primitive("fill", str(browser.page().document.ids["q"]), text))
        value = browser.page().elements[4].value
        click(browser, "a")
        results.append((value, browser.page().url, len(site.requests)))

    threads = [threading.Thread(target=play, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(results) == [(f"text {n}", "https://fake.test/r", 2) for n in range(4)]


def test_a_filtered_document_is_what_chromium_shows(browse):
    class Wrap:
        key = "wrap"

        def __call__(self, root, url):
            body = root.find("body")
            body.set("data-filtered", url)
            body.append(body.makeelement("p", {"id": "new"}))

    site = FakeSite({"/d": document("<p data-sid=x.y>a &amp; b</p><pre>\n\nc</pre>")})
    browser = ChromiumBrowser()
    browser.reset(site, (Wrap(),))
    browser.goto("/d")
    page = browser.page()
    assert page.document[3].attrs == {"data-filtered": "https://fake.test/d"}
    assert "new" in page.document.ids and page.document.sids == {4: "x.y"}
    assert "data-sid" not in page.html and "a & b" in page.axtree
    browser.close()
