"""`skillshift record`: skills from what the oracles of the tasks do."""

from __future__ import annotations

import argparse
from pathlib import Path

from ..errors import UsageError
from ..registration import CONDITIONS
from ..tasks.splits import SPLITS
from .arguments import Commands, add_command, sites


def add(commands: Commands) -> None:
    """Adds the subcommand."""
    parser = add_command(commands, "record", _record, "record skills, and print what became a parameter and why")
    parser.add_argument("--from-oracles", action="store_true", help="record what the oracles of the tasks do")
    parser.add_argument("--site", type=sites, default=sites("all"), help="comma-separated sites; all by default")
    parser.add_argument(
        "--condition", choices=tuple(CONDITIONS), default="src", help="condition to record in; src by default"
    )
    parser.add_argument("--split", choices=SPLITS, default="train", help="split of the tasks; train by default")
    parser.add_argument("--out", required=True, type=Path, help="file of the bank")


def _record(arguments: argparse.Namespace) -> int:
    from ..evaluation.harvest import harvest

    if not arguments.from_oracles:
        raise UsageError("record: expected --from-oracles")
    bank = harvest(arguments.site, arguments.condition, arguments.split)
    bank.save(arguments.out)
    for skill in bank.skills.values():
        print(f"{skill.signature}  # {skill.evidence[0].task}")
        for finding in skill.fields["review"]:
            became = f"parameter {finding['parameter']}" if finding["parameter"] else "stays as it is"
            print(f"  {finding['value']!r}: {became} ({finding['reason']})")
    print(f"{len(bank.skills)} skills, hash {bank.hash}, written to {arguments.out}")
    return 0
