"""Slots of goals, found by laying the goals of a family side by side: where they differ is what a call must be given."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import SequenceMatcher
from itertools import pairwise
from typing import NamedTuple

from skillshift_gym.goal_values import QUOTED, values_of
from skillshift_gym.skills.naming import slug
from skillshift_gym.skills.templates import literal

_MONTH = r"(?:Jan|Feb|Mar|Apr|May|June?|July?|Aug|Sept?|Oct|Nov|Dec)[a-z]*"
_DAY = rf"{_MONTH} \d{{1,2}}, \d{{4}}|{_MONTH} \d{{4}}|\b{_MONTH}(?= to )|\b\d{{4}}-\d\d-\d\d\b"
_RUN = r"(?<![.?!:] )(?<!^)\b[A-Z][\w'’-]*(?: [A-Z][\w'’-]*)+"  # a name of several words
_TOKEN = re.compile(rf"“[^”]*”|\"[^\"]*\"|{_DAY}|{_RUN}|[\w'’@.:/#%+-]*[\w%]|\S")
_LEAST_SHARED = 0.4
_JOINING = frozenset(
    ("the", "and", "for", "with", "from", "this", "that", "has", "have", "are", "was", "were", "you", "your", "its", "all", "any", "some", "into")
)  # fmt: skip


class Wording(NamedTuple):
    """One way in which goals are worded.

    Attributes:
        template: The goal with slots, as `skills.goal_templates` reads it.
        values: For each goal that is worded so, its place in the sequence given -> slot -> value.
    """

    template: str
    values: Mapping[int, Mapping[str, str]]


def wordings(goals: Sequence[str], names: Mapping[str, str] | None = None) -> list[Wording]:
    """Returns the wordings of some goals, each goal in one of them.

    Goals are worded alike when the words that they share make up enough of both and come in the same order. Slots are the
    parts where goals of a wording differ; a goal that is alone with its wording has slots for the values that a reader
    would take for such (`goal_values`): quoted phrases, codes, amounts, addresses.

    Args:
        goals: The goals, of tasks of one family.
        names: Value -> name for its slot, such as the label of the field that it was typed into.
    """
    groups: list[list[int]] = []
    for place, goal in enumerate(goals):
        home = next((g for g in groups if _alike(goals[g[0]], goal)), None)
        if home is None:
            groups.append([place])
        else:
            home.append(place)
    return [_wording([goals[i] for i in group], group, names or {}) for group in groups]


def _alike(one: str, other: str) -> bool:
    a, b = _words(one), _words(other)
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    shared = sum(block.size for block in matcher.get_matching_blocks())
    return (
        a[:1] == b[:1]
        and shared >= _LEAST_SHARED * max(len(a), len(b))
        and shared
        >= 0.8 * min(len([t for t in a if not _is_value(t, one)]), len([t for t in b if not _is_value(t, other)]))
    )


def _is_value(token: str, goal: str) -> bool:
    return token[:1] in '“"' or token in values_of(goal).enterable or token[:1].isdigit()


def _words(goal: str) -> list[str]:
    return _TOKEN.findall(goal)


def _wording(goals: Sequence[str], places: Sequence[int], names: Mapping[str, str]) -> Wording:
    spans = _differing(goals) if len(set(goals)) > 1 else [_own(goals[0])] * len(goals)
    taken: list[str] = []
    for number in range(len(spans[0])):
        texts = [goal[slice(*spans[i][number])] for i, goal in enumerate(goals)]
        named = next((names[t] for t in texts if t in names), "")
        taken.append(slug(named or _noun(goals[0][: spans[0][number][0]]) or "value", taken, "value"))
    values = {
        place: {name: goal[slice(*span)] for name, span in zip(taken, spans[i], strict=True)}
        for i, (place, goal) in enumerate(zip(places, goals, strict=True))
    }
    return Wording(_template(goals[0], spans[0], taken), values)


def _noun(before: str) -> str:
    """Returns the last telling word before a slot."""
    found = [w for w in re.findall(r"[A-Za-z]{3,}", before)[-3:] if w.lower() not in _JOINING]
    return found[-1] if found else ""


def _template(goal: str, spans: Sequence[tuple[int, int]], names: Sequence[str]) -> str:
    text, at = "", 0
    for (start, end), name in zip(spans, names, strict=True):
        text, at = text + literal(goal[at:start]) + f"{{{name}}}", end
    return text + literal(goal[at:])


def _own(goal: str) -> list[tuple[int, int]]:
    """Returns the spans of what a reader takes for values in a goal without company."""
    inner = [m.span(next(i for i in (1, 2, 3) if m[i])) for m in QUOTED.finditer(goal)]
    values = values_of(goal)
    days = re.findall(_DAY, goal)
    found = {values.email, values.url, values.person, *values.codes, *values.slugs, *values.numbers, *days}
    found |= {p for p in values.proper if not p.isupper()}
    for value in sorted(found - {""}, key=lambda v: (-len(v), v)):
        start = goal.find(value)
        if start >= 0 and all(start >= b or start + len(value) <= a for a, b in inner):
            inner.append((start, start + len(value)))
    return sorted(inner)


def _differing(goals: Sequence[str]) -> list[list[tuple[int, int]]]:
    """Returns, for each goal, the spans between the tokens that all of them share, quotation marks left out."""
    tokens = [list(_TOKEN.finditer(goal)) for goal in goals]
    common = list(range(len(tokens[0])))  # places in the first goal that all share so far
    maps: list[dict[int, int]] = [{i: i for i in common}]
    for other in tokens[1:]:
        matcher = SequenceMatcher(None, [t.group() for t in tokens[0]], [t.group() for t in other], autojunk=False)
        maps.append({b.a + k: b.b + k for b in matcher.get_matching_blocks() for k in range(b.size)})
    common = [i for i in common if all(i in m for m in maps)]
    return [_gaps(goal, found, [m[i] for i in common]) for goal, found, m in _wide(goals, tokens, maps, common)]


def _wide(
    goals: Sequence[str], tokens: Sequence[list[re.Match[str]]], maps: Sequence[dict[int, int]], common: list[int]
) -> list[tuple[str, list[re.Match[str]], dict[int, int]]]:
    """Leaves out of `common` what stands between two gaps in some goals and is no gap in others, so that all have equal gaps."""
    while True:
        shapes = [tuple(_has_gap(len(t), [m[i] for i in common])) for t, m in zip(tokens, maps, strict=True)]
        odd = next((k for k in range(len(common) + 1) if len({shape[k] for shape in shapes}) > 1), None)
        if odd is None:
            return list(zip(goals, tokens, maps, strict=True))
        del common[odd if odd < len(common) else odd - 1]


def _has_gap(size: int, shared: Sequence[int]) -> list[bool]:
    edges = [-1, *shared, size]
    return [b - a > 1 for a, b in pairwise(edges)]


def _gaps(goal: str, tokens: Sequence[re.Match[str]], shared: Sequence[int]) -> list[tuple[int, int]]:
    edges = [-1, *shared, len(tokens)]
    spans = [(tokens[a + 1].start(), tokens[b - 1].end()) for a, b in pairwise(edges) if b - a > 1]
    return [_bare(goal, span) for span in spans]


def _bare(goal: str, span: tuple[int, int]) -> tuple[int, int]:
    start, end = span
    quoted = goal[start:end][:1] in '“"' and goal[start:end][-1:] in '”"' and end - start > 2
    return (start + 1, end - 1) if quoted else span
