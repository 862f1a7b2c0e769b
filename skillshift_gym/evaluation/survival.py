"""Which skills of a bank survive: each is called once in each condition, on the task it was recorded on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, cast

import gymnasium

from .. import actions
from ..actions import SkillCall
from ..env import SkillShiftEnv
from ..registration import CONDITIONS, env_id, make_cell
from ..skills.bank import Bank
from ..skills.outcome import CODES
from ..skills.program import parse
from ..skills.skill import Skill

Row = Mapping[str, Any]


class Rate(NamedTuple):
    """Failed calls of all calls."""

    failed: int
    calls: int

    def __str__(self) -> str:
        return f"{100 * self.failed / self.calls:.0f} ({self.failed}/{self.calls})" if self.calls else "null (no calls)"


def survival(
    bank: Bank, conditions: Sequence[str] = tuple(CONDITIONS), healing: Mapping[str, Any] | None = None,
    shift: Mapping[str, Any] | None = None, browser: str = "dom",
) -> list[Row]:  # fmt: skip
    """Returns a row for each call: skill, site, condition, and what `info` says of it.

    A blocker that is shown before the call is cleared first, as an agent would; those that come during the call are the
    skill's to survive.

    Args:
        bank: The bank; a skill without evidence is left out.
        conditions: Conditions to call in.
        healing: Settings of `skills.policy.Policy`.
        shift: Arguments of the conditions' wrapper in place of the preset's.
        browser: Browser name.
    """
    text = bank.text()
    sites = dict.fromkeys(s.evidence[0].site for s in bank.skills.values() if s.callable and s.evidence)
    rows: list[Row] = []
    for site in sites:
        for condition in conditions:
            own: dict[str, Any] = {"skills": text, "healing": healing, "browser": browser, "disable_env_checker": True}
            env = make_cell(site, condition, shift, **own) if shift else gymnasium.make(env_id(site, condition), **own)
            try:
                called = [s for s in bank.skills.values() if s.callable and s.evidence and s.evidence[0].site == site]
                rows += [{"condition": condition, **called_once(env, skill)} for skill in called]
            finally:
                env.close()
    return rows


def called_once(env: gymnasium.Env[Any, Any], skill: Skill) -> Row:
    """Returns what a call of a skill came to, on the task it was recorded on."""
    return called_on(env, skill, skill.evidence[0].task, recorded_arguments(skill))


def recorded_arguments(skill: Skill) -> dict[str, Any]:
    """Returns the arguments of a skill's recording."""
    known = parse(skill.program).examples
    return {p.name: known[p.name] for p in skill.parameters if p.name in known}


def called_on(env: gymnasium.Env[Any, Any], skill: Skill, task: str, given: Mapping[str, Any]) -> Row:
    """Returns what a call of a skill came to, on the first page of a task, once the blocker shown there is cleared."""
    base = cast(SkillShiftEnv, env.unwrapped)
    _, info = env.reset(seed=0, options={"task": task})
    while clearing := base.clearing():
        _, _, _, _, info = env.step(clearing)
    _, _, _, _, info = env.step(actions.format_action(SkillCall(skill.name, (), tuple(given.items()))))
    (last,) = info["skill_calls"]
    return {"site": info["site"], "task": task, "call": last, **info["skill"]}


def unequal(rows: Sequence[Row], others: Sequence[Row]) -> list[tuple[Row, Row]]:
    """Returns the pairs of rows of one call that are not the same, such as those of two browsers."""
    by_call = {(row["name"], row["condition"]): row for row in others}
    pairs = [(row, by_call[row["name"], row["condition"]]) for row in rows]
    return [(row, other) for row, other in pairs if row != other]


def codes(rows: Iterable[Row], status: str) -> dict[str, Counter[str]]:
    """Returns condition -> code -> calls, by `observed` or `true` status."""
    counts: dict[str, Counter[str]] = {}
    for row in rows:
        counts.setdefault(row["condition"], Counter())[row[status]] += 1
    return counts


def recounted(rows: Iterable[Row], status: str) -> dict[str, Counter[str]]:
    """Returns the same from the environment's own log of calls."""
    place = {"observed": 1, "true": 2}[status]
    counts: dict[str, Counter[str]] = {}
    for row in rows:
        counts.setdefault(row["condition"], Counter())[row["call"][place]] += 1
    return counts


def failure_rates(rows: Sequence[Row], status: str) -> dict[str, Rate]:
    """Returns condition -> rate of failed calls."""
    return {c: Rate(sum(n.values()) - n["ok"], sum(n.values())) for c, n in codes(rows, status).items()}


def heal_counts(rows: Iterable[Row]) -> Counter[str]:
    """Returns verdict -> attempts to heal."""
    counts: Counter[str] = Counter()
    for row in rows:
        counts.update({verdict: n for verdict, n in row["heals"].items() if verdict != "by"})
    return counts


def broken(rows: Sequence[Row], clean: str, shifted: str, status: str = "true") -> Rate:
    """Returns how many of the calls that are ok in a clean condition fail in a shifted one."""
    fine = {row["name"] for row in rows if row["condition"] == clean and row[status] == "ok"}
    return Rate(sum(r["condition"] == shifted and r["name"] in fine and r[status] != "ok" for r in rows), len(fine))


def table(rows: Sequence[Row]) -> str:
    """Returns code x condition as a Markdown table, observed / true."""
    observed, true = codes(rows, "observed"), codes(rows, "true")
    lines = ["| code | " + " | ".join(observed) + " |", "|---" * (len(observed) + 1) + "|"]
    for code in CODES:
        if any(observed[c][code] or true[c][code] for c in observed):
            lines.append(f"| {code} | " + " | ".join(f"{observed[c][code]} / {true[c][code]}" for c in observed) + " |")
    for title, rates in (("SFR", failure_rates(rows, "observed")), ("SFR_true", failure_rates(rows, "true"))):
        lines.append(f"| {title} | " + " | ".join(str(rates[c]) for c in observed) + " |")
    return "\n".join(lines)


def by_site(rows: Sequence[Row]) -> Iterator[tuple[str, list[Row]]]:
    """Yields the rows of each site."""
    for site in dict.fromkeys(row["site"] for row in rows):
        yield site, [row for row in rows if row["site"] == site]
