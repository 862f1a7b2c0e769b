"""SkillWeaver by a chat model: what it proposes, writes, tests and edits, and what is refused."""

from __future__ import annotations

import re

import pytest

from skillshift_gym.agents import skillweaver
from skillshift_gym.agents.induction.episodes import play
from skillshift_gym.agents.induction.lesson import Lesson
from skillshift_gym.agents.llm.services import ServiceError
from skillshift_gym.agents.written.skillweaver import ITERATIONS, UNSUCCESSFUL, learn
from skillshift_gym.agents.written.writer import UNUSABLE
from skillshift_gym.skills.lint import lint
from skillshift_gym.skills.program import If, parse
from skillshift_gym.testing import ScriptedModel

TASKS = ("wordpress.0#1", "wordpress.36#1")
FIRST = [{"name": "category", "value": "Boats"}]
SECOND = [{"name": "category", "value": "Interviews"}]
GO = 'await page.goto("/")'
CLICK = 'await page.get_by_role("link", name=category, exact=True).first.click()'


def code(*lines, head="async def open_category(page, category: str):", doc='"""Open the page of a category"""'):
    return "\n".join([head, *(f"    {line}" for line in (doc, *lines) if line)])


GOOD = code(GO, CLICK)


class Writer(ScriptedModel):
    """Replies to each kind of request as its field says: a value, or a list of which the last one stays."""

    def __init__(self, **said):
        replies = {
            "tasks": [{"task": "Open the page of the Boats category", "usefulness": 5, "actions": 1}],
            "success": True,
            "code": [GOOD],
            "attempt": FIRST,
            "test": SECOND,
            **said,
        }
        super().__init__(lambda request: self._said(request, replies))

    def _said(self, request, replies):
        match sorted(request["schema"]["properties"]):
            case ["tasks"]:
                return {"tasks": replies["tasks"]}
            case ["reason", "success"]:
                return {"success": replies["success"], "reason": "as the page shows"}
            case ["arguments"]:
                return {"arguments": replies["test"]}
            case _:
                written = replies["code"]
                text = written.pop(0) if len(written) > 1 else written[0]
                return text if text == "no" else {"code": text, "arguments": replies["attempt"]}

    def asked(self, *properties):
        """Returns the user's part of the requests for these fields."""
        wanted = sorted(properties)
        return [r["messages"][1]["content"] for r in self.requests if sorted(r["schema"]["properties"]) == wanted]


def lesson_of(model):
    return Lesson("wordpress", "src", "heldout", TASKS, inducer=model)


def learned(iterations=8, **said):
    return learn(lesson_of(Writer(**said)), iterations)


@pytest.fixture(scope="module")
def taught():
    model = Writer()
    return model, learn(lesson_of(model), 8)


def test_a_function_is_verified_by_a_clean_run_with_other_arguments_and_then_called(taught):
    _, found = taught
    (skill,) = found.bank.skills.values()
    assert skill.name == "open_category" and skill.kind == "page_program" and skill.fields["test_count"] == 1
    assert skill.description == "Open the page of a category" and skill.fields["start_route"] == "/"
    assert found.funnel["verified"] == 1 and {case.rule for case in lint(found.bank)} == {""}
    lesson = lesson_of(None)
    env, agent = lesson.env(found.bank, skillweaver.HEALING), skillweaver.SkillWeaver(found.bank)
    episode = play(env, agent, "wordpress.24#1")
    env.close()
    assert episode.moves[0].skill["name"] == "open_category" and episode.success


def test_what_is_asked_for(taught):
    model, _ = taught
    proposed, judged, written, invented = (
        model.asked("tasks"), model.asked("success", "reason"), model.asked("code", "arguments"), model.asked("arguments")
    )  # fmt: skip
    assert proposed[0].startswith("Page on / “") and "link 'Boats'" in proposed[0]
    assert not any(re.search(r"\[\d+\]", said) for said in proposed)
    assert "open_category: Open the page of a category" in proposed[1] and "Tasks that were tried:" in proposed[1]
    assert (
        "await page.get_by_role('link', name='Boats', exact=True).click()" in judged[0]
        and "Category: Boats" in judged[0]
    )
    assert written[0].startswith("Task: Open the page of the Boats category")
    assert invented[0].startswith("async def open_category(page, category: str):")


def test_the_elements_of_the_attempt_are_what_a_call_is_judged_by(taught):
    (skill,) = taught[1].bank.skills.values()
    assert 'sid="category.open{{boats}}"' in skill.program


def test_the_most_useful_task_is_tried_of_equals_the_shortest_and_none_twice():
    tasks = [("Long", 4, 9), ("Short", 4, 1), ("Useless", 1, 1)]
    model = Writer(tasks=[dict(zip(("task", "usefulness", "actions"), t, strict=True)) for t in tasks], success=False)
    found = learn(lesson_of(model), 4)
    assert [t.partition("\n")[0] for t in model.asked("success", "reason")] == [
        "Task: Short",
        "Task: Long",
        "Task: Useless",
    ]
    assert found.reasons == {UNSUCCESSFUL: 3, "nothing new to propose": 1}


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("async def open_category(page)\n", "synthesis: the code is not Python"),
        ("x = 1", "synthesis: the code has no function that can be read"),
        (f"{GOOD}\n\n{GOOD}", "synthesis: not one function"),
        (code(GO, "os.system('true')", CLICK), "a line that is no call of a primitive"),
        (code("while True:", f"    {CLICK}"), "a line that is no call of a primitive"),
        (code("if category:", f"    {CLICK}"), "something else than calls of primitives"),
        (code(GO, CLICK, doc=""), "no docstring"),
        (code(CLICK), "synthesis: does not begin with a relative navigation"),
        (code('await page.goto("https://other.example/")', CLICK), "synthesis: does not begin with a relative navigation"),
        (code(GO, *[CLICK] * 11), "synthesis: more than ten steps"),
        (code(GO, 'await page.locator("a").click()', CLICK), "synthesis: an element without role and name"),
        (code(GO, head="async def open_category(page, category: str):"), "a parameter that is not used, or used and not declared"),
    ],
)  # fmt: skip
def test_what_is_refused_and_why(text, reason):
    found = learned(1, code=[text])
    assert found.reasons == {reason: 1} and not found.bank.all


def test_arguments_that_it_does_not_take_are_no_test():
    found = learned(8, test=[{"name": "other", "value": "x"}])
    assert found.reasons["test: other arguments than it takes"] >= 1 and not found.bank.skills


def test_a_run_that_fails_is_followed_by_an_edit_that_is_tested_anew():
    broken = code(GO, CLICK, 'await page.get_by_role("button", name="Nowhere").click()')
    model = Writer(code=[broken, GOOD])
    found = learn(lesson_of(model), 12)
    (skill,) = found.bank.skills.values()
    assert skill.version == 2 and skill.fields["test_count"] == 1 and 'sid="category.open{{boats}}"' in skill.program
    edit = model.asked("code", "arguments")[1]
    assert (
        "What went wrong: stale_target" in edit
        and "Nowhere" in edit
        and "Arguments: {'category': 'Interviews'}" in edit
    )
    assert [e.op for e in found.bank.events] == ["add", "update", "promote"]


def test_a_function_that_never_runs_clean_is_kept_and_not_shown():
    broken = code(GO, CLICK, 'await page.get_by_role("button", name="Nowhere").click()')
    found = learned(12, code=[broken])
    (skill,) = found.bank.all.values()
    assert skill.status == "testing" and not found.bank.skills and found.funnel["verified"] == 0


def test_what_need_not_be_given_is_done_only_when_it_is():
    head = 'async def search_articles(page, category: str = ""):'
    field = 'await page.get_by_role("searchbox", name="Search for:").fill(category)'
    text = code(
        GO, "if category:", f"    {field}", 'await page.get_by_role("button", name="Search").click()', head=head
    )
    (skill,) = learned(1, code=[text]).bank.all.values()
    assert any(isinstance(s, If) for s in parse(skill.program).statements) and not skill.parameters[0].required


def test_a_useless_reply_three_times_is_a_rejection_and_learning_goes_on():
    found = learned(12, code=["no", "no", "no", GOOD], tasks=[
        {"task": f"Open the page of the {name} category", "usefulness": 5, "actions": 1} for name in ("Boats", "Interviews")
    ])  # fmt: skip
    assert found.reasons[UNUSABLE] == 1 and list(found.bank.skills) == ["open_category"]


def test_the_number_of_iterations_bounds_the_requests():
    model = Writer(success=False, tasks=[])
    skillweaver.learn(lesson_of(model))
    assert len(model.requests) == ITERATIONS


def test_a_service_that_is_gone_stops_the_lesson():
    def gone(request):
        raise ServiceError("gone")

    with pytest.raises(ServiceError, match="gone"):
        skillweaver.learn(lesson_of(ScriptedModel(gone)))
