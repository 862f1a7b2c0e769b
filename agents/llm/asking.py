"""Asking a model until its reply is of a schema, a bounded number of times."""

from __future__ import annotations

from collections.abc import Sequence

from skillshift_gym.agents.llm.model import MAX_TOKENS, Account, ChatModel, Completion, Message, ReplyError, Schema
from skillshift_gym.agents.llm.schemas import decode

ATTEMPTS = 3
_SHOWN = 400  # characters of a wrong reply that the model is shown again


def ask(
    model: ChatModel,
    messages: Sequence[Message],
    schema: Schema,
    account: Account,
    *,
    attempts: int = ATTEMPTS,
    max_tokens: int = MAX_TOKENS,
    temperature: float | None = 0.0,
    seed: int | None = None,
) -> Completion:
    """Returns a reply of the schema, with its `data`.

    A wrong reply is shown to the model with what is wrong about it, so that each attempt is a request of its own: a
    recording holds them all.

    Args:
        model: The model.
        messages: The conversation.
        schema: Schema of the reply.
        account: Where every reply, also a wrong one, is counted.
        attempts: Greatest number of requests, at least 1.
        max_tokens: As in `ChatModel.complete`.
        temperature: Likewise.
        seed: Likewise.

    Raises:
        ReplyError: No reply was of the schema.
        ServiceError: The service cannot be had.
    """
    asked = list(messages)
    wrong = ""
    for _ in range(attempts):
        completion = model.complete(asked, schema, max_tokens, temperature, seed)
        account.add(completion)
        if completion.data is not None:
            return completion
        wrong = _fault(completion, schema, max_tokens)
        asked = [
            *messages,
            {"role": "assistant", "content": completion.text[:_SHOWN] or "(nothing)"},
            {"role": "user", "content": f"That is wrong: {wrong}. Reply again, with nothing but the JSON."},
        ]
    raise ReplyError(f"{model.name}: no usable reply in {attempts} attempts; the last one: {wrong}")


def _fault(completion: Completion, schema: Schema, max_tokens: int) -> str:
    if completion.finish == "length":
        return f"it was cut short at {max_tokens} tokens"
    try:
        decode(completion.text, schema)
    except ReplyError as error:
        return str(error)
    return "it is not of the schema"
