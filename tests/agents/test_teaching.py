"""Teaching: what may be learned from, what is written down, and what is not learned twice."""

from __future__ import annotations

import json

import pytest

from skillshift_gym.agents.induction.lesson import Lesson
from skillshift_gym.agents.induction.protocol import PROTOCOLS, lessons
from skillshift_gym.agents.induction.teaching import (
    ACCOUNT,
    bank_file,
    learned_before,
    read_accounts,
    teach,
    teach_into,
)
from skillshift_gym.cli import main
from skillshift_gym.errors import UsageError
from skillshift_gym.skills.bank import Bank
from skillshift_gym.tasks import registry

TASKS = tuple(t for t in lessons("wordpress", "heldout", 2) if t.split("#")[0] in ("wordpress.16", "wordpress.8"))


def lesson(**changes):
    return Lesson(**{"site": "wordpress", "condition": "src", "protocol": "heldout", "tasks": TASKS, **changes})


@pytest.mark.parametrize("protocol", [*PROTOCOLS])
def test_lessons_are_of_the_split_of_their_protocol(protocol):
    tasks = lessons("magento", protocol, 2)
    assert {registry.task_of(t).split for t in tasks} == {PROTOCOLS[protocol]}
    assert tasks == lessons("magento", protocol, 2)
    families = [t.split("#")[0] for t in tasks]
    assert max(families.count(f) for f in families) <= 2


@pytest.mark.parametrize(
    ("changes", "text"),
    [
        ({"tasks": ("wordpress.8",)}, "of the split 'bench'; the protocol 'heldout' learns on 'train' only"),
        ({"protocol": "published"}, "of the split 'train'; the protocol 'published' learns on 'bench' only"),
        ({"protocol": "both"}, "protocol: expected one of heldout, published"),
        ({"condition": "now"}, "no condition"),
    ],
)
def test_a_lesson_that_would_leak_is_refused(changes, text):
    with pytest.raises(UsageError, match=text):
        lesson(**changes)


def test_no_method_but_those_learns():
    with pytest.raises(UsageError, match="expected one of awm, asi, skillweaver, walt"):
        teach("mpcr", lesson())


def test_a_bank_comes_with_an_account_and_is_not_learned_twice(tmp_path):
    assert not learned_before("awm", lesson(), tmp_path)
    learned = teach_into("awm", lesson(), tmp_path)
    assert learned_before("awm", lesson(), tmp_path)
    said = read_accounts(tmp_path)["wordpress"]
    bank = Bank.load(bank_file(tmp_path, "wordpress"))
    assert (said["hash"], said["protocol"], said["split"], said["tasks"]) == (bank.hash, "heldout", "train", len(TASKS))
    assert said["skills"] == len(bank.skills) == len(learned.bank.skills) > 0
    assert said["episodes"] == learned.episodes and said["steps"] == learned.steps
    with pytest.raises(UsageError, match=r"another lesson for wordpress \(differs in seed\)"):
        learned_before("awm", lesson(seed=1), tmp_path)
    account = json.loads((tmp_path / ACCOUNT).read_text())
    (tmp_path / ACCOUNT).write_text(json.dumps({"wordpress": {**account["wordpress"], "hash": "0" * 64}}))
    with pytest.raises(UsageError, match="learn it anew"):
        learned_before("awm", lesson(), tmp_path)


def test_a_broken_account_is_an_error(tmp_path):
    (tmp_path / ACCOUNT).write_text("{")
    with pytest.raises(UsageError, match="expected the account of learned banks"):
        read_accounts(tmp_path)


def test_the_command_says_what_was_learned(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("skillshift_gym.agents.induction.protocol.registry.task_ids", lambda site, split: list(TASKS))
    assert main(["learn", "--method", "awm", "--site", "wordpress", "--out", str(tmp_path), "--quiet"]) == 0
    out = capsys.readouterr().out
    assert out.startswith(f"{tmp_path / 'wordpress.jsonl'}: ") and " skills (" in out and "hash " in out
