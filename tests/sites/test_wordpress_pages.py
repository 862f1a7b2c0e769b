import re
from html import unescape

import pytest
from lxml import etree

from skillshift_gym.sites.protocol import Request
from skillshift_gym.sites.wordpress import model
from skillshift_gym.sites.wordpress.pagination import page_url
from skillshift_gym.sites.wordpress.presenter import long_date
from skillshift_gym.sites.wordpress.site import create

VERSIONS = ("v1", "v2")
ORIGIN = "https://wordpress.example"
HREF = re.compile(r'<a\b[^>]*? href="([^"]*)"')


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
    return [unescape(href) for href in HREF.findall(get(site, path).marked.decode())]


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
    home = get(site, "/").marked.decode()
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
        "/?page_id=99999",
        f"/page/{'9' * 30}/",
        "/page/99/?s=the",
        "/wp-content/uploads/none.svg",
        "/wp-content/themes/none/style.css",
        "/favicon.ico",
    ],
)
def test_unknown_addresses_offer_a_search(site, path):
    response = get(site, path)
    assert response.status == 404
    assert "search.text" in response.marked.decode()
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


def test_searches_have_an_upper_bound(site, db):
    everything = model.search(db, "").total
    assert "Search Results for “”" in document(site, "/?s=" + "a" * 1601).title
    assert get(site, "/?s=" + "a+" * 799).status == 200
    assert everything > len(newest(db))


def test_search_without_results_offers_another(site):
    response = get(site, "/?s=%3Cb%3Equxx%22")
    assert response.status == 200
    assert "Sorry, but nothing" in response.marked.decode()
    assert "<b>quxx" not in response.marked.decode()
    assert response.document(ORIGIN).title.startswith('Search Results for “<b>quxx"”')


def test_feed_document_lists_the_newest_posts(site, db):
    root = etree.fromstring(get(site, "/feed/").body)
    titles = [item.findtext("title") for item in root.iter("item")]
    assert titles == [p["title"] for p in model.feed(db).posts]


@pytest.mark.parametrize("path", ["/wp-login.php", "/wp-admin/"])
def test_signing_in_is_not_part_of_the_site(site, path):
    response = get(site, path)
    assert response.status == 200
    assert "Signing in is not part of this site" in response.marked.decode()


def test_unknown_versions_are_refused():
    with pytest.raises(ValueError, match="no version 'v3': the blog has v1, v2"):
        create("v3")
