"""AWM by a chat model: what is asked, what is taken and what is refused."""

from __future__ import annotations

import json

import pytest

from skillshift_gym.agents import awm
from skillshift_gym.agents.induction.episodes import play
from skillshift_gym.agents.induction.lesson import Lesson
from skillshift_gym.agents.induction.protocol import lessons
from skillshift_gym.agents.llm.services import ServiceError
from skillshift_gym.agents.written.awm import SPELLED
from skillshift_gym.agents.written.writer import UNUSABLE
from skillshift_gym.skills.lint import lint
from skillshift_gym.testing import ScriptedModel

FIND = {
    "title": "Find the article titled “{title}” and open it.",
    "steps": [
        {"why": "The search finds articles.", "act": 'fill(searchbox "Search for:", "{title}")'},
        {"why": "It begins with Enter.", "act": 'press(searchbox "Search for:", "Enter")'},
        {"why": "", "act": 'click(link "{title}")'},
    ],
}


def lesson_of(model, names=("wordpress.0",), per_family=2):
    tasks = [t for t in lessons("wordpress", "heldout", per_family) if t.partition("#")[0] in names]
    return Lesson("wordpress", "src", "heldout", tuple(tasks), inducer=model)


def replying(*workflows):
    return ScriptedModel(lambda request: {"workflows": list(workflows)})


def changed(place, act, **more):
    steps = [dict(step) for step in FIND["steps"]]
    steps[place]["act"] = act
    return {**FIND, "steps": steps, **more}


def test_a_workflow_of_the_model_is_kept_with_its_reasons_and_followed():
    model = replying(FIND)
    lesson = lesson_of(model)
    learned = awm.learn(lesson)
    (skill,) = learned.bank.skills.values()
    assert skill.kind == "workflow" and skill.fields["title"] == FIND["title"]
    assert [dict(s) for s in skill.fields["steps"]] == [*FIND["steps"][:2], {"act": 'click(link "{title}")'}]
    assert {e.split for e in skill.evidence} == {"train"} and {case.level for case in lint(learned.bank)} == {"ok"}
    assert learned.funnel == {
        "episodes": 2, "solved": 2, "templates": 1, "long enough": 1, "written": 1, "workflows": 1
    }  # fmt: skip
    assert learned.account.calls == len(model.requests) == 1 and learned.account.completion_tokens > 0
    env, agent = lesson.env(learned.bank), awm.AWM(learned.bank)
    episode = play(env, agent, lesson.tasks[0])
    env.close()
    assert episode.success and agent.counts["followed"] == 3


def test_the_model_is_shown_goal_pages_and_acts_in_words():
    model = replying(FIND)
    awm.learn(lesson_of(model, per_family=1))
    (request,) = model.requests
    system, user = (message["content"] for message in request["messages"])
    assert "named slot" in system and user.startswith("Goal: Find")
    assert 'press(searchbox "Search for:", "Enter")' in user and "# on /?s=" in user
    assert request["temperature"] == 0.0 and request["seed"] > 0 and request["max_tokens"] == 2048


def test_what_two_families_do_alike_is_one_workflow_with_both_episodes():
    learned = awm.learn(lesson_of(replying(FIND), ("wordpress.0", "wordpress.7")))
    (skill,) = learned.bank.skills.values()
    assert {e.task.partition("#")[0] for e in skill.evidence} == {"wordpress.0", "wordpress.7"}
    assert learned.reasons == {"the same actions as another template's": 1}


@pytest.mark.parametrize(
    ("workflow", "reason"),
    [
        ({**FIND, "steps": FIND["steps"][:1]}, "fewer than two steps"),
        ({**FIND, "steps": []}, "fewer than two steps"),
        (changed(2, "click('42')"), "a step of another form"),
        (changed(2, "Open the article"), "a step of another form"),
        (changed(2, 'open(link "{title}")'), "a step of another form"),
        (changed(2, 'click(link "{title")'), "a step of another form"),
        (changed(2, "click()"), "a step without role and name of what it acts on, or without what it enters"),
        (changed(0, 'fill(searchbox "Search for:")'), "a step without role and name of what it acts on, or without what it enters"),
        (changed(2, 'click(link "{title}", "x")'), "a step without role and name of what it acts on, or without what it enters"),
        (changed(2, 'click(link "Learning to Sail in a Bathtub")'), SPELLED),
        ({**FIND, "title": "Find “Learning to Sail in a Bathtub”"}, SPELLED),
        ({**FIND, "title": " "}, "a title that is none, or with a brace that is no slot"),
        ({**FIND, "title": "Find {Title}"}, "a title that is none, or with a brace that is no slot"),
    ],
)  # fmt: skip
def test_what_is_no_workflow_is_refused_with_its_reason(workflow, reason):
    learned = awm.learn(lesson_of(replying(workflow), per_family=1))
    assert learned.reasons == {reason: 1}
    assert learned.funnel["written"] == 1 and learned.funnel["workflows"] == 0


def test_a_useless_reply_three_times_is_a_rejection_and_learning_goes_on():
    replies = iter(["what?", '{"workflows": 1}', "[]"])
    model = ScriptedModel(lambda request: next(replies, json.dumps({"workflows": [FIND]})))
    learned = awm.learn(lesson_of(model, ("wordpress.0", "wordpress.7"), per_family=1))
    assert learned.reasons == {UNUSABLE: 1} and learned.funnel["workflows"] == 1
    assert learned.account.calls == 4 and "That is wrong" in model.requests[1]["messages"][-1]["content"]


def test_a_trajectory_of_one_step_is_not_asked_about():
    model = replying(FIND)
    learned = awm.learn(lesson_of(model, ("wordpress.24",)))
    assert model.requests == [] and learned.reasons == {"fewer than two steps": 1}


def test_a_service_that_is_gone_stops_the_lesson():
    def gone(request):
        raise ServiceError("gone")

    with pytest.raises(ServiceError, match="gone"):
        awm.learn(lesson_of(ScriptedModel(gone)))
