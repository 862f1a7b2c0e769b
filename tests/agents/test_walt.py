from __future__ import annotations

from dataclasses import replace

import gymnasium
import pytest

from skillshift_gym.agents import walt
from skillshift_gym.agents.induction.demonstrating import Demonstrator
from skillshift_gym.agents.induction.doing import Undone
from skillshift_gym.agents.induction.episodes import play
from skillshift_gym.agents.induction.exploring import Explorer
from skillshift_gym.agents.induction.lesson import Lesson
from skillshift_gym.agents.induction.procedures import missed
from skillshift_gym.agents.induction.site_forms import forms_of
from skillshift_gym.agents.induction.survey import Survey
from skillshift_gym.agents.walt_tools import Workshop, tool_of
from skillshift_gym.errors import BankReadOnly, UsageError
from skillshift_gym.registration import env_id
from skillshift_gym.skills.addresses import made_anew
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.formats import read_files, write_files
from skillshift_gym.skills.lint import lint
from skillshift_gym.skills.outcome import MAX_PRIMITIVES
from skillshift_gym.skills.program import Act, Text, parse

BLOG = Lesson("wordpress", "src", "heldout", ("wordpress.0#1", "wordpress.36#1"))
SHOP = Lesson("magento", "src", "heldout", ("magento.89#1",))
TASK = SHOP.tasks[0]


@pytest.fixture(scope="module")
def learned():
    return walt.learn(BLOG)


@pytest.fixture(scope="module")
def shop():
    with Explorer(SHOP, walt.HEALING) as explorer:
        yield explorer


def route_to(explorer, label):
    """Returns the route that the menu's link of this name leads to."""
    page = explorer.begin(TASK)
    document = page.document
    link = next(a for a in document.tagged("a") if " ".join(document.text(a.index).split()) == label)
    return link.attrs["href"]


def listing(explorer, label):
    """Opens a list and returns its route and the form that narrows it down."""
    route = route_to(explorer, label)
    assert explorer.do("goto", route)
    return route, next(f for f in forms_of(explorer.page) if f.query and len(f.fields) > 3)


def test_kinds_of_pages_and_the_search_become_tools(learned):
    names = set(learned.bank.skills)
    assert {"search", "open_category", "open_tag", "open_archive", "open_article", "open_page"} <= names
    assert learned.funnel["accepted"] == len(names) <= learned.funnel["called"] <= learned.funnel["candidates"]


def test_the_same_lesson_gives_the_same_bank(learned):
    assert walt.learn(BLOG).bank.hash == learned.bank.hash


def test_a_bank_lints_clean_and_names_no_host(learned):
    assert {case.rule for case in lint(learned.bank)} == {""}
    assert all("://" not in skill.program.replace("https://sample", "") for skill in learned.bank.all.values())


def test_tasks_are_start_pages_and_nothing_else(learned):
    other = walt.learn(Lesson("wordpress", "src", "heldout", ("wordpress.71#3",)))
    assert {n: s.program for n, s in other.bank.all.items()} == {n: s.program for n, s in learned.bank.all.items()}


def test_each_acceptance_says_what_was_measured(learned):
    promoted = [e for e in learned.bank.events if e.op == "promote"]
    assert {e.gate for e in promoted} == {walt.GATE} and all(e.score >= e.threshold == 1.0 for e in promoted)
    assert all(e.split == "train" for s in learned.bank.all.values() for e in s.evidence)


def test_a_published_task_is_no_lesson_under_heldout():
    with pytest.raises(UsageError, match="learns on 'train' only"):
        Lesson("wordpress", "src", "heldout", ("wordpress.0",))


def test_a_report_becomes_an_address_with_choices_as_they_are_sent():
    with Explorer(replace(SHOP, condition="tgt"), walt.HEALING) as explorer:  # whose addresses last
        route, form = listing(explorer, "Bestsellers")
        procedure = Demonstrator(explorer, TASK).query(route, form, ["bestsellers report"])
        tested = Workshop(explorer).best(procedure, "show_bestsellers", TASK)
    assert tested.passed and tested.by_address
    period = next(p for p in tested.skill.parameters if p.name == "period")
    assert period.type == "choice" and "month" in period.choices and not period.required
    acts = [s for s in parse(tested.skill.program).statements if isinstance(s, Act)]
    assert [a.verb for a in acts] == ["goto"] and "{period}" in acts[0].values[0].template


def test_an_address_with_a_secret_of_the_session_is_not_stored(shop):
    route, form = listing(shop, "Orders")
    procedure = Demonstrator(shop, TASK).query(route, form, ["orders"])
    tested = Workshop(shop).best(procedure, "filter_orders", TASK)
    assert made_anew(route) and made_anew(route) not in tested.skill.program
    assert tested.passed and not tested.by_address and not procedure.address
    first, *menu = [s for s in parse(tested.skill.program).statements if isinstance(s, Act)][:3]
    assert first.values == (Text("/index.php/admin/"),) and [a.verb for a in menu] == ["click", "click"]


def test_a_tool_that_would_be_dead_in_the_next_session_is_not_built(shop):
    route, form = listing(shop, "Orders")
    procedure = Demonstrator(shop, TASK).query(route, form, ["orders"])
    dead = replace(procedure, acts=(Act("goto", None, (Text(route),)), *procedure.acts[3:]))
    tested = Workshop(shop).best(dead, "filter_orders", TASK)
    assert tested.skill is None and tested.reason.startswith("volatile_address")


def test_a_call_that_would_be_too_long_leaves_out_what_need_not_be_given(shop):
    shop.begin(TASK)
    products = route_to(shop, "Manage Products")
    shop.do("goto", products)
    add = next(a.attrs["href"] for a in shop.page.document.tagged("a") if "_product/new/" in a.attrs.get("href", ""))
    shop.do("goto", add)
    demonstrator = Demonstrator(shop, TASK)
    demonstrator.query(add, forms_of(shop.page)[0], ["product"])
    start, form = shop.route, next(f for f in forms_of(shop.page) if not f.query)
    procedure = demonstrator.create(start, form, ["product"])
    tested = Workshop(shop).best(procedure, "create_product", TASK)
    acts = [s for s in parse(tested.skill.program).statements if isinstance(s, Act)]
    assert len(procedure.acts) > MAX_PRIMITIVES >= len(acts) and tested.passed
    names = {p.name for p in tested.skill.parameters}
    assert {"name", "sku", "price"} <= names < {i.name for i in procedure.inputs}
    folds = [n for n, a in enumerate(acts) if a.target and a.target.locator.tag == "summary"]
    assert all(acts[n + 1].verb != "click" for n in folds[1:])  # only the menu's unfolds a link


def test_a_deed_is_demonstrated_on_an_entity_that_offers_it(shop):
    listing(shop, "Orders")
    survey = Survey()
    survey.look(shop.page)
    lookup = next(p for p in survey.proposals.values() if p.kind == "lookup")
    survey.entities(lookup, Demonstrator(shop, TASK), lambda: shop.page)
    cancel = next(p for p in survey.proposals.values() if p.kind == "deed" and p.about.startswith("cancel"))
    tested = Workshop(shop).best(cancel.make(Demonstrator(shop, TASK)), "cancel_order", TASK)
    assert tested.passed and tested.skill.description == "Cancel the order"
    found = [t.target.locator for t in parse(tested.skill.program).statements if isinstance(t, Act) and t.target]
    assert found and all(set(x.to_json()) <= {"css", "xpath", "tag", "sid"} for x in found)


def test_a_call_without_an_effect_is_not_accepted(shop):
    route, form = listing(shop, "Orders")
    procedure = Demonstrator(shop, TASK).query(route, form, ["orders"])
    idle = replace(procedure, acts=(Act("scroll", None, (0, 10)),), address="", skips=0)
    tested = Workshop(shop).tested(idle, "idle", TASK)
    assert tested.skill is not None and not tested.passed and tested.called == 5 and tested.reason == "nothing changed"


def test_another_page_than_the_one_asked_for_is_not_accepted(shop):
    route, form = listing(shop, "Orders")
    procedure = Demonstrator(shop, TASK).lookup(route, form, ["order"])
    astray = replace(procedure, acts=procedure.acts[:3])  # as far as the list
    assert Workshop(shop).tested(astray, "astray", TASK).reason == "another page"


def test_a_refusal_of_the_site_ends_a_demonstration(shop):
    listing(shop, "Orders")
    mass = next(f for f in forms_of(shop.page) if not f.query)
    with pytest.raises(Undone, match="refused"):
        Demonstrator(shop, TASK).create(route_to(shop, "Orders"), mass, ["order"])


def test_an_input_that_takes_several_entries_makes_no_tool(shop):
    route = route_to(shop, "Shopping Cart Price Rules")
    shop.do("goto", route)
    new = next(
        a.attrs["href"] for a in shop.page.document.tagged("a") if a.attrs.get("href", "").find("promo_quote/new") > 0
    )
    shop.do("goto", new)
    form = next(f for f in forms_of(shop.page) if not f.query)
    procedure = Demonstrator(shop, TASK).create(new, form, ["cart price rule"])
    tested = Workshop(shop).best(procedure, "create_rule", TASK)
    assert tested.skill is None and "several entries" in tested.reason


def test_a_tool_is_written_as_json_and_read_again(learned):
    tool = learned.bank.get("search")
    again = read_files("walt", write_files("walt", [tool]).files).skills[0]
    assert again.fields["steps"] == tool.fields["steps"] and again.parameters == tool.parameters


def test_a_blocker_swallows_a_click_and_only_the_truth_tells(shop):
    route, form = listing(shop, "Orders")
    procedure = Demonstrator(shop, TASK).query(route, form, ["orders"])
    tool = tool_of(procedure, "filter_orders", ()).revised(status="active")
    bank = Bank()
    bank.add(tool, "by steps")
    env = gymnasium.make(env_id("magento", "src-exec"), skills=bank, healing=walt.HEALING, disable_env_checker=True)
    env.reset(seed=0, options={"task": TASK})
    _, _, _, _, info = env.step("filter_orders(order='000000322')")
    env.close()
    assert info["skill"]["observed"] != "blocked" and info["skill"]["true"] == "blocked"


def test_tools_are_called_where_they_cover_the_goal(learned):
    env = gymnasium.make(
        env_id("wordpress", "src"), skills=learned.bank, healing=walt.HEALING, disable_env_checker=True
    )
    agent = walt.WALT(learned.bank)
    called = play(env, agent, "wordpress.24#1")
    silent = play(env, agent, "wordpress.8#1")
    env.close()
    assert called.moves[0].skill["name"] == "open_category" and called.success
    assert not any(m.skill for m in silent.moves)
    assert agent.exposes == len(learned.bank.skills)


def test_nothing_is_written_while_a_bank_is_evaluated(learned):
    frozen = learned.bank.copy(read_only=True)
    env = gymnasium.make(env_id("wordpress", "src"), skills=frozen, healing=walt.HEALING, disable_env_checker=True)
    play(env, walt.WALT(frozen), "wordpress.24#1")
    env.close()
    assert frozen.hash == learned.bank.hash
    with pytest.raises(BankReadOnly):
        frozen.delete("search", "never")


def test_what_a_call_came_to_is_judged_by_what_anyone_sees(shop):
    route, form = listing(shop, "Orders")
    procedure = Demonstrator(shop, TASK).query(route, form, ["orders"])
    shop.begin(TASK)
    call = shop.call(tool_of(procedure, "filter_orders", ()), {"order": "000000322"})
    assert missed(procedure, call, {"order": "000000322"}) == ""
    assert missed(procedure, call, {"order": "000000001"}) == "the question is not answered"
    assert missed(procedure, call._replace(code="stale_target"), {}) == "stale_target"
