from __future__ import annotations

import hashlib
import os
import re
import subprocess
import sys

import html5lib
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from lxml import etree

from skillshift_gym.browsers.dom import DomBrowser
from skillshift_gym.browsers.forms import entry_list
from skillshift_gym.browsers.live import Live
from skillshift_gym.browsers.structure import form_owners, is_submitter, radio_groups
from skillshift_gym.document import parse_document
from skillshift_gym.errors import UsageError
from skillshift_gym.keyed import shuffled
from skillshift_gym.roles import TRANSPARENT
from skillshift_gym.sites import registry
from skillshift_gym.sites.protocol import Request
from skillshift_gym.tasks.oracle import resolve
from skillshift_gym.tasks.registry import family_of, task_ids
from skillshift_gym.tasks.wordpress.data import posts
from skillshift_gym.testing import FakeSite
from skillshift_gym.wrappers.fates import fates
from skillshift_gym.wrappers.lexicon import SYNONYMS
from skillshift_gym.wrappers.mutators import SETTINGS, UNGUARANTEED, Setting
from skillshift_gym.wrappers.perceptual import STYLES, PerceptualFilter, PerceptualShift

SRC, TGT = "SkillShift/WordPress-Src-v0", "SkillShift/WordPress-Tgt-v0"
POST = posts()[0].path  # with comments and a form
PATHS = [
    *("/", "/page/3/", "/category/food/", "/?s=bread", "/?s=a+%26+%22b%22+%3Cc", "/2024/03/", "/about/", "/nowhere/"),
    *("/contact/", "/author/lucia-farrow/", *(p.path for p in posts()[::40])),
]
SITES = {version: registry.create("wordpress", version) for version in ("v1", "v2")}
GUARANTEED = [name for name in Setting._fields if name not in UNGUARANTEED]


def filter_of(seed="1", style="", **mutators):
    return PerceptualFilter(seed, Setting(**mutators), style)


def shown(site, url, *filters):
    browser = DomBrowser()
    browser.reset(site, filters)
    browser.goto(url)
    return browser.page()


def of_site(version, path, *filters):
    return shown(SITES[version], SITES[version].origin + path, *filters)


def of_html(html, *filters):
    return shown(FakeSite({"/": html}), "https://fake.test/", *filters)


def outline(page):
    """Returns the lines of the accessibility tree without bids."""
    return [re.sub(r"\[\d+\] ?", "", line) for line in page.axtree.split("\n")]


def controls(page):
    """Returns what forms send and links lead to, in order."""
    kept = ("name", "type", "value", "href", "action", "method", "required")
    found = []
    for element in page.document.elements:
        if (
            element.tag in ("a", "select", "textarea", "button", "form")
            or element.attrs.get("type", "hidden") != "hidden"
        ):
            found.append((element.tag, {k: v.partition("#")[0] for k, v in element.attrs.items() if k in kept}))
    return found


def sent(page):
    """Returns what every form sends by every button; fields of one name keep their order."""
    document = page.document
    live, found = Live(document, page.url), []
    for form in document.tagged("form"):
        buttons = [i for i, owner in form_owners(document).items() if owner == form.index and is_submitter(document[i])]
        for button in (-1, *buttons):
            found.append(sorted(entry_list(live, form.index, button), key=lambda e: e.name))
    return found


def meaning(page):
    """Returns what a shift must keep; roles that only structure prose have no line and may differ."""
    marked = [(sid, page.element(i)) for i, sid in page.document.sids.items()]
    sids = [(sid, "" if e.role in TRANSPARENT else e.role, e.name) for sid, e in marked]
    return outline(page), controls(page), sent(page), sorted(sids), page.title


@pytest.mark.parametrize("intensity", SETTINGS)
@pytest.mark.parametrize("version", SITES)
def test_what_pages_mean_stays(version, intensity):
    for number, path in enumerate(PATHS):
        plain = of_site(version, path)
        for seed in (f"{number}", f"{number}:b"):
            shifted = of_site(version, path, PerceptualFilter(seed, SETTINGS[intensity], STYLES[intensity]))
            assert meaning(shifted) == meaning(plain), (path, seed)
            assert shifted.html != plain.html


@given(
    st.sampled_from(sorted(SITES)), st.sampled_from(PATHS), st.text(max_size=8),
    st.builds(lambda chosen: Setting(**chosen), st.dictionaries(st.sampled_from(GUARANTEED), st.floats(0, 1))),
)  # fmt: skip
@settings(max_examples=40, deadline=None)
def test_any_setting_keeps_what_pages_mean(version, path, seed, setting):
    assert meaning(of_site(version, path, PerceptualFilter(seed, setting, ""))) == meaning(of_site(version, path))


@pytest.mark.parametrize("name", GUARANTEED)
def test_each_mutator_alone_keeps_what_pages_mean(name):
    for version, path in (("v1", "/"), ("v2", POST), ("v2", "/"), ("v1", POST)):
        assert meaning(of_site(version, path, filter_of(**{name: 1.0}))) == meaning(of_site(version, path))


@pytest.mark.parametrize("id_", ["SkillShift/WordPress-SrcPerc-v0", "SkillShift/WordPress-TgtPerc-v0"])
def test_oracles_solve_the_registered_cells(make, id_):
    env = make(id_)
    kinds = {family_of(t)[0].kind: t for t in shuffled(task_ids("wordpress"), "perceptual")}
    for task in kinds.values():
        family, number = family_of(task)
        env.reset(seed=5, options={"task": task})
        for step in family.oracle(family.instances[number].params, env.unwrapped.version):
            *_, terminated, truncated, info = env.step(resolve(step, env.unwrapped.page))
            if terminated or truncated:
                break
        assert info["success"], (task, info["checks"])


def filtered(version, path, page_filter):
    site = SITES[version]
    url = site.origin + path
    parser = etree.HTMLParser(remove_comments=True, remove_pis=True, huge_tree=True, encoding="utf-8")
    root = etree.HTML(site.request(Request("GET", url)).marked, parser)
    page_filter(root, url)
    return etree.tostring(root, method="html", encoding="unicode", doctype="<!DOCTYPE html>")


def shape(node):
    return node.tag, dict(node.attrib), node.text or "", [(shape(child), child.tail or "") for child in node]


@pytest.mark.parametrize("version", SITES)
def test_every_browser_sees_the_same_tree(version):
    everything = Setting(*[0.5 if name != "remove_test_id" else 0.0 for name in Setting._fields])
    for path in (*PATHS[::4], POST):
        for setting in (SETTINGS["high"], everything):
            html = filtered(version, path, PerceptualFilter(path, setting, STYLES["high"]))
            ours = etree.HTML(html, etree.HTMLParser(remove_comments=True, huge_tree=True))
            theirs = html5lib.parse(html, treebuilder="lxml", namespaceHTMLElements=False).getroot()
            assert shape(ours) == shape(theirs), path


def digest():
    pages = (filtered(v, p, PerceptualFilter("7", SETTINGS["high"], "")) for v in SITES for p in PATHS[:4])
    return hashlib.sha256("\n".join(pages).encode()).hexdigest()


def test_another_process_makes_the_same_pages():
    code = f"import runpy; print(runpy.run_path({__file__!r})['digest']())"
    env = {**os.environ, "PYTHONHASHSEED": "77"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, env=env)
    assert done.stdout.strip() == digest()


REFERENCES = """<body><label for="a">A</label><input id="a" name="a" list="l" aria-describedby="d e" form="f">
<datalist id="l"></datalist><form id="f"></form><output for="a r1" id="o"></output>
<p id="d">x</p><p id="e" aria-label="a d">y</p><button popovertarget="p">o</button><div id="p" popover></div>
<button commandfor="m" command="show-modal">m</button><dialog id="m" aria-labelledby="d"></dialog>
<table><tr><th id="h1">H</th><th id="h2">I</th></tr><tr><td headers="h1 h2">c</td></tr></table>
<form id="g"><input type="radio" name="r" id="r1"><input type="radio" name="r" id="r2" checked></form>
<input type="radio" name="r" form="g" id="r3"></body>"""


def test_ids_and_all_that_refer_to_them_change_together():
    plain, shifted = of_html(REFERENCES), of_html(REFERENCES, filter_of(rename_id=1.0))
    assert outline(shifted) == outline(plain)
    new = {
        p.attrs["id"]: s.attrs["id"] for p, s in zip(plain.elements, shifted.elements, strict=True) if "id" in p.attrs
    }
    assert len(set(new.values())) == len(new) and not set(new) & set(new.values())
    for before, after in zip(plain.elements, shifted.elements, strict=True):
        for name, value in before.attrs.items():
            refers = name in ("id", "for", "list", "form", "popovertarget", "commandfor", "headers")
            refers |= name in ("aria-describedby", "aria-labelledby")
            assert after.attrs[name] == (" ".join(new[i] for i in value.split()) if refers else value), name
    for fact in (form_owners, radio_groups):
        assert fact(shifted.document) == fact(plain.document)


@pytest.mark.parametrize(
    ("href", "follows"),
    [
        ("#d", True),
        ("/x/#d", True),
        ("https://fake.test/x/#d", True),
        ("//fake.test/#d", True),
        ("#%64", True),
        ("?page=2#d", True),
        ("#gone", False),
        ("/#gone", False),
        ("#", False),
        ("#top", False),
        ("#:~:text=d", False),
        ("https://other.example/#d", False),
        ("//other.example/#d", False),
        ("mailto:d@e.f#d", False),
    ],
)
def test_fragments_follow_their_ids(href, follows):
    page = of_html(f'<body><p id="d">x</p><p id="top">t</p><a href="{href}">d</a></body>', filter_of(rename_id=1.0))
    got = page.document.tagged("a")[0].attrs["href"]
    assert got == (f"{href.partition('#')[0]}#{page.document.tagged('p')[0].attrs['id']}" if follows else href)
    assert page.document.tagged("p")[1].attrs["id"] == "top"


def test_a_link_to_a_part_of_another_page_still_arrives(make):
    env = PerceptualShift(make(SRC, budget=99), mutators={"rename_id": 1.0})
    env.reset(seed=0)
    page = env.unwrapped.page
    link = next(e for e in page.interactive if e.attrs.get("href", "").partition("#")[2])
    env.step(f"click('{link.bid}')")
    assert env.unwrapped.page.url.partition("#")[2] in env.unwrapped.page.document.ids


def test_test_ids_go_or_change_in_one_draw():
    html = "<body>" + "".join(f'<a href="/{n}" data-testid="t{n}" data-n="{n}">x</a>' for n in range(400)) + "</body>"
    links = of_html(html, filter_of(remove_test_id=0.3, rename_test_id=0.4)).document.tagged("a")
    gone = sum("data-testid" not in a.attrs for a in links)
    same = sum(a.attrs.get("data-testid") == f"t{a.attrs['data-n']}" for a in links)
    assert abs(gone / 400 - 0.3) < 0.07 and abs(same / 400 - 0.3) < 0.07


def test_orders_without_meaning_change_and_others_stay():
    html = (
        '<head><meta charset="utf-8"><meta name="a" content="1"><link rel="stylesheet" href="/s.css"><meta name="b" content="2">'
        '<link rel="next" href="/2"></head><body><form method="post"><input type="hidden" name="x" value="1"> and '
        '<input name="q"><input type="hidden" name="y" value="2"></form><form><input type="hidden" name="x"><input type='
        '"hidden" name="y"></form><form method="post"><input type="hidden" name="z" value="1"><input type="hidden" name="z" '
        'value="2"></form></body>'
    )
    plain = of_html(html)
    pages = [of_html(html, filter_of(str(seed), reorder=1.0)) for seed in range(12)]
    fields = [[e.attrs["name"] for e in p.document.tagged("input")] for p in pages]
    assert {tuple(f[:3]) for f in fields} == {("y", "q", "x")} and {tuple(f[3:5]) for f in fields} == {("x", "y")}
    assert all([e.attrs["value"] for e in p.document.tagged("input")[5:]] == ["1", "2"] for p in pages)
    heads = {tuple(e.attrs.get("name", e.tag) for e in p.document.tagged("meta", "link")) for p in pages}
    assert len(heads) > 2 and all(h[0] == "meta" and h[2] == "link" for h in heads)
    assert all(outline(p) == outline(plain) and sent(p) == sent(plain) for p in pages)


def test_spans_go_and_their_text_stays():
    html = '<body><p>a <span class="x">b <em>c</em> d</span> e</p><p><span aria-hidden="true">f</span> <span id="g">h</span></p></body>'
    page = of_html(html, filter_of(unwrap=1.0))
    assert [e.attrs for e in page.document.tagged("span")] == [{"aria-hidden": "true"}, {"id": "g"}]
    assert outline(page) == outline(of_html(html))


@pytest.mark.parametrize(
    "html", ["<p>x</p>text<div><form>y</form></div>more", "a<form>b</form>c", "<section>a</section><form>b</form>"]
)
@pytest.mark.parametrize("name", ["wrap", "unwrap", "tag"])
def test_runs_of_text_stay_as_they_are(html, name):
    body = f"<body><main>{html}</main></body>"
    assert outline(of_html(body, filter_of(**{name: 1.0}))) == outline(of_html(body))


def test_landmarks_stay_where_their_scope_counts():
    html = (
        "<body><header>a</header><main><header>b</header></main><article><aside>c</aside></article><section>d</section>"
        '<section aria-label="s">e</section><nav>f</nav><aside>g</aside><footer>h</footer></body>'
    )
    assert outline(of_html(html, filter_of(tag=1.0))) == outline(of_html(html))


def rows(count, skip=()):
    items = "".join(f'<tr class="row" data-n="{i}"><td>Item {i}</td></tr>' for i in range(count) if i not in skip)
    return etree.HTML(f"<html><body><table><tbody>{items}</tbody></table></body></html>")


@given(st.integers(0, 19), st.integers(0, 10**6))
@settings(max_examples=40, deadline=None)
def test_taking_one_row_away_changes_no_other_rows_fate(gone, seed):
    def drawn(root):
        return {e.get("data-n"): f.unit("wrap") for e, f in fates(root, str(seed)) if e.tag == "tr"}

    whole, less = drawn(rows(20)), drawn(rows(20, {gone}))
    assert less == {n: fate for n, fate in whole.items() if n != str(gone)}


@pytest.mark.parametrize(("version", "row"), [("v1", "article"), ("v2", "li[contains(@class, 'wp-block-post ')]")])
def test_a_post_that_goes_changes_nothing_in_other_posts(version, row):
    site = SITES[version]
    root = etree.HTML(site.request(Request("GET", f"{site.origin}/")).marked)

    def drawn():
        found = {e: f.unit("wrap") for e, f in fates(root, "3")}
        return {e: found[e] for post in root.xpath(f"//{row}") for e in post.iter()}

    before, first = drawn(), root.xpath(f"//{row}")[0]
    gone = set(first.iter())
    first.getparent().remove(first)
    assert drawn() == {e: fate for e, fate in before.items() if e not in gone}


def test_fates_are_even():
    units = [f.unit(m) for e, f in fates(rows(400), "7") for m in ("wrap", "tag", "noise") if e.tag == "tr"]
    assert abs(sum(units) / len(units) - 0.5) < 0.03


@pytest.mark.parametrize("version", SITES)
def test_an_element_has_one_fate_on_all_pages(version):
    found = set()
    for path in ("/", "/about/", "/page/3/", POST):
        page = of_site(version, path, PerceptualFilter("4", SETTINGS["high"], ""))
        link = next(e for e in page.interactive if e.name == "Contact")
        found.add((link.attrs.get("class"), tuple(link.attrs)))
    assert len(found) == 1


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


@pytest.mark.parametrize("version", SITES)
def test_decoys_look_alike_but_are_named_otherwise(version):
    plain, shifted = of_site(version, POST), of_site(version, POST, filter_of(decoy=1.0))
    names = {e.name for e in plain.interactive}
    extra = [e for e in shifted.interactive if e.name not in names]
    assert len(extra) > 50 and len(shifted.interactive) == len(plain.interactive) + len(extra)
    looks = {e.attrs.get("class") for e in plain.elements}
    assert all(e.attrs.get("class") in looks and int(e.bid) not in shifted.document.sids for e in extra)
    ids = [e.attrs["id"] for e in shifted.elements if "id" in e.attrs]
    assert len(ids) == len(set(ids)) > len(plain.document.ids)
    assert sent(shifted) == sent(plain)


def test_twins_have_the_same_name_and_do_nothing():
    html = (
        '<body><a id="a" href="/x">Go</a><form action="/s"><button id="b" name="n">Save</button><input type="submit" '
        'formaction="/t" value="Send"></form></body>'
    )
    plain, shifted = of_html(html), of_html(html, filter_of(same_name=1.0))
    doubled = [(e.role, e.name) for e in plain.interactive for _ in range(2)]
    assert [(e.role, e.name) for e in shifted.interactive] == doubled and sent(shifted) == sent(plain)
    assert sorted(e.attrs.get("href", "") for e in shifted.document.tagged("a")) == ["#", "/x"]
    assert len({tuple(e.attrs) for e in of_html(html, filter_of("2", same_name=1.0)).document.tagged("a")}) == 2


def test_icons_keep_names():
    html = '<body><button>Save  it</button><button aria-label="Close">x</button><button><b>Bold</b></button></body>'
    page = of_html(html, filter_of(icon=1.0))
    assert outline(page) == outline(of_html(html))
    assert [e.parent for e in page.document.tagged("img")] == [e.index for e in page.document.tagged("button")[:2]]


@pytest.mark.parametrize("version", SITES)
def test_synonyms_change_names_and_nothing_else(version):
    plain, shifted = of_site(version, POST), of_site(version, POST, filter_of(synonym=1.0))
    changed = {
        (a.role, a.name, b.name)
        for a, b in zip(plain.interactive, shifted.interactive, strict=True)
        if a.name != b.name
    }
    assert {("link", "Home", "Start"), ("button", "Search", "Find")} <= changed and len(changed) > 6
    assert [e.role for e in plain.elements] == [e.role for e in shifted.elements]
    assert [{k: v for k, v in e.items() if k != "value"} for _, e in controls(plain)] == [
        {k: v for k, v in e.items() if k != "value"} for _, e in controls(shifted)
    ]


def test_no_synonym_is_a_label_itself():
    for words in SYNONYMS.values():
        assert not set(words) & set(words.values()) and len(set(words.values())) == len(words)


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
    assert parse_document(b"", f"{site.origin}/", (PerceptualFilter("1", SETTINGS["high"], "x"),)).tagged("body")
