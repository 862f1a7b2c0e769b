"""The web environment.

One step, as data flows: action string -> `actions.parse` -> primitive -> shifts -> browser -> site -> page ->
observation. A bad action is an error in the observation, never an exception.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

import gymnasium
from gymnasium.envs.registration import EnvSpec

from .actions import Primitive, SkillCall
from .browsers import registry as browsers
from .calling import Assistant, Given, LiveSpec, Skills, Stage
from .document import PageFilter
from .episode import EpisodeState, SavedEnv, Verdict, check_options, reset_options
from .errors import ActionError, UsageError
from .observation import FIELDS, View, observation_space, observe
from .page import Page
from .performing import perform
from .shift import Episode, Shift
from .sites import registry as sites
from .sites.protocol import Site
from .spaces import ActionText
from .tasks import registry
from .tasks.family import Task

Observation = dict[str, Any]


class SkillShiftEnv(gymnasium.Env[Observation, str]):
    """A task on a website.

    ## Action
    A string: one call of the grammar in `skillshift_gym.actions`, such as `click('12')`.

    ## Observation
    A dictionary of the fields of `skillshift_gym.observation.FIELDS`.

    ## Reward
    1.0 on the last step when all checks of the task hold, else 0.0.

    ## End
    | `terminate_on` | task has an answer check | terminated | truncated |
    |---|---|---|---|
    | `success` | no | a message, a report of infeasibility, or the first step whose checks hold | budget used up |
    | `success` | yes | a message or a report of infeasibility | budget used up |
    | `answer` | either | a message or a report of infeasibility | budget used up |

    The checks are judged at the end: at a message, at a step that ends the episode, and once at truncation.

    Args:
        site: Site name, such as `wordpress`.
        version: Front end, `v1` (source) or `v2` (target).
        condition: Name of the cell's condition, written to `info`.
        browser: `dom` (in process, no JavaScript) or `chromium` (a real one, through Playwright).
        budget: `task` for the task's own budget, or a number of actions.
        terminate_on: `success` or `answer`, as in the table above.
        observation: Names of the observation fields; all by default.
        split: Split that tasks are drawn from when `reset` names none.
        multi_action: Whether a string may hold several lines; each counts as one action.
        skills: Bank of callable skills: a path or JSON text, or a live bank (the spec then has no JSON form). A call is one
            action.
        healing: How skills find their targets: settings of `skills.policy.Policy`.
        render_mode: `ansi`, `rgb_array` (a browser that draws: `chromium`) or None.

    Raises:
        UsageError: An argument is wrong.
        SiteNotReady: The site or version does not exist.
    """

    metadata: dict[str, Any] = {"render_modes": ["ansi", "rgb_array"], "render_fps": 4}

    def __init__(
        self,
        site: str,
        version: str = "v1",
        *,
        condition: str = "custom",
        browser: str = "dom",
        budget: str | int = "task",
        terminate_on: str = "success",
        observation: Sequence[str] = tuple(FIELDS),
        split: str = "bench",
        multi_action: bool = False,
        skills: Given = None,
        healing: Mapping[str, Any] | None = None,
        render_mode: str | None = None,
    ) -> None:
        check_options(terminate_on, budget, render_mode, self.metadata["render_modes"])
        registry.task_ids(site, split)
        self.skills = Skills(skills, healing)
        self.assistant: Assistant | None = None
        self.condition = condition
        self.render_mode = render_mode
        self._site_name, self._version = site, version
        self._budget = budget
        self._terminate_on = terminate_on
        self.observation_space = observation_space(observation)
        self._fields = tuple(observation)
        self._split = split
        self._multi_action = multi_action
        self._sites: dict[str, Site] = {}
        self._site_of(version)
        self._browser = browsers.create(browser)
        if render_mode == "rgb_array" and not hasattr(self._browser, "screenshot"):
            raise UsageError(f"render_mode 'rgb_array': browser {browser!r} draws nothing; use browser='chromium'")
        self._spec: EnvSpec | None = None
        self._shifts: list[Shift] = []
        self._state: EpisodeState | None = None
        self.action_space = ActionText()

    @property
    def spec(self) -> EnvSpec | None:
        """The spec that `gymnasium.make` gives; with a live bank, its `to_json` raises and says why."""
        return self._spec

    @spec.setter
    def spec(self, spec: EnvSpec | None) -> None:
        if spec is not None and self.skills.live:
            spec.__class__ = LiveSpec
        self._spec = spec

    @property
    def task(self) -> Task:
        """The task of the episode."""
        return self._episode.task

    @property
    def version(self) -> str:
        """The front end episodes run on unless `reset` says otherwise."""
        return self._version

    @property
    def site(self) -> Site:
        """The site of the episode."""
        return self._site_of(self._episode.version)

    @property
    def page(self) -> Page:
        """The page shown, semantic ids included: for oracles and checks, not for agents."""
        return self._browser.page()

    @property
    def shifts(self) -> tuple[Shift, ...]:
        """The shifts installed, in order."""
        return tuple(self._shifts)

    def clearing(self) -> str:
        """Returns an action that brings a blocker closer to its end, empty when nothing blocks the page: for oracles."""
        page = self._browser.page()
        return next((action for shift in self._shifts if (action := shift.clearing(page))), "")

    def install(self, shift: Shift) -> None:
        """Adds a shift, in place of one of the same name; it begins with the next `reset`."""
        self._shifts = [s for s in self._shifts if s.name != shift.name] + [shift]

    def uninstall(self) -> None:
        """Removes all shifts, from the next `reset` on."""
        self._shifts = []

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts an episode.

        Args:
            seed: Seed of the episode; without one, it is drawn from the environment's generator.
            options: `task` (an id, `wordpress.17` or `wordpress.17#5`), `split` (drawn from when no task is named, else
                the one the task must be of), `version` (`v1` or `v2`, in place of the id's).

        Raises:
            UsageError: An option does not exist.
            TaskError: The task or split does not exist, or the task belongs to another site.
            SiteNotReady: The version does not exist.
        """
        super().reset(seed=seed)
        chosen = reset_options(options, self._version)
        own_seed = seed if seed is not None else int(self.np_random.integers(2**31))
        task = registry.choose(self._site_name, chosen["task"], chosen["split"], own_seed, self._split)
        self._site_of(chosen["version"])
        limit = task.budget if self._budget == "task" else cast(int, self._budget)
        self._state = EpisodeState(own_seed, task, chosen["version"], limit)
        self._start()
        return self._result(Verdict())

    def step(self, action: str) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Takes one action (or several lines, with `multi_action`).

        Raises:
            gymnasium.error.ResetNeeded: The episode is over, or none has begun.
        """
        state = self._state
        if state is None or state.over:
            raise gymnasium.error.ResetNeeded("the episode is over: call reset() before step()")
        number = self._browser.document_number
        self._browser.page()  # bids refer to the page as it is now
        for call in state.read(action, multi=self._multi_action):
            state.steps += 1
            self._perform(call, number)
            if state.end or state.error or state.spent:
                break
        verdict = state.judge(self._browser.page(), self.site, at_once=self._terminate_on == "success")
        state.over = verdict.terminated or verdict.truncated
        observation, info = self._result(verdict)
        return observation, float(verdict.success), verdict.terminated, verdict.truncated, info

    def render(self) -> Any:
        """Returns the page as text in mode `ansi`, as an array (720, 1280, 3) in mode `rgb_array`."""
        if self.render_mode is None:
            return None
        if self.render_mode == "rgb_array":
            return cast(Any, self._browser).screenshot()
        state, page = self._episode, self._browser.page()
        return f"{state.task.goal}\n{page.url}\n{page.axtree}\n> {state.last_action} {state.error_text}"

    def close(self) -> None:
        """Frees the browser; may be called twice."""
        self._browser.close()

    def save(self) -> SavedEnv:
        """Returns an immutable copy of the episode; see `skillshift_gym.snapshot`."""
        shifts = tuple(s.save() for s in self._shifts)
        random = dict(self.np_random.bit_generator.state)
        return SavedEnv(self.site.save(), self._browser.save(), shifts, replace(self._episode), random)

    def restore(self, saved: SavedEnv) -> None:
        """Returns to a saved episode."""
        self._state = replace(saved.state)
        self.np_random.bit_generator.state = saved.random
        self.site.restore(saved.site)
        for shift, state in zip(self._shifts, saved.shifts, strict=True):
            shift.restore(state)
        self._browser.reset(self.site, self._filters())
        self._browser.restore(saved.browser)

    @property
    def _episode(self) -> EpisodeState:
        if self._state is None:
            raise gymnasium.error.ResetNeeded("no episode has begun: call reset() first")
        return self._state

    def _site_of(self, version: str) -> Site:
        """Returns the site in a version, made when first needed."""
        if version not in self._sites:
            self._sites[version] = sites.create(self._site_name, version)
        return self._sites[version]

    def _start(self) -> None:
        """Brings site, shifts and browser to the start of the episode."""
        state = self._episode
        self.site.reset()
        slack = max(0, state.limit - registry.oracle_length(state.task, state.version))
        for shift in self._shifts:
            shift.begin(Episode(state.seed, state.task.id, slack))
        self._browser.reset(self.site, self._filters())
        self._browser.goto(self.site.origin + state.task.start_path(state.version))
        for shift in self._shifts:
            shift.after(None, self._browser.page(), self._browser)

    def _filters(self) -> tuple[PageFilter, ...]:
        return tuple(f for shift in self._shifts for f in shift.filters())

    def _perform(self, call: Primitive | SkillCall, observed: int) -> None:
        state = self._episode
        if isinstance(call, Primitive):
            state.error = perform(call, state, self._shifts, self._browser, observed)
            return
        try:
            stage = Stage(state, self.site, self._browser, self._shifts, lambda: self._observed()[0], self.assistant)
            state.called(*self.skills.call(call, stage))
        except ActionError as error:
            state.error = error

    def _observed(self) -> tuple[Observation, tuple[str, ...]]:
        state = self._episode
        view = View(
            state.task.goal, self._browser.page(), self._browser.tabs, self._browser.active_tab, state.last_action,
            state.error_text, state.steps, state.limit,
        )  # fmt: skip
        return observe(view, self._fields)

    def _result(self, verdict: Verdict) -> tuple[Observation, dict[str, Any]]:
        state = self._episode
        observation, cut = self._observed()
        info = {
            **state.info(),
            "condition": self.condition,
            "bank": self.skills.hash,
            "revision": self.site.revision,
            "shifts": {shift.name: dict(shift.log()) for shift in self._shifts},
            "truncated_fields": cut,
            "success": verdict.success,
            "checks": list(verdict.records),
        }
        return observation, info
