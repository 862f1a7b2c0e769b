"""Schedules: when a blocker fires, counted in documents and primitives.

A schedule is a name with at most one argument: `every_page`, `once@3`, `periodic(4)`. Names follow the published
ones where there are any: `first_page` (until closed once), `random_page_once` (a fair coin a page until it is shown,
then until closed once), `every_page`.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from skillshift_gym.errors import UsageError
from skillshift_gym.keyed import unit


@dataclass(frozen=True)
class Count:
    """What has happened in an episode so far.

    Attributes:
        key: Seed and task; draws depend on it.
        documents: Documents opened, the first one included.
        primitives: Primitives performed.
        shown: Blockers shown.
        dismissed: Blockers dismissed.
        armed: Whether a `random_page_once` has been drawn.
        aimed: Whether the agent has aimed at an element of the site.
    """

    key: tuple[object, ...] = ()
    documents: int = 0
    primitives: int = 0
    shown: int = 0
    dismissed: int = 0
    armed: bool = False
    aimed: bool = False


Due = Callable[[Count, float], bool]

# Events at which a schedule is asked: a document was opened, a primitive was performed, an element is aimed at.
SCHEDULES: dict[str, tuple[str, bool, Due]] = {
    "first_page": ("document", False, lambda c, _: c.dismissed == 0),
    "every_page": ("document", False, lambda c, _: True),
    "random_page_once": ("document", False, lambda c, _: c.dismissed == 0 and c.armed),
    "until_dismissed": ("document", True, lambda c, n: c.dismissed < n),
    "once": ("primitive", True, lambda c, k: c.primitives == k),
    "periodic": ("primitive", True, lambda c, n: c.primitives > 0 and c.primitives % n == 0),
    "bernoulli": ("primitive", True, lambda c, p: unit("bernoulli", *c.key, c.primitives) < p),
    "on_first_target": ("target", False, lambda c, _: not c.aimed),
}


@dataclass(frozen=True)
class Schedule:
    """When a blocker fires.

    Attributes:
        name: A key of `SCHEDULES`.
        argument: Its argument, 0 when it has none.
    """

    name: str
    argument: float = 0.0

    def is_due(self, event: str, count: Count) -> bool:
        """Tells whether a blocker fires at an event (`document`, `primitive` or `target`)."""
        wanted, _, due = SCHEDULES[self.name]
        return event == wanted and due(count, self.argument)

    def draws_page(self, count: Count) -> bool:
        """Tells whether a `random_page_once` is armed by the document just opened."""
        return self.name == "random_page_once" and unit("page", *count.key, count.documents) < 0.5


def parse_schedule(text: str) -> Schedule:
    """Returns the schedule of a text such as `every_page`, `once@3`, `periodic(4)`, `bernoulli(0.2)`.

    Raises:
        UsageError: It is no schedule, or its argument is wrong.
    """
    match = re.fullmatch(r"(\w+?)(?:@(\d+)|\(([\d.]+)\))?", text)
    name = match.group(1) if match else ""
    if match is None or name not in SCHEDULES:
        raise UsageError(f"schedule: expected one of {', '.join(_SPELLINGS)}, got {text!r}")
    value = match.group(2) or match.group(3)
    if (value is not None) != SCHEDULES[name][1]:
        raise UsageError(f"schedule: expected {_SPELLINGS[list(SCHEDULES).index(name)]}, got {text!r}")
    number = float(value) if value else 0.0
    if name == "bernoulli" and not 0 <= number <= 1:
        raise UsageError(f"schedule: expected a probability in [0, 1], got {text!r}")
    if name in ("periodic", "once", "until_dismissed") and (number < 1 or number != int(number)):
        raise UsageError(f"schedule: expected a whole number of at least 1, got {text!r}")
    return Schedule(name, number)


_SPELLINGS = tuple(
    {
        "once": "once@k",
        "periodic": "periodic(n)",
        "bernoulli": "bernoulli(p)",
        "until_dismissed": "until_dismissed(m)",
    }.get(n, n)
    for n in SCHEDULES
)
