"""What other strengths of a shift cost: the budget that each task needs under a preset that is not the registered one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from statistics import median
from typing import Any, NamedTuple

from ..registration import EXECUTION, condition_of, make_cell
from ..tasks import registry
from .verify import play_oracle

CAP = 100  # a schedule that fires as often as it is cleared would never end


class Need(NamedTuple):
    """What a task needs under a preset.

    Attributes:
        task: Task id.
        own: The task's own budget.
        oracle: Actions of its oracle on a page without shift.
        needed: Actions of its oracle, the closing message counted, with every blocker shown and cleared; None when it did
            not end within `CAP`.
        solved: Whether the oracle succeeds within the task's own budget under the preset as given.
    """

    task: str
    own: int
    oracle: int
    needed: int | None
    solved: bool


def needs(
    site: str, condition: str, preset: Mapping[str, Any], tasks: Iterable[str] = (), browser: str = "dom"
) -> list[Need]:
    """Returns what each task needs under a preset.

    Args:
        site: Site name.
        condition: A condition with a shift.
        preset: Arguments of its wrapper in place of the registered ones.
        tasks: Task ids; all bench tasks of the site when empty.
        browser: Browser name.

    Raises:
        UsageError: The condition has no shift, or an argument is wrong.
    """
    shift = condition_of(condition)
    free = {**preset, "slack_rule": False} if shift.shift == EXECUTION else preset
    given = make_cell(site, condition, preset, browser=browser)
    unlimited = make_cell(site, condition, free, browser=browser, budget=CAP, terminate_on="answer")
    found = []
    try:
        for task_id in tuple(tasks) or registry.task_ids(site):
            task = registry.task_of(task_id)
            solved, _ = play_oracle(given, task_id)
            ended, steps = play_oracle(unlimited, task_id)
            oracle = registry.oracle_length(task, shift.version)
            found.append(Need(task_id, task.budget, oracle, steps if ended else None, solved))
    finally:
        given.close()
        unlimited.close()
    return found


def needs_table(condition: str, found: Sequence[Need]) -> str:
    """Returns the budgets in words, the tasks that need more than their own one by one."""
    ended = [n.needed for n in found if n.needed is not None]
    over = [n for n in found if n.needed is None or n.needed > n.own]
    solved = sum(n.solved for n in found)
    lines = [f"{condition}: oracle solves {solved}/{len(found)} within the tasks' own budgets under this preset"]
    if ended:
        lines.append(
            f"with every blocker cleared and none left out, the budget needed is {min(ended)} to {max(ended)} actions, "
            f"median {median(ended):g} (n = {len(ended)}); {len(over)} of {len(found)} tasks need more than their own"
        )
    lines += [
        f"- {n.task}: own budget {n.own}, oracle {n.oracle}, needed "
        + (str(n.needed) if n.needed is not None else f"not solved within {CAP}")
        for n in over
    ]
    return "\n".join(lines)
