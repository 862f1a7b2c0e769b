"""Writes the reference pages from the code: `python docs/generate.py`; `--check` only says whether they are up to date.

Actions, observations, features, conditions, shifts, errors, commands and the task catalogue are described where they are
defined, once; these pages are copies.
"""

from __future__ import annotations

import contextlib
import io
import os
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterable
from pathlib import Path

from skillshift_gym import errors
from skillshift_gym.cli import main as skillshift
from skillshift_gym.features import FEATURES
from skillshift_gym.grammar import GRAMMAR
from skillshift_gym.observation import FIELDS
from skillshift_gym.registration import CONDITIONS, SITES, env_id
from skillshift_gym.tasks.registry import families, oracle_length
from skillshift_gym.wrappers.blockers import TEXTS, WAYS
from skillshift_gym.wrappers.firing import SCHEDULES
from skillshift_gym.wrappers.mutators import SETTINGS, Setting

FOLDER = Path(__file__).parent / "reference"
_NOTE = "<!-- written by docs/generate.py -->\n\n"


def table(head: Iterable[str], rows: Iterable[Iterable[object]]) -> str:
    """Returns a Markdown table."""
    titles = list(head)
    lines = [titles, ["---"] * len(titles), *([str(cell).replace("|", "\\|") for cell in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines) + "\n"


def actions() -> str:
    """Returns the page of the action grammar."""
    rows = [
        (f"`{s.name}({', '.join(p.name for p in s.parameters)})`", s.text, f"`{s.example}`") for s in GRAMMAR.values()
    ]
    return (
        "# Actions\n\nAn action is one call in this grammar, BrowserGym's spelling; it is parsed, never evaluated. A call that cannot "
        "be carried out is a typed error in the observation (`last_action_error`) and in `info`, never an exception.\n\n"
        + table(("call", "what it does", "example"), rows)
        + "\n## Typed errors\n\n"
        + table(("code", "when"), _error_rows())
    )


def _error_rows() -> list[tuple[str, str]]:
    kinds = [k for k in vars(errors).values() if isinstance(k, type) and issubclass(k, errors.ActionError)]
    return [
        (f"`{k.code}`", (k.__doc__ or "").split("\n\n")[0].replace("\n", " "))
        for k in kinds
        if k is not errors.ActionError
    ]


def observations() -> str:
    """Returns the page of the observation fields and of the features of the RL view."""
    fields = [(f"`{name}`", f"`{field.space}`", field.text) for name, field in FIELDS.items()]
    features = [(number, f"`{name}`", text) for number, (name, (text, _)) in enumerate(FEATURES.items())]
    return (
        '# Observations\n\nThe observation is a dictionary; `gym.make(id, observation=("goal", "axtree"))` chooses fields.\n\n'
        + table(("field", "space", "what"), fields)
        + "\n## Features of the RL view\n\nColumns of `CandidateActions`' `candidates`, each in [0, 1].\n\n"
        + table(("column", "feature", "what"), features)
    )


def shifts() -> str:
    """Returns the page of conditions and shifts."""
    cells = [
        (f"`{env_id(site, name)}`", name, condition.version, condition.shift or "none")
        for site in SITES
        for name, condition in CONDITIONS.items()
    ]
    mutators = [(f"`{name}`", *(f"{getattr(SETTINGS[i], name):g}" for i in SETTINGS)) for name in Setting._fields]
    return (
        "# Cells and shifts\n\n"
        + table(("environment", "condition", "version", "shift"), cells)
        + "\n## Perceptual shift: probability of each mutator\n\n"
        + table(("mutator", *SETTINGS), mutators)
        + "\n## Execution shift\n\n"
        + table(("schedule", "asked at"), [(f"`{n}`", f"each {event}") for n, (event, _, _) in SCHEDULES.items()])
        + f"\nBlockers: {', '.join(f'`{t}`' for t in TEXTS)}. Ways out: {', '.join(f'`{w}`' for w in WAYS)}.\n"
    )


def commands() -> str:
    """Returns the page of the command line."""
    rows = [(f"`skillshift {name}`", text) for name, text in re.findall(r"^    (\w+) +(\S.*)$", _help(), re.MULTILINE)]
    return "# Commands\n\n`skillshift COMMAND --help` lists a command's options.\n\n" + table(
        ("command", "what it does"), rows
    )


def _help() -> str:
    """Returns what `skillshift --help` prints, unbroken whatever the terminal."""
    out = io.StringIO()
    os.environ["COLUMNS"] = "400"
    with contextlib.redirect_stdout(out), contextlib.suppress(SystemExit):
        skillshift(["--help"])
    return out.getvalue()


def catalogue(site: str) -> str:
    """Returns the catalogue of a site's tasks."""
    found = families(site)
    kinds = Counter(f.kind for f in found)
    rows = []
    for family in found:
        task, splits = family.task(), Counter(i.split for i in family.instances)
        lengths = " / ".join(str(oracle_length(task, version)) for version in ("v1", "v2"))
        rows.append((family.id, task.goal, task.check_kind, lengths, task.budget, splits["train"], splits["val"]))
    parts = [
        f"# Tasks: {SITES[site]}\n\n{len(found)} families; oracle lengths count the closing message, in the source and the target version.\n"
    ]
    for kind, count in kinds.items():
        own = [row for row, family in zip(rows, found, strict=True) if family.kind == kind]
        parts.append(
            f"## {kind.capitalize()} ({count})\n\n"
            + table(("task", "goal", "checks", "oracle", "budget", "train", "val"), own)
        )
    return "\n".join(parts)


def pages() -> dict[Path, str]:
    """Returns file -> text of all pages."""
    made: dict[str, Callable[[], str]] = {
        "actions": actions, "observations": observations, "shifts": shifts, "commands": commands,
        **{f"tasks-{site}": lambda site=site: catalogue(site) for site in SITES},
    }  # fmt: skip
    return {FOLDER / f"{name}.md": _NOTE + page() for name, page in made.items()}


def main() -> int:
    """Writes the pages, or checks them; returns 1 when one is out of date."""
    stale = [path for path, text in pages().items() if not path.is_file() or path.read_text(encoding="utf-8") != text]
    for path in stale:
        if "--check" in sys.argv:
            print(f"{path} is out of date: run python docs/generate.py")
        else:
            FOLDER.mkdir(exist_ok=True)
            path.write_text(pages()[path], encoding="utf-8")
            print(f"written: {path}")
    return 1 if stale and "--check" in sys.argv else 0


if __name__ == "__main__":
    sys.exit(main())
