"""The lexical backbone: fixed weights over the features of candidates; no model, no training, no network.

The weights were set by hand on a few benchmark tasks of the source version, in round numbers; `train` instances were
not looked at.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from skillshift_gym.candidates import Candidate
from skillshift_gym.context import Context
from skillshift_gym.features import vectors

WEIGHTS = {
    "exact": 6.0,
    "contains": 2.5,
    "named": 1.5,
    "overlap": 1.0,
    "place": 5.0,
    "number": 6.0,
    "closer": 3.0,
    "direction": 7.0,
    "field_fit": 7.0,
    "search_for": 3.0,
    "search_first": 5.0,
    "enter": 6.5,
    "held": -20.0,
    "submit": 7.5,
    "tried": -8.0,
    "visited": -1.5,
    "closes": 20.0,
    "yes_no": 9.0,
    "fact": 8.0,
    "done": 0.1,
    "idle": -0.5,
}


class LexicalBackbone:
    """Scores candidates by a weighted sum of their features.

    Args:
        weights: Feature -> weight; `WEIGHTS` by default.
    """

    name = "lexical"

    def __init__(self, weights: dict[str, float] | None = None) -> None:
        chosen = {**WEIGHTS, **(weights or {})}
        self._names = list(chosen)
        self._weights = np.array(list(chosen.values()), dtype=np.float32)

    def score(self, candidates: list[Candidate], context: Context) -> NDArray[np.float32]:
        """Returns the scores, shape (candidates,)."""
        scores: NDArray[np.float32] = vectors(candidates, context, self._names) @ self._weights
        return scores
