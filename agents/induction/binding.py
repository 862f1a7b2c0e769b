"""Arguments of a call from a goal: inputs are filled in as the fields of a page are, by what they are called and take.

The same rules as for fields (`skillshift_gym.forms`), so that what a method calls with is no better understood than what its
executor types.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from skillshift_gym import forms
from skillshift_gym.forms import Entry
from skillshift_gym.goal_values import values_of
from skillshift_gym.reading import words
from skillshift_gym.skills.goal_templates import BETWEEN, matched
from skillshift_gym.skills.skill import Parameter, Skill
from skillshift_gym.spans import slashed, span_of
from skillshift_gym.tables import shape
from skillshift_gym.vocabulary import UI_WORDS, share, stems

SLUG, MONTH, DAY = "as in the address", "yyyy/mm", "m/d/yyyy"
FORMATS = (SLUG, MONTH, DAY)
_KEY, _SUCH = ", one of those that tell which", ", such as "
_GOOD = 0.5
_LONGEST = 6  # words of a value that nothing sets off
_MONEY = stems(" ".join(sorted(UI_WORDS["money"])))


class Input(NamedTuple):
    """An input of a procedure.

    Attributes:
        name: Name of the parameter.
        label: What the site calls it.
        format: How it is written: one of `FORMATS`, empty for plain text.
        required: Whether a call must give it.
        default: What the page holds without it.
        choices: Label -> value of a list's entries.
        samples: Values seen on the site, the best first.
        field: Name of the form's field, empty without one.
        key: Whether it says which entity is meant.
        many: Whether several choices may be given at once.
    """

    name: str
    label: str
    format: str = ""
    required: bool = True
    default: str = ""
    choices: tuple[tuple[str, str], ...] = ()
    samples: tuple[str, ...] = ()
    field: str = ""
    key: bool = False
    many: bool = False

    def parameter(self, *, values: bool = False) -> Parameter:
        """Returns the parameter of a skill; its choices are labels, or the values that are sent."""
        kind: Any = "list" if self.many else "choice" if self.choices else "text"
        values = values or bool(self.format)
        chosen = tuple(dict.fromkeys(v if values else label for label, v in self.choices)) if kind == "choice" else ()
        default: Any = None if self.required else (self.default or None)
        if kind == "choice" and default is not None:
            default = dict(self.choices).get(default) if values else default
        return Parameter(
            name=self.name, type=kind, description=self.about, choices=chosen, required=self.required,
            default=tuple(default.split(", ")) if kind == "list" and default else default,
        )  # fmt: skip

    @property
    def about(self) -> str:
        """What a caller reads of it."""
        key = _KEY if self.key else ""
        sample = f"{_SUCH}{self.samples[0]}" if self.samples and not self.choices else ""
        return self.label + (f" ({self.format})" if self.format else "") + key + sample


def inputs_of(skill: Skill) -> list[Input]:
    """Returns the inputs of a skill, as its parameters and, of a tool, its schema tell."""
    labels = {i["name"]: i.get("labels", {}) for i in skill.fields.get("inputs", ())}
    return [_input(p, labels.get(p.name) or {_label(p, c): c for c in p.choices}) for p in skill.parameters]


def _label(parameter: Parameter, choice: str) -> str:
    """Returns what a choice is called: of one that is written as in addresses, its words."""
    return choice.replace("-", " ").title() if f"({SLUG})" in parameter.description else choice


def _input(parameter: Parameter, labels: Mapping[str, str]) -> Input:
    said, _, sample = parameter.description.partition(_SUCH)
    key = said.endswith(_KEY)
    said = said.removesuffix(_KEY)
    written = next((f for f in FORMATS if said.endswith(f" ({f})")), "")
    back = {value: label for label, value in labels.items()}
    default = parameter.default
    text = ", ".join(default) if isinstance(default, tuple) else "" if default is None else str(default)
    return Input(
        parameter.name, said.removesuffix(f" ({written})"), written, parameter.required, back.get(text, text),
        tuple(labels.items()), (sample,) if sample else (), "", key, parameter.type == "list",
    )  # fmt: skip


def arguments(skill: Skill, inputs: Sequence[Input], goal: str) -> dict[str, Any] | None:
    """Returns the arguments that a goal gives for a call, as labels; None when one that is needed is not to be had.

    Args:
        skill: The skill.
        inputs: Its inputs.
        goal: The goal.
    """
    said = clean(skill.description, goal) or {}
    found: dict[str, Any] = {
        i.name: said[i.name] for i in inputs if i.name in said and not i.choices and i.format in ("", SLUG)
    }
    found |= {
        i.name: q
        for i in inputs
        if i.format == SLUG and not i.choices and i.name not in found
        for q in values_of(goal).quoted[:1]
    }
    found |= {i.name: last for i in inputs if _replaces(i) and i.name not in found and (last := _last(goal))}
    found |= _by_fit([i for i in inputs if i.name not in found], goal, set(map(str, found.values())))
    keys = [i for i in inputs if i.key]
    due = [i for i in inputs if i.required and not i.default]
    due = due if not keys or any(k.name in found for k in keys) else [keys[0], *due]
    for one in due:
        if one.name not in found:
            value = next((v for v in _loose(one, goal) if v not in found.values()), "")
            if not value:
                return None
            found[one.name] = value
    return {i.name: found[i.name] for i in inputs if i.name in found}


def clean(template: str, goal: str) -> dict[str, str] | None:
    """Returns what a template has in a goal, None when it does not fit or a slot swallowed more than one value."""
    for wording in template.split(BETWEEN):
        found = matched(wording, goal)
        if found is not None and all(
            len(words(v)) <= _LONGEST and not re.search('[“”",.?]', v) for v in found.values()
        ):
            return dict(found)
    return None


def _replaces(one: Input) -> bool:
    """Tells whether an input is what something is changed to."""
    return one.name.startswith("new_") and not one.choices and not one.format


def _last(goal: str) -> str:
    """Returns the quoted phrase that something is changed to: the last of several, or of one beside a name or code."""
    return values_of(goal).quoted[-1] if values_of(goal).quoted else ""


def _by_fit(inputs: Sequence[Input], goal: str, placed: set[str]) -> dict[str, Any]:
    """Returns input -> value by fit, each value for one input but for those of a list; an entity is told by one key."""
    pairs = [(entry, one) for one in inputs for entry in _entries(one, goal) if entry.fit >= _GOOD]
    found: dict[str, Any] = {}
    for entry, one in sorted(pairs, key=lambda pair: (not pair[1].choices, -pair[0].fit)):
        key = f"{_bound(one)} {entry.value}".strip()
        second = one.key and any(o.key and o.name in found for o in inputs)
        if one.name in found or second or (not one.choices and key in placed):
            continue
        found[one.name] = tuple(entry.value.split("; ")) if one.many else entry.value
        placed |= {key, entry.value} if one.choices else {key}
    return found


def _entries(one: Input, goal: str) -> Sequence[Entry]:
    if one.format == MONTH:
        return [Entry("month", month, 1.0) for month in _months(goal)]
    if one.format == SLUG and not one.choices:
        return []
    named = share(stems(one.label), forms.outside(goal))
    slugs = [Entry("slug", v, named) for v in values_of(goal).slugs] if one.key and len(words(one.label)) > 1 else []
    return [
        *slugs,
        *(e for e in forms.given(goal, _field(one)) if e.slot not in ("computed", "size") and _alike(one, e)),
    ]


def _alike(one: Input, entry: Entry) -> bool:
    """Tells whether a value looks like those of an input that takes numbers of one length, such as order numbers."""
    shapes = {shape(s) for s in one.samples}
    return not (len(shapes) == 1 and all(s.isdigit() for s in one.samples)) or shape(entry.value) in shapes


def _field(one: Input) -> forms.Field:
    label = stems(one.label)
    counts = one.default.isdigit() or bool(_bound(one) and one.samples)
    kind = "date" if one.format == DAY else "money" if label & _MONEY else "number" if counts else ""
    return forms.Field(
        one.name, label, _bound(one), kind, frozenset(map(shape, one.samples)), one.default,
        tuple(name for name, _ in one.choices), one.many, (), one.key,
    )  # fmt: skip


def _bound(one: Input) -> str:
    name = words(one.label)
    return next((b for b in ("from", "to") if name and (name[-1] in UI_WORDS[b] or name[0] == b)), "") if name else ""


def _loose(one: Input, goal: str) -> Iterator[str]:
    """Yields what may be meant by an input that nothing in the goal is beside: what is quoted first, then codes."""
    values = values_of(goal)
    if one.format == DAY:
        span = span_of(goal)
        yield from [slashed(span[_bound(one) == "to"])] if span else []
    elif one.samples and all(s.isdigit() for s in one.samples):
        yield from [str(values.number)] if values.number is not None else values.numbers
    elif not one.choices and not one.format:
        yield from (*values.quoted, *values.codes)


def _months(goal: str) -> list[str]:
    span = span_of(goal)
    slashes = re.search(r"\b(\d{1,2})/(\d{4})\b", goal)
    if slashes:
        return [f"{slashes[2]}/{int(slashes[1]):02d}"]
    same = span is not None and (span[0].year, span[0].month) == (span[1].year, span[1].month)
    return [f"{span[0].year}/{span[0].month:02d}"] if span and same else []


def slug_of(text: str) -> str:
    """Returns a text as addresses have it: lower case, apostrophes dropped, hyphens for what is no letter or digit."""
    plain = re.sub(r"['’‘“”\"]", "", text.lower())
    return re.sub(r"[^\w]+", "-", plain).strip("-")


def month_of(text: str) -> str:
    """Returns a month as addresses have it; a text that names none stays."""
    return next(iter(_months(text)), text)


_WRITTEN = {SLUG: slug_of, MONTH: month_of}


def sent(inputs: Sequence[Input], given: Mapping[str, Any], *, values: bool) -> dict[str, Any]:
    """Returns arguments as a call takes them: written as their format says, labels of choices replaced by their values where asked."""
    found = {}
    for one in inputs:
        if one.name in given:
            value = given[one.name]
            if isinstance(value, str) and one.choices and (values or one.format):
                value = dict(one.choices).get(value, value)
            elif isinstance(value, str):
                value = _WRITTEN.get(one.format, str)(value)
            found[one.name] = value
    return found
