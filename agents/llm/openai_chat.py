"""The OpenAI chat-completions API: OpenAI itself, and every server that speaks it (vLLM, SGLang, Ollama, llama-server)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from skillshift_gym.agents.llm.adapter import Adapter, Reply
from skillshift_gym.agents.llm.model import MAX_TOKENS, Message, Schema, Usage
from skillshift_gym.agents.llm.services import BrokenResponse


class OpenAIChat(Adapter):
    """A model behind the OpenAI chat-completions API; needs the extra `openai`.

    Args:
        model: The model's name.
        base_url: Address of a server that speaks the API, such as `http://127.0.0.1:8080/v1`; OpenAI's when empty.
        **options: As in `Adapter`. The key is `OPENAI_API_KEY`'s value; a server at `base_url` gets one only when
            `key_env` names its variable, so that no key goes to a stranger.

    Raises:
        UsageError: The package or the key is missing, or an argument is wrong.
    """

    extra = "openai"
    key_variable = "OPENAI_API_KEY"

    def _body(
        self,
        messages: Sequence[Message],
        schema: Schema | None,
        max_tokens: int = MAX_TOKENS,
        temperature: float | None = None,
        seed: int | None = None,
    ) -> dict[str, Any]:
        # OpenAI's own models want the new name, other servers know the old one.
        limit = "max_tokens" if self.base_url else "max_completion_tokens"
        body: dict[str, Any] = {"model": self.name, "messages": [dict(m) for m in messages], limit: max_tokens}
        body |= {} if temperature is None else {"temperature": temperature}
        body |= {} if seed is None else {"seed": seed}
        if schema is not None and self.enforced:
            form = {"name": "reply", "schema": dict(schema), "strict": True}
            body["response_format"] = {"type": "json_schema", "json_schema": form}
        return body | ({"stream": True, "stream_options": {"include_usage": True}} if self.stream else {})

    def _send(self, body: Mapping[str, Any]) -> Reply:
        answer = self.client.chat.completions.create(**body)
        return _gathered(answer) if self.stream else _read(answer)


def _read(answer: Any) -> Reply:
    """Returns the reply in a response."""
    if not getattr(answer, "choices", None):
        raise BrokenResponse("no choices in it")
    choice = answer.choices[0]
    return Reply(
        choice.message.content or getattr(choice.message, "refusal", None) or "",
        choice.finish_reason or "stop",
        _usage(getattr(answer, "usage", None)),
        answer.model_dump(exclude_none=True),
    )


def _gathered(chunks: Iterable[Any]) -> Reply:
    """Returns the reply that the chunks of a stream make up."""
    text, finish, usage = "", "", Usage()
    for chunk in chunks:
        usage = _usage(chunk.usage) if getattr(chunk, "usage", None) else usage
        for choice in (chunk.choices or [])[:1]:
            text += choice.delta.content or ""
            finish = choice.finish_reason or finish
    if not finish:
        raise BrokenResponse("the stream ended early")
    return Reply(text, finish, usage, {})


def _usage(counts: Any) -> Usage:
    if counts is None:
        return Usage()
    details = getattr(counts, "prompt_tokens_details", None)
    return Usage(counts.prompt_tokens, counts.completion_tokens, getattr(details, "cached_tokens", None) or 0)
