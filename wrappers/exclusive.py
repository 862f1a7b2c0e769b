"""Installing shifts: perceptual and execution together are no condition of the benchmark."""

from __future__ import annotations

from typing import Any

import gymnasium

from skillshift_gym.env import SkillShiftEnv
from skillshift_gym.errors import UsageError
from skillshift_gym.shift import Shift


def install(env: gymnasium.Env[Any, Any], shift: Shift, *, allow_both: bool) -> None:
    """Installs a shift in the environment inside a stack.

    Args:
        env: The stack.
        shift: The shift.
        allow_both: Whether it may stand beside another kind of shift; the condition is then `custom`.

    Raises:
        UsageError: There is no web environment inside, or another kind of shift is installed.
    """
    base = env.unwrapped
    if not isinstance(base, SkillShiftEnv):
        raise UsageError(f"{shift.name} shift: expected a SkillShiftEnv inside, got {type(base).__name__}")
    others = [s.name for s in base.shifts if s.name != shift.name]
    if others and not allow_both:
        raise UsageError(
            f"{shift.name} shift: a {others[0]} shift is installed, and both together are no condition of the benchmark; "
            "pass allow_both=True for a custom one"
        )
    if others:
        base.condition = "custom"
    base.install(shift)
