"""Snapshot and restore of a wrapped environment: branching for search.

The web environment saves site, browser, generator, shifts and counters. A wrapper with `save` and `restore` methods
saves itself; of any other wrapper the plain attributes (numbers, texts, flags) are kept.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import gymnasium

from .env import SkillShiftEnv
from .episode import SavedEnv
from .errors import SnapshotError

_PLAIN = (bool, int, float, str, bytes, type(None))


class Snapshot(NamedTuple):
    """An immutable copy of a stack: one entry per wrapper, outermost first, and the environment's own."""

    wrappers: tuple[tuple[str, Any], ...]
    env: SavedEnv


def snapshot(env: gymnasium.Env[Any, Any]) -> Snapshot:
    """Returns a copy of the whole stack, to be restored in it or in another stack of the same spec."""
    wrappers = tuple((type(w).__qualname__, _save(w)) for w in _wrappers(env))
    return Snapshot(wrappers, _base(env).save())


def restore(env: gymnasium.Env[Any, Any], saved: Snapshot) -> None:
    """Returns a stack to a snapshot.

    Raises:
        SnapshotError: The stack has other wrappers than the one the snapshot was taken of.
    """
    wrappers = list(_wrappers(env))
    names = [type(w).__qualname__ for w in wrappers]
    if names != [name for name, _ in saved.wrappers]:
        raise SnapshotError(f"the snapshot is of {[n for n, _ in saved.wrappers]}, this stack is {names}")
    _base(env).restore(saved.env)
    for wrapper, (_, state) in zip(wrappers, saved.wrappers, strict=True):
        if "save" in dir(type(wrapper)):
            wrapper.restore(state)
        else:
            wrapper.__dict__.update(state)


def _wrappers(env: gymnasium.Env[Any, Any]) -> Iterator[Any]:
    while isinstance(env, gymnasium.Wrapper):
        yield env
        env = env.env


def _base(env: gymnasium.Env[Any, Any]) -> SkillShiftEnv:
    base = env.unwrapped
    if not isinstance(base, SkillShiftEnv):
        raise SnapshotError(f"expected a SkillShiftEnv inside, got {type(base).__name__}")
    return base


def _save(wrapper: Any) -> Any:
    if "save" in dir(type(wrapper)):
        return wrapper.save()
    return {k: v for k, v in vars(wrapper).items() if isinstance(v, _PLAIN)}
