import re
from collections import deque
from html import unescape
from urllib.parse import urldefrag, urljoin

import pytest
from lxml import etree

from skillshift_gym.sites.protocol import Request
from skillshift_gym.sites.wordpress import model, sids
from skillshift_gym.sites.wordpress.pagination import page_url
from skillshift_gym.sites.wordpress.site import create

VERSIONS = ("v1", "v2")
ORIGIN = "https://wordpress.example"
HREF = re.compile(r'<a\b[^>]*? href="([^"]*)"')
SID = re.compile(r' data-sid="([^"{]+)(?:\{([^"}]*)\})?"')


@pytest.fixture(scope="module", params=VERSIONS)
def site(request):
    return create(request.param)


@pytest.fixture(scope="module")
def db():
    return create("v1").state.db


def get(site, path):
    return site.request(Request("GET", ORIGIN + path))


def document(site, path):
    return get(site, path).document(ORIGIN + path)


def test_no_dead_links_within_three_clicks(site, db):
    seen = {"/": 0} | {f"/{p['slug']}/": 2 for p in model.feed(db, per_page=1000).posts}
    todo = deque(seen)
    anchors = set()
    while todo:
        path = todo.popleft()
        response = get(site, path)
        assert response.status in (200, 301), path
        if seen[path] == 3 or response.status == 301 or response.content_type != "text/html":
            continue
        for href in HREF.findall(response.marked.decode()):
            target, fragment = urldefrag(urljoin(path, unescape(href)))
            anchors |= {(target, fragment)} if fragment else set()
            if target.startswith("/") and target not in seen:
                seen[target] = seen[path] + 1
                todo.append(target)
    assert len(seen) > 150
    assert [a for a in sorted(anchors) if f' id="{a[1]}"' not in get(site, a[0]).marked.decode()] == []


def sample(site, db):
    """Returns paths that together show every part of the templates."""
    posts = model.feed(db, per_page=1000).posts
    busy = max(posts, key=lambda p: model.comment_count(db, p["id"]))
    reply = model.comments(db, busy["id"])[0]["id"]
    page = model.pages(db)[0]
    illustrated = next(p for p in posts if p["featured_media"])
    number = posts.index(illustrated) // 10 + 1
    return [
        *("/", "/page/2/", page_url("/", number), "/?s=the", "/no-such-page/", f"/?s={page['title']}", "/?s=qxqx"),
        *(f"/{busy['slug']}/?replytocom={reply}", f"/{busy['slug']}/", f"/{page['slug']}/", f"/{illustrated['slug']}/"),
        *(f"/{posts[0]['slug']}/", f"/author/{model.user_by_id(db, busy['author_id'])['slug']}/"),
    ]


def test_semantic_ids_are_the_declared_ones(site, db):
    form = b"comment_post_ID=%d" % model.feed(db).posts[0]["id"]
    texts = [get(site, path).marked.decode() for path in sample(site, db)]
    texts.append(
        site.request(
            Request("POST", ORIGIN + "/wp-comments-post.php", form, "application/x-www-form-urlencoded")
        ).marked.decode()
    )
    names = {name for text in texts for name, _ in SID.findall(text)}
    assert names == set(sids.SHARED) | set(sids.LOCAL[site.version])


def test_documents_are_sound(site, db):
    for path in sample(site, db):
        page = document(site, path)
        ids = [e.attrs["id"] for e in page.elements if "id" in e.attrs]
        assert len(ids) == len(set(ids)), path
        assert not page.tagged("script")
        assert not [a for e in page.elements for a in e.attrs if a.startswith("on")]
        assert all(e.attrs["for"] in page.ids for e in page.tagged("label") if "for" in e.attrs)
        assert len(page.tagged("main")) == len(page.tagged("h1")) == 1
        assert all("alt" in e.attrs for e in page.tagged("img"))
        assert b"data-sid" not in get(site, path).body


def test_style_sheets_hide_nothing(site):
    page = document(site, "/")
    sheet = next(e.attrs["href"] for e in page.tagged("link") if e.attrs["rel"] == "stylesheet")
    css = get(site, sheet)
    assert css.content_type == "text/css"
    text = css.marked.decode()
    assert not re.search(r"display:\s*none|visibility|pointer-events|text-transform|[\s;{]content:|url\(|@import", text)
    assert not re.search(r"position:|margin[\w-]*:[^;]*\s-\d|margin[\w-]*:\s*-|clip|text-indent", text)


def test_every_picture_is_served(site, db):
    for row in db.execute("SELECT file, width, height FROM media"):
        response = get(site, f"/wp-content/uploads/{row['file']}")
        assert response.content_type == "image/svg+xml"
        root = etree.fromstring(response.body)
        assert (root.get("width"), root.get("height")) == (str(row["width"]), str(row["height"]))


def test_pictures_in_posts_are_images(site, db):
    posts = [p for p in model.feed(db, per_page=1000).posts if "<img" in p["content"]]
    assert posts
    for post in posts[::9]:
        page = document(site, f"/{post['slug']}/")
        content = page[page.indices_by_sid[f"post.content{{{post['id']}}}"][0]]
        shown = [e for e in page.tagged("img") if e.index in content]
        assert len(shown) == post["content"].count("<img")
        assert all(page.sids[e.index].startswith("image{") for e in shown)


def test_pages_do_not_depend_on_the_order_of_requests(db):
    for version in VERSIONS:
        first, second = create(version), create(version)
        paths = sample(first, db)
        forward = [get(first, path).marked.decode() for path in paths]
        assert forward[::-1] == [get(second, path).marked.decode() for path in reversed(paths)]
