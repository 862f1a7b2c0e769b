"""Episodes to learn from: played by an agent, with the page before each action, and cleaned of what did nothing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import gymnasium

from skillshift_gym import actions
from skillshift_gym.actions import Primitive, SkillCall
from skillshift_gym.agents.base import Agent
from skillshift_gym.env import SkillShiftEnv
from skillshift_gym.errors import MalformedAction
from skillshift_gym.evaluation.episode import task_spec
from skillshift_gym.evaluation.recorder import CallRecorder
from skillshift_gym.page import Page, build_page
from skillshift_gym.skills.recorder import Step, dismisses
from skillshift_gym.skills.skill import Evidence

MESSAGE = "send_msg_to_user"


class Move(NamedTuple):
    """One action of an episode.

    Attributes:
        page: The page it was taken on. Its semantic ids go into locators for judging only; no method reads them.
        call: The action; None when it could not be read.
        action: Its text.
        error: Code of its failure, empty without one.
        effective: Whether the page shown after it is another (or the task ended by a message).
        skill: What `info` says of a skill call, empty for a primitive.
    """

    page: Page
    call: Primitive | SkillCall | None
    action: str
    error: str
    effective: bool
    skill: dict[str, Any]


class Episode(NamedTuple):
    """A finished episode.

    Attributes:
        task: Task id.
        site: Site name.
        condition: Condition name.
        split: Split of the task.
        goal: What the user asked for.
        seed: Seed of the episode.
        moves: Its actions.
        last: The page at the end.
        success: Whether all checks held.
    """

    task: str
    site: str
    condition: str
    split: str
    goal: str
    seed: int
    moves: tuple[Move, ...]
    last: Page
    success: bool

    @property
    def family(self) -> str:
        """Id of the task's family."""
        return self.task.partition("#")[0]

    @property
    def evidence(self) -> Evidence:
        """The episode as evidence of a skill."""
        return Evidence(
            task=self.task, site=self.site, condition=self.condition, split=cast(Any, self.split), seed=self.seed,
            episode=f"{self.condition} {self.task}",
        )  # fmt: skip

    @property
    def answer(self) -> str:
        """The message sent, empty without one."""
        said = [m.call.args[0] for m in self.moves if isinstance(m.call, Primitive) and m.call.name == MESSAGE]
        return str(said[-1]) if said else ""


def play(
    env: gymnasium.Env[Any, Any], agent: Agent, task: str, seed: int = 0, actions_first: Sequence[str] = ()
) -> Episode:
    """Plays an episode and returns it.

    Args:
        env: An environment around a `SkillShiftEnv`, with whatever skills the agent may call.
        agent: The agent.
        task: Task id.
        seed: Seed of the episode.
        actions_first: Actions taken before the agent takes over, as in a replay test; the agent does not see them.
    """
    base = cast(SkillShiftEnv, env.unwrapped)
    observation, info = env.reset(seed=seed, options={"task": task})
    agent.reset(task_spec(env, info), CallRecorder())
    waiting = list(actions_first)
    moves: list[Move] = []
    over = False
    while not over:
        page, before = base.page, _shown(base.page)
        action = waiting.pop(0) if waiting else agent.act(observation)
        observation, _, terminated, truncated, info = env.step(action)
        over = terminated or truncated
        effective = _shown(base.page) != before or bool(info["message"])
        moves.append(Move(page, _call(action), action, info["error"], effective, dict(info["skill"])))
    return Episode(
        task, info["site"], info["condition"], info["split"], base.task.goal, seed, tuple(moves), base.page, bool(info["success"])
    )  # fmt: skip


def steps_of(episode: Episode) -> list[Step]:
    """Returns the steps that led to the end: without failures, blockers dismissed, waiting, and ways gone and come back.

    Where the same page was shown twice, what lay between is left out.
    """
    kept: list[tuple[Step, tuple[str, str]]] = []
    for move in episode.moves:
        if move.error or not isinstance(move.call, Primitive) or move.call.name == "noop":
            continue
        step = Step(move.page, move.call)
        if dismisses(step) or not (move.effective or move.call.name == MESSAGE):
            continue
        shown = _shown(move.page)
        again = next((i for i, (_, earlier) in enumerate(kept) if earlier == shown), len(kept))
        kept = [*kept[:again], (step, shown)]
    return [step for step, _ in kept]


def _shown(page: Page) -> tuple[str, str]:
    """Returns what a page shows; having moved the focus is no deed, as in the outcome of a call."""
    return page.url, build_page(page.snapshot._replace(focus=-1)).axtree


def _call(action: str) -> Primitive | SkillCall | None:
    try:
        return actions.parse(action)
    except MalformedAction:
        return None
