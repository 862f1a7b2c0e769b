"""An inducer from settings: plain values or their texts, as the command line gives them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skillshift_gym.agents.induction.lesson import MAX_TOKENS, Sampling
from skillshift_gym.agents.llm.model import ChatModel
from skillshift_gym.agents.llm.settings import chat_model, temperature, whole


def inducer_of(settings: Mapping[str, Any]) -> tuple[ChatModel, Sampling]:
    """Returns the model of some settings, and how it is asked.

    Args:
        settings: `temperature` (`none` for the service's default), `max_tokens`, and those of `llm.settings.chat_model`.

    Raises:
        UsageError: A setting is unknown, missing or wrong.
    """
    own = {name: value for name, value in settings.items() if name in Sampling._fields}
    length = whole("max_tokens", own.get("max_tokens", MAX_TOKENS), 1, 100_000)
    warmth = temperature(own.get("temperature"))
    model, default = chat_model({name: value for name, value in settings.items() if name not in own})
    return model, Sampling(warmth if "temperature" in own else default, length)
