"""A site that changes between episodes: the conditions come along a stream with a known variation budget."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, SupportsFloat, cast

import gymnasium
from gymnasium.envs.registration import load_env_creator
from gymnasium.utils import RecordConstructorArgs

from skillshift_gym.env import SkillShiftEnv
from skillshift_gym.errors import UsageError
from skillshift_gym.registration import CONDITIONS, condition_of
from skillshift_gym.wrappers.streams import condition_at, variation


class ShiftSchedule(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Plays each episode in the next condition of a stream: version and shift change between episodes, never within one.

    `info` has `episode`, the number of the episode in the stream, and `condition`, as in a registered cell. An episode of a
    condition is the one that the condition's registered environment plays with the same seed and task.

    Args:
        env: A web environment without shifts, such as `gymnasium.make("SkillShift/Magento-Src-v0")`.
        kind: `jump`, `drift` or `season`; see `streams.condition_at`.
        conditions: The conditions, in order; all six by default.
        period: Episodes of a period.
        seed: Seed of the stream's draws.

    Raises:
        UsageError: An argument is wrong, there is no web environment inside, or a shift is installed in it.
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        kind: str = "jump",
        conditions: Sequence[str] = tuple(CONDITIONS),
        period: int = 50,
        seed: int = 0,
    ) -> None:
        conditions = list(conditions)
        RecordConstructorArgs.__init__(self, kind=kind, conditions=conditions, period=period, seed=seed)
        gymnasium.Wrapper.__init__(self, env)
        condition_at(0, kind, conditions, period, seed)
        base = env.unwrapped
        if not isinstance(base, SkillShiftEnv) or base.shifts:
            raise UsageError(
                "ShiftSchedule: expected a SkillShiftEnv without shifts inside; it installs those it needs"
            )
        self._base, self._kind, self._conditions, self._period, self._seed = base, kind, conditions, period, seed
        self._episode = -1

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Starts the next episode of the stream; the option `episode` goes to another one."""
        chosen = dict(options or {})
        self._episode = int(chosen.pop("episode", self._episode + 1))
        name = self.condition_of(self._episode)
        preset = condition_of(name)
        self._base.uninstall()
        for spec in preset.wrappers():
            wrapper = cast(Callable[..., object], load_env_creator(spec.entry_point))
            wrapper(self._base, **(spec.kwargs or {}))  # it installs its shift
        self._base.condition = name
        observation, info = self.env.reset(seed=seed, options={**chosen, "version": preset.version})
        return observation, {**info, "episode": self._episode}

    def step(self, action: Any) -> tuple[Any, SupportsFloat, bool, bool, dict[str, Any]]:
        """Takes a step."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        return observation, reward, terminated, truncated, {**info, "episode": self._episode}

    def condition_of(self, episode: int) -> str:
        """Returns the condition of an episode of the stream."""
        return condition_at(episode, self._kind, self._conditions, self._period, self._seed)

    def stream(self, episodes: int) -> list[str]:
        """Returns the conditions of the first episodes."""
        return [self.condition_of(k) for k in range(episodes)]

    def variation(self, executable: Mapping[str, Mapping[str, float]], episodes: int) -> float:
        """Returns the variation budget of the first episodes; see `streams.variation`."""
        return variation(executable, self.stream(episodes))
