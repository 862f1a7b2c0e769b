"""Which skills of a bank run now, condition by condition: why the others do not, and the last revision that did.

By replay, each callable skill is called in an environment of each condition, on the task of its evidence, with the
arguments of its recording, once what is in the way at the start is cleared. Statically, only the targets that are on the task's first page are looked for: nothing is
clicked, so what lies behind a click is not judged.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any, NamedTuple, Self, cast

import gymnasium

from ..env import SkillShiftEnv
from ..errors import SkillShiftError, TaskError
from ..page import Page
from ..registration import CONDITIONS, SITES, make_cell
from ..skills.arguments import BadArguments, bind
from ..skills.bank import Bank
from ..skills.cases import Case
from ..skills.finder import Finder
from ..skills.lint import changed_lines
from ..skills.outcome import CODES
from ..skills.policy import Policy
from ..skills.program import Act, Agent, ForEach, If, Program, Stop, Text, Wait, parse
from ..skills.resolving import resolve
from ..skills.skill import Evidence, Skill
from ..skills.templates import fill
from ..skills.walk import targets_in
from .survival import called_once

RULES = {code: f"a call ends with {code}" for code in CODES if code != "ok"}
_NO_EVIDENCE = "no evidence names a task of these sites"
_STAYS = ("fill", "hover", "focus", "clear", "check", "uncheck", "scroll", "type")  # verbs that leave the page as it is


class Diagnosis(NamedTuple):
    """One skill in one condition.

    Attributes:
        skill: Its name.
        version: Its version.
        condition: The condition.
        code: Code that the method sees; empty when the skill cannot be tried.
        true: Code by semantic ids and state.
        detail: Why, in words.
        last_valid: Newest earlier version that runs here; None when none does, or this one does.
    """

    skill: str
    version: int
    condition: str
    code: str
    true: str
    detail: str = ""
    last_valid: int | None = None

    @property
    def ok(self) -> bool:
        """Whether the call did what it should, seen and true."""
        return self.code == self.true == "ok"


def diagnose(bank: Bank, conditions: Iterable[str] = tuple(CONDITIONS), *, static: bool = False) -> list[Diagnosis]:
    """Returns the diagnoses of all active skills with a program, skill by skill.

    Args:
        bank: The bank; it is not changed.
        conditions: The conditions.
        static: Whether nothing is called, and only the targets on the first page are looked for.
    """
    called = [skill for skill in bank.skills.values() if skill.callable]
    cells = [(skill, condition) for skill in called for condition in conditions]
    with _Cells(bank) as now:
        found = [_looked(*cell) if static else _called(*cell, now) for cell in cells]
    older = {skill.name: revisions(bank, skill) for skill in called}
    return [d if d.ok or not d.code else _dated(d, older[d.skill], static) for d in found]


def _dated(d: Diagnosis, older: Sequence[Skill], static: bool) -> Diagnosis:
    """Returns the diagnosis with the newest earlier version that runs."""
    for skill in older:
        bank = Bank()
        bank.add(skill, "to be examined")
        with _Cells(bank) as then:
            again = _looked(skill, d.condition) if static else _called(skill, d.condition, then)
        if again.ok:
            return d._replace(last_valid=skill.version)
    return d


class _Cells:
    """Environments that know a bank, one for each cell, closed at the end."""

    def __init__(self, bank: Bank) -> None:
        self._bank = bank
        self._made: dict[tuple[str, str], gymnasium.Env[Any, Any]] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for env in self._made.values():
            env.close()

    def get(self, site: str, condition: str) -> gymnasium.Env[Any, Any]:
        """Returns the environment of a cell."""
        if (site, condition) not in self._made:
            env = make_cell(site, condition, skills=self._bank, disable_env_checker=True)
            self._made[site, condition] = env
        return self._made[site, condition]


def revisions(bank: Bank, skill: Skill) -> list[Skill]:
    """Returns the earlier versions of a skill with other programs, newest first."""
    seen = {skill.program}
    found = []
    for event in reversed(bank.events):
        old = event.skill
        if old is not None and old.name == skill.name and old.callable and old.program not in seen:
            seen.add(old.program)
            found.append(old)
    return found


def cases(diagnoses: Sequence[Diagnosis], bank: Bank) -> list[Case]:
    """Returns the diagnoses as findings for reports."""
    lines = changed_lines(bank)
    return [_case(d, lines.get(d.skill, 0)) for d in diagnoses]


def _case(d: Diagnosis, line: int) -> Case:
    if not d.code:
        return Case(d.condition, d.skill, "skipped", "not_tried", d.detail, line)
    if d.ok:
        return Case(d.condition, d.skill, "ok", line=line)
    rule = d.code if d.code != "ok" else d.true
    unseen = "" if d.code != "ok" else "; the method sees no failure"
    valid = f"; version {d.last_valid} runs here" if d.last_valid else ""
    said = d.detail.removeprefix(f"{rule}: ") or RULES[rule]
    return Case(d.condition, d.skill, "error", rule, f"{said}{unseen}{valid}", line)


def _called(skill: Skill, condition: str, cells: _Cells) -> Diagnosis:
    evidence = _evidence(skill)
    if evidence is None:
        return Diagnosis(skill.name, skill.version, condition, "", "", _NO_EVIDENCE)
    placed = skill.revised(evidence=[evidence.model_dump()])
    try:
        row = called_once(cells.get(evidence.site, condition), placed)
    except TaskError as error:
        return Diagnosis(skill.name, skill.version, condition, "", "", str(error))
    return Diagnosis(skill.name, skill.version, condition, row["observed"], row["true"], row["detail"])


def _looked(skill: Skill, condition: str) -> Diagnosis:
    def said(code: str, detail: str = "") -> Diagnosis:
        return Diagnosis(skill.name, skill.version, condition, code, code, detail)

    evidence = _evidence(skill)
    if evidence is None:
        return said("", _NO_EVIDENCE)
    program = parse(skill.program)
    try:
        page = first_page(evidence.site, condition, evidence.task, _start(program, skill))
        arguments = bind(skill.parameters, (), tuple(_arguments(skill).items()))
    except (SkillShiftError, BadArguments) as error:
        return said("", str(error))
    finder, judged = Finder(page), 0
    for statement in program.statements:
        for target in targets_in(statement):
            if target.locator is None or set(target.locator.slots) - set(arguments):
                continue
            found = resolve(target.locator.filled(arguments), finder, Policy())
            if found.code and not isinstance(statement, If | Wait | ForEach):
                return said(found.code, f"line {statement.line}: {str(target.locator)[:200]}")
            judged += 1
        if isinstance(statement, If | ForEach | Agent | Stop) or (isinstance(statement, Act) and _leaves(statement)):
            break
    return said("ok" if judged else "", f"{judged} targets before the first deed")


def _leaves(act: Act) -> bool:
    return act.verb not in _STAYS and act.verb != "goto"


def _start(program: Program, skill: Skill) -> str:
    """Returns the action that opens the first page, empty when the task's own start is it."""
    first = next((s for s in program.statements if isinstance(s, Act)), None)
    if first is None or first.verb != "goto":
        return ""
    address = first.values[0]
    return fill(address.template, _arguments(skill)) if isinstance(address, Text) else ""


@lru_cache(maxsize=256)
def first_page(site: str, condition: str, task: str, address: str) -> Page:
    """Returns the page on which a skill begins."""
    env = make_cell(site, condition)
    try:
        env.reset(seed=0, options={"task": task})
        if address:
            env.step(f"goto({address!r})")
        return cast(SkillShiftEnv, env.unwrapped).page
    finally:
        env.close()


def _arguments(skill: Skill) -> dict[str, Any]:
    """Returns the arguments of the recording; what it does not name is left to the defaults."""
    examples = parse(skill.program).examples
    return {p.name: examples[p.name] for p in skill.parameters if p.name in examples}


def _evidence(skill: Skill) -> Evidence | None:
    for evidence in skill.evidence:
        site = evidence.site or evidence.task.partition(".")[0]
        if site in SITES:
            return Evidence(**{**evidence.model_dump(), "site": site})
    return None


class Foresight(NamedTuple):
    """How well looking tells what calling shows.

    Attributes:
        found: Broken calls that looking found.
        alarms: Calls that looking took for broken.
        broken: Calls that are broken.
        judged: Calls that both could judge.
    """

    found: int
    alarms: int
    broken: int
    judged: int

    def __str__(self) -> str:
        def share(part: int, whole: int) -> str:
            return f"{100 * part / whole:.1f} % ({part} of {whole})" if whole else "null (none)"

        said = f"precision {share(self.found, self.alarms)}, recall {share(self.found, self.broken)}"
        return f"looking against calling: {said}, {self.judged} calls that both judge"


def foresight(looked: Sequence[Diagnosis], called: Sequence[Diagnosis]) -> Foresight:
    """Returns how well static diagnoses tell which calls are not ok, by true status.

    Args:
        looked: Static diagnoses.
        called: Diagnoses by replay of the same skills and conditions.
    """
    true = {(d.skill, d.condition): d.true != "ok" for d in called if d.code}
    said = {(d.skill, d.condition): not d.ok for d in looked if d.code}
    both = sorted(true.keys() & said.keys())
    hits = sum(true[key] and said[key] for key in both)
    return Foresight(hits, sum(said[key] for key in both), sum(true[key] for key in both), len(both))


def table(diagnoses: Sequence[Diagnosis]) -> str:
    """Returns skill x condition in lines, and how many of the calls are ok in each condition."""
    names = list(dict.fromkeys(d.skill for d in diagnoses))
    columns = list(dict.fromkeys(d.condition for d in diagnoses))
    cells = {(d.skill, d.condition): d for d in diagnoses}
    width = max([len(n) for n in names] + [5])
    lines = ["  ".join(["skill".ljust(width), *(c.ljust(16) for c in columns)]).rstrip()]
    for name in names:
        shown = [_cell(cells[name, c]).ljust(16) for c in columns]
        lines.append("  ".join([name.ljust(width), *shown]).rstrip())
    sums = [[d for d in diagnoses if d.condition == c and d.code] for c in columns]
    counts = [f"{sum(d.ok for d in own)}/{len(own)}".ljust(16) for own in sums]
    return "\n".join([*lines, "  ".join(["ok".ljust(width), *counts]).rstrip()])


def _cell(d: Diagnosis) -> str:
    if not d.code:
        return "-"
    return d.code if d.code == d.true else f"{d.code} ({d.true})"
