"""AWM: what becomes a workflow, how its text biases the agent, and that nothing can be called."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from skillshift_gym.agents.awm import AWM, BONUS, learn
from skillshift_gym.agents.executor import Executor
from skillshift_gym.agents.induction.lesson import Lesson
from skillshift_gym.agents.induction.protocol import lessons
from skillshift_gym.agents.induction.workflows import Act, parsed, slotted
from skillshift_gym.candidates import Candidate
from skillshift_gym.errors import UsageError
from skillshift_gym.evaluation.banks import check_reachable
from skillshift_gym.evaluation.episode import Job, TaskSpec, run_job
from skillshift_gym.evaluation.records import RunInfo
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.formats import read_files, write_files
from skillshift_gym.skills.goal_templates import BETWEEN
from skillshift_gym.skills.lint import lint
from skillshift_gym.skills.skill import Skill, differences

FAMILIES = ("wordpress.0", "wordpress.7", "wordpress.24", "wordpress.37")


def lesson_of(names, per_family=2):
    tasks = [t for t in lessons("wordpress", "heldout", per_family) if t.partition("#")[0] in names]
    return Lesson("wordpress", "src", "heldout", tuple(tasks))


@pytest.fixture(scope="module")
def learned():
    return learn(lesson_of(FAMILIES))


def workflow(title, *acts, name="flow"):
    fields = {"title": title, "steps": tuple({"act": act} for act in acts)}
    return Skill(name=name, kind="workflow", description=title, fields=fields)


def bank_of(*workflows):
    bank = Bank()
    for skill in workflows:
        bank.add(skill, "test")
    return bank


def agent_for(goal, *workflows, **settings):
    agent = AWM(bank_of(*workflows), **settings)
    agent.reset(TaskSpec("", "", "", goal, "", 10), None)
    return agent


def test_one_sample_a_template_with_slots_and_no_duplicates(learned):
    assert learned.funnel == {"episodes": 8, "solved": 8, "templates": 4, "long enough": 3, "workflows": 2}
    assert learned.reasons == {"fewer than two steps": 1, "the same actions as another template's": 1}
    find, comment = learned.bank.skills.values()
    slot = "{search_for}"
    acts = [step["act"] for step in find.fields["steps"]]
    assert acts[0] == f'fill(searchbox "Search for:", "{slot}")' and acts[2] == f'click(link "{slot}")'
    assert len(comment.fields["steps"]) == 7
    assert all(skill.kind == "workflow" and not skill.callable for skill in (find, comment))


def test_the_kept_workflow_takes_over_goals_and_evidence_of_the_dropped(learned):
    find = next(iter(learned.bank.skills.values()))
    assert {e.task.partition("#")[0] for e in find.evidence} == {"wordpress.0", "wordpress.7"}
    assert {e.split for e in find.evidence} == {"train"}
    assert any("Where is the article" in wording for wording in find.description.split(BETWEEN))
    assert [e.gate for e in learned.bank.events] == ["", "duplicate", ""]


def test_the_bank_lints_clean_and_comes_back_from_its_text(learned):
    assert {case.level for case in lint(learned.bank)} == {"ok"}
    skills = list(learned.bank.skills.values())
    again = read_files("awm", write_files("awm", skills).files).skills
    assert [differences(a, b.revised(name=a.name)) for a, b in zip(skills, again, strict=True)] == [[], []]


def test_ids_of_a_session_are_found_by_lint():
    (case,) = lint(bank_of(workflow("Open", "click('42')")))
    assert case.rule == "session_id"


def test_the_same_lesson_gives_the_same_bank_and_another_seed_another_sample():
    lesson = lesson_of(("wordpress.0",))
    assert learn(lesson).bank.hash == learn(lesson).bank.hash
    tasks = {
        next(iter(learn(Lesson("wordpress", "src", "heldout", lesson.tasks, seed)).bank.skills.values()))
        .evidence[0]
        .task
        for seed in range(4)
    }
    assert tasks == set(lesson.tasks)


texts = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=20)


@given(texts, st.one_of(st.none(), texts))
def test_a_step_is_read_as_it_was_written(name, value):
    act = Act("fill", "textbox", name, value)
    assert parsed(str(act)) == act


@given(texts, texts)
def test_a_slot_in_a_step_fits_what_it_was_made_of(name, value):
    act = Act("click", "link", slotted(name, {"slot": value}))
    assert act.fits(Candidate("", "click", "1", "link", name), {"slot": value})


@pytest.mark.parametrize(
    ("act", "candidate", "fits"),
    [
        (Act("click", "link", "{x}"), Candidate("", "click", "1", "link", "Bread"), True),
        (Act("click", "link", "{x}"), Candidate("", "click", "1", "link", "Milk"), False),
        (Act("click", "link", "{x}"), Candidate("", "click", "1", "button", "Bread"), False),
        (Act("click", "link", "{other} posts"), Candidate("", "click", "1", "link", "Six posts"), True),
        (Act("fill", "textbox", "Name", "{x}"), Candidate("", "fill", "1", "textbox", "Name", "Bread"), True),
        (Act("fill", "textbox", "Name", "{x}"), Candidate("", "fill", "1", "textbox", "Name", "Milk"), False),
        (Act("press", "textbox", "Name", "Enter"), Candidate("", "fill", "1", "textbox", "Name", "Enter"), False),
        (Act("send_msg_to_user", value="{answer}"), Candidate("", "send_msg_to_user", value="42"), True),
        (Act("send_msg_to_user", value="{answer}"), Candidate("", "send_msg_to_user", value="Done."), False),
        (Act("send_msg_to_user", value="Yes."), Candidate("", "send_msg_to_user", value="Yes."), True),
    ],
)
def test_which_candidates_are_the_next_step(act, candidate, fits):
    assert act.fits(candidate, {"x": "Bread"}) is fits


PAGE = '<body><main><a href="/a">Alpha</a><a href="/b">Beta</a><a href="/c">Gamma</a></main></body>'
GOAL = "See to “Omega” in the usual way."
FLOW = workflow("See to “{it}” in the usual way.", 'click(link "Gamma")', 'click(link "Beta")')


def seen(page, error=""):
    return {
        "goal": GOAL,
        "url": page.url,
        "axtree": page.axtree,
        "elements": page.element_list,
        "last_action_error": error,
    }


def chosen(agent, page, error=""):
    proposal = agent.propose(seen(page, error))[0]
    agent.take(proposal)
    return proposal.candidate.name


def test_the_agent_follows_step_by_step_and_counts(page_of):
    page, agent = page_of(PAGE), agent_for(GOAL, FLOW)
    assert [chosen(agent, page), chosen(agent, page)] == ["Gamma", "Beta"]
    assert agent.counts["followed"] == 2 and agent.counts["fitting"] == 1
    assert agent.counts["exposed"] == agent.exposes == 1 and agent.counts["text"] == len(agent.text) > 50


def test_a_step_that_failed_is_still_to_be_done(page_of):
    page, agent = page_of(PAGE), agent_for(GOAL, FLOW)
    assert chosen(agent, page) == "Gamma"
    agent.propose(seen(page, "covered: by something"))
    assert agent.counts["followed"] == 0
    scores = {p.candidate.name: p.score for p in agent.propose(seen(page))}
    plain = {p.candidate.name: p.score for p in _told(page)}
    assert scores["Gamma"] > plain["Gamma"]


def _told(page):
    """Returns what the executor proposes after the same step."""
    agent = Executor()
    agent.reset(None, None)
    agent.follow(seen(page), next(p.candidate.action for p in agent.propose(seen(page)) if p.candidate.name == "Gamma"))
    return agent.propose(seen(page))


@pytest.mark.parametrize(
    "flow",
    [
        workflow("Cancel every order of a customer", 'click(link "Gamma")'),
        workflow(GOAL, "click('42')"),
        workflow(GOAL, 'click(link "Gone")'),
    ],
)
def test_without_a_fitting_title_or_a_matching_element_nothing_changes(page_of, flow):
    page, plain = page_of(PAGE), Executor()
    plain.reset(None, None)
    ours = [(p.candidate.action, p.score) for p in agent_for(GOAL, flow).propose(seen(page))]
    assert ours == [(p.candidate.action, p.score) for p in plain.propose(seen(page))]


def test_the_bonus_is_what_it_is_set_to(page_of):
    page = page_of(PAGE)

    def gamma(**settings):
        return next(
            p.score for p in agent_for(GOAL, FLOW, **settings).propose(seen(page)) if p.candidate.name == "Gamma"
        )

    assert gamma() - gamma(bonus="0") == pytest.approx(BONUS)


class Reader:
    """A backbone that reads text."""

    name = "reader"
    shown = ""

    def show_skills(self, text):
        Reader.shown = text

    def score(self, found, context):
        return Executor()._backbone.score(found, context)


def test_a_backbone_that_reads_is_shown_the_whole_memory_and_gets_no_bonus(page_of, monkeypatch):
    monkeypatch.setattr("skillshift_gym.agents.executor.make_backbone", lambda name, **settings: Reader())
    page, agent = page_of(PAGE), agent_for(GOAL, FLOW, workflow("Another", 'click(link "Beta")', name="another"))
    assert Reader.shown == agent.text and "See to" in agent.text and "Another" in agent.text
    monkeypatch.undo()
    plain = Executor()
    plain.reset(None, None)
    assert [p.score for p in agent.propose(seen(page))] == [p.score for p in plain.propose(seen(page))]


def test_there_are_no_calls_and_no_failures_to_count(learned, tmp_path):
    path = tmp_path / "wordpress.jsonl"
    learned.bank.save(path)
    task = lesson_of(("wordpress.0",)).tasks[0]
    record = run_job(
        Job("wordpress", "src-exec", task, "awm", (), 0, "dom", "task", bank=str(path), bank_hash=learned.bank.hash)
    )
    assert record.skill_calls is None and record.skill_failures is None
    assert record.agent["followed"] >= 1 and record.agent["exposed"] == len(learned.bank.skills)
    assert Bank.load(path).hash == learned.bank.hash


def test_a_bank_without_workflows_is_refused(tmp_path):
    bank = bank_of(Skill(name="go", kind="function", description="Go", program='goto "/"'))
    bank.save(tmp_path / "wordpress.jsonl")
    info = RunInfo(
        agent="awm", agent_kwargs={}, sites=["wordpress"], conditions=["src"], split="train", tasks=[], seed=0, browser="dom",
        budget="task", bank=str(tmp_path), banks={"wordpress": bank.hash},
    )  # fmt: skip
    with pytest.raises(UsageError, match="exposes none"):
        check_reachable(info)
