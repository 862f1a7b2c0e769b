"""Execution shift: modal blockers that intercept interaction until they are dismissed.

Source: "SkillShift-Bench", Execution Shift ("reproducible modal blockers injected on configurable schedules that
intercept interactions mid-task"). Unlike the published controller, a blocker has accessible controls inside the
viewport, enters the live document without reload, and fires by a keyed hash.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import gymnasium
from gymnasium.utils import RecordConstructorArgs

from skillshift_gym.actions import Primitive, takes_bid
from skillshift_gym.document import PageFilter
from skillshift_gym.errors import CoveredElement
from skillshift_gym.page import Page
from skillshift_gym.shift import Episode, Overlay
from skillshift_gym.wrappers.blockers import Blocker, choose
from skillshift_gym.wrappers.exclusive import install
from skillshift_gym.wrappers.firing import Count, parse_schedule

NAME = "execution"
# What a modal does not stop: the browser's own controls. An agent that uses them under a blocker evades it.
_FREE = frozenset(["goto", "go_back", "go_forward", "new_tab", "tab_focus", "tab_close"])
_KEYS_INSIDE = ("Tab", "Shift+Tab")


@dataclass(frozen=True)
class State:
    """The episode state of an execution shift.

    Attributes:
        key: Seed and task of the episode.
        room: Clearing actions that may still be demanded.
        count: What has happened so far.
        blocker: The blocker shown, None when none is.
        stage: Step of its way out.
        document: Number of the document shown last.
        refused: Primitives refused.
        evaded: Blockers left behind by the browser's own controls.
        skipped: Blockers not shown for want of room.
    """

    key: tuple[object, ...] = ()
    room: float = 0.0
    count: Count = field(default_factory=Count)
    blocker: Blocker | None = None
    stage: int = 0
    document: int = 0
    refused: int = 0
    evaded: int = 0
    skipped: int = 0


class ExecutionShiftState:
    """The shift behind `ExecutionShift`: an interceptor and an overlay.

    Args:
        schedule: When it fires; see `firing`.
        blocker: Wording, a key of `blockers.TEXTS` or `varied`.
        way: Way out, a key of `blockers.WAYS`, `varied` or `one_action`.
        seed: Seed of its draws; the episode's when None.
        slack_rule: Whether the clearing actions demanded in an episode stay within the budget's slack.
    """

    name = NAME

    def __init__(self, schedule: str, blocker: str, way: str, seed: int | None, slack_rule: bool) -> None:
        self._schedule = parse_schedule(schedule)
        choose(blocker, way)
        self._text, self._way, self._seed, self._slack_rule = blocker, way, seed, slack_rule
        self._state = State()

    def begin(self, episode: Episode) -> None:
        """Starts an episode."""
        key = (episode.seed if self._seed is None else self._seed, episode.task)
        room = float(episode.slack) if self._slack_rule else float("inf")
        self._state = State(key=key, room=room, count=Count(key=key))

    def filters(self) -> tuple[PageFilter, ...]:
        """Returns nothing: pages are as the site sends them."""
        return ()

    def before(self, primitive: Primitive, page: Page, overlay: Overlay) -> None:
        """Refuses what the blocker covers.

        Raises:
            CoveredElement: A pointer or keyboard action goes to something outside the blocker.
        """
        if takes_bid(primitive) and self._state.blocker is None:
            self._fire("target", overlay)
            self._count(aimed=True)
            page = self._shown(page, overlay)
        blocker = self._state.blocker
        if blocker is None or self._is_free(primitive, page, blocker):
            return
        self._state = replace(self._state, refused=self._state.refused + 1)
        way = blocker.clearing(page)
        bid = way.partition("'")[2].partition("'")[0] if "Escape" not in way else None
        raise CoveredElement(
            f"the dialog {blocker.title!r} covers the page; clear it first, with {way}",
            by=blocker.title,
            clear_with=bid,
        )

    def after(self, primitive: Primitive | None, page: Page, overlay: Overlay, *, failed: bool = False) -> None:
        """Dismisses, counts and fires."""
        state = self._state
        if overlay.document_number != state.document:
            self._arrive(primitive, overlay)
        elif primitive is not None and not failed and state.blocker is not None:
            self._clear(primitive, page, overlay)
        if primitive is not None and not failed:
            self._count(primitives=self._state.count.primitives + 1)
            self._fire("primitive", overlay)

    def clearing(self, page: Page) -> str:
        """Returns the action that brings the blocker closer to its end."""
        return self._state.blocker.clearing(page) if self._state.blocker else ""

    def log(self) -> Mapping[str, Any]:
        """Returns the counters of the episode."""
        state = self._state
        return {
            "blocker": state.blocker.title if state.blocker else "",
            "shown": state.count.shown,
            "dismissed": state.count.dismissed,
            "refused": state.refused,
            "evaded": state.evaded,
            "skipped": state.skipped,
        }

    def save(self) -> object:
        """Returns the episode state, which is immutable."""
        return self._state

    def restore(self, saved: object) -> None:
        """Returns to a saved episode state."""
        assert isinstance(saved, State)
        self._state = saved

    def _arrive(self, primitive: Primitive | None, overlay: Overlay) -> None:
        """Another document is shown: a blocker stays behind with the one that was left."""
        state, number = self._state, overlay.document_number
        left = state.blocker is not None and primitive is not None and primitive.name in _FREE
        self._state = replace(state, document=number, blocker=None, stage=0, evaded=state.evaded + left)
        if number > 0:
            self._count(documents=state.count.documents + 1)
            self._count(armed=self._state.count.armed or self._schedule.draws_page(self._state.count))
            self._fire("document", overlay)

    def _clear(self, primitive: Primitive, page: Page, overlay: Overlay) -> None:
        """Dismisses the blocker, or takes it a step further, when its control was used."""
        state = self._state
        blocker = state.blocker
        assert blocker is not None
        if not _is_way_out(primitive, page, blocker):
            return
        if blocker.way == "two_step" and state.stage == 0:
            self._state = replace(state, stage=1)
            overlay.overlay_show(blocker.html(1))
            return
        overlay.overlay_clear()
        self._state = replace(state, blocker=None, stage=0)
        self._count(dismissed=state.count.dismissed + 1)

    def _fire(self, event: str, overlay: Overlay) -> None:
        state = self._state
        if state.blocker is not None or not self._schedule.is_due(event, state.count) or overlay.document_number == 0:
            return
        blocker = choose(self._text, self._way, *state.key, state.count.shown)
        if blocker.cost > state.room:
            self._state = replace(state, skipped=state.skipped + 1)
            return
        self._state = replace(state, blocker=blocker, stage=0, room=state.room - blocker.cost)
        self._count(shown=state.count.shown + 1)
        overlay.overlay_show(blocker.html())

    def _count(self, **changes: Any) -> None:
        self._state = replace(self._state, count=replace(self._state.count, **changes))

    def _shown(self, page: Page, overlay: Overlay) -> Page:
        """Returns the page after a blocker may have entered it."""
        return overlay.page() if self._state.blocker is not None else page

    def _is_free(self, primitive: Primitive, page: Page, blocker: Blocker) -> bool:
        """Tells whether the blocker lets a primitive through."""
        if primitive.name in _FREE or primitive.name == "scroll":
            return True
        inside = {element.bid for element in blocker.inside(page)}
        if takes_bid(primitive):
            return primitive.args[0] in inside or page.get(primitive.args[0]) is None
        keys = primitive.args[0] if primitive.name == "keyboard_press" else ""
        return page.focused_bid in inside or keys in _KEYS_INSIDE or (keys == "Escape" and blocker.way == "escape")


class ExecutionShift(gymnasium.Wrapper[Any, Any, Any, Any], RecordConstructorArgs):
    """Puts modal blockers in the agent's way.

    A blocker is a dialog over the whole page. The page behind stays in the observation; pointer and keyboard actions
    outside the dialog are refused with the typed error `covered`, which names the dialog and the control that clears
    it. `goto`, history, tabs and messages are not blocked; blockers left behind that way are counted as evaded.

    Args:
        env: An environment around a `SkillShiftEnv`.
        schedule: `first_page`, `every_page`, `random_page_once`, `until_dismissed(m)`, `once@k`, `periodic(n)`,
            `bernoulli(p)` or `on_first_target`.
        blocker: `cookies`, `newsletter`, `survey`, `session`, `maintenance` or `varied`.
        way: `close`, `accept`, `escape`, `checkbox`, `two_step`, `varied`, or `one_action`.
        seed: Seed of the draws; by default they follow the episode's seed and task.
        slack_rule: Whether the clearing actions demanded never exceed what the budget leaves beyond the oracle.
        allow_both: Whether a perceptual shift may be installed too; the condition is then `custom`.

    Raises:
        UsageError: An argument is wrong, or a perceptual shift is installed and `allow_both` is not set.
    """

    def __init__(
        self,
        env: gymnasium.Env[Any, Any],
        schedule: str = "every_page",
        blocker: str = "varied",
        way: str = "one_action",
        seed: int | None = None,
        slack_rule: bool = True,
        allow_both: bool = False,
    ) -> None:
        RecordConstructorArgs.__init__(
            self, schedule=schedule, blocker=blocker, way=way, seed=seed, slack_rule=slack_rule, allow_both=allow_both
        )
        gymnasium.Wrapper.__init__(self, env)
        install(env, ExecutionShiftState(schedule, blocker, way, seed, slack_rule), allow_both=allow_both)


def _is_way_out(primitive: Primitive, page: Page, blocker: Blocker) -> bool:
    """Tells whether a primitive, just performed, uses the control that clears a blocker."""
    if blocker.way == "escape":
        return primitive.name in ("keyboard_press", "press") and primitive.args[-1] == "Escape"
    buttons = {e.bid for e in blocker.inside(page) if e.role == "button"}
    clicked = primitive.name in ("click", "dblclick") and primitive.args[0] in buttons
    pressed = primitive.name == "press" and primitive.args[0] in buttons and primitive.args[1] in ("Enter", "Space")
    typed = (
        primitive.name == "keyboard_press" and page.focused_bid in buttons and primitive.args[0] in ("Enter", "Space")
    )
    return (clicked or pressed or typed) and blocker.is_ready(page)
