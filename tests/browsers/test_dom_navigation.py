from __future__ import annotations

from itertools import count

import pytest

from skillshift_gym.errors import NavigationFailed
from skillshift_gym.sites.protocol import Response
from skillshift_gym.testing import html_response, redirect

LINKS = "<a id=r href=/r>x</a><a id=s href='/d?s'>x</a><a id=f href='#f'>x</a><input id=q><p id=f>x"
FORM = "<form action=/p method=post><input name=a id=q value=1><button id=go>x</button></form>"


def to(location, status=302):
    return lambda request: redirect(location, status)


REDIRECTS = {
    "GET 302": ("goto /p", to("/r"), ["GET /p", "GET /r"], "/r"),
    "GET 301": ("goto /p", to("r", 301), ["GET /p", "GET /r"], "/r"),
    "POST 301": ("click #go", to("/r", 301), ["POST /p a=1", "GET /r"], "/r"),
    "POST 302": ("click #go", to("/r"), ["POST /p a=1", "GET /r"], "/r"),
    "POST 303": ("click #go", to("/r", 303), ["POST /p a=1", "GET /r"], "/r"),
    "POST 307": ("click #go", to("/r", 307), ["POST /p a=1", "POST /r a=1"], "/r"),
    "POST 308": ("click #go", to("/r", 308), ["POST /p a=1", "POST /r a=1"], "/r"),
    "fragment of the location": ("goto /p#a", to("/r#b"), ["GET /p", "GET /r"], "/r#b"),
    "fragment inherited": ("goto /p#a", to("/r"), ["GET /p", "GET /r"], "/r#a"),
    "location with spaces": ("goto /p", to("/r?é x"), ["GET /p", "GET /r?%C3%A9%20x"], "/r?%C3%A9%20x"),
    "absolute location": ("goto /p", to("https://fake.test/r"), ["GET /p", "GET /r"], "/r"),
}


@pytest.mark.parametrize(("action", "page", "sent", "url"), REDIRECTS.values(), ids=REDIRECTS)
def test_redirects(play, action, page, sent, url):
    session = play(FORM, action, pages={"/p": page})
    assert (session.sent, session.url) == (sent, url)


FAILURES = {
    "foreign origin": ("https://other.test/", "only reaches https://fake.test"),
    "other scheme": ("http://fake.test/", "only reaches"),
    "other port": ("https://fake.test:8443/", "only reaches"),
    "script": ("javascript:alert(1)", "expected an http or https address"),
    "data": ("data:text/html,x", "expected an http or https address"),
    "file": ("file:///etc/passwd", "expected an http or https address"),
    "broken host": ("http://[", "not a valid address"),
    "no host": ("https://", "not a valid address"),
    "space in the host": ("https://a b/", "not a valid address"),
    "redirect to a foreign origin": ("/away", "only reaches"),
    "redirect to nowhere": ("/nowhere", "not a valid address"),
    "endless redirect": ("/loop", "more than 20 redirects"),
}


@pytest.mark.parametrize(("url", "message"), FAILURES.values(), ids=FAILURES)
def test_pages_that_cannot_be_opened(refuse, url, message):
    pages = {"/away": to("https://other.test/"), "/nowhere": to("http://["), "/loop": to("/loop")}
    error, session = refuse(LINKS, "fill #q abc", f"goto {url}", pages=pages)
    assert isinstance(error, NavigationFailed) and message in str(error)
    assert (session.url, session.value("#q")) == ("/d", "abc")


def test_an_error_status_shows_its_page(play):
    session = play(LINKS, "goto /missing")
    assert (session.url, session.text()) == ("/missing", "Not found")


@pytest.mark.parametrize("status", [204, 205])
def test_no_content_stays_on_the_page(play, status):
    session = play(LINKS, "fill #q abc", "goto /p", pages={"/p": lambda r: html_response("", status=status)})
    assert (session.url, session.value("#q"), session.sent) == ("/d", "abc", ["GET /p"])


def test_a_download_stays_on_the_page(play):
    headers = (("Content-Disposition", 'attachment; filename="x.csv"'),)
    assert play(LINKS, "goto /p", pages={"/p": lambda r: html_response("x", headers=headers)}).url == "/d"


def test_a_body_that_is_not_html_is_shown_as_text(play):
    answer = Response(200, (("Content-Type", "application/json"),), '{"a": "<b>"}')
    assert play(LINKS, "goto /p", pages={"/p": lambda r: answer}).text() == '{"a": "<b>"}'


def test_about_blank(play):
    session = play(LINKS, "goto about:blank")
    assert (session.url, session.text(), session.sent) == ("about:blank", "", [])


HISTORY = {
    "back": (["click #r", "back"], "/d", ["GET /r", "GET /d"]),
    "back and forward": (["click #r", "back", "forward"], "/r", ["GET /r", "GET /d", "GET /r"]),
    "fragments ask for nothing": (["click #f", "back"], "/d", []),
    "forward to a fragment": (["click #f", "back", "forward"], "/d#f", []),
    "back to a fragment": (["click #f", "click #r", "back"], "/d#f", ["GET /r", "GET /d"]),
    "back over a fragment": (["click #f", "click #r", "back", "back"], "/d", ["GET /r", "GET /d"]),
    "the same address replaces": (["goto /r", "goto /r", "back"], "/d", ["GET /r", "GET /r", "GET /d"]),
    "the same fragment replaces": (["click #f", "click #f", "back"], "/d", []),
    "a query is another page": (["click #s", "back"], "/d", ["GET /d?s", "GET /d"]),
    "a new page cuts what followed": (["click #r", "back", "click #s", "back"], "/d", None),
}


@pytest.mark.parametrize(("actions", "url", "sent"), HISTORY.values(), ids=HISTORY)
def test_history(play, actions, url, sent):
    session = play(LINKS, *actions)
    assert session.url == url
    assert sent is None or session.sent == sent


@pytest.mark.parametrize(
    ("actions", "message"),
    [
        (["back"], "no previous page"),
        (["forward"], "no next page"),
        (["click #r", "back", "click #s", "forward"], "no next page"),
        (["new_tab", "back"], "no previous page"),
    ],
)
def test_the_ends_of_the_history(refuse, actions, message):
    error, _ = refuse(LINKS, *actions)
    assert isinstance(error, NavigationFailed) and message in str(error)


def test_history_restores_controls_and_scroll(play):
    html = """<a id=r href=/r>x</a><input id=a><input id=b name=b value=1><input type=password id=p>
        <input type=checkbox id=c checked><textarea id=t></textarea><select id=s><option>x<option>y</select>
        <input id=off autocomplete=off>"""
    changes = ["fill #a 1", "fill #p 1", "uncheck #c", "fill #t 1", "select #s y", "fill #off 1", "scroll 50"]
    session = play(html, *changes, "click #r", "back")
    assert [session.value(f"#{name}") for name in ("a", "b", "p", "t", "off")] == ["1", "1", "", "1", ""]
    assert (session.checked, session.selected("#s"), session.browser.snapshot().scroll_y) == ("", "y", 50)


def test_restored_controls_are_found_in_a_changed_page(play):
    visits = count()
    pages = {"/p": lambda r: "<a href=/r>x</a>" + "<p>new</p>" * next(visits) + "<input id=q name=q><input name=z>"}
    session = play("<p>", "goto /p", "fill #q abc", "click a", "back", pages=pages)
    assert (session.text(), session.value("#q")) == ("xnew", "abc")


def test_going_back_gives_the_focus_to_autofocus_but_not_to_a_fragment(play):
    assert play("<input id=a autofocus>", "goto /r", "back").focus == "a"
    assert play("<a id=l href='#a'>x</a><input id=a>", "click #l", "goto /r", "back").focus == ""


def test_going_back_shows_the_present_state(play):
    visits = count()
    session = play("<p>", "goto /p", "goto /r", "back", pages={"/p": lambda r: f"<p>{next(visits)}"})
    assert session.text() == "1"


def test_the_answer_to_a_form_is_not_sent_again(refuse):
    pages = {"/p": "<a id=n href=/r>x</a>"}
    error, session = refuse(FORM, "click #go", "click #n", "back", pages=pages)
    assert isinstance(error, NavigationFailed) and "not sent again" in str(error)
    assert (session.url, len(session.sent)) == ("/r", 2)


def test_a_form_that_redirects_can_be_gone_back_to(play):
    pages = {"/p": to("/n", 303), "/n": "<a id=n href=/r>x</a>"}
    session = play(FORM, "click #go", "click #n", "back", "back", pages=pages)
    assert session.sent == ["POST /p a=1", "GET /n", "GET /r", "GET /n", "GET /d"]


def test_going_back_follows_redirects(play):
    away: list[bool] = []
    session = play(
        "<p>", "goto /p", "goto /r", pages={"/p": lambda r: redirect("/n") if away else "<p>p", "/n": "<p>n"}
    )
    away.append(True)
    assert (session.do("back").url, session.text()) == ("/n", "n")


def test_the_history_is_bounded(play):
    session = play("<p>", *(f"goto /d?{number}" for number in range(60)))
    for _ in range(49):
        session.do("back")
    with pytest.raises(NavigationFailed):
        session.do("back")


def test_the_first_page_has_nothing_before_it(play):
    session = play("<p>")
    with pytest.raises(NavigationFailed):
        session.do("back")
