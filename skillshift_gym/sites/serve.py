"""A site in a person's browser: the one place where an embedded site opens a socket."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from http import HTTPStatus
from http.cookies import SimpleCookie
from threading import Lock
from typing import Any

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
        request = to_request(environ, self._site.origin)
        with self._lock:
            response = self._site.request(request)
        body = b"" if request.method == "HEAD" else response.body
        status = f"{response.status} {HTTPStatus(response.status).phrase}"
        start_response(status, [*response.headers, ("Content-Length", str(len(response.body)))])
        return [body]


def to_request(environ: dict[str, Any], origin: str) -> Request:
    """Returns the site's view of a WSGI request."""
    query = environ.get("QUERY_STRING", "")
    path = environ.get("RAW_URI") or environ.get("REQUEST_URI") or environ.get("PATH_INFO", "/")
    url = origin + (path if "?" in path or not query else f"{path}?{query}")
    cookies = {name: morsel.value for name, morsel in SimpleCookie(environ.get("HTTP_COOKIE", "")).items()}
    headers = tuple((k[5:].replace("_", "-").lower(), v) for k, v in environ.items() if k.startswith("HTTP_"))
    body = environ["wsgi.input"].read(int(environ.get("CONTENT_LENGTH") or 0))
    return Request(
        environ["REQUEST_METHOD"], url, body, environ.get("CONTENT_TYPE", ""), cookies, tuple(sorted(headers))
    )


def serve(name: str, version: str, host: str, port: int) -> None:
    """Serves a site until interrupted; its state starts from the seed and is lost at the end."""
    print(f"{name} {version}: the state is in memory and starts from the seed; Ctrl-C ends it")
    run_simple(host, port, Application(create(name, version)), threaded=True)
