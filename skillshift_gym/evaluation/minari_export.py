"""Recorded episodes as Minari datasets, for offline learning.

Minari is an extra: `pip install "skillshift-gym[minari]"`. One dataset holds the episodes of one environment.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from gymnasium import spaces

from ..errors import UsageError
from ..observation import FIELDS
from ..registration import SITES
from ..wrappers.trajectory import Trajectory, read
from .records import read_run
from .replay import spec_of
from .trajectories import natural, recorded

EXTRA = 'pip install "skillshift-gym[minari]"'
_TEXT_LIMIT = 1_000_000
_INFOS = ("error", "blocked_by", "revision")


class Exported(NamedTuple):
    """A dataset that was written."""

    dataset_id: str
    episodes: int
    steps: int


def export_run(
    run: Path, name: str, sites: Sequence[str] = (), conditions: Sequence[str] = (), tasks: Sequence[str] = ()
) -> Iterator[Exported]:
    """Writes the recorded episodes of a run, one dataset for each cell, and yields what was written.

    Args:
        run: Folder of the run.
        name: Minari's id of the dataset; `{site}` and `{condition}` stand for the cell.
        sites: Sites; all when empty.
        conditions: Conditions; those the run has not are passed over, all when empty.
        tasks: Task ids; all when empty.

    Raises:
        UsageError: Nothing was recorded, several cells would have the same name, or Minari is missing or refuses.
    """
    minari()
    cells: dict[tuple[str, str], list[Path]] = {}
    for episode in recorded(run, tasks):
        site = natural(episode.task)[0]
        if site in (sites or SITES) and (not conditions or episode.condition in conditions):
            cells.setdefault((site, episode.condition), []).append(episode.path)
    names = {cell: _named(name, *cell) for cell in cells}
    if not cells:
        raise UsageError(f"{run} holds no trajectory of these sites and conditions")
    if len(set(names.values())) < len(names):
        raise UsageError(
            f"a dataset holds one environment and {len(names)} cells were chosen: put {{site}} and {{condition}} in the "
            f"name, such as skillshift/{{site}}-{{condition}}/agent-v0, or choose one cell with --condition"
        )
    agent = read_run(run).agent
    for cell, paths in cells.items():
        yield to_minari([read(path) for path in paths], names[cell], algorithm_name=agent)


def to_minari(trajectories: Sequence[Trajectory], dataset_id: str, **metadata: Any) -> Exported:
    """Writes episodes as a Minari dataset.

    The observation is a dictionary of the recorded fields. Its text spaces have the characters that occur in the
    dataset as their character set, so that a dataset read by Minari alone contains what it says. The infos keep the
    typed error, the blocker and the site's revision of each moment.

    Args:
        trajectories: Episodes of one environment, recorded with the same fields; those without a step are left out.
        dataset_id: Minari's id, such as `skillshift/wordpress-src/reference-v0`.
        **metadata: Other arguments of `minari.create_dataset_from_buffers`, such as `author`.

    Raises:
        UsageError: Minari is missing, there is no episode, they are of several environments, or the dataset exists.
    """
    module, buffers = minari(), import_module("minari.data_collector.episode_buffer")
    chosen = [t for t in trajectories if t.steps]
    kinds = {(t.start.env, t.start.fields) for t in chosen}
    if len(kinds) != 1:
        raise UsageError(f"expected episodes of one environment and the same fields, got {sorted(kinds) or 'none'}")
    fields = chosen[0].start.fields
    observations = [_observations(t, fields) for t in chosen]
    actions = [[str(step.action) for step in t.steps] for t in chosen]
    episodes = [
        buffers.EpisodeBuffer(number, t.start.seed, dict(t.start.options), seen, done, *_outcomes(t))
        for number, (t, seen, done) in enumerate(zip(chosen, observations, actions, strict=True))
    ]
    spaces_ = {
        "observation_space": spaces.Dict({f: _space(f, [seen[f] for seen in observations]) for f in fields}),
        "action_space": _space("action", actions),
    }
    known = {"env": spec_of(chosen[0])} if chosen[0].start.spec else {}
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UserWarning)  # about metadata that is the caller's to give
            module.create_dataset_from_buffers(
                dataset_id, episodes, eval_env=None, data_format="hdf5", **known, **spaces_, **metadata
            )
    except ValueError as error:
        raise UsageError(f"minari: {error}") from None
    return Exported(dataset_id, len(chosen), sum(len(t.steps) for t in chosen))


def minari() -> Any:
    """Returns the module of Minari.

    Raises:
        UsageError: It, or what it stores datasets with, is not installed.
    """
    try:
        import_module("minari.dataset._storages.hdf5_storage")
        return import_module("minari")
    except ImportError as error:
        raise UsageError(f"the Minari export needs an extra: {EXTRA} ({error})") from None


def _named(name: str, site: str, condition: str) -> str:
    try:
        return name.format(site=site, condition=condition)
    except (KeyError, IndexError, ValueError) as error:
        raise UsageError(
            f"--minari: expected a name with {{site}} and {{condition}}, got {name!r} ({error!r})"
        ) from None


def _observations(trajectory: Trajectory, fields: Sequence[str]) -> dict[str, Any]:
    """Returns the recorded fields as Minari buffers them: a list for each, one entry a moment."""
    moments = range(len(trajectory.steps) + 1)
    found: dict[str, Any] = {}
    for field in fields:
        values = [trajectory.value(moment, field) for moment in moments]
        found[field] = values if isinstance(values[0], str) else np.array(values, dtype=np.int64)
    return found


def _outcomes(trajectory: Trajectory) -> tuple[list[float], list[bool], list[bool], dict[str, list[str]]]:
    """Returns rewards, terminations, truncations and infos."""
    steps = trajectory.steps
    seen = [trajectory.start, *steps]
    infos = {name: [str(moment.info.get(name, "")) for moment in seen] for name in _INFOS}
    # An episode that its agent gave up was cut off; Minari wants every episode to end.
    cut = [s.truncated or (s is steps[-1] and not s.terminated) for s in steps]
    return [s.reward for s in steps], [s.terminated for s in steps], cut, infos


def _space(field: str, values: Sequence[Any]) -> spaces.Space[Any]:
    """Returns the space of a field: for texts, with the characters that occur."""
    if isinstance(values[0], np.ndarray):
        return FIELDS[field].space
    texts = [text for episode in values for text in episode]
    characters = sorted(set().union(*texts)) or [" "]
    declared = getattr(FIELDS[field].space, "max_length", _TEXT_LIMIT) if field in FIELDS else _TEXT_LIMIT
    return spaces.Text(declared, min_length=0, charset="".join(characters))
