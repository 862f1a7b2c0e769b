"""The bank of a run: frozen, reachable, learned under one protocol, and said in every record."""

from __future__ import annotations

import pytest

from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation import recount
from skillshift_gym.evaluation.records import RunInfo, read_records, read_run
from skillshift_gym.evaluation.runner import run
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.skill import Evidence, Parameter, Skill

FIND = Skill(
    name="find_it",
    kind="recorded",
    description="Find the article titled “{title}” and open it.",
    parameters=(Parameter(name="title"),),
    program='fill {name="s"} with title\npress {name="s"} "Enter"\nclick {role=link label="{title}" nth=0}\n',
    fields={"goal": ""},
    evidence=(Evidence(task="wordpress.0#2", site="wordpress", condition="src", split="train"),),
)


def saved(folder, *skills, name="wordpress.jsonl"):
    bank = Bank()
    for skill in skills:
        bank.add(skill, "test")
    folder.mkdir(exist_ok=True)
    bank.save(folder / name)
    return folder


def info(bank, **fields):
    given = {
        "agent": "executor",
        "sites": ("wordpress",),
        "conditions": ("src",),
        "tasks": ("wordpress.0", "wordpress.8"),
    }
    return RunInfo(**{**given, "bank": str(bank), **fields})


def test_a_run_with_a_bank_says_which_and_what_its_skills_did(tmp_path):
    banks = saved(tmp_path / "banks", FIND)
    records = run(info(banks), tmp_path / "run", workers=0, progress=False, record=True)
    described = read_run(tmp_path / "run")
    assert described.banks == {"wordpress": Bank.load(banks / "wordpress.jsonl").hash}
    assert described.protocol == "heldout"
    first = next(r for r in records if r.task == "wordpress.0")
    assert (first.success, first.skill_calls, first.codes, first.seen) == (True, 1, {"ok": 1}, False)
    assert first.kinds == {"name": (1, 0, 0), "role+name": (1, 0, 0)}
    assert first.agent == {"chosen_skills": 1, "exposed": 1, "proposed_skills": 1}
    assert recount.differences(tmp_path / "run") == []
    assert "| ok | 1 / 1 |" in recount.table(recount.codes(records))


def test_a_recount_notices_records_that_say_something_else(tmp_path):
    run(info(saved(tmp_path / "banks", FIND)), tmp_path / "run", workers=0, progress=False, record=True)
    path = tmp_path / "run" / "per_task.jsonl"
    path.write_text(path.read_text().replace('"codes": {"ok": 1}', '"codes": {"ok": 2}'))
    assert recount.differences(tmp_path / "run") == [
        "wordpress src, ok (observed): 2 in the records, 1 in the trajectories"
    ]


def test_a_task_that_the_bank_learned_on_is_seen(tmp_path):
    skill = FIND.revised(evidence=[{"task": "wordpress.0", "site": "wordpress", "condition": "src", "split": "bench"}])
    records = run(
        info(saved(tmp_path / "banks", skill), protocol="published"), tmp_path / "run", workers=0, progress=False
    )
    assert {r.task: r.seen for r in records} == {"wordpress.0": True, "wordpress.8": False}


@pytest.mark.parametrize(
    ("skills", "fields", "text"),
    [
        ([FIND.revised(evidence=[{"task": "wordpress.0", "split": "bench"}])], {}, "learned under the protocol 'published'"),
        ([FIND], {"protocol": "published"}, "learned under the protocol 'heldout'"),
        (
            [FIND.revised(evidence=[{"task": "wordpress.0", "split": "bench"}, {"task": "wordpress.0#2", "split": "train"}])],
            {}, "got bench, train",
        ),
        ([FIND.revised(evidence=[{"task": "wordpress.0#9", "split": "val"}])], {}, "got val"),
        ([FIND], {"sites": ("wordpress", "magento")}, "magento.jsonl"),
        ([], {}, "no active skill"),
        ([Skill(name="a_text", kind="workflow", fields={"title": "t", "steps": [{"act": "a"}]})], {}, "exposes none of them"),
    ],
)  # fmt: skip
def test_a_bank_that_must_not_or_cannot_be_used_stops_the_run_before_it_begins(tmp_path, skills, fields, text):
    with pytest.raises(UsageError, match=text):
        run(info(saved(tmp_path / "banks", *skills), **fields), tmp_path / "run", workers=0, progress=False)
    assert not (tmp_path / "run").exists()


def test_a_bank_that_changes_during_a_run_stops_it(tmp_path):
    banks = saved(tmp_path / "banks", FIND)
    run(info(banks), tmp_path / "run", workers=0, progress=False)
    saved(banks, FIND.revised(description="Find “{title}”."))
    with pytest.raises(UsageError, match="holds another run"):
        run(info(banks), tmp_path / "run", workers=0, progress=False)
    assert len(read_records(tmp_path / "run")) == 2


class Writer:
    """An agent that tries to write to its bank."""

    has_skills = True

    def __init__(self, bank):
        self.bank = bank

    def reset(self, task, recorder):
        self.bank.add(FIND.revised(name="another"), "while it is evaluated")

    def act(self, observation):
        return "noop()"


def test_an_agent_cannot_write_to_its_bank(tmp_path):
    records = run(
        info(saved(tmp_path / "banks", FIND), agent=f"{__name__}:Writer"), tmp_path / "run", workers=0, progress=False
    )
    assert all(r.end == "agent_error" and "read-only" in r.reason for r in records)
