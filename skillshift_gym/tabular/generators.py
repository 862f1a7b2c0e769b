"""Worlds by name: pages whose actions stop working, and random MDPs, each with a set variation budget.

The tables are our definition; "SkillShift-Bench", section 4, names the problem "nonstationary local executability".
"""

from __future__ import annotations

import numpy as np

from ..errors import UsageError
from .course import changes, course
from .model import Floats, Nonstationary, distance

# How often actions do what they name: a skill that fits the site, one that does not, the slow way, and the rest.
FITS, FAILS, FALLBACK, USELESS = 0.9, 0.15, 0.5, 0.1
SKILL_SHARE = 0.6  # of the prior


def local_executability(
    episodes: int,
    variation: float,
    *,
    drift: str = "jumps",
    situations: int = 2,
    primitives: int = 3,
    skills: int = 2,
    horizon: int = 2,
    seed: int = 0,
) -> Nonstationary:
    """Returns a world of page situations in which the skill that works changes.

    A reward is executability, the probability that the action does what it names in this situation. In each situation
    one skill fits the site as it is (0.9) and the others do not (0.15); one primitive is a slow way that always works
    half of the time (0.5), the others hardly help (0.1). When the site changes, another skill fits, in every situation.
    The prior gives the skills 0.6 together. The next situation does not depend on success and does not drift.

    Args:
        episodes: K.
        variation: Variation budget V_K; one full change counts 0.75 in each of the H steps.
        drift: `jumps`, `slow` or `seasons`, as in `course`.
        situations: S >= 1.
        primitives: Primitive actions, >= 1.
        skills: Skill actions, >= 2.
        horizon: H >= 1.
        seed: Seed of everything drawn.

    Raises:
        UsageError: An argument is out of its range.
    """
    _expect_at_least(1, episodes=episodes, situations=situations, primitives=primitives, horizon=horizon)
    _expect_at_least(2, skills=skills)
    random = np.random.default_rng([1, seed])
    change = (FITS - FAILS) * horizon
    way = course(drift, episodes, variation, change)
    anchors = changes(variation, change) + 2
    rows = np.arange(situations)
    order = np.argsort(random.random((situations, skills)), axis=1)
    works = np.full((anchors, situations, primitives + skills), USELESS)
    works[:, rows, random.integers(primitives, size=situations)] = FALLBACK
    works[:, :, primitives:] = FAILS
    for anchor in range(anchors):
        works[anchor, rows, primitives + order[:, anchor % skills]] = FITS
    moves = random.dirichlet(np.ones(situations), size=(situations, primitives + skills))
    prior = np.repeat(((1 - SKILL_SHARE) / primitives, SKILL_SHARE / skills), (primitives, skills))
    return Nonstationary(
        rewards=np.repeat(works[:, None], horizon, axis=1),
        transitions=np.tile(moves, (anchors, horizon, 1, 1, 1)),
        left=way.left,
        mix=way.mix,
        start=np.full(situations, 1 / situations),
        prior=np.tile(prior, (horizon, situations, 1)),
        states=tuple(f"page {i}" for i in rows),
        actions=tuple([f"primitive {i}" for i in range(primitives)] + [f"skill {i}" for i in range(skills)]),
    )


def random_mdp(
    episodes: int,
    variation: float,
    *,
    drift: str = "jumps",
    states: int = 3,
    actions: int = 4,
    horizon: int = 2,
    change: float = 2.0,
    seed: int = 0,
) -> Nonstationary:
    """Returns a random MDP that moves towards another one again and again.

    Mean rewards are drawn from Beta(1/2, 1/2), distributions of the next state evenly (Dirichlet(1, ..., 1)), for each step,
    state and action. A change goes from the present tables towards freshly drawn ones, as far as its size says. The prior
    is uniform: nothing is known beforehand.

    Args:
        episodes: K.
        variation: Variation budget V_K.
        drift: `jumps`, `slow` or `seasons`, as in `course`.
        states: S >= 1.
        actions: A >= 2.
        horizon: H >= 1.
        change: Size of one full change; two independent draws are mostly 1.5 H to 2 H apart.
        seed: Seed of everything drawn.

    Raises:
        UsageError: An argument is out of its range, or a change is larger than the way to the tables drawn.
    """
    _expect_at_least(1, episodes=episodes, states=states, horizon=horizon)
    _expect_at_least(2, actions=actions)
    random = np.random.default_rng([2, seed])
    way = course(drift, episodes, variation, change)
    anchors = [_draw(random, horizon, states, actions)]
    for _ in range(changes(variation, change) + 1):
        anchors.append(_moved(anchors[-1], _draw(random, horizon, states, actions), change))
    return Nonstationary(
        rewards=np.stack([reward for reward, _ in anchors]),
        transitions=np.stack([transition for _, transition in anchors]),
        left=way.left,
        mix=way.mix,
        start=np.full(states, 1 / states),
        prior=np.full((horizon, states, actions), 1 / actions),
        states=tuple(f"state {i}" for i in range(states)),
        actions=tuple(f"action {i}" for i in range(actions)),
    )


def _draw(random: np.random.Generator, horizon: int, states: int, actions: int) -> tuple[Floats, Floats]:
    size = (horizon, states, actions)
    return random.beta(0.5, 0.5, size), random.dirichlet(np.ones(states), size=size)


def _moved(old: tuple[Floats, Floats], new: tuple[Floats, Floats], change: float) -> tuple[Floats, Floats]:
    """Returns the tables on the way from old to new that are one change from old; variation grows evenly on the way."""
    share = change / distance(old, new)
    if share > 1:
        raise UsageError(f"change: expected at most {distance(old, new):.2f} between these draws, got {change}")
    return old[0] + share * (new[0] - old[0]), old[1] + share * (new[1] - old[1])


def _expect_at_least(least: int, **values: int) -> None:
    for name, value in values.items():
        if value < least:
            raise UsageError(f"{name}: expected at least {least}, got {value}")
