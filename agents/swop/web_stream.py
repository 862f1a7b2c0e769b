"""Streams of web episodes: a site whose conditions change, the same tasks and seeds for every arm, one line an episode.

Episodes of an arm are played one after another, because arms learn; arms are independent. A run that was stopped goes on:
what an agent carries is rebuilt from the lines that are there.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, cast

import gymnasium

from skillshift_gym import __version__
from skillshift_gym.agents.swop.agent import Carrying
from skillshift_gym.agents.swop.planner import oracle_window
from skillshift_gym.agents.swop.web_arms import ARMS, Limits, make_arm
from skillshift_gym.env import SkillShiftEnv
from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation.episode import task_spec
from skillshift_gym.evaluation.loading import agent_factory
from skillshift_gym.evaluation.provenance import agents_digest, environment_digest
from skillshift_gym.evaluation.recorder import CallRecorder
from skillshift_gym.files import parse_json
from skillshift_gym.keyed import keyed, shuffled
from skillshift_gym.probing import Probe
from skillshift_gym.registration import env_id
from skillshift_gym.skills.bank import Bank
from skillshift_gym.tasks.registry import task_ids, task_of
from skillshift_gym.wrappers.schedule import ShiftSchedule

Line = Mapping[str, Any]


@dataclass(frozen=True)
class Stream:
    """A stream of episodes of a site.

    Attributes:
        site: Site name.
        kind: Kind of `wrappers.streams.condition_at`.
        episodes: K.
        period: Episodes of a period.
        conditions: The conditions, in order.
        split: Split of the tasks.
        seed: Seed of the order of tasks and of the episodes.
    """

    site: str
    kind: str
    episodes: int
    period: int
    conditions: tuple[str, ...]
    split: str = "bench"
    seed: int = 0

    @property
    def name(self) -> str:
        """Name of its folder."""
        return f"{self.site}-{self.kind}-K{self.episodes}-s{self.seed}"

    def tasks(self) -> list[str]:
        """Returns the task of each episode: all tasks of the split in a drawn order, then all of them in another one."""
        ids = task_ids(self.site, self.split)
        rounds = range(-(-self.episodes // len(ids)))
        found = [task for n in rounds for task in shuffled(ids, "stream", self.site, self.seed, n)]
        return found[: self.episodes]


@dataclass(frozen=True)
class Job:
    """One arm of a stream.

    Attributes:
        stream: The stream.
        arm: Key of `web_arms.ARMS`.
        variation: Measured V_K, which W* is tuned to.
        bank: Text of the site's bank.
        proposer: The executor that all arms choose from.
        out: Folder of the files.
    """

    stream: Stream
    arm: str
    variation: float
    bank: str
    proposer: str
    out: str

    @property
    def file(self) -> Path:
        """File of its episodes."""
        return Path(self.out) / self.stream.name / f"{self.arm}.jsonl"

    @property
    def window(self) -> int:
        """W*."""
        return oracle_window(self.stream.episodes, self.variation)

    def heading(self) -> Line:
        """Returns the first line of its file: all that decides the others."""
        return {
            "stream": {**asdict(self.stream), "conditions": list(self.stream.conditions)},
            "arm": self.arm,
            "window": self.window,
            "bank": Bank.load(self.bank).hash,
            "proposer": self.proposer,
            "version": __version__,
            "content": environment_digest(self.stream.site),
            "code": agents_digest(),
        }


def bank_of_site(bank: Bank, site: str) -> Bank:
    """Returns the skills of a bank that were learned on a site, as a frozen bank.

    Raises:
        UsageError: There are none.
    """
    own = Bank(duplicates=True)
    for skill in bank.skills.values():
        if skill.callable and any(e.site == site for e in skill.evidence):
            own.add(skill, f"learned on {site}")
    if not own.skills:
        raise UsageError(f"bank: expected callable skills with evidence of {site!r}, got none")
    own.freeze()
    return own


def run_arm(job: Job) -> Job:
    """Plays the episodes of an arm that its file does not have yet.

    Raises:
        UsageError: The file is of another run.
    """
    bank, stream = Bank.load(job.bank), job.stream
    tasks = stream.tasks()
    limits = Limits(stream.episodes, sum(task_of(t).budget for t in tasks), job.window, stream.seed)
    agent = make_arm(job.arm, bank, job.proposer, limits)
    done = _taken_up(job, agent)
    if done == stream.episodes:
        return job
    env = _environment(job, bank)
    try:
        with job.file.open("a", encoding="utf-8") as file:
            for k in range(done, stream.episodes):
                file.write(json.dumps(_episode(env, agent, stream, k, tasks[k]), ensure_ascii=False) + "\n")
                file.flush()
    finally:
        env.close()
    return job


def read_arm(job: Job) -> list[Line]:
    """Returns the lines of the episodes that were played, in order; a line cut short is left out.

    Raises:
        UsageError: The file is of another run, or broken.
    """
    if not job.file.is_file():
        return []
    try:
        whole = job.file.read_text(encoding="utf-8").split("\n")[:-1]
        heading, *lines = [parse_json(line) for line in whole] or [None]
    except ValueError as error:
        raise UsageError(f"{job.file}: expected one JSON object a line, got {error}; remove it") from None
    if heading is not None and heading != job.heading():
        differ = [k for k, v in job.heading().items() if heading.get(k) != v]
        raise UsageError(f"{job.file}: of another run (differs in {', '.join(differ)}); choose another folder")
    return lines


def _taken_up(job: Job, agent: Carrying) -> int:
    """Gives an agent the evidence of the episodes that were played, and returns their number."""
    lines = read_arm(job)
    for line in lines:
        agent.recall(line["evidence"])
    job.file.parent.mkdir(parents=True, exist_ok=True)
    kept = [job.heading(), *lines]  # without the rest of a line that a killed run has left
    job.file.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in kept), encoding="utf-8")
    return len(lines)


def _environment(job: Job, bank: Bank) -> gymnasium.Env[Any, Any]:
    stream = job.stream
    healing = getattr(agent_factory(job.proposer), "healing", {})
    env = gymnasium.make(env_id(stream.site, "src"), skills=bank, healing=dict(healing), disable_env_checker=True)
    return ShiftSchedule(env, stream.kind, stream.conditions, stream.period, stream.seed)


def seed_of(stream: Stream, k: int) -> int:
    """Returns the seed of an episode's `reset`, the same for all arms."""
    return keyed("stream episode", stream.seed, k) % 2**31


def _episode(env: gymnasium.Env[Any, Any], agent: Any, stream: Stream, k: int, task: str) -> Line:
    """Plays an episode and returns its line."""
    base = cast(SkillShiftEnv, env.unwrapped)
    observation, info = env.reset(seed=seed_of(stream, k), options={"task": task, "episode": k})
    if hasattr(agent, "attach"):
        agent.attach(Probe(base))
    base.assistant = agent.assist
    agent.reset(task_spec(env, info), CallRecorder())
    over, errors, codes = False, 0, []
    while not over:
        observation, _, terminated, truncated, info = env.step(agent.act(observation))
        errors += bool(info["error"])
        codes += [info["skill"]["true"]] if info["skill"] else []
        over = terminated or truncated
    counts = {name: n for name, n in sorted(agent.counts.items()) if n and name in _COUNTED}
    return {
        "k": k, "task": task, "condition": info["condition"], "success": bool(info["success"]), "steps": info["steps"],
        "errors": errors, "calls": len(codes), "failed_calls": sum(code != "ok" for code in codes), **counts,
        "evidence": agent.ended(observation),
    }  # fmt: skip


_COUNTED = ("left_prior", "reranked", "dismissals")


def jobs_of(stream: Stream, arms: Sequence[str], variation: float, bank: Bank, proposer: str, out: Path) -> list[Job]:
    """Returns the arms of a stream as jobs.

    Raises:
        UsageError: There is no such arm.
    """
    unknown = [arm for arm in arms if arm not in ARMS]
    if unknown:
        raise UsageError(f"no arm {unknown[0]!r}; expected some of {', '.join(ARMS)}")
    return [Job(stream, arm, variation, bank.text(), proposer, str(out)) for arm in dict.fromkeys(arms)]
