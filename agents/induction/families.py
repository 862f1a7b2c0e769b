"""Solved episodes beside those of their family: the steps that led to the end, and the goal with slots."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from skillshift_gym.actions import takes_bid
from skillshift_gym.agents.induction.episodes import Episode, steps_of
from skillshift_gym.agents.induction.slots import wordings
from skillshift_gym.skills.recorder import Step


class Solved(NamedTuple):
    """A solved episode.

    Attributes:
        episode: The episode.
        steps: Its steps, cleaned (`episodes.steps_of`).
        template: Its goal with slots.
        values: Slot -> its value in the goal.
    """

    episode: Episode
    steps: tuple[Step, ...]
    template: str
    values: Mapping[str, str]


def families(episodes: Iterable[Episode]) -> list[list[Solved]]:
    """Returns the solved episodes family by family, in order; a family without any is an empty list.

    A slot is named after the field that its value was typed into, or the role of the element of that name, in any episode
    of the family: what is done alike is then named alike, whatever the goals are about. Goals of episodes that failed help
    to find the slots: an agent has read them too.
    """
    grouped: dict[str, list[Episode]] = {}
    for episode in episodes:
        grouped.setdefault(episode.family, []).append(episode)
    return [_solved(group) for group in grouped.values()]


def _solved(group: Sequence[Episode]) -> list[Solved]:
    cleaned = {place: tuple(steps_of(e)) for place, e in enumerate(group) if e.success}
    found: list[Solved] = []
    for wording in wordings([e.goal for e in group], _names(cleaned.values())):
        found += [
            Solved(group[place], cleaned[place], wording.template, values)
            for place, values in wording.values.items()
            if place in cleaned
        ]
    return sorted(found, key=lambda s: group.index(s.episode))


def _names(trajectories: Iterable[Sequence[Step]]) -> dict[str, str]:
    """Returns value -> what to call it."""
    names: dict[str, str] = {}
    for steps in trajectories:
        for page, call in steps:
            if not takes_bid(call):
                continue
            element = page.element(int(call.args[0]))
            if call.name in ("fill", "select_option"):
                given = [call.args[1]] if isinstance(call.args[1], str) else call.args[1]
                names.update((value, names.get(value, element.name)) for value in given)
            elif call.name == "click" and element.name:
                names.setdefault(element.name, element.role)
    return names
