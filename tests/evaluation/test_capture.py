"""What a person does in a window becomes the steps that an oracle's equal deeds are."""

from __future__ import annotations

import asyncio
import importlib.util
import os
import signal
from pathlib import Path

import pytest

from skillshift_gym.actions import format_action, takes_bid
from skillshift_gym.evaluation.capture_deeds import Deeds, calls_of, path_of, shown
from skillshift_gym.evaluation.capture_window import CLOSED, CRASHED, DIED
from skillshift_gym.registration import env_id
from skillshift_gym.sites import registry as sites
from skillshift_gym.skills.recorder import record
from skillshift_gym.tasks import registry
from skillshift_gym.testing import FakeSite

spec = importlib.util.spec_from_file_location("hands", Path(__file__).with_name("hands.py"))
hands = importlib.util.module_from_spec(spec)
spec.loader.exec_module(hands)

FORM = """<!DOCTYPE html><html><head><title>d</title></head><body>
<form id=f action="/r"><label for=q>Query</label><input id=q name=q><textarea id=t aria-label=Text></textarea>
<input id=date type=date aria-label=Day><input id=n type=number aria-label=Count>
<label><input id=c type=checkbox>Tick</label><label><input id=r1 type=radio name=r>One</label><label><input id=r2 type=radio name=r>Two</label>
<select id=s aria-label=Colour><option>Red<option>Green<option value=g2>Green<option>Blue</select>
<select id=m multiple size=3 aria-label=Sizes><option>S<option>M<option>L</select>
<input id=up type=file aria-label=Picture><button id=go>Send</button></form>
<details id=d><summary id=sum>More</summary>inside</details>
<button id=menu popovertarget=pop>Menu</button><div id=pop popover>popped</div>
<p id=p>plain</p><a id=here href="#p">here</a><a id=next href="/r?a=1#x">next</a><a id=new href="/r" target=_blank>new tab</a></body></html>"""
RESULT = (
    "<!DOCTYPE html><html><head><title>r</title></head><body><p>result</p><a id=home href=/d>home</a></body></html>"
)


@pytest.fixture(scope="module")
def theatre():
    with hands.Theatre() as made:
        yield made


@pytest.fixture
def deeds_of(theatre):
    """Lets a person act on a page, and gives the primitives, with ids of elements in place of bids, and what was captured."""

    def run(act):
        seen = theatre.show(FakeSite({"/d": FORM, "/r": RESULT}), "/d", act)
        return [named(step) for step in seen.steps], seen

    return run


def named(step):
    call = step.primitive
    if not takes_bid(call):
        return format_action(call)
    element = step.page.document[int(call.args[0])]
    return format_action(call._replace(args=(element.attrs.get("id", element.tag), *call.args[1:])))


@pytest.mark.parametrize("task", ["wordpress.36#1", "magento.12#1", "magento.63#1", "magento.99#1"])
def test_the_program_is_the_one_of_an_oracles_equal_deeds(theatre, make, task):
    family, number = registry.family_of(task)
    site = sites.create(family.site, "v1")
    oracle = hands.Hands(make(env_id(family.site, "src")), task)
    seen = theatre.show(site, family.task(number).start_path("v1"), oracle)
    about = {"goal": family.task(number).goal, "facts": family.task(number).params}
    person = record(seen.steps, "a_skill", "d", last=seen.last, **about)
    assert person.skill.program == record(oracle.steps, "a_skill", "d", last=oracle.last, **about).skill.program
    assert (seen.reason, seen.notes, person.skill.program.count("\n") > 2) == ("answered", [], True)


def test_the_program_is_the_same_where_the_pages_are_filtered(theatre, make):
    env = make(env_id("wordpress", "src-perc"))
    oracle = hands.Hands(env, "wordpress.24#1")
    filters = tuple(f for shift in env.unwrapped.shifts for f in shift.filters())
    seen = theatre.show(sites.create("wordpress", "v1"), "/", oracle, filters)
    programs = [record(s, "a_skill", "d").skill.program for s in (seen.steps, oracle.steps)]
    assert programs[0] == programs[1] != ""


def test_typing_ticking_and_choosing(deeds_of):
    async def act(page, window):
        keys = page.keyboard
        await page.click("#q")
        await keys.type("helo")
        await keys.press("Backspace")
        await keys.type("lo")
        await page.click("#q")  # to look at it again
        await keys.type("!")
        await page.click("#t")
        await keys.type("a\nb")
        await page.click("#n")
        await keys.type("12")
        await page.focus("#date")
        await keys.type("02032024")
        await page.get_by_text("Tick").click()
        await page.click("#r1")
        await page.get_by_text("Two").click()
        await page.focus("#s")
        await keys.press("ArrowDown")
        await keys.press("ArrowDown")
        await page.click("#m option:nth-child(1)")
        await page.click("#m option:nth-child(3)", modifiers=["ControlOrMeta"])
        await page.click("#p")

    done, seen = deeds_of(act)
    assert done == [
        "fill('q', 'hello!')", r"fill('t', 'a\nb')", "fill('n', '12')", "fill('date', '2024-02-03')", "check('c')", "check('r1')",
        "check('r2')", "select_option('s', ['g2'])", "select_option('m', ['S', 'L'])",
    ]  # fmt: skip
    assert (
        seen.steps[0].page.snapshot.controls[int(seen.steps[0].primitive.args[0])].value == ""
    )  # the page before it all
    assert seen.last.snapshot.controls[int(seen.steps[0].primitive.args[0])].value == "hello!" and seen.notes == []


def test_what_came_to_nothing_is_no_step(deeds_of):
    async def act(page, window):
        await page.click("#q")
        await page.keyboard.type("x")
        await page.keyboard.press("Backspace")
        await page.click("#c")
        await page.click("#c")
        await page.keyboard.press("Tab")
        await page.click("#p")
        await page.evaluate("document.querySelector('#go').click()")  # not a person
        await page.wait_for_url("**/r?*")

    assert deeds_of(act)[0] == []


def test_keys_links_and_the_browsers_own_buttons(deeds_of):
    async def act(page, window):
        await page.click("#next")
        await page.wait_for_url("**/r?a=1#x")
        await page.go_back()
        await page.go_forward()
        await page.goto("https://fake.test/d")
        await page.click("#q")
        await page.keyboard.type("x")
        await page.keyboard.press("Enter")
        await page.wait_for_url("**/r?*")
        await page.focus("#home")
        await page.keyboard.press("Enter")
        await page.wait_for_url("**/d")
        await page.click("#here")
        await page.wait_for_url("**/d#p")
        await page.go_back()
        await page.reload()
        await page.focus("#go")
        await page.keyboard.press("Space")
        await page.wait_for_url("**/r?*")

    assert deeds_of(act)[0] == [
        "click('next')", "go_back()", "go_forward()", "goto('/d')", "fill('q', 'x')", "press('q', 'Enter')", "click('home')",
        "click('here')", "go_back()", "click('go')",
    ]  # fmt: skip


def test_what_opens_and_closes(deeds_of):
    async def act(page, window):
        await page.click("#sum")
        await page.click("#menu")
        await page.keyboard.press("Escape")
        await page.click("#menu")
        await page.click("#p")  # beside it, which closes it
        await page.keyboard.press("Escape")
        await page.click("#up")

    done, seen = deeds_of(act)
    escape = "keyboard_press('Escape')"
    assert done == ["click('sum')", "click('menu')", escape, "click('menu')", escape]
    assert seen.notes == ["upload on https://fake.test/d: a skill has no step for it"]


def test_tabs(deeds_of):
    async def act(page, window):
        async with page.context.expect_page() as opened:
            await page.click("#new")
        other = await opened.value
        await other.wait_for_load_state()
        async with page.context.expect_page() as opened:
            await other.click("#home", modifiers=["ControlOrMeta"])
        third = await opened.value
        await third.wait_for_load_state()
        await page.click("#sum")
        await other.close()
        own = await page.context.new_page()
        await own.goto("https://fake.test/r")
        await own.click("#home")

    assert deeds_of(act)[0] == [
        "click('new')", "new_tab()", "goto('/d')", "tab_focus(0)", "click('sum')", "tab_focus(1)", "tab_close()", "new_tab()",
        "goto('/r')", "click('home')",
    ]  # fmt: skip


def test_an_address_without_its_scheme_leads_to_the_site_and_others_nowhere(deeds_of):
    async def act(page, window):
        with pytest.raises(Exception, match="ERR_"):
            await page.goto("https://elsewhere.test/")
        await page.goto("http://fake.test/r")
        assert page.url == "https://fake.test/r"

    assert deeds_of(act)[0] == ["goto('/r')"]


async def close(page, window):
    await page.close()


async def kill(page, window):
    session = await page.context.browser.new_browser_cdp_session()
    processes = (await session.send("SystemInfo.getProcessInfo"))["processInfo"]
    os.kill(next(int(p["id"]) for p in processes if p["type"] == "browser"), signal.SIGKILL)


async def crash(page, window):
    session = await page.context.new_cdp_session(page)
    crashing = asyncio.ensure_future(session.send("Page.crash"))
    await window.ended
    crashing.cancel()


@pytest.mark.parametrize(("end", "reason"), [(close, CLOSED), (kill, DIED), (crash, CRASHED)])
def test_what_was_done_before_the_end_is_kept(deeds_of, end, reason):
    async def act(page, window):
        await page.click("#q")
        await page.keyboard.type("abc")
        await end(page, window)
        await window.ended

    done, seen = deeds_of(act)
    assert (done, seen.reason) == (["fill('q', 'abc')"], reason)


def test_steps_in_words(page_of):
    page = page_of(FORM)
    ids = page.document.ids
    told = []
    deeds = Deeds(told.append)
    for message in (
        {"kind": "fill", "place": ids["q"], "value": "x"},
        {"kind": "select", "place": ids["s"], "values": ["Red"]},
        {"kind": "enter", "place": ids["q"]},
        {"kind": "open", "place": ids["new"], "value": "https://fake.test/r?a=b#c"},
        {"kind": "click", "place": ids["p"]},
        {"kind": "escape", "place": -1},
    ):
        for call in calls_of(message, page):
            deeds.add(page, call)
    deeds.note("something")
    assert told == [
        "fill textbox 'Query'", "select_option combobox 'Colour'", "press textbox 'Query' Enter", "new_tab", "goto /r?a=b#c",
        "click paragraph ''", "keyboard_press Escape", "left out: something",
    ]  # fmt: skip
    assert calls_of({"kind": "upload", "place": 1}, page) == [] and path_of("https://fake.test") == "/"
    assert shown(deeds.steps[0]) == told[0] and deeds.notes == ["something"]
    assert [step.primitive.name for step in deeds.steps][3:5] == ["new_tab", "goto"]
