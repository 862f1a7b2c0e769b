"""ASI: what is cut out, tested, accepted and refused, and how functions are exposed and fail."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from skillshift_gym.actions import SkillCall
from skillshift_gym.agents.asi import ASI, learn
from skillshift_gym.agents.executor import Executor
from skillshift_gym.agents.induction import functions
from skillshift_gym.agents.induction.episodes import play
from skillshift_gym.agents.induction.lesson import Lesson
from skillshift_gym.agents.induction.protocol import lessons
from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation.banks import check_reachable
from skillshift_gym.evaluation.episode import Job, run_job
from skillshift_gym.evaluation.records import RunInfo
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.formats import read_files, write_files
from skillshift_gym.skills.goal_templates import BETWEEN, matched
from skillshift_gym.skills.lint import lint
from skillshift_gym.skills.program import Act, parse
from skillshift_gym.skills.skill import Skill, differences

FAMILIES = ("wordpress.0", "wordpress.16", "wordpress.24", "wordpress.37")


def lesson_of(names, per_family=2):
    site = names[0].partition(".")[0]
    tasks = [t for t in lessons(site, "heldout", per_family) if t.partition("#")[0] in names]
    return Lesson(site, "src", "heldout", tuple(tasks))


@pytest.fixture(scope="module")
def learned():
    return learn(lesson_of(FAMILIES))


def function(learned, *verbs):
    """Returns the function whose acts have these verbs."""
    acts = {
        n: tuple(s.verb for s in parse(f.program).statements if isinstance(s, Act))
        for n, f in learned.bank.skills.items()
    }
    return learned.bank.skills[next(n for n, found in acts.items() if found == verbs)]


def test_a_short_trajectory_becomes_one_function_with_slots(learned):
    skill = function(learned, "fill", "press", "click")
    (parameter,) = skill.parameters
    assert skill.kind == "function" and skill.status == "active" and not functions.has_precondition(skill)
    assert f'label="{{{parameter.name}}}"' in skill.program  # the link that the goal names
    for wording in skill.description.split(BETWEEN):
        assert f"{{{parameter.name}}}" in wording
        assert matched(wording, wording.replace(f"{{{parameter.name}}}", "Another title")) is not None


def test_what_stands_for_one_instance_only_is_refused_and_a_shorter_chunk_taken(learned):
    """The post that a search finds has another name each time; the search is the same."""
    skill = function(learned, "fill", "press")
    assert any("first" in wording for wording in skill.description.split(BETWEEN))
    assert learned.reasons["the call fails on another instance"] > 0


def test_a_long_trajectory_is_cut_and_its_later_parts_have_a_precondition(learned):
    programs = {
        name: [s for s in parse(f.program).statements if isinstance(s, Act)] for name, f in learned.bank.skills.items()
    }
    assert all(2 <= len(acts) <= 5 for acts in programs.values())
    later = [f for f in learned.bank.skills.values() if functions.has_precondition(f)]
    assert later
    for skill in later:
        first = programs[skill.name][0].target.locator
        assert f"{first.role} {first.label!r}" in skill.fields["doc"] and first.label != "Search for:"


def test_short_episodes_are_skipped(learned):
    assert learned.reasons["fewer than three steps"] == 2  # opening a category takes one step
    assert not any("category" in s.description for s in learned.bank.skills.values())


def test_the_funnel_narrows_and_the_log_says_why(learned):
    counts = learned.funnel
    stages = [counts[k] for k in ("episodes", "solved", "long enough")]
    assert stages == sorted(stages, reverse=True)
    assert (
        counts["candidates"]
        >= counts["tested"]
        >= counts["accepted"]
        >= counts["functions"]
        == len(learned.bank.skills)
    )
    ops = Counter(e.op for e in learned.bank.events)
    assert ops["promote"] == counts["functions"] and ops["rollback"] == counts["tested"] - counts["accepted"] > 0
    reverted = [e for e in learned.bank.events if e.op == "rollback"]
    assert all(e.gate == "replay" and e.threshold == 1.0 and "reverted: " in e.reason and e.evidence for e in reverted)
    assert learned.episodes == counts["episodes"] + counts["tests"]
    assert learned.steps >= learned.episodes


def test_every_gate_says_how_often_it_fired(learned):
    refused = sum(n for reason, n in learned.reasons.items() if reason != "fewer than three steps")
    assert refused == learned.funnel["candidates"] - learned.funnel["accepted"]


def test_evidence_names_all_episodes_and_none_of_the_benchmark(learned):
    for skill in learned.bank.skills.values():
        assert {e.split for e in skill.evidence} == {"train"}
        assert len(skill.evidence) >= 1 and skill.fields["tests"] >= 1
    merged = function(learned, "fill", "press", "click")
    assert {e.task.partition("#")[0] for e in merged.evidence} >= {"wordpress.0"}


def test_the_bank_lints_clean_names_no_host_and_comes_back_from_a_module(learned):
    assert {case.level for case in lint(learned.bank)} == {"ok"}
    text = learned.bank.text()
    assert not re.search(r"https?://(?!\S*example\.org)", "".join(s.program for s in learned.bank.skills.values()))
    assert Bank.load(text).hash == learned.bank.hash
    skills = list(learned.bank.skills.values())
    again = read_files("asi", write_files("asi", skills).files).skills
    assert [a.name for a in again] == [s.name for s in skills]
    lost = {part for one, other in zip(skills, again, strict=True) for part in differences(one, other)}
    assert lost == {"fields.examples", "fields.tests"}  # the format has no place for them; its export says so


def test_the_same_lesson_gives_the_same_bank():
    lesson = lesson_of(("wordpress.0",), per_family=2)
    assert learn(lesson).bank.hash == learn(lesson).bank.hash


def test_the_function_is_called_and_saves_steps(learned):
    lesson = lesson_of(("wordpress.0",), per_family=1)
    env = lesson.env(learned.bank, ASI.healing)
    try:
        with_skills = play(env, ASI(learned.bank), lesson.tasks[0])
        without = play(env, Executor(), lesson.tasks[0])
    finally:
        env.close()
    assert with_skills.success and without.success and len(with_skills.moves) < len(without.moves)
    assert isinstance(with_skills.moves[0].call, SkillCall)


def asked(agent, page, goal, **more):
    seen = {
        "goal": goal,
        "url": page.url,
        "axtree": page.axtree,
        "elements": page.element_list,
        "last_action_error": "",
        **more,
    }
    return [p.candidate.slot for p in agent.propose(seen) if p.candidate.primitive == "skill"]


PAGE = '<body><main><a href="/x">Start</a><form><input aria-label="Comment"><button>Send</button></form></main></body>'


def made(name, first, later):
    skill = Skill(
        name=name, kind="function", parameters=({"name": "word"},), program=f'fill {{role=textbox label="{first}"}} with word', status="active",
    )  # fmt: skip
    return functions.purposed(skill.revised(program=f'example word = "a"\n{skill.program}'), ["Say “{word}”."], later)


def test_where_functions_are_exposed(page_of):
    """One with a precondition where the page meets it; one that begins where tasks begin until the task is under way."""
    bank = Bank()
    for skill in (made("begins", "Gone", False), made("later", "Comment", True), made("elsewhere", "Other", True)):
        bank.add(skill, "test")
    agent = ASI(bank)
    agent.reset(None, None)
    page = page_of(PAGE)
    assert agent.exposes == 3
    assert set(asked(agent, page, "Say “hello”.")) == {"begins", "later"}
    assert asked(agent, page, "Say hello to the word of the day.") == []  # not what its docstring says
    agent.follow(
        {"goal": "Say “hello”.", "url": page.url, "axtree": page.axtree, "elements": page.element_list}, "noop()"
    )
    assert set(asked(agent, page, "Say “hello”.", last_action_error="covered: x")) == {"begins", "later"}
    agent.follow(
        {"goal": "Say “hello”.", "url": page.url, "axtree": page.axtree, "elements": page.element_list}, "noop()"
    )
    assert asked(agent, page, "Say “hello”.") == ["later"]


def test_arguments_of_a_call_count_as_entered(page_of):
    agent = ASI(Bank())
    agent.reset(None, None)
    page = page_of(PAGE)
    seen = {
        "goal": "Say “hello”.",
        "url": page.url,
        "axtree": page.axtree,
        "elements": page.element_list,
        "last_action_error": "",
    }
    agent.follow(seen, "say_it(word='hello')")
    assert "hello" not in agent._memory.entered
    agent.propose({**seen, "last_action_error": "stale"})
    assert "hello" not in agent._memory.entered
    agent.follow(seen, "say_it(word='hello')")
    agent.propose(seen)
    assert "hello" in agent._memory.entered


def run(tmp_path, bank, task, condition):
    path = tmp_path / "wordpress.jsonl"
    bank.save(path)
    healing = tuple(ASI.healing.items())
    return run_job(
        Job(
            "wordpress",
            condition,
            task,
            "asi",
            (),
            0,
            "dom",
            "task",
            bank=str(path),
            bank_hash=bank.hash,
            healing=healing,
        )
    )


def test_failure_is_seen_and_the_mark_that_led_to_it(learned, tmp_path):
    """A blocker refuses the call; the agent goes on by itself. The bank stays as it was."""
    task = lesson_of(("wordpress.0",), per_family=1).tasks[0]
    fine, blocked = (run(tmp_path, learned.bank, task, c) for c in ("src", "src-exec"))
    assert (fine.skill_calls, fine.skill_failures, fine.success) == (1, 0, True)
    assert fine.kinds["role+name"][0] == 1 and fine.seen is True and fine.agent["exposed"] == len(learned.bank.skills)
    assert blocked.skill_calls == blocked.skill_failures == 1
    assert Bank.load(tmp_path / "wordpress.jsonl").hash == learned.bank.hash


def test_a_bank_that_asi_cannot_expose_is_refused(tmp_path):
    bank = Bank()
    fields = {"title": "Open", "steps": ({"act": 'click(link "A")'},)}
    bank.add(Skill(name="words", kind="workflow", description="Open", fields=fields), "test")
    bank.save(tmp_path / "wordpress.jsonl")
    info = RunInfo(
        agent="asi", agent_kwargs={}, sites=["wordpress"], conditions=["src"], split="train", tasks=[], seed=0, browser="dom",
        budget="task", bank=str(tmp_path), banks={"wordpress": bank.hash},
    )  # fmt: skip
    with pytest.raises(UsageError, match="exposes none"):
        check_reachable(info)


def test_benchmark_tasks_are_no_lesson():
    with pytest.raises(UsageError, match="learns on 'train'"):
        Lesson("wordpress", "src", "heldout", ("wordpress.0",))


def test_slots_that_a_function_does_not_use_are_spelled_out():
    template = "Find {it} in {place}, {{not}} elsewhere."
    said = functions.narrowed(template, {"it": "A", "place": "{B}"}, ["it"])
    assert said == "Find {it} in {{B}}, {{not}} elsewhere."
    assert matched(said, "Find Z in {B}, {not} elsewhere.") == {"it": "Z"}
    assert matched(said, "Find Z in C, {not} elsewhere.") is None


def test_the_page_number_of_the_goal_is_no_fixed_target():
    found = learn(lesson_of(("wordpress.61",)))
    assert found.reasons["a target is named after a value of the goal, and has no slot"] > 0
    assert not any("page" in s.description for s in found.bank.skills.values())
