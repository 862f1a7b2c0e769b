"""Programs that the model wrote for a page, between its text and the records of the methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from skillshift_gym.agents.induction.binding import Input
from skillshift_gym.agents.induction.procedures import Procedure
from skillshift_gym.agents.written.showing import without_sid
from skillshift_gym.agents.written.writer import Rejected
from skillshift_gym.skills.formats import write_files
from skillshift_gym.skills.formats.lines import argument
from skillshift_gym.skills.program import Act, parse
from skillshift_gym.skills.rewriting import mapped
from skillshift_gym.skills.skill import Skill


class Made(NamedTuple):
    """What a function is called, what it is for, and what it takes."""

    name: str
    about: str
    inputs: tuple[Input, ...]

    def procedure(self, acts: tuple[Act, ...], given: Mapping[str, str], end: str, heading: str) -> Procedure:
        """Returns it as a procedure; its effect is that of one that writes: something new is said, and nothing refused."""
        return Procedure("written", self.name, (self.about,), self.inputs, acts, "", dict(given), end, heading)


def inputs_of(skill: Skill) -> tuple[Input, ...]:
    """Returns the inputs of a function: what they are called are the words of their names."""
    return tuple(
        Input(
            p.name, p.name.replace("_", " "), required=p.required, default="" if p.default is None else str(p.default)
        )
        for p in skill.parameters
    )


def given_of(skill: Skill, arguments: Sequence[Mapping[str, Any]]) -> dict[str, str]:
    """Returns the arguments of a reply for a call, in the order of the parameters.

    Raises:
        Rejected: One is unknown, or one that is needed is missing.
    """
    given = {argument(a["name"]): str(a["value"]) for a in arguments}
    names = {p.name for p in skill.parameters}
    needed = {p.name for p in skill.parameters if p.required}
    if not needed <= set(given) <= names:
        raise Rejected("other arguments than it takes")
    return {p.name: given[p.name] for p in skill.parameters if p.name in given}


def source_of(skill: Skill, form: str = "skillweaver") -> str:
    """Returns a function as text that a model is shown: without what only the judge knows."""
    shown = skill.revised(program=str(mapped(parse(skill.program), without_sid)), evidence=())
    return next(iter(write_files(form, [shown]).files.values()))
