import base64
import json

import pytest

from skillshift_gym.sites.protocol import Request
from skillshift_gym.sites.wordpress import model, seed
from skillshift_gym.sites.wordpress.site import create

ORIGIN = "https://wordpress.example"
V2 = "/wp-json/wp/v2"
PASSWORD = f"{seed.LOGIN}:{seed.APPLICATION_PASSWORD}"


class Client:
    """A REST client of one site; `data`, `status` and `headers` are those of the last response."""

    def __init__(self, site):
        self.site = site

    def send(self, method, path, body=None, form=None, credentials=None):
        content, kind = b"", ""
        if body is not None:
            content, kind = (body if isinstance(body, bytes) else json.dumps(body).encode()), "application/json"
        elif form is not None:
            content, kind = form.encode(), "application/x-www-form-urlencoded"
        headers = ()
        if credentials:
            headers = (("authorization", "Basic " + base64.b64encode(credentials.encode()).decode()),)
        path = path if path.startswith("/wp-json") else V2 + path
        response = self.site.request(Request(method, ORIGIN + path, content, kind, headers=headers))
        self.status, self.response = response.status, response
        assert response.content_type == "application/json"
        self.data = json.loads(response.body)
        return self.data

    def get(self, path):
        return self.send("GET", path)

    def write(self, method, path, body=None, form=None):
        return self.send(method, path, body, form, PASSWORD)

    def ids(self, path):
        return [item["id"] for item in self.get(path)]

    @property
    def error(self):
        return self.status, self.data["code"]

    @property
    def total(self):
        return int(self.response.header("X-WP-Total"))

    @property
    def changed(self):
        return [(c.table, c.operation) for c in self.site.changes()]


@pytest.fixture
def api():
    return Client(create("v1"))


@pytest.fixture
def db():
    return seed.image().connection


def only(db, query, *values):
    return db.execute(query, values).fetchone()[0]


# The API about itself.


def test_the_index_names_the_site_and_its_routes(api):
    index = api.get("/wp-json/")
    assert (index["name"], index["url"], index["namespaces"]) == ("Port Ansel Almanac", ORIGIN, ["wp/v2"])
    posts = index["routes"]["/wp/v2/posts"]
    assert posts["methods"] == ["GET", "POST"]
    assert posts["endpoints"][0]["args"]["per_page"] == {
        "type": "integer",
        "minimum": 1,
        "maximum": 100,
        "default": 10,
        "required": False,
    }
    assert set(index["routes"][r"/wp/v2/posts/(?P<id>[\d]+)"]["methods"]) == {"GET", "POST", "PUT", "PATCH", "DELETE"}
    assert "/" not in api.get("/wp-json/wp/v2")["routes"]


@pytest.mark.parametrize(
    ("base", "names"),
    [("types", ["post", "page", "attachment"]), ("taxonomies", ["category", "post_tag"]), ("statuses", ["publish"])],
)
def test_kinds_describe_themselves(api, base, names):
    assert list(api.get(f"/{base}")) == names
    assert api.get(f"/{base}/{names[0]}")["slug"] == names[0]
    api.get(f"/{base}/nothing")
    assert api.status == 404


def test_every_route_of_the_index_that_takes_no_id_answers(api):
    for route, described in api.get("/wp-json/")["routes"].items():
        if "GET" in described["methods"] and "(" not in route and not route.endswith("/me"):
            api.get("/wp-json" + route)
            assert api.status == 200, route


@pytest.mark.parametrize(("method", "path"), [("GET", "/nothing"), ("PUT", "/posts"), ("DELETE", "/users/1")])
def test_an_unknown_route_or_method_is_no_route(api, method, path):
    api.send(method, path)
    assert api.error == (404, "rest_no_route")


def test_both_versions_answer_alike(api):
    other = Client(create("v2"))
    for path in ("/posts", "/comments", "/categories", "/wp-json/"):
        assert api.get(path) == other.get(path)


# Shapes.


def test_a_post_has_wordpress_s_shape(api, db):
    row = model.feed(db).posts[0]
    post = api.get(f"/posts/{row['id']}")
    assert list(post) == [
        *("id", "date", "date_gmt", "guid", "modified", "modified_gmt", "slug", "status", "type", "link", "title"),
        *("content", "excerpt", "author", "featured_media", "comment_status", "ping_status", "sticky", "template"),
        *("format", "meta", "categories", "tags", "_links"),
    ]
    assert post["link"] == f"{ORIGIN}/{row['slug']}/"
    assert post["title"] == {"rendered": row["title"]}
    assert post["content"] == {"rendered": row["content"], "protected": False}
    assert post["excerpt"]["rendered"].startswith("<p>")
    assert post["categories"] == [t["id"] for t in model.terms_of(db, row["id"], "category")]
    assert post["_links"]["self"] == [{"href": f"{ORIGIN}{V2}/posts/{row['id']}"}]


def test_a_page_has_its_parent(api):
    (page,) = api.get("/pages?slug=contributors")
    assert page["parent"] == api.get("/pages?slug=about")[0]["id"]
    assert "categories" not in page


def test_an_image_has_its_address_and_texts(api):
    image = api.get("/media?per_page=1")[0]
    assert image["source_url"].startswith(f"{ORIGIN}/wp-content/uploads/20")
    assert image["alt_text"] and image["media_type"] == "image"
    source = api.site.request(Request("GET", image["source_url"]))
    assert (source.status, source.content_type) == (200, image["mime_type"])


def test_terms_have_counts_and_nested_links(api, db):
    (bakeries,) = api.get("/categories?slug=bakeries")
    assert bakeries["link"] == f"{ORIGIN}/category/food/bakeries/"
    assert bakeries["count"] == len(api.get(f"/posts?categories={bakeries['id']}&per_page=100"))
    (food,) = api.get("/categories?slug=food")
    api.get(f"/posts?categories={food['id']}")
    assert api.total == model.feed(db, term=food["id"]).total > food["count"]
    assert "parent" not in api.get("/tags?slug=bread")[0]


def test_comments_hide_addresses_and_escape_text(api):
    api.site.state.reset()
    post = api.get("/posts?per_page=1")[0]["id"]
    body = {"post": post, "content": "a <b>&\n\nnext", "author_name": "Al", "author_email": "al@example.org"}
    made = api.write("POST", "/comments", body | {"status": "approve"})
    comment = api.get(f"/comments/{made['id']}")
    assert comment["content"]["rendered"] == "<p>a &lt;b&gt;&amp;</p><p>next</p>\n"
    assert "author_email" not in comment
    assert comment["link"].endswith(f"/#comment-{made['id']}")


def test_users_show_only_public_fields(api):
    user = api.get("/users/1")
    assert (user["name"], user["slug"]) == ("Ines Calloway", "ines-calloway")
    assert not {"email", "username", "roles"} & set(user)
    api.get("/users/me")
    assert api.error == (401, "rest_not_logged_in")
    assert api.write("GET", "/users/me?context=edit")["username"] == "editor"


def test_fields_are_cut_also_inside(api):
    items = api.get("/posts?per_page=2&_fields=id,title.rendered,_links.author")
    assert [list(item) for item in items] == [["id", "title", "_links"]] * 2
    assert list(items[0]["_links"]) == ["author"]
    assert api.get("/posts?per_page=1&_fields[]=slug")[0].keys() == {"slug"}


def test_embed_puts_linked_objects_inside(api, db):
    post_id = only(db, "SELECT id FROM posts WHERE featured_media != 0 ORDER BY date DESC")
    post = api.get(f"/posts/{post_id}?_embed")
    assert post["_embedded"]["author"][0]["name"]
    assert post["_embedded"]["wp:featuredmedia"][0]["id"] == post["featured_media"]
    terms = [term["id"] for group in post["_embedded"]["wp:term"] for term in group]
    assert sorted(terms) == sorted([*post["categories"], *post["tags"]])
    assert list(api.get(f"/posts/{post_id}?_embed=author")["_embedded"]) == ["author"]


def test_the_embed_context_is_short(api):
    assert list(api.get("/posts?context=embed")[0]) == [
        *("id", "date", "slug", "type", "link", "title", "excerpt", "author", "featured_media", "_links")
    ]


# Collections.


def test_posts_are_in_pages_with_headers(api, db):
    ids = api.ids("/posts")
    assert ids == [row["id"] for row in model.feed(db).posts]
    assert (api.total, api.response.header("X-WP-TotalPages")) == (338, "34")
    assert api.response.header("Link") == f'<{ORIGIN}{V2}/posts?page=2>; rel="next"'
    api.get("/posts?per_page=100&page=2")
    assert api.response.header("Link") == (
        f'<{ORIGIN}{V2}/posts?per_page=100&page=1>; rel="prev", <{ORIGIN}{V2}/posts?per_page=100&page=3>; rel="next"'
    )
    everything = [i for page in range(1, 5) for i in api.ids(f"/posts?per_page=100&page={page}")]
    assert everything == [row["id"] for row in model.feed(db, per_page=1000).posts]


def test_offset_replaces_page(api):
    assert api.ids("/posts?offset=7&per_page=3") == api.ids("/posts")[7:10]


@pytest.mark.parametrize("path", ["posts", "pages", "media"])
def test_a_page_of_posts_beyond_the_end_is_an_error(api, path):
    api.get(f"/{path}?page=999")
    assert api.error == (400, "rest_post_invalid_page_number")


@pytest.mark.parametrize("path", ["categories", "tags", "comments", "users"])
def test_a_page_of_others_beyond_the_end_is_empty(api, path):
    assert api.get(f"/{path}?page=999") == []
    assert api.status == 200 and api.total > 0


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("per_page=0", "per_page must be between 1 (inclusive) and 100 (inclusive)"),
        ("per_page=101", "per_page must be between 1 (inclusive) and 100 (inclusive)"),
        ("page=0", "page must be greater than or equal to 1"),
        ("page=two", "page is not of type integer."),
        ("order=up", "order is not one of asc and desc."),
        ("context=all", "context is not one of view, embed, and edit."),
        ("categories=4,x", "categories[1] is not of type integer."),
        ("after=yesterday", "Invalid date."),
        ("sticky=maybe", "sticky is not of type boolean."),
        ("status=draft", "Status is forbidden."),
    ],
)
def test_invalid_parameters_are_explained(api, query, message):
    api.get(f"/posts?{query}")
    assert api.error == (400, "rest_invalid_param")
    assert list(api.data["data"]["params"].values()) == [message]
    assert api.data["message"] == f"Invalid parameter(s): {query.partition('=')[0]}"


@pytest.mark.parametrize(
    ("path", "code"),
    [
        ("posts", "rest_post_invalid_id"),
        ("pages", "rest_post_invalid_id"),
        ("media", "rest_post_invalid_id"),
        ("categories", "rest_term_invalid"),
        ("tags", "rest_term_invalid"),
        ("users", "rest_user_invalid_id"),
        ("comments", "rest_comment_invalid_id"),
    ],
)
def test_an_unknown_id_is_not_found(api, path, code):
    api.get(f"/{path}/999999")
    assert api.error == (404, code)


def test_a_page_is_no_post_and_a_tag_no_category(api):
    api.get(f"/posts/{api.get('/pages')[0]['id']}")
    assert api.error == (404, "rest_post_invalid_id")
    api.get(f"/categories/{api.get('/tags')[0]['id']}")
    assert api.error == (404, "rest_term_invalid")


def test_posts_by_author_term_and_date(api, db):
    author = model.user_by_slug(db, "lucia-farrow")["id"]
    api.get(f"/posts?author={author}")
    assert api.total == model.feed(db, author=author).total
    tag = model.term_by_slug(db, "post_tag", "winter")["id"]
    walks = model.term_by_slug(db, "category", "walks")["id"]
    api.get(f"/posts?tags={tag}")
    winter = api.total
    both = api.ids(f"/posts?tags={tag}&categories={walks}")
    api.get(f"/posts?tags={tag}&categories_exclude={walks}")
    assert both and api.total == winter - len(both)
    dates = [p["date"] for p in api.get("/posts?after=2024-05-01T00:00:00&before=2024-06-01T00:00:00Z&per_page=100")]
    assert len(dates) == model.feed(db, month="2024-05").total and all(d.startswith("2024-05") for d in dates)


def test_include_exclude_and_slug(api):
    ids = api.ids("/posts?per_page=4")
    wanted = [ids[2], ids[0]]
    assert api.ids(f"/posts?include={wanted[0]},{wanted[1]}&orderby=include") == wanted
    assert api.ids(f"/posts?include[]={ids[0]}&include[]={ids[2]}") == [ids[0], ids[2]]
    assert api.ids(f"/posts?exclude={ids[0]}&per_page=3") == ids[1:]
    assert [p["slug"] for p in api.get("/posts?slug=birds,camping")] == ["camping", "birds"]
    api.get("/posts?orderby=include")
    assert api.error == (400, "rest_orderby_include_missing_include")


def test_orders(api):
    titles = [p["title"]["rendered"] for p in api.get("/posts?orderby=title&order=asc&per_page=100")]
    assert titles == sorted(titles)
    assert api.ids("/posts?order=asc")[0] < api.ids("/posts?orderby=id")[0]
    counts = [t["count"] for t in api.get("/tags?orderby=count&order=desc&per_page=100")]
    assert counts == sorted(counts, reverse=True) and len(counts) == 80


def test_search_agrees_with_the_front_end(api, db):
    found = model.search(db, "winter market", per_page=100)
    assert api.ids("/search?search=winter+market&per_page=100") == [row["id"] for row in found.posts]
    posts = [row["id"] for row in found.posts if row["type"] == "post"]
    assert api.ids("/posts?search=winter+market&orderby=relevance&per_page=100") == posts
    assert sorted(api.ids("/posts?search=winter+market&per_page=100")) == sorted(posts)
    api.get("/posts?orderby=relevance")
    assert api.error == (400, "rest_no_search_term_defined")


def test_search_finds_terms_and_narrows_by_kind(api):
    assert [r["subtype"] for r in api.get("/search?search=Birds&type=term")] == ["category", "post_tag"]
    assert {r["subtype"] for r in api.get("/search?search=almanac&subtype=page")} == {"page"}
    assert api.get("/search?search=xyzzyx") == []


def test_terms_by_parent_post_and_use(api, db):
    food = model.term_by_slug(db, "category", "food")["id"]
    assert [t["name"] for t in api.get(f"/categories?parent={food}")] == ["Bakeries", "Eating Out", "Recipes"]
    post = api.get("/posts?per_page=1")[0]
    assert sorted(api.ids(f"/tags?post={post['id']}")) == sorted(post["tags"])
    api.write("POST", "/tags", {"name": "Unused"})
    assert len(api.get("/tags?search=unused")) == 1
    assert api.get("/tags?search=unused&hide_empty=true") == []


def test_comments_by_post_and_parent(api, db):
    parent = only(db, "SELECT parent FROM comments WHERE parent != 0 AND status = 'approved'")
    post = only(db, "SELECT post_id FROM comments WHERE id = ?", parent)
    assert api.ids(f"/comments?post={post}&per_page=100&order=asc") == [r["id"] for r in model.comments(db, post)]
    assert {c["parent"] for c in api.get(f"/comments?parent={parent}")} == {parent}
    api.get("/comments")
    assert api.total == only(db, "SELECT COUNT(*) FROM comments WHERE status = 'approved'")


def test_visitors_do_not_see_what_waits(api, db):
    held = only(db, "SELECT id FROM comments WHERE status = 'hold'")
    api.get(f"/comments/{held}")
    assert api.error == (401, "rest_cannot_read")
    for query in ("status=hold", "author_email=a@example.org"):
        api.get(f"/comments?{query}")
        assert api.error == (401, "rest_forbidden_param")
    assert len(api.write("GET", "/comments?status=hold")) == 5


# Who may do what.


@pytest.mark.parametrize("path", ["posts", "pages", "comments", "categories", "tags", "users"])
def test_the_edit_context_needs_a_password(api, path):
    api.get(f"/{path}?context=edit")
    assert api.error == (401, "rest_forbidden_context")
    api.write("GET", f"/{path}?context=edit")
    assert api.status == 200


@pytest.mark.parametrize(
    ("credentials", "code"), [("editor:wrong", "incorrect_password"), ("nobody:x", "invalid_username")]
)
def test_wrong_credentials_fail_also_for_reading(api, credentials, code):
    api.send("GET", "/posts", credentials=credentials)
    assert api.error == (401, code)


def test_spaces_in_the_password_do_not_count(api):
    api.send("GET", "/users/me", credentials="editor:demoapppassword 00010001")
    assert api.status == 200


@pytest.mark.parametrize(
    ("method", "path", "body", "code"),
    [
        ("POST", "/posts", {"title": "x"}, "rest_cannot_create"),
        ("POST", "/pages", {"title": "x"}, "rest_cannot_create"),
        ("POST", "/categories", {"name": "x"}, "rest_cannot_create"),
        ("POST", "/comments", {"content": "x"}, "rest_comment_login_required"),
        ("PUT", "/posts/{post}", {"title": "x"}, "rest_cannot_edit"),
        ("DELETE", "/posts/{post}", None, "rest_cannot_delete"),
        ("PATCH", "/tags/101", {"name": "x"}, "rest_cannot_update"),
        ("DELETE", "/tags/101?force=true", None, "rest_cannot_delete"),
        ("POST", "/comments/{comment}", {"content": "x"}, "rest_cannot_edit"),
        ("DELETE", "/comments/{comment}", None, "rest_cannot_delete"),
    ],
)
def test_visitors_may_not_write(api, db, method, path, body, code):
    comment = only(db, "SELECT MIN(id) FROM comments")
    api.send(method, path.format(post=api.ids("/posts")[0], comment=comment), body)
    assert api.error == (401, code)
    assert api.changed == []


# Writing posts.


def test_a_post_is_a_draft_until_it_is_published(api):
    post = api.write("POST", "/posts", {"title": {"raw": "Ünusual News’"}, "content": "<p>Text</p>"})
    assert (api.status, post["status"], post["categories"]) == (201, "draft", [1])
    assert api.response.header("Location") == f"{ORIGIN}{V2}/posts/{post['id']}"
    api.get(f"/posts/{post['id']}")
    assert api.error == (401, "rest_forbidden")
    api.write("PATCH", f"/posts/{post['id']}", {"status": "publish"})
    shown = api.get(f"/posts/{post['id']}")
    assert shown["link"] == f"{ORIGIN}/unusual-news/"
    assert api.site.request(Request("GET", shown["link"])).status == 200
    assert api.ids("/posts")[0] == post["id"]
    assert api.changed == [("post_terms", "insert"), ("posts", "insert")]


def test_a_post_from_a_form_with_terms_and_image(api, db):
    media = only(db, "SELECT MAX(id) FROM media")
    form = f"title=Birds&status=publish&categories[]=4&categories[]=9&tags=101,103&featured_media={media}"
    post = api.write("POST", "/posts", form=form)
    assert post["slug"] == "birds-2"
    assert (sorted(post["categories"]), post["featured_media"]) == ([4, 9], media)
    assert post["id"] > max(media, only(db, "SELECT MAX(id) FROM posts"))


def test_an_update_changes_only_what_is_sent(api):
    before = api.get("/posts?per_page=1")[0]
    after = api.write("PUT", f"/posts/{before['id']}", {"title": "New Title", "tags": [before["tags"][0]]})
    assert (after["title"]["raw"], after["slug"], after["categories"]) == (
        "New Title",
        before["slug"],
        before["categories"],
    )
    assert after["modified"] == "2025-12-01T09:00:00"
    removed = [("post_terms", "delete")] * (len(before["tags"]) - 1)
    assert api.changed == [*removed, ("posts", "update")]
    assert api.site.changes()[-1].after == {"title": "New Title"}


def test_a_post_of_tomorrow_is_scheduled(api):
    body = {"title": "Soon", "status": "publish", "date": "2026-01-01T08:00:00"}
    assert api.write("POST", "/posts", body)["status"] == "future"


def test_a_deleted_post_goes_to_the_trash_first(api):
    post = api.get("/posts?per_page=1")[0]
    trashed = api.write("DELETE", f"/posts/{post['id']}")
    assert (trashed["status"], trashed["slug"]) == ("trash", f"{post['slug']}__trashed")
    api.write("DELETE", f"/posts/{post['id']}")
    assert api.error == (410, "rest_already_trashed")
    gone = api.write("DELETE", f"/posts/{post['id']}?force=true")
    assert gone["deleted"] and gone["previous"]["id"] == post["id"]
    api.get(f"/posts/{post['id']}")
    assert api.error == (404, "rest_post_invalid_id")
    assert api.get(f"/comments?post={post['id']}") == []


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({}, 400, "empty_content"),
        ({"title": "x", "id": 5}, 400, "rest_post_exists"),
        ({"title": "x", "author": 99}, 400, "rest_invalid_author"),
        ({"title": "x", "featured_media": 99999}, 400, "rest_invalid_featured_media"),
        ({"title": 5}, 400, "rest_invalid_param"),
        ({"title": "x", "status": "open"}, 400, "rest_invalid_param"),
        (b"{", 400, "rest_invalid_json"),
    ],
)
def test_a_bad_post_is_refused(api, body, status, code):
    revision = api.site.revision
    api.write("POST", "/posts", body)
    assert api.error == (status, code)
    assert (api.changed, api.site.revision) == ([], revision)


def test_pages_have_parents(api):
    about = api.get("/pages?slug=about")[0]["id"]
    page = api.write("POST", "/pages", {"title": "History", "status": "publish", "parent": about})
    assert page["parent"] == about
    assert page["id"] in api.ids(f"/pages?parent={about}")
    api.write("POST", "/pages", {"title": "x", "parent": api.ids("/posts")[0]})
    assert api.error == (400, "rest_post_invalid_id")


# Writing terms.


def test_a_term_needs_a_name_before_permission_is_asked(api):
    api.send("POST", "/categories", {})
    assert api.error == (400, "rest_missing_callback_param")
    assert api.data["data"]["params"] == ["name"]


def test_a_category_is_made_changed_and_deleted(api):
    made = api.write("POST", "/categories", form="name=Tea+%26+Cake&parent=1")
    assert (api.status, made["slug"], made["link"]) == (201, "tea-cake", f"{ORIGIN}/category/city/tea-cake/")
    assert made["name"] == "Tea &amp; Cake"
    changed = api.write("POST", f"/categories/{made['id']}", {"description": "Both", "slug": "Tea Time"})
    assert (changed["description"], changed["slug"]) == ("Both", "tea-time")
    api.write("DELETE", f"/categories/{made['id']}")
    assert api.error == (501, "rest_trash_not_supported")
    assert api.write("DELETE", f"/categories/{made['id']}?force=1")["previous"]["slug"] == "tea-time"
    assert api.changed == []


def test_a_name_that_exists_is_refused(api):
    api.write("POST", "/tags", {"name": "bread"})
    assert api.error == (400, "term_exists")
    assert api.data["data"]["term_id"] == api.get("/tags?slug=bread")[0]["id"]
    api.write("POST", "/tags/101", {"slug": "bread"})
    assert api.error == (400, "duplicate_term_slug")


def test_posts_of_a_deleted_category_get_the_default(api):
    (walks,) = api.get("/categories?slug=walks")
    posts = api.ids(f"/posts?categories={walks['id']}&per_page=100")
    api.write("DELETE", f"/categories/{walks['id']}?force=true")
    assert all(api.get(f"/posts/{post}")["categories"] for post in posts)
    api.write("DELETE", "/categories/1?force=true")
    assert api.error == (500, "rest_cannot_delete")


# Writing comments.


def test_an_editor_comments_under_their_own_name(api):
    post = api.ids("/posts")[0]
    comment = api.write("POST", "/comments", {"post": post, "content": "Thank you."})
    assert (api.status, comment["author_name"], comment["status"]) == (201, "Ines Calloway", "approved")
    api.write("POST", "/comments", {"post": post, "content": "Thank you."})
    assert api.error == (409, "comment_duplicate")
    assert api.changed == [("comments", "insert")]


def test_a_comment_is_moderated_and_deleted(api, db):
    held = only(db, "SELECT id FROM comments WHERE status = 'hold'")
    assert api.write("PATCH", f"/comments/{held}", {"status": "approve"})["status"] == "approved"
    assert api.get(f"/comments/{held}")["id"] == held
    assert api.write("DELETE", f"/comments/{held}")["status"] == "trash"
    api.write("DELETE", f"/comments/{held}")
    assert api.error == (410, "rest_already_trashed")
    assert api.write("DELETE", f"/comments/{held}?force=true")["deleted"]
    assert api.changed == [("comments", "delete")]


@pytest.mark.parametrize(
    ("body", "status", "code"),
    [
        ({"content": "x"}, 403, "rest_comment_invalid_post_id"),
        ({"post": 999999, "content": "x"}, 403, "rest_comment_invalid_post_id"),
        ({"post": "open", "content": " "}, 400, "rest_comment_content_invalid"),
        ({"post": "closed", "content": "x"}, 403, "rest_comment_closed"),
        ({"post": "open", "content": "x", "author_name": "Al"}, 400, "rest_comment_author_data_required"),
        ({"post": "open", "content": "x", "author": 99}, 400, "rest_comment_invalid_author"),
    ],
)
def test_a_bad_comment_is_refused(api, db, body, status, code):
    if isinstance(body.get("post"), str):
        post = only(db, "SELECT id FROM posts WHERE type = 'post' AND comment_status = ?", body["post"])
        body = body | {"post": post}
    api.write("POST", "/comments", body)
    assert api.error == (status, code)
    assert api.changed == []


def test_a_post_that_leaves_the_trash_gets_its_address_back(api):
    post = api.get("/posts?per_page=1")[0]
    api.write("DELETE", f"/posts/{post['id']}")
    assert api.write("PUT", f"/posts/{post['id']}", {"status": "publish"})["slug"] == post["slug"]
    assert api.changed == []
