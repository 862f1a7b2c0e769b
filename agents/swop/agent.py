"""SWOP on websites: an executor whose kinds of actions are reweighed by how often they did what they name of late.

Source: "SkillShift-Bench", section 4.1, in words only; what follows is our definition. States and actions are the classes of
`situations`; a step pays 1 if the action did what it names (`situations.executed`). Before each episode

    q(s, a) = min(1, r^(s, a) + b(s, a)),   pi(a | s, o) ~ pi0(a | o) exp(q(s, a) / beta)

with averages r^ and bonus b of the last W episodes, as in `planner` with H = 1: this is the paper's special case, in which
rewards drift and nothing else. A longer horizon would add up executability over the steps of an episode, and so pay for not
finishing it. The prior pi0(a | o) is what the executor prefers on this very page. Two ways to play it, both ours:

- likeliest class (default): pi0 ~ 1 / (1 + rank) over the classes offered, as MPCR weighs ranks, and the class with the
  largest pi is played. Without evidence this is the executor.
- a draw from pi: pi0 gives the executor's first choice all but `P_MIN` for each other class, since a draw from a softer
  prior would be a worse executor. This is the definition to the letter; at the temperatures of short streams no evidence
  outweighs so sharp a prior: beta log(1 / P_MIN) is about 1 for W = 15, the most that two actions can differ by.

Evidence is carried from episode to episode, so the agent lives in a stream of episodes (`web_stream`), one after another.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from skillshift_gym.agents.base import Observation
from skillshift_gym.agents.executor import Proposal
from skillshift_gym.agents.swop.memory import History, Windows
from skillshift_gym.agents.swop.planner import SCALE, beliefs, log_term, temperature
from skillshift_gym.agents.swop.rollout import drawn
from skillshift_gym.agents.swop.situations import ACTIONS, STATES, executed, options, situation
from skillshift_gym.agents.swop.soft import choose
from skillshift_gym.agents.swop.windows import ChangePoint, Rule, View
from skillshift_gym.agents.wrapping import Wrapping
from skillshift_gym.evaluation.episode import TaskSpec
from skillshift_gym.evaluation.recorder import CallRecorder
from skillshift_gym.keyed import unit
from skillshift_gym.skills.bank import Bank
from skillshift_gym.tabular.model import Floats

SHAPE = (1, STATES, len(ACTIONS))
P_MIN = 0.02  # prior probability of each class that the executor does not choose
ADAPTIVE = "adaptive"
Step = tuple[int, int, int]  # state, action class, reward


def add_step(history: History, state: int, action: int, reward: int) -> None:
    """Adds a step to a history of shape `SHAPE`; what comes after it is left open, since rewards alone drift."""
    number = [np.array([[n]], dtype=np.int64) for n in (state, action, 0)]
    history.append(number[0], number[1], np.array([[float(reward)]]), number[2])


class _Episodes:
    """A rule whose window is the steps of the last W episodes."""

    def __init__(self, history: History, starts: Sequence[int], window: int | None) -> None:
        self._windows, self._starts, self._size = Windows(history, np.array([0])), starts, window
        self._beta = temperature(np.array([window if window is not None else max(1, len(history.codes))]))

    def view(self, draws: Floats) -> View:
        past = self._starts[:-1]  # the last start is that of the episode to come
        size = len(past) if self._size is None else self._size
        self._windows.move(np.array([past[-size] if 0 < size <= len(past) else 0]))
        return View(self._windows.sums, self._beta, np.array([False]))

    def learn(self, returns: Floats) -> None:
        """Learns nothing."""


class Experience:
    """What SWOP saw in a stream, and the values that it plans with.

    Args:
        episodes: K, the most episodes.
        steps: The most steps of all episodes together.
        window: W >= 1 in episodes; None for all, `ADAPTIVE` for one that ends where a change is found.
        beta: Temperature; W^{-1/2} by default.
    """

    def __init__(self, episodes: int, steps: int, window: int | str | None, beta: float | None = None) -> None:
        self._history, self._starts = History(1, steps, SHAPE), [0]
        self._log_term = log_term(SHAPE, episodes)
        self._beta = beta
        self._rule: Rule
        if window == ADAPTIVE:
            self._rule = ChangePoint(self._history, np.array([0]))
        else:
            self._rule = _Episodes(self._history, self._starts, None if window is None else int(window))

    @property
    def episode(self) -> int:
        """Number of the episode to come, from 0."""
        return len(self._starts) - 1

    def values(self, draw: float) -> tuple[Floats | None, float]:
        """Returns optimistic executability q(s, a), (S, A), in [0, 1], or None where the prior is to be played, and beta.

        Args:
            draw: Uniform in [0, 1).
        """
        view = self._rule.view(np.array([draw]))
        seen = beliefs(view.sums, SCALE, self._log_term)
        beta = float(view.beta[0]) if self._beta is None else self._beta
        return None if view.explore[0] else np.minimum(1.0, seen.reward + seen.bonus)[0, 0], beta

    def add(self, steps: Sequence[Sequence[int]]) -> None:
        """Adds the steps of an episode."""
        for state, action, reward in steps:
            add_step(self._history, state, action, reward)
            self._rule.learn(np.array([float(reward)]))
        self._starts.append(self._history.now)


class Carrying(Protocol):
    """An agent of a stream: what it saw in an episode can be written down, and taken up again."""

    def reset(self, task: TaskSpec, recorder: CallRecorder) -> None:
        """Starts the next episode."""

    def act(self, observation: Observation) -> str:
        """Returns the next action."""

    def ended(self, observation: Observation) -> list[Any]:
        """Takes the last observation of an episode, and returns what of the episode is evidence for later ones."""

    def recall(self, evidence: Sequence[Any]) -> None:
        """Takes up the evidence of an episode that was played before."""


class SWOP(Wrapping):
    """Plays a stream of episodes by the prior and the evidence of a window of episodes.

    Args:
        bank: The frozen bank.
        proposer: The executor whose preference is the prior: a short name or `module:Attribute`.
        experience: Evidence; None plays the prior's first choice always, and only notes what becomes of it.
        prior: Whether the executor's preference counts; without it all classes that are offered are alike.
        likeliest: Whether the likeliest class is played; else one is drawn from the policy.
        seed: Seed of the draws.
        **settings: Arguments of the proposer.

    Raises:
        UsageError: The proposer is no executor.
    """

    def __init__(
        self, bank: str | Path | Bank | None = None, proposer: str = "executor", *, experience: Experience | None = None,
        prior: bool = True, likeliest: bool = True, seed: int = 0, **settings: Any,
    ) -> None:  # fmt: skip
        super().__init__(bank, proposer, **settings)
        self._experience, self._prior, self._likeliest, self._seed = experience, prior, likeliest, seed
        self._episode = -1

    def reset(self, task: TaskSpec, recorder: CallRecorder) -> None:
        """Starts the next episode of the stream."""
        super().reset(task, recorder)
        self._episode += 1
        self._steps: list[Step] = []
        self._taken: tuple[int, int, str, Observation] | None = None
        self._values, self._beta = None, 1.0
        if self._experience is not None:
            self._values, self._beta = self._experience.values(unit("swop explores", self._seed, self._episode))

    def act(self, observation: Observation) -> str:
        """Returns the action of the class that is drawn."""
        failed = self._noted(observation)
        proposals = self._agent.propose(observation)
        offered = options(observation, proposals)
        state = situation(observation, offered, failed).state
        action = self._chosen(state, offered, proposals[0])
        self.counts.update(self._agent.counts - self.counts)
        self.counts["left_prior"] += offered[action] is not proposals[0]
        self._taken = state, action, offered[action].candidate.action, dict(observation)
        return self._agent.take(offered[action])

    def ended(self, observation: Observation) -> list[Any]:
        """Notes the last step, and returns (state, class, reward) of each."""
        self._noted(observation)
        if self._experience is not None:
            self._experience.add(self._steps)
        return [list(step) for step in self._steps]

    def recall(self, evidence: Sequence[Any]) -> None:
        """Takes up the steps of an episode that was played before."""
        self._episode += 1
        if self._experience is not None:
            self._experience.add(evidence)

    def _noted(self, observation: Observation) -> bool:
        """Enters what became of the last action, and returns whether it failed."""
        if self._taken is None:
            return False
        state, action, text, before = self._taken
        self._taken = None
        done = executed(text, before, observation)
        self._steps.append((state, action, int(done)))
        return not done

    def _chosen(self, state: int, offered: Mapping[int, Proposal], first: Proposal) -> int:
        """Returns the class to play."""
        if self._experience is None:
            return next(c for c, proposal in offered.items() if proposal is first)
        classes = sorted(offered, key=lambda c: offered[c].rank)
        q = self._values[state, classes] if self._values is not None else np.zeros(len(classes))
        policy = choose(q, self._reference(len(classes)), np.array(self._beta)).policy
        if self._likeliest:
            return classes[int(policy.argmax())]
        draw = unit("swop draws", self._seed, self._episode, len(self._steps))
        return classes[int(drawn(policy[None], np.array([draw]))[0])]

    def _reference(self, count: int) -> Floats:
        """Returns the prior of so many classes, the executor's first choice first."""
        if not self._prior:
            return np.full(count, 1 / count)
        if self._likeliest:
            ranks = 1 / np.arange(1.0, count + 1)
            shares: Floats = ranks / ranks.sum()
            return shares
        return np.array([1 - P_MIN * (count - 1)] + [P_MIN] * (count - 1))
