"""What the RL view can express: `python benchmarks/expressible.py`.

Plays every oracle and looks at each step for its action among the candidates of the RL view: the same call, or, for a
message, one that the task's checks accept just as well. Prints the share of trajectories with every step among them, per
kind of task, what is missing, and how many candidates pages have.

Options: `--site S` (default wordpress); `--conditions a,b`; `--every N` takes every Nth train task; `--n N` sets the number
of actions; `--workers N` processes.
"""

from __future__ import annotations

import argparse
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from multiprocessing import get_context
from typing import NamedTuple, cast

import gymnasium

import skillshift_gym  # noqa: F401  registers the ids
from skillshift_gym import actions
from skillshift_gym.env import SkillShiftEnv
from skillshift_gym.registration import CONDITIONS, env_id
from skillshift_gym.tasks import registry
from skillshift_gym.tasks.checks import Outcome, judge
from skillshift_gym.tasks.oracle import Step, resolve
from skillshift_gym.wrappers.candidates import DEFAULT_N, CandidateActions


class Played(NamedTuple):
    """One oracle, played: the first step that no candidate expresses (empty when all are), and the pages' candidates."""

    task: str
    condition: str
    missing: str
    candidates: tuple[int, ...]
    cut: int


def main() -> None:
    """Prints the tables."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--every", type=int, default=1, help="take every Nth train task")
    parser.add_argument("--n", type=int, default=DEFAULT_N, help="number of actions of the RL view")
    parser.add_argument("--site", default="wordpress", help="the site")
    parser.add_argument("--conditions", default=",".join(CONDITIONS), help="comma-separated conditions")
    parser.add_argument("--workers", type=int, default=2, help="processes")
    options = parser.parse_args()
    conditions = options.conditions.split(",")
    bench, train = registry.task_ids(options.site), registry.task_ids(options.site, "train")[:: options.every]
    for split, tasks in (("bench", bench), ("train", train)):
        with get_context("spawn").Pool(options.workers) as pool:
            jobs = [(options.site, c, tasks[i::4], options.n) for c in conditions for i in range(4)]
            played = [p for part in pool.starmap(play_all, jobs, chunksize=1) for p in part]
        print(f"## {split}: {len(tasks)} oracles, {len(conditions)} conditions, n = {options.n}\n")
        report(played, conditions)


def report(played: Sequence[Played], conditions: Sequence[str]) -> None:
    """Prints the share of each kind, what is missing, and the number of candidates."""
    kinds: dict[tuple[str, str], dict[str, list[Played]]] = defaultdict(lambda: defaultdict(list))
    for p in played:
        task = registry.task_of(p.task)
        kinds[task.check_kind, task.kind][p.condition].append(p)
    print("| checks | kind | " + " | ".join(conditions) + " |\n" + "|---" * (len(conditions) + 2) + "|")
    for (checks, kind), cells in sorted(kinds.items()):
        shares = [f"{_share(cells[c])}" for c in conditions]
        print(f"| {checks} | {kind} | " + " | ".join(shares) + " |")
    counts = sorted(c for p in played for c in p.candidates)
    middle, high = counts[len(counts) // 2], counts[len(counts) * 99 // 100]
    print(f"\ncandidates of {len(counts)} pages: median {middle}, 99 % at most {high}, most {counts[-1]}")
    print(f"trajectories with a page where some were left out: {sum(p.cut > 0 for p in played)} of {len(played)}")
    missing = Counter((registry.task_of(p.task).kind, p.missing) for p in played if p.missing)
    print(f"not expressed: {sum(missing.values())} of {len(played)} trajectories")
    for (kind, what), count in missing.most_common(30):
        print(f"- {kind}: {what} ({count})")
    print(flush=True)


def play_all(site: str, condition: str, tasks: Sequence[str], n: int) -> list[Played]:
    """Returns the oracles of some tasks in a condition, played in the RL view."""
    env = CandidateActions(
        gymnasium.make(env_id(site, condition), observation=CandidateActions.FIELDS, disable_env_checker=True), n
    )
    found = [play(env, condition, task) for task in tasks]
    env.close()
    return found


def play(env: CandidateActions, condition: str, task_id: str) -> Played:
    """Returns one oracle, played; the steps themselves go to the environment inside."""
    base = cast(SkillShiftEnv, env.unwrapped)
    _, info = env.reset(seed=0, options={"task": task_id})
    family, number = registry.family_of(task_id)
    missing, counts, cut = "", [], 0
    for step in family.oracle(family.instances[number].params, base.version):
        for action in _actions(base, step):
            counts.append(len(info["candidates"]) + info["cut"])
            cut = max(cut, info["cut"])
            index = express(env, action, info["candidates"])
            if index is None:
                missing = missing or f"{step.primitive} {step.role} {step.within.partition('{')[0]}".rstrip()
                return Played(task_id, condition, missing, tuple(counts), cut)
            _, _, terminated, truncated, info = env.step(index)
            if terminated or truncated:
                assert info["success"], (task_id, condition, info["action"], info["checks"])
                return Played(task_id, condition, missing, tuple(counts), cut)
    raise AssertionError(f"{task_id}: the oracle came to no end")


def express(env: CandidateActions, action: str, offered: Sequence[str]) -> int | None:
    """Returns the index of a candidate that does what an action does, None without one."""
    if action in offered:
        return offered.index(action)
    call = actions.parse(action)
    if call.name != "send_msg_to_user":
        return None
    said = ((i, actions.parse(a)) for i, a in enumerate(offered) if a.startswith("send_msg_to_user"))
    return next((i for i, other in said if _accepted(env, str(other.args[0]))), None)


def _accepted(env: CandidateActions, message: str) -> bool:
    base = cast(SkillShiftEnv, env.unwrapped)
    return judge(base.task.checks, Outcome(message, None, base.page, base.site.changes()))[0]


def _actions(base: SkillShiftEnv, step: Step) -> Iterator[str]:
    while step.role and (clearing := base.clearing()):
        yield clearing
    yield resolve(step, base.page)


def _share(played: Sequence[Played]) -> str:
    good = sum(not p.missing for p in played)
    return f"{100 * good / len(played):.1f} % ({good}/{len(played)})"


if __name__ == "__main__":
    main()
