import re
from collections import deque
from html import unescape
from urllib.parse import urldefrag, urljoin

import pytest
from lxml import etree

from skillshift_gym.sites.protocol import Request
from skillshift_gym.sites.wordpress import images, model, sids
from skillshift_gym.sites.wordpress.motifs import MOTIFS
from skillshift_gym.sites.wordpress.pagination import page_url, paginate
from skillshift_gym.sites.wordpress.presenter import comment_time, excerpt, long_date, paragraphs
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


def marked(page, name):
    """Returns key -> text of the elements that carry a semantic id, in document order."""
    found = {}
    for index, sid in sorted(page.sids.items()):
        if sid.partition("{")[0] == name:
            found[sid.partition("{")[2].rstrip("}")] = " ".join(page.text(index).split())
    return found


def links(site, path):
    return [unescape(href) for href in HREF.findall(get(site, path).marked)]


def newest(db):
    return [str(p["id"]) for p in model.feed(db, per_page=1000).posts]


def test_feed_is_newest_first_ten_posts_a_page(site, db):
    ids = newest(db)
    assert list(marked(document(site, "/"), "post.title")) == ids[:10]
    assert list(marked(document(site, "/page/2/"), "post.title")) == ids[10:20]
    last = -(-len(ids) // 10)
    assert list(marked(document(site, f"/page/{last}/"), "post.title")) == ids[(last - 1) * 10 :]
    assert get(site, f"/page/{last + 1}/").status == 404


def test_posts_show_their_facts(site, db):
    for post in model.feed(db, per_page=1000).posts[::3]:
        page, key = document(site, f"/{post['slug']}/"), str(post["id"])
        assert marked(page, "post.title")[key] == post["title"]
        assert marked(page, "post.date")[key] == long_date(post["date"])
        assert marked(page, "post.author")[key] == model.user_by_id(db, post["author_id"])["name"]
        for term in model.terms_of(db, post["id"], "category"):
            assert term["slug"] in marked(page, "category.open")
        assert {t["slug"] for t in model.terms_of(db, post["id"], "post_tag")} <= set(marked(page, "tag.open"))
        assert page.title == f"{post['title']} – {model.option(db, 'blogname')}"


def test_posts_lead_to_their_neighbours(site, db):
    ids = newest(db)
    slugs = {str(p["id"]): p["slug"] for p in model.feed(db, per_page=1000).posts}
    for number in (0, 1, len(ids) - 1):
        page = document(site, f"/{slugs[ids[number]]}/")
        assert list(marked(page, "post.next")) == ids[max(number - 1, 0) : number]
        assert list(marked(page, "post.previous")) == ids[number + 1 : number + 2]


def test_both_versions_show_the_same(db):
    first, second = (create(version) for version in VERSIONS)
    for path in ("/", "/page/3/", "/?s=the", "/" + model.months(db)[0]["month"].replace("-", "/") + "/"):
        for name in (
            "post.title",
            "post.date",
            "post.author",
            "post.excerpt",
            "recent.open",
            "archive.open",
            "tag.open",
        ):
            assert marked(document(first, path), name) == marked(document(second, path), name)


def test_counts_are_those_of_the_archives(site, db):
    home = get(site, "/").marked
    months = re.findall(r'data-sid="archive.open\{([\d-]+)\}" href="([^"]+)">([^<]+)</a> \((\d+)\)', home)
    assert [m[0] for m in months] == [m["month"] for m in model.months(db)]
    categories = re.findall(r'data-sid="category.open\{([^}]+)\}" href="([^"]+)">([^<]+)</a> \((\d+)\)', home)
    assert categories
    for slug, href, name, count in categories:
        term = model.term_by_slug(db, "category", slug)
        assert model.feed(db, term=term["id"]).total == int(count)
        assert document(site, href).title.startswith(unescape(name))


def test_category_archive_includes_sub_categories(site, db):
    child = next(t for t in model.terms(db, "category") if t["parent"] and t["count"])
    parent = model.term_by_id(db, child["parent"])
    inside = {str(p["id"]) for p in model.feed(db, term=child["id"], per_page=1000).posts}
    pages = -(-model.feed(db, term=parent["id"]).total // 10)
    base = f"/category/{parent['slug']}/"
    shown = {key for n in range(1, pages + 1) for key in marked(document(site, page_url(base, n)), "post.title")}
    assert inside <= shown


def test_incomplete_addresses_lead_to_the_full_ones(site, db):
    child = next(t for t in model.terms(db, "category") if t["parent"])
    parent = model.term_by_id(db, child["parent"])
    full = f"/category/{parent['slug']}/{child['slug']}/"
    post = model.feed(db).posts[0]
    for path, target in (
        (f"/category/{child['slug']}/", full),
        (f"/category/nothing/{child['slug']}/", full),
        (f"/?p={post['id']}", f"/{post['slug']}/"),
        (f"/{post['slug']}", f"/{post['slug']}/"),
        ("/page/1/", "/"),
        ("/page/1/?s=a", "/?s=a"),
    ):
        response = get(site, path)
        assert (response.status, response.header("Location")) == (301, target)


@pytest.mark.parametrize(
    "path",
    [
        "/no-such-post/",
        "/category/none/",
        "/tag/none/",
        "/author/none/",
        "/1999/",
        "/2024/13/",
        "/2024/02/30/",
        "/a/b/c/",
        "/?p=99999",
        "/page/99/?s=the",
        "/wp-content/uploads/none.svg",
        "/wp-content/themes/none/style.css",
        "/favicon.ico",
    ],
)
def test_unknown_addresses_offer_a_search(site, path):
    response = get(site, path)
    assert response.status == 404
    assert "search.text" in response.marked
    assert document(site, path).title.startswith("Page not found – ")


def test_years_and_days_have_archives(site, db):
    post = model.feed(db).posts[0]
    day = post["date"][:10]
    assert str(post["id"]) in marked(document(site, f"/{day.replace('-', '/')}/"), "post.title")
    assert marked(document(site, f"/{day[:4]}/"), "feed.title") == {"": f"Year: {day[:4]}"}


def test_archive_headings(site, db):
    month = model.months(db)[0]["month"]
    tag = model.terms(db, "post_tag")[0]
    name = f"{long_date(month + '-01').split()[0]} {month[:4]}"
    assert marked(document(site, f"/{month.replace('-', '/')}/"), "feed.title") == {"": f"Month: {name}"}
    assert marked(document(site, f"/tag/{tag['slug']}/"), "feed.title") == {"": f"Tag: {tag['name']}"}


def test_search_finds_and_keeps_the_words(site, db):
    found = model.search(db, "the")
    page = document(site, "/?s=the")
    assert list(marked(page, "post.title")) == [str(p["id"]) for p in found.posts]
    assert "/page/2/?s=the" in links(site, "/?s=the")
    fields = [page[i] for i, sid in page.sids.items() if sid == "search.text"]
    assert fields and all(field.attrs["value"] == "the" for field in fields)


def test_search_without_results_offers_another(site):
    response = get(site, "/?s=%3Cb%3Equxx%22")
    assert response.status == 200
    assert "Sorry, but nothing" in response.marked
    assert "<b>quxx" not in response.marked
    assert response.document(ORIGIN).title.startswith('Search Results for “<b>quxx"”')


def test_no_dead_links_within_three_clicks(site, db):
    seen = {"/": 0} | {f"/{p['slug']}/": 2 for p in model.feed(db, per_page=1000).posts}
    todo = deque(seen)
    while todo:
        path = todo.popleft()
        response = get(site, path)
        assert response.status in (200, 301), path
        if seen[path] == 3 or response.status == 301 or response.content_type != "text/html":
            continue
        for href in HREF.findall(response.marked):
            target = urldefrag(urljoin(path, unescape(href)))[0]
            if target.startswith("/") and target not in seen:
                seen[target] = seen[path] + 1
                todo.append(target)
    assert len(seen) > 150


def test_fragments_lead_to_elements(site, db):
    for path in ("/", f"/{model.feed(db).posts[0]['slug']}/"):
        for href in links(site, path):
            target, fragment = urldefrag(urljoin(path, href))
            if fragment:
                assert fragment in document(site, target).ids, href


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
    texts = [get(site, path).marked for path in sample(site, db)]
    texts.append(
        site.request(
            Request("POST", ORIGIN + "/wp-comments-post.php", form, "application/x-www-form-urlencoded")
        ).marked
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
    text = css.body.decode()
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


@pytest.mark.parametrize("motif", MOTIFS)
def test_drawings_depend_on_their_key_alone(motif):
    assert images.svg(motif, "a", 300, 200) == images.svg(motif, "a", 300, 200)
    assert len({images.svg(motif, key, 300, 200) for key in "abcd"}) > 1


def test_feed_document_lists_the_newest_posts(site, db):
    root = etree.fromstring(get(site, "/feed/").body)
    titles = [item.findtext("title") for item in root.iter("item")]
    assert titles == [p["title"] for p in model.feed(db).posts]


@pytest.mark.parametrize("path", ["/wp-login.php", "/wp-admin/"])
def test_signing_in_is_not_part_of_the_site(site, path):
    response = get(site, path)
    assert response.status == 200
    assert "Signing in is not part of this site" in response.marked


def test_unknown_versions_are_refused():
    with pytest.raises(ValueError, match="no version 'v3': the blog has v1, v2"):
        create("v3")


def test_pages_do_not_depend_on_the_order_of_requests(db):
    for version in VERSIONS:
        first, second = create(version), create(version)
        paths = sample(first, db)
        forward = [get(first, path).marked for path in paths]
        assert forward[::-1] == [get(second, path).marked for path in reversed(paths)]


@pytest.mark.parametrize(
    ("page", "pages", "shown"),
    [
        (1, 2, "[1] 2"),
        (1, 12, "[1] 2 3 … 12"),
        (5, 12, "1 … 3 4 [5] 6 7 … 12"),
        (12, 12, "1 … 10 11 [12]"),
        (4, 7, "1 2 3 [4] 5 6 7"),
    ],
)
def test_page_numbers(page, pages, shown):
    links = paginate("/tag/x/", page, pages).links
    assert " ".join(str(k.number) if k.url else f"[{k.number}]" if k.number else "…" for k in links) == shown


def test_addresses_of_pages():
    assert page_url("/", 1) == "/"
    assert page_url("/tag/x/", 3) == "/tag/x/page/3/"
    assert page_url("/", 2, "rye & salt") == "/page/2/?s=rye+%26+salt"
    assert paginate("/", 1, 1) is None


def test_wording_of_dates():
    assert long_date("2024-03-05T09:30:00") == "March 5, 2024"
    assert comment_time("2024-03-05T00:05:00") == "March 5, 2024 at 12:05 am"
    assert comment_time("2024-03-05T13:30:00") == "March 5, 2024 at 1:30 pm"


def test_excerpts_come_from_the_content_when_none_is_written():
    assert excerpt({"excerpt": "", "content": "<p>Rye &amp; salt</p>"}) == "Rye & salt"
    assert excerpt({"excerpt": "", "content": "word " * 56}).endswith("word […]")
    assert excerpt({"excerpt": "As <em>said</em>", "content": "no"}) == "As said"


def test_plain_text_becomes_paragraphs():
    assert paragraphs("a <b>\nc\n\n\nd ") == "<p>a &lt;b&gt;<br>c</p><p>d</p>"
