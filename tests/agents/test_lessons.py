"""What went wrong in published skill systems, each turned into a test.

Tests elsewhere hold these: a bank of which nothing is reachable stops the run (`evaluation/test_banks.py`); a replay
without an effective call accepts nothing (`test_replays.py`); a bank is frozen in a run (`evaluation/test_banks.py`).
"""

from __future__ import annotations

import ast
import json
from pathlib import Path

import gymnasium
import pytest

import skillshift_gym
from skillshift_gym import agents
from skillshift_gym.agents.asi import ASI
from skillshift_gym.agents.executor import Executor
from skillshift_gym.agents.induction.episodes import play
from skillshift_gym.agents.walt import HEALING
from skillshift_gym.evaluation import banks
from skillshift_gym.evaluation.loading import METHODS
from skillshift_gym.evaluation.records import TaskRecord
from skillshift_gym.evaluation.study.tables import Rows, against
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.lint import lint
from skillshift_gym.skills.skill import Skill

TASK = "wordpress.51"
ABOUT = Skill(
    name="open_about",
    kind="recorded",
    description="nothing that a goal says",
    program="click {css=\"a[href$='/about/']\"}",
)


def call(condition, healing):
    """Returns what a call on a page with a dialog in front says: by the method's own eyes, and in truth."""
    bank = Bank()
    bank.add(ABOUT, "test")
    env = gymnasium.make(f"SkillShift/WordPress-{condition}-v0", skills=bank, healing=healing, disable_env_checker=True)
    env.reset(seed=0, options={"task": TASK})
    *_, info = env.step("open_about()")
    env.close()
    return info["skill"]["observed"], info["skill"]["true"]


def test_a_forced_click_is_taken_by_what_lies_in_front_and_only_the_oracle_says_so():
    assert call("Src", HEALING) == ("ok", "ok")
    assert call("SrcExec", HEALING) == ("ok", "blocked")
    assert call("SrcExec", {**HEALING, "forced": False}) == ("blocked", "blocked")


def test_an_address_of_one_session_is_refused():
    bank = Bank()
    bank.add(ABOUT.revised(program='goto "/admin/orders/key/3b2cff893aa9766737bcf1a8eeb6ba56/"'), "test")
    assert "volatile_address" in {case.rule for case in lint(bank)}


@pytest.mark.parametrize("method", METHODS)
def test_gates_fire_and_say_how_often(method):
    accounts = json.loads((banks.folder_of(method) / "learned.json").read_text(encoding="utf-8"))
    assert sum(sum(said["rejected"].values()) for said in accounts.values()) > 0
    assert all(0 not in said["rejected"].values() and said["funnel"] for said in accounts.values())


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("site", ["wordpress", "magento"])
def test_shipped_skills_name_no_host_and_pass_the_checker(method, site):
    found = {case.rule for case in lint(Bank.load(Path(banks.file_of(method, site))))}
    assert not found & {"hard_coded_host", "volatile_address", "volatile_id", "undeclared_name"}


def test_harm_is_shown_as_harm():
    def rows(name, *successes):
        return Rows(name, [TaskRecord(
            uid=f"skillshift.wordpress.{n}.v1", site="wordpress", condition="src", success=won, steps=3, skill_calls=0,
            skill_failures=0, task=f"wordpress.{n}", kind="a kind", checks="url", split="bench", end="success" if won else "failure",
        ) for n, won in enumerate(successes)])  # fmt: skip

    base, arm = rows("none", True, True, True, True), rows("skills", False, True, True, True)
    assert "| skills | wordpress | src | -25.0 [" in against(base, [arm], ["wordpress"])


def test_a_dialog_is_seen_to_by_the_executor_since_no_skill_may_hold_it():
    env = gymnasium.make("SkillShift/WordPress-SrcExec-v0", disable_env_checker=True)
    first, second = play(env, Executor(), TASK).moves[:2]
    env.close()
    assert first.error == "covered" and not second.error and second.effective
    shipped = Bank.load(Path(banks.file_of("asi", "wordpress"))).skills.values()
    assert shipped and not any("Close" in skill.program for skill in shipped) and issubclass(ASI, Executor)


def modules():
    folders = [Path(module.__file__).parent for module in (skillshift_gym, agents)]
    return [ast.parse(p.read_text(encoding="utf-8")) for folder in folders for p in sorted(folder.rglob("*.py"))]


def test_nothing_waits_for_a_person_at_a_prompt_or_kills_processes_by_name():
    trees = modules()
    called = {
        node.func.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
    }  # fmt: skip
    texts = {node.value for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    assert len(trees) > 300 and "input" not in called
    assert not texts & {"pkill", "killall", "taskkill"}
