import re
from urllib.parse import quote

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from skillshift_gym.sites.protocol import Change
from skillshift_gym.tasks.checks import (
    MATCHERS,
    AnswerCheck,
    Outcome,
    PageCheck,
    StateCheck,
    UnchangedCheck,
    UrlCheck,
    canonical_url,
    judge,
    with_unchanged,
)

LAW = settings(derandomize=True, deadline=None)

HOST = "https://blog.example"


class ShownPage:
    def __init__(self, url="/", title=""):
        self.url, self.title = HOST + url if url.startswith("/") else url, title


def outcome(url="/", message=None, infeasible=None, changes=(), title=""):
    return Outcome(message, infeasible, ShownPage(url, title), tuple(changes))


def insert(table="comments", key=1, **after):
    return Change(table, "insert", key, {}, after)


def update(table="posts", key=1, before=None, **after):
    return Change(table, "update", key, before or {}, after)


def delete(table="comments", key=1, **before):
    return Change(table, "delete", key, before, {})


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("/tag/fish/", "/tag/fish", True),
        ("/", "", True),
        ("/tag/fish/#comments", "/tag/fish/", True),
        ("https://other.example/tag/fish/", "/tag/fish/", True),
        ("/x?b=2&a=1", "/x?a=1&b=2", True),
        ("/x?a=1", "/x/?a=1", True),
        ("/x?a=1&a=2", "/x?a=2&a=1", True),
        ("/x?s=two+words", "/x?s=two%20words", True),
        ("/x?s=two++words ", "/x?s=two+words", True),
        ("/caf%C3%A9/", "/caf%c3%a9", True),
        ("/caf%C3%A9/", "/café/", True),
        ("/%7Euser/", "/~user/", True),
        ("/x?", "/x", True),
        ("/tag/fish/", "/tag/fishes/", False),
        ("/tag/fish/", "/tag/fish/page/2/", False),
        ("/tag/fish/page/2/", "/tag/fish/", False),
        ("/tag/fish/", "/category/fish/", False),
        ("/Tag/Fish/", "/tag/fish/", False),
        ("/x?a=1", "/x?a=1&b=2", False),
        ("/x?a=1", "/x?a=11", False),
        ("/x?a=1&a=1", "/x?a=1", False),
        ("/x?s=", "/x", False),
        ("/x?s", "/x?s=", True),
        ("/x?a=1%26b%3D2", "/x?a=1&b=2", False),
        ("/a%2Fb", "/a/b", False),
        ("chrome-error://chromewebdata/", "/", False),
        ("about:blank", "/", False),
    ],
)
def test_when_two_addresses_are_the_same_page(first, second, same):
    assert (canonical_url(first) == canonical_url(second)) is same
    assert UrlCheck(second).judge(outcome(first)).ok is same


def test_fields_that_do_not_count():
    check = UrlCheck("/post/?x=1", ("replytocom", "utm"))
    assert check.judge(outcome("/post/?replytocom=7&x=1")).ok
    assert not check.judge(outcome("/post/?replytocom=7&x=2")).ok
    assert not check.judge(outcome("/post/?replytocom2=7&x=1")).ok
    verdict = UrlCheck("/there/").judge(outcome("/here/"))
    assert verdict == (False, "expected /there, got /here")


SEGMENT = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Zs", "Zl", "Zp")), min_size=1).filter(
    lambda s: s.strip(".")
)


def in_lower_case(address):
    """Returns the address with its percent escapes in lower case."""
    return re.sub("%[0-9A-F]{2}", lambda m: m[0].lower(), address)


@LAW
@given(st.lists(SEGMENT, min_size=1, max_size=3), st.dictionaries(SEGMENT, SEGMENT, max_size=3))
def test_encoding_and_order_never_matter(segments, query):
    def address(names, safe):
        path = "/".join(quote(s, safe=safe) for s in segments)
        return f"{HOST}/{path}?" + "&".join(f"{quote(k, safe='')}={quote(query[k], safe='')}" for k in names)

    plain = canonical_url(address(list(query), ""))
    assert canonical_url(in_lower_case(address(list(reversed(query)), "@:"))) == plain
    assert canonical_url(plain) == plain


ROW = {"post_id": 7, "content": "Hello"}


@pytest.mark.parametrize(
    ("expected", "changes", "ok"),
    [
        ([("comments", "insert", ROW)], [insert(**ROW)], True),
        ([("comments", "insert", ROW)], [insert(**ROW, status="new")], True),
        ([("comments", "insert", {})], [insert(**ROW)], True),
        ([("comments", "insert", ROW)], [], False),
        ([("comments", "insert", ROW)], [insert(post_id=8, content="Hello")], False),
        ([("comments", "insert", ROW)], [insert(post_id=7, content="hello")], False),
        ([("comments", "insert", ROW)], [insert(post_id=7)], False),
        ([("comments", "insert", {"parent": None})], [insert(**ROW)], False),
        ([("comments", "insert", {"parent": None})], [insert(**ROW, parent=None)], True),
        ([("comments", "insert", ROW)], [insert("posts", **ROW)], False),
        ([("comments", "insert", ROW)], [insert(**ROW), insert(key=2, **ROW)], False),
        ([("comments", "insert", ROW)], [insert(**ROW), update(title="x")], False),
        ([("comments", "insert", ROW)] * 2, [insert(**ROW)], False),
        ([("comments", "insert", ROW)] * 2, [insert(**ROW), insert(key=2, **ROW)], True),
        ([("posts", "update", {"title": "New"})], [update(title="New")], True),
        ([("posts", "update", {"title": "New"})], [update(title="New", status="draft")], False),
        ([("posts", "update", {"title": "New", "status": "draft"})], [update(title="New")], False),
        ([("posts", "update", {"title": "New"})], [insert("posts", title="New")], False),
        ([("comments", "delete", {"post_id": 7})], [delete(**ROW)], True),
        ([("comments", "delete", {"post_id": 8})], [delete(**ROW)], False),
        ([("comments", "delete", {"post_id": 7})], [delete(**ROW), delete(key=2, **ROW)], False),
        ([], [], True),
        ([], [insert(**ROW)], False),
    ],
)
def test_the_diff_is_exactly_the_expected_one(expected, changes, ok):
    verdict = StateCheck(tuple(expected)).judge(outcome(changes=changes))
    assert verdict.ok is ok and bool(verdict.reason) is not ok


@pytest.mark.parametrize("order", [1, -1])
def test_a_loose_row_does_not_take_the_change_that_a_strict_one_needs(order):
    expected = (("comments", "insert", {}), ("comments", "insert", {"content": "Hello"}))
    changes = [insert(key=1, content="Hello"), insert(key=2, content="Bye")]
    assert StateCheck(expected[::order]).judge(outcome(changes=changes)).ok
    assert StateCheck(expected[::order]).judge(outcome(changes=changes[::-1])).ok


def test_reports_name_what_is_missing_or_too_much():
    check = StateCheck((("comments", "insert", ROW),))
    assert "expected insert in comments" in check.judge(outcome()).reason
    assert check.judge(outcome(changes=[insert(**ROW), delete("posts", 9)])).reason == (
        "unexpected delete in posts #9 (1 in all)"
    )
    assert UnchangedCheck().judge(outcome(changes=[insert(key=4), insert(key=5)])).reason == (
        "unexpected insert in comments #4 (2 in all)"
    )
    assert UnchangedCheck().judge(outcome()).ok


@pytest.mark.parametrize(
    ("matcher", "expected", "options", "right", "wrong"),
    [
        ("exact", "Open", (), "open", "it is open"),
        ("includes", "Ines Barlow", (), "by Ines Barlow", "by Ines"),
        ("number", 5, (("unit", "km"),), "5 km", "5 miles"),
        ("date", "2024-03-05", (), "March 5, 2024", "March 6, 2024"),
        ("list", ("Art", "Food"), (("universe", ("Art", "Food", "Boats")),), "Food, Art", "Food, Art, Boats"),
        ("yes_no", True, (), "Yes.", "No."),
    ],
)
def test_the_message_is_matched(matcher, expected, options, right, wrong):
    check = AnswerCheck(matcher, expected, options)
    assert check.judge(outcome(message=right)).ok
    verdict = check.judge(outcome(message=wrong))
    assert not verdict.ok and wrong in verdict.reason
    assert check.judge(outcome()) == (False, "no answer was sent")
    assert not check.judge(outcome(message="")).ok


def test_every_matcher_is_tried_above():
    assert set(MATCHERS) == {"exact", "includes", "number", "date", "list", "yes_no"}


def test_the_last_page_is_looked_at():
    check = PageCheck("the title is Report", lambda page: page.title == "Report")
    assert check.judge(outcome(title="Report")).ok
    assert check.judge(outcome(title="Other")) == (False, "the page does not show: the title is Report")


ANSWER, URL, STATE = AnswerCheck("exact", "yes"), UrlCheck("/there/"), StateCheck((("comments", "insert", {}),))
PAGE = PageCheck("a title", lambda page: bool(page.title))


@pytest.mark.parametrize(
    ("checks", "left", "ok"),
    [
        ((URL,), {"url": "/there/"}, True),
        ((URL,), {"url": "/there/", "changes": [insert()]}, False),
        ((URL,), {"url": "/there/", "infeasible": "cannot"}, False),
        ((ANSWER,), {"message": "yes"}, True),
        ((ANSWER,), {"message": "yes", "changes": [insert()]}, False),
        ((ANSWER,), {"message": "yes", "infeasible": ""}, False),
        ((PAGE,), {"title": "x"}, True),
        ((PAGE,), {"title": "x", "changes": [insert()]}, False),
        ((STATE,), {"changes": [insert()]}, True),
        ((STATE,), {"changes": []}, False),
        ((STATE, URL), {"changes": [insert()], "url": "/there/"}, True),
        ((STATE, URL), {"changes": [insert()], "url": "/here/"}, False),
        ((ANSWER, URL), {"message": "yes", "url": "/here/"}, False),
        ((ANSWER, URL), {"message": "no", "url": "/there/"}, False),
    ],
)
def test_all_checks_must_hold_and_nothing_else_may_change(checks, left, ok):
    success, records = judge(checks, outcome(**left))
    assert success is ok
    assert [set(r) for r in records] == [{"kind", "ok", "reason"}] * len(records)
    assert success == all(r["ok"] for r in records)


def test_an_empty_diff_is_demanded_unless_a_state_check_says_otherwise():
    assert with_unchanged((URL, ANSWER)) == (URL, ANSWER, UnchangedCheck())
    assert with_unchanged((STATE, URL)) == (STATE, URL)
