"""The page as one text, within a budget of tokens: a view for language-model agents."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import lru_cache
from importlib import import_module
from typing import Any, cast

import gymnasium
from gymnasium import spaces
from gymnasium.envs.registration import EnvSpec
from gymnasium.utils import RecordConstructorArgs

from skillshift_gym import actions
from skillshift_gym.errors import UsageError
from skillshift_gym.spaces import WebText
from skillshift_gym.wrappers import pruning
from skillshift_gym.wrappers.candidates import proposer_of

MIN_TOKENS = 300  # what the header may take at most, the markers, and a few lines
FIELDS = ("goal", "url", "title", "budget_left", "last_action", "last_action_error", "axtree")
_CHARACTERS = 8  # characters a token of the budget may take: a bound that holds whatever counts the tokens
# Parts of the budget that the texts of the header may take; only longer ones are cut.
_SHARES = {"goal": 3, "url": 16, "title": 16, "last_action": 16, "last_action_error": 8}
_CALLS_SHARE = 8
_CUT = "…"


class TextObservation(gymnasium.ObservationWrapper[str, str, dict[str, Any]], RecordConstructorArgs):
    """Gives the observation as one text: goal, page, steps left, last action and error, and the pruned page.

    Where the environment has skills, those that the goal speaks of stand there as calls with the arguments it gives.

    The page is its accessibility tree, one node a line as in the field `axtree` (`[bid] role 'name', states`), pruned
    by `skillshift_gym.wrappers.pruning`: the same page and goal always give the same text, and more budget only adds
    lines. What is left out is said where it was: `[… 12 nodes left out]`.

    Tokens are counted without a tokenizer: six letters, three digits, one other sign or line end each, which is on
    the high side for English. For your model's own count give `count_tokens`.

    Args:
        env: An environment whose observation has the fields of `FIELDS`.
        max_tokens: Greatest number of tokens, at least 300, `actions_help` included.
        actions_help: Whether the description of the actions comes first, that of the skills that can be called included.
        count_tokens: Text -> number of tokens: a function, or its name as `module:function`, which keeps the
            environment's spec exportable to JSON. By default the approximation above.

    Raises:
        UsageError: An argument is wrong, a field is missing, or `count_tokens` finds more tokens in the header than
            there are.
    """

    def __init__(
        self,
        env: gymnasium.Env[dict[str, Any], str],
        max_tokens: int = 4_000,
        actions_help: bool = False,
        count_tokens: str | Callable[[str], int] | None = None,
    ) -> None:
        RecordConstructorArgs.__init__(
            self, max_tokens=max_tokens, actions_help=actions_help, count_tokens=count_tokens
        )
        gymnasium.ObservationWrapper.__init__(self, env)
        _check_fields(env.observation_space)
        if not isinstance(max_tokens, int) or isinstance(max_tokens, bool) or max_tokens < MIN_TOKENS:
            raise UsageError(f"max_tokens: expected a whole number of at least {MIN_TOKENS}, got {max_tokens!r}")
        self._proposer = proposer_of(env)
        self._live = callable(count_tokens)
        self._given = _counter(count_tokens) if count_tokens is not None else None
        self._count = self._given or pruning.count_tokens
        self._max_tokens = max_tokens
        self._costs = lru_cache(maxsize=64)(lambda tree: pruning.costs(tree, self._count))
        self._help = f"Actions:\n{_document(env)}\n\n" if actions_help else ""
        self._budget = max_tokens - (self._count(self._help) if actions_help else 0)
        if self._budget < MIN_TOKENS:
            needed = max_tokens - self._budget + MIN_TOKENS
            raise UsageError(f"max_tokens: expected at least {needed} with actions_help, got {max_tokens}")
        self.observation_space = WebText(len(self._help) + _CHARACTERS * self._budget)

    @property
    def spec(self) -> EnvSpec | None:  # type: ignore[override]
        """The spec of the stack; with a function as `count_tokens`, its `to_json` raises and says why."""
        spec = super().spec
        if spec is not None and self._live:
            spec.__class__ = _LiveSpec
        return spec

    def observation(self, observation: dict[str, Any]) -> str:
        """Returns the text of an observation."""
        head = self._header(observation)
        tree = pruning.prune(observation["axtree"])
        left, room = self._budget - self._count(head), _CHARACTERS * self._budget - len(head)
        cost = self._costs(tree)
        page, kept = pruning.cut(tree, cost, left, room)
        # A tokenizer's count of the whole is hardly ever above the sum over lines; where it is, lines go one by one.
        while self._given and self._given(self._help + head + page) > self._max_tokens:
            if kept == 0:
                raise UsageError(f"count_tokens: expected the bare header to take {self._max_tokens} tokens, got more")
            page, kept = pruning.cut(tree, cost, left, room, kept - 1)
        return self._help + head + page

    def _header(self, observation: dict[str, Any]) -> str:
        texts = {name: self._short(observation[name], self._budget // share) for name, share in _SHARES.items()}
        lines = [
            f"Goal: {texts['goal']}",
            f"Page: {texts['title']} ({texts['url']})",
            f"Tabs: {_tabs(observation)}",
            f"Steps left: {int(observation['budget_left'][0])}",
            f"Skills for this goal: {self._calls(observation['goal'])}",
            f"Last action: {texts['last_action']}",
            f"Error: {texts['last_action_error']}",
        ]
        return "\n".join(line for line in lines if not line.endswith(": ")) + "\n\n"

    def _calls(self, goal: str) -> str:
        """Returns the calls of skills that the goal suggests, with the arguments that it gives."""
        calls = "; ".join(self._proposer.actions(goal)) if self._proposer is not None else ""
        return self._short(calls, self._budget // _CALLS_SHARE)

    def _short(self, text: str, tokens: int) -> str:
        """Returns the longest beginning of a text that takes no more than so many tokens, on one line."""
        text = " ".join(text.split())
        if len(text) <= _CHARACTERS * tokens and self._count(text) <= tokens:
            return text
        low, high = 0, min(len(text), _CHARACTERS * tokens - 1)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if self._count(text[:middle] + _CUT) <= tokens else (low, middle - 1)
        return text[:low] + _CUT


class _LiveSpec(EnvSpec):
    """The spec of a stack that holds a live function."""

    def to_json(self) -> str:
        """Refuses.

        Raises:
            UsageError: Always: a function has no JSON form.
        """
        raise UsageError(
            "TextObservation: count_tokens is a function, which JSON cannot hold; "
            "give its name, count_tokens='module:function'"
        )


def _document(env: gymnasium.Env[Any, Any]) -> str:
    """Returns the description of the primitives and of the skills of an environment."""
    skills = getattr(env.unwrapped, "skills", None)
    return "\n".join(filter(None, [actions.document(), skills.document() if skills is not None else ""]))


def _tabs(observation: dict[str, Any]) -> str:
    """Returns how many tabs there are and which is shown, empty for a single one."""
    tabs = json.loads(observation.get("tabs") or "[]")
    shown = [number for number, tab in enumerate(tabs) if tab["active"]]
    return f"{len(tabs)} open, tab {shown[0]} is shown" if len(tabs) > 1 and shown else ""


def _check_fields(space: spaces.Space[Any]) -> None:
    present = tuple(space) if isinstance(space, spaces.Dict) else ()
    missing = [name for name in FIELDS if name not in present]
    if missing:
        raise UsageError(
            f"TextObservation: expected an observation with the fields {', '.join(FIELDS)}; {missing[0]!r} is missing "
            f"from {', '.join(present) or repr(space)}; name it in gymnasium.make(..., observation=[...])"
        )


def _counter(given: str | Callable[[str], int]) -> Callable[[str], int]:
    if callable(given):
        return given
    module, _, name = given.partition(":")
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise UsageError(f"count_tokens: expected a function or 'module:function', got {given!r} ({error})") from None
    if not callable(found):
        raise UsageError(f"count_tokens: {given!r} cannot be called")
    return cast(Callable[[str], int], found)
