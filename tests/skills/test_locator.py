"""Resolving: the order of the marks, uniqueness, the same element, and what selectors and paths may say."""

from __future__ import annotations

import pytest
from bs4 import BeautifulSoup

from skillshift_gym.errors import UsageError
from skillshift_gym.skills.finder import Finder
from skillshift_gym.skills.locator import Locator
from skillshift_gym.skills.policy import Policy
from skillshift_gym.skills.recording import locator_of
from skillshift_gym.skills.resolving import resolve
from skillshift_gym.skills.selectors import compounds
from skillshift_gym.skills.xpaths import compiled

PAGE = (
    '<body><main id="m"><h1>Orders</h1><ul id="l"><li class="row a"><a href="/x/" data-kind="first one">Open</a><li class="row b"><a href="/y/" data-testid="second">Open</a></ul>'
    '<form><input name="q" class="field md:w-2" aria-label="Words"><button id="go">Go</button><p hidden><button id="no">Never</button></p></form></main></body>'
)


def found(page, locator, **policy):
    return resolve(locator, Finder(page), Policy.of(policy))


def test_the_order_is_the_policys(page_of):
    page = page_of(PAGE)
    locator = Locator(id="go", css="li.a > a")
    assert found(page, locator, same_element=False).kind == "id"
    assert found(page, locator, order=["css", "id"]).kind == "css"
    moved = Locator(id="gone", css="li.a > a")
    assert found(page, moved)[1:3] == ("css", 1)
    assert found(page, moved, cascade=False).code == "stale_target"


def test_one_element_or_none(page_of):
    page = page_of(PAGE)
    assert found(page, Locator(css="li.row > a")).code == "ambiguous_target"
    assert found(page, Locator(role="link", label="Open")).code == "ambiguous_target"
    assert found(page, Locator(id="no")).code == "stale_target"  # it is there, but not shown
    assert found(page, Locator(role="heading")).index == found(page, Locator(role="heading", label="Orders")).index >= 0
    assert found(page, Locator(css="a +")).code == "stale_target"


def test_a_place_must_hold_the_same_element(page_of):
    page = page_of(PAGE)
    other = Locator(role="link", label="Delete everything", css="li.a > a", id="")
    assert found(page, other).index == -1
    assert found(page, other, same_element=False).kind == "css"
    assert found(page, Locator(role="button", label="Go", id="l")).kind == "role+name"


def test_a_recorded_locator_finds_its_element_by_each_mark(page_of):
    page = page_of(PAGE)
    for element in page.interactive:
        locator = locator_of(Finder(page), int(element.bid))
        for kind in ("test id", "id", "name", "role+name", "css", "xpath"):
            result = found(page, locator, order=[kind])
            assert result.index == int(element.bid) or (result.rank == 0 and not result.kind)
    assert locator_of(Finder(page), int(page.interactive[1].bid)).test_id == "second"


SELECTORS = [
    "a",
    "main a",
    "#l > li.row > a",
    "a[data-kind]",
    'a[data-kind="first one"]',
    "a[href^='/y']",
    'a[href$="x/"]',
    "a[href*=y]",
    "ul li:nth-of-type(2) a",
    "*[name=q]",
    "body *",
]


@pytest.mark.parametrize("selector", SELECTORS)
def test_selectors_mean_what_a_selector_engine_says(page_of, selector):
    page = page_of(PAGE)
    from skillshift_gym.skills.finder import Mark

    soup = BeautifulSoup(PAGE, "lxml")
    expected = [(t.name, t.get("href"), t.get("id")) for t in soup.select(selector)]
    indices = Finder(page).find(Mark("css", selector))
    assert [
        (page.document[i].tag, page.document[i].attrs.get("href"), page.document[i].attrs.get("id")) for i in indices
    ] == expected


@pytest.mark.parametrize("selector", ["", "a + b", "a:has(b)", "a:hover", "a,b", "a[", "a" + " a" * 60, "::before"])
def test_other_selectors_are_refused(selector):
    with pytest.raises(ValueError, match="expected"):
        compounds(selector)


def test_paths_are_of_a_small_part_of_xpath():
    for path in (
        "/html/body/div[2]/a",
        "//a[@href='/x/']",
        "//li[2]/a[contains(text(), 'Op')]",
        '//*[@id="l"]//a[last()]',
        "//button[normalize-space(.)='Go']",
    ):
        compiled(path)
    for path in (
        "document('/etc/passwd')",
        "//a[count(//a)>1]",
        "//a | //b",
        "/html/body[//a[//b[//c]]]",
        "1",
        "string(//a)",
        "//a" * 200,
        "//a[re:test(., 'x')]",
        "../a",
    ):
        with pytest.raises(ValueError, match="expected"):
            compiled(path)


@pytest.mark.parametrize(
    "wrong", [{"order": ["colour"]}, {"healers": ["magic"]}, {"fallback": 99}, {"sids": True}, {"order": "css"}]
)
def test_wrong_settings_are_refused(wrong):
    with pytest.raises(UsageError, match="healing"):
        Policy.of(wrong)
