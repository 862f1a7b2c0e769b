"""Functions as ASI keeps them: a chunk with a name, a docstring and a purpose."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence

from skillshift_gym.agents.induction.chunks import Chunk
from skillshift_gym.skills.goal_templates import BETWEEN
from skillshift_gym.skills.locator import Locator
from skillshift_gym.skills.naming import slug
from skillshift_gym.skills.program import Act, Name, Text, parse
from skillshift_gym.skills.skill import Parameter, Skill
from skillshift_gym.skills.templates import literal, plain, slots

_PRECONDITION = "Precondition: the page shows "
_TYPED = ("fill", "select", "type")
_SLOT = re.compile(r"(?<!\{)\{(\w+)\}(?!\})")


def seen(locator: Locator) -> Locator:
    """Returns what a reader of the accessibility tree and of test ids writes down: a test id, or role and name.

    What has neither is found by its place in the document. The semantic id stays for the judge.
    """
    if locator.role:
        return Locator(
            test_id=locator.test_id, role=locator.role, label=locator.label, nth=locator.nth, sid=locator.sid
        )
    if locator.test_id:
        return Locator(test_id=locator.test_id, sid=locator.sid)
    return Locator(css=locator.css, xpath=locator.xpath, sid=locator.sid)


def function_of(chunk: Chunk, templates: Iterable[str], taken: Collection[str]) -> Skill:
    """Returns the function of a chunk, to be tested.

    Args:
        chunk: The chunk.
        templates: The goals that it serves, with slots.
        taken: Names that are taken.
    """
    return purposed(
        Skill(
            name=slug(_named(chunk.acts), taken),
            kind="function",
            parameters=tuple(Parameter(name=name) for name in chunk.parameters),
            program=str(chunk.program),
            evidence=(chunk.trace.solved.episode.evidence,),
            status="testing",
        ),
        templates,
        later=chunk.start > 0,
    )


def purposed(skill: Skill, templates: Iterable[str], later: bool) -> Skill:
    """Returns a function with another purpose: the goals that it serves, and whether it begins later than a task does."""
    purpose = BETWEEN.join(dict.fromkeys(templates))
    examples = parse(skill.program).examples
    call = f"{skill.name}({', '.join(repr(examples[p.name]) for p in skill.parameters)})"
    lines = [purpose, "", *([f"{_PRECONDITION}{_first(skill)}."] if later else []), f"Example: {call}"]
    return skill.revised(description=purpose, fields={**skill.fields, "doc": "\n".join(lines), "examples": (call,)})


def has_precondition(skill: Skill) -> bool:
    """Tells whether a function's docstring says that it does not begin where tasks begin."""
    return _PRECONDITION in str(skill.fields.get("doc", ""))


def narrowed(template: str, values: Mapping[str, str], used: Sequence[str]) -> str:
    """Returns a goal with slots, those that a function does not use spelled out as one goal has them."""
    return _SLOT.sub(lambda m: m[0] if m[1] in used else literal(values[m[1]]), template)


def literals_of(acts: Iterable[Act]) -> list[str]:
    """Returns the values that are typed or chosen whatever the arguments."""
    typed = (v for a in acts if a.verb in _TYPED for v in a.values)
    return [plain(v.template) for v in typed if isinstance(v, Text) and v.template and not slots(v.template)]


def labels_of(acts: Iterable[Act]) -> list[str]:
    """Returns the names of targets that are the same whatever the arguments."""
    labels = (a.target.locator.label for a in acts if a.target is not None and a.target.locator is not None)
    return [plain(label) for label in labels if label and not slots(label)]


def _first(skill: Skill) -> str:
    first = next(s for s in parse(skill.program).statements if isinstance(s, Act))
    locator = first.target.locator if first.target is not None else None
    return f"{locator.role} {locator.label!r}" if locator is not None and locator.role else "what its first line names"


def _named(acts: Sequence[Act]) -> str:
    """Returns a name such as `fill_search_for_press_enter_click_title`."""
    parts: list[str] = []
    verb = ""
    for act in acts:
        parts += [act.verb] if act.verb != verb else []
        verb = act.verb
        locator = act.target.locator if act.target is not None else None
        if act.verb == "press":
            parts += [v.name if isinstance(v, Name) else v.template for v in act.values if not isinstance(v, int)]
        elif locator is not None:
            parts.append(locator.label or locator.role)
    return " ".join(parts)
