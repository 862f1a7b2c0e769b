"""Teaching a method on a site, and what is written down about it."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

from skillshift_gym import __version__
from skillshift_gym.agents.induction.lesson import Learned, Lesson
from skillshift_gym.agents.induction.protocol import split_of
from skillshift_gym.agents.llm.model import Account
from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation.loading import METHODS
from skillshift_gym.evaluation.provenance import agents_digest, environment_digest
from skillshift_gym.files import write_atomically
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.values import digest

ACCOUNT = "learned.json"
RULES = "rules"  # the inducer that is no model


def teach(method: str, lesson: Lesson) -> Learned:
    """Returns what a method learns from a lesson.

    Raises:
        UsageError: There is no such method.
    """
    if method not in METHODS:
        raise UsageError(f"method: expected one of {', '.join(METHODS)}, got {method!r}")
    learn: Callable[[Lesson], Learned] = import_module(f"skillshift_gym.agents.{method}").learn
    return learn(lesson)


def teach_into(method: str, lesson: Lesson, folder: Path) -> Learned:
    """Has a method learn, writes its bank and what is to be known of it into a folder, and returns what it learned."""
    learned = teach(method, lesson)
    folder.mkdir(parents=True, exist_ok=True)
    learned.bank.save(bank_file(folder, lesson.site))
    said = {**about(method, lesson), **outcome(learned)}
    if learned.account is not None:
        said["inducer"] = {**said["inducer"], **spent(learned.account)}
    accounts = {**read_accounts(folder), lesson.site: said}
    text = json.dumps(dict(sorted(accounts.items())), indent=1, ensure_ascii=False) + "\n"
    write_atomically(folder / ACCOUNT, text)
    return learned


def learned_before(method: str, lesson: Lesson, folder: Path) -> bool:
    """Tells whether a folder holds the bank of this lesson.

    Raises:
        UsageError: It holds the bank of another lesson, or one that was changed since.
    """
    said = read_accounts(folder).get(lesson.site)
    if said is None or not bank_file(folder, lesson.site).is_file():
        return False
    wanted = json.loads(json.dumps(about(method, lesson)))
    said = {**said, "inducer": _writer_of(said)}
    differ = [key for key, value in wanted.items() if said.get(key) != value]
    if differ:
        raise UsageError(
            f"{folder}: holds a bank of another lesson for {lesson.site} (differs in {', '.join(differ)}); choose another folder"
        )
    if Bank.load(bank_file(folder, lesson.site)).hash != said["hash"]:
        raise UsageError(f"{bank_file(folder, lesson.site)}: is not the bank that {ACCOUNT} tells of; learn it anew")
    return True


def bank_file(folder: Path, site: str) -> Path:
    """Returns the file of a site's bank in a folder."""
    return folder / f"{site}.jsonl"


def about(method: str, lesson: Lesson) -> dict[str, Any]:
    """Returns what a lesson is: who learns what, where, from which tasks."""
    return {
        "method": method,
        "induction": "rule induction" if lesson.inducer is None else "model induction",
        "inducer": RULES if lesson.inducer is None else {"model": lesson.inducer.name},
        "site": lesson.site,
        "condition": lesson.condition,
        "protocol": lesson.protocol,
        "split": split_of(lesson.protocol),
        "tasks": len(lesson.tasks),
        "tasks_sha256": digest(list(lesson.tasks)),
        "seed": lesson.seed,
        "backbone": lesson.backbone,
        "settings": dict(sorted(lesson.settings.items())),
        "content": environment_digest(lesson.site),
        "code": agents_digest(),
        "version": __version__,
    }


def outcome(learned: Learned) -> dict[str, Any]:
    """Returns what came of a lesson."""
    skills = learned.bank.skills.values()
    return {
        "episodes": learned.episodes,
        "steps": learned.steps,
        "funnel": dict(learned.funnel),
        "rejected": dict(learned.reasons),
        "skills": len(skills),
        "callable": sum(s.callable for s in skills),
        "hash": learned.bank.hash,
    }


def spent(account: Account) -> dict[str, Any]:
    """Returns calls, tokens and cost of an inducer: the same for a replay as for its recording."""
    said = account.summary()
    unknown = {"reason": said["reason"]} if said["reason"] else {}
    return {key: said[key] for key in ("calls", "prompt_tokens", "completion_tokens", "usd")} | unknown


def _writer_of(said: Mapping[str, Any]) -> Any:
    """Returns who wrote a bank, without what it cost; an account from before there were models means the rules."""
    inducer = said.get("inducer", RULES)
    return {"model": inducer.get("model")} if isinstance(inducer, Mapping) else inducer


def read_accounts(folder: Path) -> dict[str, dict[str, Any]]:
    """Returns site -> what was written about its bank; nothing for a folder without banks.

    Raises:
        UsageError: The file is broken.
    """
    path = folder / ACCOUNT
    if not path.is_file():
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except ValueError as error:
        raise UsageError(f"{path}: expected the account of learned banks in JSON: {error}") from None
    return dict(found)
