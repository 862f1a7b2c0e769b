"""WALT by a chat model: what it lists, builds and revises, and what is accepted."""

from __future__ import annotations

import json

import pytest

from skillshift_gym.agents import walt
from skillshift_gym.agents.induction.lesson import Lesson
from skillshift_gym.agents.llm.services import ServiceError
from skillshift_gym.agents.walt_tools import ROUNDS
from skillshift_gym.agents.written.walt import learn
from skillshift_gym.agents.written.writer import UNUSABLE
from skillshift_gym.evaluation.episode import TaskSpec
from skillshift_gym.skills.formats import read_files, write_files
from skillshift_gym.skills.lint import lint
from skillshift_gym.skills.program import parse
from skillshift_gym.testing import ScriptedModel

TASKS = ("wordpress.0#1", "wordpress.36#1")
FUNCTIONS = [{"name": "search_articles", "description": "Search for “bread”"}]
QUERY = {"name": "query", "type": "string", "required": True, "description": "Search for", "enum": [], "default": ""}
EMPTY = {"url": "", "cssSelector": "", "xpath": "", "value": ""}
START = {**EMPTY, "type": "navigation", "url": "/"}
FIELD = {**EMPTY, "type": "input", "cssSelector": "input.search-field", "value": "{query}"}
ENTER = {**FIELD, "type": "key_press", "value": "Enter"}
NOWHERE = {**EMPTY, "type": "click", "cssSelector": "button.nowhere"}
GOOD = {
    "description": "Search for {query}",
    "inputs": [QUERY],
    "steps": [START, FIELD, ENTER],
    "arguments": [{"name": "query", "value": "bread"}],
}


def changed(*steps, **more):
    return {**GOOD, "steps": list(steps), **more}


def writing(*tools, functions=FUNCTIONS):
    """A model that lists these functions and builds these tools one after the other, the last one again and again."""
    waiting = list(tools)

    def reply(request):
        if "functions" in request["schema"]["properties"]:
            return {"functions": functions}
        return waiting.pop(0) if len(waiting) > 1 else waiting[0]

    return ScriptedModel(reply)


def lesson_of(model):
    return Lesson("wordpress", "src", "heldout", TASKS, inducer=model)


def learned(*tools, **more):
    return learn(lesson_of(writing(*tools, **more)), pages=1)


@pytest.fixture(scope="module")
def taught():
    model = writing(GOOD)
    return model, learn(lesson_of(model), pages=2)


def test_a_tool_is_accepted_by_its_effect_and_then_called(taught):
    _, found = taught
    (skill,) = found.bank.skills.values()
    assert (skill.name, skill.kind, skill.description) == ("search_articles", "tool", "Search for {query}")
    assert {e.gate for e in found.bank.events if e.op == "promote"} == {walt.GATE}
    assert {case.rule for case in lint(found.bank)} == {""} and {e.split for e in skill.evidence} == {"train"}
    env, agent = lesson_of(None).env(found.bank, walt.HEALING), walt.WALT(found.bank)
    observation, _ = env.reset(seed=0, options={"task": "wordpress.16#1"})
    agent.reset(TaskSpec("", "", "", observation["goal"], "", 10), None)
    (call,) = [p.candidate.action for p in agent.propose(observation) if p.candidate.primitive == "skill"]
    info = env.step(call)[-1]
    env.close()
    assert call == "search_articles(query='slowly')" and info["skill"]["observed"] == info["skill"]["true"] == "ok"


def test_the_address_is_taken_that_gives_the_same_page(taught):
    (skill,) = taught[1].bank.skills.values()
    assert (
        parse(skill.program).statements[-1].values[0].template == "/?s={query}" and taught[1].funnel["by address"] == 1
    )
    again = read_files("walt", write_files("walt", [skill]).files).skills[0]
    assert again.fields["steps"] == skill.fields["steps"] and again.parameters == skill.parameters


def test_what_is_asked_for(taught):
    model, found = taught
    first, built, second = (r["messages"][1]["content"] for r in model.requests)
    assert first.startswith("Page on / “") and "searchbox 'Search for:'" in first
    assert second.startswith("Known functions:\nsearch_articles: Search for “bread”\n\nPage on /")
    assert built.startswith("Function: Search for “bread”\n\nTrajectory:\n")
    steps = [json.loads(line) for line in built.split("\n\n")[1].split("\n")[1:]]
    assert [s["type"] for s in steps[:3]] == ["navigation", "input", "key_press"]
    assert steps[1]["value"] == "bread" and found.account.calls == 3


def test_the_elements_of_the_demonstration_are_what_a_call_is_judged_by():
    (skill,) = learned(changed(START, FIELD, {**FIELD, "value": "bread"}, ENTER)).bank.skills.values()
    assert 'sid="search.text"' in skill.program or "/?s=" in skill.program
    (kept,) = learned(changed(START, FIELD)).bank.all.values()
    assert 'sid="search.text"' in kept.program


def test_what_would_end_the_session_is_left_out():
    found = learned(
        GOOD,
        functions=[{"name": "log_out", "description": "Leave"}, {"name": "x", "description": "Change the password"}],
    )
    assert found.reasons == {"would end the session": 2} and found.funnel["candidates"] == 0


def test_a_failure_is_shown_to_the_model_which_makes_the_tool_anew():
    model = writing(changed(START, NOWHERE, FIELD, ENTER), GOOD)
    found = learn(lesson_of(model), pages=1)
    assert list(found.bank.skills) == ["search_articles"]
    revised = model.requests[-1]["messages"][1]["content"]
    assert "Test 1:" in revised and "What went wrong: stale_target" in revised and "button.nowhere" in revised


@pytest.mark.parametrize(
    ("tool", "reason"),
    [
        (changed(), "not built: not a tool that can be read"),
        (changed(FIELD, ENTER), "not built: does not begin with a relative navigation"),
        (changed({**START, "url": "https://other.example/"}, FIELD, ENTER), "not built: does not begin with a relative navigation"),
        (changed(START, {**FIELD, "cssSelector": ""}, ENTER), "not built: step 2: no selector that locators can say"),
        (changed(START, {**FIELD, "value": "bread"}, ENTER), "not built: parameter 'query' is never used"),
        ({**GOOD, "arguments": []}, "not built: other arguments than it takes"),
        ({**GOOD, "description": " "}, "not built: no description"),
        (changed(START, NOWHERE, FIELD), "not effective: stale_target"),
        (changed({**START, "url": "/?author={query}"}), "not effective: nothing changed"),
    ],
)  # fmt: skip
def test_what_is_refused_after_five_rounds_and_why(tool, reason):
    model = writing(tool)
    found = learn(lesson_of(model), pages=1)
    assert not found.bank.skills and found.funnel["accepted"] == 0
    (said,) = found.reasons
    assert said.startswith(reason)
    assert len(model.requests) == 1 + ROUNDS


def test_a_useless_reply_three_times_is_a_rejection_and_learning_goes_on():
    two = [{"name": f"search_{n}", "description": "Search for “bread”"} for n in range(2)]
    model = writing("no", "no", "no", GOOD, functions=two)
    found = learn(lesson_of(model), pages=1)
    assert found.reasons == {f"not built: {UNUSABLE}": 1} and list(found.bank.skills) == ["search_1"]
    assert found.account.calls == 1 + 3 + 1


def test_a_list_that_is_none_costs_one_page():
    found = learn(lesson_of(ScriptedModel(lambda request: "no")), pages=2)
    assert found.reasons == {f"not listed: {UNUSABLE}": 2}


def test_no_more_candidates_than_asked_for():
    many = [{"name": f"search_{n}", "description": "Search for “bread”"} for n in range(5)]
    found = learn(lesson_of(writing(GOOD, functions=many)), pages=1, candidates=2)
    assert found.funnel["candidates"] == 2 and found.reasons["another tool does the same"] == 1


def test_a_service_that_is_gone_stops_the_lesson():
    def gone(request):
        raise ServiceError("gone")

    with pytest.raises(ServiceError, match="gone"):
        walt.learn(lesson_of(ScriptedModel(gone)))
