from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from skillshift_gym.document import parse_document
from skillshift_gym.errors import UsageError
from skillshift_gym.sites import registry
from skillshift_gym.sites.protocol import Request
from skillshift_gym.wrappers.fates import fates
from skillshift_gym.wrappers.mutators import SETTINGS, Setting
from skillshift_gym.wrappers.perceptual import STYLES, PerceptualFilter, PerceptualShift

SRC, TGT = "SkillShift/WordPress-Src-v0", "SkillShift/WordPress-Tgt-v0"
PATHS = ["/", "/category/food/", "/?s=bread", "/2024/03/", "/about/", "/nowhere/", "/page/3/"]


def outline(page):
    """Returns the lines of the accessibility tree without bids."""
    return [re.sub(r"\[\d+\] ?", "", line) for line in page.axtree.split("\n")]


def controls(page):
    """Returns what forms send and links lead to, in order."""
    kept = ("name", "type", "value", "href", "action", "method", "required")
    found = []
    for element in page.document.elements:
        if element.tag in ("a", "input", "select", "textarea", "button", "form"):
            found.append((element.tag, {k: v.partition("#")[0] for k, v in element.attrs.items() if k in kept}))
    return found


@pytest.mark.parametrize("intensity", SETTINGS)
@pytest.mark.parametrize("id_", [SRC, TGT])
def test_what_pages_mean_stays(make, id_, intensity):
    plain, shifted = make(id_, budget=99), PerceptualShift(make(id_, budget=99), intensity=intensity)
    plain.reset(seed=1), shifted.reset(seed=1)
    changed = 0
    for path in PATHS:
        plain.step(f"goto('{path}')"), shifted.step(f"goto('{path}')")
        before, after = plain.unwrapped.page, shifted.unwrapped.page
        assert outline(after) == outline(before)
        assert controls(after) == controls(before)
        assert (after.url, after.title) == (before.url, before.title)
        changed += after.html != before.html
    assert changed == len(PATHS)


@pytest.mark.parametrize("name", Setting._fields)
def test_each_mutator_alone_keeps_roles_and_names(make, name):
    if name == "decoy":
        return
    none = dict.fromkeys(Setting._fields, 0.0)
    plain = make(SRC, budget=99)
    shifted = PerceptualShift(make(SRC, budget=99), mutators={**none, name: 1.0}, style=False)
    plain.reset(seed=1), shifted.reset(seed=1)
    for path in PATHS[:4]:
        plain.step(f"goto('{path}')"), shifted.step(f"goto('{path}')")
        assert outline(shifted.unwrapped.page) == outline(plain.unwrapped.page)
        assert controls(shifted.unwrapped.page) == controls(plain.unwrapped.page)


def test_semantic_ids_follow_their_elements(make):
    plain, shifted = make(SRC), PerceptualShift(make(SRC))
    plain.reset(seed=1), shifted.reset(seed=1)
    before, after = plain.unwrapped.page, shifted.unwrapped.page
    named = lambda page: [(sid, page.element(i).role, page.element(i).name) for i, sid in page.document.sids.items()]
    landmarks = [x for x in named(after) if x[0].startswith(("nav", "post.open", "search"))]
    assert landmarks == [x for x in named(before) if x[0].startswith(("nav", "post.open", "search"))]
    assert len(after.document.sids) == len(before.document.sids)


def test_ids_and_all_that_refer_to_them_change_together():
    html = (
        '<body><label for="a">A</label><input id="a" list="l" aria-describedby="d e"><datalist id="l"></datalist>'
        '<p id="d">x</p><p id="e" aria-label="a d">y</p><button popovertarget="p">o</button><div id="p" popover></div>'
        '<a href="#d">d</a><a href="/x/#d">d</a><a href="https://other.example/#d">d</a></body>'
    )
    filtered = parse_document(html, "https://s.example/", (PerceptualFilter("1", Setting(rename_id=1.0), ""),))
    by_tag = {
        t: [e.attrs for e in filtered.tagged(t)] for t in ("label", "input", "datalist", "p", "button", "div", "a")
    }
    field = by_tag["input"][0]
    d, e = (p["id"] for p in by_tag["p"])
    assert field["id"] != "a" and by_tag["label"][0]["for"] == field["id"]
    assert field["list"] == by_tag["datalist"][0]["id"] and field["aria-describedby"] == f"{d} {e}"
    assert by_tag["p"][1]["aria-label"] == "a d"
    assert by_tag["button"][0]["popovertarget"] == by_tag["div"][0]["id"]
    assert [a["href"] for a in by_tag["a"]] == [f"#{d}", f"/x/#{d}", "https://other.example/#d"]


def rows(count, skip=()):
    items = "".join(f'<tr class="row" data-n="{i}"><td>Item {i}</td></tr>' for i in range(count) if i not in skip)
    return etree.HTML(f"<html><body><table><tbody>{items}</tbody></table></body></html>")


@given(st.integers(0, 19), st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_taking_one_row_away_changes_no_other_rows_fate(gone, seed):
    def drawn(root):
        return {e.get("data-n"): f.unit(3) for e, f in fates(root, str(seed)) if e.tag == "tr"}

    whole, less = drawn(rows(20)), drawn(rows(20, {gone}))
    assert less == {n: fate for n, fate in whole.items() if n != str(gone)}


def test_fates_are_even():
    units = [f.unit(slot) for e, f in fates(rows(400), "7") for slot in (0, 5, 9) if e.tag == "tr"]
    assert abs(sum(units) / len(units) - 0.5) < 0.03


def test_an_element_has_one_fate_on_all_pages(make):
    env = PerceptualShift(make(SRC, budget=99))
    env.reset(seed=4)
    headers = []
    for path in ("/", "/about/", "/page/2/"):
        env.step(f"goto('{path}')")
        page = env.unwrapped.page
        link = next(e for e in page.interactive if e.name == "Contact")
        headers.append((link.attrs.get("class"), tuple(link.attrs)))
    assert len(set(headers)) == 1


def test_same_seed_same_pages_other_seed_other_pages(make):
    def first(episode, **kwargs):
        env = PerceptualShift(make(SRC), **kwargs)
        return env.reset(seed=episode, options={"task": "wordpress.24"})[0]["html"]

    assert first(1) == first(1) != first(2)
    assert first(1, seed=9) == first(2, seed=9)


def test_the_shift_is_not_named_in_the_page(make):
    env = PerceptualShift(make(SRC))
    html = env.reset(seed=0)[0]["html"]
    tags = " ".join(re.findall(r"<[^>]*>", html))
    assert not re.search(r"drift|shift|mutat|perceptual|decoy", tags, re.IGNORECASE)


def test_style_sheets_never_hide_or_cover():
    for css in STYLES.values():
        assert not re.search(r"display|visibility|pointer-events|text-transform|content|position|opacity|z-index", css)


def test_decoys_look_alike_but_are_named_otherwise(make):
    env = PerceptualShift(make(SRC), mutators={"decoy": 1.0})
    plain = make(SRC)
    env.reset(seed=0), plain.reset(seed=0)
    extra = len(env.unwrapped.page.interactive) - len(plain.unwrapped.page.interactive)
    assert extra > 50


@pytest.mark.parametrize(
    ("kwargs", "text"),
    [
        ({"intensity": "extreme"}, "expected one of low, medium, high"),
        ({"mutators": {"rename_ids": 1.0}}, "no 'rename_ids'"),
        ({"mutators": {"rename_id": 1.5}}, "probability in"),
    ],
)
def test_wrong_arguments(make, kwargs, text):
    with pytest.raises(UsageError, match=text):
        PerceptualShift(make(), **kwargs)


def test_the_site_still_sends_what_it_sent():
    site = registry.create("wordpress", "v1")
    response = site.request(Request("GET", f"{site.origin}/"))
    plain = response.document(f"{site.origin}/")
    response.document(f"{site.origin}/", (PerceptualFilter("1", SETTINGS["high"], ""),))
    assert response.document(f"{site.origin}/") is plain
