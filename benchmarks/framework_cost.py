"""What a web framework costs for each request, called in process: `python benchmarks/framework_cost.py`.

Each answers the same route with the same small page. Flask and Starlette are measured when they are installed
(`pip install flask starlette`); the package itself needs neither. See docs/decisions/0002-web-framework.md.
"""

from __future__ import annotations

import io
import statistics
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from typing import Any

from werkzeug.routing import Map, Rule
from werkzeug.wrappers import Request as WerkzeugRequest
from werkzeug.wrappers import Response as WerkzeugResponse

PAGE = "<!DOCTYPE html><title>Post</title><h1>Post</h1>"
PATH = "/category/food/bakeries/"
ROUTES = ("/", "/page/<int:n>/", "/tag/<slug>/", "/category/<path:slug>/", "/<slug>/")
TIMES = 2_000


def main() -> None:
    """Prints a row for each way to call a framework."""
    print("| framework | ms a request |\n|---|---|")
    for name, call in _calls():
        call()
        print(f"| {name} | {_median(call):.4f} |")


def _calls() -> Iterator[tuple[str, Callable[[], Any]]]:
    yield "Werkzeug's routing, called directly (what the sites do)", _routing()
    yield "Werkzeug WSGI application", _werkzeug()
    if find_spec("flask"):
        yield from _flask()
    if find_spec("starlette"):
        yield "Starlette, raw ASGI call", _starlette()


def _routing() -> Callable[[], Any]:
    adapter = Map([Rule(r, endpoint=r) for r in ROUTES]).bind("site.example")
    return lambda: (adapter.match(PATH, "GET"), PAGE)


def _environ() -> dict[str, Any]:
    return {
        "REQUEST_METHOD": "GET", "PATH_INFO": PATH, "QUERY_STRING": "", "SERVER_NAME": "site.example",
        "SERVER_PORT": "443", "wsgi.url_scheme": "https", "wsgi.input": io.BytesIO(), "HTTP_HOST": "site.example",
    }  # fmt: skip


def _start(status: str, headers: list[tuple[str, str]], error: Any = None) -> Callable[[bytes], object]:
    return lambda data: None


def _werkzeug() -> Callable[[], Any]:
    routes = Map([Rule(r, endpoint=r) for r in ROUTES])

    def call() -> bytes:
        request = WerkzeugRequest(_environ())
        routes.bind_to_environ(request.environ).match()
        response = WerkzeugResponse(PAGE, mimetype="text/html")
        return b"".join(response(request.environ, _start))

    return call


def _flask() -> Iterator[tuple[str, Callable[[], Any]]]:
    from flask import Flask

    app = Flask("site")
    for number, route in enumerate(ROUTES):
        app.add_url_rule(route, str(number), lambda **values: PAGE)
    client = app.test_client()
    yield "Flask, test client", lambda: client.get(PATH).data
    yield "Flask, WSGI call", lambda: b"".join(app(_environ(), _start))


def _starlette() -> Callable[[], Any]:
    from starlette.applications import Starlette
    from starlette.responses import HTMLResponse
    from starlette.routing import Route

    async def show(request: Any) -> Any:
        return HTMLResponse(PAGE)

    paths = ("/", "/page/{n:int}/", "/tag/{slug}/", "/category/{slug:path}/", "/{slug}/")
    app = Starlette(routes=[Route(p, show) for p in paths])

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Any) -> None:
        pass

    def call() -> None:
        scope = {
            "type": "http", "method": "GET", "path": PATH, "raw_path": PATH.encode(), "query_string": b"",
            "headers": [(b"host", b"site.example")], "http_version": "1.1", "scheme": "https", "root_path": "",
        }  # fmt: skip
        coroutine = app(scope, receive, send)
        try:
            coroutine.send(None)
        except StopIteration:
            return
        raise RuntimeError("the application waited for something")

    return call


def _median(call: Callable[[], Any]) -> float:
    taken = []
    for _ in range(TIMES):
        started = time.perf_counter()
        call()
        taken.append(time.perf_counter() - started)
    return 1_000 * statistics.median(taken)


if __name__ == "__main__":
    main()
