"""`skillshift record`: skills from what a person shows in a Chromium window, or from what the oracles of the tasks do."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

from ..errors import UsageError
from ..registration import CONDITIONS, env_id
from ..tasks.splits import SPLITS
from .arguments import Commands, add_command, pair, sites

if TYPE_CHECKING:
    from ..evaluation.demonstration import Request
    from ..skills.skill import Skill


def add(commands: Commands) -> None:
    """Adds the subcommand."""
    text = "record a skill from your own clicks, and print what became a parameter and why"
    parser = add_command(commands, "record", _record, text)
    parser.add_argument("--site", type=sites, default=sites("all"), help="the site; several only with --from-oracles")
    parser.add_argument(
        "--condition", choices=tuple(CONDITIONS), default="src", help="condition to record in; src by default"
    )
    parser.add_argument("--out", type=Path, default=Path("bank.jsonl"), help="file of the bank; bank.jsonl by default")
    parser.add_argument(
        "--task", default="", help="task that you show, such as magento.17#5; its values become parameters"
    )
    parser.add_argument("--goal", default="", help="what you show, in words; values that it holds become parameters")
    parser.add_argument(
        "--start", default="", metavar="PATH", help="path to begin at; the task's start or / by default"
    )
    parser.add_argument("--name", default="", help="name of the skill; one of the bank gets a new version")
    parser.add_argument(
        "--rename", type=pair, action="append", default=[], metavar="OLD=NEW", help="name of a parameter"
    )
    parser.add_argument("--literal", action="append", default=[], metavar="NAME", help="a parameter that is to be none")
    parser.add_argument(
        "--parameter", type=_value_and_name, action="append", default=[], metavar="VALUE=NAME", help="a value that is to be one"
    )  # fmt: skip
    parser.add_argument(
        "--check", action="store_true", help="call the new skill in a fresh environment; exit code 1 if it fails"
    )
    shown = parser.add_mutually_exclusive_group()
    shown.add_argument(
        "--remote", type=int, default=0, metavar="PORT", help="no window here; attach with chrome://inspect to this port of localhost"
    )  # fmt: skip
    shown.add_argument("--headless", action="store_true", help="no window at all, for scripts")
    parser.add_argument("--from-oracles", action="store_true", help="record what the oracles of the tasks do instead")
    parser.add_argument(
        "--split", choices=SPLITS, default="train", help="split of the oracles' tasks; train by default"
    )


def _record(arguments: argparse.Namespace) -> int:
    if arguments.from_oracles:
        return _from_oracles(arguments)
    if len(arguments.site) != 1:
        raise UsageError("record: expected one site, such as --site wordpress, or --from-oracles")
    return _from_person(arguments)


def _from_oracles(arguments: argparse.Namespace) -> int:
    from ..evaluation.harvest import harvest

    bank = harvest(arguments.site, arguments.condition, arguments.split)
    bank.save(arguments.out)
    for skill in bank.skills.values():
        print(f"{skill.signature}  # {skill.evidence[0].task}")
        _print_review(skill)
    print(f"{len(bank.skills)} skills, hash {bank.hash}, written to {arguments.out}")
    return 0


def _from_person(arguments: argparse.Namespace) -> int:
    import asyncio

    from ..evaluation.demonstration import bank_at, made, scene_of, stored, watched

    request = _request(arguments)
    bank_at(arguments.out)  # a file that is no bank is told before the work, not after it
    scene = scene_of(request)
    if scene.goal:
        print(f"goal: {scene.goal}")
    if request.look.port:
        print(f"attach: ssh -L {request.look.port}:localhost:{request.look.port} this-machine, then chrome://inspect")
    captured = asyncio.run(watched(request, scene, lambda line: print(f"  {line}", flush=True)))
    bank = bank_at(arguments.out)
    recording, problems = made(captured, request, scene, bank.all)
    print(f"{captured.reason}\n\n{recording.skill.program}\n{recording.skill.signature}")
    _print_review(recording.skill)
    for problem in problems:
        print(f"note: {problem}")
    skill = stored(recording, bank, f"shown by a person: {request.site}, {request.condition}, {captured.reason}")
    bank.save(arguments.out)
    print(f"{skill.name}, version {skill.version}, hash {bank.hash}, written to {arguments.out}")
    _print_calls(skill, arguments.out)
    return _check(skill, request) if arguments.check else 0


def _request(arguments: argparse.Namespace) -> Request:
    from ..evaluation.capture_launch import Look
    from ..evaluation.demonstration import Request

    return Request(
        site=arguments.site[0], condition=arguments.condition, task=arguments.task, goal=arguments.goal, start=arguments.start,
        name=arguments.name, look=Look(arguments.headless or bool(arguments.remote), arguments.remote), renames=dict(arguments.rename),
        literals=tuple(arguments.literal), parameters=dict(arguments.parameter),
    )  # fmt: skip


def _print_review(skill: Skill) -> None:
    rows = [(repr(f["value"]), f["parameter"], f["reason"]) for f in skill.fields["review"]]
    width = max((len(value) for value, _, _ in rows), default=0)
    for value, parameter, reason in rows:
        print(f"  {value:<{min(width, 40)}}  {f'parameter {parameter}' if parameter else 'stays as it is'} ({reason})")


def _print_calls(skill: Skill, path: Path) -> None:
    """Prints how the new skill is called again."""
    from ..actions import SkillCall, format_action
    from ..skills.program import parse

    evidence, examples = skill.evidence[0], parse(skill.program).examples
    call = format_action(SkillCall(skill.name, (), tuple((p.name, examples[p.name]) for p in skill.parameters)))
    options = f', options={{"task": {evidence.task!r}}}' if evidence.task else ""
    print(f"\nenv = gymnasium.make({env_id(evidence.site, evidence.condition)!r}, skills={str(path)!r})")
    print(f"env.reset(seed=0{options})\nenv.step({call!r})")
    if evidence.task:
        print(f"skillshift bank doctor {path} --condition src,tgt")


def _check(skill: Skill, request: Request) -> int:
    from ..evaluation.demonstration import checked

    row = checked(skill, request)
    print(f"\ncheck: observed {row['observed']}, true {row['true']}{': ' if row['detail'] else ''}{row['detail']}")
    return 0 if row["observed"] == row["true"] == "ok" else 1


def _value_and_name(text: str) -> tuple[str, str]:
    """Returns the sides of `VALUE=NAME`; the value may hold `=`."""
    value, _, name = text.rpartition("=")
    if not value or not name:
        raise argparse.ArgumentTypeError(f"expected VALUE=NAME, got {text!r}")
    return value, name
