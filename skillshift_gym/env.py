"""The web environment.

One step, as data flows: action string -> `actions.parse` -> primitive -> shifts -> browser -> site -> page ->
observation. A bad action is an error in the observation, never an exception.
"""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar, NamedTuple, cast

import gymnasium

from . import actions
from .actions import Primitive, SkillCall
from .browsers import registry as browsers
from .errors import ActionError, CoveredElement, MalformedAction, StaleElement, UsageError
from .observation import FIELDS, View, observation_space, observe
from .page import Page
from .shift import Episode, Shift
from .sites import registry as sites
from .sites.protocol import Site
from .spaces import ActionText
from .tasks import checks, registry
from .tasks.family import Task

TERMINATE_ON = ("success", "answer")
Observation = dict[str, Any]


class SavedEnv(NamedTuple):
    """An immutable copy of an environment's episode."""

    site: object
    browser: object
    shifts: tuple[object, ...]
    counters: Mapping[str, Any]
    random: Mapping[str, Any]


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
        browser: `dom` (in process, no JavaScript).
        budget: `task` for the task's own budget, or a number of actions.
        terminate_on: `success` or `answer`, as in the table above.
        observation: Names of the observation fields; all by default.
        split: Split that tasks are drawn from when `reset` names none.
        multi_action: Whether a string may hold several lines; each counts as one action.
        render_mode: `ansi` or None.

    Raises:
        UsageError: An argument is wrong.
        SiteNotReady: The site or version does not exist.
    """

    metadata: ClassVar[dict[str, Any]] = {"render_modes": ["ansi"], "render_fps": 4}

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
        render_mode: str | None = None,
    ) -> None:
        if terminate_on not in TERMINATE_ON:
            raise UsageError(f"terminate_on: expected one of {', '.join(TERMINATE_ON)}, got {terminate_on!r}")
        if not (budget == "task" or (isinstance(budget, int) and budget > 0)):
            raise UsageError(f"budget: expected 'task' or a positive number of actions, got {budget!r}")
        if render_mode not in (None, *self.metadata["render_modes"]):
            raise UsageError(f"render_mode: expected one of {self.metadata['render_modes']}, got {render_mode!r}")
        registry.task_ids(site, split)
        self.condition = condition
        self.render_mode = render_mode
        self._site_name = site
        self._version = version
        self._budget = budget
        self._terminate_on = terminate_on
        self._fields = tuple(observation)
        self._split = split
        self._multi_action = multi_action
        self._sites: dict[str, Site] = {version: sites.create(site, version)}
        self._browser = browsers.create(browser)
        self._shifts: list[Shift] = []
        self._over = True
        self.observation_space = observation_space(self._fields)
        self.action_space = ActionText()

    @property
    def task(self) -> Task:
        """The task of the episode."""
        return self._task

    @property
    def version(self) -> str:
        """The front end episodes run on unless `reset` says otherwise."""
        return self._version

    @property
    def site(self) -> Site:
        """The site of the episode."""
        return self._sites[self._shown_version]

    @property
    def page(self) -> Page:
        """The page shown, semantic ids included: for oracles and checks, not for agents."""
        return self._browser.page()

    def install(self, shift: Shift) -> None:
        """Adds a shift, in place of one of the same name; it begins with the next `reset`."""
        self._shifts = [s for s in self._shifts if s.name != shift.name] + [shift]

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Starts an episode.

        Args:
            seed: Seed of the episode; without one, it is drawn from the environment's generator.
            options: `task` (an id, `wordpress.17` or `wordpress.17#5`), `split` (drawn from when no task is named),
                `version` (`v1` or `v2`, in place of the id's).

        Raises:
            UsageError: An option does not exist.
            TaskError: The task or split does not exist, or belongs to another site.
        """
        super().reset(seed=seed)
        chosen = dict(options or {})
        self._seed = seed if seed is not None else int(self.np_random.integers(2**31))
        self._task = self._choose(chosen.pop("task", None), chosen.pop("split", self._split))
        self._shown_version = chosen.pop("version", None) or self._version
        if chosen:
            raise UsageError(f"reset options: expected task, split, version; got {', '.join(map(repr, chosen))}")
        if self._shown_version not in self._sites:
            self._sites[self._shown_version] = sites.create(self._site_name, self._shown_version)
        self._start()
        return self._result({})

    def step(self, action: str) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Takes one action (or several lines, with `multi_action`).

        Raises:
            gymnasium.error.ResetNeeded: The episode is over.
        """
        if self._over:
            raise gymnasium.error.ResetNeeded("the episode is over: call reset() before step()")
        self._last_action = (
            _clean(action)[: actions.MAX_ACTION_LENGTH] if isinstance(action, str) else repr(action)[:200]
        )
        self._error = None
        self._end = ""
        observed = self._browser.page()
        for call in self._calls(action):
            self._steps += 1
            self._perform(call, observed)
            if self._end or self._error or self._steps >= self._limit:
                break
        terminated, truncated, success, records = self._judge()
        self._over = terminated or truncated
        observation, info = self._result({"success": success, "checks": records} if self._over else {})
        return observation, float(success and self._over), terminated, truncated, info

    def render(self) -> str | None:  # type: ignore[override]
        """Returns the page as text in mode `ansi`."""
        if self.render_mode is None:
            return None
        page = self._browser.page()
        return f"{self._task.goal}\n{page.url}\n{page.axtree}\n> {self._last_action} {self._error_text()}"

    def close(self) -> None:
        """Frees the browser; may be called twice."""
        self._browser.close()

    def save(self) -> SavedEnv:
        """Returns an immutable copy of the episode; see `skillshift_gym.snapshot`."""
        counters = {name: getattr(self, name) for name in _COUNTERS}
        random = dict(self.np_random.bit_generator.state)
        shifts = tuple(s.save() for s in self._shifts)
        return SavedEnv(self.site.save(), self._browser.save(), shifts, counters, random)

    def restore(self, saved: SavedEnv) -> None:
        """Returns to a saved episode."""
        for name, value in saved.counters.items():
            setattr(self, name, value)
        self.np_random.bit_generator.state = saved.random
        if self._shown_version not in self._sites:
            self._sites[self._shown_version] = sites.create(self._site_name, self._shown_version)
        self.site.restore(saved.site)
        for shift, state in zip(self._shifts, saved.shifts, strict=True):
            shift.restore(state)
        self._browser.reset(self.site, self._filters())
        self._browser.restore(saved.browser)

    def _choose(self, task_id: str | None, split: str) -> Task:
        if task_id is None:
            return registry.draw(self._site_name, split, self._seed)
        task = registry.task_of(task_id)
        if task.site != self._site_name:
            raise UsageError(f"task {task_id!r} belongs to {task.site}, this environment is {self._site_name}")
        return task

    def _start(self) -> None:
        """Brings site, shifts, browser and counters to the start of the episode."""
        self._steps = self._primitives = 0
        self._limit = self._task.budget if self._budget == "task" else cast(int, self._budget)
        self._last_action, self._error, self._end, self._message, self._infeasible = "", None, "", None, None
        self._over = False
        self._judged_at: tuple[str, str] | None = None
        self.site.reset()
        episode = Episode(
            self._seed, self._task.id, max(0, self._limit - registry.oracle_length(self._task, self._shown_version))
        )
        for shift in self._shifts:
            shift.begin(episode)
        self._browser.reset(self.site, self._filters())
        self._browser.goto(self.site.origin + self._task.start)
        for shift in self._shifts:
            shift.after(None, self._browser.page(), self._browser)

    def _filters(self) -> tuple[Any, ...]:
        return tuple(f for shift in self._shifts for f in shift.filters())

    def _calls(self, action: object) -> tuple[Primitive | SkillCall, ...]:
        """Returns the calls of an action; a malformed one counts as one action."""
        try:
            if not isinstance(action, str):
                raise MalformedAction(f"expected a string, got {type(action).__name__}")
            return actions.parse_lines(action) if self._multi_action else (actions.parse(action),)
        except MalformedAction as error:
            self._steps += 1
            self._error = error
            return ()

    def _perform(self, call: Primitive | SkillCall, observed: Page) -> None:
        try:
            if isinstance(call, SkillCall):
                raise MalformedAction(f"no primitive or skill {call.name!r}; {_nearest(call.name)}")
            self._check_fresh(call, observed)
            if call.name in _OWN:
                self._own(call)
                return
            for shift in self._shifts:
                shift.before(call, self._browser.page(), self._browser)
            self._primitives += 1
            self._browser.perform(call)
        except ActionError as error:
            self._error = error
        for shift in self._shifts:
            shift.after(call if isinstance(call, Primitive) else None, self._browser.page(), self._browser)

    def _check_fresh(self, call: Primitive, observed: Page) -> None:
        if _takes_bid(call) and self._browser.page().document is not observed.document:
            raise StaleElement(
                f"element {call.args[0]!r} belonged to {observed.url}, which has been left; observe first"
            )

    def _own(self, call: Primitive) -> None:
        if call.name == "send_msg_to_user":
            self._message = call.args[0]
        elif call.name == "report_infeasible":
            self._infeasible = call.args[0]
        if call.name != "noop":
            self._end = call.name

    def _judge(self) -> tuple[bool, bool, bool, list[dict[str, Any]]]:
        """Returns terminated, truncated, success and the check records, by the table in the class docstring."""
        truncated = not self._end and self._steps >= self._limit
        at_once = self._terminate_on == "success" and not self._needs_answer()
        if not (self._end or truncated or at_once) or (at_once and not self._end and not truncated and self._seen()):
            return False, False, False, []
        outcome = checks.Outcome(self._message, self._infeasible, self._browser.page(), self.site.changes())
        success, records = checks.judge(self._task.checks, outcome)
        terminated = bool(self._end) or (at_once and success)
        return terminated, truncated and not terminated, success, records

    def _needs_answer(self) -> bool:
        return any(c.kind == "answer" for c in self._task.checks)

    def _seen(self) -> bool:
        """Tells whether this page at this revision was judged before, so that judging again is idle."""
        page = self._browser.page()
        key = (self.site.revision, page.url) if not any(c.kind == "page" for c in self._task.checks) else None
        seen = key is not None and key == self._judged_at
        self._judged_at = key
        return seen

    def _result(self, end: Mapping[str, Any]) -> tuple[Observation, dict[str, Any]]:
        view = View(
            self._task.goal,
            self._browser.page(),
            self._browser.tabs,
            self._browser.active_tab,
            self._last_action,
            self._error_text(),
            self._steps,
            self._limit,
        )
        observation, cut = observe(view, self._fields)
        error = self._error
        info: dict[str, Any] = {
            "task": self._task.id,
            "uid": self._task.uid(self._shown_version),
            "site": self._site_name,
            "version": self._shown_version,
            "condition": self.condition,
            "split": self._task.split,
            "seed": self._seed,
            "steps": self._steps,
            "primitives": self._primitives,
            "budget_left": max(0, self._limit - self._steps),
            "error": error.code if error else "",
            "blocked_by": error.by if isinstance(error, CoveredElement) else "",
            "truncated_fields": cut,
            "revision": self.site.revision,
            "success": end.get("success", False),
            "checks": end.get("checks", []),
            "message": self._message,
        }
        return observation, info

    def _error_text(self) -> str:
        return _clean(f"{self._error.code}: {self._error}")[:2_000] if self._error else ""


_OWN = ("noop", "send_msg_to_user", "report_infeasible")
_COUNTERS = (
    "_seed", "_task", "_shown_version", "_steps", "_primitives", "_limit", "_last_action", "_error", "_end", "_message",
    "_infeasible", "_over", "_judged_at",
)  # fmt: skip


def _takes_bid(call: Primitive) -> bool:
    parameters = actions.GRAMMAR[call.name].parameters
    return bool(parameters) and parameters[0].kind == "bid"


def _nearest(name: str) -> str:
    close = difflib.get_close_matches(name, actions.GRAMMAR, n=1)
    return f"did you mean {close[0]!r}?" if close else f"expected one of {', '.join(actions.GRAMMAR)}"


def _clean(text: str) -> str:
    """Returns the text without lone surrogates, which no encoding can carry."""
    return text.encode("utf-8", "replace").decode()
