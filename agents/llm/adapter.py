"""What the adapters of hosted and local services share: the key, the client, retries, prices."""

from __future__ import annotations

import os
from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, ClassVar, NamedTuple
from urllib.parse import urlsplit

from skillshift_gym.agents.llm.model import MAX_TOKENS, Completion, Message, Schema, Usage
from skillshift_gym.agents.llm.pricing import cost_of
from skillshift_gym.agents.llm.schemas import data_of
from skillshift_gym.agents.llm.services import TIMEOUT, BrokenResponse, Retries, call
from skillshift_gym.errors import UsageError

_NO_KEY = "none"  # the clients refuse an empty key; a server that asks for none ignores this one


class Reply(NamedTuple):
    """What a service replied: text, why it ended (`stop`, `length`, ...), tokens, and its own response."""

    text: str
    finish: str
    usage: Usage
    raw: Mapping[str, Any]


class Adapter(ABC):
    """A model behind a service; subclasses say what is sent and how the response is read.

    Args:
        model: The model's name.
        base_url: Address of another server than the provider's own.
        key_env: Environment variable that holds the key; by default the provider's, and none with `base_url`.
        stream: Whether the reply is sent piece by piece; it is the same reply.
        structured: `schema` has the service enforce the schema of a reply; `text` leaves it to the prompt, for servers
            that refuse schemas.
        timeout: Seconds a request may take.
        retries: How often a request is sent.

    Raises:
        UsageError: The package or the key is missing, or an argument is wrong.
    """

    extra: ClassVar[str]
    key_variable: ClassVar[str]
    default_temperature: ClassVar[float | None] = 0.0

    def __init__(
        self,
        model: str,
        base_url: str = "",
        *,
        key_env: str = "",
        stream: bool = False,
        structured: str = "schema",
        timeout: float = TIMEOUT,
        retries: Retries | None = None,
    ) -> None:
        if not model:
            raise UsageError(f"{type(self).__name__}: expected the name of a model, got an empty text")
        if structured not in ("schema", "text"):
            raise UsageError(f"structured: expected 'schema' or 'text', got {structured!r}")
        self.name = model
        self.base_url = checked_url(base_url)
        self.stream = stream
        self.enforced = structured == "schema"
        self._retries = retries or Retries()
        self._key = self._found_key(key_env)
        self.client = self._connect(timeout)

    def complete(
        self,
        messages: Sequence[Message],
        schema: Schema | None = None,
        max_tokens: int = MAX_TOKENS,
        temperature: float | None = 0.0,
        seed: int | None = None,
    ) -> Completion:
        """Returns the reply to a conversation; see `ChatModel.complete`."""
        body = self._body(messages, schema, max_tokens, temperature, seed)
        where = f"{self.name} at {self.base_url or self.extra}"
        secret = "" if self._key == _NO_KEY else self._key
        text, finish, usage, raw = call(lambda: self._read(body), self._retries, where, secret)
        cost = cost_of("" if self.base_url else self.extra, self.name, usage)
        return Completion(text, data_of(text, finish, schema), usage, cost, finish, raw=raw)

    @abstractmethod
    def _body(
        self,
        messages: Sequence[Message],
        schema: Schema | None,
        max_tokens: int,
        temperature: float | None,
        seed: int | None,
    ) -> dict[str, Any]:
        """Returns the arguments of a request."""

    @abstractmethod
    def _send(self, body: Mapping[str, Any]) -> Reply:
        """Sends a request and returns the reply."""

    def _read(self, body: Mapping[str, Any]) -> Reply:
        """Sends a request; a response without the fields that its API promises is a broken one."""
        try:
            return self._send(body)
        except (AttributeError, TypeError) as error:
            raise BrokenResponse(str(error)) from error

    def _found_key(self, key_env: str) -> str:
        variable = key_env or ("" if self.base_url else self.key_variable)
        if not variable:
            return _NO_KEY
        key = os.environ.get(variable, "")
        if not key:
            raise UsageError(f"{self.name}: the environment variable {variable} holds no key; set it, and nothing else")
        return key

    def _connect(self, timeout: float) -> Any:
        """Returns the client of the provider's package; we retry, so it does not."""
        try:
            module = import_module(self.extra)
        except ImportError:
            raise UsageError(
                f"{type(self).__name__} needs the package {self.extra!r}: pip install 'skillshift-gym[{self.extra}]'"
            ) from None
        client = getattr(module, {"openai": "OpenAI", "anthropic": "Anthropic"}[self.extra])
        return client(api_key=self._key, base_url=self.base_url or None, timeout=timeout, max_retries=0)


def checked_url(url: str) -> str:
    """Returns an address of a service, without a slash at its end.

    Raises:
        UsageError: It is none, or holds a password.
    """
    if not url:
        return ""
    parts = urlsplit(url)
    if parts.scheme not in ("http", "https") or not parts.hostname:
        raise UsageError(f"base_url: expected an address such as http://127.0.0.1:8080/v1, got {url!r}")
    if parts.username is not None or parts.query:
        raise UsageError("base_url: expected an address without user, password and query; keys come from key_env")
    return url.rstrip("/")
