"""Learned skills in another session of the site: where its secret key is another one, each call ends on the same page.

The key is set before anything of the site is imported, in a process of its own, so that no cache holds the old one.
"""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

LEARNED, OTHER = "", "0f1e2d3c4b5a69788796a5b4c3d2e1f0"
METHODS = ("walt", "skillweaver")
CALLS = """
import json, sys
from skillshift_gym.sites.magento import urls
method, every, key = sys.argv[1], int(sys.argv[2]), sys.argv[3]
urls.KEY = key or urls.KEY
from importlib import import_module
import gymnasium
from skillshift_gym import actions
from skillshift_gym.actions import SkillCall
from skillshift_gym.agents.induction.episodes import play
from skillshift_gym.evaluation.banks import file_of
from skillshift_gym.evaluation.loading import agent_factory
from skillshift_gym.registration import env_id
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.program import parse

bank = Bank.load(file_of(method, "magento"))
kind = agent_factory(method)
env = gymnasium.make(env_id("magento", "src"), skills=bank, healing=kind.healing, disable_env_checker=True)
said = {}
for skill in list(bank.skills.values())[::every]:
    given = parse(skill.program).examples
    env.reset(seed=0, options={"task": skill.evidence[0].task})
    call = SkillCall(skill.name, (), tuple((p.name, given[p.name]) for p in skill.parameters if p.name in given))
    observation, _, _, _, info = env.step(actions.format_action(call))
    said[skill.name] = [info["skill"]["observed"], info["skill"]["true"], observation["title"], observation["axtree"]]
for task in sys.argv[4:]:
    episode = play(env, kind(bank), task)
    said[task] = [episode.success, [m.skill["observed"] if m.skill else "" for m in episode.moves]]
env.close()
assert urls.url("v1", "orders.grid").endswith(f"/key/{urls.KEY}/")
print(json.dumps(said))
"""
TASKS = ("magento.4", "magento.26", "magento.56", "magento.67", "magento.89", "magento.104")


def outcomes(method, key):
    every = "3" if method == "walt" else "1"
    done = subprocess.run(
        [sys.executable, "-c", CALLS, method, every, key, *TASKS], check=False, capture_output=True, text=True, timeout=300
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    return json.loads(done.stdout)


@pytest.mark.parametrize("method", METHODS)
def test_a_shipped_bank_works_in_another_session(method):
    there, here = outcomes(method, OTHER), outcomes(method, LEARNED)
    assert there == here
    calls = [said for name, said in here.items() if name not in TASKS]
    assert len(calls) > 50 and sum(said[0] == said[1] == "ok" for said in calls) >= len(calls) - 1
