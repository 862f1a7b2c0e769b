from __future__ import annotations

from dataclasses import replace

import gymnasium
import pytest

from skillshift_gym.agents import skillweaver
from skillshift_gym.agents.induction.demonstrating import Demonstrator
from skillshift_gym.agents.induction.episodes import play
from skillshift_gym.agents.induction.exploring import Explorer
from skillshift_gym.agents.induction.lesson import Lesson
from skillshift_gym.agents.induction.survey import Survey
from skillshift_gym.agents.skillweaver import SkillWeaver
from skillshift_gym.agents.skillweaver_programs import Function, Unfit, by_role, checked, drawn, edited, program_of
from skillshift_gym.registration import env_id
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.formats import read_files, write_files
from skillshift_gym.skills.lint import lint
from skillshift_gym.skills.locator import Locator
from skillshift_gym.skills.program import Act, ForEach, If, Target, Text, parse

BLOG = Lesson("wordpress", "src", "heldout", ("wordpress.0#1",))
TASK = BLOG.tasks[0]


@pytest.fixture(scope="module")
def short():
    """Few iterations: enough for a blog with few kinds of pages."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(skillweaver.Curiosity, "iterations", 40)
        yield


@pytest.fixture(scope="module")
def learned(short):
    return skillweaver.learn(BLOG)


@pytest.fixture
def explorer():
    with Explorer(BLOG, skillweaver.HEALING) as explorer:
        yield explorer


@pytest.fixture
def search(explorer):
    """The search of the blog, demonstrated once."""
    survey = Survey()
    survey.look(explorer.begin(TASK))
    start, form = survey.searches[0]
    return Demonstrator(explorer, TASK).query(start, form, ["posts"])


def environment(bank, condition="src"):
    return gymnasium.make(
        env_id("wordpress", condition), skills=bank, healing=skillweaver.HEALING, disable_env_checker=True
    )


def test_functions_are_learned_verified_and_counted(learned):
    assert {"search", "open_category", "open_archive", "open_article"} <= set(learned.bank.skills)
    assert all(s.fields["test_count"] > 0 for s in learned.bank.skills.values())
    assert learned.funnel["verified"] <= learned.funnel["clean"] <= learned.funnel["tests"]
    assert learned.funnel["explored"] + learned.funnel["tests"] == 40


def test_the_same_lesson_gives_the_same_bank(learned, short):
    assert skillweaver.learn(BLOG).bank.hash == learned.bank.hash


def test_programs_begin_with_a_relative_navigation_and_find_by_role(learned):
    for skill in learned.bank.all.values():
        program = parse(skill.program)
        assert skill.fields["start_route"].startswith("/") and program.statements[len(program.examples)].verb == "goto"
        assert all(x.role and not (x.css or x.xpath or x.id) for x in program.locators())


def test_a_bank_lints_clean(learned):
    assert {case.rule for case in lint(learned.bank)} == {""}


def test_the_log_says_how_each_function_came_in(learned):
    first = learned.bank.events[0]
    assert first.op == "add" and first.reason.startswith("synthesised in iteration ")
    assert {e.gate for e in learned.bank.events if e.op == "promote"} == {skillweaver.GATE}
    assert all(e.split == "train" for s in learned.bank.all.values() for e in s.evidence)


def test_a_page_is_found_by_its_link_inside_the_list_that_holds_it(learned):
    program = parse(learned.bank.get("open_category").program)
    loop = next(s for s in program.statements if isinstance(s, ForEach))
    assert loop.target.locator == Locator(role="navigation", label="Categories")
    assert loop.body[0].target.locator.label == "{category}"


def test_a_function_goes_to_python_and_back(learned):
    for skill in learned.bank.skills.values():
        again = read_files("skillweaver", write_files("skillweaver", [skill]).files).skills[0]
        assert parse(again.program) == parse(skill.program)
        assert again.fields["test_count"] == skill.fields["test_count"]


def test_an_unverified_function_is_not_shown(learned):
    bank = Bank()
    verified = learned.bank.get("search")
    bank.add(verified, "verified")
    bare = {**verified.fields, "test_count": 0}
    other = learned.bank.get("open_archive").revised(fields=bare, name="unverified")
    bank.add(other, "not yet")
    agent = SkillWeaver(bank)
    assert [s.name for s in agent.exposed()] == ["search"] and agent.exposes == 1


def test_the_best_five_are_retrieved(learned):
    agent = SkillWeaver(learned.bank)
    env = environment(learned.bank)
    called = play(env, agent, "wordpress.24#1")
    env.close()
    assert called.moves[0].skill["name"] == "open_category" and called.success
    assert agent.top == 5 and agent.counts["suiting"] > 0


def test_a_function_that_failed_is_left_alone_for_the_rest_of_the_episode(learned):
    broken = learned.bank.get("open_category").revised(
        program='goto "/"\nclick {role=button label="Nowhere at all"}\ntype category'
    )
    bank = Bank()
    bank.add(broken, "broken")
    env = environment(bank)
    episode = play(env, SkillWeaver(bank), "wordpress.24#1")
    env.close()
    calls = [m for m in episode.moves if m.skill]
    assert len(calls) == 1 and calls[0].skill["observed"] == "stale_target" and len(episode.moves) > 1


def test_a_dialog_blocks_a_call(learned):
    env = environment(learned.bank, "src-exec")
    env.reset(seed=0, options={"task": TASK})
    _, _, _, _, info = env.step("search('bread')")
    env.close()
    assert info["skill"]["observed"] == info["skill"]["true"] == "blocked"


def test_what_need_not_be_given_is_done_only_when_it_is(search):
    optional = search.with_inputs([search.inputs[0]._replace(required=False)])
    inner = [s for s in program_of(optional).statements if isinstance(s, If)]
    assert len(inner) == 1 and inner[0].condition[0].kind == "given"
    assert not any(isinstance(s, If) for s in program_of(search).statements)


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (lambda p: replace(p, acts=p.acts[1:]), "relative navigation"),
        (
            lambda p: replace(p, acts=(Act("goto", None, (Text("https://other.example/"),)), *p.acts[1:])),
            "relative navigation",
        ),
        (lambda p: replace(p, acts=(*p.acts, *p.acts[1:] * 6)), "more than ten steps"),
        (lambda p: replace(p, inputs=()), "static check: undeclared_name"),
        (lambda p: replace(p, acts=(*p.acts, Act("click", Target(Locator(css="a"))))), "without role and name"),
    ],
)
def test_what_breaks_a_rule_is_refused(search, change, reason):
    checked(search)
    with pytest.raises(Unfit, match=reason):
        checked(change(search))


def test_a_clean_run_has_no_recovery(explorer, search):
    explorer.begin(TASK)
    fine = explorer.call(Function("search", search, 0).skill(), {"search_for": "bread"})
    moved = replace(search, acts=(*search.acts[:2], Act("click", Target(Locator(role="button", label="Serch")))))
    explorer.begin(TASK)
    healed = explorer.call(Function("search", moved, 0).skill(), {"search_for": "bread"})
    assert (fine.code, fine.heals) == ("ok", 0) and healed.heals == 1


def test_a_new_version_counts_its_runs_anew(search):
    function = Function("search", search, 3, tests=2)
    function.edit(search.with_inputs([]), "iteration 4: why")
    assert (function.version, function.tests) == (2, 0) and function.edits[0][1] == "iteration 4: why"


def test_an_edit_drops_the_place_of_a_target_that_was_not_found(explorer, search):
    explorer.begin(TASK)
    call = explorer.call(Function("search", search, 0).skill(), {"search_for": "bread"})
    third = replace(
        search,
        acts=tuple(
            replace(a, target=Target(replace(by_role(a.target.locator), nth=2))) if a.target else a for a in search.acts
        ),
    )
    again = edited(third, call._replace(code="ambiguous_target"), {})
    assert {a.target.locator.nth for a in again.acts if a.target} == {0}
    assert edited(search, call, {"search_for": "bread"}) is search


def test_draws_follow_their_weights():
    places = [drawn([1.0, 3.0], "key", n) for n in range(400)]
    assert 0.65 < sum(places) / len(places) < 0.85
    assert drawn([1.0], "key") == 0


def test_counts_of_an_episode_say_what_was_offered_and_taken(learned):
    agent = SkillWeaver(learned.bank)
    env = environment(learned.bank)
    play(env, agent, "wordpress.24#1")
    env.close()
    assert agent.counts["exposed"] == agent.exposes and agent.counts["chosen_skills"] == 1
