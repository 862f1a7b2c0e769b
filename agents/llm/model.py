"""The interface of a chat model, and what a call came to."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, NamedTuple, Protocol

from skillshift_gym.errors import SkillShiftError

MAX_TOKENS = 256
Message = Mapping[str, str]  # `role` (system, user or assistant) and `content`
Schema = Mapping[str, Any]  # a JSON schema, of the part that `schemas` knows


class ReplyError(SkillShiftError):
    """The model's reply is not what was asked for: a failure of the agent, not of the machinery."""


class Usage(NamedTuple):
    """Tokens of a call; None where the service does not say.

    Attributes:
        prompt: Tokens read, those from the service's prompt cache included.
        completion: Tokens written.
        cached: Tokens read from the service's prompt cache.
    """

    prompt: int | None = None
    completion: int | None = None
    cached: int = 0


class Cost(NamedTuple):
    """What a call costs.

    Attributes:
        usd: US dollars, None when that is not known.
        reason: Why it is not known, else empty.
    """

    usd: float | None = None
    reason: str = "no price was asked for"


_NO_USAGE, _NO_COST = Usage(), Cost()


@dataclass(frozen=True)
class Completion:
    """A model's reply.

    Attributes:
        text: What it wrote.
        data: The same as JSON of the schema that was asked for; None without one, and for a reply that is none.
        usage: Tokens.
        cost: What it costs, or did when it was recorded.
        finish: `stop` for a whole reply, `length` for one that was cut short, else the service's own word.
        recorded: Whether it comes from a file and not from the service.
        raw: The service's own response, for what is not in the other fields; empty when it comes from a file.
    """

    text: str
    data: Any = None
    usage: Usage = _NO_USAGE
    cost: Cost = _NO_COST
    finish: str = "stop"
    recorded: bool = False
    raw: Mapping[str, Any] = field(default_factory=dict, compare=False)


class ChatModel(Protocol):
    """What the package needs of a chat model.

    Attributes:
        name: The model's name; part of what identifies a recorded request.
    """

    @property
    def name(self) -> str:
        """The model's name."""
        ...

    def complete(
        self,
        messages: Sequence[Message],
        schema: Schema | None = None,
        max_tokens: int = MAX_TOKENS,
        temperature: float | None = 0.0,
        seed: int | None = None,
    ) -> Completion:
        """Returns the reply to a conversation.

        Args:
            messages: The conversation, the system message first.
            schema: JSON schema that the reply has to follow; a model may fail to (`data` is then None).
            max_tokens: Greatest number of tokens of the reply, at least 1.
            temperature: Sampling temperature; None for the service's default.
            seed: Seed of the sampling, for services that take one.

        Raises:
            ServiceError: The service cannot be had; no measurement.
        """
        ...


@dataclass
class Account:
    """What the calls of an episode came to.

    Attributes:
        calls: Replies taken.
        recorded: Those of them that came from a file.
        prompt_tokens: Tokens read, over the calls that say so.
        completion_tokens: Tokens written, likewise.
        cached_tokens: Tokens read from the service's prompt cache.
        unmetered: Calls whose tokens are not known.
        usd: US dollars, over the calls with a known price.
        unpriced: Why the price of a call is not known -> number of such calls.
    """

    calls: int = 0
    recorded: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    cached_tokens: int = 0
    unmetered: int = 0
    usd: float = 0.0
    unpriced: dict[str, int] = field(default_factory=dict)

    def add(self, completion: Completion) -> None:
        """Adds a reply."""
        prompt, written, cached = completion.usage
        self.calls += 1
        self.recorded += completion.recorded
        self.prompt_tokens += prompt or 0
        self.completion_tokens += written or 0
        self.cached_tokens += cached
        self.unmetered += prompt is None or written is None
        if completion.cost.usd is None:
            self.unpriced[completion.cost.reason] = self.unpriced.get(completion.cost.reason, 0) + 1
        else:
            self.usd += completion.cost.usd

    def clear(self) -> None:
        """Starts again at nothing."""
        self.__init__()  # type: ignore[misc]

    def counts(self) -> dict[str, int | float]:
        """Returns what is known of the account, and the same for a replay as for its recording; the rest is left out."""
        found: dict[str, int | float] = {"model_calls": self.calls}
        if not self.unmetered:
            found |= {"prompt_tokens": self.prompt_tokens, "completion_tokens": self.completion_tokens}
        return found if self.unpriced else {**found, "usd": self.usd}

    def summary(self) -> dict[str, Any]:
        """Returns the account as JSON values; a sum of which a part is not known is None, with a reason."""
        known = not self.unmetered
        return {
            "calls": self.calls,
            "recorded": self.recorded,
            "prompt_tokens": self.prompt_tokens if known else None,
            "completion_tokens": self.completion_tokens if known else None,
            "cached_tokens": self.cached_tokens,
            "usd": None if self.unpriced else self.usd,
            "reason": "; ".join(
                [f"{n} of {self.calls} calls: {why}" for why, n in sorted(self.unpriced.items())]
                + ([f"{self.unmetered} of {self.calls} calls: no token counts"] if self.unmetered else [])
            ),
        }


def request_of(
    name: str,
    messages: Sequence[Message],
    schema: Schema | None,
    max_tokens: int,
    temperature: float | None,
    seed: int | None,
) -> dict[str, Any]:
    """Returns a request as JSON values: all that a reply may depend on, and no key or address."""
    return {
        "model": name,
        "messages": [dict(message) for message in messages],
        "schema": schema,
        "max_tokens": max_tokens,
        "temperature": temperature,
        "seed": seed,
    }


def key_of(request: Mapping[str, Any]) -> str:
    """Returns the SHA-256 of a request's canonical JSON, 64 hexadecimal digits."""
    text = json.dumps(request, sort_keys=True, separators=(",", ":"), ensure_ascii=True, allow_nan=False)
    return sha256(text.encode("ascii")).hexdigest()
