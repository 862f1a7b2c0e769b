"""A model from settings: plain values or their texts, as the command line gives them. No setting is a key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from skillshift_gym.agents.llm.anthropic_chat import AnthropicChat
from skillshift_gym.agents.llm.model import ChatModel
from skillshift_gym.agents.llm.openai_chat import OpenAIChat
from skillshift_gym.agents.llm.recording import MODES, Recorded
from skillshift_gym.agents.llm.services import TIMEOUT, Retries
from skillshift_gym.errors import UsageError

PROVIDERS = {"openai": OpenAIChat, "anthropic": AnthropicChat}
_WORDS = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}
SETTINGS = ("model", "provider", "base_url", "key_env", "stream", "structured", "timeout", "retries", *MODES)


def chat_model(settings: Mapping[str, Any]) -> tuple[ChatModel, float | None]:
    """Returns a model, and the temperature it is asked with when nothing else is said.

    Args:
        settings: `model`; `provider` (`openai` by default, or `anthropic`); `base_url`, `key_env`, `stream`,
            `structured` and `timeout` as in `adapter.Adapter`; `retries`, the requests of a call at most; at most one of `cache`, `record` and `replay`: a file.
            `replay` needs no package and no key, and takes the model's name from the file.

    Raises:
        UsageError: A setting is unknown, missing or wrong.
    """
    unknown = [name for name in settings if name not in SETTINGS]
    if unknown:
        hint = "; keys come from environment variables only" if "key" in unknown[0] else ""
        raise UsageError(f"no setting {unknown[0]!r}; expected some of {', '.join(SETTINGS)}{hint}")
    files = {mode: settings[mode] for mode in MODES if settings.get(mode)}
    if len(files) > 1:
        raise UsageError(f"expected one of {', '.join(MODES)}, got {' and '.join(files)}")
    adapter = _choice("provider", settings.get("provider") or "openai", PROVIDERS)
    mode, path = next(iter(files.items()), ("", ""))
    if mode == "replay":
        return _replayed(path, settings.get("model", "")), adapter.default_temperature
    if not settings.get("model"):
        raise UsageError("the backbone 'chat' needs model=NAME, or replay=FILE")
    model: ChatModel = adapter(
        settings["model"],
        settings.get("base_url", ""),
        key_env=settings.get("key_env", ""),
        stream=boolean("stream", settings.get("stream", False)),
        structured=settings.get("structured", "schema"),
        timeout=number("timeout", settings.get("timeout", TIMEOUT)),
        retries=Retries(whole("retries", settings.get("retries", Retries.attempts), 1, 100)),
    )
    return (Recorded(model, path, mode) if mode else model), adapter.default_temperature


def _replayed(path: str, name: str) -> Recorded:
    found = Recorded(None, path, "replay")
    if name and found.name and name != found.name:
        raise UsageError(f"{path} is a recording of the model {found.name!r}, not of {name!r}")
    found.name = found.name or name  # a cache belongs to no model
    return found


def boolean(name: str, value: Any) -> bool:
    """Returns a truth value or what its text says.

    Raises:
        UsageError: It is none.
    """
    return value if isinstance(value, bool) else _choice(name, str(value).lower(), _WORDS)


def number(name: str, value: Any) -> float:
    """Returns a positive number or what its text says.

    Raises:
        UsageError: It is none.
    """
    try:
        found = float(value)
    except (TypeError, ValueError):
        found = 0.0
    if not 0 < found < 1e9:
        raise UsageError(f"{name}: expected a positive number, got {value!r}")
    return found


def temperature(value: Any) -> float | None:
    """Returns a sampling temperature or what its text says; None for the service's default, `none` in words.

    Raises:
        UsageError: It is none.
    """
    if value in (None, "none"):
        return None
    return 0.0 if str(value) in ("0", "0.0") else number("temperature", value)


def whole(name: str, value: Any, low: int, high: int) -> int:
    """Returns a whole number of a range, or what its text says.

    Raises:
        UsageError: It is none.
    """
    try:
        found = int(value)
    except (TypeError, ValueError):
        found = low - 1
    if isinstance(value, bool) or not low <= found <= high:
        raise UsageError(f"{name}: expected a whole number from {low} to {high}, got {value!r}")
    return found


def _choice(name: str, value: str, table: Mapping[str, Any]) -> Any:
    if value not in table:
        raise UsageError(f"{name}: expected one of {', '.join(table)}, got {value!r}")
    return table[value]
