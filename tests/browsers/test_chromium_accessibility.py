"""What the pipeline says of roles, names and visibility is what Chromium's own accessibility tree says."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import sync_playwright

from skillshift_gym.browsers.chromium_launch import find_chromium
from skillshift_gym.browsers.dom import DomBrowser
from skillshift_gym.role_tables import GENERIC, NONE
from skillshift_gym.roles import TRANSPARENT
from skillshift_gym.sites import registry
from skillshift_gym.sites.magento.urls import url
from skillshift_gym.sites.protocol import Request
from skillshift_gym.tasks.wordpress import data
from skillshift_gym.testing import FakeSite

# Chromium's internal names of roles -> ours.
ROLES = {
    "DisclosureTriangle": "button", "DisclosureTriangleGrouped": "button", "Details": "group", "image": "img", "LabelText": GENERIC,
    "Figcaption": GENERIC, "Legend": GENERIC, "LineBreak": NONE, "graphics-document": "img", "ListMarker": NONE, "InlineTextBox": NONE,
    "Date": "textbox", "DateTime": "textbox", "InputTime": "textbox", "ColorWell": "button",
    "sectionheader": GENERIC, "sectionfooter": GENERIC, "SectionHeader": GENERIC, "SectionFooter": GENERIC, "none": NONE,
}  # fmt: skip
DOCUMENTS = [
    "<button>Save <b>all</b></button>", "<button aria-label='Close'>x</button>", "<button title='Help'></button>",
    "<a href=/x>One<span>Two</span></a>", "<a href=/x><div>One</div><div>Two</div></a>", "<a href=/x>One<br>Two</a>",
    "<a href=/x><img src=i alt='A boat'></a>", "<a href=/x><span aria-hidden=true>*</span>Home</a>",
    "<a href=/x><span hidden>secret</span>Home</a>", "<label for=f>Name</label><input id=f>", "<label>Name <input></label>",
    "<label for=f>First</label><label for=f>Last</label><input id=f>", "<input placeholder='Your name'>",
    "<input title=T placeholder=P>", "<span id=a>Billing</span><span id=b>City</span><input aria-labelledby='a b'>",
    "<span id=a hidden>Hidden label</span><input aria-labelledby=a>", "<input aria-labelledby=nowhere aria-label=Fallback>",
    "<label><input type=checkbox> Gift</label>", "<input type=submit>", "<input type=submit value='Log in'>",
    "<input type=reset>", "<input type=search aria-label=q>", "<input type=number aria-label=n>", "<input type=range aria-label=r>",
    "<select aria-label=s><option>a<option selected>b</select>", "<select multiple aria-label=s><option>a</select>",
    "<textarea aria-label=Note></textarea>", "<h2>A  b\n c</h2>", "<img src=i alt='A cat'>", "<img src=i alt=''>",
    "<fieldset><legend>Colour</legend><input aria-label=x></fieldset>",
    "<table><caption>Orders</caption><thead><tr><th>K</th></tr></thead><tbody><tr><td>1</td></tr></tbody></table>",
    "<table><tbody><tr><th>K</th><td><a href=/>link</a> text</td></tr></tbody></table>",
    "<nav aria-label=Main><ul><li><a href=/>x</a></li></ul></nav>", "<section aria-label=News><p>x</p></section>",
    "<header><p>x</p></header><article><header><p>y</p></header></article><footer>z</footer>",
    "<form aria-label=F><input aria-label=x></form>", "<details><summary>More</summary><p>in</p></details>",
    "<details open><summary>More</summary><p>in</p></details>", "<div role=button tabindex=0>Go</div>",
    "<div role='nonsense switch' tabindex=0>On</div>", "<button role=presentation>Stay</button>",
    "<div aria-hidden=true><button>x</button></div>", "<div hidden><button>x</button></div>",
    "<div style='display:none'><button>x</button></div>", "<div style='visibility:hidden'><button>x</button></div>",
    "<p>a<button title=t aria-describedby=d>x</button><span id=d>desc</span></p>", "<aside><p>x</p></aside>",
    "<div role=list><div role=listitem>a</div></div>", "<blockquote>q</blockquote><hr><figure><figcaption>Fig</figcaption></figure>",
    "<button disabled>Buy</button><input disabled aria-label=d><input readonly value=v aria-label=r>",
    "<label>Sort by <select><option>Size<option selected>Age</select></label>", "<address class=a>4 Boat Lane</address>",
    "<table class=data><thead><tr class=headings><th>A</th><th>B</th></tr></thead><tbody><tr class=even title=t><td>1</td><td><select aria-label=s><option>A<option selected>B</select></td></tr></tbody></table>",
    "<table class=data><thead><tr><th>A</th></tr></thead><tbody><tr class=odd><td><input aria-label=q value=v></td><td><input aria-label=empty></td></tr></tbody></table>",
    "<table class=data><thead><tr><th>A</th></tr></thead><tbody><tr><td><input type=checkbox aria-label='Select 5'></td><td>x</td></tr></tbody></table>",
]  # fmt: skip


@pytest.fixture(scope="module")
def chromium():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_chromium(), args=["--disable-gpu"])
        yield browser.new_page(viewport={"width": 1280, "height": 720})
        browser.close()


def elements_of(root: dict[str, Any]) -> list[dict[str, Any]]:
    """Returns the element nodes of a DevTools document in document order."""
    found = []
    stack = [root]
    while stack:
        node = stack.pop()
        if node["nodeType"] == 1:
            found.append(node)
        stack.extend(reversed(node.get("children", [])))
    return found


def accessible(page, html):
    """Returns ordinal -> (role, name) and ordinal -> visibility, as Chromium sees them."""
    page.set_content(html)
    session = page.context.new_cdp_session(page)
    elements = elements_of(session.send("DOM.getDocument", {"depth": -1})["root"])
    ordinals = {e["backendNodeId"]: i for i, e in enumerate(elements)}
    tree = {}
    for node in session.send("Accessibility.getFullAXTree")["nodes"]:
        ordinal = ordinals.get(node.get("backendDOMNodeId"))
        if ordinal is not None and not node["ignored"]:
            role = node["role"]["value"]
            tree[ordinal] = (ROLES.get(role, role), node.get("name", {}).get("value", ""))
    visible = page.evaluate(
        "[...document.querySelectorAll('*')].map(e => e.checkVisibility({visibilityProperty: true}))"
    )
    session.detach()
    return tree, visible


def differences(page, html, ours):
    theirs, visible = accessible(page, html)
    found = []
    for element in ours.elements:
        ordinal = int(element.bid)
        role, name = theirs.get(ordinal, ("", ""))
        shown = element.role and element.role not in TRANSPARENT
        if (
            shown
            and element.tag not in ("html", "body")
            and (role, " ".join(name.split())) != (element.role, element.name)
        ):
            found.append((element.tag, element.bid, (element.role, element.name), (role, name)))
        if not shown and role and role not in TRANSPARENT | {"RootWebArea"}:
            found.append((element.tag, element.bid, (element.role, element.name), (role, name)))
        if (
            element.tag != "option"
            and bool(visible[ordinal]) != element.visible
            and element.tag not in ("html", "head")
        ):
            found.append((element.tag, element.bid, "visible", element.visible, visible[ordinal]))
    return found


def dom_page(site, path):
    browser = DomBrowser()
    browser.reset(site)
    browser.goto(site.origin + path)
    return browser.page()


@pytest.mark.parametrize("html", DOCUMENTS)
def test_small_documents(chromium, html):
    text = f"<!DOCTYPE html><html><head><title>t</title></head><body>{html}</body></html>"
    assert differences(chromium, text, dom_page(FakeSite({"/": text}), "/")) == []


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_pages_of_the_blog(chromium, version):
    site = registry.create("wordpress", version)
    shown = [p for p in data.posts() if p.comments][:3]
    paths = [
        "/",
        "/?s=bread",
        "/2024/03/",
        "/nowhere/",
        "/about/",
        "/page/34/",
        *(p.path for p in shown),
        data.categories()[3].path,
    ]
    for path in paths:
        page = dom_page(site, path)
        body = site.request(Request("GET", site.origin + path)).body.decode()
        assert differences(chromium, body, page) == [], path


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_pages_of_the_shop(chromium, version):
    site = registry.create("magento", version)
    places = [
        ("dashboard", {}),
        ("orders.grid", {}),
        ("products.grid", {}),
        ("reviews.grid", {}),
        ("orders.view", {"id": 330}),
    ]
    places += [
        ("products.edit", {"id": 1}),
        ("products.edit", {"id": 1900}),
        ("customers.edit", {"id": 5}),
        ("reports.sales", {}),
    ]
    places += [("config.edit", {"section": "general"}), ("salesrules.new", {}), ("categories.edit", {"id": 4})]
    for endpoint, values in places:
        path = url(version, endpoint, **values)
        body = site.request(Request("GET", site.origin + path)).body.decode()
        assert differences(chromium, body, dom_page(site, path)) == [], endpoint
