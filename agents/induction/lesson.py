"""What a method is given to learn from, and what comes of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import gymnasium

from skillshift_gym.agents.executor import Executor
from skillshift_gym.agents.induction.episodes import Episode, play
from skillshift_gym.agents.induction.protocol import check_lessons
from skillshift_gym.agents.llm.model import Account, ChatModel
from skillshift_gym.registration import condition_of, env_id
from skillshift_gym.skills.bank import Bank

Progress = Callable[[Sequence[str]], Iterable[str]]
MAX_TOKENS = 2048  # of a reply of an inducer (published code of AWM)


class Sampling(NamedTuple):
    """How an inducer is asked.

    Attributes:
        temperature: Sampling temperature; None for the service's default.
        max_tokens: Greatest number of tokens of a reply; models that think aloud need more.
    """

    temperature: float | None = 0.0
    max_tokens: int = MAX_TOKENS


_USUAL = Sampling()


@dataclass(frozen=True)
class Lesson:
    """What a method learns from.

    Attributes:
        site: Site name.
        condition: Condition to learn in: `src`, or a target's for learning anew there.
        protocol: `heldout` or `published`.
        tasks: Ids of the tasks to learn on, all of the protocol's split.
        seed: Seed of everything drawn.
        backbone: Name of the backbone that plays.
        settings: Arguments of the backbone.
        progress: Shows progress over the tasks given to it.
        inducer: The chat model that writes the skills; None for the rules.
        sampling: How the inducer is asked.
    """

    site: str
    condition: str
    protocol: str
    tasks: tuple[str, ...]
    seed: int = 0
    backbone: str = "lexical"
    settings: Mapping[str, Any] = field(default_factory=dict)
    progress: Progress = lambda tasks: tasks
    inducer: ChatModel | None = None
    sampling: Sampling = _USUAL

    def __post_init__(self) -> None:
        condition_of(self.condition)
        check_lessons(self.tasks, self.protocol)

    def env(self, skills: Bank | None = None, healing: Mapping[str, Any] | None = None) -> gymnasium.Env[Any, Any]:
        """Returns an environment of the lesson's cell; the caller closes it."""
        return gymnasium.make(
            env_id(self.site, self.condition), skills=skills, healing=healing, disable_env_checker=True
        )

    def executor(self, bank: Bank | None = None) -> Executor:
        """Returns the executor that plays, with the skills of a bank."""
        return Executor(bank, self.backbone, **self.settings)

    def episodes(self) -> Iterable[Episode]:
        """Yields the lesson's episodes, played without skills, task by task."""
        env = self.env()
        try:
            for task in self.progress(self.tasks):
                yield play(env, self.executor(), task, self.seed)
        finally:
            env.close()


class Learned(NamedTuple):
    """What a method learned.

    Attributes:
        bank: The bank: active skills are what an agent is shown, those in testing are kept only.
        funnel: Stage -> how many, in order, such as episodes, solved, proposed, verified, accepted.
        reasons: Why candidates were not accepted -> how many.
        episodes: Episodes played, replay tests included.
        steps: Actions taken in them.
        account: What the requests to the inducer came to; None for the rules.
    """

    bank: Bank
    funnel: Mapping[str, int]
    reasons: Mapping[str, int]
    episodes: int
    steps: int
    account: Account | None = None
