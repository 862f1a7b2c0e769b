"""The ranker: a small network over the features of candidates, trained by imitation; NumPy only, no network access.

A candidate's score is `relu(candidate @ w1 + state @ ws + b1) @ w2`: one hidden layer that sees the candidate
(`features.FEATURES`) and the page and episode as a whole (`SEEN`). `backbones.training` fits it; the shipped
weights (`ranker.json`) say in `provenance` what they were trained on.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from skillshift_gym.candidates import Candidate
from skillshift_gym.context import STATE, Context
from skillshift_gym.errors import UsageError
from skillshift_gym.features import FEATURES, state, vectors

FORMAT = "skillshift-ranker-1"
# The numbers of the state that the network sees. Not `progress`: the step number of an oracle tells what it does next,
# and a blocker shifts it.
SEEN = tuple(name for name in STATE if name != "progress")
SHIPPED = "ranker.json"
_DIGITS = 6  # decimals kept in a file

Floats = NDArray[np.float32]


class Network(NamedTuple):
    """The weights.

    Attributes:
        w1: From a candidate's features to the hidden layer, shape (features, hidden).
        ws: From the state to the hidden layer, shape (state, hidden).
        b1: Bias of the hidden layer, shape (hidden,).
        w2: From the hidden layer to the score, shape (hidden,).
    """

    w1: Floats
    ws: Floats
    b1: Floats
    w2: Floats

    def hidden(self, features: Floats, numbers: Floats) -> Floats:
        """Returns the hidden layer, shape (..., candidates, hidden).

        Args:
            features: Of candidates, shape (..., candidates, features).
            numbers: Of the state, shape (..., state).
        """
        shared = numbers @ self.ws + self.b1
        layer: Floats = np.maximum(features @ self.w1 + shared[..., None, :], 0)
        return layer

    def scores(self, features: Floats, numbers: Floats) -> Floats:
        """Returns the scores, shape (..., candidates); arguments as for `hidden`."""
        scores: Floats = self.hidden(features, numbers) @ self.w2
        return scores


class RankerBackbone:
    """Scores candidates with a trained network.

    Args:
        weights: Weight file, as `skillshift train --backbone ranker` writes it; the shipped one by default.

    Raises:
        UsageError: The file is not a weight file, or of other features than this version's.
    """

    name = "ranker"
    probabilistic = True

    def __init__(self, weights: str | Path | None = None) -> None:
        self._network = load(str(weights)) if weights is not None else shipped()

    def score(self, candidates: list[Candidate], context: Context) -> Floats:
        """Returns the scores, shape (candidates,)."""
        return self._network.scores(vectors(candidates, context), state(context, SEEN))


@cache
def shipped() -> Network:
    """Returns the network that ships with the package."""
    text = resources.files("skillshift_gym.agents.backbones").joinpath(SHIPPED).read_text(encoding="utf-8")
    return parse(text, SHIPPED)


def load(path: str) -> Network:
    """Returns the network in a weight file."""
    try:
        text = Path(path).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: expected a weight file of the ranker, cannot read it: {error}; {_HINT}") from None
    return parse(text, path)


def parse(text: str, where: str) -> Network:
    """Returns the network that the text of a weight file holds.

    Args:
        text: JSON text.
        where: Name of the file, for errors.

    Raises:
        UsageError: The text is not a weight file, or of other features than this version's.
    """
    try:
        data = json.loads(text)
    except ValueError as error:
        raise UsageError(f"{where}: expected a weight file in JSON, got {error}; {_HINT}") from None
    if not isinstance(data, dict) or data.get("format") != FORMAT:
        found = data.get("format") if isinstance(data, dict) else type(data).__name__
        raise UsageError(f"{where}: expected format {FORMAT!r}, got {found!r}; {_HINT}")
    for key, expected in (("features", list(FEATURES)), ("state", list(SEEN))):
        if data.get(key) != expected:
            raise UsageError(f"{where}: {key}: {_difference(data.get(key), expected)}; {_HINT}")
    return Network(**_arrays(data, where))


def dump(network: Network, provenance: Mapping[str, Any]) -> str:
    """Returns the text of a weight file: one array row a line, weights rounded to six decimals."""
    data = {"format": FORMAT, "provenance": dict(provenance), "features": list(FEATURES), "state": list(SEEN)}
    weights = {name: np.round(array.astype(float), _DIGITS).tolist() for name, array in network._asdict().items()}
    rows = {name: ",\n  ".join(map(json.dumps, value)) for name, value in weights.items()}
    arrays = ",\n".join(f' "{name}": [\n  {text}\n ]' for name, text in rows.items())
    return json.dumps(data, indent=1, ensure_ascii=False)[:-2] + f',\n "weights": {{\n{arrays}\n }}\n}}\n'


def _arrays(data: Mapping[str, Any], where: str) -> dict[str, Floats]:
    weights = data.get("weights")
    if not isinstance(weights, dict) or set(weights) != set(Network._fields):
        found = ", ".join(weights) if isinstance(weights, dict) else type(weights).__name__
        raise UsageError(f"{where}: weights: expected {', '.join(Network._fields)}, got {found}; {_HINT}")
    try:
        arrays = {name: np.array(value, dtype=np.float32) for name, value in weights.items()}
    except (TypeError, ValueError) as error:
        raise UsageError(f"{where}: weights: expected arrays of numbers, got {error}; {_HINT}") from None
    width = arrays["b1"].size
    shapes = {"w1": (len(FEATURES), width), "ws": (len(SEEN), width), "b1": (width,), "w2": (width,)}
    for name, shape in shapes.items():
        if arrays[name].shape != shape or not np.isfinite(arrays[name]).all():
            raise UsageError(
                f"{where}: {name}: expected finite numbers of shape {shape}, got {arrays[name].shape}; {_HINT}"
            )
    return arrays


def _difference(found: object, expected: Sequence[str]) -> str:
    """Returns how a list of names differs from the expected one."""
    if not isinstance(found, list):
        return f"expected {len(expected)} names, got {type(found).__name__}"
    lacking, strange = [n for n in expected if n not in found], [n for n in found if n not in expected]
    return f"expected this version's {len(expected)}, got {len(found)} (lacking {lacking}, unknown {strange})"


_HINT = "train one with `skillshift train --backbone ranker --site wordpress,magento --out ranker.json`"
