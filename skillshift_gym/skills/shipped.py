"""The bank that ships: skills recorded from the oracles of the source versions.

Made by `skillshift record --from-oracles --site wordpress,magento --split train --condition src --out recorded.jsonl`.
"""

from __future__ import annotations

from importlib import resources

from .bank import Bank

RECORDED = "recorded.jsonl"


def recorded_bank() -> Bank:
    """Returns the recorded bank, read-only; its hash is checked."""
    text = resources.files(__package__).joinpath("data", RECORDED).read_text(encoding="utf-8")
    return Bank.load(text)
