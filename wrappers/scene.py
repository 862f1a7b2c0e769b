"""A page's candidates and their features as arrays: the part of the RL view that can be shared and cached."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from skillshift_gym.candidates import Candidate, candidates
from skillshift_gym.context import PAST_STATE, STATE, Context, Memory
from skillshift_gym.features import FEATURES, PAST, state, vectors
from skillshift_gym.reading import read
from skillshift_gym.skills.proposing import Proposer, with_skills

# What says that a candidate has to do with the goal, whatever was done before: it decides the cut.
RELATED = (
    "exact", "contains", "named", "overlap", "number", "closer", "toward", "beside", "pointed", "in_item", "closes",
    "submit", "topic", "creates", "keeps", "runs", "ticks", "row_named", "only_row", "does", "unfold_menu", "unfold_part",
)  # fmt: skip
_NOW = [name for name in FEATURES if name not in PAST]
_RELATED_COLUMNS = [_NOW.index(name) for name in RELATED]
_NOW_COLUMNS = [i for i, name in enumerate(FEATURES) if name not in PAST]
_PAST_COLUMNS = [list(FEATURES).index(name) for name in PAST]
_NOW_STATE = [name for name in STATE if name not in PAST_STATE]
_NOW_PLACES = [i for i, name in enumerate(STATE) if name not in PAST_STATE]
_PAST_PLACES = [list(STATE).index(name) for name in PAST_STATE]


class Scene(NamedTuple):
    """The candidates of a page for a goal, in one phase of the episode.

    Attributes:
        candidates: Those kept, in document order.
        actions: Their action strings.
        features: Their features, those of the past left 0; shape (n, features), rows beyond the candidates 0. Shared:
            not to be written to.
        state: The numbers of `STATE`, those of the past left 0; shape (state,). Shared likewise.
        cut: Number of candidates left out.
        context: The page in the light of goal and phase.
    """

    candidates: tuple[Candidate, ...]
    actions: tuple[str, ...]
    features: NDArray[np.float32]
    state: NDArray[np.float32]
    cut: int
    context: Context


@lru_cache(maxsize=512)
def scene_of(
    goal: str, axtree: str, elements: str, phase: tuple[bool, frozenset[str]], n: int, proposer: Proposer | None = None
) -> Scene:
    """Returns the scene of a page.

    Args:
        goal: The goal.
        axtree: The accessibility tree as text.
        elements: The elements as JSON lines.
        phase: What `Memory.phase` returns for the goal.
        n: Greatest number of candidates.
        proposer: Proposes calls of skills; none by default.
    """
    reading = read(axtree, elements)
    context = Context(goal, "", reading, Memory(places=phase[0], entered=set(phase[1])))
    found = candidates(goal, reading)
    found = with_skills(found, proposer.calls(goal, reading)) if proposer is not None else found
    full = vectors(found, context, _NOW)
    rows = _keep(found, full[:, _RELATED_COLUMNS].sum(axis=1).tolist(), n)
    kept = tuple(found[i] for i in rows)
    features = np.zeros((n, len(FEATURES)), dtype=np.float32)
    features[: len(kept), _NOW_COLUMNS] = full[rows]
    numbers = np.zeros(len(STATE), dtype=np.float32)
    numbers[_NOW_PLACES] = state(context, _NOW_STATE)
    return Scene(kept, tuple(c.action for c in kept), features, numbers, len(found) - len(kept), context)


def _keep(found: Sequence[Candidate], related: Sequence[float], n: int) -> list[int]:
    """Returns the indices of the candidates to keep, in order.

    Everything but clicks stays; of the clicks, those that have most to do with the goal; of equal ones the first.
    """
    order = sorted(range(len(found)), key=lambda i: (found[i].primitive == "click", -related[i], i))
    return sorted(order[:n])


def with_past(scene: Scene, url: str, memory: Memory) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """Returns fresh arrays of features and state with those of the past filled in.

    Args:
        scene: The scene shown.
        url: Address of its page.
        memory: What was done before.
    """
    context = Context(scene.context.goal, url, scene.context.reading, memory)
    features, numbers = scene.features.copy(), scene.state.copy()
    features[: len(scene.candidates), _PAST_COLUMNS] = vectors(scene.candidates, context, PAST)
    numbers[_PAST_PLACES] = state(context, PAST_STATE)
    return features, numbers
