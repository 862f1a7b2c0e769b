"""An agent in the published style, run over two conditions: `python examples/custom_agent.py`.

It types addresses and never reads a page: a floor that says how much of a benchmark needs no skill at all.
"""

from __future__ import annotations

import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from skillshift_gym import __version__
from skillshift_gym.evaluation.records import RunInfo
from skillshift_gym.evaluation.report import build_report, describe
from skillshift_gym.evaluation.runner import run


class AddressGuesser:
    """Guesses the address of what the goal quotes, then gives up."""

    has_skills = False

    def reset(self, task: Any, recorder: Any) -> None:
        """Starts an episode."""
        self._guesses = [self._slug(quoted) for quoted in re.findall(r"“([^”]+)”", task.goal)]

    def act(self, observation: dict[str, Any]) -> str:
        """Returns the next guess, or a closing message."""
        return f"goto('/{self._guesses.pop(0)}/')" if self._guesses else "send_msg_to_user('Done.')"

    def _slug(self, title: str) -> str:
        return "-".join(re.findall(r"[a-z0-9]+", title.lower().replace("’", "")))


def main() -> None:
    """Prints the success rates and their paired difference."""
    info = RunInfo(
        agent="custom_agent:AddressGuesser", sites=("wordpress",), conditions=("src", "tgt"), version=__version__
    )
    with TemporaryDirectory() as folder:
        run(info, Path(folder), workers=0, progress=False)
        report = build_report(Path(folder))
    for row in report.rows:
        print(f"{row.condition}: SR {row.cell.sr.value:.1f} % of n = {row.cell.n}")
    for contrast in report.contrasts:
        print(describe(contrast))


if __name__ == "__main__":
    main()
