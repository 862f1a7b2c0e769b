from dataclasses import dataclass, replace
from typing import ClassVar

import pytest

from skillshift_gym.errors import TaskError, UsageError
from skillshift_gym.evaluation.presets import needs, needs_table
from skillshift_gym.evaluation.verify import RUNS, table, verify
from skillshift_gym.registration import CONDITIONS
from skillshift_gym.tasks import registry
from skillshift_gym.tasks.checks import Check, Outcome, UrlCheck, Verdict
from skillshift_gym.tasks.oracle import Step, say

ONE_OF_EACH_KIND = tuple({f.kind: f.id for f in registry.families("wordpress")}.values())
URL_TASK, STATE_TASK, ANSWER_TASK = "wordpress.25", "wordpress.36", "wordpress.8"


@pytest.mark.parametrize("condition", ["src", "tgt"])
def test_one_task_of_each_kind_is_right(condition):
    findings = verify("wordpress", [condition], ONE_OF_EACH_KIND)
    assert [f for f in findings if not f.ok] == []
    assert len(ONE_OF_EACH_KIND) == 11 and len(findings) == 55
    assert {f.run for f in findings} == set(RUNS)
    assert {f.condition for f in findings} == {condition}


def test_a_task_of_each_check_is_right_in_every_condition():
    findings = verify("wordpress", list(CONDITIONS), (URL_TASK, STATE_TASK, ANSWER_TASK))
    assert [f for f in findings if not f.ok] == []
    assert {f.condition for f in findings} == set(CONDITIONS) and len(findings) == 15 * len(CONDITIONS)
    steps = {(f.task, f.condition): f.steps for f in findings if f.run == "oracle"}
    if "src-exec" in CONDITIONS:  # blockers are cleared on the way, and that costs actions
        assert steps[STATE_TASK, "src-exec"] > steps[STATE_TASK, "src"]


@pytest.fixture
def plant(monkeypatch):
    """Changes a family for one test, in place of the registered one."""

    def change(task_id, **fields):
        family, _ = registry.family_of(task_id)
        planted = replace(family, **fields)
        monkeypatch.setattr(registry, "_by_id", lambda site: {planted.id: planted})
        registry._task.cache_clear()
        registry._oracle_length.cache_clear()

    yield change
    registry._task.cache_clear()
    registry._oracle_length.cache_clear()


@dataclass(frozen=True)
class LaxState(Check):
    """Looks for one new comment and does not mind anything else."""

    kind: ClassVar[str] = "state"
    content: str

    def judge(self, outcome: Outcome) -> Verdict:
        found = any(c.after.get("content") == self.content for c in outcome.changes)
        return Verdict(found, "" if found else "no such comment")


@dataclass(frozen=True)
class Anything(Check):
    """Holds whatever happened."""

    kind: ClassVar[str] = "state"

    def judge(self, outcome: Outcome) -> Verdict:
        return Verdict(True)


def wrong_runs(task_id):
    return {f.run for f in verify("wordpress", ["src"], [task_id]) if not f.ok}


def test_a_check_without_collateral_rejection_is_found(plant):
    plant(STATE_TASK, checks=lambda p: (LaxState(p["text"]),))
    assert wrong_runs(STATE_TASK) == {"extra write"}


def test_a_check_that_any_value_satisfies_is_found(plant):
    class Section(UrlCheck):
        def judge(self, outcome: Outcome) -> Verdict:
            return Verdict("/category/" in outcome.page.url)

    plant(URL_TASK, checks=lambda p: (Section("/category/"),))
    assert wrong_runs(URL_TASK) == {"altered value"}


def test_a_check_that_always_holds_is_found(plant):
    plant(URL_TASK, checks=lambda p: (Anything(),))
    assert wrong_runs(URL_TASK) >= {"idle", "dropped step", "altered value", "extra write"}


def test_a_task_that_is_solved_where_it_starts_is_found(plant):
    plant(URL_TASK, checks=lambda p: (UrlCheck("/"),))
    assert "idle" in wrong_runs(URL_TASK)


def test_an_oracle_that_misses_its_target_is_found(plant):
    plant(URL_TASK, oracle=lambda p, version: [Step("click", "link", "No such link"), say("Done.")])
    findings = {f.run: f for f in verify("wordpress", ["src"], [URL_TASK])}
    assert not findings["oracle"].ok and not findings["oracle"].played
    assert "found 0 of" in findings["oracle"].reason


def test_an_oracle_that_does_something_else_is_found(plant):
    plant(URL_TASK, oracle=lambda p, version: [Step("click", "link", "About"), say("Done.")])
    findings = {f.run: f for f in verify("wordpress", ["src"], [URL_TASK])}
    assert not findings["oracle"].ok
    assert findings["oracle"].reason.startswith(("expected", "the oracle"))


def test_an_oracle_longer_than_the_budget_is_found(plant):
    plant(STATE_TASK, budget=4)
    assert "oracle" in wrong_runs(STATE_TASK)


def test_a_near_miss_that_cannot_be_played_proves_nothing(plant):
    family, _ = registry.family_of(URL_TASK)

    def oracle(params, version):
        honest = family.oracle(params, version)
        return honest if params == family.instances[0].params else [Step("click", "link", "No such link")]

    plant(URL_TASK, oracle=oracle)
    findings = {f.run: f for f in verify("wordpress", ["src"], [URL_TASK])}
    assert not findings["altered value"].ok and not findings["altered value"].success


def test_an_extra_write_that_changes_nothing_stops_the_verification(monkeypatch):
    from skillshift_gym.sites.protocol import Request
    from skillshift_gym.tasks import wordpress

    monkeypatch.setattr(wordpress, "extra_write", lambda task, site: Request("GET", f"{site.origin}/"))
    with pytest.raises(TaskError, match="changed nothing"):
        verify("wordpress", ["src"], [URL_TASK])


def test_a_goal_without_values_has_no_altered_run():
    runs = {f.run for f in verify("wordpress", ["src"], ["wordpress.34"])}
    assert runs == set(RUNS) - {"altered value"}


def test_the_table_counts_what_is_right():
    findings = verify("wordpress", ["src", "tgt"], [URL_TASK, ANSWER_TASK])
    spoiled = [f._replace(success=not f.success) if f.run == "idle" and f.condition == "tgt" else f for f in findings]
    lines = table(spoiled).splitlines()
    assert lines[0].startswith("| condition | oracle solves | idle run rejected |")
    assert lines[2] == "| src | 2/2 | 2/2 | 2/2 | 2/2 | 2/2 |"
    assert lines[3] == "| tgt | 2/2 | 0/2 | 2/2 | 2/2 | 2/2 |"


def test_a_two_step_blocker_on_every_action_says_which_budget_it_needs():
    found = needs("wordpress", "src-exec", {"schedule": "every_page", "way": "two_step"}, (URL_TASK, STATE_TASK))
    assert [n.solved for n in found] == [True, True]  # the slack rule keeps them solvable
    for need in found:
        assert need.needed is not None and need.needed >= need.oracle + 2
    text = needs_table("src-exec", found)
    assert "oracle solves 2/2" in text and "n = 2" in text


def test_a_schedule_that_never_ends_is_named():
    found = needs("wordpress", "tgt-exec", {"schedule": "periodic(1)"}, (STATE_TASK,))
    assert found[0].needed is None and "not solved within" in needs_table("tgt-exec", found)


def test_a_preset_with_an_unknown_argument_names_the_known_ones():
    with pytest.raises(UsageError, match="no argument 'speed'; expected some of schedule"):
        needs("wordpress", "src-exec", {"speed": 2})


def test_a_preset_of_a_condition_without_shift_is_refused():
    with pytest.raises(UsageError, match="has no shift"):
        needs("wordpress", "src", {"schedule": "every_page"})
