"""A chat service for tests: a real HTTP server on 127.0.0.1 that speaks two APIs and does what a script says."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, NamedTuple

import pytest


@dataclass(frozen=True)
class Answer:
    """What the server does with a request; `body` takes the place of a well-formed one, `drop` ends it in the middle."""

    text: str = '{"choice": "1"}'
    status: int = 200
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes | None = None
    finish: str = "stop"
    slow: bool = False
    drop: bool = False
    usage: tuple[int, int, int] = (40, 7, 30)  # read, written, of those read from the cache


class Sent(NamedTuple):
    path: str
    headers: dict[str, str]
    body: dict[str, Any]


class ChatServer:
    """Answers as the script says: a list, whose last answer stays, or a function from the body of a request."""

    def __init__(self) -> None:
        self.script: Sequence[Answer] | Callable[[dict[str, Any]], Answer] = [Answer()]
        self.sent: list[Sent] = []
        self.released = threading.Event()
        self._server: ThreadingHTTPServer | None = None
        self.port = 0

    def start(self) -> None:
        """Starts, on the same port as before."""
        self.released.clear()
        self._server = _Listener(("127.0.0.1", self.port), _handler(self))
        self.port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def stop(self) -> None:
        """Stops; connections are refused from here on."""
        self.released.set()
        if self._server is not None:
            self._server.shutdown()
            self._server.server_close()
            self._server = None

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def base_url(self) -> str:
        return f"{self.address}/v1"

    def answer(self, sent: Sent) -> Answer:
        self.sent.append(sent)
        if callable(self.script):
            return self.script(sent.body)
        return self.script[min(len(self.sent), len(self.script)) - 1]


class _Listener(ThreadingHTTPServer):
    daemon_threads = True
    block_on_close = False


def _handler(server: ChatServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            answer = server.answer(Sent(self.path, {k.lower(): v for k, v in self.headers.items()}, body))
            if answer.slow:
                server.released.wait(20)
            kind = "text/event-stream" if body.get("stream") and answer.status == 200 else "application/json"
            data = answer.body if answer.body is not None else _payload(self.path, body, answer)
            head = {"Content-Type": kind, "Content-Length": str(len(data)), "Connection": "close", **answer.headers}
            lines = [f"HTTP/1.1 {answer.status} Answer", *(f"{k}: {v}" for k, v in head.items()), "", ""]
            self.close_connection = True
            self.wfile.write("\r\n".join(lines).encode() + (data[: len(data) // 2] if answer.drop else data))

        def handle(self) -> None:
            try:
                super().handle()
            except ConnectionError:  # a client that no longer waits
                self.close_connection = True

        def log_message(self, format: str, *args: Any) -> None: ...

    return Handler


def _payload(path: str, body: dict[str, Any], answer: Answer) -> bytes:
    if answer.status != 200:
        return json.dumps({"type": "error", "error": {"type": "an_error", "message": answer.text}}).encode()
    if path == "/v1/chat/completions":
        return _openai_stream(answer) if body.get("stream") else json.dumps(_openai(answer)).encode()
    assert path == "/v1/messages", path
    return _anthropic_stream(answer) if body.get("stream") else json.dumps(_anthropic(answer)).encode()


def _openai_usage(answer: Answer) -> dict[str, Any]:
    read, written, cached = answer.usage
    details = {"cached_tokens": cached}
    return {"prompt_tokens": read, "completion_tokens": written, "total_tokens": read + written,
            "prompt_tokens_details": details}  # fmt: skip


def _openai(answer: Answer) -> dict[str, Any]:
    message = {"role": "assistant", "content": answer.text}
    choice = {"index": 0, "message": message, "finish_reason": answer.finish}
    return {"id": "c1", "object": "chat.completion", "created": 0, "model": "m", "choices": [choice],
            "usage": _openai_usage(answer)}  # fmt: skip


def _openai_stream(answer: Answer) -> bytes:
    common = {"id": "c1", "object": "chat.completion.chunk", "created": 0, "model": "m"}
    middle = len(answer.text) // 2
    deltas = [
        {"role": "assistant", "content": ""},
        *({"content": t} for t in (answer.text[:middle], answer.text[middle:])),
    ]
    chunks = [{**common, "choices": [{"index": 0, "delta": d, "finish_reason": None}]} for d in deltas]
    chunks.append({**common, "choices": [{"index": 0, "delta": {}, "finish_reason": answer.finish}]})
    chunks.append({**common, "choices": [], "usage": _openai_usage(answer)})
    return b"".join(b"data: " + json.dumps(c).encode() + b"\n\n" for c in chunks) + b"data: [DONE]\n\n"


_STOPS = {"stop": "end_turn", "length": "max_tokens"}


def _anthropic(answer: Answer) -> dict[str, Any]:
    read, written, cached = answer.usage
    usage = {"input_tokens": read - cached, "output_tokens": written, "cache_read_input_tokens": cached}
    return {"id": "m1", "type": "message", "role": "assistant", "model": "m", "usage": usage, "stop_sequence": None,
            "content": [{"type": "text", "text": answer.text}], "stop_reason": _STOPS[answer.finish]}  # fmt: skip


def _anthropic_stream(answer: Answer) -> bytes:
    whole = _anthropic(answer)
    start = {**whole, "content": [], "stop_reason": None, "usage": {**whole["usage"], "output_tokens": 0}}
    middle = len(answer.text) // 2
    pieces = [answer.text[:middle], answer.text[middle:]]
    events = [
        {"type": "message_start", "message": start},
        {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}},
        *({"type": "content_block_delta", "index": 0, "delta": {"type": "text_delta", "text": t}} for t in pieces),
        {"type": "content_block_stop", "index": 0},
        {"type": "message_delta", "delta": {"stop_reason": whole["stop_reason"], "stop_sequence": None},
         "usage": {"output_tokens": answer.usage[1]}},
        {"type": "message_stop"},
    ]  # fmt: skip
    return b"".join(f"event: {e['type']}\ndata: {json.dumps(e)}\n\n".encode() for e in events)


@pytest.fixture
def service(monkeypatch: pytest.MonkeyPatch) -> Iterator[ChatServer]:
    """A chat service that is up; the machine's own keys and addresses are out of sight."""
    for name in (
        "OPENAI_API_KEY",
        "ANTHROPIC_API_KEY",
        "ANTHROPIC_AUTH_TOKEN",
        "OPENAI_BASE_URL",
        "ANTHROPIC_BASE_URL",
    ):
        monkeypatch.delenv(name, raising=False)
    server = ChatServer()
    server.start()
    yield server
    server.stop()


@pytest.fixture
def answer() -> type[Answer]:
    """What the service does with a request."""
    return Answer
