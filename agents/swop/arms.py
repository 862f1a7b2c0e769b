"""The arms of the experiment: SWOP with the window of the theory, what is left of it without its parts, and its rivals."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from skillshift_gym.agents.swop.memory import History
from skillshift_gym.agents.swop.planner import oracle_window, temperature
from skillshift_gym.agents.swop.regret import Group
from skillshift_gym.agents.swop.windows import Bandit, ChangePoint, Rule, Sliding
from skillshift_gym.tabular.model import Ints

SWOP, NO_WINDOW, NO_PRIOR, GREEDY = "swop", "no window", "no prior", "no prior, greedy"
RESTARTS, SHORTER, LONGER, BANDIT, CHANGE = "restarts", "window / 4", "window x 4", "bandit", "change point"
TEXTS = {
    SWOP: "window W* of the theory, the world's prior, temperature W*^{-1/2}",
    NO_WINDOW: "all episodes, the rest the same",
    NO_PRIOR: "uniform prior, the rest the same",
    GREEDY: "uniform prior and temperature 0",
    RESTARTS: "forgets everything each W* episodes instead of sliding",
    SHORTER: "a window of W* / 4, with its temperature",
    LONGER: "a window of 4 W*, with its temperature",
    BANDIT: "EXP3 over a geometric grid of windows; knows no budget",
    CHANGE: "a window that ends where a change is found; knows no budget",
}


class Setting(NamedTuple):
    """An arm with a fixed window.

    Attributes:
        window: W.
        period: Episodes from restart to restart.
        beta: Temperature.
        prior: Whether it has the world's prior.
    """

    window: int
    period: int
    beta: float
    prior: bool = True


def fixed_arms(episodes: int, variation: float, beta: float | None = None) -> dict[str, Setting]:
    """Returns the arms with fixed windows.

    Args:
        episodes: K.
        variation: V_K, which the window is tuned to.
        beta: Temperature of the arms that are not greedy; that of their window by default.
    """
    window = oracle_window(episodes, variation)
    shorter, longer = max(1, window // 4), min(episodes, 4 * window)
    tuned = {size: float(temperature(np.array(size))) if beta is None else beta for size in (window, shorter, longer)}
    return {
        SWOP: Setting(window, episodes, tuned[window]),
        NO_WINDOW: Setting(episodes, episodes, tuned[window]),
        NO_PRIOR: Setting(window, episodes, tuned[window], prior=False),
        GREEDY: Setting(window, episodes, 0.0, prior=False),
        RESTARTS: Setting(episodes, window, tuned[window]),
        SHORTER: Setting(shorter, episodes, tuned[shorter]),
        LONGER: Setting(longer, episodes, tuned[longer]),
    }


def groups(settings: dict[str, Setting], seeds: int, *, adaptive: bool = True) -> list[Group]:
    """Returns the groups of learners to run.

    Args:
        settings: The arms with fixed windows.
        seeds: Learners of each arm.
        adaptive: Whether the two arms that know no budget run as well.
    """

    def sliding(history: History, learners: Ints) -> Rule:
        columns = (np.repeat([s[i] for s in settings.values()], seeds) for i in range(3))
        return Sliding(history, learners, *columns)

    fixed = Group(tuple(settings), sliding, tuple(s.prior for s in settings.values()))
    return [fixed, Group((BANDIT,), Bandit, (True,)), Group((CHANGE,), ChangePoint, (True,))] if adaptive else [fixed]
