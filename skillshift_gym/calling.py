"""Skill calls in an episode: the bank, the host that a program runs on, and what `info` says of a call."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeAlias

from gymnasium.envs.registration import EnvSpec

from . import actions
from .actions import Primitive, SkillCall
from .browsers.protocol import Browser
from .episode import EpisodeState
from .errors import ActionError, MalformedAction, SkillFailed, UsageError
from .page import Page, build_page
from .performing import perform
from .shift import Shift
from .sites.protocol import Site
from .skills.policy import Policy

# What runs skills is imported when there are any: most environments have none, and it takes a while.
if TYPE_CHECKING:
    from .skills.bank import Bank
    from .skills.outcome import Outcome
    from .skills.skill import Skill

# (observation, instruction) -> action: who helps a skill whose target is gone, or that asks for help itself.
Assistant = Callable[[Mapping[str, Any], str], str]
Given: TypeAlias = "str | Path | Bank | None"


@dataclass(frozen=True)
class Stage:
    """The environment as the host of a program.

    Attributes:
        episode: State of the episode.
        site: The site.
        browser: The browser.
        shifts: The shifts, in order.
        observe: Returns the observation as it is now, in the middle of a call.
        assistant: Who helps, if anyone does.
    """

    episode: EpisodeState
    site: Site
    browser: Browser
    shifts: Sequence[Shift]
    observe: Callable[[], Mapping[str, Any]]
    assistant: Assistant | None = None

    @property
    def over(self) -> bool:
        """Whether a message or report has ended the episode."""
        return bool(self.episode.end)

    def page(self) -> Page:
        """Returns the page shown."""
        return self.browser.page()

    def perform(self, primitive: Primitive) -> ActionError | None:
        """Performs a primitive through the shifts; it counts as no action."""
        return perform(primitive, self.episode, self.shifts, self.browser)

    def state(self) -> object:
        """Returns end, revision, tabs and page; having moved the focus is no deed."""
        page = self.browser.page()
        still = build_page(page.snapshot._replace(focus=-1))
        return self.episode.end, self.site.revision, self.browser.tabs, self.browser.active_tab, page.url, still.axtree

    def assist(self, instruction: str) -> Primitive | None:
        """Returns what the assistant would do, None when it gives no primitive."""
        answer = self.assistant(self.observe(), instruction) if self.assistant is not None else ""
        try:
            action = actions.parse(answer) if isinstance(answer, str) and answer.strip() else None
        except MalformedAction:
            return None
        return action if isinstance(action, Primitive) else None


class Skills:
    """The callable skills of an environment.

    Args:
        given: A path or JSON text of a bank, a live bank, or None for no skills.
        healing: Settings of `skills.policy.Policy`.

    Attributes:
        bank: The bank; None without skills.
        live: Whether a live bank was given, so that no spec can be written as JSON.
        last: The outcome of the last call, None before.

    Raises:
        UsageError: The bank cannot be had, or a setting is wrong.
    """

    def __init__(self, given: Given, healing: Policy | Mapping[str, Any] | None) -> None:
        self.live = given is not None and not isinstance(given, str | Path)
        self.bank = _bank(given)
        self.policy = Policy.of(healing)
        self.last: Outcome | None = None

    @property
    def hash(self) -> str:
        """Hash of the bank, empty without one."""
        return self.bank.hash if self.bank is not None else ""

    @property
    def callable(self) -> dict[str, Skill]:
        """Name -> skill, those that can be called."""
        return {name: s for name, s in self.bank.skills.items() if s.callable} if self.bank is not None else {}

    def document(self) -> str:
        """Returns the description of the callable skills that an agent is shown."""
        from .skills.shown import document

        return document(self.callable.values()) if self.bank is not None else ""

    def call(self, call: SkillCall, stage: Stage) -> tuple[dict[str, Any], ActionError | None]:
        """Runs a skill, and returns what `info` says of it and why it failed.

        Raises:
            MalformedAction: There is no such skill.
        """
        skill = self.callable.get(call.name)
        if skill is None:
            raise MalformedAction(
                f"no primitive or skill {call.name!r}; {actions.suggestion(call.name, self.callable)}"
            )
        self.last = outcome = self._run(skill, call, stage)
        info = {"name": skill.name, "version": skill.version, **outcome.info()}
        if outcome.ok:
            return info, None
        return info, SkillFailed(f"skill {skill.name}: {outcome.detail}", outcome.observed, outcome.blocked_by)

    def _run(self, skill: Skill, call: SkillCall, stage: Stage) -> Outcome:
        from .skills.arguments import BadArguments, bind
        from .skills.executor import execute
        from .skills.outcome import Outcome
        from .skills.program import ProgramError, parse

        try:
            program = parse(skill.program)
            values = bind(skill.parameters, call.args, call.kwargs)
        except BadArguments as error:
            return Outcome("bad_args", "bad_args", detail=f"{error}; it is called as {skill.signature}")
        except ProgramError as error:
            return Outcome("aborted", "aborted", detail=f"its program cannot be read: {error}")
        return execute(program, values, stage, self.policy)


def _bank(given: Given) -> Bank | None:
    if given is None:
        return None
    from .skills.bank import Bank

    if isinstance(given, Bank):
        return given
    if not isinstance(given, str | Path):
        raise UsageError(f"skills: expected a path, the text of a bank or a Bank, got {type(given).__name__}")
    return Bank.load(given)


class LiveSpec(EnvSpec):
    """The spec of a stack that holds a live bank."""

    def to_json(self) -> str:
        """Refuses.

        Raises:
            UsageError: Always: a live bank has no place in JSON.
        """
        raise UsageError("skills: a live bank was given, which the spec's JSON cannot hold; save it and give its path")
