"""Steps of workflows as words: `fill(searchbox "Search for:", "{title}")`, written from trajectories and found on pages."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import NamedTuple

from skillshift_gym.actions import takes_bid
from skillshift_gym.candidates import Candidate
from skillshift_gym.reading import phrase, words
from skillshift_gym.skills.recorder import Step
from skillshift_gym.skills.templates import fill, literal, slots

ANSWER = "answer"  # slot of a message that the goal does not spell out
_PLAIN_ANSWERS = (("done",), ("yes",), ("no",))
_MESSAGE = "send_msg_to_user"
_TEXT = r'"(?:[^"\\]|\\.)*"'
_ACT = re.compile(rf"(\w+)\((?:(\w+) ({_TEXT}))?(?:, )?({_TEXT})?\)")


class Act(NamedTuple):
    """One step of a workflow; texts are templates.

    Attributes:
        primitive: Name of the primitive.
        role: Role of its target, empty without one.
        name: Accessible name of its target.
        value: What is entered, pressed or said; None when it takes nothing.
    """

    primitive: str
    role: str = ""
    name: str = ""
    value: str | None = None

    def __str__(self) -> str:
        target = f"{self.role} {_quoted(self.name)}" if self.role else ""
        value = "" if self.value is None else _quoted(self.value)
        return f"{self.primitive}({', '.join(filter(None, (target, value)))})"

    @property
    def abstract(self) -> str:
        """What it does, whatever it is called and given: the part of the abstract action string of a workflow."""
        return f"{self.primitive} {self.role}".strip()

    def fits(self, candidate: Candidate, values: Mapping[str, str]) -> bool:
        """Tells whether a candidate is this step, slots filled with the values of a goal.

        A slot that the goal gives no value may hold anything: what an agent has to read from the page or to work out.
        """
        return (
            candidate.primitive == self.primitive
            and candidate.role == (self.role or candidate.role)
            and (not self.role or _says(self.name, candidate.name, values))
            and (self.value is None or _says(self.value, candidate.value, values))
            and not (self.value == f"{{{ANSWER}}}" and words(candidate.value) in _PLAIN_ANSWERS)
        )


def act_of(step: Step, values: Mapping[str, str]) -> Act:
    """Returns the step of a workflow for a step of a trajectory.

    Args:
        step: The step.
        values: Slot -> its value in the goal.
    """
    call = step.primitive
    role = name = ""
    given = call.args
    if takes_bid(call):
        element = step.page.element(int(call.args[0]))
        role, name, given = element.role, slotted(element.name, values), call.args[1:]
    if call.name == _MESSAGE:
        said = str(given[0])
        return Act(call.name, value=said if words(said) in _PLAIN_ANSWERS else f"{{{ANSWER}}}")
    if call.name == "click" or not given:
        return Act(call.name, role, name)
    value = "; ".join(given[0]) if isinstance(given[0], tuple) else str(given[0])
    return Act(call.name, role, name, slotted(value, values))


def parsed(text: str) -> Act | None:
    """Returns the step that a text says, None for a text of another form, such as that of an imported workflow."""
    match = _ACT.fullmatch(text)
    if match is None:
        return None
    name, value = (json.loads(t) if t else None for t in match.group(3, 4))
    return Act(match[1], match[2] or "", name or "", value)


def slotted(text: str, values: Mapping[str, str]) -> str:
    """Returns a template of a text, with slots for the values that it holds as whole words, the longest first."""
    found = literal(text)
    for name, value in sorted(values.items(), key=lambda v: (-len(v[1]), v[0])):
        held = re.search(rf"(?<![\w{{]){re.escape(literal(value))}(?![\w}}])", found)
        if held is not None:
            found = f"{found[: held.start()]}{{{name}}}{found[held.end() :]}"
    return found


def _says(template: str, text: str, values: Mapping[str, str]) -> bool:
    if all(name in values for name in slots(template)):
        return phrase(fill(template, values)) == phrase(text)
    pattern = re.sub(r"\\\{\w+\\\}", ".+", re.escape(template))
    return re.fullmatch(pattern, text) is not None


def _quoted(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)
