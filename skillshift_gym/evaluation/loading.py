"""Agents by name: what the runner needs of one, and where it is found."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from importlib import import_module
from typing import Any, Protocol

from ..errors import UsageError
from .recorder import CallRecorder

# Short names of the agents that come with the package.
AGENTS = {
    "reference": "skillshift_gym.agents.reference:ReferenceAgent",
    "executor": "skillshift_gym.agents.executor:Executor",
    "awm": "skillshift_gym.agents.awm:AWM",
    "asi": "skillshift_gym.agents.asi:ASI",
    "skillweaver": "skillshift_gym.agents.skillweaver:SkillWeaver",
    "walt": "skillshift_gym.agents.walt:WALT",
    "mpcr": "skillshift_gym.agents.mpcr:MPCR",
    "retry": "skillshift_gym.agents.retry:Retry",
}

METHODS = ("awm", "asi", "skillweaver", "walt")  # those that learn


class Agent(Protocol):
    """What the runner needs of an agent; see `skillshift_gym.agents.base`."""

    has_skills: bool

    def reset(self, task: Any, recorder: CallRecorder) -> None:
        """Starts an episode."""
        ...

    def act(self, observation: dict[str, Any]) -> str:
        """Returns the next action."""
        ...


def load_agent(name: str, **kwargs: Any) -> Agent:
    """Returns a new agent.

    Args:
        name: A short name of `AGENTS`, or `module:Attribute`.
        **kwargs: Arguments of its constructor.

    Raises:
        UsageError: There is no such agent.
    """
    return agent_factory(name)(**kwargs)


def check_agent(name: str, **kwargs: Any) -> None:
    """Makes sure that an agent can be imported and takes the arguments.

    Raises:
        UsageError: It cannot, or does not.
    """
    factory = agent_factory(name)
    try:
        inspect.signature(factory).bind(**kwargs)
    except TypeError as error:
        raise UsageError(f"agent {name!r}: {error}") from None
    except ValueError:  # a constructor without a signature
        return
    if name in AGENTS:  # ours cost nothing to make, and know more about their arguments than a signature says
        factory(**kwargs)


def agent_factory(name: str) -> Callable[..., Agent]:
    """Returns what makes an agent.

    Raises:
        UsageError: There is no such agent.
    """
    path = AGENTS.get(name, name)
    module, separator, attribute = path.partition(":")
    if not separator:
        raise UsageError(f"agent {name!r}: expected one of {', '.join(AGENTS)}, or module:Attribute")
    try:
        factory: Callable[..., Agent] = getattr(import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise UsageError(f"agent {name!r} cannot be imported: {error}") from None
    if not callable(factory):
        raise UsageError(f"agent {name!r} cannot be called")
    return factory
