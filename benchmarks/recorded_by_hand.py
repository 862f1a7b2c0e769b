"""Whether a person's deeds give the program that an oracle's equal deeds give, for every task of the shipped bank.

    python benchmarks/recorded_by_hand.py

Each oracle's steps are done by trusted mouse and keyboard input in a watched window, and by primitives in an environment.
"""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType

import gymnasium

from skillshift_gym.registration import env_id
from skillshift_gym.sites import registry as sites
from skillshift_gym.skills.recorder import record
from skillshift_gym.skills.shipped import recorded_bank
from skillshift_gym.tasks import registry

HANDS = Path(__file__).parents[1] / "tests" / "evaluation" / "hands.py"


def main() -> None:
    """Prints the tasks whose programs differ, and how many are equal."""
    hands = load(HANDS)
    tasks = [skill.evidence[0].task for skill in recorded_bank().skills.values()]
    equal = 0
    with hands.Theatre() as theatre:
        for name in tasks:
            task = registry.task_of(name)
            env = gymnasium.make(env_id(task.site, "src"), disable_env_checker=True)
            oracle = hands.Hands(env, name)
            seen = theatre.show(sites.create(task.site, "v1"), task.start_path("v1"), oracle)
            pairs = ((seen.steps, seen.last), (oracle.steps, oracle.last))
            person, own = (
                record(steps, "a_skill", "d", goal=task.goal, facts=task.params, last=last).skill.program
                for steps, last in pairs
            )
            equal += person == own
            if person != own:
                print(f"{name}:\n{own}\n--- by hand\n{person}")
            env.close()
    print(f"{equal} of {len(tasks)} programs are equal")


def load(path: Path) -> ModuleType:
    """Returns a module of a file."""
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


if __name__ == "__main__":
    main()
