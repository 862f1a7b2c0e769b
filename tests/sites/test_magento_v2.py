"""The documents of Magento 2.4's front end: links, parse stability, ids, names, semantic ids, the style sheet, speed."""

import re
from time import process_time

import pytest

from skillshift_gym.browsers.dom import DomBrowser
from skillshift_gym.roles import INTERACTIVE
from skillshift_gym.sites.magento import sids
from skillshift_gym.sites.magento.site import create
from skillshift_gym.sites.magento.urls import url
from skillshift_gym.sites.protocol import Request

ORIGIN = "https://magento.example"
SID = re.compile(r' data-sid="([^"{]+)')
SIGNED_OUT = {"admin_session": "out"}


def get(site, path, cookies=None):
    return site.request(Request("GET", ORIGIN + path, cookies=cookies or {}))


@pytest.fixture(scope="module")
def site():
    return create("v2")


@pytest.fixture(scope="module")
def crawled(site, crawl):
    """Every kind of page that links lead to, and some that only forms lead to: path -> marked HTML."""
    first = [
        "/",
        url("v2", "orders.grid", {"status": "pending", "search": "a"}),
        url("v2", "products.attributes", {"ids": "5,6"}),
    ]
    first.append(url("v2", "reports.sales", {"from": "1/1/2024", "to": "3/1/2024"}))
    return crawl(site, first, "/admin/")


def test_links_lead_to_pages_of_every_kind(crawled):
    places = {"/".join(path.split("/")[2:4]) for path in crawled}
    assert len(crawled) > 150
    assert places >= {
        "admin/dashboard", "sales/order", "sales/invoice", "sales/shipment", "sales/creditmemo", "admin/order_shipment", "catalog/product",
        "catalog/product_action_attribute", "catalog/category", "customer/index", "customer/address", "customer/group", "review/product",
        "sales_rule/promo_quote", "catalog_rule/promo_catalog", "cms/page", "cms/block", "search/term", "newsletter/subscriber",
        "reports/report_sales", "reports/report_product", "reports/report_customer", "reports/report_review", "reports/report_shopcart",
        "admin/system_config", "admin/page",
    }  # fmt: skip


def test_documents_are_parse_stable(site, crawled, assert_stable):
    kinds = {re.sub(r"\d+/.*|about/.*", "", path): path for path in crawled}
    for path in kinds.values():
        assert_stable(crawled[path], path)
    assert_stable(get(site, "/admin/", SIGNED_OUT).marked.decode())
    told = get(site, url("v2", "orders.grid"), {"admin_message": "error:It's <b>wrong</b> & so on"}).marked.decode()
    assert "message-error" in told
    assert_stable(told)


def test_documents_are_sound(crawled, links_of):
    for path, html in crawled.items():
        ids = re.findall(r' id="([^"]*)"', html)
        assert len(ids) == len(set(ids)), path
        assert set(re.findall(r' (?:for|form)="([^"]*)"', html)) <= set(ids), path
        assert {fragment for target, fragment in links_of(path, html) if fragment} <= set(ids), path
        assert html.count("<main") == html.count("<h1") == 1, path
        assert not re.search(r"<script|\son\w+=|\s(?:for|id|href|name)=\"(?:None)?\"", html), path


def test_semantic_ids_are_the_declared_ones(site, crawled):
    told = get(site, "/admin/", {**SIGNED_OUT, "admin_message": "error:No."}).marked.decode()
    missing = get(site, "/no/such/place").marked.decode()
    names = {name for html in (*crawled.values(), told, missing) for name in SID.findall(html)}
    assert names == (set(sids.SHARED) | set(sids.LOCAL["v2"])) - {"grid.mass"}


def test_every_control_has_a_name(site, crawled):
    browser = DomBrowser()
    browser.reset(site, ())
    for path in list(crawled)[::5]:
        browser.goto(ORIGIN + path)
        nameless = [e for e in browser.page().elements if e.role in INTERACTIVE and e.role != "option" and not e.name]
        assert not nameless, (path, nameless[0])


def test_marks_of_what_opens_are_not_part_of_names(site):
    browser = DomBrowser()
    browser.reset(site, ())
    browser.goto(ORIGIN + url("v2", "products.grid"))
    assert {"Actions", "Columns", "Default View", "Filters"} <= {e.name for e in browser.page().interactive}


def test_the_style_sheet_hides_nothing(site):
    css = get(site, "/static/adminhtml/Magento/backend/en_US/css/styles.css")
    assert css.content_type == "text/css"
    text = css.marked.decode()
    assert not re.search(r"display:\s*none|visibility|pointer-events|text-transform|[\s;{]content:|url\(|@import", text)
    assert not re.search(r"position:|z-index|margin[\w-]*:[^;]*\s-\d|margin[\w-]*:\s*-|clip|text-indent", text)


@pytest.mark.parametrize(("limit", "budget"), [(20, 0.008), (200, 0.05)])
def test_grids_are_drawn_quickly(limit, budget):
    site = create("v2")
    paths = [
        url("v2", "orders.grid", {"limit": limit, "sort": s}) for s in ("status", "grand_total", "increment_id") * 2
    ]
    get(site, url("v2", "orders.grid"))
    times = []
    for number, path in enumerate(paths):
        start = process_time()
        get(site, f"{path}&x={number}")
        times.append(process_time() - start)
    assert min(times) < budget
