from __future__ import annotations

OVERLAY = """<div role=dialog aria-modal=true id=o><label id=l>ok <input type=checkbox id=c></label>
    <details id=e open><summary>x</summary></details><button type=button id=b>Close</button></div>"""
PAGE = """<input id=q><details id=d><summary id=s>x</summary></details><a id=f href='#q'>x</a><a id=r href=/r>x</a>"""


def test_an_overlay_touches_nothing_else(play):
    session = play(PAGE, "fill #q abc", "click #s", "focus #q")
    before = session.browser.snapshot()
    session.browser.overlay_show(OVERLAY)
    after = session.browser.snapshot()
    size = len(before.document)
    assert [e.attrs for e in after.document.elements[:size]] == [e.attrs for e in before.document.elements]
    assert (session.value("#q"), session.opened, session.focus) == ("abc", "d e", "q")
    assert session.index("#o") == size and session.index("#o") in after.document[1]
    assert session.browser.overlay_state() == OVERLAY
    assert session.sent == []


def test_an_overlay_is_a_part_of_the_page(play):
    session = play(PAGE)
    session.browser.overlay_show(OVERLAY)
    session.browser.page()
    session.do("click #l", "click #b")
    assert (session.checked, session.focus) == ("c", "b")
    assert "Close" in session.text() and "b" in session.shown


def test_an_overlay_cleared_leaves_no_trace(play):
    session = play(PAGE, "fill #q abc")
    before = session.browser.page()
    session.browser.overlay_show(OVERLAY)
    session.browser.page()
    session.do("check #c", "click #b")
    session.browser.overlay_clear()
    assert session.browser.overlay_state() == ""
    assert session.browser.snapshot().document is before.document
    assert (session.value("#q"), session.focus, session.opened) == ("abc", "", "")


def test_an_overlay_stays_within_the_document(play):
    session = play(PAGE)
    session.browser.overlay_show(OVERLAY)
    session.browser.page()
    assert session.do("check #c", "click #f").checked == "c"
    assert session.browser.overlay_state() == OVERLAY
    assert session.do("click #r").browser.overlay_state() == ""
    assert session.do("back").browser.overlay_state() == ""


def test_a_second_overlay_replaces_the_first(play):
    session = play(PAGE)
    session.browser.overlay_show(OVERLAY)
    session.browser.overlay_show("<p id=n>x</p>")
    assert "n" in session.shown and "o" not in session.shown.split()


def test_overlays_share_no_state(play):
    session = play(PAGE)
    for _ in range(2):
        session.browser.overlay_show("<form><input id=n required><button id=g formnovalidate>x</button></form>")
        session.browser.page()
        assert (session.value("#n"), session.focus) == ("", "")
        session.do("fill #n abc")
        session.browser.overlay_clear()
        session.browser.page()


def test_following_a_fragment_keeps_the_overlay_as_it_is(play):
    session = play(PAGE)
    session.browser.overlay_show(OVERLAY)
    session.browser.page()
    session.do("click summary", "click #f")
    assert session.do(f"click {session.index('#e') + 1}", "click #f").opened == "d"


def test_overlays_belong_to_a_tab(play):
    session = play(PAGE)
    session.browser.overlay_show(OVERLAY)
    assert session.do("new_tab").browser.overlay_state() == ""
    assert session.do("tab 0").browser.overlay_state() == OVERLAY


def test_overlay_of_an_odd_document(play):
    session = play("<frameset></frameset>")
    session.browser.overlay_show("<p id=n>x</p>stray text")
    assert session.index("#n") > 0


def test_the_document_of_an_overlay_is_made_once(play):
    first, second = play(PAGE), play(PAGE)
    second.browser.restore(first.browser.save())
    for session in (first, second):
        session.browser.overlay_show(OVERLAY)
    assert first.browser.snapshot().document is second.browser.snapshot().document
