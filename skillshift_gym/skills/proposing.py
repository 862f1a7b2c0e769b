"""Skills as candidate actions: which of a bank a goal speaks of, with the arguments that the goal gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from .. import actions
from ..actions import SkillCall
from ..candidates import SKILL, Candidate
from ..reading import Reading, phrase
from .goal_templates import arguments, fit, template_of
from .program import Act, Program, Statement, Target, parse
from .skill import Skill
from .templates import fill
from .values import digest
from .walk import targets_in, walk

LIMIT = 8
LEAST = 0.2  # fit below which a skill has nothing to do with a goal
UNKNOWN = 0.5


class Proposer:
    """Proposes calls of skills. Equal for equal skills, so that what depends on it can be cached.

    Args:
        skills: Those that may be called; others are left out.
        limit: Greatest number of calls proposed, the best fits first.
    """

    def __init__(self, skills: Iterable[Skill] = (), limit: int = LIMIT) -> None:
        self.skills = tuple(s for s in skills if s.callable)
        self._limit = limit
        self._key = digest([limit, *(s.hash for s in self.skills)])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Proposer) and self._key == other._key

    def __hash__(self) -> int:
        return hash(self._key)

    def calls(self, goal: str, reading: Reading) -> list[Candidate]:
        """Returns calls as candidates, in the order of the bank."""
        return [_candidate(skill, given, value, reading) for skill, given, value in self._bound(goal)]

    def actions(self, goal: str) -> list[str]:
        """Returns the same calls as actions."""
        return [_action(skill, given) for skill, given, _ in self._bound(goal)]

    def _bound(self, goal: str) -> list[tuple[Skill, Mapping[str, str], float]]:
        """Returns the skills that fit best, in the order of the bank, with the arguments that the goal gives and their fit."""
        fitting = [(fit(template_of(skill), goal), place, skill) for place, skill in enumerate(self.skills)]
        best = sorted((f for f in fitting if f[0] >= LEAST), key=lambda f: (-f[0], f[1]))
        found: list[tuple[int, tuple[Skill, Mapping[str, str], float]]] = []
        for value, place, skill in best:
            given = arguments(skill, goal)
            if given is not None:
                found.append((place, (skill, given, value)))
            if len(found) == self._limit:
                break
        return [bound for _, bound in sorted(found, key=lambda f: f[0])]


def with_skills(found: list[Candidate], calls: list[Candidate]) -> list[Candidate]:
    """Returns the candidates of a page with calls of skills before the last one, `noop`."""
    return [*found[:-1], *calls, *found[-1:]]


def _candidate(skill: Skill, given: Mapping[str, str], value: float, reading: Reading) -> Candidate:
    ready = readiness(parse(skill.program), given, reading)
    return Candidate(_action(skill, given), SKILL, name=skill.description, slot=skill.name, fit=value, ready=ready)


def _action(skill: Skill, given: Mapping[str, str]) -> str:
    return actions.format_action(SkillCall(skill.name, (), tuple(given.items())))


def first_deed(program: Program) -> Statement | None:
    """Returns the first statement that needs something of the page or leaves it, None when none does."""
    return next((s for s in walk(program.statements) if isinstance(s, Act) or any(targets_in(s))), None)


def readiness(program: Program, given: Mapping[str, Any], reading: Reading) -> float:
    """Returns whether the page that an agent reads has what a program begins with: 1, 0, or 0.5 where names do not tell.

    Only role and name are compared, as a reader of the accessibility tree would; whether the stored locator still finds
    the element is another matter.
    """
    first = first_deed(program)
    targets = list(targets_in(first)) if first is not None else []
    if not targets:
        return 1.0
    return min(_shown(target, given, reading) for target in targets)


def _shown(target: Target, given: Mapping[str, Any], reading: Reading) -> float:
    locator = target.locator
    if locator is None or not locator.role or not locator.label:
        return UNKNOWN
    try:
        wanted = phrase(fill(locator.label, given))
    except KeyError:
        return UNKNOWN
    return float(any(role == locator.role and phrase(name) == wanted for role, name in _named(reading)))


def _named(reading: Reading) -> Iterator[tuple[str, str]]:
    return ((node.role, node.name) for node in reading.nodes)
