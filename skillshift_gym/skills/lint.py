"""Static checks of a bank: what the checker finds in programs, and what is weak in the records."""

from __future__ import annotations

import re
from collections.abc import Iterator

from .addresses import made_anew_in
from .bank import Bank
from .cases import Case, Level
from .checker import check
from .duplicates import key_of
from .program import parse
from .skill import Skill
from .values import texts_in

RULES = {
    "description": "agents choose a skill by its description, and there is none",
    "session_id": "an element id of one session, which means another element in the next",
    "no_counterpart": "a step of the imported skill has no counterpart; a call gives up there",
    "duplicate": "another skill says the same",
    "bench_evidence": "the evidence is of benchmark tasks: only the named `published` protocol takes it",
    "no_evidence": "nothing says which episodes the skill comes from",
    "long_rule": "a trigger rule of more than 500 characters, which its method refuses",
    "bad_pattern": "a trigger pattern that is no regular expression",
}
_SESSION = re.compile(
    r"\b(?:click|dblclick|fill|hover|focus|press|clear|check|uncheck|select_option)\(\s*['\"]?\w*\d+['\"]?"
)
_GAP = re.compile(r'^\s*stop "(?:line|step) \d+: ', re.MULTILINE)
_MAX_RULE = 500


def lint(bank: Bank) -> list[Case]:
    """Returns the findings about all skills, in order; a skill without any has one that is `ok`."""
    lines = changed_lines(bank)
    seen: dict[str, str] = {}
    cases = []
    for name, skill in bank.all.items():
        own = [*_record(skill), *_program(skill), *_duplicate(skill, seen)]
        own = own or [Case("lint", name, "ok")]
        cases += [case._replace(line=lines.get(name, 0)) for case in own]
    return cases


def changed_lines(bank: Bank) -> dict[str, int]:
    """Returns skill -> line of the bank's file that last changed it."""
    return {event.name: event.number + 1 for event in bank.events if event.skill is not None}


def _record(skill: Skill) -> Iterator[Case]:
    found: list[tuple[Level, str]] = []
    if not skill.description.strip():
        found.append(("warning", "description"))
    if not skill.evidence and skill.kind == "recorded" and skill.source is None:
        found.append(("note", "no_evidence"))
    if any(e.split == "bench" for e in skill.evidence):
        found.append(("note", "bench_evidence"))
    if skill.kind == "workflow" and any(_SESSION.search(step["act"]) for step in skill.fields["steps"]):
        found.append(("warning", "session_id"))
    if skill.kind == "trigger_rule":
        said = [str(skill.fields.get(k, "")) for k in ("when_to_use", "action")]
        if sum(map(len, [*said, *skill.fields.get("examples", ())])) > _MAX_RULE:
            found.append(("warning", "long_rule"))
        if not _compiles(str(skill.fields.get("trigger_pattern", ""))):
            found.append(("error", "bad_pattern"))
    yield from (Case("lint", skill.name, level, rule, RULES[rule]) for level, rule in found)
    yield from _addresses(skill)


def _addresses(skill: Skill) -> Iterator[Case]:
    """Yields what texts of a record hold of a session; the steps that its program is made of are judged as a program."""
    fields = {k: v for k, v in skill.fields.items() if not (k == "steps" and skill.callable)}
    for key, value in {"description": skill.description, **fields}.items():
        part = next((part for text in texts_in(value) if (part := made_anew_in(text))), "")
        if part:
            message = f"{key}: {part!r} looks made anew each session; leave it out, or say which links to click"
            yield Case("lint", skill.name, "warning", "volatile_address", message)


def _compiles(pattern: str) -> bool:
    try:
        re.compile(pattern)
    except (re.error, OverflowError, RecursionError):
        return False
    return True


def _program(skill: Skill) -> Iterator[Case]:
    if not skill.callable:
        return
    for gap in _GAP.finditer(skill.program):
        line = skill.program[gap.start() :].strip().split("\n")[0]
        yield Case("lint", skill.name, "warning", "no_counterpart", f"{RULES['no_counterpart']}: {line}")
    for finding in check(parse(skill.program), skill.parameters, str(skill.fields.get("goal", ""))):
        level: Level = "error" if finding.serious else "warning"
        yield Case("lint", skill.name, level, finding.rule, f"line {finding.line}: {finding.message}")


def _duplicate(skill: Skill, seen: dict[str, str]) -> Iterator[Case]:
    if key := key_of(skill):
        if key in seen:
            yield Case("lint", skill.name, "warning", "duplicate", f"{RULES['duplicate']}: {seen[key]}")
        seen.setdefault(key, skill.name)
