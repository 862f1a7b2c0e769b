"""The record of a skill: one form for all published shapes, checked when it is made, frozen afterwards."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cached_property, lru_cache
from keyword import iskeyword
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator

from ..errors import SkillError, SkillShiftError
from ..grammar import GRAMMAR
from .fields import field_problems, sides
from .program import parse
from .values import canonical, digest, frozen, text_problem

Kind = Literal[
    "workflow",
    "function",
    "page_program",
    "tool",
    "principle",
    "mistake",
    "trigger_rule",
    "strategy",
    "playbook",
    "recorded",
]
Status = Literal["active", "testing", "retired"]
NAME = re.compile(r"[a-z][a-z0-9_]{0,63}")


def _text(value: str) -> str:
    if problem := text_problem(value):
        raise ValueError(problem)
    return value


Text = Annotated[str, AfterValidator(_text)]


class Form(BaseModel):
    """Base of all parts: no unknown field, no conversion of types, no NaN, no change."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class Parameter(Form):
    """One typed parameter of a callable skill.

    Attributes:
        name: Its name in the program.
        type: `date` is an ISO day, `list` a list of texts.
        description: What a caller should give.
        choices: The allowed values of a `choice`.
        required: Whether a call must give it.
        default: Its value when a call does not.
    """

    name: str
    type: Literal["text", "number", "boolean", "choice", "date", "list"] = "text"
    description: Text = ""
    choices: tuple[Text, ...] = ()
    required: bool = True
    default: Text | int | float | bool | tuple[Text, ...] | None = None

    @field_validator("choices", "default", mode="before")
    @classmethod
    def _tuple(cls, value: Any) -> Any:
        return tuple(value) if isinstance(value, list) else value

    @model_validator(mode="after")
    def _check(self) -> Parameter:
        if not NAME.fullmatch(self.name) or iskeyword(self.name):
            raise ValueError(f"expected a name such as order_number (no word of Python's), got {self.name[:80]!r}")
        if (self.type == "choice") != bool(self.choices):
            raise ValueError(f"parameter {self.name!r}: a choice has choices, and nothing else has")
        if self.required and self.default is not None:
            raise ValueError(f"parameter {self.name!r}: a required parameter has no default")
        return self


class Evidence(Form):
    """One episode that a skill comes from or was tested on.

    Attributes:
        task: Task id.
        site: Site name.
        condition: Condition name.
        split: Split of the task; a trainer refuses `bench` outside of the published protocol.
        seed: Seed of the episode.
        episode: Id of the episode in its run.
    """

    task: Text
    site: Text = ""
    condition: Text = ""
    split: Literal["bench", "train", "val", "unknown"] = "unknown"
    seed: int = 0
    episode: Text = ""


class Source(Form):
    """What a skill was imported from: the format, the piece of the file as it was, and where it stood in it."""

    format: Text
    text: Text
    place: Text = ""


class Skill(Form):
    """A skill.

    Attributes:
        name: Name in calls; lower-case letters, digits and `_`, never a primitive's name.
        kind: Which published shape it has; `fields` follow the declaration of the kind.
        version: From 1; a bank raises it with every update.
        description: One line for the list of skills.
        parameters: Typed parameters of a callable skill, in order.
        program: Source text of the step language; empty for a skill that cannot be called.
        fields: What the kind declares (`fields.DECLARATIONS`).
        evidence: Episodes that it comes from or was tested on.
        status: `active` skills are shown to agents; `testing` and `retired` ones are kept only.
        source: What it was imported from.
    """

    name: str
    kind: Kind
    version: Annotated[int, Field(ge=1, le=2**31)] = 1
    description: Text = ""
    parameters: Annotated[tuple[Parameter, ...], Field(max_length=50)] = ()
    program: Text = ""
    fields: dict[str, Any] = {}
    evidence: Annotated[tuple[Evidence, ...], Field(max_length=1_000)] = ()
    status: Status = "active"
    source: Source | None = None

    @field_validator("name")
    @classmethod
    def _name(cls, value: str) -> str:
        if not NAME.fullmatch(value):
            raise ValueError(f"expected 1 to 64 of a-z, 0-9 and _, a letter first, got {value[:80]!r}")
        if iskeyword(value):
            raise ValueError(f"{value!r} is a word of Python's, which a call cannot use")
        if value in GRAMMAR:
            raise ValueError(f"{value!r} is a primitive; a skill needs another name, such as {value}_it")
        return value

    @field_validator("parameters", "evidence", mode="before")
    @classmethod
    def _tuple(cls, value: Any) -> Any:
        return tuple(value) if isinstance(value, list) else value

    @field_validator("fields")
    @classmethod
    def _frozen(cls, value: dict[str, Any]) -> dict[str, Any]:
        result: dict[str, Any] = frozen(value)
        return result

    @model_validator(mode="after")
    def _check(self) -> Skill:
        if problems := field_problems(self.kind, self.fields):
            raise ValueError("; ".join(problems))
        names = [p.name for p in self.parameters]
        if twice := [name for name in names if names.count(name) > 1]:
            raise ValueError(f"parameter {twice[0]!r} appears twice")
        try:
            canonical_program(self.program)
        except SkillShiftError as error:
            raise ValueError(f"program: {error}") from None
        return self

    def __hash__(self) -> int:
        return hash(self.hash)

    @property
    def callable(self) -> bool:
        """Whether agents can call it: it has a program."""
        return bool(self.program.strip())

    @property
    def content(self) -> dict[str, Any]:
        """The record as JSON values."""
        return self.model_dump(mode="json")

    @cached_property
    def hash(self) -> str:
        """SHA-256 of the record."""
        return digest(self.content)

    @property
    def signature(self) -> str:
        """How it is called, such as `cancel_order(number: text, notify: boolean = False)`."""
        parts = [f"{p.name}: {p.type}" + ("" if p.required else f" = {p.default!r}") for p in self.parameters]
        return f"{self.name}({', '.join(parts)})"

    def revised(self, **changes: Any) -> Skill:
        """Returns the skill with some attributes changed, checked anew.

        Raises:
            SkillError: The result is no valid skill.
        """
        return skill_of({**self.content, **changes})

    def rewritten(self, **fields: Any) -> Skill:
        """Returns the skill with some content fields changed: what a rewriter may do.

        Raises:
            SkillError: A field is on the retrieval side, is not declared, or the result is no valid skill.
        """
        declaration = sides(self.kind)
        for name in fields:
            side = declaration.get(name, "not declared")
            if side != "content":
                free = ", ".join(n for n, s in declaration.items() if s == "content")
                raise SkillError(f"{self.name}: field {name!r} is {side}; a rewrite may change {free}")
        own = {name: value for name, value in fields.items() if name != "program"}
        return self.revised(fields={**self.fields, **own}, program=fields.get("program", self.program))


@lru_cache(maxsize=20_000)
def canonical_program(text: str) -> str:
    """Returns a program in canonical form.

    Raises:
        ProgramError: The text is no program.
    """
    return str(parse(text))


def skill_of(values: Mapping[str, Any]) -> Skill:
    """Returns the skill that JSON values describe.

    Raises:
        SkillError: They describe none; the text says which part, what was expected and what was found.
    """
    try:
        return Skill.model_validate(dict(values))
    except ValidationError as error:
        raise SkillError(f"{_named(values)}: {problems(error)}") from None


def problems(error: ValidationError) -> str:
    """Returns what a validation found, in one line: each part, and what is wrong with it."""
    found = []
    for item in error.errors(include_url=False)[:20]:
        place = ".".join(map(str, item["loc"]))
        text = item["msg"].removeprefix("Value error, ")
        found.append(f"{place}: {text}" if place else text)
    return "; ".join(found)


def _named(values: Mapping[str, Any]) -> str:
    name = values.get("name")
    return f"skill {name[:80]!r}" if isinstance(name, str) else "skill without a name"


def same_content(one: Skill, other: Skill) -> bool:
    """Whether two skills say the same: all but version, status, evidence and source."""
    return not differences(one, other)


def differences(one: Skill, other: Skill) -> list[str]:
    """Returns the attributes and fields in which two skills say different things, sorted."""
    a, b = _said(one), _said(other)
    return sorted(name for name in {*a, *b} if canonical(a.get(name)) != canonical(b.get(name)))


def _said(skill: Skill) -> dict[str, Any]:
    own = skill.content
    fields = {f"fields.{name}": value for name, value in own["fields"].items()}
    said = {name: own[name] for name in ("name", "kind", "description", "parameters")}
    return {**said, "program": canonical_program(skill.program), **fields}
