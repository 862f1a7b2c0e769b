"""The no-skill reference agent: takes the candidate that its backbone scores highest.

It exists for calibration and as a floor: ASC is 0 and SFR is null by construction.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from skillshift_gym.agents.base import Agent, Observation
from skillshift_gym.agents.llm.model import Account
from skillshift_gym.agents.memory import ToldMemory
from skillshift_gym.candidates import Candidate, candidates, ranked
from skillshift_gym.context import Context
from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation.episode import TaskSpec
from skillshift_gym.evaluation.recorder import CallRecorder
from skillshift_gym.reading import read

BACKBONES = {
    "lexical": ("skillshift_gym.agents.backbones.lexical", "LexicalBackbone"),
    "ranker": ("skillshift_gym.agents.backbones.ranker", "RankerBackbone"),
    "chat": ("skillshift_gym.agents.backbones.chat", "ChatBackbone"),
}


class Backbone(Protocol):
    """What turns a page into scored candidates."""

    name: str

    def score(self, candidates: list[Candidate], context: Context) -> NDArray[np.float32]:
        """Returns the scores, shape (candidates,)."""
        ...


def make_backbone(name: str, **kwargs: Any) -> Backbone:
    """Returns a backbone by name.

    Args:
        name: Name of the backbone.
        **kwargs: Its settings.

    Raises:
        UsageError: There is no such backbone, or a setting is none of its own.
    """
    if name not in BACKBONES:
        raise UsageError(f"no backbone {name!r}; expected one of {', '.join(BACKBONES)}")
    module, attribute = BACKBONES[name]
    factory = getattr(import_module(module), attribute)
    try:
        inspect.signature(factory).bind(**kwargs)
    except TypeError as error:
        raise UsageError(f"backbone {name!r}: {error}; its settings: {', '.join(_settings(factory))}") from None
    backbone: Backbone = factory(**kwargs)
    return backbone


def _settings(factory: Callable[..., Backbone]) -> list[str]:
    return list(inspect.signature(factory).parameters)


def account_of(backbone: Backbone) -> Account | None:
    """Returns what the calls of a backbone's model came to, None for one without a model."""
    account = getattr(backbone, "account", None)
    return account if isinstance(account, Account) else None


class ReferenceAgent(Agent):
    """Takes the best candidate of every page.

    Args:
        backbone: Name of the backbone.
        weights: Weight file of the backbone, where it has one; the shipped one when empty.
        **settings: Other settings of the backbone, such as `model` and `replay` of `chat`.

    Raises:
        UsageError: There is no such backbone, it has no weight file, the file is none of its own, or a setting is wrong.
    """

    has_skills: ClassVar[bool] = True  # it may call skills and has none: ASC = 0 is a measurement

    def __init__(self, backbone: str = "lexical", weights: str = "", **settings: Any) -> None:
        if weights and backbone != "ranker":
            raise UsageError(f"backbone {backbone!r}: expected no weights, got {weights!r}; backbone='ranker' has some")
        self._backbone = make_backbone(backbone, **settings, **({"weights": weights} if weights else {}))

    def reset(self, task: TaskSpec, recorder: CallRecorder) -> None:
        """Starts an episode."""
        self._memory = ToldMemory()
        account = account_of(self._backbone)
        if account is not None:
            account.clear()

    @property
    def usage(self) -> dict[str, Any] | None:
        """Calls, tokens and cost of the episode so far (`Account.summary`); None for a backbone without a model."""
        account = account_of(self._backbone)
        return None if account is None else account.summary()

    @property
    def counts(self) -> dict[str, int | float]:
        """What of `usage` goes into the episode's record: the same when it is replayed."""
        account = account_of(self._backbone)
        return {} if account is None else account.counts()

    def act(self, observation: Observation) -> str:
        """Returns the best candidate's action."""
        goal, url = observation["goal"], observation["url"]
        reading = read(observation["axtree"], observation["elements"])
        context = Context(goal, url, reading, self._memory)
        self._memory.hear(observation.get("last_action_error") or "")
        found = candidates(goal, reading)
        best = found[ranked(self._backbone.score(found, context).tolist())[0]]
        self._memory.note(url, context, best)
        return best.action
