"""The Anthropic messages API."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from skillshift_gym.agents.llm.adapter import Adapter, Reply
from skillshift_gym.agents.llm.model import MAX_TOKENS, Message, Schema, Usage
from skillshift_gym.agents.llm.services import BrokenResponse

_FINISH = {"end_turn": "stop", "stop_sequence": "stop", "max_tokens": "length"}


class AnthropicChat(Adapter):
    """A model behind the Anthropic messages API; needs the extra `anthropic`.

    The API takes no seed. System messages are marked for the service's prompt cache.

    Args:
        model: The model's name.
        base_url: Address of another server that speaks the API; Anthropic's when empty.
        **options: As in `Adapter`. The key is `ANTHROPIC_API_KEY`'s value, with `base_url` as in `OpenAIChat`.

    Raises:
        UsageError: The package or the key is missing, or an argument is wrong.
    """

    extra = "anthropic"
    key_variable = "ANTHROPIC_API_KEY"
    default_temperature = None  # newer models refuse the parameter

    def _body(
        self,
        messages: Sequence[Message],
        schema: Schema | None,
        max_tokens: int = MAX_TOKENS,
        temperature: float | None = None,
        seed: int | None = None,
    ) -> dict[str, Any]:
        system = "\n\n".join(m["content"] for m in messages if m["role"] == "system")
        body: dict[str, Any] = {
            "model": self.name,
            "messages": [dict(m) for m in messages if m["role"] != "system"],
            "max_tokens": max_tokens,
        }
        if system:
            body["system"] = [{"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}]
        if schema is not None and self.enforced:
            body["output_config"] = {"format": {"type": "json_schema", "schema": dict(schema)}}
        # Not every version of the client has the parameter; the body is the same.
        body |= {} if temperature is None else {"extra_body": {"temperature": temperature}}
        return body | ({"stream": True} if self.stream else {})

    def _send(self, body: Mapping[str, Any]) -> Reply:
        answer = self.client.messages.create(**body)
        return _gathered(answer) if self.stream else _read(answer)


def _read(answer: Any) -> Reply:
    """Returns the reply in a response."""
    if not isinstance(getattr(answer, "content", None), list):
        raise BrokenResponse("no content in it")
    text = "".join(block.text for block in answer.content if block.type == "text")
    return Reply(text, _finish(answer.stop_reason), _usage(answer.usage), answer.model_dump(exclude_none=True))


def _gathered(events: Iterable[Any]) -> Reply:
    """Returns the reply that the events of a stream make up."""
    text, finish, usage = "", "", Usage()
    for event in events:
        if event.type == "message_start":
            usage = _usage(event.message.usage)
        elif event.type == "content_block_delta" and event.delta.type == "text_delta":
            text += event.delta.text
        elif event.type == "message_delta":
            finish = event.delta.stop_reason or finish
            usage = usage._replace(completion=event.usage.output_tokens)
    if not finish:
        raise BrokenResponse("the stream ended early")
    return Reply(text, _finish(finish), usage, {})


def _finish(reason: str | None) -> str:
    return _FINISH.get(reason or "", reason or "stop")


def _usage(counts: Any) -> Usage:
    if counts is None:
        return Usage()
    read = getattr(counts, "cache_read_input_tokens", None) or 0
    written = getattr(counts, "cache_creation_input_tokens", None) or 0
    return Usage(counts.input_tokens + read + written, counts.output_tokens, read)
