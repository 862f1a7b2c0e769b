"""Recording: what becomes a parameter, what is dropped, and the bank that ships."""

from __future__ import annotations

import pytest

from skillshift_gym.actions import primitive
from skillshift_gym.evaluation.harvest import harvest
from skillshift_gym.evaluation.survival import broken, codes, recounted, survival, table
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.checker import check
from skillshift_gym.skills.naming import slug
from skillshift_gym.skills.program import parse
from skillshift_gym.skills.recorder import Step, dismisses, record
from skillshift_gym.skills.shipped import recorded_bank
from skillshift_gym.skills.skill import Parameter
from skillshift_gym.tasks import registry

PAGE = (
    '<body><main><input type="search" name="q" aria-label="Search by keyword" data-sid="q"><select aria-label="Status"><option>Open<option>Closed</select>'
    '<a href="/o/326" data-sid="open{326}">Order 000326</a><b>Total 12.50</b><i>12.50</i></main>'
    '<div role="dialog" aria-modal="true" aria-label="Cookies"><button>Accept</button></div></body>'
)
GOAL = "What is the total of order 000326?"


def steps_on(page, *calls):
    by_name = {e.name: e.bid for e in page.interactive}
    made = [primitive(name, *([by_name[target]] if target else []), *args) for name, target, *args in calls]
    return [Step(page, call) for call in made]


def test_what_becomes_of_values_and_targets(page_of):
    page = page_of(PAGE)
    steps = steps_on(
        page, ("click", "Accept"), ("noop", ""), ("fill", "Search by keyword", "000326"), ("press", "Search by keyword", "Enter"),
        ("fill", "Search by keyword", "typed"), ("select_option", "Status", ("Closed",)), ("click", "Order 000326"), ("send_msg_to_user", "", "12.50"),
    )  # fmt: skip
    assert [dismisses(s) for s in steps][:3] == [True, False, False]
    made = record(
        steps,
        "total_of_order",
        "total of an order",
        goal=GOAL,
        facts={"number": "000326", "id": 326, "hidden": "zzz"},
        last=page,
    )
    program = parse(made.skill.program)
    assert made.skill.signature == "total_of_order(number: text, search_by_keyword: text)"
    lines = made.skill.program.splitlines()
    assert lines[:2] == ['example number = "000326"', 'example search_by_keyword = "typed"']
    assert lines[2].endswith("with number") and lines[5].endswith('with "Closed"') and lines[-1] == "say answer"
    assert (
        'label="Order {number}"' in lines[6] and 'sid="open{{326}}"' in lines[6] and "Accept" not in made.skill.program
    )
    assert {(f.value, f.parameter) for f in made.review} == {
        ("000326", "number"),
        ("typed", "search_by_keyword"),
        ("Closed", ""),
    }
    assert not [f for f in check(program, made.skill.parameters, GOAL) if f.serious or f.rule == "literal_of_the_goal"]


def test_an_answer_that_the_page_does_not_show_is_not_read(page_of):
    page = page_of(PAGE)
    steps = steps_on(page, ("click", "Order 000326"), ("send_msg_to_user", "", "It cannot be told."))
    assert "say" not in record(steps, "a_name", "d", last=page).skill.program


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("From *", "from_"),
        ("2nd Name", "value_2nd_name"),
        ("url", "url_"),
        ("Click", "click_"),
        ("", "value"),
        ("e-mail", "e_mail_2"),
        ("a" * 80, "a" * 63),
    ],
)
def test_names(text, name):
    assert slug(text, ["e_mail"], "value") == name
    assert Parameter(name=name)


def test_the_shipped_bank_has_a_skill_for_every_kind():
    bank = recorded_bank()
    kinds = {registry.task_of(s.evidence[0].task).kind for s in bank.skills.values()}
    assert (
        kinds == {f.kind for site in ("wordpress", "magento") for f in registry.families(site)}
        and len(bank.skills) >= 40
    )
    for skill in bank.skills.values():
        program = parse(skill.program)
        assert skill.evidence[0].split == "train" and skill.kind == "recorded"
        assert (
            set(program.examples)
            == {p.name for p in skill.parameters}
            == set(program.parameters) - {"answer"} - {f"answer_{i}" for i in range(9)}
        )
        assert not [f for f in check(program, skill.parameters) if f.serious]


def test_the_shipped_bank_is_what_its_command_makes():
    made = harvest(["wordpress"])
    assert {s.hash for s in made.skills.values()} <= {s.hash for s in recorded_bank().skills.values()}


def test_survival_of_some_skills():
    whole = recorded_bank()
    bank = Bank()
    for name in list(whole.skills)[:12:4]:
        bank.add(whole.skills[name], "a sample")
    rows = survival(bank, ("src", "src-perc", "src-exec"))
    assert (
        len(rows) == 9
        and codes(rows, "observed") == recounted(rows, "observed")
        and codes(rows, "true") == recounted(rows, "true")
    )
    assert codes(rows, "true")["src"] == {"ok": 3} and broken(rows, "src", "src-perc").calls == 3
    assert table(rows).splitlines()[0] == "| code | src | src-perc | src-exec |"
    assert broken(survival(bank, ("src", "src-perc"), {"order": ["xpath"]}), "src", "src-perc").failed == 3
