"""Exploring a site without a task: pages opened, primitives performed and programs called in episodes that are thrown away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from types import TracebackType
from typing import Any, NamedTuple, Self, cast
from urllib.parse import urlsplit

import gymnasium

from skillshift_gym import actions
from skillshift_gym.actions import SkillCall
from skillshift_gym.agents.induction.lesson import Lesson
from skillshift_gym.agents.induction.ways import Way, Ways
from skillshift_gym.env import SkillShiftEnv
from skillshift_gym.page import Page
from skillshift_gym.registration import env_id
from skillshift_gym.skills.addresses import made_anew, stable_heads
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.skill import Evidence, Skill
from skillshift_gym.tasks import registry

_BUDGET = 100_000  # an exploring episode ends when it is thrown away


class Call(NamedTuple):
    """What a call of a program came to, as far as a method can see it.

    Attributes:
        code: The observed code.
        detail: What went wrong, in words.
        line: Line of the program that failed, 0 when none did.
        heals: Targets that were not found as stored.
        before: The page before it.
        after: The page after it.
    """

    code: str
    detail: str
    line: int
    heals: int
    before: Page
    after: Page

    @property
    def changed(self) -> bool:
        """Whether another page is shown than before."""
        return shown(self.before) != shown(self.after)


class Explorer:
    """A browser on a lesson's site. The lesson's tasks are start pages and nothing else: their goals are not read.

    Args:
        lesson: The lesson.
        healing: How the method's programs find their targets.

    Attributes:
        episodes: Episodes begun.
        steps: Actions taken.
        ways: What leads where, of all pages shown so far.
    """

    def __init__(self, lesson: Lesson, healing: Mapping[str, Any] | None = None) -> None:
        self._lesson = lesson
        self._scratch = Bank(duplicates=True)
        self._env: gymnasium.Env[Any, Any] = gymnasium.make(
            env_id(lesson.site, lesson.condition), skills=self._scratch, healing=healing, budget=_BUDGET, terminate_on="answer",
            disable_env_checker=True,
        )  # fmt: skip
        self._over = True
        self.task = ""
        self.episodes = 0
        self.steps = 0
        self.ways = Ways()
        self._sought: set[str] = set()  # tasks at whose start page an entrance was looked for

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._env.close()

    @property
    def page(self) -> Page:
        """The page shown. Its semantic ids go into locators for judging only; no method reads them."""
        return cast(SkillShiftEnv, self._env.unwrapped).page

    @property
    def route(self) -> str:
        """The address of the page shown, as programs say it."""
        return route_of(self.page.url)

    @property
    def evidence(self) -> Evidence:
        """The present episode as evidence of a skill."""
        task = registry.task_of(self.task)
        return Evidence(
            task=self.task, site=self._lesson.site, condition=self._lesson.condition, split=cast(Any, task.split),
            seed=self._lesson.seed, episode=f"exploration from {self.task}",
        )  # fmt: skip

    def begin(self, task: str) -> Page:
        """Starts an episode at the start page of a task, with the site as it was seeded, and returns the page."""
        self._env.reset(seed=self._lesson.seed, options={"task": task})
        self.task, self.episodes, self._over = task, self.episodes + 1, False
        self.ways.begun(self.route)
        self.ways.look(self.route, self.page)
        return self.page

    def way_to(self, task: str, route: str) -> Way | None:
        """Returns how a page is reached in any session, None when no way is known.

        Args:
            task: The task whose start page an episode begins on.
            route: The page's route.
        """
        if made_anew(route) and not self.ways.entered and task not in self._sought:
            self._sought.add(task)
            self._find_entrance(task)
        return self.ways.to(route)

    def _find_entrance(self, task: str) -> None:
        """Looks for an address that lasts and opens a page of the site: one that the start page's own address begins with."""
        self.begin(task)
        for head in stable_heads(self.route):
            if self.do("goto", head) and self.ways.knows(self.route):
                self.ways.enter(head, self.route)
                return

    def do(self, name: str, *args: Any) -> bool:
        """Performs a primitive, and returns whether it went well."""
        return not self._step(actions.format_action(actions.primitive(name, *args)))["error"]

    def call(self, skill: Skill, given: Mapping[str, Any]) -> Call:
        """Calls a skill that need not be in any bank."""
        before = self.page
        self._scratch.add(skill.revised(status="active"), "tried")
        info = self._step(actions.format_action(SkillCall(skill.name, (), tuple(given.items()))))["skill"]
        self._scratch.delete(skill.name, "tried")
        heals = sum(n for verdict, n in info["heals"].items() if verdict != "by")
        return Call(info["observed"], info["detail"], info["line"], heals, before, self.page)

    def _step(self, action: str) -> dict[str, Any]:
        if self._over:
            self.begin(self.task)
        self.steps += 1
        _, _, terminated, truncated, info = self._env.step(action)
        self._over = terminated or truncated
        self.ways.look(self.route, self.page)
        return info


def start_pages(lesson: Lesson, explorer: Explorer) -> dict[str, str]:
    """Returns route -> task, of the different start pages of a lesson, those that most tasks have first."""
    routes: Counter[str] = Counter()
    tasks: dict[str, str] = {}
    for task in lesson.tasks:
        route = route_of(explorer.begin(task).url)
        routes[route] += 1
        tasks.setdefault(route, task)
    return {route: tasks[route] for route, _ in sorted(routes.items(), key=lambda r: (-r[1], r[0]))}


def route_of(url: str) -> str:
    """Returns an address without its host and fragment, as programs say it."""
    parts = urlsplit(url)
    return (parts.path or "/") + (f"?{parts.query}" if parts.query else "")


def shown(page: Page) -> tuple[str, str]:
    """Returns what tells one page from another for whoever reads it."""
    return page.url, page.axtree
