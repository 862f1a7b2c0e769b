"""Executability by replay: several calls of a skill, the same tasks in each condition, shares of true status."""

from __future__ import annotations

import pytest

from skillshift_gym.evaluation.executability import executability, instances, outcomes, shares
from skillshift_gym.evaluation.survival import survival
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.shipped import recorded_bank
from skillshift_gym.tasks.registry import task_of


@pytest.fixture(scope="module")
def bank():
    own = Bank(duplicates=True)
    for name in ("find_the_article_with_a_given_title", "leave_a_comment_on_a_post"):
        own.add(recorded_bank().skills[name], "for a test")
    own.freeze()
    return own


def test_a_skill_is_called_on_its_own_task_first_and_on_training_tasks_only():
    for skill in recorded_bank().skills.values():
        found = instances(skill, 4)
        assert found[0][0] == skill.evidence[0].task and 1 <= len(found) <= 4
        assert len({task for task, _ in found}) == len(found)
        assert {task_of(task).split for task, _ in found} == {"train"}
        required = {p.name for p in skill.parameters if p.required}
        assert all(required <= set(given) for _, given in found)


def test_the_arguments_are_those_of_each_goal():
    skill = recorded_bank().skills["find_the_article_with_a_given_title"]
    for task, given in instances(skill, 5):
        assert all(value in task_of(task).goal for value in given.values())


def test_shares_are_counted_from_true_status():
    rows = [
        {"condition": "src", "name": "a", "true": "ok"},
        {"condition": "src", "name": "a", "true": "stale_target"},
        {"condition": "tgt", "name": "a", "true": "blocked"},
    ]
    assert outcomes(rows) == {"src": {"a": [1, 0]}, "tgt": {"a": [0]}}
    assert shares(outcomes(rows)) == {"src": {"a": 0.5}, "tgt": {"a": 0.0}}


def test_one_call_is_what_survival_finds(bank):
    conditions = ("src", "tgt-exec")
    once, found = survival(bank, conditions), executability(bank, conditions, 1)
    assert found == once


def test_each_condition_has_the_same_calls(bank):
    rows = executability(bank, ("src", "src-exec"), 2)
    by_condition = {c: [(r["name"], r["task"]) for r in rows if r["condition"] == c] for c in ("src", "src-exec")}
    assert by_condition["src"] == by_condition["src-exec"] and len(by_condition["src"]) == 4
    table = shares(outcomes(rows))
    assert table["src"]["find_the_article_with_a_given_title"] == 1
