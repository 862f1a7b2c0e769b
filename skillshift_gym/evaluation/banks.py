"""The bank of a run: where it is, frozen while it is evaluated, reachable, and learned under one protocol."""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, cast

import gymnasium

from ..env import SkillShiftEnv
from ..errors import UsageError
from ..probing import Probe
from ..skills.bank import Bank
from .loading import METHODS, agent_factory, load_agent
from .records import RunInfo

if TYPE_CHECKING:
    from .episode import Job

# Protocol -> the split that its skills are learned on; the two are never mixed.
PROTOCOLS = {"heldout": "train", "published": "bench"}
SHIPPED = "banks"  # folder of the agents' package, one folder a method


def folder_of(bank: str) -> Path:
    """Returns where a bank is: a path, or the banks that ship with the package for a method's name such as `asi`."""
    path = Path(bank)
    spec = find_spec("skillshift_gym.agents")  # without importing it: this layer knows no agent
    if path.exists() or bank not in METHODS or spec is None or not spec.submodule_search_locations:
        return path
    return Path(spec.submodule_search_locations[0]) / SHIPPED / bank


def file_of(bank: str, site: str) -> str:
    """Returns the file of a site's bank: `<site>.jsonl` in a folder, or the file itself; see `folder_of`.

    Raises:
        UsageError: There is none.
    """
    path = folder_of(bank)
    file = path / f"{site}.jsonl" if path.is_dir() else path
    if not file.is_file():
        raise UsageError(f"--bank {bank}: expected a bank file, or a folder with {site}.jsonl; found no {file}")
    return str(file)


@lru_cache(maxsize=16)
def _loaded(path: str, stamp: tuple[int, int]) -> Bank:
    return Bank.load(Path(path))


def load(path: str) -> Bank:
    """Returns the frozen bank of a file; the same object while the file stays as it is."""
    status = Path(path).stat()
    return _loaded(path, (status.st_mtime_ns, status.st_size))


def frozen(path: str, expected: str) -> Bank:
    """Returns the frozen bank of a file.

    Raises:
        UsageError: It is not the bank that the run began with.
    """
    bank = load(path)
    if bank.hash != expected:
        raise UsageError(f"{path}: the run began with the bank {expected[:12]}, the file now holds {bank.hash[:12]}")
    return bank


def protocol_of(bank: Bank) -> str:
    """Returns the protocol that a bank was learned under, by the splits of its evidence; empty without evidence.

    Raises:
        UsageError: Its evidence is of both, or of a split that neither learns on.
    """
    splits = sorted({e.split for skill in bank.all.values() for e in skill.evidence})
    found = [name for name, split in PROTOCOLS.items() if split in splits]
    strange = [s for s in splits if s not in PROTOCOLS.values()]
    if strange or len(found) > 1:
        raise UsageError(
            f"bank: expected evidence of one of the splits {', '.join(PROTOCOLS.values())}, got {', '.join(splits)}; "
            "learn it anew under one protocol"
        )
    return found[0] if found else ""


def of_run(info: RunInfo) -> dict[str, Any]:
    """Returns what a run's description says of its bank: hashes, protocol and how targets are found.

    Raises:
        UsageError: A bank was learned under another protocol than the run's, or is evaluated on what it learned on
            without saying so.
    """
    if not info.bank:
        return {}
    banks = {site: load(file_of(info.bank, site)) for site in dict.fromkeys(info.sites)}
    wanted = info.protocol or "heldout"
    if wanted not in PROTOCOLS:
        raise UsageError(f"protocol: expected one of {', '.join(PROTOCOLS)}, got {wanted!r}")
    for site, bank in banks.items():
        own = protocol_of(bank)
        if own and own != wanted:
            raise UsageError(
                f"{file_of(info.bank, site)}: learned under the protocol {own!r} (on {PROTOCOLS[own]} tasks), the run says "
                f"{wanted!r}; run it with --protocol {own}, or learn another bank"
            )
    healing = info.healing or healing_of(info)
    return {"banks": {site: b.hash for site, b in banks.items()}, "protocol": wanted, "healing": healing}


def healing_of(info: RunInfo) -> dict[str, Any]:
    """Returns how the skills of a run's method find their targets."""
    factory = agent_factory(info.agent)
    chosen = getattr(factory, "healing_of", None)
    return dict(chosen(info.agent_kwargs) if chosen is not None else getattr(factory, "healing", {}))


def check_reachable(info: RunInfo) -> None:
    """Makes sure that an agent shows its backbone something of a bank that holds something.

    Raises:
        UsageError: It shows nothing: every number would be that of an agent without skills.
    """
    for site in info.banks:
        path = file_of(info.bank, site)
        bank = load(path)
        if not bank.skills:
            raise UsageError(f"{path}: the bank has no active skill; a run without skills needs no --bank")
        agent = load_agent(info.agent, **with_bank(info.agent, info.agent_kwargs, bank))
        shown = getattr(agent, "exposes", sum(s.callable for s in bank.skills.values()))
        if not shown:
            raise UsageError(
                f"{path}: {len(bank.skills)} skills, but {info.agent} exposes none of them: the bank is of another method"
            )


def check_frozen(info: RunInfo) -> None:
    """Makes sure that the banks are those that the run began with.

    Raises:
        UsageError: One was changed meanwhile.
    """
    for site, expected in info.banks.items():
        frozen(file_of(info.bank, site), expected)


def check_hash(found: str, job: Job) -> None:
    """Makes sure that the environment's bank at the end of an episode is the one at its start.

    Raises:
        UsageError: It is another one.
    """
    if job.bank and found != job.bank_hash:
        raise UsageError(
            f"{job.task}: the bank was written to during the episode ({job.bank_hash[:12]} -> {found[:12]})"
        )


def agent_arguments(job: Job) -> dict[str, Any]:
    """Returns the arguments of a job's agent, its bank included when it takes one."""
    return with_bank(job.agent, dict(job.agent_kwargs), frozen(job.bank, job.bank_hash) if job.bank else "")


def with_bank(agent: str, given: Mapping[str, Any], bank: Bank | str) -> dict[str, Any]:
    """Returns the arguments of an agent, a bank among them when there is one and the agent takes one."""
    factory = agent_factory(agent)
    try:
        known = inspect.signature(factory).parameters
    except ValueError:  # a constructor without a signature
        return dict(given)
    return {**given, "bank": bank} if "bank" in known and bank else dict(given)


def connect(agent: Any, env: gymnasium.Env[Any, Any], job: Job) -> None:
    """Gives an agent what it asks for beyond observations: a probe of the live page, and a say in a skill's fallback."""
    base = cast(SkillShiftEnv, env.unwrapped)
    if callable(getattr(agent, "attach", None)):
        agent.attach(Probe(base))
    if callable(getattr(agent, "assist", None)):
        base.assistant = agent.assist


def facts(agent: Any, calls: Sequence[Mapping[str, Any]], job: Job) -> dict[str, Any]:
    """Returns the fields of a record that say what agent and skills did.

    Args:
        agent: The agent, None when it could not be made.
        calls: What `info` said of each skill call.
        job: The job.
    """
    counted = getattr(agent, "counts", {})
    kept = {str(k): v for k, v in sorted(counted.items()) if isinstance(v, int | float) and v} if counted else {}
    return {"kinds": kinds_of(calls), "seen": is_seen(job), "agent": kept}


def kinds_of(calls: Sequence[Mapping[str, Any]]) -> dict[str, tuple[int, int, int]]:
    """Returns kind of mark -> calls that used it or missed a target by it, those that failed as observed, those that failed by true status."""
    used, failed, wrong = Counter[str](), Counter[str](), Counter[str]()
    for call in calls:
        kinds = sorted({*call["kinds"], call["missed"]} - {""}) or ["none"]
        used.update(kinds)
        failed.update(kinds if call["observed"] != "ok" else [])
        wrong.update(kinds if call["true"] != "ok" else [])
    return {kind: (used[kind], failed[kind], wrong[kind]) for kind in sorted(used)}


def is_seen(job: Job) -> bool | None:
    """Tells whether the bank of a job learned on its task; None without a bank."""
    return job.task in tasks_seen(job.bank, job.bank_hash) if job.bank else None


@lru_cache(maxsize=16)
def tasks_seen(path: str, expected: str) -> frozenset[str]:
    """Returns the tasks in a bank's evidence."""
    bank = frozen(path, expected)
    return frozenset(e.task for skill in bank.all.values() for e in skill.evidence)
