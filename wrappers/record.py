"""Records episodes as files that can be replayed, viewed and exported."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import gymnasium
from gymnasium.utils import RecordConstructorArgs

from skillshift_gym import __version__
from skillshift_gym.errors import UsageError
from skillshift_gym.files import write_whole
from skillshift_gym.wrappers import trajectory
from skillshift_gym.wrappers.tape import Saved, Tape

NUMBERED = "{number:06d}"
_NUMBER = re.compile(r"(\d{6,})" + re.escape(trajectory.SUFFIX))


class RecordTrajectory(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Writes every episode to a file of its own, whole or not at all; the episode itself is as without it.

    A file is written when its episode ends, when the next one begins, or at `close`. See
    `skillshift_gym.wrappers.trajectory` for what it holds; it never holds a time, so equal episodes are equal files.
    Several environments, in several processes, may write to one folder.

    Args:
        env: An environment around a `SkillShiftEnv`; what is recorded is what it returns.
        path: Folder of the files; made when needed.
        fields: Observation fields to record in full, all but `axtree` and `elements` by default. Of every other field
            only a digest is kept, which is enough to replay. A text observation is the field `text`.
        name: File name, of `{task}`, `{condition}`, `{seed}` and `{number}`. With a number, episodes follow one
            another from the first free one; without, an episode replaces the one before of the same name. An
            episode without a step is written only where it replaces.

    Raises:
        UsageError: The name is none, or (at `reset`) a field does not exist.
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        path: str | Path,
        fields: Sequence[str] | None = None,
        name: str = NUMBERED,
    ) -> None:
        fields = None if fields is None else list(fields)
        RecordConstructorArgs.__init__(self, path=str(path), fields=fields, name=name)
        gymnasium.Wrapper.__init__(self, env)
        _check_name(name)
        self._folder = Path(path)
        self._name = name
        self._tape = Tape(fields)
        self._next = -1
        self._spec: dict[str, Any] | None = None
        self._known_spec = False

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Writes what was recorded and begins another episode."""
        self._write()
        observation, info = self.env.reset(seed=seed, options=options)
        self._tape.start(
            observation,
            info,
            package=__version__,
            env=self.env.spec.id if self.env.spec else "",
            spec=self._spec_json(),
            goal=self.get_wrapper_attr("task").goal,
        )
        if not self._numbered:
            self._file().unlink(missing_ok=True)  # no old episode stands for one that is never finished
        return observation, info

    def step(self, action: Any) -> tuple[Any, Any, bool, bool, dict[str, Any]]:
        """Takes a step and records it."""
        observation, reward, terminated, truncated, info = self.env.step(action)
        self._tape.step(action, observation, reward, (terminated, truncated), info)
        if terminated or truncated:
            self._write()
        return observation, reward, terminated, truncated, info

    def close(self) -> None:
        """Writes what was recorded and closes the environment."""
        self._write()
        super().close()

    def save(self) -> Saved:
        """Returns the steps so far; see `skillshift_gym.snapshot`."""
        return self._tape.save()

    def restore(self, saved: Saved) -> None:
        """Returns to a saved episode: what is done from here is recorded as an episode of its own."""
        self._tape.restore(saved)

    @property
    def _numbered(self) -> bool:
        return "{number" in self._name

    def _file(self, number: int = 0) -> Path:
        return self._folder / (self._name.format(**self._tape.names, number=number) + trajectory.SUFFIX)

    def _write(self) -> None:
        """Writes the episode, if there is one, and forgets it."""
        if self._tape.started and (self._tape.steps or not self._numbered):
            data = trajectory.encode(self._tape.lines())
            if self._numbered:
                self._next = max(self._next, _first_free(self._folder) if self._next < 0 else 0)
                while not write_whole(self._file(self._next), data, replace=False):
                    self._next += 1
                self._next += 1
            else:
                write_whole(self._file(), data)
        self._tape.clear()

    def _spec_json(self) -> dict[str, Any] | None:
        """Returns the spec of what is recorded, None when it has no JSON form."""
        if not self._known_spec:
            self._known_spec = True
            try:
                self._spec = json.loads(self.env.spec.to_json()) if self.env.spec else None
            except (TypeError, ValueError, UsageError):
                self._spec = None
        return self._spec


def _check_name(name: str) -> None:
    try:
        made = name.format(number=0, task="t", condition="c", seed=0)
    except (KeyError, IndexError, ValueError, AttributeError) as error:
        raise UsageError(
            f"name: expected a file name of {{task}}, {{condition}}, {{seed}} and {{number}}, got {name!r} ({error!r})"
        ) from None
    if not made or Path(made).name != made or made.startswith("."):
        raise UsageError(f"name: expected a file name without folders or a leading dot, got {name!r}")


def _first_free(folder: Path) -> int:
    numbers = (_NUMBER.fullmatch(path.name) for path in folder.glob("*" + trajectory.SUFFIX))
    return max((int(match[1]) + 1 for match in numbers if match), default=0)
