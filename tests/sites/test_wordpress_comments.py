from urllib.parse import urlencode

import pytest

from skillshift_gym.sites.protocol import Request
from skillshift_gym.sites.wordpress import model
from skillshift_gym.sites.wordpress.site import create

VERSIONS = ("v1", "v2")
ORIGIN = "https://wordpress.example"
TEXT = "A fine read.\n\nThe bridge <b>stands</b> & sways.\nTruly"


@pytest.fixture(params=VERSIONS)
def site(request):
    return create(request.param)


@pytest.fixture
def post(site):
    return model.feed(site.state.db).posts[0]


def send(site, post, **fields):
    form = {"comment": TEXT, "author": "Vera Nowak", "email": "vera@example.org", "url": "", "comment_parent": "0"}
    form |= {"comment_post_ID": post["id"], "submit": "Post Comment"} | fields
    body = urlencode(form).encode()
    return site.request(Request("POST", ORIGIN + "/wp-comments-post.php", body, "application/x-www-form-urlencoded"))


def get(site, path, cookies=()):
    return site.request(Request("GET", ORIGIN + path, cookies=dict(cookies)))


def test_a_stranger_waits_for_moderation(site, post):
    response = send(site, post)
    (change,) = site.changes()
    token = model.moderation_hash(change.key, "vera@example.org")
    place = f"/{post['slug']}/?unapproved={change.key}&moderation-hash={token}#comment-{change.key}"
    assert (response.status, response.header("Location")) == (302, place)
    assert change.after["status"] == "hold"
    shown = get(site, place).body.decode()
    assert "Your comment is awaiting moderation." in shown
    assert "The bridge &lt;b&gt;stands&lt;/b&gt; &amp; sways.<br>Truly</p>" in shown


def test_only_the_right_token_shows_a_held_comment(site, post):
    place = send(site, post).header("Location")
    other = model.feed(site.state.db).posts[1]
    wrong = place.partition("#")[0][:-1] + "z"
    for path in (f"/{post['slug']}/", wrong, place.replace(post["slug"], other["slug"])):
        response = get(site, path)
        assert response.status == 200
        assert f"comment-{site.changes()[0].key}" not in response.body.decode()
        assert "awaiting moderation" not in response.body.decode()


def test_a_known_commenter_is_published_at_once(site, post):
    known = site.state.db.execute("SELECT * FROM comments WHERE status = 'approved' AND user_id = 0").fetchone()
    before = model.comment_count(site.state.db, post["id"])
    response = send(site, post, author=known["author_name"], email=known["author_email"])
    (change,) = site.changes()
    assert response.header("Location") == f"/{post['slug']}/#comment-{change.key}"
    assert model.comment_count(site.state.db, post["id"]) == before + 1
    page = get(site, f"/{post['slug']}/").document(ORIGIN)
    assert f"comment-{change.key}" in page.ids
    recent = [sid for sid in get(site, "/").document(ORIGIN).sids.values() if sid.startswith("recent-comment.open")]
    assert recent[0] == f"recent-comment.open{{{change.key}}}"


def test_both_versions_write_the_same():
    first, second = (create(version) for version in VERSIONS)
    post = model.feed(first.state.db).posts[0]
    assert send(first, post).headers == send(second, post).headers
    assert first.changes() == second.changes()
    assert first.changes()[0].after["content"] == TEXT


def test_line_breaks_of_browsers_are_stored_as_written(site, post):
    send(site, post, comment="one\r\ntwo \r\n")
    assert site.changes()[0].after["content"] == "one\ntwo"


@pytest.mark.parametrize(
    ("fields", "status", "text"),
    [
        ({"author": ""}, 200, "<strong>Error:</strong> Please fill the required fields."),
        ({"email": " "}, 200, "<strong>Error:</strong> Please fill the required fields."),
        ({"email": "vera@example"}, 200, "<strong>Error:</strong> Please enter a valid email address."),
        ({"email": "v era@example.org"}, 200, "<strong>Error:</strong> Please enter a valid email address."),
        ({"author": "a" * 246}, 200, "<strong>Error:</strong> Your name is too long."),
        ({"comment": "a" * 65_526}, 200, "<strong>Error:</strong> Your comment is too long."),
        ({"comment": "\r\n "}, 200, "<strong>Error:</strong> Please type your comment text."),
        ({"comment": "", "email": "no"}, 200, "<strong>Error:</strong> Please enter a valid email address."),
    ],
)
def test_bad_comments_are_refused(site, post, fields, status, text):
    response = send(site, post, **fields)
    assert response.status == status
    assert text in response.body.decode()
    assert f'href="/{post["slug"]}/">« Back</a>' in response.body.decode()
    assert site.changes() == ()


def test_duplicates_are_refused(site, post):
    send(site, post)
    response = send(site, post)
    assert response.status == 409
    assert "Duplicate comment detected; it looks as though you’ve already said that!" in response.body.decode()
    assert len(site.changes()) == 1


def test_closed_posts_take_no_comments(site, post):
    with site.state.writing(b"close") as db:
        db.execute("UPDATE posts SET comment_status = 'closed' WHERE id = ?", (post["id"],))
    response = send(site, post)
    assert response.status == 403
    assert "Sorry, comments are closed for this item." in response.body.decode()
    page = get(site, f"/{post['slug']}/").body.decode()
    assert "Comments are closed." in page
    assert 'id="respond"' not in page


@pytest.mark.parametrize("number", ["", "99999", "x", "-1", "9" * 30])
def test_unknown_posts_take_no_comments(site, post, number):
    response = send(site, post, comment_post_ID=number)
    assert (response.status, response.body.decode()) == (200, "")
    assert site.changes() == ()


def commented(site):
    comment = site.state.db.execute(
        "SELECT comments.*, slug FROM comments JOIN posts ON posts.id = post_id WHERE comments.status = 'approved' "
        "AND comment_status = 'open' AND comments.parent = 0 AND type = 'post' ORDER BY comments.id"
    ).fetchone()
    return comment, {"id": comment["post_id"], "slug": comment["slug"]}


def test_reply_links_lead_to_a_form_that_answers(site):
    comment, post = commented(site)
    page = get(site, f"/{post['slug']}/").document(ORIGIN)
    (link,) = page.indices_by_sid[f"comment.reply{{{comment['id']}}}"]
    assert page[link].attrs["href"] == f"/{post['slug']}/?replytocom={comment['id']}#respond"
    answering = get(site, page[link].attrs["href"]).document(ORIGIN)
    assert answering[answering.ids["comment_parent"]].attrs["value"] == str(comment["id"])
    assert comment["author_name"] in answering.text(answering.ids["reply-title"])
    cancel = answering[answering.ids["cancel-comment-reply-link"]]
    assert cancel.attrs["href"] == f"/{post['slug']}/#respond"


def test_replies_stand_under_what_they_answer(site):
    comment, post = commented(site)
    send(site, post, comment_parent=comment["id"], author=comment["author_name"], email=comment["author_email"])
    (change,) = site.changes()
    assert change.after["parent"] == comment["id"]
    page = get(site, f"/{post['slug']}/").document(ORIGIN)
    assert page.ids[f"comment-{change.key}"] in page[page.ids[f"comment-{comment['id']}"]]


@pytest.mark.parametrize("parent", ["99999", "x", "", "9" * 30])
def test_replies_to_nothing_answer_the_post(site, post, parent):
    send(site, post, comment_parent=parent)
    assert site.changes()[0].after["parent"] == 0


def test_deep_comments_cannot_be_answered(site, post):
    parent = 0
    with site.state.writing(b"deep") as db:
        for depth in range(6):
            parent = model.add_comment(
                db,
                site.state.now,
                post_id=post["id"],
                content=str(depth),
                name="A",
                email="a@b.cc",
                parent=parent,
                user_id=1,
            )
    page = get(site, f"/{post['slug']}/").document(ORIGIN)
    found = [f"comment.reply{{{parent - 5 + depth}}}" in page.indices_by_sid for depth in range(6)]
    assert found == [True, True, True, True, False, False]


def test_consent_remembers_the_commenter(site, post):
    response = send(
        site, post, author="Vera “V” Nowak", url="https://v.example", **{"wp-comment-cookies-consent": "yes"}
    )
    cookies = [value for name, value in response.headers if name == "Set-Cookie"]
    assert [c.partition("; ")[2] for c in cookies] == ["Max-Age=30000000; Path=/"] * 3
    jar = [tuple(c.partition(";")[0].split("=")) for c in cookies]
    page = get(site, f"/{post['slug']}/", jar).document(ORIGIN)
    values = [page[page.ids[name]].attrs.get("value") for name in ("author", "email", "url")]
    assert values == ["Vera “V” Nowak", "vera@example.org", "https://v.example"]
    assert "checked" in page[page.ids["wp-comment-cookies-consent"]].attrs


def test_without_consent_the_commenter_is_forgotten(site, post):
    cookies = [value for name, value in send(site, post).headers if name == "Set-Cookie"]
    assert sorted(cookies) == [
        f"{name}=; Max-Age=0; Path=/" for name in ("comment_author", "comment_author_email", "comment_author_url")
    ]
    page = get(site, f"/{post['slug']}/").document(ORIGIN)
    assert page[page.ids["author"]].attrs["value"] == ""
    assert "checked" not in page[page.ids["wp-comment-cookies-consent"]].attrs


def test_the_form_is_the_one_of_wordpress(site, post):
    page = get(site, f"/{post['slug']}/").document(ORIGIN)
    form = page[page.ids["commentform"]]
    assert (form.attrs["action"], form.attrs["method"]) == ("/wp-comments-post.php", "post")
    assert "novalidate" not in form.attrs
    assert [name for name in ("comment", "author", "email", "url") if "required" in page[page.ids[name]].attrs] == [
        *("comment", "author", "email")
    ]
    labels = [" ".join(page.text(e.index).split()) for e in page.tagged("label") if e.index in form]
    assert labels[:4] == ["Comment *", "Name *", "Email *", "Website"]
    assert page[page.ids["submit"]].attrs["value"] == "Post Comment"


def test_the_form_is_only_sent_by_post(site):
    response = get(site, "/wp-comments-post.php")
    assert response.status == 405
    assert response.header("Allow") == "POST"
