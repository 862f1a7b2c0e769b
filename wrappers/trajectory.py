"""Trajectories: what a recorded episode holds, and its file.

A file is one episode: JSON lines, compressed with xz. The first line is the start, then one for each step; a long text
of an observation (a page) stands in a line of its own, once, before the line that shows it. There is no clock in it:
the same episode always gives the same bytes.
"""

from __future__ import annotations

import json
import lzma
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, ValidationError

from skillshift_gym.errors import UsageError

FORMAT: Literal[1] = 1
SUFFIX = ".jsonl.xz"
_WINDOW = 22  # bits


class Observed(BaseModel):
    """What was seen at one moment.

    Attributes:
        digests: Observation field -> digest of its value (16 hexadecimal digits); the field of a text is `text`.
        values: The recorded fields: numbers and short texts as they are. A long text is found by its digest.
        info: The environment's `info`, without what stays the same in an episode.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    digests: dict[str, str]
    values: dict[str, Any]
    info: dict[str, Any]


class Start(Observed):
    """The first line.

    Attributes:
        format: Version of this format.
        package: Version of skillshift_gym.
        env: Environment id, empty when it has none.
        spec: The spec of what was recorded, as its JSON; None when it has no JSON form.
        seed: Seed of the episode.
        options: Options that start this episode, whatever the caller gave: task and version.
        task: Task id.
        uid: Task id in the published form.
        site: Site name.
        condition: Condition name.
        split: Split of the task.
        goal: What the user asks for.
        fields: Names of the recorded fields.
    """

    line: Literal["start"] = "start"
    format: Literal[1] = FORMAT
    package: str
    env: str
    spec: dict[str, Any] | None
    seed: int
    options: dict[str, Any]
    task: str
    uid: str
    site: str
    condition: str
    split: str
    goal: str
    fields: tuple[str, ...]


class Step(Observed):
    """One step.

    Attributes:
        action: The action as given; `{"not a string": repr}` for one that JSON cannot hold.
        reward: Reward of the step.
        terminated: Whether it ended the episode.
        truncated: Whether it cut the episode off.
    """

    line: Literal["step"] = "step"
    action: Any
    reward: float
    terminated: bool
    truncated: bool


class Trajectory(NamedTuple):
    """One episode.

    Attributes:
        start: How it began.
        steps: Its steps.
        texts: Digest -> long text.
    """

    start: Start
    steps: tuple[Step, ...]
    texts: Mapping[str, str]

    def observed(self, moment: int) -> Observed:
        """Returns what was seen at a moment: 0 at the start, n after the n-th step."""
        return self.steps[moment - 1] if moment else self.start

    def value(self, moment: int, field: str) -> Any:
        """Returns a recorded field at a moment, None when it was not recorded."""
        seen = self.observed(moment)
        return seen.values.get(field, self.texts.get(seen.digests.get(field, "")))

    @property
    def over(self) -> bool:
        """Whether the episode was recorded to its end."""
        return bool(self.steps) and (self.steps[-1].terminated or self.steps[-1].truncated)


def encode(lines: Sequence[str]) -> bytes:
    """Returns the bytes of a file with these lines."""
    data = "".join(line + "\n" for line in lines).encode()
    # A fast setting with a window over the whole: pages of an episode are alike, and it matters that they share it.
    window = 1 << max(12, min(_WINDOW, len(data).bit_length()))
    return lzma.compress(data, filters=[{"id": lzma.FILTER_LZMA2, "preset": 1, "dict_size": window}])


def parse(lines: Sequence[str], where: str = "trajectory") -> Trajectory:
    """Returns the trajectory that lines describe.

    Args:
        lines: The lines, in order.
        where: What to call them in an error.

    Raises:
        UsageError: They are none, or of another format.
    """
    start: Start | None = None
    steps: list[Step] = []
    texts: dict[str, str] = {}
    try:
        for line in lines:
            entry = json.loads(line)
            if entry["line"] == "text":
                texts[entry["digest"]] = entry["text"]
            elif entry["line"] == "start":
                start = Start.model_validate(entry)
            else:
                steps.append(Step.model_validate(entry))
    except (ValueError, KeyError, TypeError, ValidationError) as error:
        raise UsageError(f"{where}: expected lines of trajectory format {FORMAT}: {error}") from None
    if start is None:
        raise UsageError(f"{where}: expected a line `start`, found none")
    return Trajectory(start, tuple(steps), texts)


def read(path: Path) -> Trajectory:
    """Returns the trajectory in a file.

    Raises:
        UsageError: There is no such file, or it holds something else.
    """
    try:
        lines = lzma.decompress(path.read_bytes()).decode().splitlines()
    except FileNotFoundError:
        raise UsageError(f"{path}: no such trajectory") from None
    except (lzma.LZMAError, UnicodeDecodeError) as error:
        raise UsageError(f"{path}: not a trajectory: {error}") from None
    return parse(lines, str(path))
