"""Recording: what was done on pages becomes a skill.

Targets are stored as recorders store them. A value becomes a parameter when the facts of the task name it, when the goal says
it, or when it was typed into a field; everything else stays as it was, unless it is overruled. The review says which and why.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from ..actions import Primitive, takes_bid
from ..goal_values import values_of
from ..page import Page, modals_of
from .finder import Finder
from .locator import Locator
from .naming import slug
from .program import (
    BY_PRIMITIVE,
    VERBS,
    Act,
    Example,
    Name,
    Program,
    Statement,
    Target,
    Text,
    Value,
)
from .recording import locator_of, reading_of
from .skill import Evidence, Parameter, Skill
from .templates import literal

_SKIPPED = ("noop", "report_infeasible")
_MESSAGE = "send_msg_to_user"
_TYPED = ("fill", "keyboard_type")
_OWN = "it was asked for"
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")


class Step(NamedTuple):
    """One step of a trajectory: the page it was taken on, and the primitive."""

    page: Page
    primitive: Primitive


class Finding(NamedTuple):
    """What became of a value."""

    value: str
    parameter: str
    reason: str


class Recording(NamedTuple):
    """A skill, and what a person may want to check about it."""

    skill: Skill
    review: tuple[Finding, ...]


def record(
    steps: Sequence[Step], name: str, description: str, *, goal: str = "", facts: Mapping[str, Any] | None = None, last: Page | None = None,
    evidence: Sequence[Evidence] = (), site: str = "", version: str = "", overrules: Mapping[str, str] | None = None,
) -> Recording:  # fmt: skip
    """Returns the skill of a trajectory.

    Args:
        steps: What was done; failed steps left out.
        name: Name of the skill.
        description: One line about it.
        goal: What the user asked for.
        facts: Name -> value, what the task is about; parameters are named after them.
        last: The page shown at the end, where the answer may stand.
        evidence: Where it was recorded.
        site: Site name.
        version: Version of the site.
        overrules: Value -> name of the parameter that it becomes whatever is known of it, empty for none.
    """
    maker = _Maker(goal, facts or {}, overrules or {})
    made = [statement for step in kept(steps) for statement in maker.statements(step)]
    made += reading(steps, last)
    examples = tuple(Example(p, Text(literal(v))) for p, v in maker.examples.items())
    program = Program((*examples, *made))
    used = set(program.parameters)
    program = Program(tuple(s for s in program.statements if not isinstance(s, Example) or s.name in used))
    skill = Skill(
        name=name,
        kind="recorded",
        description=description,
        parameters=tuple(Parameter(name=p, type=_type(maker.examples[p]), description=maker.why[p]) for p in maker.examples if p in used),
        program=str(program),
        fields={"goal": goal, "site": site, "site_version": version, "review": [f._asdict() for f in maker.review]},
        evidence=tuple(evidence),
    )  # fmt: skip
    return Recording(skill, tuple(maker.review))


def kept(steps: Sequence[Step]) -> list[Step]:
    """Returns the steps that a skill repeats: no waiting, no messages, nothing that only dismissed a dialog."""
    return [s for s in steps if s.primitive.name not in (*_SKIPPED, _MESSAGE) and not dismisses(s)]


def reading(steps: Sequence[Step], last: Page | None) -> list[Statement]:
    """Returns what reads the answer from the last page and says it, when the page shows its parts."""
    said = next((s.primitive.args[0] for s in reversed(steps) if s.primitive.name == _MESSAGE), "")
    return reading_of(Finder(last), said) if last is not None and len(said) > 1 else []


def dismisses(step: Step) -> bool:
    """Tells whether a step acts inside a modal dialog, or closes one by Escape."""
    page, call = step.page, step.primitive
    modal = modals_of(page)
    if not modal:
        return False
    if takes_bid(call):
        index = int(call.args[0])
        return any(index in page.document[i] or index == i for i in modal)
    return call.name == "keyboard_press" and call.args[0] in ("Escape", "Enter", "Space")


class _Maker:
    """Turns steps into statements, and values into parameters."""

    def __init__(self, goal: str, facts: Mapping[str, Any], overrules: Mapping[str, str]) -> None:
        self._own = {value: name for value, name in overrules.items() if name}
        self._literals = overrules.keys() - self._own
        texts = {slug(key, (), "value"): str(value) for key, value in facts.items() if _is_fact(value)}
        texts = {key: value for key, value in texts.items() if value not in overrules}
        self._names = {value: key for key, value in reversed(texts.items())}
        # What the goal does not say, an agent cannot give: such facts name a parameter only when it is typed.
        self._facts = {value: key for value, key in self._names.items() if _is_said(value, goal)} | self._own
        self._said = values_of(goal).enterable - self._literals
        self.examples: dict[str, str] = {}
        self.why: dict[str, str] = {}
        self.review: list[Finding] = []

    def statements(self, step: Step) -> list[Statement]:
        """Returns the statements of a step."""
        call, verb = step.primitive, BY_PRIMITIVE[step.primitive.name]
        target, args, label = None, call.args, ""
        if VERBS[verb].target:
            locator = locator_of(Finder(step.page), int(call.args[0]))
            label = step.page.element(int(call.args[0])).name
            target, args = Target(self._slotted(locator)), call.args[1:]
        rest = VERBS[verb].rest
        if rest in ("with value", "value", "text"):
            return [Act(verb, target, (self._value(call.name, args[0], label, free=rest != "text"),))]
        if rest == "with values":
            return [Act(verb, target, tuple(self._value(call.name, a, label) for a in args[0]))]
        return [Act(verb, target, tuple(int(a) for a in args) if rest else ())]

    def _value(self, primitive: str, value: str, label: str, *, free: bool = True) -> Value:
        if free:
            name, why = self._parameter(primitive, value, label)
            if name:
                self._add(name, value, why)
                return Name(name)
        text = self._fill(literal(value))
        if text == literal(value) and primitive != "press":
            own = value in self._literals
            self._note(value, "", _OWN if own else "neither the task nor the goal says it")
        return Text(text)

    def _parameter(self, primitive: str, value: str, label: str) -> tuple[str, str]:
        """Returns the parameter that a value becomes, and why; empty when it stays."""
        if value in self._facts:
            return self._facts[value], self._reason(value)
        known = {v: k for k, v in self.examples.items()}
        if value in self._said:
            return known.get(value) or slug(label, self.examples, "value"), "the goal says it"
        if primitive in _TYPED and value and value not in self._literals:
            return self._names.get(value) or known.get(value) or slug(
                label, self.examples, "value"
            ), "it was typed into a field"
        return "", ""

    def _slotted(self, locator: Locator) -> Locator:
        """Returns a locator with slots where its texts hold a value that the task names or the goal says."""
        return replace(locator, label=self._fill(locator.label), href=self._fill(locator.href))

    def _fill(self, text: str) -> str:
        """Returns a template with slots for the known values that it holds as whole words."""
        for value in sorted({*self._facts, *self._said}, key=lambda v: (-len(v), v)):
            held = re.search(rf"(?<![\w{{]){re.escape(literal(value))}(?![\w}}])", text)
            if held is None or len(value) < 3:
                continue
            name = (
                self._facts.get(value)
                or next((k for k, v in self.examples.items() if v == value), "")
                or slug(value, self.examples, "value")
            )
            self._add(name, value, self._reason(value))
            text = text[: held.start()] + f"{{{name}}}" + text[held.end() :]
        return text

    def _reason(self, value: str) -> str:
        if value in self._own:
            return _OWN
        return "the task is about it" if value in self._facts else "the goal says it"

    def _add(self, name: str, value: str, why: str) -> None:
        if self.examples.setdefault(name, value) == value:
            self.why.setdefault(name, why)
            self._note(value, name, why)

    def _note(self, value: str, parameter: str, reason: str) -> None:
        finding = Finding(value, parameter, reason)
        if finding not in self.review:
            self.review.append(finding)


def _is_fact(value: Any) -> bool:
    return isinstance(value, str | int) and not isinstance(value, bool) and len(str(value)) > 0


def _is_said(value: str, goal: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(value)}(?!\w)", goal) is not None


def _type(value: str) -> Any:
    return "date" if _DAY.fullmatch(value) else "text"
