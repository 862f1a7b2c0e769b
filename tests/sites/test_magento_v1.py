"""The documents of Magento 1.9's front end: links, parse stability, ids, names, semantic ids, the style sheet, speed."""

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


@pytest.fixture(scope="module")
def crawled(crawl):
    """Every kind of page that links lead to: path -> marked HTML."""
    return crawl(create("v1"), ["/"], "/index.php/admin/")


def test_links_lead_to_pages_of_every_kind(crawled):
    names = {path.split("/")[3] for path in crawled}
    assert len(crawled) > 120
    assert names >= {
        "dashboard", "sales_order", "sales_invoice", "sales_shipment", "sales_creditmemo", "catalog_product", "catalog_category", "customer",
        "customer_group", "catalog_product_review", "promo_quote", "promo_catalog", "cms_page", "cms_block", "catalog_search", "newsletter_subscriber",
        "report_sales", "report_product", "report_customer", "report_review", "report_shopcart", "report", "system_config", "page",
    }  # fmt: skip


def test_documents_are_parse_stable(crawled, assert_stable):
    kinds = {re.sub(r"\d+/key.*|about/.*", "", path): path for path in crawled}
    for path in kinds.values():
        assert_stable(crawled[path], path)


def test_documents_are_sound(crawled):
    for path, html in crawled.items():
        ids = re.findall(r' id="([^"]*)"', html)
        assert len(ids) == len(set(ids)), path
        assert set(re.findall(r' (?:for|form)="([^"]*)"', html)) <= set(ids), path
        assert html.count("<main") == html.count("<h1") == 1, path
        assert not re.search(r"<script|<[^>]* on\w+=", html), path


def test_semantic_ids_are_the_declared_ones(crawled):
    names = {name for html in crawled.values() for name in SID.findall(html)}
    assert names - set(sids.SHARED) == set()
    assert len(names) > 60


def test_every_control_has_a_name(crawled):
    site = create("v1")
    browser = DomBrowser()
    browser.reset(site, ())
    for path in list(crawled)[::6]:
        browser.goto(ORIGIN + path)
        nameless = [e for e in browser.page().elements if e.role in INTERACTIVE and e.role != "option" and not e.name]
        assert not nameless, (path, nameless[0])


def test_the_style_sheet_hides_nothing():
    site = create("v1")
    css = site.request(Request("GET", ORIGIN + "/skin/adminhtml/default/default/boxes.css"))
    assert css.content_type == "text/css"
    text = css.marked.decode()
    assert not re.search(r"display:\s*none|visibility|pointer-events|text-transform|[\s;{]content:|url\(|@import", text)
    assert not re.search(r"sticky|fixed|z-index|margin[\w-]*:[^;]*\s-\d|margin[\w-]*:\s*-|clip|text-indent", text)


@pytest.mark.parametrize(("limit", "budget"), [(20, 0.008), (200, 0.05)])
def test_grids_are_drawn_quickly(limit, budget):
    site = create("v1")
    paths = [
        url("v1", "orders.grid", {"limit": limit, "sort": s}) for s in ("status", "grand_total", "increment_id") * 2
    ]
    site.request(Request("GET", ORIGIN + url("v1", "orders.grid")))
    times = []
    for number, path in enumerate(paths):
        start = process_time()
        site.request(Request("GET", f"{ORIGIN}{path}&x={number}"))
        times.append(process_time() - start)
    assert min(times) < budget
