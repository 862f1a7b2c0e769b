"""How many skills of a bank survive in six conditions, by code, by kind of mark, and with healing.

    python benchmarks/skill_survival.py [--bank PATH] [--out rows.jsonl]
    python benchmarks/skill_survival.py --browser chromium --condition src,tgt

The second form calls in another browser and prints only where the outcome is not the one in the in-process browser.

Without a bank, the one that ships: recorded from the oracles of the source version by
`skillshift record --from-oracles --site wordpress,magento --split train --condition src --out recorded.jsonl`.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import Any

from skillshift_gym.commands.arguments import conditions
from skillshift_gym.evaluation.survival import (
    Rate,
    Row,
    broken,
    by_site,
    codes,
    failure_rates,
    heal_counts,
    recounted,
    survival,
    table,
    unequal,
)
from skillshift_gym.registration import CONDITIONS
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.shipped import recorded_bank

ALL = tuple(CONDITIONS)
MARKUP = ["id", "css", "xpath"]
# What recorders prefer; where an element has no such mark, its css is used.
KINDS: dict[str, dict[str, Any]] = {
    "id": {"order": ["id", "css"], "cascade": False, "same_element": False},
    "name": {"order": ["name", "css"], "cascade": False, "same_element": False},
    "css": {"order": ["css"], "cascade": False, "same_element": False},
    "xpath": {"order": ["xpath"], "cascade": False, "same_element": False},
    "role+name": {"order": ["role+name", "css"], "cascade": False, "same_element": False},
    "id, css, xpath": {"order": MARKUP, "same_element": False},
}
HEALED: dict[str, dict[str, Any]] = {
    "cascade": {},
    "cascade, fuzzy": {"healers": ["fuzzy"]},
    "cascade, similo": {"healers": ["similo"]},
    "cascade, fuzzy, similo": {"healers": ["fuzzy", "similo"]},
    "id, css, xpath, fuzzy, similo": {"order": MARKUP, "healers": ["fuzzy", "similo"]},
}
# Outside the guarantee of the registered cells: names change, and look-alikes stand beside the real ones.
DECOYS = {"mutators": {"decoy": 0.3, "same_name": 0.2, "synonym": 0.2}}
SHIFTS: dict[str, tuple[str, list[dict[str, Any] | None]]] = {
    "registered": ("src-perc", [None]),
    "decoys, 3 seeds": ("src-perc", [{**DECOYS, "seed": seed} for seed in (1, 2, 3)]),
    "target": ("tgt", [None]),
}


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description="Which recorded skills survive.")
    parser.add_argument("--bank", help="path of a bank; the shipped one by default")
    parser.add_argument("--out", type=Path, help="file for the rows of the six conditions, one JSON object a line")
    parser.add_argument("--browser", default="dom", choices=("dom", "chromium"), help="browser to compare with `dom`")
    parser.add_argument("--condition", type=conditions, default=ALL, help="conditions to compare in; all by default")
    arguments = parser.parse_args()
    bank = Bank.load(arguments.bank) if arguments.bank else recorded_bank()
    print(f"{len(bank.skills)} skills, bank {bank.hash[:12]}\n")
    if arguments.browser != "dom":
        print_browsers(bank, arguments.browser, arguments.condition)
        return
    rows = survival(bank, ALL)
    if arguments.out:
        arguments.out.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
        rows = [json.loads(line) for line in arguments.out.read_text(encoding="utf-8").splitlines()]
    print_conditions(rows)
    print_kinds(bank)
    print_healing(bank)


def print_browsers(bank: Bank, browser: str, chosen: tuple[str, ...]) -> None:
    """Prints the calls that come to something else in another browser, in any field of their rows."""
    rows, others = survival(bank, chosen), survival(bank, chosen, browser=browser)
    for row, other in unequal(rows, others):
        print(f"{row['name']}, {row['condition']}:")
        for key in row:
            if row[key] != other[key]:
                print(f"    {key}: dom {row[key]!r}, {browser} {other[key]!r}")
    print(f"{len(rows)} calls in {', '.join(chosen)}: {len(unequal(rows, others))} differ in {browser}")


def print_conditions(rows: list[Row]) -> None:
    """Prints code x condition for each site, and that a recount from the environment's log of calls agrees."""
    for site, own in by_site(rows):
        print(f"## {site}: calls, observed / true\n\n{table(own)}\n")
    print(f"## both sites: calls, observed / true\n\n{table(rows)}\n")
    same = all(codes(rows, status) == recounted(rows, status) for status in ("observed", "true"))
    print(f"recount from the log of calls: {'equal' if same else 'DIFFERENT'}\n")


def print_kinds(bank: Bank) -> None:
    """Prints SFR / SFR_true by kind of mark and condition."""
    print(f"## by kind of mark: SFR / SFR_true\n\n| marks | {' | '.join(ALL)} | ok in src, broken in src-perc |")
    print("|---" * (len(ALL) + 2) + "|")
    for name, healing in KINDS.items():
        rows = survival(bank, ALL, healing)
        seen, true = failure_rates(rows, "observed"), failure_rates(rows, "true")
        cells = [f"{100 * seen[c].failed / seen[c].calls:.0f} / {true[c]}" for c in ALL]
        print(f"| {name} | {' | '.join(cells)} | {broken(rows, 'src', 'src-perc')} |", flush=True)
    print()


def print_healing(bank: Bank) -> None:
    """Prints what healing repairs, and how many of its finds are false."""
    print(
        "## healing\n\n| how | shift | broken of the calls ok in src | heals: true | false | missed | refused | unjudged | false of all heals |"
    )
    print("|---|---|---|---|---|---|---|---|---|")
    for name, healing in HEALED.items():
        clean = survival(bank, ("src",), healing)
        for title, (condition, shifts) in SHIFTS.items():
            runs = [survival(bank, (condition,), healing, shift) for shift in shifts]
            counts = heal_counts(row for rows in runs for row in rows)
            made = counts["true"] + counts["false"]
            rates = [broken([*clean, *rows], "src", condition) for rows in runs]
            cells: list[object] = [Rate(sum(r.failed for r in rates), sum(r.calls for r in rates))]
            cells += [counts[v] for v in ("true", "false", "missed", "refused", "unjudged")]
            share = f"{100 * counts['false'] / made:.1f}% ({counts['false']}/{made})" if made else "null (no heals)"
            print(f"| {name} | {title} | " + " | ".join(map(str, cells)) + f" | {share} |", flush=True)


if __name__ == "__main__":
    main()
