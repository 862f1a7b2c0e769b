"""The RL view of a web environment: numbered candidate actions as arrays, with a mask."""

from __future__ import annotations

import operator
from copy import deepcopy
from typing import Any, ClassVar, SupportsFloat

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.utils import RecordConstructorArgs
from numpy.typing import NDArray

from skillshift_gym.candidates import Candidate
from skillshift_gym.context import STATE, Memory
from skillshift_gym.errors import UsageError
from skillshift_gym.features import FEATURES
from skillshift_gym.skills.proposing import Proposer
from skillshift_gym.wrappers.scene import Scene, scene_of, with_past

DEFAULT_N = 128

Arrays = dict[str, NDArray[Any]]


class CandidateActions(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Turns a web environment into one that any RL library takes: `Discrete` actions, `Box` observations, a mask.

    ## Action
    The index of a candidate. Candidates are calls drawn from the page and the goal: clicks on its controls, values of
    the goal for its fields, Enter in a filled field, Escape where a dialog is shown, answers that the page suggests,
    calls of the environment's skills with the arguments that the goal gives (`skills.proposing`), and `noop()`. They come
    in document order, then Escape, answers, skills and `noop()`: an index says nothing of how good a
    candidate is. Of more than `n` candidates, the clicks that have least to do with the goal are left out
    (`scene.RELATED`; of equal ones the later) and the others keep their order; the choice depends on goal and page
    alone. An index without a candidate does not raise: it is a malformed action, costs a step, and shows as an error.

    ## Observation
    | key | space | meaning |
    |---|---|---|
    | `candidates` | `Box(0, 1, (n, features), float32)` | a row for each candidate, zeros beyond; columns: `features.FEATURES` |
    | `mask` | `Box(0, 1, (n,), int8)` | 1 where the index has a candidate |
    | `state` | `Box(0, 1, (state,), float32)` | page and episode as a whole: `context.STATE` |

    ## Info
    What the environment says, and `action` (the string sent, empty after `reset`), `candidates` (the action strings by
    index), `mask` (bool, shape (n,)) and `cut` (number of candidates left out).

    Args:
        env: An environment around a `SkillShiftEnv` with at least the observation fields `CandidateActions.FIELDS`;
            `gymnasium.make(id, observation=CandidateActions.FIELDS)` makes only those, which is faster.
        n: Number of actions, at least 2.

    Raises:
        UsageError: An observation field is missing, or `n` is out of range.
    """

    FIELDS: ClassVar[tuple[str, ...]] = ("goal", "url", "axtree", "elements")

    def __init__(self, env: gymnasium.Env[Any, Any], n: int = DEFAULT_N) -> None:
        RecordConstructorArgs.__init__(self, n=n)
        gymnasium.Wrapper.__init__(self, env)
        _check(env, n)
        self._n = n
        self._memory = Memory()
        self._url = ""
        self._scene: Scene | None = None
        self._proposer = proposer_of(env)
        self.action_space = spaces.Discrete(n)
        self.observation_space = spaces.Dict(
            {
                "candidates": spaces.Box(0, 1, (n, len(FEATURES)), np.float32),
                "mask": spaces.Box(0, 1, (n,), np.int8),
                "state": spaces.Box(0, 1, (len(STATE),), np.float32),
            }
        )

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Arrays, dict[str, Any]]:
        """Starts an episode; seed and options are the environment's."""
        observation, info = self.env.reset(seed=seed, options=options)
        self._memory = Memory()
        return self._view(observation, info, "")

    def step(self, action: Any) -> tuple[Arrays, SupportsFloat, bool, bool, dict[str, Any]]:
        """Takes the action of a candidate.

        Raises:
            gymnasium.error.ResetNeeded: The episode is over, or none has begun.
        """
        text = self._take(action)
        observation, reward, terminated, truncated, info = self.env.step(text)
        self._memory.failed = bool(info["error"])
        arrays, info = self._view(observation, info, text)
        return arrays, reward, terminated, truncated, info

    def action_masks(self) -> NDArray[np.bool_]:
        """Returns which indices have a candidate now, shape (n,): what `sb3_contrib.MaskablePPO` asks for.

        Raises:
            gymnasium.error.ResetNeeded: No episode has begun.
        """
        mask: NDArray[np.bool_] = np.arange(self._n) < len(self._shown.candidates)
        return mask

    def save(self) -> object:
        """Returns the state of the view; see `skillshift_gym.snapshot`."""
        return deepcopy(self._memory), self._url, self._scene

    def restore(self, saved: object) -> None:
        """Returns to a saved state."""
        assert isinstance(saved, tuple)
        memory, self._url, self._scene = saved
        self._memory = deepcopy(memory)

    @property
    def shown(self) -> tuple[Candidate, ...]:
        """The candidates shown now, by index."""
        return self._shown.candidates

    @property
    def _shown(self) -> Scene:
        if self._scene is None:
            raise gymnasium.error.ResetNeeded("no episode has begun: call reset() first")
        return self._scene

    def _take(self, action: Any) -> str:
        """Returns the text of an action, and remembers that it is taken."""
        scene = self._shown
        try:
            number = operator.index(action)
        except TypeError:
            number = -1
        if not 0 <= number < len(scene.candidates):
            return f"no candidate {action!r}: expected an index below {len(scene.candidates)}"
        self._memory.note(self._url, scene.context, scene.candidates[number])
        return scene.actions[number]

    def _view(self, observation: dict[str, Any], info: dict[str, Any], text: str) -> tuple[Arrays, dict[str, Any]]:
        goal, self._url = observation["goal"], observation["url"]
        phase = self._memory.phase(goal)
        self._scene = scene = scene_of(
            goal, observation["axtree"], observation["elements"], phase, self._n, self._proposer
        )
        features, numbers = with_past(scene, self._url, self._memory)
        mask = self.action_masks()
        arrays: Arrays = {"candidates": features, "mask": mask.astype(np.int8), "state": numbers}
        return arrays, {**info, "action": text, "candidates": scene.actions, "mask": mask, "cut": scene.cut}


def proposer_of(env: gymnasium.Env[Any, Any]) -> Proposer | None:
    """Returns what proposes calls of an environment's skills, None when none can be called."""
    skills = getattr(env.unwrapped, "skills", None)
    return Proposer(skills.callable.values()) if skills is not None and skills.callable else None


def _check(env: gymnasium.Env[Any, Any], n: object) -> None:
    if isinstance(n, bool) or not isinstance(n, int) or n < 2:
        raise UsageError(f"n: expected a whole number of at least 2, got {n!r}")
    fields = getattr(env.observation_space, "spaces", {})
    missing = [name for name in CandidateActions.FIELDS if name not in fields]
    if missing:
        raise UsageError(
            f"CandidateActions: expected the observation fields {', '.join(CandidateActions.FIELDS)}, found no "
            f"{missing[0]!r}; make the environment with observation=CandidateActions.FIELDS and wrap it before other views"
        )
