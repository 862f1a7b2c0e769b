"""A site over a real socket on the loopback interface, asked by a real client."""

import io
import re
import socket
from threading import Thread

import pytest
import requests
from werkzeug.serving import make_server

from skillshift_gym.sites.registry import create
from skillshift_gym.sites.serve import Application, serve, to_request
from skillshift_gym.sites.wordpress import seed

POST = "/the-chestnut-mile-and-its-sixty-owners/"


@pytest.fixture(params=["v1", "v2"])
def base(request):
    """Serves a fresh blog in a thread and returns its address."""
    server = make_server("127.0.0.1", 0, Application(create("wordpress", request.param)), threaded=True)
    thread = Thread(target=server.serve_forever, args=(0.01,), daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def client():
    with requests.Session() as session:
        session.trust_env = False
        yield session


def test_pages_are_served_without_semantic_ids_or_foreign_links(base, client):
    page = client.get(base + "/")
    assert page.status_code == 200 and page.headers["Content-Type"].lower() == "text/html; charset=utf-8"
    assert "data-sid" not in page.text
    assert re.findall(r'(?:href|src|action)="https?://', page.text) == []
    assert int(page.headers["Content-Length"]) == len(page.content)
    for path in re.findall(r'(?:href|src)="(/[^"]*\.(?:css|png|svg|jpg)[^"]*)"', page.text)[:6]:
        assert client.get(base + path.replace("&amp;", "&")).status_code == 200


def test_what_does_not_exist(base, client):
    page = client.get(base + "/no-such-page/")
    assert page.status_code == 404 and "data-sid" not in page.text
    assert client.put(base + "/").status_code == 405


def test_redirects_stay_at_this_address(base, client):
    moved = client.get(base + "/category/harbour", allow_redirects=False)
    assert (moved.status_code, moved.headers["Location"]) == (301, "/category/harbour/")
    assert client.get(base + "/category/harbour").url == base + "/category/harbour/"


def test_search_with_any_characters(base, client):
    for words in ("harbour lights", "café & “bread” 100%", "a+b=c?d#e"):
        page = client.get(base + "/", params={"s": words})
        assert page.status_code == 200


def test_head_has_the_headers_and_no_body(base, client):
    head, page = client.head(base + "/"), client.get(base + "/")
    assert head.status_code == 200 and head.content == b""
    assert head.headers["Content-Length"] == page.headers["Content-Length"] == str(len(page.content))
    assert client.head(base + "/no-such-page/").status_code == 404


REST = "/wp-json/wp/v2"
ADMIN = (seed.LOGIN, seed.APPLICATION_PASSWORD)


def form_of(page):
    """Returns the hidden fields of the comment form."""
    form = re.search(r'<form[^>]*id="commentform".*?</form>', page, re.DOTALL)[0]
    hidden = re.findall(r'<input(?=[^>]*type="hidden")[^>]*>', form)
    return {re.search(r'name="([^"]*)"', h)[1]: re.search(r'value="([^"]*)"', h)[1] for h in hidden}


def test_a_comment_is_kept_for_everyone_who_asks(base, client):
    before = client.get(base + POST)
    text = "Ünïcode “quotes” & <b>markup</b>"
    fields = {"comment": "Where is this? " + text, "author": "Nora Quist", "email": "nora@example.org", "url": ""}
    answer = client.post(base + "/wp-comments-post.php", data={**form_of(before.text), **fields}, allow_redirects=False)
    assert answer.status_code == 302 and answer.headers["Location"].startswith(POST)
    assert client.get(base + answer.headers["Location"]).status_code == 200
    assert "Where is this?" in client.get(base + answer.headers["Location"]).text
    query = {"search": "Where is this", "status": "hold"}
    (row,) = requests.get(f"{base}{REST}/comments", params=query, auth=ADMIN, timeout=10).json()
    assert (row["author_name"], row["post"] > 0, row["status"]) == ("Nora Quist", True, "hold")


def test_rest_with_basic_authentication(base, client):
    draft = {"title": "Ünïcode & <b>bold</b>", "content": "Text", "status": "publish"}
    assert client.post(f"{base}{REST}/posts", json=draft).status_code == 401
    assert client.post(f"{base}{REST}/posts", json=draft, auth=(seed.LOGIN, "wrong")).status_code == 401
    made = client.post(f"{base}{REST}/posts", json=draft, auth=ADMIN)
    assert made.status_code == 201 and made.json()["title"]["raw"] == draft["title"]
    assert client.get(f"{base}{REST}/posts/{made.json()['id']}").status_code == 200
    assert client.get(f"{base}/{made.json()['slug']}/").status_code == 200
    assert client.get(f"{base}{REST}/users/me", auth=ADMIN).json()["id"] > 0
    gone = client.delete(f"{base}{REST}/posts/{made.json()['id']}", params={"force": "true"}, auth=ADMIN)
    assert gone.status_code == 200 and client.get(f"{base}/{made.json()['slug']}/").status_code == 404


def test_an_incomplete_comment_is_refused(base, client):
    fields = form_of(client.get(base + POST).text)
    answer = client.post(
        base + "/wp-comments-post.php", data={**fields, "comment": "", "author": "N", "email": "n@x.org"}
    )
    assert answer.status_code in (200, 400, 409) and "error" in answer.text.lower()


def test_cookies_come_back_and_broken_ones_do_no_harm(base, client):
    fields = {
        "comment": "Remember me.",
        "author": "Nora Quist",
        "email": "nora@example.org",
        "wp-comment-cookies-consent": "yes",
    }
    page = client.get(base + POST)
    client.post(base + "/wp-comments-post.php", data={**form_of(page.text), **fields})
    assert any(name.startswith("comment_author") for name in client.cookies.get_dict())
    assert 'value="Nora Quist"' in client.get(base + POST).text
    assert 'value="Nora Quist"' not in requests.get(base + POST, timeout=10).text
    cookies = "; ".join(f"{k}={v}" for k, v in client.cookies.get_dict().items())
    bare = requests.get(base + POST, headers={"Cookie": f"a[b]=1; =; {cookies}; é"}, timeout=10)
    assert 'value="Nora Quist"' in bare.text


def test_an_endless_or_odd_request_target(base):
    host, port = base.removeprefix("http://").split(":")
    for target in (f"{base}/about/", "/about/?", "//about/", "/%2e%2e/", "/?s=%FF%FE", "/?" + "a=1&" * 2_000):
        with socket.create_connection((host, int(port)), timeout=10) as connection:
            connection.sendall(f"GET {target} HTTP/1.0\r\nHost: x\r\n\r\n".encode())
            answer = b""
            while part := connection.recv(65536):
                answer += part
        assert answer.split(b" ", 2)[1] in (b"200", b"301", b"308", b"404"), target


@pytest.mark.parametrize(
    ("environ", "url"),
    [
        ({"RAW_URI": "/tag/caf%C3%A9/?a=1"}, "https://blog.example/tag/caf%C3%A9/?a=1"),
        ({"REQUEST_URI": "/x"}, "https://blog.example/x"),
        ({"RAW_URI": "http://127.0.0.1:80/x?y=1"}, "https://blog.example/x?y=1"),
        ({"PATH_INFO": "/tag/caf\xc3\xa9/", "QUERY_STRING": "a=%20"}, "https://blog.example/tag/caf%C3%A9/?a=%20"),
        ({}, "https://blog.example/"),
    ],
)
def test_the_sites_view_of_an_address(environ, url):
    request = to_request(
        {"REQUEST_METHOD": "GET", "wsgi.input": io.BytesIO(b"left"), "HTTP_X_FORWARDED_FOR": "me", **environ},
        "https://blog.example",
    )
    assert (request.url, request.body, request.headers) == (url, b"", (("x-forwarded-for", "me"),))


def test_serving_says_that_nothing_is_kept(monkeypatch, capsys):
    served = []
    monkeypatch.setattr("skillshift_gym.sites.serve.run_simple", lambda *a, **kw: served.append((a, kw)))
    serve("wordpress", "v2", "127.0.0.1", 0)
    (((host, port, application), options),) = served
    assert (host, port, options["threaded"]) == ("127.0.0.1", 0, True) and isinstance(application, Application)
    assert "starts from the seed" in capsys.readouterr().out
