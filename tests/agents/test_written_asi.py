"""ASI by a chat model: which functions are tested, accepted and refused, and that nothing is run but by the executor."""

from __future__ import annotations

import ast
import re

import pytest

from skillshift_gym.actions import SkillCall
from skillshift_gym.agents import asi
from skillshift_gym.agents.asi import ASI
from skillshift_gym.agents.induction.episodes import play
from skillshift_gym.agents.induction.lesson import Lesson
from skillshift_gym.agents.induction.protocol import lessons
from skillshift_gym.agents.llm.services import ServiceError
from skillshift_gym.agents.written.asi import SERVED
from skillshift_gym.agents.written.writer import UNUSABLE
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.lint import lint
from skillshift_gym.testing import ScriptedModel

FILL = "fill('{role=searchbox label=\"Search for:\"}', title)"
PRESS = "press('{role=searchbox label=\"Search for:\"}', 'Enter')"
CLICK = "click('{role=link label=\"{title}\"}')"


def code(*lines, head="def open_article(title: str):", doc='"""Opens an article."""'):
    return "\n".join([head, *(f"    {line}" for line in (doc, *lines) if line)])


WHOLE = code(FILL, PRESS, CLICK)


def lesson_of(model, names=("wordpress.0",), per_family=2):
    tasks = [t for t in lessons("wordpress", "heldout", per_family) if t.partition("#")[0] in names]
    return Lesson("wordpress", "src", "heldout", tuple(tasks), inducer=model)


def told(request):
    """Returns title and lines of the trajectory that a request shows."""
    said = request["messages"][-1]["content"]
    lines = [x for x in said.partition("Trajectory:\n")[2].split("\n") if not x.startswith("#")]
    return re.search(r"“(.*?)”", said.partition("Goal: ")[2])[1], lines


def writing(text, call="open_article(title={!r})", start=0, end=3):
    """A model that writes this code for every episode, and its call in place of some steps of the trajectory."""

    def reply(request):
        title, lines = told(request)
        return {"code": text, "trajectory": [*lines[:start], call.format(title), *lines[end:]]}

    return ScriptedModel(reply)


def test_a_good_function_is_accepted_and_then_runs_in_an_episode():
    model = writing(WHOLE)
    lesson = lesson_of(model)
    learned = asi.learn(lesson)
    (skill,) = learned.bank.skills.values()
    assert skill.name == "open_article" and skill.status == "active" and skill.fields["tests"] == 2
    assert skill.description == "Find the article titled “{title}” and open it."
    assert skill.fields["doc"].endswith("Opens an article.")
    assert {case.level for case in lint(learned.bank)} == {"ok"}
    assert learned.reasons[SERVED] == 1 and learned.account.calls == len(model.requests) == 1
    assert [e.reason.split(" ")[0] for e in learned.bank.events] == ["written", "all", "all"]
    env = lesson.env(learned.bank, ASI.healing)
    episode = play(env, ASI(learned.bank), lesson.tasks[1])
    env.close()
    assert episode.success and isinstance(episode.moves[0].call, SkillCall) and len(episode.moves) == 1


def test_targets_are_judged_by_the_elements_of_the_episode():
    (skill,) = asi.learn(lesson_of(writing(WHOLE))).bank.skills.values()
    assert skill.program.count('sid="search.text"') == 2 and "post.open" in skill.program


def test_a_function_that_begins_later_is_called_where_it_began():
    text = code(PRESS, CLICK, head="def go_to(title: str):")
    model = writing(text, "go_to(title={!r})", start=1)
    (skill,) = asi.learn(lesson_of(model)).bank.skills.values()
    assert "Precondition: the page shows searchbox 'Search for:'" in skill.fields["doc"]


def test_a_known_function_that_is_called_in_another_family_serves_its_goals_too():
    def reply(request):
        title, lines = told(request)
        new = "Known functions:\nopen_article(title: text)" not in request["messages"][-1]["content"]
        return {"code": WHOLE if new else "", "trajectory": [f"open_article(title={title!r})", *lines[3:]]}

    learned = asi.learn(lesson_of(ScriptedModel(reply), ("wordpress.0", "wordpress.37")))
    (skill,) = learned.bank.skills.values()
    assert "Comment on “{title}”" in skill.description
    assert {e.task.partition("#")[0] for e in skill.evidence} == {"wordpress.0", "wordpress.37"}


def test_two_functions_of_a_reply_are_tested_where_each_was_called():
    search = code(FILL, PRESS, head="def search(title: str):")
    fields = [f"fill('{{role=textbox label=\"{label} *\"}}', {name})" for label, name in
              (("Comment", "text"), ("Name", "author"), ("Email", "email"))]  # fmt: skip
    post = code(
        *fields,
        "click('{role=button label=\"Post Comment\"}')",
        head="def comment(text: str, author: str, email: str):",
    )

    def reply(request):
        title, lines = told(request)
        text, author, email = (ast.literal_eval(line)[1] for line in (x.removeprefix("fill") for x in lines[3:6]))
        calls = [f"search(title={title!r})", lines[2], f"comment({text!r}, {author!r}, email={email!r})"]
        return {"code": f"{search}\n\n{post}", "trajectory": calls}

    learned = asi.learn(lesson_of(ScriptedModel(reply), ("wordpress.37",)))
    assert list(learned.bank.skills) == ["search", "comment"] and learned.account.calls == 1
    assert "Precondition: the page shows textbox 'Comment *'" in learned.bank.skills["comment"].fields["doc"]


def test_an_instance_that_a_function_fails_on_takes_it_back():
    """The post that a search finds has another name each time."""
    text = code(FILL, PRESS, "click('{role=link label=\"Dinner in the Smugglers’ Vaults\"}')")
    learned = asi.learn(lesson_of(writing(text), ("wordpress.16",)))
    assert learned.reasons["the call fails on another instance"] == 2 and not learned.bank.skills


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("def open_article(title: str)\n    pass", "the code is not Python"),
        ("x = 1", "the code has no function that can be read"),
        (code(FILL), "fewer than 2 calls"),
        (code(FILL, PRESS, CLICK, *["go_back()"] * 3), "more than 5 calls"),
        (code(FILL, PRESS, "__import__('os').system('true')"), "a line that is no call of a primitive"),
        (code(FILL, PRESS, "open_it(title)"), "a line that is no call of a primitive"),
        (code(FILL, PRESS, "click('144')"), "a line that is no call of a primitive"),
        (code(FILL, PRESS, "click(f'{{role=link label=\"{title}\"}}')"), "a line that is no call of a primitive"),
        (code("if title:", f"    {FILL}", PRESS, CLICK), "something else than calls of primitives"),
        (code(FILL, PRESS, CLICK, doc=""), "no docstring"),
        (code(FILL, PRESS, CLICK, head="def open_article(title: str, more: str):"), "a parameter that is not used, or used and not declared"),
        (code(FILL, PRESS, "click('{css=\"a.title\" role=link label=\"{title}\"}')"), "a target by something else than role and name or test id"),
        (code(FILL, PRESS, CLICK, head="def another(title: str):"), "the rewritten trajectory does what was not done"),
        (code("fill('{role=searchbox label=\"Search for:\"}', 'Learning to Sail in a Bathtub')", CLICK), "a value of the goal is spelled out"),
        (code(FILL, PRESS, "click('{role=link label=\"Learning to Sail in a Bathtub\"}')"), "a target is named after a value of the goal, and has no slot"),
        (code("click('{role=button label=\"Nowhere\"}')", FILL, PRESS), "no call without error that changed the page"),
        (code(FILL, PRESS, "send_msg_to_user('Done.')"), "its own task is no longer solved"),
    ],
)  # fmt: skip
def test_what_is_refused_and_why(text, reason):
    learned = asi.learn(lesson_of(writing(text), per_family=1))
    assert learned.reasons[reason] == 1 and not learned.bank.all
    assert learned.funnel["candidates"] == 1 and learned.funnel["accepted"] == 0
    assert learned.bank.hash == Bank().hash


@pytest.mark.parametrize(
    ("call", "start", "reason"),
    [
        ("open_article()", 0, "a call with other arguments than it takes"),
        ("open_article(name={!r})", 0, "a call with other arguments than it takes"),
        ("open_article({!r}, 'more')", 0, "a call with other arguments than it takes"),
        ("open_article(title='Another')", 0, "the goal does not give the arguments"),
        ("", 0, "not called in the rewritten trajectory"),
        ("go_back()\n", 0, "the rewritten trajectory does what was not done"),
    ],
)
def test_a_rewritten_trajectory_that_does_not_fit(call, start, reason):
    learned = asi.learn(lesson_of(writing(WHOLE, call, start), per_family=1))
    assert learned.reasons[reason] == 1 and not learned.bank.all


def test_a_rejected_function_leaves_nothing_but_the_log():
    learned = asi.learn(lesson_of(writing(code("click('{role=button label=\"Nowhere\"}')", FILL, PRESS))))
    assert [e.op for e in learned.bank.events] == ["add", "rollback"] * 2
    assert learned.bank.events[-1].reason == "open_article: reverted: no call without error that changed the page"


def test_a_name_that_is_taken_and_a_function_that_another_one_is():
    def reply(request):
        title, lines = told(request)
        text = WHOLE if "37" not in names(request) else code(FILL, PRESS, CLICK, head="def find(title: str):")
        name = re.search(r"def (\w+)", text)[1]
        return {"code": text, "trajectory": [f"{name}(title={title!r})", *lines[3:]]}

    def names(request):
        return "37" if "omment" in request["messages"][-1]["content"].partition("Goal:")[2] else ""

    learned = asi.learn(lesson_of(ScriptedModel(reply), ("wordpress.0", "wordpress.7", "wordpress.37"), per_family=1))
    assert learned.reasons["the name is taken"] == 1 and learned.reasons["another function does the same"] == 1
    assert list(learned.bank.skills) == ["open_article"]


def test_a_useless_reply_three_times_is_a_rejection_and_learning_goes_on():
    good, calls = writing(WHOLE), []

    def reply(request):
        calls.append(request)
        return "no" if len(calls) < 4 else good._reply(request)

    learned = asi.learn(lesson_of(ScriptedModel(reply)))
    assert learned.reasons[UNUSABLE] == 1 and len(learned.bank.skills) == 1 and learned.account.calls == 4


def test_no_code_is_no_candidate():
    learned = asi.learn(lesson_of(ScriptedModel(lambda request: {"code": "", "trajectory": []})))
    assert learned.funnel["asked"] == 2 and learned.funnel["candidates"] == 0 and not learned.bank.all


def test_every_gate_says_how_often_it_fired():
    learned = asi.learn(lesson_of(writing(WHOLE), ("wordpress.0", "wordpress.16", "wordpress.24", "wordpress.37")))
    early = ("fewer than three steps", SERVED)
    refused = sum(n for why, n in learned.reasons.items() if why not in early)
    assert refused == learned.funnel["candidates"] - learned.funnel["accepted"] > 0
    assert learned.episodes == learned.funnel["episodes"] + learned.funnel["tests"]


def test_a_service_that_is_gone_stops_the_lesson():
    def gone(request):
        raise ServiceError("gone")

    with pytest.raises(ServiceError, match="gone"):
        asi.learn(lesson_of(ScriptedModel(gone)))
