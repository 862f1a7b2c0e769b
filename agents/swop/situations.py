"""Page situations and kinds of actions: the small tabular world that SWOP sees when it acts on websites.

"SkillShift-Bench", section 4.1, speaks of local executability: whether an action does what it names where it is taken. The
classes are our definition. They use what an agent reads (the observation and its executor's proposals), nothing else.

State = dialog shown x last action failed x skill at hand x values due, 24 classes:

| part | values |
|---|---|
| dialog | the page shows a dialog, or none |
| failed | the last action of the episode met an error or changed nothing, or not (nor at the first step) |
| skill | no call proposed; one proposed; the best one proposed begins with something that the page shows |
| due | the best primitive enters a value, or not |

Action = the best proposal of its kind, 5 classes: a skill call, the best primitive, the second primitive, the one that closes
the dialog, an answer. Each proposal is of one class. Two restrictions are ours as well: an answer is offered only where it
is the executor's first choice, since it always "does what it names" and ends the episode; and no class goes home or back,
which never fails and never helps.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from skillshift_gym.agents.base import Observation
from skillshift_gym.agents.executor import Proposal
from skillshift_gym.agents.mpcr import dismissal_of
from skillshift_gym.candidates import SKILL
from skillshift_gym.reading import read

CALL, FIRST, SECOND, DISMISS, ANSWER = range(5)
ACTIONS = ("skill", "first primitive", "second primitive", "dismiss", "answer")
NO_SKILL, SOME_SKILL, READY_SKILL = range(3)
_SKILLS = ("no skill", "some skill", "ready skill")
_ENTERS = ("fill", "select_option")
_ANSWERS = ("send_msg_to_user", "report_infeasible")


class Situation(NamedTuple):
    """A class of pages at a step.

    Attributes:
        dialog: Whether a dialog is shown.
        failed: Whether the last action failed.
        skill: `NO_SKILL`, `SOME_SKILL` or `READY_SKILL`.
        due: Whether the best primitive enters a value.
    """

    dialog: bool
    failed: bool
    skill: int
    due: bool

    @property
    def state(self) -> int:
        """Number of the class, in [0, `STATES`)."""
        return ((self.dialog * 2 + self.failed) * len(_SKILLS) + self.skill) * 2 + self.due

    def __str__(self) -> str:
        """Returns the class in words."""
        parts = ("dialog" * self.dialog, "last failed" * self.failed, _SKILLS[self.skill], "values due" * self.due)
        return ", ".join(part for part in parts if part)


STATES = 2 * 2 * len(_SKILLS) * 2


def situation_of(state: int) -> Situation:
    """Returns the class of a number in [0, `STATES`)."""
    rest, due = divmod(state, 2)
    rest, skill = divmod(rest, len(_SKILLS))
    return Situation(rest >= 2, bool(rest % 2), skill, bool(due))


def options(observation: Observation, proposals: Sequence[Proposal]) -> dict[int, Proposal]:
    """Returns action class -> its best proposal, for the classes that a page offers; the executor's first is one of them.

    Args:
        observation: The observation.
        proposals: The executor's, best first, at least one.
    """
    closing = dismissal_of(observation) if _dialog(observation) else None
    found: dict[int, Proposal] = {}
    for proposal in proposals:
        kind = _kind(proposal, closing.action if closing else "")
        if kind == FIRST and FIRST in found:
            kind = SECOND
        if kind != ANSWER or not found:
            found.setdefault(kind, proposal)
    if closing is not None:
        found.setdefault(DISMISS, Proposal(closing, 0.0, len(proposals)))
    return dict(sorted(found.items()))


def situation(observation: Observation, offered: Mapping[int, Proposal], failed: bool) -> Situation:
    """Returns the class of a page.

    Args:
        observation: The observation.
        offered: What `options` returns.
        failed: Whether the last action failed.
    """
    call, first = offered.get(CALL), offered.get(FIRST)
    skill = NO_SKILL
    if call is not None:
        skill = READY_SKILL if call.candidate.ready == 1 else SOME_SKILL
    due = first is not None and first.candidate.primitive in _ENTERS
    return Situation(_dialog(observation), failed, skill, due)


def executed(action: str, before: Observation, after: Observation) -> bool:
    """Returns whether an action did what it names: no error, and the page changed or a message was sent.

    Args:
        action: The action.
        before: What was seen before it.
        after: What was seen after it.
    """
    if after.get("last_action_error"):
        return False
    return after["axtree"] != before["axtree"] or after["url"] != before["url"] or action.startswith(_ANSWERS)


def _kind(proposal: Proposal, closing: str) -> int:
    candidate = proposal.candidate
    if candidate.primitive == SKILL:
        return CALL
    if candidate.action == closing:
        return DISMISS
    return ANSWER if candidate.primitive in _ANSWERS else FIRST


def _dialog(observation: Observation) -> bool:
    return read(observation["axtree"], observation["elements"]).dialog is not None
