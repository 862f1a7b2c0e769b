"""The arms of a stream of web episodes: the prior, MPCR and SWOP, with what each carries from episode to episode."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

from skillshift_gym.agents.base import Observation
from skillshift_gym.agents.mpcr import MPCR, Outcome
from skillshift_gym.agents.swop.agent import ADAPTIVE, SWOP, Carrying, Experience
from skillshift_gym.agents.swop.situations import executed
from skillshift_gym.evaluation.episode import TaskSpec
from skillshift_gym.evaluation.recorder import CallRecorder
from skillshift_gym.skills.bank import Bank

CARRIED = 50  # outcomes that MPCR keeps when its window outlives an episode; ours, about eight episodes


class StreamMPCR(MPCR):
    """MPCR in a stream.

    Args:
        carried: Whether its window of outcomes goes on in the next episode, as SWOP's does; MPCR itself starts anew.
        **settings: Arguments of `MPCR`.
    """

    def __init__(self, bank: str | Path | Bank | None = None, *, carried: bool = False, **settings: Any) -> None:
        super().__init__(bank, **settings)
        self._carried = carried
        self._held: list[Outcome] = []

    def reset(self, task: TaskSpec, recorder: CallRecorder) -> None:
        """Starts the next episode."""
        super().reset(task, recorder)
        self._outcomes.extend(self._held)
        self._own: list[Outcome] = []
        self._seen: Observation = {}

    def act(self, observation: Observation) -> str:
        """Returns the action of the best candidate that can be carried out."""
        action = super().act(observation)
        self._seen = dict(observation)
        return action

    def ended(self, observation: Observation) -> list[Any]:
        """Notes the last outcome, and returns those of the episode when they are carried."""
        if not self._carried:
            return []
        if self._waiting is not None:
            key, page, action, _ = self._waiting
            self._own.append(Outcome(key, page, action, executed(action, self._seen, observation)))
        evidence = [[list(o.key), o.page, o.action, o.ok] for o in self._own]
        self.recall(evidence)
        return evidence

    def recall(self, evidence: Sequence[Any]) -> None:
        """Takes up the outcomes of an episode."""
        outcomes = [Outcome(tuple(key), page, action, ok) for key, page, action, ok in evidence]
        self._held = [*self._held, *outcomes][-self._width :]

    def _noted(self, observation: Observation) -> None:
        super()._noted(observation)
        if self._waiting is not None:
            self._own.append(self._outcomes[-1])


class Arm(NamedTuple):
    """An arm.

    Attributes:
        text: What it is.
        mpcr: Whether it is MPCR.
        carried: Whether MPCR's window outlives an episode.
        window: SWOP's: `oracle` for W*, `ADAPTIVE`, empty for none; `off` plays the prior.
        prior: Whether SWOP has the prior.
        likeliest: Whether SWOP plays its likeliest class; else it draws one.
    """

    text: str
    mpcr: bool = False
    carried: bool = False
    window: str = "off"
    prior: bool = True
    likeliest: bool = True


PRIOR = "prior"
ORACLE = "oracle"
ARMS = {
    PRIOR: Arm("the executor with its bank: always its first choice"),
    "mpcr": Arm("MPCR, a window of 5 outcomes of the episode", mpcr=True),
    "mpcr-carried": Arm(f"MPCR, a window of {CARRIED} outcomes across episodes", mpcr=True, carried=True),
    "swop": Arm("SWOP, window W*, plays its likeliest class", window=ORACLE),
    "swop-draws": Arm("SWOP, window W*, draws from its policy", window=ORACLE, likeliest=False),
    "swop-no-window": Arm("SWOP, all episodes count, temperature of W*", window=""),
    "swop-adaptive": Arm("SWOP, window by change point; knows no budget", window=ADAPTIVE),
    "no-prior": Arm("SWOP, window W*, all classes alike", window=ORACLE, prior=False),
}


class Limits(NamedTuple):
    """What is known of a stream before it begins.

    Attributes:
        episodes: K.
        steps: The most steps of all episodes together.
        window: W*.
        seed: Seed of the draws.
    """

    episodes: int
    steps: int
    window: int
    seed: int


def make_arm(name: str, bank: Bank, proposer: str, limits: Limits) -> Carrying:
    """Returns the agent of an arm, without evidence.

    Args:
        name: Key of `ARMS`.
        bank: The frozen bank of the site.
        proposer: The executor that all arms choose from.
        limits: What is known of the stream.
    """
    arm = ARMS[name]
    if arm.mpcr:
        width = {"window": CARRIED} if arm.carried else {}
        return StreamMPCR(bank, carried=arm.carried, proposer=proposer, **width)
    window: int | str | None = {ORACLE: limits.window, "": None}.get(arm.window, arm.window)
    experience = None
    if arm.window != "off":
        beta = None if arm.window == ADAPTIVE else limits.window**-0.5
        experience = Experience(limits.episodes, limits.steps, window, beta)
    return SWOP(bank, proposer, experience=experience, prior=arm.prior, likeliest=arm.likeliest, seed=limits.seed)
