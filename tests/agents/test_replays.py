"""Chunks of solved episodes, and replay tests of what is made of them."""

from __future__ import annotations

import pytest

from skillshift_gym.agents.asi import ASI
from skillshift_gym.agents.induction import functions
from skillshift_gym.agents.induction.chunks import chunks_of, recurrence, trace_of
from skillshift_gym.agents.induction.families import families
from skillshift_gym.agents.induction.lesson import Lesson
from skillshift_gym.agents.induction.protocol import lessons
from skillshift_gym.agents.induction.replays import Case, Replay, Replays, case_of, refusal
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.locator import Locator
from skillshift_gym.skills.skill import Skill


@pytest.fixture(scope="module")
def lesson():
    tasks = [t for t in lessons("wordpress", "heldout", 2) if t.partition("#")[0] == "wordpress.0"]
    return Lesson("wordpress", "src", "heldout", tuple(tasks))


@pytest.fixture(scope="module")
def solved(lesson):
    return families(lesson.episodes())


def test_locators_hold_what_a_reader_sees():
    full = Locator(
        id="x", name="q", role="link", label="Open", nth=2, css="#x", xpath="/a", tag="a", classes="k", href="/h", near="n", sid="s"
    )  # fmt: skip
    assert functions.seen(full) == Locator(role="link", label="Open", nth=2, sid="s")
    tested = functions.seen(Locator(test_id="open", role="link", label="Open", css="#x"))
    assert tested == Locator(test_id="open", role="link", label="Open")
    assert functions.seen(Locator(css="#x", xpath="/a", sid="s")) == Locator(css="#x", xpath="/a", sid="s")


def test_chunks_are_counted_once_an_episode_and_equal_for_other_entities(solved):
    traces = [trace_of(s, functions.seen) for s in solved[0]]
    assert {c.key for c in chunks_of(traces[0], 2, 5)} == {c.key for c in chunks_of(traces[1], 2, 5)}
    assert set(recurrence(traces, 2, 5).values()) == {len(traces)}
    assert [(c.start, c.end) for c in chunks_of(traces[0], 2, 5)] == [(0, 3), (0, 2), (1, 3)]


def replays_of(*results):
    return [Replay(Case(None, ()), solved, called, effective, None) for solved, called, effective in results]


@pytest.mark.parametrize(
    ("results", "reason"),
    [
        (((True, True, True),), ""),
        (((True, True, True), (True, False, False)), ""),
        (((True, False, False), (True, False, False)), "never called"),
        (((True, True, False),), "no call without error that changed the page"),
        (((False, True, True),), "its own task is no longer solved"),
        (((True, True, True), (False, True, True)), "another instance is no longer solved"),
        (((True, True, True), (True, True, False)), "the call fails on another instance"),
        ((), "never called"),
    ],
)
def test_acceptance_needs_solved_called_and_effective(results, reason):
    assert refusal(replays_of(*results)) == reason


def replayed(lesson, solved, program, name="tried"):
    """Returns what the test of a program comes to on the first solved episode, called in place of the first two acts."""
    trace = trace_of(solved[0][0], functions.seen)
    chunk = next(c for c in chunks_of(trace, 2, 2))
    skill = Skill(name=name, kind="function", description="Nothing that a goal says", program=program)
    case = case_of(skill, chunk.key, trace, 2, 5)
    assert case.actions == (*chunk.before, f"{name}()")
    return Replays(lesson, ASI).play(Bank(), skill, case)


def test_a_call_that_changes_nothing_speaks_for_nothing_though_the_agent_solves_the_task(lesson, solved):
    replay = replayed(lesson, solved, 'click {role=searchbox label="Search for:"}')
    assert replay.solved and replay.called and not replay.effective
    assert refusal([replay]) == "no call without error that changed the page"


def test_a_call_that_fails_speaks_for_nothing(lesson, solved):
    replay = replayed(lesson, solved, 'click {role=button label="Not there"}')
    assert replay.solved and replay.called and not replay.effective


def test_a_call_that_leads_astray_for_good_is_refused(lesson, solved):
    assert refusal([replayed(lesson, solved, 'say "Done."')]) == "its own task is no longer solved"
