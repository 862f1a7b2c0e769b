"""`skillshift envs` and `skillshift doctor`: what there is, and what this machine has."""

from __future__ import annotations

import argparse

from ..registration import CONDITIONS, SITES, env_id
from .arguments import Commands, add_command


def add(commands: Commands) -> None:
    """Adds both subcommands."""
    add_command(commands, "envs", _envs, "list the registered environments")
    add_command(
        commands, "doctor", _doctor, "say what this machine has, what is missing, and the command that fixes it"
    )


def _envs(arguments: argparse.Namespace) -> int:
    from ..tasks.registry import families

    print("| id | site | version | bench tasks |\n|---|---|---|---|")
    for site in SITES:
        for condition, preset in CONDITIONS.items():
            print(f"| {env_id(site, condition)} | {site} | {preset.version} | {len(families(site))} |")
    return 0


def _doctor(arguments: argparse.Namespace) -> int:
    from ..doctor import examine

    return examine()
