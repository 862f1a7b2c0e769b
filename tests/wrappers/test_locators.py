from __future__ import annotations

import pytest
from bs4 import BeautifulSoup
from lxml import etree

from skillshift_gym.evaluation.locators import KINDS, Finder, Locator, identities, tree_of
from skillshift_gym.wrappers.mutators import SETTINGS
from skillshift_gym.wrappers.perceptual import PerceptualShift

SRC, TGT = "SkillShift/WordPress-Src-v0", "SkillShift/WordPress-Tgt-v0"
PATHS = ["/", "/category/food/", "/about/"]
PAGE = (
    '<body><ul id="l"><li class="row a"><a href="/x/">Open</a><li class="row b"><a href="/y/" data-testid="second">Open</a></ul>'
    '<form><input name="q" class="field md:w-2" aria-label="Words"><button id="go">Go</button><button>Go</button></form></body>'
)


def locators(page, index):
    return {kind: locator.text for kind, locator in Finder(page).record(index).items()}


def by_name(page, name, nth=0):
    return [int(e.bid) for e in page.interactive if e.name == name][nth]


def test_what_recorders_store(page_of):
    page = page_of(PAGE)
    second = by_name(page, "Open", 1)
    assert locators(page, second) == {
        "test id": "second",
        "role+name": "Open",
        "css": "li.row.b > a",
        "css path": "html > body > ul > li:nth-of-type(2) > a",
        "xpath": "/html/body/ul/li[2]/a",
    }
    assert Finder(page).record(second)["role+name"] == Locator("role+name", "Open", "link", 1)
    assert locators(page, by_name(page, "Go"))["css"] == "#go"
    assert locators(page, by_name(page, "Words")) | {"name": "q", "css": "input.field"} == locators(
        page, by_name(page, "Words")
    )


def test_a_locator_finds_one_element_or_none(page_of):
    page = page_of(PAGE)
    finder = Finder(page)
    for kind, text in (("css", "li.row > a"), ("xpath", "/html/body/ul/li/a"), ("id", "gone"), ("test id", "first")):
        assert finder.resolve(Locator(kind, text)) == -1
    assert finder.resolve(Locator("role+name", "Go", "button", 2)) == -1
    assert finder.resolve(Locator("role+name", "Go", "button", 1)) == by_name(page, "Go", 1)
    with pytest.raises(ValueError, match="expected tag"):
        finder.resolve(Locator("css", "a + b"))


@pytest.mark.parametrize("id_", [SRC, TGT])
@pytest.mark.parametrize("shifted", [False, True])
def test_selectors_mean_what_a_selector_engine_says(make, id_, shifted):
    env = PerceptualShift(make(id_, budget=99)) if shifted else make(id_, budget=99)
    env.reset(seed=1)
    for path in PATHS[:2]:
        env.step(f"goto('{path}')")
        page = env.unwrapped.page
        finder = Finder(page)
        soup = BeautifulSoup(etree.tostring(tree_of(page.document), method="html", encoding="unicode"), "lxml")
        order = {id(tag): place for place, tag in enumerate(soup.find_all(True))}
        for index in list(identities(page))[::9]:
            for kind in ("css", "css path"):
                locator = finder.record(index)[kind]
                assert [order[id(tag)] for tag in soup.select(locator.text)] == [index], locator


@pytest.mark.parametrize("id_", [SRC, TGT])
def test_every_visible_control_can_be_recorded(make, id_):
    env = make(id_)
    env.reset(seed=0)
    page = env.unwrapped.page
    recorded = [Finder(page).record(index) for index in identities(page)]
    assert all({"role+name", "css", "css path", "xpath"} <= set(x) <= set(KINDS) for x in recorded)


@pytest.mark.parametrize("id_", [SRC, TGT])
def test_the_high_setting_breaks_markup_and_keeps_names(make, id_):
    plain, shifted = make(id_, budget=99), PerceptualShift(make(id_, budget=99), intensity="high")
    plain.reset(seed=2), shifted.reset(seed=2)
    stored, kept = dict.fromkeys(KINDS, 0), dict.fromkeys(KINDS, 0)
    for path in (*PATHS, "/2024/03/", "/?s=bread"):
        plain.step(f"goto('{path}')"), shifted.step(f"goto('{path}')")
        before, after = plain.unwrapped.page, shifted.unwrapped.page
        now = {identity: index for index, identity in identities(after).items()}
        recorder, finder = Finder(before), Finder(after)
        for index, identity in identities(before).items():
            for kind, locator in recorder.record(index).items():
                stored[kind] += 1
                kept[kind] += finder.resolve(locator) == now[identity]
    assert kept["role+name"] == stored["role+name"] > 900
    for kind in ("css", "css path", "xpath"):
        assert kept[kind] <= 0.6 * stored[kind]
    assert SETTINGS["high"].rename_id >= 0.4 and SETTINGS["high"].remove_test_id >= 0.4
