"""The tree that the page pipeline parses is the tree that the HTML standard prescribes."""

from urllib.parse import urlencode

import html5lib
import pytest
from lxml import etree

from skillshift_gym.sites.protocol import Request
from skillshift_gym.sites.wordpress import model
from skillshift_gym.sites.wordpress.site import create

ORIGIN = "https://wordpress.example"
EVERY = 6  # posts between two sampled ones


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


def assert_stable(html):
    ours = etree.HTML(html, etree.HTMLParser(remove_comments=True, remove_pis=True, huge_tree=True))
    theirs = html5lib.parse(html, treebuilder="lxml", namespaceHTMLElements=False).getroot()
    assert first_difference(shape(ours), shape(theirs)) is None


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
def test_wordpress_pages(version):
    site = create(version)
    for path in paths(site.state.db):
        assert_stable(site.request(Request("GET", ORIGIN + path)).marked.decode())


@pytest.mark.parametrize("version", ["v1", "v2"])
def test_wordpress_comments(version):
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
