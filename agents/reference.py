"""The no-skill reference agent: takes the candidate that its backbone scores highest.

It exists for calibration and as a floor: ASC is 0 and SFR is null by construction.
"""

from __future__ import annotations

from importlib import import_module
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import NDArray

from skillshift_gym.agents.base import Agent, Observation
from skillshift_gym.candidates import Candidate, candidates, ranked
from skillshift_gym.context import Context, Memory
from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation.episode import TaskSpec
from skillshift_gym.evaluation.recorder import CallRecorder
from skillshift_gym.reading import read

BACKBONES = {
    "lexical": ("skillshift_gym.agents.backbones.lexical", "LexicalBackbone"),
    "ranker": ("skillshift_gym.agents.backbones.ranker", "RankerBackbone"),
}


class Backbone(Protocol):
    """What turns a page into scored candidates."""

    name: str

    def score(self, candidates: list[Candidate], context: Context) -> NDArray[np.float32]:
        """Returns the scores, shape (candidates,)."""
        ...


def make_backbone(name: str, **kwargs: Any) -> Backbone:
    """Returns a backbone by name.

    Raises:
        UsageError: There is no such backbone.
    """
    if name not in BACKBONES:
        raise UsageError(f"no backbone {name!r}; expected one of {', '.join(BACKBONES)}")
    module, attribute = BACKBONES[name]
    backbone: Backbone = getattr(import_module(module), attribute)(**kwargs)
    return backbone


class ReferenceAgent(Agent):
    """Takes the best candidate of every page.

    Args:
        backbone: Name of the backbone.
        weights: Weight file of the backbone, where it has one; the shipped one when empty.

    Raises:
        UsageError: There is no such backbone, it has no weight file, or the file is none of its own.
    """

    has_skills: ClassVar[bool] = True  # it may call skills and has none: ASC = 0 is a measurement

    def __init__(self, backbone: str = "lexical", weights: str = "") -> None:
        if weights and backbone != "ranker":
            raise UsageError(f"backbone {backbone!r}: expected no weights, got {weights!r}; backbone='ranker' has some")
        self._backbone = make_backbone(backbone, **({"weights": weights} if weights else {}))

    def reset(self, task: TaskSpec, recorder: CallRecorder) -> None:
        """Starts an episode."""
        self._memory = Memory()

    def act(self, observation: Observation) -> str:
        """Returns the best candidate's action."""
        goal, url = observation["goal"], observation["url"]
        reading = read(observation["axtree"], observation["elements"])
        context = Context(goal, url, reading, self._memory)
        self._memory.failed = bool(observation.get("last_action_error"))
        found = candidates(goal, reading)
        best = found[ranked(self._backbone.score(found, context).tolist())[0]]
        self._memory.note(url, context, best)
        return best.action
