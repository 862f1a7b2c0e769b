"""The counters of an episode, and what they say in `info`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from . import actions
from .actions import Primitive, SkillCall
from .errors import ActionError, CoveredElement, MalformedAction, SkillFailed, UsageError
from .page import Page
from .sites.protocol import Site
from .tasks.checks import Outcome, judge
from .tasks.family import Task

MAX_ERROR = 2_000
TERMINATE_ON = ("success", "answer")
_OWN = ("noop", "send_msg_to_user", "report_infeasible")


def check_options(terminate_on: object, budget: object, render_mode: object, modes: Sequence[str]) -> None:
    """Checks arguments of an environment.

    Raises:
        UsageError: One is wrong.
    """
    if terminate_on not in TERMINATE_ON:
        raise UsageError(f"terminate_on: expected one of {', '.join(TERMINATE_ON)}, got {terminate_on!r}")
    if budget != "task" and (not isinstance(budget, int) or isinstance(budget, bool) or budget <= 0):
        raise UsageError(f"budget: expected 'task' or a positive number of actions, got {budget!r}")
    if render_mode not in (None, *modes):
        raise UsageError(f"render_mode: expected one of {modes}, got {render_mode!r}")


def reset_options(given: Mapping[str, Any] | None, version: str) -> dict[str, Any]:
    """Returns all options of a reset.

    Raises:
        UsageError: One does not exist.
    """
    chosen = {"task": None, "split": None, "version": version}
    known = len(chosen)
    chosen |= given or {}
    if len(chosen) > known:
        expected = ", ".join(list(chosen)[:known])
        raise UsageError(f"reset options: expected {expected}; got {', '.join(map(repr, given or {}))}")
    return chosen


class Verdict(NamedTuple):
    """How an episode stands after a step: Gymnasium's two flags, success, and a record of each check judged."""

    terminated: bool = False
    truncated: bool = False
    success: bool = False
    records: Sequence[Mapping[str, Any]] = ()


@dataclass
class EpisodeState:
    """Where an episode stands.

    Attributes:
        seed: Seed of the episode.
        task: Its task.
        version: Front end it runs on.
        limit: Actions allowed.
        steps: Actions taken.
        primitives: Browser primitives executed.
        gotos: Addresses typed: primitives that need no page, and that no change of a page can break.
        last_action: The last action as given.
        error: Why the last action failed, if it did.
        end: Name of the primitive that ended the episode (a message or a report), empty before.
        message: The message sent, if any.
        infeasible: The reason reported, if any.
        over: Whether the episode has ended.
        judged: Revision and address that the checks were judged at last.
        skill: What the last action's skill call came to, empty when it was none.
        calls: (name, observed code, true code) of every skill call so far.
    """

    seed: int
    task: Task
    version: str
    limit: int
    steps: int = 0
    primitives: int = 0
    gotos: int = 0
    last_action: str = ""
    error: ActionError | None = None
    end: str = ""
    message: str | None = None
    infeasible: str | None = None
    over: bool = False
    judged: tuple[str, str] | None = None
    skill: Mapping[str, Any] = field(default_factory=dict)
    calls: tuple[tuple[str, str, str], ...] = ()

    @property
    def spent(self) -> bool:
        """Whether the budget is used up."""
        return self.steps >= self.limit

    @property
    def needs_answer(self) -> bool:
        """Whether the task can only be solved by a message."""
        return any(c.kind == "answer" for c in self.task.checks)

    @property
    def error_text(self) -> str:
        """`code: message` of the last action's failure, else empty."""
        return clean(f"{self.error.code}: {self.error}")[:MAX_ERROR] if self.error else ""

    def read(self, action: object, *, multi: bool) -> tuple[Primitive | SkillCall, ...]:
        """Returns the calls of an action and remembers it; a malformed one counts as one action.

        Args:
            action: What the agent gave.
            multi: Whether it may hold several lines.
        """
        text = clean(action) if isinstance(action, str) else repr(action)
        self.last_action, self.error, self.skill = text[: actions.MAX_ACTION_LENGTH], None, {}
        try:
            if not isinstance(action, str):
                raise MalformedAction(f"expected a string, got {type(action).__name__}")
            return actions.parse_lines(action) if multi else (actions.parse(action),)
        except MalformedAction as error:
            self.steps += 1
            self.error = error
            return ()

    def takes(self, call: Primitive) -> bool:
        """Carries out a primitive that is not the browser's (`noop`, a message, a report); tells whether it was one."""
        if call.name == "send_msg_to_user":
            self.message, self.end = call.args[0], call.name
        elif call.name == "report_infeasible":
            self.infeasible, self.end = call.args[0], call.name
        return call.name in _OWN

    def called(self, skill: Mapping[str, Any], error: ActionError | None) -> None:
        """Notes a skill call and why it failed."""
        self.skill, self.error = skill, error
        self.calls = (*self.calls, (skill["name"], skill["observed"], skill["true"]))

    def judge(self, page: Page, site: Site, *, at_once: bool) -> Verdict:
        """Returns the verdict on the present state, by the table of `SkillShiftEnv`.

        Args:
            page: The page shown.
            site: The site.
            at_once: Whether the first step whose checks hold ends the episode.
        """
        truncated = self.spent and not self.end
        at_once = at_once and not self.needs_answer
        if not self.end and not truncated and (not at_once or self._judged_before(page, site)):
            return Verdict()
        outcome = Outcome(self.message, self.infeasible, page, site.changes())
        success, records = judge(self.task.checks, outcome)
        terminated = bool(self.end) or (at_once and success)
        over = terminated or truncated
        return Verdict(terminated, truncated and not terminated, success and over, records if over else ())

    def _judged_before(self, page: Page, site: Site) -> bool:
        """Tells whether this address at this revision was judged last time, so that judging again is idle."""
        if any(c.kind == "page" for c in self.task.checks):
            return False
        key = (site.revision, page.url)
        seen = key == self.judged
        self.judged = key
        return seen

    def info(self) -> dict[str, Any]:
        """Returns what `info` says of the episode: always the same keys, nothing that depends on the machine."""
        error = self.error
        return {
            "task": self.task.id,
            "uid": self.task.uid(self.version),
            "site": self.task.site,
            "version": self.version,
            "split": self.task.split,
            "seed": self.seed,
            "steps": self.steps,
            "primitives": self.primitives,
            "gotos": self.gotos,
            "budget_left": max(0, self.limit - self.steps),
            "error": error.code if error else "",
            "blocked_by": error.by if isinstance(error, CoveredElement | SkillFailed) else "",
            "message": self.message,
            "skill": dict(self.skill),
            "skill_calls": list(map(list, self.calls)),
        }


class SavedEnv(NamedTuple):
    """An immutable copy of an environment's episode."""

    site: object
    browser: object
    shifts: tuple[object, ...]
    state: EpisodeState
    random: Mapping[str, Any]


def clean(text: str) -> str:
    """Returns the text without lone surrogates, which no encoding can carry."""
    return text.encode("utf-8", "replace").decode()
