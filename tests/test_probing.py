"""Evidence about the current page: what a live page tells of an action, without doing it."""

from __future__ import annotations

import gymnasium
import pytest

from skillshift_gym.probing import PARTS, Evidence, Probe
from skillshift_gym.skills.bank import Bank
from skillshift_gym.skills.skill import Parameter, Skill

PROGRAM = """fill {name="s" role=searchbox label="Search for:"} with text
press {name="s" role=searchbox label="Search for:"} "Enter"
click {role=link label="{title}"}
"""


def bank(program=PROGRAM):
    made = Bank()
    parameters = (Parameter(name="text"), Parameter(name="title"))
    made.add(
        Skill(name="look_up", kind="recorded", parameters=parameters, program=program, fields={"goal": ""}), "test"
    )
    return made


@pytest.fixture
def stage(request):
    condition = getattr(request, "param", "Src")
    env = gymnasium.make(f"SkillShift/WordPress-{condition}-v0", skills=bank(), disable_env_checker=True)
    env.reset(seed=0, options={"task": "wordpress.0"})
    yield env.unwrapped, Probe(env.unwrapped)
    env.close()


def bid_of(env, role, name=""):
    return next(e.bid for e in env.page.interactive if e.role == role and name in e.name)


def test_a_link_that_can_be_clicked_has_everything_for_it(stage):
    env, probe = stage
    found = probe.evidence(f"click('{bid_of(env, 'link')}')")
    assert all(getattr(found, part) for part in PARTS)
    assert found.modal is False
    assert not found.infeasible
    assert found.phi == 1.0


def test_probing_does_nothing(stage):
    env, probe = stage
    before = env.site.revision, env.page.axtree, env.page.url
    probe.evidence(f"click('{bid_of(env, 'link')}')")
    probe.evidence("look_up(text='a', title='b')")
    assert (env.site.revision, env.page.axtree, env.page.url) == before
    assert probe.count == 2


@pytest.mark.parametrize("action", ["goto('/')", "go_back()", "send_msg_to_user('Done.')", "noop()"])
def test_what_has_no_target_can_always_be_done(stage, action):
    assert stage[1].evidence(action).phi == 1.0


def test_a_missing_element_rules_an_action_out(stage):
    found = stage[1].evidence("click('99999')")
    assert found.exists is False
    assert found.infeasible


def test_text_goes_into_fields_only(stage):
    env, probe = stage
    assert probe.evidence(f"fill('{bid_of(env, 'link')}', 'a')").compatible is False
    assert probe.evidence(f"fill('{bid_of(env, 'searchbox')}', 'a')").compatible is True


def test_a_hidden_element_is_not_visible(stage):
    env, probe = stage
    hidden = next(e.bid for e in env.page.elements if not e.visible)
    assert probe.evidence(f"click('{hidden}')").visible is False


@pytest.mark.parametrize("stage", ["SrcExec"], indirect=True)
def test_behind_a_modal_dialog_nothing_receives_events(stage):
    env, probe = stage
    found = probe.evidence(f"click('{bid_of(env, 'link')}')")
    assert found.modal is True
    assert found.receives is False
    assert probe.evidence("goto('/')").infeasible is False
    clearing = env.clearing()
    assert probe.evidence(clearing).infeasible is False


def test_a_skill_is_judged_by_its_first_step_and_the_share_of_its_targets(stage):
    found = stage[1].evidence("look_up(text='tea', title='No such post')")
    assert found.exists is True
    assert found.compatible is True
    assert found.resolvable == pytest.approx(1 / 2)
    assert found.phi == pytest.approx((1 + 1 / 2) / 2)


def test_a_skill_whose_first_target_is_gone_is_ruled_out():
    env = gymnasium.make("SkillShift/WordPress-Src-v0", skills=bank('click {id="gone"}\n'), disable_env_checker=True)
    env.reset(seed=0, options={"task": "wordpress.0"})
    found = Probe(env.unwrapped).evidence("look_up(text='tea', title='x')")
    assert found.exists is False
    assert found.resolvable == 0.0
    env.close()


@pytest.mark.parametrize("action", ["no_such_skill()", "click(", "look_up()", "fill('3')"])
def test_what_cannot_be_read_is_not_known_and_not_ruled_out(stage, action):
    found = stage[1].evidence(action)
    assert found.detail
    assert not found.infeasible
    assert found.phi == 0.5


def test_an_option_that_a_list_lacks_is_incompatible():
    env = gymnasium.make("SkillShift/Magento-Tgt-v0", disable_env_checker=True)
    env.reset(seed=0, options={"task": "magento.100"})
    probe = Probe(env.unwrapped)
    env.step("goto('/admin/sales/order/')")
    lists = [e for e in env.unwrapped.page.interactive if e.tag == "select" and e.visible]
    bid = lists[0].bid
    assert probe.evidence(f"select_option('{bid}', 'No such option')").compatible is False
    option = next(e for e in env.unwrapped.page.elements if e.tag == "option" and int(e.bid) > int(bid) and e.name)
    assert probe.evidence(f"select_option('{bid}', {option.name!r})").compatible is True
    env.close()


def test_nothing_known_is_half():
    assert Evidence().phi == 0.5
    assert Evidence().to_json() == {}
