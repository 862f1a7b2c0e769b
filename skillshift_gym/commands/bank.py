"""`skillshift bank`: looks into banks of skills, checks them, compares them, and reads and writes foreign formats."""

from __future__ import annotations

import argparse
from pathlib import Path

from .arguments import Commands, add_command, conditions
from .bank_reports import add_reports, described_cases, write_reports

_FORMATS = ("awm", "asi", "skillweaver", "walt", "workflow-use", "skillrl", "skillmaster", "reskill", "playwright")


def add(commands: Commands) -> None:
    """Adds the subcommand and its own subcommands."""
    text = "show, check, compare, import and export banks of skills"
    parser: argparse.ArgumentParser = commands.add_parser("bank", help=text, description=text)
    own = parser.add_subparsers(required=True, metavar="what")
    show = add_command(own, "show", show_bank, "the skills of a bank, or one of them")
    show.add_argument("bank", type=Path)
    show.add_argument("name", nargs="?", help="one skill, in full")
    show.add_argument("--log", action="store_true", help="the events with their reasons instead")
    lint = add_command(own, "lint", lint_bank, "static checks; exit code 1 with findings")
    lint.add_argument("bank", type=Path)
    add_reports(lint)
    compare = add_command(own, "diff", diff_banks, "what makes one bank another; exit code 1 when they differ")
    compare.add_argument("old", type=Path)
    compare.add_argument("new", type=Path)
    doctor = add_command(
        own, "doctor", examine, "which skills run now, in which condition; exit code 1 when one does not"
    )
    doctor.add_argument("bank", type=Path)
    doctor.add_argument(
        "--condition", type=conditions, default=conditions("all"), help="comma-separated; all by default"
    )
    doctor.add_argument(
        "--static", action="store_true",
        help="look for the targets on the first page only; says how that compares with calling, which it does as well",
    )  # fmt: skip
    doctor.add_argument("--no-calls", action="store_true", help="with --static: call nothing, and compare with nothing")
    add_reports(doctor)
    _add_formats(own)


def _add_formats(own: Commands) -> None:
    take = add_command(
        own, "import", import_bank, "make a bank from files of another system; nothing in them is executed"
    )
    take.add_argument("file", type=Path, help="a file, or a folder of files")
    take.add_argument("--format", required=True, choices=_FORMATS)
    take.add_argument("--out", type=Path, required=True, help="the bank to write")
    give = add_command(own, "export", export_bank, "write the active skills of a bank in the form of another system")
    give.add_argument("bank", type=Path)
    give.add_argument("--format", required=True, choices=_FORMATS)
    give.add_argument("--out", type=Path, required=True, help="the file, or the folder when there are several")


def show_bank(arguments: argparse.Namespace) -> int:
    """Prints a bank; returns 1 when it has no skill of the name."""
    from ..skills.bank import Bank
    from ..skills.differences import described
    from ..skills.values import shown

    bank = Bank.load(arguments.bank)
    if arguments.log:
        for event in bank.events:
            gate = f"  [{event.gate}: {event.score} against {event.threshold}]" if event.gate else ""
            print(shown(f"{event.number:>5}  {event.op:<14} {event.name:<40} {event.reason}{gate}"))
        return 0
    if arguments.name:
        skill = bank.all.get(arguments.name)
        print("\n".join(described(skill)) if skill else f"{arguments.bank} has no skill {shown(arguments.name)}")
        return 0 if skill else 1
    for skill in bank.all.values():
        called = skill.signature if skill.callable else skill.name
        print(
            shown(f"{skill.kind:<13} v{skill.version:<3} {skill.status:<8} {called}  {skill.description}".rstrip(), 200)
        )
    print(f"{len(bank.skills)} of {len(bank.all)} skills active, {len(bank.events)} events, hash {bank.hash}")
    return 0


def lint_bank(arguments: argparse.Namespace) -> int:
    """Prints the findings; returns 1 when there is a warning or an error."""
    from ..skills.bank import Bank
    from ..skills.checker import RULES as CHECKED
    from ..skills.lint import RULES, lint

    cases = lint(Bank.load(arguments.bank))
    write_reports(arguments, cases, "skillshift bank lint", {**CHECKED, **RULES})
    print(described_cases(cases, "skills without findings"))
    return 1 if any(case.failed for case in cases) else 0


def diff_banks(arguments: argparse.Namespace) -> int:
    """Prints what changed; returns 1 when something did."""
    from ..skills.bank import Bank
    from ..skills.differences import diff

    changes = diff(Bank.load(arguments.old), Bank.load(arguments.new))
    for change in changes:
        print("\n".join([f"{change.what} {change.name}", *(f"    {line}" for line in change.lines)]))
    print(f"{len(changes)} differences")
    return 1 if changes else 0


def examine(arguments: argparse.Namespace) -> int:
    """Prints which skills run; returns 1 when one does not."""
    from ..evaluation.bank_doctor import RULES, cases, diagnose, foresight, table
    from ..skills.bank import Bank

    bank = Bank.load(arguments.bank)
    diagnoses = diagnose(bank, arguments.condition, static=arguments.static)
    compared = arguments.static and not arguments.no_calls
    against = foresight(diagnoses, diagnose(bank, arguments.condition)) if compared else None
    found = cases(diagnoses, bank)
    write_reports(arguments, found, "skillshift bank doctor", RULES)
    print(table(diagnoses))
    print(described_cases(found, "calls ok"))
    if against is not None:
        print(against)
    return 1 if any(case.failed for case in found) else 0


def import_bank(arguments: argparse.Namespace) -> int:
    """Writes a bank, prints what was not taken over, and returns 1 when no skill was found."""
    from ..skills.bank import Bank
    from ..skills.formats import read_path

    done = read_path(arguments.format, arguments.file)
    bank = Bank(duplicates=True)
    for skill in done.skills:
        bank.add(skill, f"imported from {arguments.format}: {arguments.file.name}")
    for note in done.notes:
        print(note)
    if not done.skills:
        print(f"{arguments.file}: no skill found; nothing written")
        return 1
    bank.save(arguments.out)
    gone = sum("gives up" in note.reason for note in done.notes)
    print(f"{len(done.skills)} skills to {arguments.out}, {gone} steps without counterpart, hash {bank.hash}")
    return 0


def export_bank(arguments: argparse.Namespace) -> int:
    """Writes files of a format and prints what they lose."""
    from ..skills.bank import Bank
    from ..skills.formats import write_path

    bank = Bank.load(arguments.bank)
    done = write_path(arguments.format, bank.skills.values(), arguments.out)
    for note in done.notes:
        print(note)
    print(f"{len(done.files)} files to {arguments.out}: {', '.join(list(done.files)[:10])}")
    return 0
