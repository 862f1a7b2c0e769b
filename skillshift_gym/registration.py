"""The registered environments: one id for each cell (site, condition).

A cell is a preset: the web environment plus the wrappers that install its shifts. Ids are registered without
`max_episode_steps`, since the environment owns the budget. The version goes up when results change.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import gymnasium

from .errors import UsageError

NAMESPACE = "SkillShift"
ENV_VERSION = 0
ENTRY_POINT = "skillshift_gym.env:SkillShiftEnv"

# Site -> its spelling in environment ids.
SITES = {"wordpress": "WordPress"}


class Condition(NamedTuple):
    """A condition: its spelling in ids, the front end, and the shifts installed."""

    suffix: str
    version: str


CONDITIONS = {"src": Condition("Src", "v1"), "tgt": Condition("Tgt", "v2")}


def env_id(site: str, condition: str) -> str:
    """Returns the environment id of a cell.

    Raises:
        UsageError: There is no such site or condition.
    """
    if site not in SITES:
        raise UsageError(f"no site {site!r}; expected one of {', '.join(SITES)}")
    if condition not in CONDITIONS:
        raise UsageError(f"no condition {condition!r}; expected one of {', '.join(CONDITIONS)}")
    return f"{NAMESPACE}/{SITES[site]}-{CONDITIONS[condition].suffix}-v{ENV_VERSION}"


def make_cell(site: str, condition: str, **kwargs: Any) -> gymnasium.Env[Any, Any]:
    """Returns the environment of a cell.

    Args:
        site: Site name, such as `wordpress`.
        condition: Condition, such as `src`.
        **kwargs: Arguments of `SkillShiftEnv`.
    """
    return gymnasium.make(env_id(site, condition), **kwargs)


def make_vec(id: str, num_envs: int, **kwargs: Any) -> gymnasium.vector.VectorEnv[Any, Any, Any]:
    """Returns environments in parallel processes, the fast way: texts travel through pipes, not shared memory.

    Args:
        id: Environment id.
        num_envs: Number of environments.
        **kwargs: Arguments of `gymnasium.make_vec`, such as `vector_kwargs`.
    """
    vector_kwargs = {"shared_memory": False, **kwargs.pop("vector_kwargs", {})}
    return gymnasium.make_vec(id, num_envs, vectorization_mode="async", vector_kwargs=vector_kwargs, **kwargs)


def register_all() -> None:
    """Registers every cell with Gymnasium."""
    for site in SITES:
        for condition, preset in CONDITIONS.items():
            gymnasium.register(
                id=env_id(site, condition),
                entry_point=ENTRY_POINT,
                kwargs={"site": site, "version": preset.version, "condition": condition},
            )
