"""Public test kit: a site made of a few pages, a scripted backbone, a scripted chat model, and a check of environments."""

from __future__ import annotations

import json
import pickle
import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from urllib.parse import urlsplit

import gymnasium
import numpy as np
from gymnasium.utils.env_checker import check_env as gymnasium_check_env
from numpy.typing import NDArray

from .agents.llm.model import MAX_TOKENS, Completion, Cost, Message, Schema, Usage, request_of
from .agents.llm.schemas import data_of
from .candidates import Candidate
from .context import Context
from .fuzzing import fuzz
from .sites.protocol import Change, Request, Response
from .snapshot import restore, snapshot

__all__ = ["FakeSite", "ScriptedBackbone", "ScriptedModel", "check_env", "fuzz", "html_response", "redirect"]

Handler = Callable[[Request], "Response | str"]
Reply = str | Mapping[str, Any]


class FakeSite:
    """A site whose pages are a table; it records every request.

    Args:
        pages: Path -> HTML, or a function from the request to HTML or a response. Other paths answer 404.
        origin: Scheme and host.
    """

    name = "fake"
    version = "v1"

    def __init__(self, pages: Mapping[str, str | Handler], origin: str = "https://fake.test") -> None:
        self.pages = dict(pages)
        self.origin = origin
        self.requests: list[Request] = []
        self._responses: dict[tuple[str, str], Response] = {}

    @property
    def revision(self) -> str:
        """Number of writing requests so far."""
        return str(sum(request.method != "GET" for request in self.requests))

    def request(self, request: Request) -> Response:
        """Answers one request and records it."""
        self.requests.append(request)
        path = urlsplit(request.url).path
        page = self.pages.get(path)
        if page is None:
            return html_response("<title>Not found</title><h1>Not found</h1>", status=404)
        answer = page(request) if callable(page) else page
        if isinstance(answer, Response):
            return answer
        key = (path, answer)
        if key not in self._responses:
            self._responses[key] = html_response(answer)
        return self._responses[key]

    def reset(self) -> None:
        """Forgets the recorded requests."""
        self.requests.clear()

    def changes(self) -> tuple[Change, ...]:
        """Returns no changes: there is no database."""
        return ()

    def save(self) -> object:
        """Returns the requests so far."""
        return tuple(self.requests)

    def restore(self, saved: object) -> None:
        """Returns to a saved list of requests."""
        assert isinstance(saved, tuple)
        self.requests = list(saved)


def html_response(html: str, *, status: int = 200, headers: tuple[tuple[str, str], ...] = ()) -> Response:
    """Returns an HTML response."""
    return Response(status, (("Content-Type", "text/html; charset=utf-8"), *headers), html)


def redirect(location: str, status: int = 302, headers: tuple[tuple[str, str], ...] = ()) -> Response:
    """Returns a redirect."""
    return html_response("", status=status, headers=(("Location", location), *headers))


class ScriptedBackbone:
    """A backbone that wants the actions of a script, one a page; a page without the next one gets flat scores.

    Args:
        script: Actions as strings, in order.
    """

    name = "scripted"

    def __init__(self, script: Sequence[str]) -> None:
        self._left = list(script)

    def score(self, candidates: list[Candidate], context: Context) -> NDArray[np.float32]:
        """Returns 1 for the next action of the script and 0 for all others, shape (candidates,)."""
        wanted = self._left.pop(0) if self._left else ""
        return np.array([float(c.action == wanted) for c in candidates], dtype=np.float32)


class ScriptedModel:
    """A chat model that replies from a script; it records every request, in the form of `request_of`.

    Args:
        replies: Replies in order, or a function from a request to one: a text, or values that become JSON. A script
            that has run out is an `AssertionError`.
        name: The model's name.
    """

    def __init__(self, replies: Sequence[Reply] | Callable[[Mapping[str, Any]], Reply], name: str = "scripted") -> None:
        self.name = name
        self.requests: list[dict[str, Any]] = []
        self._replies = replies

    def complete(
        self,
        messages: Sequence[Message],
        schema: Schema | None = None,
        max_tokens: int = MAX_TOKENS,
        temperature: float | None = 0.0,
        seed: int | None = None,
    ) -> Completion:
        """Returns the next reply; a word is a token, and costs nothing."""
        request = request_of(self.name, messages, schema, max_tokens, temperature, seed)
        self.requests.append(request)
        reply = self._reply(request)
        text = reply if isinstance(reply, str) else json.dumps(reply)
        read = sum(len(message["content"].split()) for message in messages)
        return Completion(text, data_of(text, "stop", schema), Usage(read, len(text.split())), Cost(0.0, ""))

    def _reply(self, request: Mapping[str, Any]) -> Reply:
        if callable(self._replies):
            return self._replies(request)
        number = len(self.requests)
        assert number <= len(self._replies), f"the script has {len(self._replies)} replies, this is request {number}"
        return self._replies[number - 1]


def check_env(id: str, **kwargs: Any) -> None:
    """Checks that an environment keeps the contract; raises an AssertionError that says what does not hold.

    Gymnasium's own checker passes on the stack and on the bare environment; equal seeds and actions give equal
    episodes; a stack is rebuilt from its spec, also through JSON and pickle; a snapshot branches.

    Args:
        id: Environment id.
        **kwargs: Arguments of `gymnasium.make`.
    """
    env = gymnasium.make(id, disable_env_checker=True, **kwargs)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message=".*is different from the unwrapped version.*")
        gymnasium_check_env(env, skip_render_check=True)
    gymnasium_check_env(env.unwrapped, skip_render_check=True)
    expected = _episode(env)
    spec = env.spec
    assert spec is not None, "the environment has no spec"
    specs = (spec, type(spec).from_json(spec.to_json()), pickle.loads(pickle.dumps(spec)))
    for name, copy in zip(("spec", "spec through JSON", "spec through pickle"), specs, strict=True):
        again = gymnasium.make(copy)
        assert _episode(again) == expected, f"an environment rebuilt from its {name} behaves otherwise"
        again.close()
    env.reset(seed=1)
    saved = snapshot(env)
    first = [_comparable(env.step("noop()"))]
    restore(env, saved)
    assert [_comparable(env.step("noop()"))] == first, "a restored environment behaves otherwise"
    env.close()


def _episode(env: gymnasium.Env[Any, Any]) -> list[Any]:
    results: list[Any] = [_comparable(env.reset(seed=0))]
    for action in ("noop()", "scroll(0, 100)", "nonsense"):
        results.append(_comparable(env.step(action)))
    return results


def _comparable(value: Any) -> Any:
    """Returns a result in a form that compares by value."""
    if isinstance(value, Mapping):
        return {key: _comparable(item) for key, item in value.items()}
    if isinstance(value, tuple | list):
        return [_comparable(item) for item in value]
    return value.tolist() if isinstance(value, np.ndarray) else value
