"""The lines of the episode being recorded."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from typing import Any, NamedTuple

import numpy as np

from skillshift_gym.errors import UsageError

TEXT = "text"  # the field of an observation that is one text
LONG = 200  # characters from which a text gets a line of its own
_HEAVY = ("axtree", "elements")
_CONSTANT = ("task", "uid", "site", "version", "split", "seed", "condition")
_NAMES = ("task", "condition", "seed")
_PLAIN = (str, int, float, bool, type(None))


class Saved(NamedTuple):
    """The state of a tape."""

    entries: tuple[str | tuple[str, str], ...]
    known: frozenset[str]
    steps: int
    fields: tuple[str, ...]
    names: tuple[tuple[str, Any], ...]


class Tape:
    """Turns what an environment returns into lines.

    Args:
        fields: Observation fields to record in full; all but the accessibility tree and the element list when None.

    Attributes:
        steps: Steps of the episode so far.
        names: What a file may be named after: task, condition and seed of the episode.
    """

    def __init__(self, fields: Sequence[str] | None) -> None:
        self._wanted = None if fields is None else tuple(fields)
        self._fields: tuple[str, ...] = ()
        self._entries: list[str | tuple[str, str]] = []
        self._known: set[str] = set()
        self._last: dict[str, tuple[Any, str]] = {}
        self.steps = 0
        self.names: dict[str, Any] = {}

    @property
    def started(self) -> bool:
        """Whether an episode has begun."""
        return bool(self._entries)

    def start(self, observation: Any, info: Mapping[str, Any], **about: Any) -> None:
        """Begins an episode with what `reset` returned.

        Args:
            observation: The observation.
            info: The info.
            **about: The other entries of `trajectory.Start` that are not in the info.
        """
        self.clear()
        self._fields = self._chosen(observation)
        self.names = {name: info[name] for name in _NAMES}
        constant = {name: info[name] for name in ("seed", "task", "uid", "site", "condition", "split")}
        options = {"task": info["task"], "version": info["version"]}
        self._add("start", observation, info, {**about, **constant, "options": options, "fields": self._fields})

    def step(self, action: Any, observation: Any, reward: Any, flags: tuple[bool, bool], info: Any) -> None:
        """Adds a step: the action, and what `step` returned."""
        self.steps += 1
        about = {
            "action": action if isinstance(action, _PLAIN) else {"not a string": repr(action)},
            "reward": float(reward),
            "terminated": bool(flags[0]),
            "truncated": bool(flags[1]),
        }
        self._add("step", observation, info, about)

    def clear(self) -> None:
        """Forgets the episode."""
        self._entries, self._known, self._last, self.steps = [], set(), {}, 0

    def lines(self) -> list[str]:
        """Returns the lines of the episode so far."""
        return [
            entry if isinstance(entry, str) else _encode({"line": "text", "digest": entry[0], "text": entry[1]})
            for entry in self._entries
        ]

    def save(self) -> Saved:
        """Returns the state, which is immutable."""
        names = tuple(self.names.items())
        return Saved(tuple(self._entries), frozenset(self._known), self.steps, self._fields, names)

    def restore(self, saved: Saved) -> None:
        """Returns to a saved state."""
        self._entries, self._known, self.steps = list(saved.entries), set(saved.known), saved.steps
        self._fields, self.names, self._last = saved.fields, dict(saved.names), {}

    def _chosen(self, observation: Any) -> tuple[str, ...]:
        present = tuple(_parts(observation))
        if self._wanted is None:
            return tuple(name for name in present if name not in _HEAVY)
        unknown = [name for name in self._wanted if name not in present]
        if unknown:
            raise UsageError(f"fields: expected some of {', '.join(present)}, got {unknown[0]!r}")
        return self._wanted

    def _add(self, line: str, observation: Any, info: Mapping[str, Any], about: dict[str, Any]) -> None:
        digests, values = {}, {}
        for name, value in _parts(observation).items():
            digest = digests[name] = self._digest(name, value)
            if name not in self._fields:
                continue
            if not isinstance(value, str) or len(value) < LONG:
                values[name] = value.tolist() if isinstance(value, np.ndarray) else value
            elif digest not in self._known:
                self._known.add(digest)
                self._entries.append((digest, value))
        told = {key: value for key, value in info.items() if key not in _CONSTANT}
        entry = {"line": line, **about, "digests": digests, "values": values, "info": told}
        self._entries.append(_encode(entry))

    def _digest(self, name: str, value: Any) -> str:
        """Returns the digest of a value; one that is the same as before is not hashed again."""
        last, digest = self._last.get(name, (None, ""))
        if isinstance(value, str):
            if value != last:
                digest = blake2b(value.encode("utf-8", "surrogatepass"), digest_size=8).hexdigest()
                self._last[name] = (value, digest)
            return digest
        if isinstance(value, np.ndarray):
            written = f"{value.dtype}{value.shape}".encode() + value.tobytes()
        else:
            written = _encode(value).encode()
        return blake2b(written, digest_size=8).hexdigest()


def _parts(observation: Any) -> Mapping[str, Any]:
    return observation if isinstance(observation, Mapping) else {TEXT: observation}


def _plain(value: Any) -> Any:
    """Returns an array or a number of NumPy as plain numbers, anything else as its text."""
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else repr(value)


_encode = json.JSONEncoder(default=_plain).encode
