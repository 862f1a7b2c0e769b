"""SkillWeaver's programs: written from an attempt, begun by a relative navigation, targets by role and name, checked and edited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from skillshift_gym.agents.induction.exploring import Call
from skillshift_gym.agents.induction.procedures import Procedure, with_blamed
from skillshift_gym.keyed import keyed
from skillshift_gym.skills.checker import VOLATILE, check
from skillshift_gym.skills.locator import Locator
from skillshift_gym.skills.program import Act, ForEach, If, Name, Program, Statement, Target, Term, Text
from skillshift_gym.skills.skill import Evidence, Skill

MAX_EDITS = 10
_PART = "part"
MAX_STEPS = 10


class Unfit(Exception):
    """A program breaks a rule of the method; the text says which."""


@dataclass
class Function:
    """A function of the bank while it is learned.

    Attributes:
        name: Its name.
        procedure: What it does.
        born: Iteration in which it was written.
        version: From 1; an edit raises it.
        tests: Clean runs of this version.
        runs: Calls so far, of all versions.
        tries: What was tried at which test, the next value of each input.
        events: What happened to it.
        evidence: The episodes that it comes from and was tested on.
        edits: Programs of earlier versions, and why each was given up.
    """

    name: str
    procedure: Procedure
    born: int
    version: int = 1
    tests: int = 0
    runs: int = 0
    events: list[dict[str, Any]] = field(default_factory=list)
    evidence: dict[Evidence, None] = field(default_factory=dict)
    edits: list[tuple[Skill, str]] = field(default_factory=list)

    def skill(self, knowledge: str = "") -> Skill:
        """Returns the function as a record."""
        used = [f"iteration {e['iteration']}: {e['event']}" for e in self.events]
        first = self.procedure.acts[0].values[0]
        return Skill(
            name=self.name, kind="page_program", description=self.procedure.description, version=1, status="testing",
            parameters=tuple(i.parameter() for i in self.procedure.inputs), program=str(program_of(self.procedure)),
            evidence=tuple(self.evidence), fields={
                "start_route": first.template if isinstance(first, Text) else "", "doc": self.procedure.description,
                "usage_log": "\\n".join(used), "site_knowledge": knowledge, "test_count": self.tests, "references": [],
                "events": self.events,
            },
        )  # fmt: skip

    def edit(self, procedure: Procedure, reason: str) -> None:
        """Puts a new version in the place of the old one; its count of clean runs begins anew."""
        self.edits.append((self.skill(), reason))
        self.procedure, self.version, self.tests = procedure, self.version + 1, 0


def program_of(procedure: Procedure) -> Program:
    """Returns the program of a procedure; what a call need not give is done only when it is given."""
    optional = {i.name for i in procedure.inputs if not i.required}
    done = [_statement(act, optional) for act in procedure.acts]
    return procedure.program([*done[:-1], _scoped(done[-1], procedure.scope)])


def _scoped(statement: Statement, scope: Locator | None) -> Statement:
    """Returns the last statement with its target looked for in a part of the page, as a chain of locators does."""
    if scope is None or not isinstance(statement, Act) or statement.target is None:
        return statement
    inside = replace(statement, target=Target(statement.target.locator, _PART))
    return ForEach(_PART, Target(scope), "", 1, (inside,))


def _statement(act: Act, optional: set[str]) -> Statement:
    styled = replace(act, target=Target(by_role(act.target.locator))) if act.target and act.target.locator else act
    value = styled.values[0] if styled.values else None
    if isinstance(value, Name) and value.name in optional:
        return If((Term("given", name=value.name),), (styled,))
    return styled


def by_role(locator: Locator) -> Locator:
    """Returns what the method stores of an element: role and name; the semantic id stays for the judge alone.

    Raises:
        Unfit: It has none.
    """
    if not locator.role or not locator.label:
        raise Unfit("an element without role and name")
    return Locator(role=locator.role, label=locator.label, nth=locator.nth, sid=locator.sid)


def checked(procedure: Procedure) -> None:
    """Makes sure that a procedure can become a program of the method.

    Raises:
        Unfit: It cannot.
    """
    if len([a for a in procedure.acts if a.verb != "goto"]) > MAX_STEPS + sum(not i.required for i in procedure.inputs):
        raise Unfit("more than ten steps")
    first = procedure.acts[0]
    if first.verb != "goto" or not isinstance(first.values[0], Text) or not first.values[0].template.startswith("/"):
        raise Unfit("does not begin with a relative navigation")
    found = check(program_of(procedure), [i.parameter() for i in procedure.inputs])
    wrong = [f.rule for f in found if f.serious or f.rule in VOLATILE]
    if wrong:
        raise Unfit(f"static check: {wrong[0]}")


def edited(procedure: Procedure, call: Call, given: Mapping[str, Any]) -> Procedure:
    """Returns another version after a run that failed, the same one when nothing suggests one."""
    needed = with_blamed(procedure, call, given)
    if needed is not procedure or call.code not in ("stale_target", "ambiguous_target"):
        return needed
    loose = tuple(_anywhere(act) for act in procedure.acts)
    return replace(procedure, acts=loose) if loose != procedure.acts else procedure


def _anywhere(act: Act) -> Act:
    """Returns an act whose target is the first of its role and name."""
    if act.target is None or act.target.locator is None or act.target.locator.nth <= 0:
        return act
    return replace(act, target=Target(replace(act.target.locator, nth=0)))


def drawn(weights: Sequence[float], *key: object) -> int:
    """Returns the place of a weight, drawn with probability proportional to it."""
    total, at = sum(weights), keyed(*key) / 2**64
    for place, weight in enumerate(weights):
        at -= weight / total
        if at < 0:
            return place
    return len(weights) - 1
