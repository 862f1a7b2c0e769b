"""The tree that the page pipeline parses is the tree that the HTML standard prescribes."""

from urllib.parse import urlencode

import pytest

from skillshift_gym.sites.protocol import Request
from skillshift_gym.sites.wordpress import model
from skillshift_gym.sites.wordpress.site import create

ORIGIN = "https://wordpress.example"
EVERY = 6  # posts between two sampled ones


def paths(db):
    posts = model.feed(db, per_page=1000).posts
    comment = db.execute("SELECT * FROM comments WHERE status = 'approved' AND parent = 0 ORDER BY id").fetchone()
    replied = model.post_by_id(db, comment["post_id"])["slug"]
    category = next(t for t in model.terms(db, "category") if not t["parent"])["slug"]
    tag = model.terms(db, "post_tag")[0]["slug"]
    month = model.months(db)[0]["month"].replace("-", "/")
    return [
        *("/", "/page/2/", "/page/5/", "/?s=the", "/?s=a+%26+%22b%22+%3Cc", "/nowhere/", "/wp-login.php"),
        *(f"/category/{category}/", f"/tag/{tag}/", f"/{month}/", f"/{month[:4]}/", f"/author/{_author(db)}/"),
        f"/{replied}/?replytocom={comment['id']}",
        *(f"/{page['slug']}/" for page in model.pages(db)),
        *(f"/{post['slug']}/" for post in posts[::EVERY]),
    ]


def _author(db):
    return model.user_by_id(db, model.feed(db).posts[0]["author_id"])["slug"]


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_wordpress_pages(version, assert_stable):
    site = create(version)
    for path in paths(site.state.db):
        assert_stable(site.request(Request("GET", ORIGIN + path)).marked.decode())


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_wordpress_comments(version, assert_stable):
    site = create(version)
    post = model.feed(site.state.db).posts[0]
    text = "</p><li>one & two\n\n<three"
    for email in ("", "v@example.org"):
        fields = {"comment": text, "author": '"V" <v>', "email": email, "comment_post_ID": post["id"]}
        url, body = f"{ORIGIN}/wp-comments-post.php", urlencode(fields).encode()
        response = site.request(Request("POST", url, body, "application/x-www-form-urlencoded"))
        if response.status == 200:
            assert_stable(response.marked.decode())
    assert_stable(site.request(Request("GET", ORIGIN + response.header("Location"))).marked.decode())
