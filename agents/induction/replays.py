"""Replay tests: a trajectory up to its first call of a new skill, after which the agent goes on by itself."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from skillshift_gym import actions
from skillshift_gym.actions import SkillCall
from skillshift_gym.agents.base import Agent, Observation
from skillshift_gym.agents.executor import Executor
from skillshift_gym.agents.induction.chunks import Trace, chunks_of
from skillshift_gym.agents.induction.episodes import play
from skillshift_gym.agents.induction.lesson import Lesson
from skillshift_gym.evaluation.episode import TaskSpec
from skillshift_gym.evaluation.recorder import CallRecorder
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.goal_templates import arguments
from skillshift_gym.skills.skill import Evidence, Skill


class Case(NamedTuple):
    """One test.

    Attributes:
        trace: The episode that is rewritten.
        actions: The actions taken before the agent goes on, the call included; none where the episode has no such chunk.
    """

    trace: Trace
    actions: tuple[str, ...]


class Replay(NamedTuple):
    """What a test came to.

    Attributes:
        case: The test.
        solved: Whether all checks of the task held.
        called: Whether the new skill was called.
        effective: Whether a call of it had no error and changed the page.
        evidence: The episode.
    """

    case: Case
    solved: bool
    called: bool
    effective: bool
    evidence: Evidence


class Replays:
    """Plays tests of one lesson.

    Args:
        lesson: The lesson.
        agent: Makes the agent: (bank, backbone, **settings).

    Attributes:
        played: Tests played.
        steps: Actions taken in them.
    """

    def __init__(self, lesson: Lesson, agent: Callable[..., Executor]) -> None:
        self._lesson = lesson
        self._agent = agent
        self.played = 0
        self.steps = 0

    def play(self, bank: Bank, skill: Skill, case: Case) -> Replay:
        """Plays a test with the active skills of a bank and the new one.

        Args:
            bank: The bank.
            skill: The new skill, or the new version of one.
            case: The test.
        """
        trial = Bank(duplicates=True)
        for other in bank.skills.values():
            if other.name != skill.name:
                trial.add(other, "active")
        trial.add(skill.revised(status="active"), "under test")
        trial.freeze()
        agent = self._agent(trial, self._lesson.backbone, **self._lesson.settings)
        env = self._lesson.env(trial, agent.healing)
        try:
            episode = play(env, _Guided(agent, case.actions), case.trace.solved.episode.task, self._lesson.seed)
        finally:
            env.close()
        self.played += 1
        self.steps += len(episode.moves)
        calls = [m for m in episode.moves if isinstance(m.call, SkillCall) and m.call.name == skill.name]
        effective = any(m.effective and not m.error for m in calls)
        return Replay(case, episode.success, bool(calls), effective, episode.evidence)


class _Guided(Agent):
    """An agent whose first actions are given; it remembers them as its own.

    Args:
        agent: The agent.
        first: The actions.
    """

    def __init__(self, agent: Executor, first: Sequence[str]) -> None:
        self._agent = agent
        self._waiting = list(first)

    def reset(self, task: TaskSpec, recorder: CallRecorder) -> None:
        """Starts an episode."""
        self._agent.reset(task, recorder)

    def act(self, observation: Observation) -> str:
        """Returns the next given action, then those that the agent chooses."""
        if not self._waiting:
            return self._agent.act(observation)
        action = self._waiting.pop(0)
        self._agent.follow(observation, action)
        return action


def case_of(skill: Skill, key: str, trace: Trace, least: int, most: int) -> Case:
    """Returns the test of a skill on an episode: its actions up to the first chunk of this key, and the call in its place.

    Args:
        skill: The skill, which the goal of the episode gives its arguments.
        key: Key of the chunk.
        trace: The episode.
        least: Fewest acts of a chunk.
        most: Most acts of a chunk.
    """
    chunk = min((c for c in chunks_of(trace, least, most) if c.key == key), key=lambda c: c.start, default=None)
    if chunk is None:
        return Case(trace, ())
    given = arguments(skill, trace.solved.episode.goal) or {}
    call = SkillCall(skill.name, (), tuple(given.items()))
    return Case(trace, (*chunk.before, actions.format_action(call)))


def refusal(replays: Sequence[Replay]) -> str:
    """Returns why tests do not speak for a skill, empty when they do: every one solved, with calls that did something.

    Source: "Inducing Programmatic Skills for Agentic Tasks", section 2.3, which has one test: solved, and at least one
    call without error that changed the page. With several, a call that fails in any of them speaks against the skill,
    although the agent may get there by itself afterwards.

    Args:
        replays: The tests, that of the skill's own episode first.
    """
    if not any(r.called for r in replays):
        return "never called"
    if not any(r.effective for r in replays):
        return "no call without error that changed the page"
    if not all(r.solved for r in replays):
        return f"{'another instance' if replays[0].solved else 'its own task'} is no longer solved"
    if any(r.called and not r.effective for r in replays):
        return "the call fails on another instance"
    return ""
