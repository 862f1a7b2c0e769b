"""Gymnasium environments of tabular worlds; the tables are those that planner experiments compute with."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import gymnasium
import numpy as np
from gymnasium import spaces

from ..errors import UsageError
from .generators import local_executability, random_mdp
from .model import Nonstationary

Observation = dict[str, Any]


class TabularEnv(gymnasium.Env[Observation, np.int64]):
    """A nonstationary finite-horizon MDP, one episode of its stream after another.

    Observation: `state` in [0, S) and `step` in [0, H], H after the last action. Action: a in [0, A). Reward: 1 with the
    mean reward as its probability, else 0. An episode ends (`terminated`) after H steps.

    `reset(seed=)` starts the stream anew at episode 0; `reset()` goes on to the next episode, and after the last one the
    world stays as it is. `reset(options={"episode": k})` goes to episode k. `info` has the number of the `episode` and, after
    a step, the `name` of the action.

    Attributes:
        world: The tables.
        episode: Number of the present episode, -1 before the first.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi"], "render_fps": 1}

    def __init__(self, world: Nonstationary, render_mode: str | None = None) -> None:
        """Makes the environment of a world.

        Args:
            world: The tables.
            render_mode: `ansi` or None.

        Raises:
            UsageError: No such render mode.
        """
        if render_mode not in (None, "ansi"):
            raise UsageError(f"render_mode: expected 'ansi' or None, got {render_mode!r}")
        self.world, self.render_mode, self.episode = world, render_mode, -1
        horizon, states, actions = world.shape
        self.observation_space = spaces.Dict({"state": spaces.Discrete(states), "step": spaces.Discrete(horizon + 1)})
        self.action_space = spaces.Discrete(actions)
        self._state, self._step, self._last = 0, horizon, ""

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins an episode; see the class for which.

        Raises:
            UsageError: `options["episode"]` is outside [0, K).
        """
        super().reset(seed=seed)
        last = self.world.episodes - 1
        following = 0 if seed is not None else min(self.episode + 1, last)
        episode = (options or {}).get("episode", following)
        if not 0 <= episode <= last:
            raise UsageError(f"episode: expected one in [0, {last}], got {episode}")
        self.episode = int(episode)
        self._reward, self._transition = self.world.reward(self.episode), self.world.transition(self.episode)
        self._state, self._step, self._last = self._drawn(self.world.start), 0, ""
        return self._observation(), {"episode": self.episode}

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Takes an action.

        Raises:
            UsageError: The action is no action, or the episode is over.
        """
        horizon, _, actions = self.world.shape
        if self._step >= horizon:
            raise UsageError("expected reset() first: the episode is over or was not begun")
        if not 0 <= action < actions:
            raise UsageError(f"action: expected one in [0, {actions}), got {action}")
        place = (self._step, self._state, int(action))
        reward = float(self.np_random.random() < self._reward[place])
        self._last = f"{self.world.actions[int(action)]}: {'done' if reward else 'failed'}"
        self._state = self._drawn(self._transition[place])
        self._step += 1
        info = {"episode": self.episode, "name": self.world.actions[int(action)]}
        return self._observation(), reward, self._step == horizon, False, info

    def render(self) -> Any:
        """Returns the situation as a line of text, None without a render mode."""
        if self.render_mode is None:
            return None
        place = f"episode {self.episode}, step {self._step}: {self.world.states[self._state]}"
        return f"{place}; {self._last}" if self._last else place

    def _observation(self) -> Observation:
        return {"state": np.int64(self._state), "step": np.int64(self._step)}

    def _drawn(self, chances: np.ndarray[Any, np.dtype[np.float64]]) -> int:
        beyond = int((self.np_random.random() >= chances.cumsum()).sum())
        return min(beyond, len(chances) - 1)


class GeneratedEnv(TabularEnv):
    """A tabular world made by a generator.

    Attributes:
        generator: Makes the world.
    """

    generator: ClassVar[Callable[..., Nonstationary]]

    def __init__(
        self,
        episodes: int = 1000,
        variation: float = 6.0,
        *,
        world_seed: int = 0,
        render_mode: str | None = None,
        **sizes: Any,
    ) -> None:
        """Makes the world and its environment.

        Args:
            episodes: K.
            variation: Variation budget V_K.
            world_seed: Seed of the tables; the seed of `reset` decides what is drawn from them.
            render_mode: `ansi` or None.
            **sizes: Other arguments of the generator, such as `drift="seasons"`.
        """
        super().__init__(self.generator(episodes, variation, seed=world_seed, **sizes), render_mode)


class LocalExecutabilityEnv(GeneratedEnv):
    """Page situations in which the skill that works changes: `generators.local_executability` as an environment.

    Registered as `SkillShift/LocalExecutability-v0`: 1,000 episodes, a variation budget of 6 (four changes).
    """

    generator = staticmethod(local_executability)


class NonstationaryMDPEnv(GeneratedEnv):
    """Random MDPs with a set variation budget: `generators.random_mdp` as an environment.

    Registered as `SkillShift/NonstationaryMDP-v0`: 1,000 episodes, a variation budget of 6 (three changes).
    """

    generator = staticmethod(random_mdp)
