"""A crawler of Magento's back office, an administrator at work, and the comparison of trees, for both versions."""

from __future__ import annotations

import re
from collections import Counter, deque
from html import unescape
from urllib.parse import urldefrag, urljoin

import html5lib
import pytest
from lxml import etree

from skillshift_gym.actions import primitive
from skillshift_gym.browsers.dom import DomBrowser
from skillshift_gym.sites.magento.site import create
from skillshift_gym.sites.magento.urls import url
from skillshift_gym.sites.protocol import Request

ORIGIN = "https://magento.example"
HREF = re.compile(r'<a\b[^>]*? href="([^"]*)"')
PER_KIND = 2  # pages of one kind that the crawl opens


class Admin:
    """An administrator at work; elements are named by semantic ids."""

    def __init__(self, version):
        self.version = version
        self.site = create(version)
        self.browser = DomBrowser()
        self.browser.reset(self.site, ())

    @property
    def page(self):
        return self.browser.page()

    def goto(self, endpoint, query=None, **values):
        self.browser.goto(ORIGIN + url(self.version, endpoint, query, **values))
        return self

    def find(self, sid):
        return self.page.document.indices_by_sid.get(sid, ())

    def shown(self, start):
        return [s for s in self.page.document.indices_by_sid if s.startswith(start)]

    def act(self, name, sid, *arguments):
        found = self.find(sid)
        assert found, f"no {sid} at {self.page.url}"
        self.browser.perform(primitive(name, str(found[0]), *arguments))
        return self

    def click(self, *names):
        for sid in names:
            self.act("click", sid)
        return self

    def fill(self, sid, text):
        return self.act("fill", sid, text)

    def fill_form(self, entity, **values):
        for key, text in values.items():
            self.fill(f"field{{{entity}.{key}}}", text)
        return self

    def choose(self, sid, *labels):
        return self.act("select_option", sid, labels)

    def text(self, sid):
        return " ".join(self.page.document.text(self.find(sid)[0]).split())

    @property
    def message(self):
        kinds = [k for k in ("success", "error", "notice") if self.find(f"message{{{k}}}")]
        return (kinds[0], self.text(f"message{{{kinds[0]}}}")) if kinds else None

    def row(self, sql, *values):
        return self.site.state.db.execute(sql, values).fetchone()

    def value(self, sql, *values):
        row = self.row(sql, *values)
        return row and row[0]


@pytest.fixture
def admin(request):
    """An administrator at the dashboard of the version that the test module is about."""
    return Admin(request.module.VERSION).goto("dashboard")


def links(path, html):
    """Returns (address, fragment) of every link of a page."""
    return [urldefrag(urljoin(path, unescape(href))) for href in HREF.findall(html)]


@pytest.fixture(scope="session")
def links_of():
    return links


@pytest.fixture(scope="session")
def crawl():
    """Opens every kind of page that links lead to, from some first ones: path -> marked HTML."""

    def run(site, first, below):
        pages, kinds, todo, seen = {}, Counter(), deque(first), set(first)
        while todo:
            path = todo.popleft()
            response = site.request(Request("GET", ORIGIN + path))
            if response.status in (301, 302):
                targets = [response.header("Location")]
            else:
                assert response.status == 200, path
                if response.content_type != "text/html":
                    continue
                pages[path] = response.marked.decode()
                targets = [target for target, _ in links(path, pages[path])]
            for target in targets:
                assert target.startswith(below), target
                kind = re.sub(r"/\d+/", "/N/", target.partition("?")[0]) + ("?" if "?" in target else "")
                kinds[kind] += target not in seen
                if target not in seen and kinds[kind] <= PER_KIND and "/logout/" not in target:
                    seen.add(target)
                    todo.append(target)
        return pages

    return run


def shape(node):
    return node.tag, dict(node.attrib), node.text or "", [(shape(child), child.tail or "") for child in node]


def first_difference(ours, theirs, path=""):
    """Returns where two trees differ first, None when they are equal."""
    path = f"{path}/{ours[0]}"
    for name, one, other in zip(("tag", "attributes", "text"), ours[:3], theirs[:3], strict=True):
        if one != other:
            return f"{path}: {name} {one!r} != {other!r}"
    for (child, tail), (other_child, other_tail) in zip(ours[3], theirs[3], strict=False):
        found = first_difference(child, other_child, path)
        if found or tail != other_tail:
            return found or f"{path}: text after {child[0]}: {tail!r} != {other_tail!r}"
    return None if len(ours[3]) == len(theirs[3]) else f"{path}: {len(ours[3])} children != {len(theirs[3])}"


@pytest.fixture(scope="session")
def assert_stable():
    """Asserts that the page pipeline's tree of a document is the standard's."""

    def check(html, path=""):
        ours = etree.HTML(html, etree.HTMLParser(remove_comments=True, remove_pis=True, huge_tree=True))
        theirs = html5lib.parse(html, treebuilder="lxml", namespaceHTMLElements=False).getroot()
        assert first_difference(shape(ours), shape(theirs)) is None, path

    return check
