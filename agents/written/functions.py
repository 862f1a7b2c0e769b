"""Functions that the model wrote, and the trajectory that calls them: read as a tree, checked, and laid over the episode.

Nothing is executed. The code is read by the format that ASI's functions are imported with (`skills.formats.asi`), so a
target is what that format has: a locator as text, `'{role=link label="{title}"}'`.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from skillshift_gym import actions
from skillshift_gym.actions import SkillCall
from skillshift_gym.agents.induction.functions import seen
from skillshift_gym.agents.written.showing import without_sid
from skillshift_gym.agents.written.writer import Rejected
from skillshift_gym.errors import MalformedAction
from skillshift_gym.skills.formats import read_files
from skillshift_gym.skills.formats.lines import argument
from skillshift_gym.skills.locator import Locator
from skillshift_gym.skills.naming import slug
from skillshift_gym.skills.program import Act, If, Name, Statement, Stop, Target, parse
from skillshift_gym.skills.rewriting import mapped
from skillshift_gym.skills.skill import Skill
from skillshift_gym.skills.templates import fill, plain

NOT_PYTHON = "the code is not Python"
NO_FUNCTION = "the code has no function that can be read"
NOT_CALLED = "not called in the rewritten trajectory"


class Function(NamedTuple):
    """A function.

    Attributes:
        name: Its name.
        doc: Its docstring.
        parameters: Names that it takes, in order.
        acts: What it does.
    """

    name: str
    doc: str
    parameters: tuple[str, ...]
    acts: tuple[Act, ...]


class Use(NamedTuple):
    """The first call of a function in a rewritten trajectory.

    Attributes:
        start: Steps of the episode that were done before it.
        given: Parameter -> value.
    """

    start: int
    given: Mapping[str, str]


def functions_of(code: str, taken: Container[str], least: int, most: int) -> Iterator[Function | Rejected]:
    """Yields each function of a module, or why it is none.

    Args:
        code: The module.
        taken: Names that are taken.
        least: Fewest calls of a body.
        most: Most calls of a body.
    """
    for skill in skills_of("asi", code):
        try:
            yield skill if isinstance(skill, Rejected) else _checked(skill, taken, least, most)
        except Rejected as rejected:
            yield rejected


def skills_of(form: str, code: str) -> Iterator[Skill | Rejected]:
    """Yields each function of a module as the format reads it, or why it is none."""
    if code.strip():
        found = read_files(form, {"code.py": code})
        wrong = [n.reason for n in found.notes if n.reason.startswith(("not taken over", "no function"))]
        yield from (Rejected(NOT_PYTHON if "not Python" in reason else NO_FUNCTION) for reason in wrong)
        if not found.skills and not wrong:
            yield Rejected(NO_FUNCTION)
        yield from found.skills


def _checked(skill: Skill, taken: Container[str], least: int, most: int) -> Function:
    acts = acts_of(skill)
    refuse(
        {
            "the name is taken": skill.name in taken,
            f"fewer than {least} calls": len(acts) < least,
            f"more than {most} calls": len(acts) > most,
            "a target by something else than role and name or test id": any(
                (x := locator_in(act)) is not None and seen(x) != x for act in acts
            ),
        }
    )
    return Function(skill.name, str(skill.fields["doc"]).strip(), tuple(p.name for p in skill.parameters), acts)


def acts_of(skill: Skill, optional: Container[str] = ()) -> tuple[Act, ...]:
    """Returns the acts of a function that was read: primitives only, one after the other.

    Args:
        skill: The function.
        optional: Parameters that may be asked for in an `if`; what is done then counts as done.

    Raises:
        Rejected: It has anything else, parameters that it does not use, or no docstring.
    """
    program = mapped(parse(skill.program), without_sid)
    acts = tuple(act for statement in program.statements for act in _plain(statement, optional))
    refuse(
        {
            "a line that is no call of a primitive": any(isinstance(s, Stop) for s in program.walk()),
            "something else than calls of primitives": sum(not isinstance(s, If) for s in program.walk()) > len(acts),
            "no docstring": not str(skill.fields.get("doc", "")).strip(),
            "a parameter that is not used, or used and not declared": {p.name for p in skill.parameters}
            != set(program.parameters),
        }
    )
    return acts


def _plain(statement: Statement, optional: Container[str]) -> tuple[Act, ...]:
    """Returns the acts of a statement: itself, or what is done when a parameter that need not be given is."""
    if isinstance(statement, Act):
        return (statement,)
    if not isinstance(statement, If) or statement.otherwise or len(statement.condition) > 1:
        return ()
    term = statement.condition[0]
    held = term.kind == "given" and not term.negated and term.name in optional
    return tuple(s for s in statement.then if isinstance(s, Act) and s.values == (Name(term.name),)) if held else ()


def refuse(wrong: Mapping[str, bool]) -> None:
    """Raises the first reason that holds.

    Raises:
        Rejected: One does.
    """
    if reason := next((reason for reason, holds in wrong.items() if holds), ""):
        raise Rejected(reason)


def uses_of(lines: Sequence[str], functions: Mapping[str, Function], steps: Sequence[Act]) -> dict[str, Use | Rejected]:
    """Returns function -> its first call in a rewritten trajectory, or why that call cannot be tested.

    A call stands for as many steps of the episode as its function has acts; any other line has to be the step that is due.

    Args:
        lines: The rewritten trajectory.
        functions: Name -> function, of all that may be called.
        steps: The steps of the episode, as they were done.
    """
    found: dict[str, Use | Rejected] = {}
    at = 0
    for line in filter(str.strip, lines):
        call = _call(line)
        if call is not None and slug(call.name) in functions:
            function = functions[slug(call.name)]
            found.setdefault(function.name, _use(function, call, at))
            at += len(function.acts)
        elif at < len(steps) and act_of_line(line) == steps[at]:
            at += 1
        else:
            return _astray(found, functions)
    return found


def _astray(found: dict[str, Use | Rejected], functions: Mapping[str, Function]) -> dict[str, Use | Rejected]:
    astray = Rejected("the rewritten trajectory does what was not done")
    return {**{name: astray for name in functions}, **found}


def _use(function: Function, call: SkillCall, at: int) -> Use | Rejected:
    given = dict(zip(function.parameters, map(str, call.args), strict=False)) | {
        argument(name): str(value) for name, value in call.kwargs
    }
    if set(given) != set(function.parameters) or len(call.args) > len(function.parameters):
        return Rejected("a call with other arguments than it takes")
    return Use(at, {name: given[name] for name in function.parameters})


def _call(line: str) -> SkillCall | None:
    try:
        call = actions.parse(line.strip())
    except MalformedAction:
        return None
    return call if isinstance(call, SkillCall) else None


def act_of_line(line: str) -> Act | None:
    """Returns the act of a line of a trajectory, None for a line that is none."""
    found = read_files("asi", {"line.py": f"def line():\n    {line.strip()}\n"}).skills
    statements = parse(found[0].program).statements if found else ()
    return statements[0] if len(statements) == 1 and isinstance(statements[0], Act) else None


def judged(acts: Sequence[Act], given: Mapping[str, str], steps: Sequence[Act]) -> tuple[Act, ...]:
    """Returns acts with the semantic ids of the steps that they repeat: for judging only, no method reads them.

    Args:
        acts: The acts.
        given: Parameter -> value.
        steps: The steps that they may repeat, as they were recorded.
    """
    return tuple(_judged(act, given, steps) for act in acts)


def _judged(act: Act, given: Mapping[str, str], steps: Sequence[Act]) -> Act:
    own = locator_in(act)
    others = [other for step in steps if (other := locator_in(step)) is not None and step.verb == act.verb]
    same = next((other for other in others if own is not None and _same(own, other, given)), None)
    return act if own is None or same is None else replace(act, target=Target(replace(own, sid=same.sid)))


def _same(own: Locator, other: Locator, given: Mapping[str, str]) -> bool:
    if own.role or own.test_id:
        return (own.role, own.test_id) == (other.role, other.test_id) and fill(own.label, given) == plain(other.label)
    return own.css == other.css if own.css else own.xpath == other.xpath


def locator_in(act: Act) -> Locator | None:
    """Returns the locator of an act, None for one without."""
    return act.target.locator if act.target is not None else None
