"""WALT's tools: built of a demonstration, tested with generated inputs, revised after a failure, by address where that does."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from skillshift_gym.agents.induction.binding import Input, sent
from skillshift_gym.agents.induction.exploring import Call, Explorer
from skillshift_gym.agents.induction.procedures import Procedure, generated, missed, same_answer, with_blamed
from skillshift_gym.page import Page
from skillshift_gym.skills.checker import VOLATILE, check
from skillshift_gym.skills.formats import write_files
from skillshift_gym.skills.locator import Locator
from skillshift_gym.skills.outcome import MAX_PRIMITIVES
from skillshift_gym.skills.program import Act, Name, Target, Text, parse
from skillshift_gym.skills.skill import Skill

ROUNDS = 5


class Tested(NamedTuple):
    """A tool and how its test went.

    Attributes:
        skill: The tool as it was tested last, None when none could be built.
        passed: Tests passed.
        called: Calls that came to an end.
        rounds: Rounds it took.
        reason: Why it failed, empty when it did not.
        page: The page that it ended on.
        given: Arguments of the test that it passed, as labels.
        by_address: Whether it asks by address.
    """

    skill: Skill | None
    passed: int = 0
    called: int = 0
    rounds: int = 0
    reason: str = ""
    page: Page | None = None
    given: Mapping[str, Any] = {}
    by_address: bool = False


class Workshop:
    """Builds and tests tools.

    Args:
        explorer: The browser that tools are tested in.
        seed: Seed of the inputs.
    """

    def __init__(self, explorer: Explorer, seed: int = 0) -> None:
        self._explorer, self._seed = explorer, seed

    def best(self, procedure: Procedure, name: str, task: str) -> Tested:
        """Returns the tool of a procedure: by address when that has the same effect as the steps, or they have none."""
        if any(i.many and i.required for i in procedure.inputs):
            return Tested(None, reason="an input takes several entries at once, which no step can give")
        steps = self.tested(fitted(_without_many(procedure)), name, task)
        if not procedure.address or (steps.skill is not None and len(procedure.acts) == procedure.skips == 1):
            return steps._replace(by_address=bool(procedure.address))
        short = _without_many(by_address(procedure))
        direct = self.tested(short, name, task, steps.given)
        if not direct.passed:
            return steps
        same = steps.page is not None and direct.page is not None and same_answer(steps.page, direct.page)
        return (
            direct._replace(by_address=True) if same or not steps.passed or procedure.kind not in ("query",) else steps
        )

    def tested(self, procedure: Procedure, name: str, task: str, given: Mapping[str, Any] | None = None) -> Tested:
        """Returns a tool after at most five rounds of test and revision."""
        reason, called, skill = "", 0, None
        for number in range(ROUNDS):
            skill = tool_of(procedure, name, (self._start(task),))
            if reason := _volatile(skill):
                return Tested(None, reason=reason)
            values = dict(given or self._inputs(procedure, number))
            self._explorer.begin(task)
            call = self._explorer.call(skill, sent(procedure.inputs, values, values=True))
            called += call.code == "ok"
            reason = missed(procedure, call, values)
            if not reason:
                return Tested(skill, 1, called, number + 1, "", call.after, values)
            procedure = revised(procedure, call, values)
        return Tested(skill, 0, called, ROUNDS, reason)

    def _start(self, task: str) -> Any:
        self._explorer.begin(task)
        return self._explorer.evidence

    def _inputs(self, procedure: Procedure, number: int) -> dict[str, Any]:
        """Returns the inputs of a round: at first those of the demonstration, then others, and all that are required."""
        found = dict(procedure.sample) if number == 0 else {}
        chosen = [i for i in procedure.inputs if i.required or i.name in procedure.sample]
        for one in chosen:
            found.setdefault(one.name, generated(one, self._seed, number))
        return {i.name: found[i.name] for i in procedure.inputs if i.name in found}


def by_address(procedure: Procedure) -> Procedure:
    """Returns the procedure with its address in place of the acts that it stands for."""
    goto = Act("goto", None, (Text(procedure.address),))
    return replace(procedure, acts=(goto, *procedure.acts[procedure.skips :]), skips=1)


def _without_many(procedure: Procedure) -> Procedure:
    """Returns the procedure without inputs that take several entries: what the page holds stays."""
    many = {i.name for i in procedure.inputs if i.many}
    acts = tuple(
        a for a in procedure.acts if not (a.values and isinstance(a.values[0], Name) and a.values[0].name in many)
    )
    return replace(procedure, inputs=tuple(i for i in procedure.inputs if not i.many), acts=acts)


def fitted(procedure: Procedure) -> Procedure:
    """Returns the procedure without the last inputs that need not be given, so many that a call can do what is left.

    What unfolds a part of the page goes with the last field in it.
    """
    acts = list(procedure.acts)
    while len(acts) > MAX_PRIMITIVES:
        place = next((n for n in reversed(range(len(acts))) if _is_spare(procedure, acts[n])), -1)
        if place < 0:
            return procedure
        del acts[place]
        if _unfolds(acts[place - 1]) and acts[place].verb == "click":
            del acts[place - 1]
    entered = {_name_of(a) for a in acts}
    inputs = tuple(i for i in procedure.inputs if i.name in entered)
    return replace(procedure, inputs=inputs, acts=tuple(acts)) if len(acts) < len(procedure.acts) else procedure


def _is_spare(procedure: Procedure, act: Act) -> bool:
    """Tells whether an act enters what need not be given, tells no entity, and was not given in the demonstration."""
    one = next((i for i in procedure.inputs if i.name == _name_of(act)), None)
    return one is not None and not one.required and not one.key and one.name not in procedure.sample


def _unfolds(act: Act) -> bool:
    return (
        act.verb == "click"
        and act.target is not None
        and act.target.locator is not None
        and act.target.locator.tag == "summary"
    )


def _name_of(act: Act) -> str:
    value = act.values[0] if act.values else None
    return value.name if isinstance(value, Name) else ""


def _volatile(skill: Skill) -> str:
    """Returns what would make a tool useless in the next session, empty when nothing does."""
    found = (f for f in check(parse(skill.program), skill.parameters) if f.rule in VOLATILE)
    return next((f"{f.rule}: {f.message}" for f in found), "")


def revised(procedure: Procedure, call: Call, given: Mapping[str, Any]) -> Procedure:
    """Returns the procedure after a failure: an input that was complained about is required, or one is dropped."""
    needed = with_blamed(procedure, call, given)
    if needed is not procedure:
        return needed
    act = _act_at(procedure, call.line)
    empty = {i.name for i in procedure.inputs if i.name not in given and not i.default and not i.required}
    if act is not None and act.values and isinstance(act.values[0], Name) and act.values[0].name in empty:
        gone = act.values[0].name
        kept = tuple(a for a in procedure.acts if a is not act)
        return replace(procedure, acts=kept, inputs=tuple(i for i in procedure.inputs if i.name != gone))
    return procedure


def _act_at(procedure: Procedure, line: int) -> Act | None:
    """Returns the act on a line of the program, counted past its examples."""
    examples = len(procedure.program(procedure.acts).statements) - len(procedure.acts)
    place = line - examples - 1
    return procedure.acts[place] if 0 <= place < len(procedure.acts) else None


def tool_of(procedure: Procedure, name: str, evidence: Sequence[Any]) -> Skill:
    """Returns the tool of a procedure: JSON steps with css, xpath and tag, and the program that they are."""
    acts = [
        replace(a, target=Target(stored(a.target.locator))) if a.target and a.target.locator else a
        for a in procedure.acts
    ]
    program = procedure.program([_templated(a) for a in acts], values=True)
    plain = Skill(
        name=name, kind="function", description=procedure.description, program=str(program),
        parameters=tuple(i.parameter(values=True) for i in procedure.inputs), evidence=tuple(evidence),
    )  # fmt: skip
    data = json.loads(next(iter(write_files("walt", [plain]).files.values())))
    inputs = [{**said, **_more(one)} for said, one in zip(data["input_schema"], procedure.inputs, strict=True)]
    return plain.revised(kind="tool", status="testing", fields={"steps": data["steps"], "inputs": inputs})


def stored(locator: Locator) -> Locator:
    """Returns what WALT stores of an element; the semantic id stays for the judge alone."""
    return Locator(css=locator.css, xpath=locator.xpath, tag=locator.tag, sid=locator.sid)


def _templated(act: Act) -> Act:
    """Returns an act whose values are texts with placeholders, as steps say them."""
    return replace(act, values=tuple(Text(f"{{{v.name}}}") if isinstance(v, Name) else v for v in act.values))


def _more(one: Input) -> dict[str, Any]:
    """Returns what the schema says of an input beside its type: labels of its choices."""
    return {"labels": dict(one.choices)} if one.choices else {}
