"""Training the ranker by imitation: what oracles do on `train` instances of the source version.

The examples are the pages that oracles come by, in the RL view; the network learns to score highest the candidate that
the oracle takes (cross-entropy, Adam). `val` instances choose the epoch. Benchmark instances are refused.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable, Iterable, Sequence
from importlib import import_module
from typing import Any, NamedTuple

import gymnasium
import numpy as np
from numpy.typing import NDArray

import skillshift_gym
from skillshift_gym.agents.backbones.demonstrations import demonstrate
from skillshift_gym.agents.backbones.ranker import SEEN, Floats, Network
from skillshift_gym.context import STATE
from skillshift_gym.errors import UsageError
from skillshift_gym.features import FEATURES
from skillshift_gym.keyed import shuffled
from skillshift_gym.registration import condition_of, env_id
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.shipped import recorded_bank
from skillshift_gym.tasks import registry
from skillshift_gym.wrappers.candidates import CandidateActions

CONDITIONS = ("src", "src-exec")  # a blocker teaches what a dialog is; both have the source front end
PER_FAMILY = 8
SKILLED = 2  # every second task is shown with the recorded skills too: what a call is worth
THINNED = 3  # of the tasks of a condition beyond the first, every third: the pages are the same, but for the dialogs
BUDGET = 40  # actions, as looking for the way takes more than the oracle does
WIDTH = 64  # candidates of an example: the oracle's, and others drawn from the page
HIDDEN = 32
EPOCHS = 24
BATCH = 128
RATE = 0.003
DECAY = 1e-4
# The modules that decide what a page's candidates and features are.
VIEW = (
    "reading", "vocabulary", "goal_values", "spans", "tables", "outlook", "forms", "answers", "candidates", "context",
    "feature_table", "form_features", "answer_features", "features", "skills.goal_templates", "skills.proposing",
)  # fmt: skip
_BETAS = (0.9, 0.999)
_COLUMNS = [list(STATE).index(name) for name in SEEN]

Progress = Callable[[Sequence[str]], Iterable[str]]


class Examples(NamedTuple):
    """Pages with the oracle's choice.

    Attributes:
        features: Shape (examples, WIDTH, features); the oracle's candidate is row 0.
        state: The numbers of `ranker.SEEN`, shape (examples, state).
        mask: Which rows are candidates, shape (examples, WIDTH).
    """

    features: Floats
    state: Floats
    mask: NDArray[np.bool_]


class Trained(NamedTuple):
    """A trained network, and what it was trained on."""

    network: Network
    provenance: dict[str, Any]


def train(
    sites: Sequence[str],
    *,
    seed: int = 0,
    per_family: int = PER_FAMILY,
    conditions: Sequence[str] = CONDITIONS,
    epochs: int = EPOCHS,
    progress: Progress = lambda tasks: tasks,
) -> Trained:
    """Returns a ranker trained on `train` instances, its epoch chosen on `val` instances.

    Args:
        sites: Sites.
        seed: Seed of everything drawn.
        per_family: Greatest number of `train` instances of a family; a third as many of `val`.
        conditions: Conditions, of the source version.
        epochs: Passes over the examples.
        progress: Shows progress over the tasks given to it.

    Raises:
        UsageError: A condition is not of the source version, or a number is out of range.
    """
    wrong = [c for c in conditions if condition_of(c).version != "v1"]
    if wrong or not conditions:
        raise UsageError(f"conditions: expected some of the source version, got {', '.join(wrong) or 'none'}")
    if per_family < 1 or epochs < 1:
        raise UsageError(f"per_family and epochs: expected at least 1, got {per_family} and {epochs}")
    chosen = [t for s in sites for t in instances(s, "train", per_family)]
    tuning = [t for s in sites for t in instances(s, "val", max(1, per_family // 3))]
    examples = collect(chosen, conditions, seed, progress)
    held_out = collect(tuning, conditions, seed, progress)
    network, epoch = fit(examples, held_out, seed, epochs)
    provenance = {
        "method": "imitation of oracles, cross-entropy over candidates",
        "sites": list(sites),
        "conditions": list(conditions),
        "train": {"split": "train", "tasks": len(chosen), "tasks_sha256": digest(chosen), "steps": len(examples.mask)},
        "val": {"split": "val", "tasks": len(tuning), "tasks_sha256": digest(tuning), "steps": len(held_out.mask)},
        "seed": seed,
        "epoch": epoch,
        "accuracy": {"train": accuracy(network, examples), "val": accuracy(network, held_out)},
        "version": skillshift_gym.__version__,
        "code_sha256": code_hash(),
    }
    return Trained(network, provenance)


def instances(site: str, split: str, per_family: int) -> list[str]:
    """Returns the ids of some instances of every family of a site, drawn by keyed hash.

    Raises:
        UsageError: The split is the benchmark.
    """
    if split == "bench":
        raise UsageError("split: expected train or val, got 'bench': the ranker is not trained on the benchmark")
    by_family: dict[str, list[str]] = {}
    for task in registry.task_ids(site, split):
        by_family.setdefault(task.partition("#")[0], []).append(task)
    return [t for family, tasks in by_family.items() for t in shuffled(tasks, "ranker", family)[:per_family]]


def collect(tasks: Sequence[str], conditions: Sequence[str], seed: int, progress: Progress) -> Examples:
    """Returns the examples that the oracles of some tasks give: in each condition, and in the first with skills as well."""
    random = np.random.default_rng(seed)
    found = []
    passes = [
        *((c, THINNED if place else 1, None) for place, c in enumerate(conditions)),
        (conditions[0], SKILLED, recorded_bank()),
    ]
    for condition, every, bank in passes:
        for site in dict.fromkeys(registry.task_of(t).site for t in tasks):
            env = CandidateActions(_make(site, condition, bank))
            own = [t for t in tasks if registry.task_of(t).site == site]
            for task in progress(own[::every]):
                found += [_example(obs, index, random) for obs, index in demonstrate(env, task)]
            env.close()
    features, numbers, mask = zip(*found, strict=True)
    return Examples(np.stack(features), np.stack(numbers), np.stack(mask))


def fit(examples: Examples, held_out: Examples, seed: int, epochs: int) -> tuple[Network, int]:
    """Returns the network of the epoch that is best on held-out examples (the first of equals), and that epoch."""
    random = np.random.default_rng(seed)
    network = initial(random)
    moments = [tuple(np.zeros_like(w) for w in network)] * 2
    best, step = (-1.0, network, 0), 0
    for epoch in range(1, epochs + 1):
        order = random.permutation(len(examples.mask))
        for start in range(0, len(order), BATCH):
            rows, step = order[start : start + BATCH], step + 1
            slopes = gradient(network, Examples(examples.features[rows], examples.state[rows], examples.mask[rows]))
            network, moments = _adam(network, slopes, moments, step)
        score = accuracy(network, held_out)
        best = max(best, (score, network, epoch), key=lambda b: b[0])
    return best[1], best[2]


def initial(random: np.random.Generator) -> Network:
    """Returns a network of random weights."""
    scale = np.sqrt(2 / (len(FEATURES) + len(SEEN)))
    w1, ws = (random.normal(0, scale, (rows, HIDDEN)).astype(np.float32) for rows in (len(FEATURES), len(SEEN)))
    w2 = random.normal(0, np.sqrt(1 / HIDDEN), HIDDEN).astype(np.float32)
    return Network(w1, ws, np.zeros(HIDDEN, dtype=np.float32), w2)


def gradient(network: Network, batch: Examples) -> Network:
    """Returns the gradient of the mean cross-entropy of a batch (and of the weight decay)."""
    layer = network.hidden(batch.features, batch.state)
    scores = np.where(batch.mask, layer @ network.w2, -np.inf)
    chances = np.exp(scores - scores.max(axis=1, keepdims=True))
    errors = chances / chances.sum(axis=1, keepdims=True)
    errors[:, 0] -= 1
    errors /= len(errors)
    back = errors[..., None] * network.w2 * (layer > 0)
    shared = back.sum(axis=1)
    w1 = np.einsum("bcf,bch->fh", batch.features, back, optimize=True)
    slopes = (w1, batch.state.T @ shared, shared.sum(axis=0), np.einsum("bc,bch->h", errors, layer, optimize=True))
    return Network(*((g + DECAY * w).astype(np.float32) for g, w in zip(slopes, network, strict=True)))


def accuracy(network: Network, examples: Examples) -> float:
    """Returns the share of examples whose highest score is the oracle's candidate's, among the rows kept."""
    scores = np.where(examples.mask, network.scores(examples.features, examples.state), -np.inf)
    return round(float((scores[:, 0] > scores[:, 1:].max(axis=1)).mean()), 4)


def digest(tasks: Sequence[str]) -> str:
    """Returns a hash of task ids, to tell whether two files were trained on the same."""
    return hashlib.sha256("\n".join(sorted(tasks)).encode()).hexdigest()


def code_hash() -> str:
    """Returns a hash of the sources that decide what is learned: candidates, features, and this module."""
    agents = ("agents.backbones.ranker", "agents.backbones.training", "agents.backbones.demonstrations")
    sources = (inspect.getsource(import_module(f"skillshift_gym.{name}")) for name in (*VIEW, *agents))
    return hashlib.sha256("".join(sources).encode()).hexdigest()


def _make(site: str, condition: str, bank: Bank | None) -> gymnasium.Env[Any, Any]:
    fields = CandidateActions.FIELDS
    return gymnasium.make(
        env_id(site, condition), observation=fields, budget=BUDGET, skills=bank, disable_env_checker=True
    )


def _example(
    observation: dict[str, NDArray[Any]], index: int, random: np.random.Generator
) -> tuple[Floats, Floats, NDArray[np.bool_]]:
    """Returns features with the oracle's candidate first and others drawn, the state, and the mask."""
    others = np.flatnonzero(observation["mask"])
    others = others[others != index]
    drawn = random.permutation(others)[: WIDTH - 1]
    features = np.zeros((WIDTH, len(FEATURES)), dtype=np.float32)
    features[: len(drawn) + 1] = observation["candidates"][[index, *drawn]]
    return features, observation["state"][_COLUMNS], np.arange(WIDTH) <= len(drawn)


def _adam(
    network: Network, slopes: Network, moments: list[tuple[Floats, ...]], step: int
) -> tuple[Network, list[tuple[Floats, ...]]]:
    """Returns network and moments after a step of Adam ("Adam: A Method for Stochastic Optimization", Kingma and Ba)."""
    first = tuple(_BETAS[0] * m + (1 - _BETAS[0]) * g for m, g in zip(moments[0], slopes, strict=True))
    second = tuple(_BETAS[1] * v + (1 - _BETAS[1]) * g * g for v, g in zip(moments[1], slopes, strict=True))
    scale = RATE * np.sqrt(1 - _BETAS[1] ** step) / (1 - _BETAS[0] ** step)
    moved = (w - scale * m / (np.sqrt(v) + 1e-8) for w, m, v in zip(network, first, second, strict=True))
    return Network(*(w.astype(np.float32) for w in moved)), [first, second]
