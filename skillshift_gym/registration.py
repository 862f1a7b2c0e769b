"""The registered environments: one id for each cell (site, condition), and the tabular worlds.

A cell is a preset: the web environment plus the wrappers that install its shifts. Ids are registered without
`max_episode_steps`, since the environment owns the budget. The version goes up when results change.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, NamedTuple

import gymnasium
from gymnasium.envs.registration import WrapperSpec

from .errors import UsageError

NAMESPACE = "SkillShift"
ENV_VERSION = 0
ENTRY_POINT = "skillshift_gym.env:SkillShiftEnv"

# Site -> its spelling in environment ids.
SITES = {"wordpress": "WordPress", "magento": "Magento"}


PERCEPTUAL = "PerceptualShift"
EXECUTION = "ExecutionShift"
TABULAR = {
    f"{NAMESPACE}/LocalExecutability-v0": "skillshift_gym.tabular.env:LocalExecutabilityEnv",
    f"{NAMESPACE}/NonstationaryMDP-v0": "skillshift_gym.tabular.env:NonstationaryMDPEnv",
}
_ENTRY_POINTS = {
    PERCEPTUAL: "skillshift_gym.wrappers.perceptual:PerceptualShift",
    EXECUTION: "skillshift_gym.wrappers.execution:ExecutionShift",
}
# The presets of the registered cells: the published high setting, and a blocker on every document.
_PRESETS: dict[str, dict[str, Any]] = {
    PERCEPTUAL: {"intensity": "high"},
    EXECUTION: {"schedule": "every_page", "blocker": "varied", "way": "one_action"},
}


class Condition(NamedTuple):
    """A condition.

    Attributes:
        suffix: Its spelling in environment ids.
        version: The front end.
        shift: The wrapper that is installed, empty for none.
    """

    suffix: str
    version: str
    shift: str = ""

    def wrappers(self, **shift_kwargs: Any) -> tuple[WrapperSpec, ...]:
        """Returns the wrappers of the condition, with other arguments than the preset's where given.

        Raises:
            UsageError: The wrapper has no such argument.
        """
        if not self.shift:
            return ()
        unknown = [name for name in shift_kwargs if name not in _DEFAULTS[self.shift]]
        if unknown:
            expected = ", ".join(_DEFAULTS[self.shift])
            raise UsageError(f"{self.shift} has no argument {unknown[0]!r}; expected some of {expected}")
        kwargs = {**_DEFAULTS[self.shift], **_PRESETS[self.shift], **shift_kwargs}
        return (WrapperSpec(self.shift, _ENTRY_POINTS[self.shift], kwargs),)


# A wrapper's spec lists all its arguments, so that it is equal to the one Gymnasium records when it is rebuilt.
_DEFAULTS: dict[str, dict[str, Any]] = {
    PERCEPTUAL: {"intensity": "high", "mutators": None, "style": True, "seed": None, "allow_both": False},
    EXECUTION: {
        "schedule": "every_page", "blocker": "varied", "way": "one_action", "seed": None, "slack_rule": True,
        "allow_both": False,
    },
}  # fmt: skip

CONDITIONS = {
    "src": Condition("Src", "v1"),
    "src-perc": Condition("SrcPerc", "v1", PERCEPTUAL),
    "src-exec": Condition("SrcExec", "v1", EXECUTION),
    "tgt": Condition("Tgt", "v2"),
    "tgt-perc": Condition("TgtPerc", "v2", PERCEPTUAL),
    "tgt-exec": Condition("TgtExec", "v2", EXECUTION),
}


def env_id(site: str, condition: str) -> str:
    """Returns the environment id of a cell.

    Raises:
        UsageError: There is no such site or condition.
    """
    if site not in SITES:
        raise UsageError(f"no site {site!r}; expected one of {', '.join(SITES)}")
    preset = condition_of(condition)
    return f"{NAMESPACE}/{SITES[site]}-{preset.suffix}-v{ENV_VERSION}"


def condition_of(name: str) -> Condition:
    """Returns a condition by name.

    Raises:
        UsageError: There is no such condition; perceptual and execution shift together are none.
    """
    if name in CONDITIONS:
        return CONDITIONS[name]
    if "perc" in name and "exec" in name:
        raise UsageError(
            f"condition {name!r}: perceptual and execution shift together are no condition of the benchmark; "
            "install both wrappers with allow_both=True for a custom one"
        )
    raise UsageError(f"no condition {name!r}; expected one of {', '.join(CONDITIONS)}")


def make_cell(
    site: str, condition: str, shift: Mapping[str, Any] | None = None, **kwargs: Any
) -> gymnasium.Env[Any, Any]:
    """Returns the environment of a cell, or of one with another strength of its shift.

    Args:
        site: Site name, such as `wordpress`.
        condition: Condition, such as `tgt-exec`.
        shift: Arguments of the condition's wrapper in place of the preset's, such as `{"schedule": "periodic(3)"}`.
            The environment's condition is then `custom`.
        **kwargs: Arguments of `SkillShiftEnv`.

    Raises:
        UsageError: There is no such site or condition, or the condition has no shift to set.
    """
    if not shift:
        return gymnasium.make(env_id(site, condition), **kwargs)
    preset = condition_of(condition)
    if not preset.shift:
        raise UsageError(f"condition {condition!r} has no shift; expected one with `perc` or `exec`")
    spec = gymnasium.spec(env_id(site, condition))
    custom = replace(spec, kwargs={**spec.kwargs, "condition": "custom"}, additional_wrappers=preset.wrappers(**shift))
    return gymnasium.make(custom, **kwargs)


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
    """Registers every cell and the tabular worlds with Gymnasium."""
    for id, entry_point in TABULAR.items():
        gymnasium.register(id=id, entry_point=entry_point)
    for site in SITES:
        for condition, preset in CONDITIONS.items():
            gymnasium.register(
                id=env_id(site, condition),
                entry_point=ENTRY_POINT,
                kwargs={"site": site, "version": preset.version, "condition": condition},
                additional_wrappers=preset.wrappers(),
            )
