"""A site in a person's browser: the one place where an embedded site opens a socket."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from http import HTTPStatus
from threading import Lock
from typing import Any
from urllib.parse import quote, urlsplit

from werkzeug.http import parse_cookie
from werkzeug.serving import run_simple

from .protocol import Request, Site
from .registry import create

StartResponse = Callable[..., Any]


class Application:
    """The WSGI application of a site; requests are answered one at a time.

    Args:
        site: The site; its state lives as long as the application.
    """

    def __init__(self, site: Site) -> None:
        self._site = site
        self._lock = Lock()

    def __call__(self, environ: dict[str, Any], start_response: StartResponse) -> Iterable[bytes]:
        """Answers one request."""
        request = to_request(environ, self._site.origin)
        with self._lock:
            response = self._site.request(request)
        body = b"" if request.method == "HEAD" else response.body
        status = f"{response.status} {HTTPStatus(response.status).phrase}"
        start_response(status, [*response.headers, ("Content-Length", str(len(response.body)))])
        return [body]


def to_request(environ: dict[str, Any], origin: str) -> Request:
    """Returns the site's view of a WSGI request."""
    raw = environ.get("RAW_URI") or environ.get("REQUEST_URI")
    if raw:  # as the client wrote it; a proxy's form names the host too
        parts = urlsplit(raw if raw.startswith(("http://", "https://")) else f"http://host/{raw.lstrip('/')}")
        path, query = parts.path or "/", parts.query
    else:  # WSGI decodes the path byte by byte
        path, query = quote(environ.get("PATH_INFO", "/").encode("latin-1")), environ.get("QUERY_STRING", "")
    url = origin + path + (f"?{query}" if query else "")
    sent = environ.get("HTTP_COOKIE", "").encode("latin-1").decode("utf-8", "replace")
    cookies = dict(parse_cookie(sent.encode().decode("latin-1")))  # Werkzeug wants WSGI's form, and valid UTF-8 in it
    headers = tuple((k[5:].replace("_", "-").lower(), v) for k, v in environ.items() if k.startswith("HTTP_"))
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    return Request(
        environ["REQUEST_METHOD"], url, body, environ.get("CONTENT_TYPE", ""), cookies, tuple(sorted(headers))
    )


def serve(name: str, version: str, host: str, port: int) -> None:
    """Serves a site until interrupted; its state starts from the seed and is lost at the end."""
    print(f"{name} {version}: the state is in memory and starts from the seed; Ctrl-C ends it")
    run_simple(host, port, Application(create(name, version)), threaded=True)
